import { describe, expect, it } from 'vitest';
import { sceneOf, stickFigure, times, turn } from '../../test/stick-figure.js';
import { withStrands } from '../../test/strands.js';
import { invertMatrix } from '../base/math/matrix.js';
import { PASS_NAMES } from '../passes/pipeline.js';
import { retarget } from '../retarget.js';
import type { Clip } from '../scene/clip.js';
import { createModelPose, localToModel } from '../scene/pose.js';
import type { Mesh } from '../scene/scene.js';
import { setUpScenes } from '../setup/set-up-scenes.js';
import { compareMotions } from './comparison.js';
import { measure } from './measure.js';
import { measureCoverage } from './measure-coverage.js';
import { findPops, measurePops } from './measure-pops.js';
import { measureSkin, TORN } from './measure-skin.js';

const mover = stickFigure({ arms: 'T' });
const hips = mover.jointOf('hips');
/** A body that turns and goes ahead. */
const clip: Clip = {
  name: 'turn',
  duration: 1,
  morphs: [],
  tracks: [
    {
      joint: hips,
      channel: 'rotation',
      interpolation: 'linear',
      times: Float32Array.of(0, 0.5, 1),
      values: Float32Array.from([0, 60, 120].flatMap((angle) => [...turn([0, 1, 0], angle)])),
    },
    {
      joint: hips,
      channel: 'translation',
      interpolation: 'linear',
      times: Float32Array.of(0, 1),
      values: Float32Array.from(
        [0, 1].flatMap((z) => [0, mover.skeleton.rest.translations[3 * hips + 1]!, z]),
      ),
    },
  ],
};
const source = sceneOf({ ...mover, clips: [clip] }, 'source');
const body = stickFigure({ names: 'unreal', arms: 'T' });
const target = sceneOf(
  withStrands(body, [
    { name: 'cloth', at: [0.1, 0.9, 0.1], boundTo: { pelvis: 1 } },
    { name: 'kite', at: [0, 5, 0] },
  ]),
  'target',
);
const { skeleton } = target.characters[0]!;

/** A triangle from the hips to the cloth: two vertices on the first, one on the second. */
function clothMesh(): Mesh {
  const model = createModelPose(skeleton.names.length);
  localToModel(model, skeleton, skeleton.rest);
  const inverseBinds = new Float64Array(16 * skeleton.names.length);
  skeleton.names.forEach((_, joint) => {
    invertMatrix(inverseBinds, 16 * joint, model.matrices, 16 * joint);
  });
  const [pelvis, cloth] = [body.jointOf('hips'), skeleton.names.indexOf('cloth')];
  return {
    name: 'cloth',
    positions: Float32Array.of(0, 0.95, 0.05, 0.05, 0.95, 0.05, 0.1, 0.9, 0.1),
    normals: null,
    triangles: Uint32Array.of(0, 1, 2),
    color: [1, 1, 1],
    character: 0,
    skin: {
      joints: Uint16Array.of(pelvis, 0, 0, 0, pelvis, 0, 0, 0, cloth, 0, 0, 0),
      weights: Float32Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0),
      inverseBinds,
    },
    joint: null,
  };
}

describe('skin that stays behind', () => {
  const { setup } = setUpScenes(source, target);

  it('is torn where nothing carries it, with the joint named, and whole where it follows', () => {
    const whole = retarget(source, target, { measure: false, keys: 'bake' }).clips[0]!;
    const passes = PASS_NAMES.filter((name) => name !== 'followSkin');
    const torn = retarget(source, target, { measure: false, keys: 'bake', passes }).clips[0]!;
    const meshes = [clothMesh()];
    const [good, bad] = [measureSkin(setup, whole, meshes), measureSkin(setup, torn, meshes)];
    expect(good.stretch).toBeCloseTo(1, 3);
    expect(good.torn).toEqual([]);
    expect(bad.stretch).toBeGreaterThan(TORN);
    expect(bad.torn).toEqual(['cloth']);
    expect(bad.curves.stretch).toHaveLength(bad.instants);
    expect(bad.curves.stretch[0]).toBeLessThan(TORN);
    // The kite is bound to nothing, and stays where the body leaves.
    expect(good.drift).toBeGreaterThan(5);
    expect(measureSkin(setup, whole, meshes, 7).instants).toBe(7);
  });

  it('counts for coverage, in the report and by measure', () => {
    const { report, clips } = retarget(source, target, { keys: 'bake' });
    const all = skeleton.bonds!.weights.reduce((sum, weight) => sum + weight, 0);
    expect(report.coverage!.driven).toBeCloseTo(1 - 10 / all, 9);
    expect(report.coverage!.left).toEqual(['kite']);
    expect(measureCoverage(setup)!.confidence).toBeGreaterThan(0.5);
    const result = { ...target, characters: [{ skeleton, clips }] };
    const measured = measure(source, result, { meshes: [clothMesh()], curves: true });
    expect(measured.clips[0]!.skin!.stretch).toBeCloseTo(1, 3);
    expect(measured.curves[0]!.skin!.stretch.length).toBe(30);
    expect(measured.coverage).toEqual(report.coverage);
  });
});

describe('pops', () => {
  it('are counted where a joint leaps and the copy does not, with a curve', () => {
    const { setup } = setUpScenes(source, target);
    const { clips } = retarget(source, target, { measure: false, keys: 'bake', frameRate: 60 });
    const smooth = measurePops(compareMotions(setup, clip, clips[0]!))!;
    expect(smooth.count).toBe(0);
    const arm = body.jointOf('leftLowerArm');
    const leaping: Clip = {
      ...clips[0]!,
      tracks: [...clips[0]!.tracks.filter(({ joint }) => joint !== arm)],
    };
    const rest = skeleton.rest.rotations.slice(4 * arm, 4 * arm + 4);
    leaping.tracks.push({
      joint: arm,
      channel: 'rotation',
      interpolation: 'step',
      times: Float32Array.of(0, 0.5),
      values: Float32Array.from([...rest, ...times(rest, turn([0, 1, 0], 20))]),
    });
    const comparison = compareMotions(setup, clip, leaping);
    const curve = new Array<number>(comparison.count).fill(0);
    for (const { k, change } of findPops(comparison)) curve[k] = Math.max(curve[k]!, change);
    const found = measurePops(comparison)!;
    expect(found.joints).toEqual([skeleton.names[arm]]);
    expect(found.worst).toBeGreaterThan(19);
    expect(found.count).toBe(2);
    expect(curve.filter((value) => value > 0)).toHaveLength(2);
  });
});
