import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * A file with the clips of it that count: those whose names match, and of a long take the seconds from and to.
 * `kind` says what they are: what the figures are asked of, or anything else.
 */
export type QualityMotion = {
  file: string;
  kind: MotionKind;
  clips?: RegExp;
  range?: [number, number];
};

/**
 * Kinds of motions: *steps* are walks, runs, jumps, boxing, a cartwheel and dances, *others* crouches, rolls, lying,
 * sitting, idling, swimming, and a generated motion whose feet hover.
 */
export const MOTION_KINDS = ['steps', 'others'] as const;

/** One of {@link MOTION_KINDS}. */
export type MotionKind = (typeof MOTION_KINDS)[number];

/**
 * Every walk, run, jump, dance, the boxing and the cartwheel of the data folder and our own, captured and made by
 * hand, with travel and on the spot; and others, those that come out badly too.
 */
export const MOTIONS: readonly QualityMotion[] = [
  { kind: 'steps', file: 'cmu/02_01.bvh' },
  { kind: 'steps', file: 'cmu/12_01.bvh' },
  { kind: 'steps', file: 'cmu/69_08.bvh', range: [10, 22] },
  { kind: 'steps', file: 'cmu/05_11.bvh' },
  { kind: 'steps', file: 'cmu/91_48.bvh' },
  { kind: 'steps', file: 'cmu/91_50.bvh' },
  { kind: 'steps', file: 'cmu/49_06.bvh' },
  { kind: 'steps', file: 'cmu/Boxing_Toes.bvh', range: [5, 13] },
  { kind: 'steps', file: 'threejs/pirouette.bvh' },
  { kind: 'steps', file: 'makehuman/walk1.bvh' },
  { kind: 'steps', file: 'rocketbox/f_walk_fast_02.max.fbx' },
  { kind: 'steps', file: 'ozz/walk.fbx' },
  { kind: 'steps', file: 'npm/dcl_walk.glb' },
  { kind: 'steps', file: 'misc/viverse_walk.glb' },
  { kind: 'steps', file: 'misc/viverse_run.glb' },
  { kind: 'steps', file: 'kaykit/Med_MovementBasic.glb', clips: /Walking|Running|Jump/ },
  {
    kind: 'steps',
    file: 'mesh2motion/human-base-animations.DEF.glb',
    clips: /^(Walk|Jog|Sprint|Jump|Punch|Dance)/,
  },
  { kind: 'steps', file: 'samples/motions/walk.glb' },
  { kind: 'steps', file: 'samples/motions/run-turn.glb' },
  { kind: 'steps', file: 'samples/motions/jump.glb' },
  { kind: 'others', file: 'samples/motions/wave-on-one-leg.glb' },
  { kind: 'others', file: 'misc/momask_smpl22.bvh' },
  {
    kind: 'others',
    file: 'mesh2motion/human-base-animations.DEF.glb',
    clips: /^(Crouch|Roll|Idle_Loop|Swim_Idle|Sword_Attack|Fixing_Kneeling|Death01|Sitting_Enter)/,
  },
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

/** The folder of real files, which STUNTDOUBLE_DATA may name. */
function dataFolderOf(root: URL): URL {
  return new URL(process.env.STUNTDOUBLE_DATA ?? '../shared/data/', root);
}

/** Where a file of the lists stands: ours in the repository, the others beside it. Null where it is not there. */
export function findQualityFile(file: string): string | null {
  let root = new URL('./', import.meta.url);
  while (!existsSync(new URL('package-lock.json', root))) root = new URL('../', root);
  const [folder, ...rest] = file.split('/');
  const url =
    folder === 'samples'
      ? new URL(`samples/files/${rest.join('/')}`, root)
      : new URL(file, dataFolderOf(root));
  return existsSync(url) ? fileURLToPath(url) : null;
}
