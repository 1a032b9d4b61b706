import type { Role } from '@stuntdouble/core';
import { type Body, type BodyPlacements, type BodyPose, placeBody } from '../body/body.js';
import { poseAt, type SampleMotion } from '../sample-motion.js';
import { inverse, NO_TURN, type Quat, rotate, subtract, turnBy, type Vec3 } from '../vector.js';
import { BIOVISION, type BvhDialect, type BvhJoint, type EulerOrder } from './bvh-dialects.js';

/**
 * The angles of q in degrees, in an order: q = Ri(a) · Rj(b) · Rk(c). With e = 1 where ijk is an even
 * permutation of XYZ and −1 where it is odd, R(i,k) = e sin b, R(j,k)/R(k,k) = −e tan a and
 * R(i,j)/R(i,i) = −e tan c.
 */
export function eulerAngles(q: Quat, order: EulerOrder): Vec3 {
  const columns = [rotate(q, [1, 0, 0]), rotate(q, [0, 1, 0]), rotate(q, [0, 0, 1])];
  const [i, j, k] = [...order].map((axis) => 'XYZ'.indexOf(axis)) as [number, number, number];
  const e = (j - i + 3) % 3 === 1 ? 1 : -1;
  const at = (row: number, column: number) => columns[column]![row]!;
  const degrees = 180 / Math.PI;
  return [
    Math.atan2(-e * at(j, k), at(k, k)) * degrees,
    Math.asin(Math.max(-1, Math.min(1, e * at(i, k)))) * degrees,
    Math.atan2(-e * at(i, j), at(i, i)) * degrees,
  ];
}

/** How a capture is written. */
export type BvhOptions = { dialect?: BvhDialect; frameRate?: number };

/** Writes a motion as BVH text, as a dialect has it; classic names in centimetres if nothing is said. */
export function writeBvh(body: Body, motion: SampleMotion, options: BvhOptions = {}): string {
  const { dialect = BIOVISION, frameRate = 30 } = options;
  const { unit, order: angles, digits = 5, space = NO_TURN, blank = '' } = dialect;
  const number = (value: number) => {
    const text = value.toFixed(digits);
    return /^-0\.0+$/.test(text) ? text.slice(1) : text;
  };
  const numbers = (v: Vec3) => v.map(number).join(' ');
  const units = (v: Vec3) => numbers(v.map((value) => value / unit) as unknown as Vec3);

  // In the zero pose, every joint of the file has the axes that the dialect gives it.
  const tPose: BodyPose = { turns: {}, hips: body.joints.hips! };
  const zero = dialect.zeroPose?.(body) ?? tPose;
  const placedAtZero = placeBody(body, zero);
  const axesOf = (role: Role): Quat => (dialect.axes ? turnBy(space, dialect.axes(body, role)) : NO_TURN);
  const turnOf = (placements: BodyPlacements, role: Role): Quat => {
    const turn = turnBy(placements[role]!.rotation, inverse(placedAtZero[role]!.rotation));
    return turnBy(space, turn, inverse(space), axesOf(role));
  };
  const toFile = (from: Role | null, v: Vec3): Vec3 =>
    rotate(turnBy(from === null ? NO_TURN : inverse(axesOf(from)), space), v);

  const lines: string[] = ['HIERARCHY'];
  const rows: { role: Role; above: Role | null; still: boolean }[] = [];
  const rotations = [...angles].map((axis) => `${axis}rotation`).join(' ');
  const describe = (joint: BvhJoint, above: Role | null, depth: number) => {
    const tab = '\t'.repeat(depth);
    // A joint without a part of its own stands where the one above it does, and never turns.
    const role = joint.role ?? above!;
    const at = placedAtZero[role]!.translation;
    const from = above === null ? null : placedAtZero[above]!.translation;
    const offset = from ? subtract(at, from) : dialect.rootOffset === 'hips' ? at : ([0, 0, 0] as const);
    rows.push({ role, above, still: joint.role === null });
    lines.push(`${tab}${depth === 0 ? 'ROOT' : 'JOINT'} ${joint.name}`, `${tab}{`);
    lines.push(`${tab}\tOFFSET ${units(toFile(above, offset))}`);
    lines.push(
      depth === 0 || dialect.placesAll
        ? `${tab}\tCHANNELS 6 Xposition Yposition Zposition ${rotations}${blank}`
        : `${tab}\tCHANNELS 3 ${rotations}${blank}`,
    );
    for (const child of joint.children) describe(child, role, depth + 1);
    if (joint.children.length === 0) {
      const tip = subtract(body.tips[role]!, body.joints[role]!);
      const end = rotate(placedAtZero[role]!.rotation, tip);
      lines.push(`${tab}\tEnd Site`, `${tab}\t{`);
      lines.push(`${tab}\t\tOFFSET ${units(toFile(role, end))}`, `${tab}\t}`);
    }
    lines.push(`${tab}}`);
  };
  describe(dialect.root, null, 0);

  const count = Math.round(motion.duration * frameRate) + 1;
  const first = dialect.startsInTPose === false ? 0 : -1;
  lines.push('MOTION', `Frames: ${count - first}`, `Frame Time: ${(1 / frameRate).toFixed(7)}`);
  for (let frame = first; frame < count; frame++) {
    const pose = frame < 0 ? tPose : poseAt(motion, frame / frameRate);
    const placements = placeBody(body, pose);
    const cells = rows.map(({ role, above, still }) => {
      const turn = still ? NO_TURN : turnOf(placements, role);
      const local = above && !still ? turnBy(inverse(turnOf(placements, above)), turn) : turn;
      const from = above === null ? null : placedAtZero[above]!.translation;
      const place =
        above === null
          ? `${units(rotate(space, pose.hips))} `
          : dialect.placesAll
            ? `${units(toFile(above, subtract(placedAtZero[role]!.translation, from!)))} `
            : '';
      return place + numbers(eulerAngles(local, angles));
    });
    lines.push(cells.join(' ') + blank);
  }
  return `${lines.join('\n')}\n`;
}
