import {
  type Clip,
  type Constraint,
  copyPose,
  type EditedBody,
  modelPoseOf,
  type Pose,
  type Role,
  retargetClip,
  type Scene,
  type Stand,
  sampleClip,
  setUpScenes,
  trimClip,
  type Vec3,
} from '@stuntdouble/core/engine';
import { read } from '@stuntdouble/formats';
import { findQualityFile } from '../quality-files.js';

/** A motion on a body, sampled, as constraints are applied to it. */
export type ConstrainedMotion = {
  name: string;
  body: EditedBody;
  clip: Clip;
  duration: number;
  frames: Pose[];
  stands: Stand[];
};

/** Frames a second of all cases. */
export const RATE = 60;

/** Moves a clip onto a body, with corrections, and finds what stands when. */
export function prepareMotion(
  name: string,
  source: Scene,
  target: Scene,
  range?: readonly [number, number],
): ConstrainedMotion {
  const { setup, sourceIndex } = setUpScenes(source, target, { corrections: 'auto' });
  const original = source.characters[sourceIndex]!.clips[0]!;
  const { clip, contacts } = retargetClip(setup, range ? trimClip(original, ...range) : original, {
    mapIsTold: true,
  });
  const { target: rig, alignment } = setup;
  const stands: Stand[] = [];
  for (const side of ['left', 'right'] as const)
    for (const { point, start, end } of contacts ?? []) {
      const joint = rig.joints[`${side}Foot`];
      if (joint === undefined || (point !== `${side}Toe` && point !== `${side}Heel`)) continue;
      stands.push({ joint, start, end });
    }
  const body: EditedBody = {
    skeleton: rig.skeleton,
    joints: rig.joints,
    reference: alignment.pose,
    height: rig.space.height,
    hipHeight: alignment.model.matrices[16 * rig.joints.hips! + 13]! - rig.floor.height,
    floor: rig.floor.height,
    ...(setup.travel && { travels: setup.travel.target }),
  };
  const count = Math.floor(clip.duration * RATE) + 1;
  const frames = Array.from({ length: count }, (_, k) => poseOf(body, clip, k / RATE));
  return { name, body, clip, duration: clip.duration, frames, stands };
}

/** Where a motion and its body are, and which part of the clip is meant. */
export type MotionFiles = { name: string; source: string; target: string; range?: [number, number] };

/** Motions, bodies and parts of clips that the cases are tried on. */
export const MOTIONS: readonly MotionFiles[] = [
  { name: 'walk → goblin', source: 'samples/motions/walk.glb', target: 'samples/characters/goblin.glb' },
  { name: 'jump → girl', source: 'samples/motions/jump.glb', target: 'samples/characters/vrm-girl.vrm' },
  {
    name: 'boxing → guy',
    source: 'cmu/Boxing_Toes.bvh',
    target: 'samples/characters/mixamo-guy.glb',
    range: [5, 10],
  },
  {
    name: 'cartwheel → goblin',
    source: 'cmu/49_06.bvh',
    target: 'samples/characters/goblin.glb',
    range: [0.1, 4],
  },
  {
    name: 'captured walk → girl',
    source: 'cmu/02_01.bvh',
    target: 'samples/characters/vrm-girl.vrm',
    range: [0.1, 2.8],
  },
];

/** Reads a motion and prepares it; null where its files are not at hand. */
export async function readMotion({
  name,
  source,
  target,
  range,
}: MotionFiles): Promise<ConstrainedMotion | null> {
  const [from, to] = [findQualityFile(source), findQualityFile(target)];
  return from && to ? prepareMotion(name, await read(from), await read(to), range) : null;
}

/** The pose of a clip at a time. */
export function poseOf({ skeleton }: EditedBody, clip: Clip, time: number): Pose {
  const pose = copyPose(skeleton.rest);
  sampleClip(pose, clip, time);
  return pose;
}

/** Something to ask of a motion; see `CASES`. */
export type ConstraintCase = { name: string; constraints: (motion: ConstrainedMotion) => Constraint[] };

const point = (joint: string, place: Vec3, part: Partial<Constraint> = {}): Constraint => ({
  kind: 'point',
  joint,
  goal: { place },
  space: 'copied',
  unit: 'height',
  ...part,
});

function middle({ duration }: ConstrainedMotion, shift = 0): NonNullable<Constraint['times']> {
  const at = duration / 2 + shift;
  return { in: at - 0.5, start: at - 0.2, end: at + 0.2, out: at + 0.5 };
}

function placeIn({ body, frames, duration }: ConstrainedMotion, role: Role, shift = 0): Vec3 {
  const { matrices } = modelPoseOf(body.skeleton, frames[Math.round((duration / 2 + shift) * RATE)]!);
  const m = 16 * body.joints[role]! + 12;
  return [matrices[m]!, matrices[m + 1]!, matrices[m + 2]!];
}

const ENDS = [
  'rightHand',
  'leftHand',
  'leftFoot',
  'rightFoot',
  'leftLowerLeg',
  'rightLowerLeg',
  'leftToes',
  'rightToes',
];
/** Out of reach by so many lengths of the arm, from the shoulder, ahead of the body and across it. */
const far = (joint: string, place: Vec3, level: number): Constraint =>
  point(joint, place, { space: 'limb', unit: 'limb', level });

/** What is asked of every motion: the demonstrations of Monzani et al. first, then harder ones. */
export const CASES: readonly ConstraintCase[] = [
  {
    name: 'eight planes, 5 % above the floor',
    constraints: ({ body }) =>
      ENDS.filter((role) => body.joints[role as Role] !== undefined).map((joint) => ({
        kind: 'plane',
        side: 'above',
        joint,
        goal: { normal: [0, 1, 0], height: body.floor + 0.05 * body.height },
      })),
  },
  {
    name: 'pick and release',
    constraints: (motion) => [
      point('rightHand', [0, -0.08, 0.08], { times: middle(motion, -0.4) }),
      point('rightHand', [0.08, -0.05, 0.05], { times: middle(motion, 0.4) }),
    ],
  },
  {
    name: 'a hand at a fixed place',
    constraints: (motion) => [
      {
        kind: 'point',
        joint: 'rightHand',
        goal: { place: placeIn(motion, 'rightHand') },
        times: middle(motion),
      },
    ],
  },
  { name: 'a hand after a moving point', constraints: () => [point('rightHand', [0.02, 0.05, 0.03])] },
  {
    name: 'two-handed prop',
    constraints: () => [
      {
        kind: 'relative',
        joint: 'rightHand',
        goal: { joint: 'leftHand', offset: [-0.15, 0, 0], axes: 'joint' },
        unit: 'height',
      },
    ],
  },
  {
    name: 'hands together',
    constraints: (motion) => [
      { kind: 'relative', joint: 'rightHand', goal: { joint: 'leftHand' }, times: middle(motion) },
    ],
  },
  {
    name: 'seven points and planes',
    constraints: ({ body }) => [
      ...['rightHand', 'leftHand', 'head'].map((joint) => point(joint, [0.01, -0.03, 0.02])),
      ...['leftFoot', 'rightFoot'].map((joint) => point(joint, [0, 0.01, 0])),
      ...['leftLowerLeg', 'rightLowerLeg'].map(
        (joint): Constraint => ({
          kind: 'plane',
          side: 'above',
          joint,
          goal: { normal: [0, 1, 0], height: body.floor + 0.1 * body.height },
        }),
      ),
    ],
  },
  {
    name: 'feet up stairs, on two planes',
    constraints: (motion) => [
      {
        kind: 'plane',
        joint: 'leftFoot',
        goal: { normal: [0, 1, 0], height: placeIn(motion, 'leftFoot')[1] + 0.05 * motion.body.height },
        times: middle(motion),
      },
      {
        kind: 'plane',
        joint: 'rightFoot',
        goal: { normal: [0, 1, 0], height: placeIn(motion, 'rightFoot', 0.6)[1] + 0.1 * motion.body.height },
        times: middle(motion, 0.6),
      },
    ],
  },
  { name: 'balance', constraints: (motion) => [{ kind: 'balance', times: middle(motion) }] },
  {
    name: 'look aside',
    constraints: (motion) => [
      {
        kind: 'lookAt',
        joint: 'head',
        goal: { place: placeIn(motion, 'head').map((x, c) => x + [3, 0, 3][c]!) as Vec3 },
        times: middle(motion),
      },
    ],
  },
  { name: 'a hand out of reach', constraints: () => [far('rightHand', [0, 0, 2.5], 1)] },
  {
    name: 'both hands out of reach, two levels',
    constraints: () => [far('rightHand', [-0.3, 0, 2.5], 1), far('leftHand', [0.3, 0, 2.5], 2)],
  },
  {
    name: 'hands pulled across the body',
    constraints: () => [far('rightHand', [1.4, 0, 0.4], 1), far('leftHand', [-1.4, 0, 0.4], 2)],
  },
];
