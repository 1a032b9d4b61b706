import {
  createBindPlayer,
  createRetargetedBind,
  createRetargeter,
  type Mesh,
  modelPoseOf,
  multiplyMatrices,
  poseAt,
  retargetInverseBinds,
  type Setup,
} from '@stuntdouble/core/engine';
import { read, readMeshes } from '@stuntdouble/formats';
import { describe, expect, it } from 'vitest';
import { setUpScenesPlainly } from '../../core/test/plainly.js';
import { pathOf, present } from './data-files.js';

/*
 * A mesh skinned by new inverse binds and the source's own animation stands where the usual way puts it: real
 * meshes, vertex by vertex.
 */

/** Of the height, as promised. */
const ALIKE = 1e-4;

/** xyz of every so-many-th vertex: Σ weight · matrix · vertex. */
function skin(mesh: Mesh, matrices: Float64Array, step: number): number[] {
  const { joints, weights } = mesh.skin!;
  const out: number[] = [];
  for (let v = 0; v < mesh.positions.length / 3; v += step) {
    const sum = [0, 0, 0];
    let all = 0;
    for (let k = 4 * v; k < 4 * v + 4; k++) {
      const m = 16 * joints[k]!;
      const w = weights[k]!;
      if (!(w > 0) || !(matrices[m + 15]! > 0)) continue;
      all += w;
      for (let r = 0; r < 3; r++)
        sum[r] =
          sum[r]! +
          w *
            (matrices[m + r]! * mesh.positions[3 * v]! +
              matrices[m + 4 + r]! * mesh.positions[3 * v + 1]! +
              matrices[m + 8 + r]! * mesh.positions[3 * v + 2]! +
              matrices[m + 12 + r]!);
    }
    out.push(...sum.map((x) => x / (all || 1)));
  }
  return out;
}

/** The largest distance between the two ways, as a part of the body's height, and how many vertices were looked at. */
function compare(setup: Setup, meshes: readonly Mesh[], clip: Parameters<typeof poseAt>[1]) {
  const bind = createRetargetedBind(setup);
  const retargeter = createRetargeter(setup, { passes: ['copyRotations', 'moveRoot'] });
  let worst = 0;
  let moved = 0;
  let vertices = 0;
  for (const mesh of meshes) {
    const own = mesh.skin!.inverseBinds;
    const player = createBindPlayer(bind, retargetInverseBinds(bind, own));
    const usual = new Float64Array(own.length);
    const step = Math.max(1, Math.floor(mesh.positions.length / 3 / 400));
    const still = skin(mesh, player.update(setup.source.reference.pose).slice(), step);
    for (let k = 0; k < 5; k++) {
      const pose = poseAt(setup.source.skeleton, clip, (clip.duration * k) / 4);
      const model = modelPoseOf(setup.target.skeleton, retargeter.update(pose));
      for (let j = 0; j < own.length; j += 16)
        if (own[j + 15] !== 0) multiplyMatrices(usual, j, model.matrices, j, own, j);
      const a = skin(mesh, usual, step);
      const b = skin(mesh, player.update(pose), step);
      for (let i = 0; i < a.length; i += 3) {
        worst = Math.max(worst, Math.hypot(a[i]! - b[i]!, a[i + 1]! - b[i + 1]!, a[i + 2]! - b[i + 2]!));
        moved = Math.max(
          moved,
          Math.hypot(b[i]! - still[i]!, b[i + 1]! - still[i + 1]!, b[i + 2]! - still[i + 2]!),
        );
      }
      vertices += a.length / 3;
    }
  }
  const { height } = setup.target.space;
  return { worst: worst / height, moved: moved / height, vertices };
}

/** Source, target, and why the pair is here. */
const PAIRS = present([
  ['samples/motions/walk.glb', 'samples/characters/vrm-girl.vrm', 'T on T, other bone axes'],
  ['samples/motions/jump.glb', 'samples/characters/goblin.glb', 'other proportions and rest pose'],
  ['samples/captures/walk-cmu.bvh', 'samples/characters/baker.glb', 'a capture on twist joints'],
  ['samples/motions/wave-on-one-leg.glb', 'samples/formats/child-draco.glb', 'Draco'],
  ['samples/motions/walk.bvh', 'samples/formats/child-greeting.fbx', 'FBX in centimetres'],
  ['misc/viverse_walk.glb', 'misc/viverse_mannequin.glb', 'one rig, meshopt'],
  ['mesh2motion/human-base-animations.DEF.glb', 'misc/viverse_mannequin.glb', 'T on T, other bone axes'],
  ['mesh2motion/m2m-sample-rig.glb', 'mesh2motion/human-female.glb', 'one to one, other proportions'],
  ['misc/viverse_walk.glb', 'rocketbox/Male_Adult_18.fbx', 'T on an A-pose, fingers and face'],
  ['cmu/02_01.bvh', '100avatars/100Avatars_051_Polybot.vrm', 'a capture on an A-pose robot'],
  ['threejs/RobotExpressive.glb', 'kaykit/Knight.glb', 'scaled armature, rest is not bind'],
  ['cmu/05_11.bvh', 'threejs/RobotExpressive.glb', 'onto scaled binds'],
  ['misc/performs_mixamorig_Idle.bvh', '100avatars/100Avatars_003_Jimmy.fbx', 'FBX in centimetres'],
  ['quaternius/Fox.glb', 'quaternius/Wolf.glb', 'animals'],
] as const);

describe('retargeted bind poses', () => {
  for (const [from, to, why] of PAIRS)
    it(`X5, S2, S6, S7: ${from} drives the mesh of ${to} unchanged (${why})`, async () => {
      const source = await read(pathOf(from));
      const target = await read(pathOf(to));
      const { setup, sourceIndex, targetIndex } = setUpScenesPlainly(source, target, {});
      const meshes = (await readMeshes(target)).filter(
        ({ skin: bound, character }) => bound && character === targetIndex,
      );
      const { clips } = source.characters[sourceIndex]!;
      const longest = clips.reduce((a, b) => (b.duration > a.duration ? b : a));
      const clip = clips.find(({ name }) => name === 'Walk_Loop') ?? longest;
      const { worst, moved, vertices } = compare(setup, meshes, clip);
      expect(vertices).toBeGreaterThan(500);
      expect(moved).toBeGreaterThan(0.02);
      expect(worst).toBeLessThan(ALIKE);
    });
});
