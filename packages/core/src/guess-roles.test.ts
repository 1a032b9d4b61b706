import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readHierarchy } from '../test/read-hierarchy.js';
import { guessRoles } from './guess-roles.js';
import { isRole } from './roles.js';

const dataFolder = fileURLToPath(new URL('../../../../shared/data/', import.meta.url));
const labelsFile = `${dataFolder}roles.json`;

type Label = {
  kind: string;
  note: string;
  roles: Record<string, { name: string; index: number | null }>;
};

/** Roles that the notes of the labels call equally right, as `role=joint`. */
function equallyRight(note: string): Set<string> {
  const right = new Set<string>();
  for (const [, alternatives] of note.matchAll(/\(alt: ([^)]*)\)/g)) {
    let role = '';
    for (const entry of alternatives!.split(/, | or /)) {
      const [left, joint] = entry.split('=');
      if (joint !== undefined) role = left!;
      right.add(`${role}=${joint ?? left}`);
      // A note that names roles only speaks of a joint it has left out: the thumb of CMU, the one leg.
      if (isRole(entry)) right.add(`${entry}=LeftLeg`);
      if (entry.startsWith('Thumb')) right.add(`left${entry}=LThumb`).add(`right${entry}=RThumb`);
    }
  }
  return right;
}

describe.skipIf(!existsSync(labelsFile))('guessRoles on real files (needs ../shared/data)', () => {
  const labels = existsSync(labelsFile)
    ? (JSON.parse(readFileSync(labelsFile, 'utf8')) as Record<string, Label>)
    : {};
  for (const [file, label] of Object.entries(labels)) {
    // The joints of the two Khronos figures are numbered without a body part: names do not tell.
    const isHuman =
      (label.kind === 'humanoid' && !/CesiumMan|RiggedFigure/.test(file)) ||
      label.kind === 'hand' ||
      file === 'misc/alien.bvh';
    it(isHuman ? `W7, W9: ${file}, every role as labelled` : `W4: ${file}, no role`, () => {
      const skeleton = readHierarchy(`${dataFolder}${file}`);
      const { guesses, family } = guessRoles(skeleton);
      const alternatives = equallyRight(label.note);
      const wrong: string[] = [];
      const expected = isHuman ? label.roles : {};
      const found = new Map<string, number>();
      guesses.forEach(({ role }, joint) => {
        if (!role) return;
        found.set(role, joint);
        const name = skeleton.names[joint]!;
        const entry = expected[role];
        const agrees =
          entry?.name === name && (entry.index === null || entry.index === skeleton.fileIndices[joint]);
        if (!agrees && !alternatives.has(`${role}=${name}`))
          wrong.push(`${role}: ${name} (labelled ${entry?.name ?? 'nothing'})`);
      });
      for (const role of Object.keys(expected))
        if (!found.has(role)) wrong.push(`${role}: nothing (labelled ${expected[role]!.name})`);
      expect(wrong, `${family}; ${label.note}`).toEqual([]);
    });
  }
});
