import { END, JOINT, type ModelPose, modelPoseOf, type Skeleton } from '@stuntdouble/core';
import { cos, hypot, sin } from '@stuntdouble/core/engine';
import type { LinearColor } from './palette.js';
import type { Shape } from './rasterize.js';

/** Sides of a drawn bone: round enough at the size of a sheet. */
const SIDES = 10;
/** Profile of a bone from joint to joint: share of the length, share of the greatest radius. */
const PROFILE: readonly (readonly [number, number])[] = [
  [0, 0.55],
  [0.16, 1],
  [0.5, 0.8],
  [1, 0.42],
];
/** Radius of a head as a share of the skeleton's size. */
const HEAD = 0.055;
/** Rings of a joint's ball, poles included. */
const RINGS = 7;

/**
 * Draws a skeleton as bones that taper from joint to joint with a ball at each joint, for characters
 * without a skin. Plain nodes are left out, and so is the long line from a root on the floor to the hips.
 * @param model the pose to draw, of this skeleton.
 * @param hot per joint how bad it is there, 0 to 1; a bone shows that of the joint it begins at.
 */
export function drawSkeleton(
  skeleton: Skeleton,
  model: ModelPose,
  color: LinearColor,
  hot: Float32Array | null = null,
): Shape {
  // By the rest pose: a root that stays behind would make a body that travels thicker from frame to frame.
  const rest = modelPoseOf(skeleton, skeleton.rest);
  const size = sizeOf(skeleton, rest);
  const positions: number[] = [];
  const normals: number[] = [];
  const triangles: number[] = [];
  const shape = { positions, normals, triangles };
  const heat: number[] = [];
  const warm = (joint: number) => {
    while (heat.length < positions.length / 3) heat.push(hot?.[joint] ?? 0);
  };
  const balls = new Map<number, number>();
  for (const { from, to } of bonesOf(skeleton, rest, size)) {
    const a = placeOf(model, from);
    const b = placeOf(model, to);
    const length = hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]);
    if (!(length > 0) || !Number.isFinite(length)) continue;
    const radius = Math.min(Math.max(0.14 * length, 0.005 * size), 0.028 * size);
    addBone(shape, a, b, length, radius);
    warm(from);
    balls.set(from, Math.max(balls.get(from) ?? 0, 0.8 * radius));
    balls.set(to, Math.max(balls.get(to) ?? 0, 0.5 * radius));
    if (isHead(skeleton, to)) {
      const beyond = (HEAD * size) / length;
      const center: Point = [
        b[0] + (b[0] - a[0]) * beyond,
        b[1] + (b[1] - a[1]) * beyond,
        b[2] + (b[2] - a[2]) * beyond,
      ];
      addBall(shape, center, HEAD * size);
      warm(to);
    }
  }
  for (const [joint, radius] of balls) {
    addBall(shape, placeOf(model, joint), radius);
    warm(joint);
  }
  return {
    positions: Float32Array.from(positions),
    normals: Float32Array.from(normals),
    triangles: Uint32Array.from(triangles),
    color,
    ...(hot && { heat: Float32Array.from(heat) }),
  };
}

type Point = readonly [number, number, number];
type Growing = { positions: number[]; normals: number[]; triangles: number[] };

function placeOf(model: ModelPose, joint: number): Point {
  const o = 16 * joint + 12;
  return [model.matrices[o]!, model.matrices[o + 1]!, model.matrices[o + 2]!];
}

/** Whether a joint carries a head by its name: most skeletons end at the base of the skull. */
function isHead(skeleton: Skeleton, joint: number): boolean {
  const named = (name: string) => /head/i.test(name) && !/end|top|nub|tip|forehead/i.test(name);
  const parent = skeleton.parents[joint]!;
  return named(skeleton.names[joint]!) && (parent < 0 || !named(skeleton.names[parent]!));
}

/** The pairs of joints that a bone goes between. */
function bonesOf(skeleton: Skeleton, rest: ModelPose, size: number): { from: number; to: number }[] {
  const { flags, parents } = skeleton;
  const drawn = (joint: number) => (flags[joint]! & (JOINT | END)) !== 0;
  const bones: { from: number; to: number }[] = [];
  for (let joint = 0; joint < parents.length; joint++) {
    if (!drawn(joint)) continue;
    let from = parents[joint]!;
    while (from >= 0 && !drawn(from)) from = parents[from]!;
    if (from >= 0) bones.push({ from, to: joint });
  }
  const arrives = new Set(bones.map(({ to }) => to));
  return bones.filter(({ from, to }) => {
    if (arrives.has(from)) return true;
    const a = placeOf(rest, from);
    const b = placeOf(rest, to);
    // A root is a place, not a body part, when something far away hangs on it; hips have their parts near.
    return hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]) < 0.3 * size;
  });
}

/** The longest side of the box around all joints, metres; 1 where there is none. */
function sizeOf(skeleton: Skeleton, model: ModelPose): number {
  let size = 0;
  for (let c = 0; c < 3; c++) {
    let low = Infinity;
    let high = -Infinity;
    for (let joint = 0; joint < skeleton.names.length; joint++) {
      const value = placeOf(model, joint)[c]!;
      if (!Number.isFinite(value)) continue;
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
    if (high > low) size = Math.max(size, high - low);
  }
  return size || 1;
}

/** Adds a round spindle from a to b. */
function addBone(shape: Growing, a: Point, b: Point, length: number, radius: number): void {
  const d: Point = [(b[0] - a[0]) / length, (b[1] - a[1]) / length, (b[2] - a[2]) / length];
  // Any direction across the bone: the coordinate axis that is least along it, made square to it.
  const least = [Math.abs(d[0]), Math.abs(d[1]), Math.abs(d[2])];
  const k = least.indexOf(Math.min(...least));
  const raw = [0, 1, 2].map((c) => (c === k ? 1 : 0) - d[k]! * d[c]!);
  const unit = hypot(raw[0]!, raw[1]!, raw[2]!);
  const u = raw.map((value) => value / unit) as [number, number, number];
  const v: Point = [d[1] * u[2] - d[2] * u[1], d[2] * u[0] - d[0] * u[2], d[0] * u[1] - d[1] * u[0]];
  const start = shape.positions.length / 3;
  PROFILE.forEach(([share, width], ring) => {
    const before = PROFILE[Math.max(0, ring - 1)]!;
    const after = PROFILE[Math.min(PROFILE.length - 1, ring + 1)]!;
    // The profile falls by this much per metre: normals lean forward by it.
    const fall = ((before[1] - after[1]) * radius) / ((after[0] - before[0]) * length);
    const lean = hypot(1, fall);
    for (let side = 0; side < SIDES; side++) {
      const angle = (2 * Math.PI * side) / SIDES;
      const cosine = cos(angle);
      const sine = sin(angle);
      for (let c = 0; c < 3; c++) {
        const out = u[c]! * cosine + v[c]! * sine;
        shape.positions.push(a[c]! + d[c]! * share * length + out * width * radius);
        shape.normals.push((out + d[c]! * fall) / lean);
      }
    }
  });
  joinRings(shape.triangles, start, PROFILE.length);
}

function addBall(shape: Growing, center: Point, radius: number): void {
  const start = shape.positions.length / 3;
  for (let ring = 0; ring < RINGS; ring++) {
    const polar = (Math.PI * ring) / (RINGS - 1);
    for (let side = 0; side < SIDES; side++) {
      const angle = (2 * Math.PI * side) / SIDES;
      const normal = [sin(polar) * cos(angle), cos(polar), sin(polar) * sin(angle)];
      for (let c = 0; c < 3; c++) {
        shape.positions.push(center[c]! + normal[c]! * radius);
        shape.normals.push(normal[c]!);
      }
    }
  }
  joinRings(shape.triangles, start, RINGS);
}

/** Triangles between rings of vertices that follow each other. */
function joinRings(triangles: number[], start: number, rings: number): void {
  for (let ring = 0; ring + 1 < rings; ring++)
    for (let side = 0; side < SIDES; side++) {
      const a = start + ring * SIDES + side;
      const b = start + ring * SIDES + ((side + 1) % SIDES);
      triangles.push(a, b, a + SIDES, b, b + SIDES, a + SIDES);
    }
}
