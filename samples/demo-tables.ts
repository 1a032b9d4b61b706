import {
  type BodyPose,
  betweenRoles,
  bodyPoseOf,
  limbBend,
  modelPoseOf,
  type Rig,
  vectorLength,
} from '@stuntdouble/core/engine';
import { skinMesh } from '@stuntdouble/picture';
import type { Terminal } from 'stuntdouble/printing';
import { type Cell, type Column, directionWords, layOut, short } from 'stuntdouble/printing';
import type { CastMember } from './cast.js';
import type { Performance } from './retarget-all.js';

/** Paint for the tables. */
export type Paint = Pick<Terminal, 'colors'>;

/** An angle with as many digits as tell rounding of 32-bit files from error. */
function angle(degrees: number): string {
  return `${degrees.toFixed(5)}°`;
}

function table(
  header: readonly string[],
  rows: readonly Cell[][],
  columns: Column[],
  paint: Paint,
): string[] {
  const head = header.map((text): Cell => ({ text, paint: paint.colors.dim }));
  return layOut([head, ...rows], columns).map((line) => `  ${line}`);
}

const LEFT: Column = {};
const RIGHT: Column = { align: 'right' };

/** How each character is built, as it was read from its file: one line a character. */
export function castTable(cast: readonly CastMember[], paint: Paint): string[] {
  const rows = cast.map((member): Cell[] => {
    const { entry, rig } = member;
    const { skeleton, space, joints } = rig;
    const body = bodyPoseOf(skeleton, rig.reference.pose, joints);
    return [
      { text: entry.title, paint: paint.colors.bold },
      String(skeleton.names.length),
      `${heightOf(member).toFixed(2)} m`,
      armsOf(body),
      kneesOf(body),
      armOverLeg(body),
      unitOf(rig),
      directionWords(space.facing.direction).replace('-', '−'),
      boneAxisOf(rig),
      skeleton.names[joints.leftUpperArm!] ?? '–',
    ];
  });
  const header = [
    '',
    'joints',
    'height',
    'arms',
    'knees',
    'arm/leg',
    'unit',
    'faces',
    'arm axis',
    'calls its left arm',
  ];
  return table(header, rows, [LEFT, RIGHT, RIGHT, RIGHT, RIGHT, RIGHT, RIGHT, LEFT, LEFT, LEFT], paint);
}

/** How far the upper arms hang below the horizon in the reference pose. */
function armsOf(body: BodyPose): string {
  const arm = betweenRoles(body, 'leftUpperArm', 'leftLowerArm');
  if (!arm) return '–';
  const drop = (Math.atan2(-arm[1], Math.hypot(arm[0], arm[2])) * 180) / Math.PI;
  return `${Math.abs(drop).toFixed(0)}° ${drop < -0.5 ? 'up' : 'down'}`;
}

function kneesOf(body: BodyPose): string {
  const bend = limbBend(body, 'leftUpperLeg', 'leftLowerLeg', 'leftFoot');
  return bend === null ? '–' : `${((bend * 180) / Math.PI).toFixed(0)}° bent`;
}

/** Length of an arm over that of a leg. */
function armOverLeg(body: BodyPose): string {
  const length = (from: Parameters<typeof betweenRoles>[1], to: Parameters<typeof betweenRoles>[2]) => {
    const bone = betweenRoles(body, from, to);
    return bone ? vectorLength(bone) : Number.NaN;
  };
  const arm = length('leftUpperArm', 'leftLowerArm') + length('leftLowerArm', 'leftHand');
  const leg = length('leftUpperLeg', 'leftLowerLeg') + length('leftLowerLeg', 'leftFoot');
  return (arm / leg).toFixed(2);
}

/** The length that one unit of the hips' own translation is in the scene. */
function unitOf({ skeleton, joints }: Rig): string {
  let joint = skeleton.parents[joints.hips ?? 0]!;
  let scale = 1;
  for (; joint >= 0; joint = skeleton.parents[joint]!) scale *= skeleton.rest.scales[3 * joint + 1]!;
  // The container's scale takes the file's unit to metres.
  const { container } = skeleton;
  return `${short(scale * Math.hypot(container[4]!, container[5]!, container[6]!))} m`;
}

/** The axis of the upper arm that points most nearly to the forearm. */
function boneAxisOf({ skeleton, joints }: Rig): string {
  const at = 3 * (joints.leftLowerArm ?? 0);
  const bone = [...skeleton.rest.translations.slice(at, at + 3)];
  const longest = bone.reduce((best, part, c) => (Math.abs(part) > Math.abs(bone[best]!) ? c : best), 0);
  return `${bone[longest]! < 0 ? '−' : '+'}${'XYZ'[longest]}`;
}

/** Metres from the floor to the highest point of the skin in the reference pose. */
function heightOf({ rig, meshes }: CastMember): number {
  const model = modelPoseOf(rig.skeleton, rig.reference.pose);
  let top = rig.floor.height;
  for (const mesh of meshes) {
    const positions = skinMesh(mesh, model);
    for (let i = 1; i < positions.length; i += 3) top = Math.max(top, positions[i]!);
  }
  return top - rig.floor.height;
}

/** One line a character for one motion: how true it is, how it was made, how long that took. */
export function performanceTable(
  cast: readonly CastMember[],
  performances: readonly Performance[],
  limit: number,
  paint: Paint,
): string[] {
  const rows = performances.map(({ result, milliseconds }, i): Cell[] => {
    const { report } = result;
    const { direction, rotation, twist } = report.measures[0]!;
    const { way, frames } = report.clips[0]!;
    const judge = direction.worst <= limit ? paint.colors.green : paint.colors.red;
    return [
      { text: cast[i]!.entry.title, paint: paint.colors.bold },
      angle(direction.mean),
      { text: angle(direction.worst), paint: judge },
      angle(rotation.worst),
      twist ? angle(twist.worst) : '–',
      `${report.map.joints.length} of ${cast[i]!.rig.skeleton.names.length}`,
      { copy: 'copied', keys: 'keys kept', products: 'keys multiplied', frames: 'baked' }[way],
      String(frames),
      milliseconds.toFixed(1),
    ];
  });
  const header = ['', 'direction', 'worst', 'rotation', 'twist', 'joints driven', 'made by', 'keys', 'ms'];
  return table(header, rows, [LEFT, RIGHT, RIGHT, RIGHT, RIGHT, RIGHT, LEFT, RIGHT, RIGHT], paint);
}

/** The largest direction error from each character (line) to each other (column). */
export function waysTable(
  cast: readonly CastMember[],
  worst: readonly (readonly number[])[],
  limit: number,
  paint: Paint,
): string[] {
  const rows = cast.map(({ entry }, from): Cell[] => [
    { text: `from ${entry.name}`, paint: paint.colors.bold },
    ...worst[from]!.map(
      (value): Cell => ({
        text: angle(value),
        paint: value <= limit ? paint.colors.green : paint.colors.red,
      }),
    ),
  ]);
  const header = ['', ...cast.map(({ entry }) => entry.name)];
  return table(header, rows, [LEFT, ...cast.map(() => RIGHT)], paint);
}
