import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { RetargetOptions } from '@stuntdouble/core';
import { findQualityFile } from '../quality-files.js';

/** Which files a pair is of: our own, or those of the data folder. */
export const HASHED_PARTS = ['samples', 'data'] as const;

/** One of {@link HASHED_PARTS}. */
export type HashedPart = (typeof HASHED_PARTS)[number];

/** A motion and a body it is moved onto: files of ours (`samples/…`) or from the data folder. */
export type HashedPair = {
  part: HashedPart;
  source: string;
  target: string;
  /** The clip that is moved, or all; the first if left out. */
  clip?: string | { all: true };
  /** The second of the clip where the part of {@link LONGEST_PART} begins; its start if left out. */
  from?: number;
  /** A map of ours, by its file in `samples/maps`. */
  map?: string;
};

/** What the pair is called in lists. */
export function pairName({ source, target, map }: HashedPair): string {
  return `${source} → ${target}${map ? ` by ${map}` : ''}`;
}

/** How many seconds of a clip of the data folder are moved: the budget of a whole run is made of it. */
export const LONGEST_PART = 2;

/** Every sample on every sample, whole; those with a map of their own once more with it. */
export function samplePairs(): HashedPair[] {
  const files = ['characters', 'motions'].flatMap((folder) => listSamples(`files/${folder}`));
  const maps = listSamples('maps');
  const mapOf = (file: string) =>
    maps.find((map) => file.includes(`/${map.slice(0, map.length - '.json'.length)}.`));
  return files.flatMap((source) =>
    files.flatMap((target): HashedPair[] => {
      const pair = { part: 'samples' as const, source: `samples/${source}`, target: `samples/${target}` };
      const map = mapOf(target) ?? mapOf(source);
      return map ? [pair, { ...pair, map }] : [pair];
    }),
  );
}

/** The files in a folder of the samples, in order: `characters/child.glb`, or without folder for `maps`. */
function listSamples(folder: string): string[] {
  const path = fileURLToPath(new URL(folder, samplesRoot()));
  const inside = folder.startsWith('files/') ? `${folder.slice('files/'.length)}/` : '';
  return readdirSync(path)
    .sort()
    .map((name) => `${inside}${name}`);
}

/** The compiled module lies one folder deeper. */
function samplesRoot(): URL {
  return new URL(
    import.meta.url.includes('/dist/') ? '../../../samples/' : '../../samples/',
    import.meta.url,
  );
}

/** A saved map, by its file in `samples/maps`. */
export function readSampleMap(file: string): NonNullable<RetargetOptions['map']> {
  return JSON.parse(readFileSync(new URL(`maps/${file}`, samplesRoot()), 'utf8'));
}

const pair = (source: string, target: string, more: Pick<HashedPair, 'clip' | 'from'> = {}): HashedPair => ({
  part: 'data',
  source,
  target,
  ...more,
});

const ALL = { clip: { all: true } } as const;

/**
 * A spread of the data folder. The rule: every folder is once a source or a target, every format both where it can be
 * (a `.vrma` is no body), every kind of body is moved onto its own kind, once onto another; captures that stand, jump,
 * crawl, lie and climb; and files that are refused.
 */
const DATA_PAIRS: readonly HashedPair[] = [
  pair('cmu/12_01.bvh', 'mesh2motion/human-female.glb'),
  pair('cmu/69_08.bvh', '100avatars/100Avatars_003_Jimmy.vrm', { from: 10 }),
  pair('cmu/91_48.bvh', 'cmu/91_48.daz.fbx', { from: 1 }),
  pair('cmu/91_50.daz.fbx', 'misc/Geno.fbx', { from: 2 }),
  pair('cmu/49_06.bvh', '100avatars/100Avatars_051_Polybot.vrm', { from: 1 }),
  pair('cmu/Boxing_Toes.bvh', 'rocketbox/Male_Adult_18.fbx', { from: 5 }),
  pair('cmu/111_03.bvh', 'misc/mannequiny-0.3.0.glb', { from: 5 }),
  pair('cmu/77_18.bvh', '100avatars/100Avatars_003_Jimmy.fbx', { from: 2 }),
  pair('cmu/13_36.bvh', 'kaykit/mannequin_v2/manny_med_mod.gltf', { from: 3 }),
  pair('cmu/22_03.bvh', 'cmu/23_03.bvh', { from: 2 }),
  pair('cmu/02_01.bvh', 'ufbx/maya_human_ik_7400_binary.fbx'),
  pair('threejs/pirouette.bvh', 'threejs/RobotExpressive.glb', { from: 1 }),
  pair('threejs/RobotExpressive.glb', 'npm/xrengine_CyberbotRed.glb', { clip: 'Dance' }),
  pair('rocketbox/f_walk_fast_02.max.fbx', 'rocketbox/Male_Adult_18.fbx'),
  pair('rocketbox/f_cheer_03.max.fbx', 'makehuman/tpose.bvh'),
  pair('ozz/walk.fbx', 'khronos/CesiumMan.glb'),
  pair('makehuman/walk1.bvh', 'misc/viverse_mannequin.glb'),
  pair('misc/viverse_walk.glb', 'mesh2motion/rig-human.glb'),
  pair('misc/momask_smpl22.bvh', 'vrm/basic_armature_vrm1.vrm'),
  pair('misc/performs_mixamorig_Idle.bvh', '100avatars/100Avatars_003_Jimmy.vrm'),
  pair('misc/pybvh_test1.bvh', 'vrm/debug_robot.vrm'),
  pair('npm/dcl_walk.glb', 'vrm/rest_a_pose_t_position_rest.vrm'),
  pair('kaykit/Med_MovementBasic.glb', 'kaykit/Knight.glb', ALL),
  pair('kaykit/Knight.glb', 'quaternius/Astronaut_FinnTheFrog-transformed.glb', { clip: 'Walking_A' }),
  pair('mesh2motion/human-base-animations.DEF.glb', 'vrm/EmissionMigration_v0.107.0.vrm', {
    clip: 'Walk_Loop',
  }),
  pair('mesh2motion/human-base-animations.DEF.glb', 'misc/Geno.fbx', { clip: 'Dance_Loop' }),
  pair('misc/viverse_run.glb', 'threejs/RobotExpressive.glb'),
  pair('threejs/RobotExpressive.glb', 'threejs/RobotExpressive.glb', { clip: 'Walking' }),
  pair('vrm/test.vrma', '100avatars/100Avatars_003_Jimmy.vrm'),
  pair('vrm/hips_spine_twisting.vrma', 'vrm/basic_armature_vrm1.vrm'),
  pair('misc/mannequiny-0.3.0.glb', 'quaternius/Enemy_2Legs.glb', { clip: 'fight_kick' }),
  pair('mesh2motion/broken/m2m-wrong-bone-names.glb', 'mesh2motion/m2m-sample-rig.glb'),
  pair('mesh2motion/broken/m2m-valid-but-no-animation-data.glb', 'mesh2motion/human-female.glb'),
  pair('quaternius/Wolf.glb', 'quaternius/Fox.glb', { clip: 'AnimalArmature|Gallop' }),
  pair('khronos/Fox.glb', 'mesh2motion/fox-cat.glb', { clip: 'Walk' }),
  pair('mesh2motion/fox-animations.glb', 'rocketbox/Dog_Beagle_01.fbx'),
  pair('quaternius/Spider.glb', 'mesh2motion/spider-animations.glb'),
  pair('mesh2motion/snake-animations.glb', 'quaternius/Snake.glb'),
  pair('mesh2motion/bird-animations.glb', 'mesh2motion/bird-eagle.glb', ALL),
  pair('mesh2motion/dragon-animations.glb', 'mesh2motion/bird-eagle.glb'),
  pair('quaternius/Trex.glb', 'mesh2motion/bird-eagle.glb'),
  pair('quaternius/Shark.glb', 'mesh2motion/snake-animations.glb'),
  pair('misc/alien.bvh', 'misc/rotation_first_root.bvh'),
  pair('misc/viverse_walk.glb', 'misc/kenney_character.glb'),
  pair('cmu/12_01.bvh', 'quaternius/Wolf.glb'),
  pair('khronos/RecursiveSkeletons.glb', 'khronos/RecursiveSkeletons.glb'),
  pair('khronos/MorphStressTest.glb', 'khronos/MorphStressTest.glb', ALL),
  pair('khronos/RiggedFigure-Draco/RiggedFigure.gltf', 'khronos/CesiumMan.glb'),
  pair('khronos/CesiumMan.glb', 'khronos/SimpleSkin.gltf'),
  pair('assimp/huesitos.fbx', 'assimp/huesitos.fbx'),
  pair('ufbx/maya_anim_no_inherit_scale_7700_ascii.fbx', 'ufbx/synthetic_broken_cluster_7500_ascii.fbx'),
  pair('npm/webxr_hand_left.glb', 'npm/webxr_hand_right.glb'),
];

/** {@link DATA_PAIRS} whose files are there, and the names of those that are not. */
export function dataPairs(): { pairs: HashedPair[]; missing: string[] } {
  const missing = new Set<string>();
  const pairs = DATA_PAIRS.filter(({ source, target }) => {
    const absent = [source, target].filter((file) => findQualityFile(file) === null);
    for (const file of absent) missing.add(file);
    return absent.length === 0;
  });
  return { pairs, missing: [...missing] };
}
