import { describe, expect, it } from 'vitest';
import { FAMILIES, type Family } from '../../../test/families.js';
import { sketchSkeleton } from '../../../test/sketch-skeleton.js';
import { isRole } from '../roles.js';
import { guessRoles } from '../shape/guess-roles.js';
import { NAME_TABLES } from './known-tables.js';
import { foldWord } from './read-name.js';

/** What exporters and engines do to names on the way. */
const MANGLINGS: Record<string, (name: string, i: number) => string> = {
  'as written': (name) => name,
  'blanks to underscores': (name) => name.replaceAll(' ', '_'),
  'separators dropped, as three.js does': (name) => name.replace(/\s/g, '_').replace(/[[\].:/]/g, ''),
  'dots to underscores': (name) => name.replace(/[.:]/g, '_'),
  'lower case': (name) => name.toLowerCase(),
  'a namespace': (name) => `Hero:${name}`,
  'a path': (name) => `Scene|Armature|${name}`,
  'a prefix': (name) => `Hero_${name}`,
  'copy numbers': (name) => `${name}.001`,
  'running counters': (name, i) => `${name}_0${i}`,
};

/** The roles expected of a family on both sides: role to the name in the sketch. */
function expectedRoles({ roles, sides }: Family): Map<string, string> {
  const expected = new Map<string, string>();
  for (const entry of roles.trim().split(/\s+/)) {
    const [role, joint] = entry.replaceAll('+', ' ').split('=') as [string, string];
    if (isRole(role)) expected.set(role, joint);
    else
      (['left', 'right'] as const).forEach((side, i) => {
        expected.set(`${side}${role}`, joint.replaceAll('~', sides[i]!));
      });
  }
  return expected;
}

describe('name tables', () => {
  it('have a name each', () => {
    expect(new Set(NAME_TABLES.map(({ name }) => name)).size).toBe(NAME_TABLES.length);
  });

  it('give every word one meaning within a table', () => {
    const clashes = NAME_TABLES.flatMap(
      ({ name, ignored: _, prefix: __, generic: ___, oneHand: ____, ...parts }) => {
        const { hips, spine, neck, head, jaw, ...sided } = parts;
        return [[hips, spine, neck, head, jaw], [...Object.values(sided).flat()]].flatMap((group) => {
          const words = group.flatMap((list) => (list ?? '').split('|').filter(Boolean).map(foldWord));
          return words.filter((word, i) => words.indexOf(word) !== i).map((word) => `${name}: ${word}`);
        });
      },
    );
    expect(clashes).toEqual([]);
  });

  for (const family of FAMILIES)
    for (const [mangling, mangle] of Object.entries(MANGLINGS)) {
      if (family.lost?.includes(mangling)) continue;
      it(`W7, W8, W9, R20: ${family.name}, ${family.sides[0]}/${family.sides[1]}, ${mangling}`, () => {
        const written = sketchSkeleton(family.sketch, family.sides);
        let i = 0;
        const mangled = sketchSkeleton(family.sketch, family.sides, (name) => mangle(name, i++));
        const expected = expectedRoles(family);
        const { guesses, family: found, warnings } = guessRoles(mangled);
        const wrong: string[] = [];
        const seen = new Set<string>();
        guesses.forEach(({ role, confidence }, joint) => {
          if (!role) return;
          seen.add(role);
          if (expected.get(role) !== written.names[joint])
            wrong.push(`${role}: ${mangled.names[joint]} (expected ${expected.get(role)}), ${confidence}`);
        });
        for (const [role, joint] of expected)
          if (!seen.has(role)) wrong.push(`${role}: nothing (expected ${joint})`);
        expect(wrong, `read as ${found}`).toEqual([]);
        expect(warnings).toEqual([]);
        if (mangling === 'as written') {
          expect(found).toBe(family.name);
          // Plain words of no family are never as sure as a family's.
          const sure = family.name.startsWith('plain') ? 0.85 : 0.95;
          for (const { role, confidence } of guesses)
            if (role) expect(confidence).toBeGreaterThanOrEqual(sure);
        }
      });
    }
});
