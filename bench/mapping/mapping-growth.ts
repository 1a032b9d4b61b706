import { createRig, createSkeleton, type JointDescription, type Skeleton } from '@stuntdouble/core';

/** What understanding a rig of some joints costs. */
export type Growth = { joints: number; milliseconds: number };

/** A person of 21 joints in T-pose, from the floor up: name of the parent, then where it stands. */
const PERSON: readonly (readonly [name: string, parent: string, x: number, y: number, z: number])[] = [
  ['hips', '', 0, 1, 0],
  ['spine', 'hips', 0, 1.14, 0],
  ['chest', 'spine', 0, 1.28, -0.01],
  ['neck', 'chest', 0, 1.5, 0],
  ['head', 'neck', 0, 1.6, 0.02],
  ...([1, -1] as const).flatMap((x) => {
    const side = x > 0 ? 'left' : 'right';
    return [
      [`${side}Shoulder`, 'chest', 0.04 * x, 1.43, 0],
      [`${side}UpperArm`, `${side}Shoulder`, 0.17 * x, 1.43, 0],
      [`${side}LowerArm`, `${side}UpperArm`, 0.45 * x, 1.43, 0],
      [`${side}Hand`, `${side}LowerArm`, 0.7 * x, 1.43, 0],
      [`${side}UpperLeg`, 'hips', 0.1 * x, 0.95, 0],
      [`${side}LowerLeg`, `${side}UpperLeg`, 0.1 * x, 0.5, 0.01],
      [`${side}Foot`, `${side}LowerLeg`, 0.1 * x, 0.08, -0.01],
      [`${side}Toes`, `${side}Foot`, 0.1 * x, 0.01, 0.13],
    ] as const;
  }),
];

/** A person without names whose hair has so many strands of five joints that it has `count` joints in all. */
export function createHairyPerson(count: number): Skeleton {
  const places = PERSON.map(([, , x, y, z]) => [x, y, z] as const);
  const joints: JointDescription[] = PERSON.map(([, parent], i) => {
    const above = PERSON.findIndex(([name]) => name === parent);
    const from = above < 0 ? [0, 0, 0] : places[above]!;
    return { name: '', parent: above, translation: places[i]!.map((value, c) => value - from[c]!) };
  });
  const head = PERSON.findIndex(([name]) => name === 'head');
  while (joints.length < count) {
    const strand = (joints.length - PERSON.length) % 5;
    const turn = 2.4 * joints.length;
    joints.push(
      strand === 0
        ? { name: '', parent: head, translation: [0.1 * Math.cos(turn), 0.08, 0.1 * Math.sin(turn) - 0.03] }
        : { name: '', parent: joints.length - 1, translation: [0, -0.06, -0.005] },
    );
  }
  return createSkeleton('hairy', joints, { declared: { up: '+Y', facing: null, unit: 1 } }).skeleton;
}

/** Times the understanding of rigs of growing size, without names: quickest of a few runs of each. */
export function measureGrowth(counts: readonly number[]): Growth[] {
  return counts.map((joints) => {
    let milliseconds = Number.POSITIVE_INFINITY;
    for (let run = 0; run < 12; run++) {
      // A new one each time: what was understood once is remembered with its skeleton.
      const skeleton = createHairyPerson(joints);
      const start = performance.now();
      createRig(skeleton);
      milliseconds = Math.min(milliseconds, performance.now() - start);
    }
    return { joints, milliseconds };
  });
}
