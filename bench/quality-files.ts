import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A file with the clips of it that count: those whose names match, and of a long take the seconds from and to. */
export type QualityMotion = { file: string; clips?: RegExp; range?: [number, number] };

/**
 * Walks, runs, jumps, boxing, a cartwheel, dances, crouches, rolls and idling: captures, generated, made by hand, and
 * our own; those that come out badly are in it too. Only loops that walk on the spot are not: their feet slide by
 * design, and contacts on a floor that stands still are not theirs.
 */
export const MOTIONS: readonly QualityMotion[] = [
  { file: 'cmu/02_01.bvh' },
  { file: 'cmu/12_01.bvh' },
  { file: 'cmu/69_08.bvh', range: [10, 22] },
  { file: 'cmu/05_11.bvh' },
  { file: 'cmu/91_48.bvh' },
  { file: 'cmu/49_06.bvh' },
  { file: 'cmu/Boxing_Toes.bvh', range: [5, 13] },
  { file: 'misc/momask_smpl22.bvh' },
  { file: 'rocketbox/f_walk_fast_02.max.fbx' },
  { file: 'ozz/walk.fbx' },
  {
    file: 'mesh2motion/human-base-animations.DEF.glb',
    clips:
      /^(Jump_Start|Jump_Land|Dance_Loop|Punch_Jab|Punch_Cross|Crouch_Idle_Loop|Crouch_Fwd_Loop|Roll_RM|Roll|Idle_Loop|Swim_Idle_Loop)$/,
  },
  { file: 'samples/motions/walk.glb' },
  { file: 'samples/motions/run-turn.glb' },
  { file: 'samples/motions/jump.glb' },
  { file: 'samples/motions/wave-on-one-leg.glb' },
];

/** Bodies of very different proportions, from a child to a robot; VRM, glTF, FBX and BVH. */
export const BODIES: readonly string[] = [
  'mesh2motion/human-female.glb',
  '100avatars/100Avatars_003_Jimmy.vrm',
  '100avatars/100Avatars_051_Polybot.vrm',
  'npm/xrengine_CyberbotRed.glb',
  'misc/mannequiny-0.3.0.glb',
  'misc/Geno.fbx',
  'rocketbox/Male_Adult_18.fbx',
  'vrm/basic_armature_vrm1.vrm',
  'threejs/RobotExpressive.glb',
  'quaternius/Astronaut_FinnTheFrog-transformed.glb',
  'kaykit/mannequin_v2/manny_med_mod.gltf',
  'cmu/12_01.bvh',
  'samples/characters/child.glb',
  'samples/characters/goblin.glb',
  'samples/characters/robot.glb',
  'samples/characters/vrm-girl.vrm',
];

/** Where a file of the lists stands: ours in the repository, the others beside it. Null where it is not there. */
export function findQualityFile(file: string): string | null {
  let root = new URL('./', import.meta.url);
  while (!existsSync(new URL('package-lock.json', root))) root = new URL('../', root);
  const [folder, ...rest] = file.split('/');
  const url =
    folder === 'samples'
      ? new URL(`samples/files/${rest.join('/')}`, root)
      : new URL(`../shared/data/${file}`, root);
  return existsSync(url) ? fileURLToPath(url) : null;
}
