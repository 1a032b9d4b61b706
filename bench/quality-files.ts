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
 * Kinds of motions: *steps* are walks, runs, jumps, boxing and dances; then what is carried by other parts than feet, or
 * by nothing; *others* are crouches, idling, swimming, and a generated motion whose feet hover.
 */
export const MOTION_KINDS = [
  'steps',
  'lying',
  'kneeling',
  'crawling',
  'sitting',
  'climbing',
  'carrying',
  'inverted',
  'others',
] as const;

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
  { kind: 'inverted', file: 'cmu/49_06.bvh' },
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
    clips: /^(Crouch|Idle_Loop|Swim_Idle|Sword_Attack)/,
  },
  { kind: 'inverted', file: 'mesh2motion/human-base-animations.DEF.glb', clips: /^Roll/ },
  { kind: 'kneeling', file: 'mesh2motion/human-base-animations.DEF.glb', clips: /^Fixing_Kneeling/ },
  { kind: 'lying', file: 'mesh2motion/human-base-animations.DEF.glb', clips: /^Death01/ },
  { kind: 'sitting', file: 'mesh2motion/human-base-animations.DEF.glb', clips: /^Sitting_Enter/ },
  { kind: 'lying', file: 'samples/motions/lie-down.glb' },
  { kind: 'lying', file: 'samples/captures/lie-down-cmu.bvh' },
  { kind: 'lying', file: 'cmu/77_18.bvh' },
  { kind: 'lying', file: 'cmu/114_02.bvh', range: [0, 8] },
  { kind: 'kneeling', file: 'samples/motions/kneel.glb' },
  { kind: 'kneeling', file: 'cmu/23_03.bvh' },
  { kind: 'crawling', file: 'samples/motions/crawl.glb' },
  { kind: 'crawling', file: 'cmu/111_03.bvh', range: [0, 6] },
  { kind: 'sitting', file: 'samples/motions/sit-down.glb' },
  { kind: 'sitting', file: 'samples/motions/sit-on-ground.glb' },
  { kind: 'sitting', file: 'cmu/82_05.bvh', range: [0, 8] },
  { kind: 'sitting', file: 'cmu/22_03.bvh' },
  { kind: 'climbing', file: 'samples/motions/climb.glb' },
  { kind: 'climbing', file: 'cmu/13_36.bvh', range: [0, 8] },
  { kind: 'carrying', file: 'samples/motions/carry-box.glb' },
  { kind: 'carrying', file: 'samples/motions/pick-up.glb' },
  { kind: 'carrying', file: 'cmu/111_36.bvh', range: [0, 6] },
  { kind: 'carrying', file: 'cmu/26_10.bvh' },
];

/** Builds of bodies, by what sets them apart. */
export const BUILDS = ['grown up', 'child', 'large head', 'fat', 'thin', 'robot'] as const;

/** One of {@link BUILDS}. */
export type Build = (typeof BUILDS)[number];

/** Bodies of very different proportions and their builds; VRM, glTF, FBX and BVH. */
export const BODY_BUILDS: Readonly<Record<string, Build>> = {
  'mesh2motion/human-female.glb': 'grown up',
  '100avatars/100Avatars_003_Jimmy.vrm': 'grown up',
  '100avatars/100Avatars_051_Polybot.vrm': 'robot',
  'npm/xrengine_CyberbotRed.glb': 'robot',
  'misc/mannequiny-0.3.0.glb': 'grown up',
  'misc/Geno.fbx': 'grown up',
  'rocketbox/Male_Adult_18.fbx': 'grown up',
  'vrm/basic_armature_vrm1.vrm': 'grown up',
  'threejs/RobotExpressive.glb': 'robot',
  'quaternius/Astronaut_FinnTheFrog-transformed.glb': 'large head',
  'kaykit/mannequin_v2/manny_med_mod.gltf': 'large head',
  'cmu/12_01.bvh': 'grown up',
  'samples/characters/child.glb': 'child',
  'samples/characters/goblin.glb': 'large head',
  'samples/characters/robot.glb': 'robot',
  'samples/characters/vrm-girl.vrm': 'grown up',
  'samples/characters/baker.glb': 'fat',
  'samples/characters/alien.glb': 'thin',
  'samples/characters/knight.glb': 'grown up',
};

/** The bodies of {@link BODY_BUILDS}. */
export const BODIES: readonly string[] = Object.keys(BODY_BUILDS);

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
