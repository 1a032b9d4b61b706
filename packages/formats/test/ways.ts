import {
  type Character,
  type Clip,
  chooseCharacter,
  createRig,
  isAncestor,
  LIMB_ROLES,
  limbOf,
  modelPoseOf,
  type Rig,
  type RigMapDocument,
  retarget,
  rolesOfDocument,
  type Scene,
  type Vec3,
} from '@stuntdouble/core';
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
    change: (character, rig) => underNode(character, { translation: shiftOf(rig, -3, 2) }),
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

const INSTANTS = 9;

/** Instants spread over a clip, on its own keys: between keys a turn in two parts is not the turn in one. */
function instantsOf(clip: Clip, end: number): number[] {
  const keys = clip.tracks.reduce<ArrayLike<number>>(
    (most, t) => (t.times.length > most.length ? t.times : most),
    [],
  );
  const within = Array.from(keys).filter((time) => time <= end);
  return Array.from(
    { length: INSTANTS },
    (_, k) => within[Math.round((k * (within.length - 1)) / (INSTANTS - 1))] ?? 0,
  );
}

/** The positions of the given joints in model space while the source's clip plays on the target. */
export function resultMotion(
  source: Scene,
  target: Scene,
  clip: Clip,
  joints: ArrayLike<number>,
  map?: RigMapDocument,
): Float64Array {
  const end = Math.min(2, clip.duration);
  const { clips, report } = retarget(source, target, {
    clips: [clip.name],
    ...(end < clip.duration && { range: [0, end] as const }),
    measure: false,
    ...(map && { map }),
  });
  const { skeleton, clips: own } = target.characters[0]!;
  const roles = map ? rolesOfDocument(map, skeleton, 'target') : {};
  const rig = createRig(skeleton, { clips: own, roles });
  if (report.target.space.height !== rig.space.height) throw new Error('the rig was read in two ways');
  return worldMotion(rig.skeleton, clips[0]!, instantsOf(clip, end), joints);
}

/**
 * How far the joints of the target are, at worst and over its height, from where they are in the plain
 * result, when the source (the target) is written down otherwise. Null where the way does not apply.
 */
export function differenceOf(
  source: Subject,
  target: Subject,
  way: Way,
  side: 'source' | 'target',
): number | null {
  if (way.only && way.only !== side) return null;
  const subject = side === 'source' ? source : target;
  // A clip of the target's own may serve its reference; of the source's only the one that is moved.
  const clips = subject.character.clips.slice(0, 1);
  if (side === 'source' && source.clip && !clips.includes(source.clip)) clips.push(source.clip);
  const plain: Character = { skeleton: subject.character.skeleton, clips };
  const changed = way.change(plain, subject.rig);
  if (!changed) return null;
  const map = target.map ?? source.map;
  const scenes = {
    source: withCharacter(source.scene, source.character),
    target: withCharacter(target.scene, target.character),
  };
  const joints = target.character.skeleton.names.map((_, i) => i);
  scenes[side] = withCharacter(subject.scene, plain);
  const before = resultMotion(scenes.source, scenes.target, source.clip!, joints, map);
  scenes[side] = withCharacter(subject.scene, changed);
  const after = resultMotion(
    scenes.source,
    scenes.target,
    source.clip!,
    side === 'target' ? changed.places : joints,
    map,
  );
  const height = target.rig.space.height;
  if (side === 'source') return largestDistance(before, after) / height;
  // The target as a whole may stand elsewhere and be of another size: both are read off its rest pose.
  const a = landmarks(target.rig, plain, plain, (joint) => joint);
  const roles = map ? rolesOfDocument(map, changed.skeleton, 'target') : {};
  const rig = createRig(changed.skeleton, { clips: changed.clips, roles });
  const b = landmarks(rig, changed, changed, (joint) => changed.places[joint]!);
  const scale = a.length / b.length;
  const shift = [0, 1, 2].map((c) => b.hips[c]! - a.hips[c]! / scale) as Vec3;
  return largestDistance(before, after, scale, shift) / height;

  function landmarks(of: Rig, { skeleton }: Character, _: Character, place: (joint: number) => number) {
    const { matrices } = modelPoseOf(of.skeleton, skeleton.rest);
    const at = (joint: number): Vec3 => [12, 13, 14].map((c) => matrices[16 * place(joint) + c]!) as Vec3;
    const hips = at(target.rig.joints.hips ?? 0);
    const ends = [target.rig.joints.leftUpperLeg ?? 0, target.rig.joints.leftLowerLeg ?? 1].map(at);
    const length = Math.hypot(...[0, 1, 2].map((c) => ends[0]![c]! - ends[1]![c]!));
    return { hips, length };
  }
}
