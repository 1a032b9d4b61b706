import { type Clip, sampleMorphs } from '@stuntdouble/core/engine';
import type { Mesh } from 'three';

/** A mesh with morph targets, under the names that tracks of clips have for it. */
export type MorphingMesh = {
  object: Mesh;
  /** The mesh's name in its file. */
  mesh: string;
  /** Names of its morph targets, in their order. */
  names: readonly string[];
  /** Their weights where nothing moves them. */
  rest: readonly number[];
};

/** The weight of a morph target as it is shown. */
export type ShownMorph = { mesh: string; morph: string; weight: number };

/** A mesh as it was loaded, with the weights that it has now as those at rest. */
export function morphingMesh(object: Mesh, mesh: string, names: readonly string[]): MorphingMesh {
  return { object, mesh, names, rest: [...(object.morphTargetInfluences ?? [])] };
}

/** Gives morph targets the weights that a clip has at an instant; those that it does not move, and all without one, rest. */
export function showMorphs(meshes: readonly MorphingMesh[], clip: Clip | null, time: number): void {
  if (meshes.length === 0) return;
  const weights = clip ? sampleMorphs(clip, time) : [];
  for (const { object, mesh, names, rest } of meshes) {
    const shown = object.morphTargetInfluences!;
    for (const [n, weight] of rest.entries()) shown[n] = weight;
    for (const told of weights) {
      const n = told.mesh === mesh ? names.indexOf(told.morph) : -1;
      if (n >= 0 && n < shown.length) shown[n] = told.weight;
    }
  }
}

/** What is shown just now. */
export function shownMorphs(meshes: readonly MorphingMesh[]): ShownMorph[] {
  return meshes.flatMap(({ object, mesh, names }) =>
    names.map((morph, n) => ({ mesh, morph, weight: object.morphTargetInfluences![n] ?? 0 })),
  );
}
