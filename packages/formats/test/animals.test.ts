import {
  createArmature,
  createPose,
  createRig,
  createRigMap,
  createSkeleton,
  driverOf,
  matchChains,
  type Rig,
  retarget,
  type Skeleton,
} from '@stuntdouble/core/engine';
import { describe, expect, it } from 'vitest';
import { read } from '../src/index.js';
import { DATA_FOLDER, hasData, pathOf, present, readData } from './data-files.js';

/*
 * Bodies that are not people, with their names and with names that mean nothing: which chains find each other
 * is compared with labels that were made by hand.
 */

type Label = { name: string; index: number | null };
const labels = hasData
  ? (JSON.parse(new TextDecoder().decode(readData('roles.json'))) as Record<
      string,
      { roles: Record<string, Label> }
    >)
  : {};

/** Our own dog, by the names that its makers gave it. */
const DOG = 'samples/animals/dog.glb';
const LEG = { front: ['scapula', 'upper_leg', 'lower_leg', 'paw'], hind: ['thigh', 'shin', 'foot', 'paw'] };
labels[DOG] = {
  roles: Object.fromEntries(
    [
      ['hips', 'pelvis'],
      ['spine1', 'spine_01'],
      ['spine2', 'spine_02'],
      ['neck1', 'neck'],
      ['head', 'head'],
      ...[1, 2, 3].map((n) => [`tail${n}`, `tail_0${n}`]),
      ...(['front', 'hind'] as const).flatMap((end) =>
        (['Left', 'Right'] as const).flatMap((side) =>
          ['UpperLeg', 'LowerLeg', 'Foot', 'Toes'].map((part, n) => [
            `${end}${side}${part}`,
            `${end}_${LEG[end][n]}_${side[0]!.toLowerCase()}`,
          ]),
        ),
      ),
    ].map(([role, name]) => [role, { name: name!, index: null }]),
  ),
};

/** The same animal with longer legs and a shorter back, as another breed has them. */
const TALL = 'tall ';
function breed(skeleton: Skeleton): Skeleton {
  const other = structuredClone(skeleton);
  other.names.forEach((name, joint) => {
    const factor = /leg|shin|foot|paw|pelvis|thigh/.test(name) ? 1.4 : /spine|neck|tail/.test(name) ? 0.8 : 1;
    for (const pose of [other.rest, ...(other.bind ? [other.bind] : [])])
      for (let c = 3 * joint; c < 3 * joint + 3; c++) pose.translations[c]! *= factor;
  });
  delete other.hulls;
  return other;
}

type Body = { rig: Rig; armature: ReturnType<typeof createArmature>; partOf: Map<number, string> };

/** The same skeleton with its joints in another order, called joint_0, joint_1 … */
function scramble(skeleton: Skeleton, seed: number): Skeleton {
  const count = skeleton.names.length;
  let state = seed;
  const random = () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
  const olds = skeleton.names
    .map((_, i) => ({ i, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ i }) => i);
  const place = new Map(olds.map((old, k) => [old, k]));
  const part = (values: Float64Array, old: number, width: number) =>
    values.slice(width * old, width * old + width);
  const { skeleton: scrambled, order } = createSkeleton(
    skeleton.name,
    olds.map((old, k) => ({
      name: `joint_${k}`,
      parent: skeleton.parents[old]! < 0 ? -1 : place.get(skeleton.parents[old]!)!,
      fileIndex: skeleton.fileIndices[old]!,
      translation: part(skeleton.rest.translations, old, 3),
      rotation: part(skeleton.rest.rotations, old, 4),
      scale: part(skeleton.rest.scales, old, 3),
      flags: skeleton.flags[old]!,
    })),
    { container: skeleton.container, declared: skeleton.declared },
  );
  if (skeleton.bind) {
    const bind = createPose(count);
    olds.forEach((old, k) => {
      bind.translations.set(part(skeleton.bind!.translations, old, 3), 3 * order[k]!);
      bind.rotations.set(part(skeleton.bind!.rotations, old, 4), 4 * order[k]!);
      bind.scales.set(part(skeleton.bind!.scales, old, 3), 3 * order[k]!);
    });
    scrambled.bind = bind;
  }
  return scrambled;
}

/** hindLeftUpperLeg is of the part hindLeft, neck2 of the neck. */
const partName = (role: string) =>
  role
    .replace(/(?:Shoulder|Hip|UpperLeg|LowerLeg|Foot|Toes)$/, '')
    .replace(/\d+$/, '')
    .replace(/^head$/, 'neck');

async function bodyOf(file: string, isScrambled: boolean): Promise<Body> {
  const isTall = file.startsWith(TALL);
  const known = isTall ? file.slice(TALL.length) : file;
  const { skeleton: own, clips } = (await read(pathOf(known))).characters[0]!;
  const skeleton = isTall ? breed(own) : own;
  // Names are the labels of files that have no places; those that are replaced are looked up before.
  const places = new Map(own.names.map((name, joint) => [name, own.fileIndices[joint]!]));
  const shown = isScrambled ? scramble(skeleton, file.length * 7919) : skeleton;
  const rig = createRig(shown, isScrambled ? {} : { clips });
  const partOf = new Map<number, string>();
  for (const [role, { index, name }] of Object.entries(labels[known]!.roles)) {
    const place = index ?? places.get(name);
    const joint = place === undefined ? -1 : shown.fileIndices.indexOf(place);
    if (joint >= 0) partOf.set(joint, partName(role));
  }
  return { rig, armature: createArmature(rig.skeleton), partOf };
}

/** The node of mesh2motion's snake that is its head. */
const HEAD_OF_SNAKE = labels['mesh2motion/snake-animations.glb']?.roles.head?.index;

/** What most labelled joints of a chain are part of; null where none is labelled. */
function partOfChain({ armature, partOf }: Body, chain: number): string | null {
  const counts = new Map<string, number>();
  for (const joint of armature.chains[chain]!.joints) {
    const part = partOf.get(joint);
    if (part) counts.set(part, (counts.get(part) ?? 0) + 1);
  }
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? null;
}

/** A person whose body parts are known. */
const PERSON = 'samples/characters/mixamo-guy.glb';
labels[PERSON] ??= { roles: {} };

/** Source, target, and the parts that must find each other. */
const FOUR_LEGS = ['hips', 'spine', 'neck', 'tail', 'frontLeft', 'frontRight', 'hindLeft', 'hindRight'];

const LIKE = present<readonly [string, string, readonly string[]]>([
  [DOG, DOG, FOUR_LEGS],
  [DOG, TALL + DOG, FOUR_LEGS],
  ...(
    [
      ['mesh2motion/fox-animations.glb', 'mesh2motion/fox-cat.glb'],
      ['mesh2motion/fox-animations.glb', 'mesh2motion/fox-panda.glb'],
      ['mesh2motion/fox-animations.glb', 'quaternius/Fox.glb'],
      ['mesh2motion/fox-animations.glb', 'khronos/Fox.glb'],
      ['quaternius/Fox.glb', 'quaternius/Wolf.glb'],
      ['quaternius/Wolf.glb', 'mesh2motion/fox-cat.glb'],
      ['quaternius/Wolf.glb', 'khronos/Fox.glb'],
      ['khronos/Fox.glb', 'mesh2motion/fox-panda.glb'],
      ['khronos/Fox.glb', 'quaternius/Wolf.glb'],
      ['mesh2motion/fox-animations.glb', 'mesh2motion/dragon-animations.glb'],
    ] as const
  ).map(([a, b]) => [a, b, FOUR_LEGS] as [string, string, string[]]),
  [
    'mesh2motion/bird-animations.glb',
    'mesh2motion/bird-eagle.glb',
    ['hips', 'spine', 'neck', 'tail', 'wingLeft', 'wingRight', 'hindLeft', 'hindRight'],
  ],
  [
    'mesh2motion/bird-animations.glb',
    'mesh2motion/dragon-animations.glb',
    ['hips', 'tail', 'wingLeft', 'wingRight', 'hindLeft', 'hindRight'],
  ],
  ...(
    [
      ['mesh2motion/spider-animations.glb', 'quaternius/Spider.glb'],
      ['quaternius/Spider.glb', 'mesh2motion/spider-animations.glb'],
    ] as const
  ).map(
    ([a, b]) =>
      [a, b, ['Left', 'Right'].flatMap((side) => [1, 2, 3, 4].map((n) => `leg${n}${side}`))] as [
        string,
        string,
        string[],
      ],
  ),
  ['mesh2motion/snake-animations.glb', 'quaternius/Snake.glb', ['tail']],
  [
    'mesh2motion/dragon-animations.glb',
    'mesh2motion/dragon-animations.glb',
    ['hips', 'tail', 'wingLeft', 'wingRight', 'frontLeft', 'frontRight', 'hindLeft', 'hindRight'],
  ],
]);

describe('animals find their like by chains', () => {
  describe.each([false, true])('names replaced: %s', (isScrambled) => {
    it.each(LIKE)('K9, K10, F5: %s on %s', async (from, to, parts) => {
      const source = await bodyOf(from, isScrambled);
      const target = await bodyOf(to, isScrambled);
      const found = new Set<string>();
      for (const match of matchChains(source, target).matches) {
        const [a, b] = [partOfChain(source, match.source), partOfChain(target, match.target)];
        if (a === null || b === null) continue;
        // Nothing is paired with something else, and no side with the other.
        expect(b, `${a}, ${match.reason}`).toBe(a);
        found.add(a);
      }
      for (const part of parts) expect(found, part).toContain(part);
    });

    it.each(LIKE)('K14: the map of %s on %s drives each part by the same part', async (from, to, parts) => {
      const source = await bodyOf(from, isScrambled);
      const target = await bodyOf(to, isScrambled);
      const { map } = createRigMap(source.rig, target.rig);
      const driven = new Set<string>();
      let wrong = 0;
      for (const pair of map.joints) {
        const [a, b] = [source.partOf.get(driverOf(pair)), target.partOf.get(pair.target)];
        expect(pair.reason).not.toBe('');
        if (!a || !b) continue;
        driven.add(b);
        // Where the neck begins is a matter of taste.
        const isTrunk = [a, b].every((part) => ['hips', 'spine', 'neck', 'jaw'].includes(part));
        if (a !== b && !isTrunk) wrong++;
      }
      expect(wrong).toBe(0);
      for (const part of parts) expect(driven, part).toContain(part);
    });
  });

  it.each(
    present([
      DOG,
      'mesh2motion/fox-animations.glb',
      'mesh2motion/bird-animations.glb',
      'quaternius/Spider.glb',
      'quaternius/Snake.glb',
      'quaternius/Shark.glb',
    ]),
  )('a person on %s: legs are legs, and nothing is nonsense', async (file) => {
    const person = await bodyOf(PERSON, false);
    const other = await bodyOf(file, false);
    const { map } = createRigMap(person.rig, other.rig);
    for (const pair of map.joints) {
      const role = person.rig.guesses[driverOf(pair)]!.role;
      const part = other.partOf.get(pair.target);
      expect(pair.confidence).toBeLessThan(0.7);
      if (!role || !part) continue;
      if (/Leg$|Foot$|Toes$/.test(role))
        expect(part).toBe(role.startsWith('left') ? 'hindLeft' : 'hindRight');
      else expect(['hips', 'spine', 'neck', 'jaw', 'tail']).toContain(part);
    }
    const legs = map.joints.filter(({ target }) => /^hind/.test(other.partOf.get(target) ?? ''));
    if (/fox|bird|dog/.test(file)) expect(legs.length).toBeGreaterThanOrEqual(6);
    else expect(legs).toEqual([]);
  });

  it.each(
    present<readonly [string, string]>([
      [DOG, DOG],
      ['mesh2motion/fox-animations.glb', 'quaternius/Wolf.glb'],
    ]).flatMap(([from, to]) => [30, 90, 180, 270].map((degrees) => [from, to, degrees] as const)),
  )(
    'K11, KP4: what is moved from %s finds its like on %s turned by %s degrees, left on left',
    async (from, to, degrees) => {
      const source = await bodyOf(from, true);
      const target = await bodyOf(to, true);
      const expected = matchChains(source, target).matches.map((match) => [match.source, match.target]);
      const { skeleton } = (await read(pathOf(to))).characters[0]!;
      const turned = scramble(skeleton, to.length * 7919);
      const [c, s] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
      turned.container = Float64Array.of(c, 0, -s, 0, 0, 1, 0, 0, s, 0, c, 0, 5, 0, -3, 1);
      const rig = createRig(turned);
      expect(rig.space.facing.reason).toContain('trunk');
      const { matches } = matchChains(source, { rig, armature: createArmature(rig.skeleton) });
      expect(matches.map((match) => [match.source, match.target])).toEqual(expected);
    },
  );

  it.skipIf(!hasData).each([false, true])(
    'a snake built from the tail moves one built from the head, head apart; names replaced: %s (needs ../shared/data)',
    async (isScrambled) => {
      const source = await bodyOf('quaternius/Snake.glb', isScrambled);
      const target = await bodyOf('mesh2motion/snake-animations.glb', isScrambled);
      const { map } = createRigMap(source.rig, target.rig);
      expect(map.joints.length).toBeGreaterThan(15);
      const head = [...target.partOf].find(
        ([joint]) => target.rig.skeleton.fileIndices[joint] === HEAD_OF_SNAKE,
      );
      expect(head).toBeDefined();
      expect(map.joints.map((pair) => pair.target)).not.toContain(head![0]);
    },
  );

  it.skipIf(!hasData)(
    'a person without names moves the legs of a body that has nothing else (needs ../shared/data)',
    async () => {
      const person = await bodyOf('mesh2motion/human-female.glb', true);
      const walker = await bodyOf('quaternius/Enemy_2Legs.glb', true);
      const { map } = createRigMap(person.rig, walker.rig);
      const legs = map.joints.filter(({ target }) => /^leg1/.test(walker.partOf.get(target) ?? ''));
      expect(legs).toHaveLength(6);
      for (const pair of legs) {
        const role = person.rig.guesses[driverOf(pair)]!.role!;
        expect(role).toMatch(/Leg$|Foot$/);
        expect(walker.partOf.get(pair.target)).toBe(role.startsWith('left') ? 'leg1Left' : 'leg1Right');
      }
    },
  );

  it.skipIf(!hasData)(
    'hands whose joints hang from nothing drive each other by name, and not at all without names (needs ../shared/data)',
    async () => {
      const named = await bodyOf('npm/webxr_hand_left.glb', false);
      expect(Object.keys(named.rig.joints)).toHaveLength(16);
      const [left, right] = await Promise.all(
        ['left', 'right'].map((side) => bodyOf(`npm/webxr_hand_${side}.glb`, true)),
      );
      expect(createRigMap(left!.rig, right!.rig).map.joints).toEqual([]);
    },
  );

  it.each(
    present<readonly [string, string]>([
      [DOG, DOG],
      ['quaternius/Fox.glb', 'quaternius/Wolf.glb'],
      ['quaternius/Fox.glb', 'mesh2motion/fox-cat.glb'],
    ]),
  )('the gait of %s moves %s with names that mean nothing', async (from, to) => {
    const fox = await read(pathOf(from));
    const target = await read(pathOf(to));
    target.characters[0]!.skeleton = scramble(target.characters[0]!.skeleton, 4711);
    const { clips, report } = retarget(fox, target);
    expect(clips.length).toBe(fox.characters[0]!.clips.length);
    expect(report.map.joints.length).toBeGreaterThan(20);
    for (const { tracks } of clips)
      for (const { values } of tracks) expect(values.every(Number.isFinite)).toBe(true);
  });

  it.skipIf(!hasData)(
    'K6, R17: control joints of real files are left out, and no tip is among them (needs ../shared/data)',
    async () => {
      const fox = await bodyOf('quaternius/Fox.glb', false);
      const names = fox.armature.controls.map((joint) => fox.rig.skeleton.names[joint]!);
      expect(names.filter((name) => !/_end$/.test(name)).sort()).toEqual([
        'PoleTarget.L',
        'PoleTarget.R',
        'PoleTargetBack.L',
        'PoleTargetBack.R',
      ]);
      const knight = (await read(`${DATA_FOLDER}kaykit/Knight.glb`)).characters[0]!.skeleton;
      const { controls, chains } = createArmature(knight);
      expect(controls.length).toBeGreaterThan(10);
      for (const joint of controls) expect(knight.names[joint]).toMatch(/ik|control|slot|roll/i);
      expect(chains.filter(({ kind }) => kind === 'limb')).toHaveLength(4);
    },
  );
});
