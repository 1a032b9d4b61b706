import { findKeyChange, type RetargetOptions, UsageError } from '@stuntdouble/core/engine';
import { FILE_KINDS } from '@stuntdouble/formats/kinds';
import { flagOf } from './flag-of.js';
import { extensionOf } from './output-paths.js';

/**
 * Refuses what makes no sense with --new-bind: options that give other keys than the source's, and files without
 * a mesh.
 * @param typed What was typed, to be told from what a recipe says.
 * @throws UsageError that names both.
 */
export function refuseWithNewBind(
  told: RetargetOptions,
  typed: RetargetOptions,
  { output, animationOnly }: { output?: string | null; animationOnly?: boolean },
): void {
  const name = findKeyChange(told);
  if (name !== null) {
    const flag =
      typed[name] === undefined
        ? `recipe.${name === 'passes' ? '' : 'settings.'}${name}`
        : `${flagOf(name)}${name === 'corrections' ? ' auto' : ''}`;
    throw new UsageError(
      `${flag} changes the motion, and --new-bind plays the keys of SOURCE as they are; leave out one of the two`,
    );
  }
  if (animationOnly)
    throw new UsageError(
      '--animation-only leaves meshes out, and --new-bind is for meshes; leave out one of the two',
    );
  if (typeof output === 'string' && !FILE_KINDS[extensionOf(output)].rebinds)
    throw new UsageError(`--new-bind changes how a mesh is bound: ${output} cannot say that, but a .glb can`);
}
