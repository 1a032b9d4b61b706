import type { Vec3 } from '../src/base/math/vector.js';
import { createPose } from '../src/scene/pose.js';
import type { Character } from '../src/scene/scene.js';
import { SKINNED } from '../src/scene/skeleton.js';

/** A joint beside a body: where it hangs (nowhere if left out), where it is, and what its skin is bound to. */
export type Strand = { name: string; parent?: string; at: Vec3; boundTo?: Readonly<Record<string, number>> };

/**
 * A body with joints beside it that carry skin, as skirts and swords do that hang on the armature. Every joint of the
 * body carries a hundred vertices, every other one ten, and has a cube of skin of 2 cm around it.
 */
export function withStrands(body: Character, strands: readonly Strand[]): Character {
  const { skeleton } = body;
  const before = skeleton.names.length;
  const count = before + strands.length;
  const names = [...skeleton.names, ...strands.map(({ name }) => name)];
  const indexOf = (name: string) => names.indexOf(name);
  const rest = createPose(count);
  rest.translations.set(skeleton.rest.translations);
  rest.rotations.set(skeleton.rest.rotations);
  rest.scales.set(skeleton.rest.scales);
  const parents = new Int32Array(count).fill(-1);
  parents.set(skeleton.parents);
  const bonds: [number, number, number][] = [];
  strands.forEach(({ parent, at, boundTo = {} }, n) => {
    const joint = before + n;
    rest.translations.set(at, 3 * joint);
    if (parent !== undefined) parents[joint] = indexOf(parent);
    for (const [other, strength] of Object.entries(boundTo)) bonds.push([indexOf(other), joint, strength]);
  });
  const weights = new Float64Array(count).fill(100);
  weights.fill(10, before);
  const cube = Float32Array.from(
    [-1, 1].flatMap((x) => [-1, 1].flatMap((y) => [-1, 1].flatMap((z) => [0.01 * x, 0.01 * y, 0.01 * z]))),
  );
  const flags = new Uint8Array(count).fill(1 | SKINNED);
  return {
    skeleton: {
      ...skeleton,
      names,
      parents,
      flags,
      fileIndices: Int32Array.from(names.keys()),
      rest,
      hulls: names.map(() => cube),
      bonds: {
        joints: Int32Array.from(bonds.flatMap(([a, b]) => [Math.min(a, b), Math.max(a, b)])),
        strengths: Float64Array.from(bonds, ([, , strength]) => strength),
        weights,
        centres: new Float64Array(3 * count),
      },
    },
    clips: body.clips,
  };
}
