import {
  type Character,
  type Clip,
  chooseCharacter,
  createRig,
  isAncestor,
  isStill,
  LIMB_ROLES,
  limbOf,
  modelPoseOf,
  type Pose,
  type Rig,
  type RigMapDocument,
  retarget,
  rolesOfDocument,
  type Scene,
  type Skeleton,
  type Vec3,
} from '@stuntdouble/core/engine';
import {
  andThen,
  largestDistance,
  type Reexpressed,
  underCancelledScale,
  underMovingNode,
  underNode,
  upAfter,
  withOtherAxes,
  withOtherRest,
  withOtherUnit,
  withTurnedFile,
  withTwistJoint,
  worldMotion,
} from '../../core/test/reexpress.js';
import { times, turn } from '../../core/test/stick-figure.js';

/** A way to write a rig down otherwise. */
export type Way = {
  name: string;
  /** Null where the rig does not lend itself to it. */
  change: (character: Character, rig: Rig) => Reexpressed | null;
  /** Whether it says something of sources or of targets alone. */
  only?: 'source' | 'target';
};

const LIMB_ENDS = [
  'leftLowerArm',
  'rightLowerArm',
  'leftHand',
  'rightHand',
  'leftLowerLeg',
  'rightLowerLeg',
  'leftFoot',
  'rightFoot',
] as const;

/** Both arms turned about the axis that points ahead: down where they are raised, up where they hang. */
function otherArms(character: Character, rig: Rig): Reexpressed | null {
  const { leftUpperArm, rightUpperArm, leftLowerArm } = rig.joints;
  if (leftUpperArm === undefined || rightUpperArm === undefined || leftLowerArm === undefined) return null;
  // A file that only has a body in motion has no arms at rest that could be elsewhere.
  if (rig.warnings.some(({ code }) => code === 'reference-odd')) return null;
  const { matrices } = modelPoseOf(rig.skeleton, character.skeleton.rest);
  const drop = matrices[16 * leftLowerArm + 13]! - matrices[16 * leftUpperArm + 13]!;
  const out = matrices[16 * leftLowerArm + 12]! - matrices[16 * leftUpperArm + 12]!;
  const angle = Math.atan2(drop, out) < -Math.PI / 8 ? 35 : -40;
  const ahead = rig.space.facing.direction;
  return withOtherRest(
    character,
    new Map([
      [leftUpperArm, turn(ahead, angle)],
      [rightUpperArm, turn(ahead, -angle)],
    ]),
  );
}

function twistJoints(character: Character, rig: Rig, share: boolean): Reexpressed | null {
  let result: Reexpressed = { ...character, places: Int32Array.from(character.skeleton.names, (_, i) => i) };
  let count = 0;
  for (const role of LIMB_ENDS) {
    const joint = rig.joints[role];
    const chain = LIMB_ROLES[limbOf(role)!];
    const carrier = rig.joints[chain[chain.indexOf(role) - 1]!];
    // Only where the limb is a chain: feet may hang on the root, whose twist is not theirs to share.
    if (joint === undefined || carrier === undefined || !isAncestor(character.skeleton, carrier, joint))
      continue;
    count++;
    const place = result.places[joint]!;
    result = andThen(result, (character) => withTwistJoint(character, place, share));
  }
  return count > 0 ? result : null;
}

const upOf = (rig: Rig): Vec3 => rig.space.up.direction;
const metre = (rig: Rig) => 1 / rig.space.unit.metres;
const shiftOf = (rig: Rig, along: number, across: number): Vec3 =>
  [0, 1, 2].map(
    (c) => (along * rig.space.facing.direction[c]! + across * upOf(rig)[c]!) * metre(rig),
  ) as Vec3;

/** All the ways. What a file declares of itself goes with it. */
export const WAYS: readonly Way[] = [
  { name: 'other bone axes', change: (character) => withOtherAxes(character) },
  { name: 'arms at another slope at rest', change: otherArms },
  { name: 'twist joints in the limbs', change: (c, rig) => twistJoints(c, rig, false) },
  {
    name: 'limbs split, half of the twist in the second part',
    change: (c, rig) => twistJoints(c, rig, true),
  },
  {
    name: 'another up axis, declared',
    change: (character) => {
      const q = turn([1, 0, 0], 90);
      return withTurnedFile(character, q, { up: character.skeleton.declared.up && upAfter(q), facing: null });
    },
  },
  {
    name: 'another up axis, not declared',
    change: (character) => withTurnedFile(character, turn([1, 0, 0], 90), { up: null, facing: null }),
  },
  {
    name: 'up along X, not declared',
    change: (character) => withTurnedFile(character, turn([0, 0, 1], -90), { up: null, facing: null }),
  },
  {
    name: 'centimetres, declared',
    change: (character) =>
      withOtherUnit(
        character,
        100,
        character.skeleton.declared.unit && character.skeleton.declared.unit / 100,
      ),
  },
  {
    name: 'centimetres under an armature of scale 0.01',
    change: (character) =>
      andThen(withOtherUnit(character, 100, character.skeleton.declared.unit), (scaled) =>
        underNode(scaled, { scale: [0.01, 0.01, 0.01], name: 'Armature' }),
      ),
  },
  ...[180, 90, 33].map(
    (angle): Way => ({
      name: `turned by ${angle} degrees`,
      change: (character, rig) => withTurnedFile(character, turn(upOf(rig), angle), { facing: null }),
    }),
  ),
  {
    name: 'moved along the ground',
    change: (character, rig) => underNode(character, { translation: shiftOf(rig, 7, 0) }),
  },
  {
    name: 'lifted off the ground',
    // A capture that never moves is stood on the ground plane, wherever it hangs.
    change: (character, rig) =>
      isBare(character) ? null : underNode(character, { translation: shiftOf(rig, -3, 2) }),
  },
  {
    name: 'under a turned, scaled and moved parent',
    change: (character, rig) =>
      underNode(character, {
        translation: shiftOf(rig, 5, 0),
        rotation: turn(upOf(rig), 120),
        scale: [2.5, 2.5, 2.5],
      }),
  },
  {
    name: 'under a parent that lies down, in a file that stands it up',
    change: (character, rig) => {
      const tilt = times(turn([1, 0, 0], -90), turn([0, 0, 1], 0));
      return andThen(underNode(character, { rotation: tilt }), (tilted) =>
        underNode(tilted, { rotation: turn([1, 0, 0], 90), translation: shiftOf(rig, 1, 0) }),
      );
    },
  },
  {
    name: 'under a non-uniform scale that is taken back below',
    change: (character) => underCancelledScale(character, [2, 0.5, 1.25]),
  },
  {
    name: 'under a container that moves',
    only: 'source',
    change: (character, rig) =>
      underMovingNode(character, (time) => ({
        translation: shiftOf(rig, 0.8 * time, 0.1 * Math.sin(5 * time)),
        rotation: turn(upOf(rig), 40 * time),
      })),
  },
];

/** A file with the character that is meant, its rig and the clip to move. */
export type Subject = {
  scene: Scene;
  character: Character;
  rig: Rig;
  clip: Clip | null;
  map?: RigMapDocument;
};

/** The subject of a scene: its chosen character and clip (by name, else the middle one). */
export function subjectOf(
  scene: Scene,
  side: 'source' | 'target',
  options: { clip?: string; map?: RigMapDocument } = {},
): Subject {
  const character = scene.characters[chooseCharacter(scene).character]!;
  const clips = character.clips;
  const clip = options.clip ? clips.find(({ name }) => name === options.clip) : clips[clips.length >> 1];
  const roles = options.map ? rolesOfDocument(options.map, character.skeleton, side) : {};
  return {
    scene,
    character,
    rig: createRig(character.skeleton, { clips, roles }),
    clip: clip ?? null,
    ...(options.map && { map: options.map }),
  };
}

/** The scene of a subject with its character written down otherwise. */
export function withCharacter(scene: Scene, character: Character): Scene {
  return { ...scene, characters: [character] };
}

const INSTANTS = 7;
/** Seconds from the middle of a clip that are moved: captures begin in a T-pose, where little can go wrong. */
const SECONDS = 0.5;

/** A stretch of a clip from key to key, and instants in it on keys: between them a turn in two parts is not the turn in one. */
function stretchOf(clip: Clip): { range: [number, number]; instants: number[] } {
  const keys = clip.tracks.reduce<ArrayLike<number>>(
    (most, { times }) => (times.length > most.length ? times : most),
    [0],
  );
  const from = Math.max(0, clip.duration / 2 - SECONDS / 2);
  const within = Array.from(keys).filter((time) => time >= from && time <= from + SECONDS);
  if (within.length === 0) within.push(keys[0]!);
  const range: [number, number] = [within[0]!, within[within.length - 1]!];
  const instants = Array.from(
    { length: INSTANTS },
    (_, k) => within[Math.round((k * (within.length - 1)) / (INSTANTS - 1))]! - range[0],
  );
  return { range, instants };
}

const rigs = new WeakMap<Skeleton, Rig>();

/** Whether this is a capture that was written for its skeleton alone. */
function isBare({ skeleton, clips }: Character): boolean {
  return skeleton.declared.capture === true && clips.every(({ tracks }) => tracks.every(isStill));
}

/** The rig of a target, understood once, as `retarget` does: a bare capture says nothing by its clips. */
function rigOf(character: Character, map?: RigMapDocument): Rig {
  const { skeleton, clips } = character;
  const known = rigs.get(skeleton);
  if (known) return known;
  const roles = map ? rolesOfDocument(map, skeleton, 'target') : {};
  const rig = createRig(skeleton, { clips: isBare(character) ? [] : clips, roles });
  rigs.set(skeleton, rig);
  return rig;
}

/** The positions of the given joints in model space while the source's clip plays on the target. */
export function resultMotion(
  source: Scene,
  target: Scene,
  clip: Clip,
  joints: ArrayLike<number>,
  map?: RigMapDocument,
): Float64Array {
  const { range, instants } = stretchOf(clip);
  const { clips, report } = retarget(source, target, {
    // Invariance is of what is copied: how thick hands are depends on how they are held at rest.
    corrections: 'none',
    // Joints that the clip has no tracks for stay as the target rests, which is written down otherwise, too.
    wholeBody: true,
    // An even rate misses keys that stand between its frames; here every key counts.
    keys: 'refine',
    clips: [clip.name],
    ...(range[1] > range[0] && { range }),
    measure: false,
    ...(map && { map }),
  });
  const rig = rigOf(target.characters[0]!, map);
  if (report.target.space.height !== rig.space.height) throw new Error('the rig was read in two ways');
  return worldMotion(rig.skeleton, clips[0]!, instants, joints);
}

/** A result that another way of writing gave, and how far off it is at worst, over the target's height. */
export type Difference = { way: string; side: 'source' | 'target'; difference: number };

/**
 * How far the joints of the target are from where they are in the plain result when the source (the target)
 * is written down otherwise, in each way that applies.
 */
export function differencesOf(
  source: Subject,
  target: Subject,
  side: 'source' | 'target',
  ways: readonly Way[] = WAYS,
): Difference[] {
  const subject = side === 'source' ? source : target;
  const clip = source.clip;
  if (!clip) throw new Error(`"${source.scene.name}" has no clip`);
  const map = target.map ?? source.map;
  // The first clip may serve as reference; of the others only the one that is moved is needed.
  const clips = subject.character.clips.slice(0, 1);
  if (side === 'source' && !clips.includes(clip)) clips.push(clip);
  const plain: Character = { skeleton: subject.character.skeleton, clips };
  const run = (character: Character, joints: ArrayLike<number>) => {
    const scenes = {
      source: withCharacter(source.scene, source.character),
      target: withCharacter(target.scene, target.character),
    };
    scenes[side] = withCharacter(subject.scene, character);
    return resultMotion(scenes.source, scenes.target, clip, joints, map);
  };
  const joints = target.character.skeleton.names.map((_, i) => i);
  const before = run(plain, joints);
  const found: Difference[] = [];
  for (const way of ways) {
    if (way.only && way.only !== side) continue;
    const changed = way.change(plain, subject.rig);
    if (!changed) continue;
    const after = run(changed, side === 'target' ? changed.places : joints);
    // A target may as a whole stand elsewhere and be of another size: both are read off its rest pose.
    const [a, b] = side === 'target' ? landmarks(target, changed) : [null, null];
    const scale = a && b ? a.length / b.length : 1;
    const shift = a && b ? ([0, 1, 2].map((c) => b.hips[c]! - a.hips[c]! / scale) as Vec3) : undefined;
    const distance = largestDistance(before, after, scale, shift);
    found.push({ way: way.name, side, difference: distance / target.rig.space.height });
  }
  return found;
}

type Landmarks = { hips: Vec3; length: number };

/** Where the hips are, and how long a thigh is, of a target and of itself written down otherwise. */
function landmarks(target: Subject, changed: Reexpressed): [Landmarks, Landmarks] {
  const { hips = 0, leftUpperLeg = 0, leftLowerLeg = 1 } = target.rig.joints;
  const rig = rigOf(changed, target.map);
  const read = (of: Rig, rest: Pose, place: (joint: number) => number): Landmarks => {
    const { matrices } = modelPoseOf(of.skeleton, rest);
    const at = (joint: number) => [12, 13, 14].map((c) => matrices[16 * place(joint) + c]!) as Vec3;
    const [top, knee] = [at(leftUpperLeg), at(leftLowerLeg)];
    return { hips: at(hips), length: Math.hypot(top[0] - knee[0], top[1] - knee[1], top[2] - knee[2]) };
  };
  return [
    read(target.rig, target.character.skeleton.rest, (joint) => joint),
    read(rig, changed.skeleton.rest, (joint) => changed.places[joint]!),
  ];
}
