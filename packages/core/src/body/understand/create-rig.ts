import { RetargetError, UsageError } from '../../base/errors.js';
import type { Warning } from '../../base/warnings.js';
import { checkSkeleton } from '../../scene/check-scene.js';
import type { Scene } from '../../scene/scene.js';
import type { Skeleton } from '../../scene/skeleton.js';
import type { Rig, RigOptions } from '../rig.js';
import { copyRig, knownRig, knownRoles } from './known-rigs.js';

/**
 * Understands a skeleton: which joint is which body part, which way is up and forward, which unit, which
 * pose is the reference, where the floor is. Each answer carries its reason; doubts are warnings. A skeleton that is
 * as it was when it was understood before is not thought about again; the rig is the caller's own either way.
 * @throws UsageError that names the part of a skeleton or a clip that is missing or of another kind.
 */
export function createRig(skeleton: Skeleton, options: RigOptions = {}): Rig {
  checkSkeleton(skeleton, 'skeleton');
  return copyRig(knownRig(skeleton, options), skeleton);
}

/**
 * Which character of a scene is meant: by name or number, else the one with most roles, else the one with
 * most joints.
 * @throws RetargetError where the scene has none, UsageError where it has none of that name.
 */
export function chooseCharacter(scene: Scene, choice?: string): { character: number; warnings: Warning[] } {
  const { characters } = scene;
  if (characters.length === 0)
    throw new RetargetError(`"${scene.name}" has no skeleton: there is nothing to retarget in it`);
  const names = characters.map(({ skeleton }, i) => `"${skeleton.name}" (${i})`).join(', ');
  if (choice !== undefined) {
    const found = characters.findIndex(({ skeleton }) => skeleton.name === choice);
    if (found >= 0) return { character: found, warnings: [] };
    const number = /^\d+$/.test(choice) ? Number(choice) : -1;
    if (characters[number]) return { character: number, warnings: [] };
    throw new UsageError(`"${scene.name}" has no skeleton "${choice}"; it has ${names}`);
  }
  if (characters.length === 1) return { character: 0, warnings: [] };
  let best = 0;
  let most = -1;
  characters.forEach(({ skeleton }, i) => {
    const roles = knownRoles(skeleton).guesses.filter(({ role }) => role !== null).length;
    const score = roles * 100_000 + skeleton.names.length;
    if (score > most) {
      most = score;
      best = i;
    }
  });
  const message = `"${scene.name}" holds ${characters.length} skeletons; "${characters[best]!.skeleton.name}" (${best}) was taken, since most body parts were found in it`;
  return { character: best, warnings: [{ code: 'several-skeletons', message }] };
}
