import type { Mesh } from 'three';
import type { VrmExpression } from './animated-object.js';
import type { MorphMesh } from './morph-meshes.js';
import type { DescribedObject } from './retarget-clip.js';

/** A weight that can be read and written: a place among a mesh's influences, or an expression. */
type Weight = { influences: number[]; place: number } | { expression: VrmExpression };

/** Weights that follow other weights, and what they were before. */
export type MorphCopies = { from: Weight[]; to: Weight[]; before: number[] };

/**
 * Pairs the morph weights of two characters as clips do: by mesh and name, else by name alone where only one
 * of the target's meshes has it; expressions by name.
 */
export function createMorphCopies(source: DescribedObject, target: DescribedObject): MorphCopies {
  const copies: MorphCopies = { from: [], to: [], before: [] };
  for (const entry of source.morphMeshes)
    for (const morph of entry.morphs) {
      const exact = target.morphMeshes.find(
        ({ name, morphs }) => name === entry.name && morphs.includes(morph),
      );
      const byName = target.morphMeshes.filter(({ morphs }) => morphs.includes(morph));
      const found = exact ?? (byName.length === 1 ? byName[0] : undefined);
      const [from] = weightsOf(entry, morph, source);
      if (!found || !from) continue;
      for (const to of weightsOf(found, morph, target)) {
        copies.from.push(from);
        copies.to.push(to);
        copies.before.push(readWeight(to));
      }
    }
  return copies;
}

/** Gives every paired weight of the target the source's present value. */
export function copyMorphs({ from, to }: MorphCopies): void {
  for (let n = 0; n < from.length; n++) writeWeight(to[n]!, readWeight(from[n]!));
}

/** Gives every paired weight of the target the value it had before. */
export function restoreMorphs({ to, before }: MorphCopies): void {
  for (let n = 0; n < to.length; n++) writeWeight(to[n]!, before[n]!);
}

function weightsOf(entry: MorphMesh, morph: string, { character }: DescribedObject): Weight[] {
  if (entry.meshes.length === 0)
    return (character.resolved.vrm?.expressionManager?.expressions ?? [])
      .filter(({ expressionName }) => expressionName === morph)
      .map((expression) => ({ expression }));
  return entry.meshes.flatMap(({ morphTargetDictionary, morphTargetInfluences }: Mesh): Weight[] => {
    const place = morphTargetDictionary?.[morph];
    return place === undefined || !morphTargetInfluences
      ? []
      : [{ influences: morphTargetInfluences, place }];
  });
}

function readWeight(weight: Weight): number {
  const value = 'expression' in weight ? weight.expression.weight : weight.influences[weight.place]!;
  return Number.isFinite(value) ? value : 0;
}

function writeWeight(weight: Weight, value: number): void {
  if ('expression' in weight) weight.expression.weight = value;
  else weight.influences[weight.place] = value;
}
