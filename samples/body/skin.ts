import { type Body, type BodyPart, stepsAbove } from './body.js';
import { fieldOf, type Part } from './shape.js';
import { createSurface, removeHidden, type Surface } from './surface.js';

/** A surface whose vertices follow body parts: `weights` holds one number per vertex and role of `roles`. */
export type SkinnedSurface = Surface & {
  name: string;
  color: string;
  shine: number;
  roles: readonly BodyPart[];
  weights: Float64Array;
};

const TORSO: ReadonlySet<BodyPart> = new Set([
  'hips',
  'spine',
  'chest',
  'upperChest',
  'neck',
  'leftShoulder',
  'rightShoulder',
]);

/** Whether two body parts may pull one vertex: thighs, fingers and arms must not pull each other. */
function areRelated(body: Body, a: BodyPart, b: BodyPart): boolean {
  if (TORSO.has(a) && TORSO.has(b)) return true;
  const steps = Math.max(stepsAbove(body, a, b), stepsAbove(body, b, a));
  return steps >= 0 && steps <= 3;
}

// Covered by another part by more than this, a triangle is never seen, whatever the pose.
const HIDDEN_DEPTH = 0.012;

/** Meshes all parts of a body in T-pose, leaves out what others hide, and gives every vertex its weights. */
export function createSkin(body: Body, parts: readonly Part[]): SkinnedSurface[] {
  const fields = parts.map(fieldOf);
  return parts.map((part, i) => {
    const covers = part.whole ? [] : fields.filter((_, other) => other !== i);
    const surface = removeHidden(createSurface(part), covers, part.hiddenDepth ?? HIDDEN_DEPTH);
    const roles = [...new Set(part.blobs.map((blob) => blob.role))];
    const weights = weighVertices(body, part, surface, roles);
    for (let round = part.smoothing ?? 3; round > 0; round--) smoothWeights(surface, weights, roles.length);
    return { ...surface, name: part.name, color: part.color, shine: part.shine ?? 0.1, roles, weights };
  });
}

/**
 * A vertex follows the blobs it is nearest to: w = exp(−(d − d_nearest) / softness). Where two capsules
 * share a joint, a point t along the limb is t²/2r farther from the other one, so the blend has a width of
 * about √(2 r · softness): 3 cm for an arm.
 */
function weighVertices(body: Body, part: Part, surface: Surface, roles: readonly BodyPart[]): Float64Array {
  const count = surface.positions.length / 3;
  const weights = new Float64Array(count * roles.length);
  for (let v = 0; v < count; v++) {
    const [x, y, z] = [0, 1, 2].map((c) => surface.positions[3 * v + c]!) as [number, number, number];
    const distances = part.blobs.map((blob) => blob.field(x, y, z));
    const nearest = Math.min(...distances);
    const main = part.blobs[distances.indexOf(nearest)]!;
    part.blobs.forEach((blob, b) => {
      if (!areRelated(body, main.role, blob.role)) return;
      const farther = distances[b]! - nearest;
      const weight = blob === main ? 1 : blob.softness > 0 ? Math.exp(-farther / blob.softness) : 0;
      const slot = v * roles.length + roles.indexOf(blob.role);
      weights[slot] = Math.max(weights[slot]!, weight);
    });
    normalise(weights, v * roles.length, roles.length);
  }
  return weights;
}

function normalise(weights: Float64Array, from: number, count: number): void {
  let sum = 0;
  for (let r = 0; r < count; r++) sum += weights[from + r]!;
  for (let r = 0; r < count; r++) weights[from + r]! /= sum;
}

/** Moves each vertex's weights half way to the mean of its neighbours. */
function smoothWeights(surface: Surface, weights: Float64Array, roleCount: number): void {
  const count = surface.positions.length / 3;
  const sums = new Float64Array(weights.length);
  const neighbours = new Float64Array(count);
  for (let t = 0; t < surface.triangles.length; t += 3)
    for (let c = 0; c < 3; c++) {
      const a = surface.triangles[t + c]!;
      for (const b of [surface.triangles[t + ((c + 1) % 3)]!, surface.triangles[t + ((c + 2) % 3)]!]) {
        neighbours[a]! += 1;
        for (let r = 0; r < roleCount; r++) sums[a * roleCount + r]! += weights[b * roleCount + r]!;
      }
    }
  for (let v = 0; v < count; v++) {
    if (neighbours[v] === 0) continue;
    for (let r = 0; r < roleCount; r++) {
      const i = v * roleCount + r;
      weights[i] = (weights[i]! + sums[i]! / neighbours[v]!) / 2;
    }
  }
}
