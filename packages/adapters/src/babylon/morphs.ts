import type { AnimationGroup } from '@babylonjs/core/Animations/animationGroup.js';
import type { MorphTarget } from '@babylonjs/core/Morph/morphTarget.js';
import type { Body } from './body.js';
import type { ReadGroup } from './read-group.js';
import type { BabylonWarning } from './warnings.js';

/** Gives morph animations to the avatar's targets of the same mesh and name, else of the same name where only one mesh has it (B4). */
export function writeMorphs(
  group: AnimationGroup,
  read: ReadGroup,
  source: Body['scene'],
  target: Body,
  warnings: BabylonWarning[],
): void {
  if (read.morphs.length === 0) return;
  const meshOf = new Map<unknown, string>();
  for (const { name, targets } of listMorphs(source.meshes))
    for (const morph of targets) meshOf.set(morph, name);
  const own = listMorphs(target.meshes);
  for (const { animation, target: morph } of read.morphs) {
    const name: string = (morph as MorphTarget).name;
    const mesh = meshOf.get(morph);
    const candidates = own.flatMap((entry) =>
      entry.targets.flatMap((one) => (one.name === name ? [{ mesh: entry.name, one }] : [])),
    );
    const found =
      candidates.find((candidate) => candidate.mesh === mesh) ??
      (candidates.length === 1 ? candidates[0] : undefined);
    if (found) group.addTargetedAnimation(animation.clone(true), found.one);
    else
      warnings.push({
        code: 'morph-not-found',
        message: `"${target.name}" has no morph target "${name}" of mesh "${mesh ?? '?'}"; its animation was left out`,
      });
  }
}

function listMorphs(meshes: Body['meshes']): { name: string; targets: MorphTarget[] }[] {
  return meshes.flatMap(({ name, morphTargetManager }) =>
    morphTargetManager
      ? [
          {
            name,
            targets: Array.from({ length: morphTargetManager.numTargets }, (_, i) =>
              morphTargetManager.getTarget(i),
            ),
          },
        ]
      : [],
  );
}
