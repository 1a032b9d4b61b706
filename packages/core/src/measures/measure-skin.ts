import type { AlignedPair } from '../align/aligned-pair.js';
import { looseJoints } from '../align/find-followers.js';
import { hypot } from '../base/math/functions.js';
import { transformPoint } from '../base/math/matrix.js';
import { didWork } from '../base/watch-work.js';
import { CONTACT_RATE } from '../contacts/track-points.js';
import { type Clip, sampleClip } from '../scene/clip.js';
import { copyPose, createModelPose, localToModel, type ModelPose, modelPoseOf } from '../scene/pose.js';
import type { Mesh } from '../scene/scene.js';
import type { Skeleton } from '../scene/skeleton.js';

/** How far skin that hangs on joints without a driver comes along. */
export type SkinMeasure = {
  /**
   * Of the edges of the mesh with an end on a joint that neither is driven nor hangs on one that is, the longest over its length in the reference
   * pose: per instant the longest of all, then the 99.9th percentile over instants. 1 is as it was. Null where no edge
   * leads from such a joint to another.
   */
  stretch: number | null;
  /** The names of the joints without a driver at the ends of edges over three times as long as they were, the worst first. */
  torn: string[];
  /**
   * How far pieces of skin that are bound to nothing else, such as a sword, drift from what they were nearest to, in %
   * of the body's height: the most over instants. Null where there are none.
   */
  drift: number | null;
  /** How many edges were looked at, and at how many instants. */
  edges: number;
  instants: number;
};

/** {@link SkinMeasure} over time. */
export type SkinCurves = {
  /** Seconds. */
  times: number[];
  /** Per instant the longest edge over its length in the reference pose; NaN where there are no edges. */
  stretch: number[];
};

/** Edges that become so many times as long as they were tear the skin for everybody to see. */
export const TORN = 3;
/** Instants of a clip that are looked at unless told otherwise: skinning costs more than all else. */
export const SKIN_INSTANTS = 30;
/** An edge counts as long as this share of the body's height at least: a millimetre that becomes three is no tear. */
const SHORTEST_EDGE = 0.005;
/** Vertices that follow joints without a driver by this share or more hang on them. */
const HANGS = 0.5;

/** What of a mesh hangs on joints without a driver, as {@link measureSkin} reads it. */
type LooseSkin = {
  mesh: Mesh;
  /** The vertices at the ends of the edges, each once. */
  vertices: Int32Array;
  /** Pairs of places in `vertices`. */
  edges: Int32Array;
  /** Per edge the joint without a driver that it hangs on most. */
  joints: Int32Array;
  rest: Float64Array;
  places: Float64Array;
};

/**
 * Measures whether all of a body's skin comes along with a motion: skirts, swords and paws on joints that nothing
 * drives are torn from the body where they stay behind.
 * @param meshes Those of the target's character.
 * @param instants How many instants of the clip are looked at, evenly spread.
 */
export function measureSkin(
  { target, map, travel }: Pick<AlignedPair, 'target' | 'map' | 'travel'>,
  clip: Clip,
  meshes: readonly Mesh[],
  instants = SKIN_INSTANTS,
): SkinMeasure & { curves: SkinCurves } {
  const { skeleton } = target;
  const height = target.space.height;
  const reference = modelPoseOf(skeleton, target.reference.pose);
  const unheld = looseJoints(target, map, travel, reference);
  const loose = meshes.flatMap((mesh) => findLooseSkin(mesh, unheld, reference, height) ?? []);
  const pieces = findLoosePieces(skeleton, unheld, reference);
  const pose = copyPose(skeleton.rest);
  const model = createModelPose(skeleton.names.length);
  // No more than the frames that there are.
  const count =
    clip.duration > 0 ? Math.max(1, Math.min(instants, Math.ceil(clip.duration * CONTACT_RATE) + 1)) : 1;
  const times: number[] = [];
  const stretch: number[] = [];
  const worst = new Map<number, number>();
  let drift = 0;
  for (let k = 0; k < count; k++) {
    const time = count === 1 ? 0 : (k * clip.duration) / (count - 1);
    sampleClip(pose, clip, time);
    localToModel(model, skeleton, pose);
    let longest = loose.length > 0 ? 0 : Number.NaN;
    for (const skin of loose) {
      placeVertices(skin, model);
      for (let e = 0; e < skin.joints.length; e++) {
        const ratio = lengthOf(skin, e) / skin.rest[e]!;
        if (ratio > longest) longest = ratio;
        if (ratio > (worst.get(skin.joints[e]!) ?? TORN)) worst.set(skin.joints[e]!, ratio);
      }
      didWork(skin.vertices.length);
    }
    for (const piece of pieces) drift = Math.max(drift, driftOf(piece, skeleton, model));
    times.push(time);
    stretch.push(longest);
  }
  const sorted = Float64Array.from(stretch).sort();
  return {
    stretch:
      loose.length > 0 ? sorted[Math.min(sorted.length - 1, Math.floor(0.999 * sorted.length))]! : null,
    torn: [...worst].sort((a, b) => b[1] - a[1]).map(([joint]) => skeleton.names[joint]!),
    drift: pieces.length > 0 ? (100 * drift) / height : null,
    edges: loose.reduce((sum, { joints }) => sum + joints.length, 0),
    instants: count,
    curves: { times, stretch },
  };
}

function findLooseSkin(
  mesh: Mesh,
  unheld: ReadonlyMap<number, number>,
  reference: ModelPose,
  height: number,
): LooseSkin | null {
  const { skin, triangles } = mesh;
  if (!skin) return null;
  const count = mesh.positions.length / 3;
  /** Per vertex the joint without a driver that it hangs on, else −1. */
  const hangs = new Int32Array(count).fill(-1);
  for (let v = 0; v < count; v++) {
    let share = 0;
    let most = 0;
    for (let i = 4 * v; i < 4 * v + 4; i++) {
      const weight = skin.weights[i]!;
      if (!(weight > 0) || !unheld.has(skin.joints[i]!)) continue;
      share += weight;
      if (weight > most) {
        most = weight;
        hangs[v] = skin.joints[i]!;
      }
    }
    if (share < HANGS) hangs[v] = -1;
  }
  const places = new Map<number, number>();
  const placeOf = (vertex: number) => {
    let place = places.get(vertex);
    if (place === undefined) {
      place = places.size;
      places.set(vertex, place);
    }
    return place;
  };
  const edges: number[] = [];
  const joints: number[] = [];
  for (let i = 0; i + 2 < triangles.length; i += 3)
    for (let c = 0; c < 3; c++) {
      const u = triangles[i + c]!;
      const v = triangles[i + ((c + 1) % 3)]!;
      // Each edge once, where it has two sides; and none within what one joint alone moves.
      if (hangs[u]! < 0 && hangs[v]! < 0) continue;
      if (hangs[u]! === hangs[v]! && isWhole(skin, u) && isWhole(skin, v)) continue;
      edges.push(placeOf(u), placeOf(v));
      joints.push(hangs[u]! < 0 ? hangs[v]! : hangs[u]!);
    }
  if (joints.length === 0) return null;
  const vertices = Int32Array.from(places.keys());
  const loose: LooseSkin = {
    mesh,
    vertices,
    edges: Int32Array.from(edges),
    joints: Int32Array.from(joints),
    rest: new Float64Array(joints.length),
    places: new Float64Array(3 * vertices.length),
  };
  placeVertices(loose, reference);
  for (let e = 0; e < joints.length; e++)
    loose.rest[e] = Math.max(lengthOf(loose, e), SHORTEST_EDGE * height);
  return loose;
}

function isWhole({ weights }: NonNullable<Mesh['skin']>, vertex: number): boolean {
  for (let i = 4 * vertex; i < 4 * vertex + 4; i++) if (weights[i]! > 0.999) return true;
  return false;
}

const point = new Float64Array(3);

function placeVertices({ mesh, vertices, places }: LooseSkin, { matrices }: ModelPose): void {
  const { joints, weights, inverseBinds } = mesh.skin!;
  places.fill(0);
  for (let n = 0; n < vertices.length; n++) {
    const v = vertices[n]!;
    for (let i = 4 * v; i < 4 * v + 4; i++) {
      const weight = weights[i]!;
      if (!(weight > 0)) continue;
      transformPoint(point, 0, inverseBinds, 16 * joints[i]!, mesh.positions, 3 * v);
      transformPoint(point, 0, matrices, 16 * joints[i]!, point, 0);
      for (let c = 0; c < 3; c++) places[3 * n + c] = places[3 * n + c]! + weight * point[c]!;
    }
  }
}

function lengthOf({ edges, places }: LooseSkin, e: number): number {
  const a = 3 * edges[2 * e]!;
  const b = 3 * edges[2 * e + 1]!;
  return hypot(places[b]! - places[a]!, places[b + 1]! - places[a + 1]!, places[b + 2]! - places[a + 2]!);
}

/** Skin that hangs on one joint and is bound to no other, and the joint elsewhere whose skin was nearest to it. */
type LoosePiece = { joint: number; near: number; distance: number };

/** The pieces of skin on joints that no driver is above of, and that no vertex or edge binds to others. */
function findLoosePieces(
  skeleton: Skeleton,
  unheld: ReadonlyMap<number, number>,
  reference: ModelPose,
): LoosePiece[] {
  const { bonds } = skeleton;
  if (!bonds) return [];
  const bound = new Set(bonds.joints);
  const pieces: LoosePiece[] = [];
  bonds.weights.forEach((weight, joint) => {
    if (!(weight > 0) || bound.has(joint) || !unheld.has(joint)) return;
    let near = -1;
    let distance = Number.POSITIVE_INFINITY;
    for (let other = 0; other < bonds.weights.length; other++) {
      if (unheld.get(other) === unheld.get(joint) || !(bonds.weights[other]! > 0)) continue;
      const apart = distanceBetween(bonds.centres, joint, other, reference);
      if (apart < distance) [near, distance] = [other, apart];
    }
    if (near >= 0) pieces.push({ joint, near, distance });
  });
  return pieces;
}

const other = new Float64Array(3);

function distanceBetween(centres: Float64Array, a: number, b: number, { matrices }: ModelPose): number {
  transformPoint(point, 0, matrices, 16 * a, centres, 3 * a);
  transformPoint(other, 0, matrices, 16 * b, centres, 3 * b);
  return hypot(point[0]! - other[0]!, point[1]! - other[1]!, point[2]! - other[2]!);
}

function driftOf({ joint, near, distance }: LoosePiece, { bonds }: Skeleton, model: ModelPose): number {
  return Math.abs(distanceBetween(bonds!.centres, joint, near, model) - distance);
}
