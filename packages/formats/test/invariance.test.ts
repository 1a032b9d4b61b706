import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { RigMapDocument } from '@stuntdouble/core';
import { read } from '@stuntdouble/formats';
import { describe, expect, it } from 'vitest';
import { pathOf, present } from './data-files.js';
import { differencesOf, subjectOf } from './ways.js';

/*
 * The same rig written down otherwise moves the target alike: other bone axes, another rest, twist joints,
 * other axes, units and places of the file, nodes above the body.
 */

/** A hundred bakes a test. */
const PATIENCE = 180_000;
/** A thousandth of the height, as promised. */
const ALIKE = 1e-3;

const samples = fileURLToPath(new URL('../../../samples/', import.meta.url));
const filesIn = (folder: string) => readdirSync(`${samples}files/${folder}`).sort();

/** Of our motions a few that differ most. */
const MOTIONS = ['walk.glb', 'walk.bvh', 'run-turn.glb', 'jump.glb', 'wave-on-one-leg.glb', 'crawl.glb'];

/** What came out otherwise, as lines to read. */
function unlike(found: ReturnType<typeof differencesOf>): string[] {
  return found
    .filter(({ difference }) => !(difference <= ALIKE))
    .map(({ way, side, difference }) => `${side}, ${way}: ${(100 * difference).toFixed(2)} % of the height`);
}

describe('samples', async () => {
  const map = JSON.parse(readFileSync(`${samples}maps/robot.json`, 'utf8')) as RigMapDocument;
  const characters = await Promise.all(
    filesIn('characters').map(async (file) => {
      const scene = await read(`${samples}files/characters/${file}`);
      return { file, subject: subjectOf(scene, 'target', file === 'robot.glb' ? { map } : {}) };
    }),
  );
  for (const motion of MOTIONS)
    it(`X4, S3, R4, R6, W15: ${motion} on every third character, one of the two written down in every way`, {
      timeout: PATIENCE,
    }, async () => {
      const source = subjectOf(await read(`${samples}files/motions/${motion}`), 'source');
      // By turns, so that every character comes with two motions: once as it is, and once rewritten.
      for (const [n, { file, subject }] of characters.entries()) {
        const turn = n + MOTIONS.indexOf(motion);
        if (turn % 3 !== 0) continue;
        const side = turn % 2 === 0 ? 'source' : 'target';
        expect(unlike(differencesOf(source, subject, side)), `${file}, ${side}`).toEqual([]);
      }
    });
});

/** Source and target, as different as the folder has them: names, units, axes, rest poses, bodies. */
const PAIRS = `
samples/captures/walk-cmu.bvh > samples/characters/knight.glb
samples/captures/walk-lafan1.bvh > samples/characters/vrm0-sister.vrm
samples/captures/walk-smpl.bvh > samples/characters/baker.glb
samples/captures/kneel-lafan1.bvh > samples/characters/goblin.glb
samples/formats/wave.vrma > samples/characters/unreal-mannequin.glb
samples/formats/guy-walk.fbx > samples/characters/alien.glb
samples/motions/jump.glb > samples/captures/walk-biovision.bvh
cmu/02_01.bvh > kaykit/Knight.glb
cmu/05_11.bvh > vrm/basic_armature_vrm1.vrm
cmu/49_06.bvh > 100avatars/100Avatars_003_Jimmy.vrm
cmu/91_48.bvh > threejs/RobotExpressive.glb
threejs/pirouette.bvh > misc/mannequiny-0.3.0.glb
cmu/Boxing_Toes.bvh > mesh2motion/human-female.glb
misc/momask_smpl22.bvh > 100avatars/100Avatars_051_Polybot.vrm
misc/performs_mixamorig_Idle.bvh > vrm/rest_a_pose_t_position_rest.vrm
misc/pybvh_test1.bvh > misc/viverse_mannequin.glb
makehuman/walk1.bvh > npm/xrengine_CyberbotRed.glb
makehuman/tpose.bvh > kaykit/mannequin_v2/manny_med_mod.gltf
kaykit/Knight.glb > vrm/EmissionMigration_v0.107.0.vrm
kaykit/Med_MovementBasic.glb > npm/dcl_walk.glb
threejs/RobotExpressive.glb > mesh2motion/rig-human.glb
misc/mannequiny-0.3.0.glb > makehuman/tpose.bvh
npm/dcl_walk.glb > cmu/12_01.bvh
mesh2motion/human-base-animations.DEF.glb > threejs/RobotExpressive.glb
misc/viverse_walk.glb > quaternius/Astronaut_FinnTheFrog-transformed.glb
quaternius/Astronaut_FinnTheFrog-transformed.glb > misc/viverse_mannequin.glb
vrm/test.vrma > vrm/debug_robot.vrm
vrm/hips_spine_twisting.vrma > kaykit/Knight.glb
mesh2motion/m2m-sample-rig.glb > threejs/pirouette.bvh
misc/viverse_run.glb > misc/pybvh_test1.bvh
cmu/12_01.bvh > misc/momask_smpl22.bvh
threejs/RobotExpressive.glb > quaternius/Astronaut_FinnTheFrog-transformed.glb
misc/Geno_stance.bvh > misc/mannequiny-0.3.0.glb
mesh2motion/broken/m2m-wrong-bone-names.glb > npm/dcl_walk.glb
cmu/91_50.bvh > misc/Geno_bind.bvh`
  .trim()
  .split('\n')
  .map((line) => line.split(' > ') as [string, string]);

describe('our files, and real ones where they are', () => {
  it.each(present(PAIRS))(
    'X4, S3, R4, R6, W15, BP1, BP4: %s on %s, each written down in every way',
    async (from, to) => {
      const source = subjectOf(await read(pathOf(from)), 'source');
      const target = subjectOf(await read(pathOf(to)), 'target');
      for (const side of ['source', 'target'] as const)
        expect(unlike(differencesOf(source, target, side))).toEqual([]);
    },
  );
});
