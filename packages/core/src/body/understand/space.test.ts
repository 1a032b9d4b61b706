import { describe, expect, it } from 'vitest';
import { underNode, withTurnedFile } from '../../../test/reexpress.js';
import { type Figure, stickFigure, times, turn } from '../../../test/stick-figure.js';
import type { Vec3 } from '../../base/math/vector.js';
import type { Clip } from '../../scene/clip.js';
import { poseAt } from '../../scene/clip.js';
import { modelPoseOf } from '../../scene/pose.js';
import { AXIS_VECTORS, type Axis, createSkeleton, nearestAxis } from '../../scene/skeleton.js';
import { bodyPoseOf } from '../body.js';
import { createRig } from './create-rig.js';
import { guessUp } from './guess-up.js';
import { containerOf, guessFacing, guessUnit } from './space.js';

const NOTHING = { up: null, facing: null, unit: null };
const rigOf = (figure: Figure) => {
  const { skeleton, clips } = stickFigure(figure);
  return createRig(skeleton, { clips });
};

describe('an empty skeleton', () => {
  const { skeleton } = createSkeleton('empty', []);
  it('is taken to stand along +Y and to face +Z in metres, and each is said', () => {
    const { up, warnings } = guessUp(skeleton, {}, []);
    expect(up.direction).toEqual([0, 1, 0]);
    expect(warnings.map(({ code }) => code)).toEqual(['up-guessed']);
    const body = bodyPoseOf(skeleton, skeleton.rest, {});
    expect(guessFacing(skeleton, body, [0, 1, 0])).toMatchObject({
      facing: { direction: [0, 0, 1] },
      warnings: [{ code: 'facing-guessed' }],
    });
    expect(guessUnit(skeleton, body, [0, 1, 0]).unit.metres).toBe(1);
  });
});

describe('nearestAxis', () => {
  it('finds each axis and how far off a direction is', () => {
    for (const axis of Object.keys(AXIS_VECTORS) as Axis[])
      expect(nearestAxis([...AXIS_VECTORS[axis]] as Vec3)).toEqual({ axis, angle: 0 });
    expect(nearestAxis([0.1, -1, 0]).axis).toBe('-Y');
  });
});

describe('up', () => {
  it.each(['+Y', '+Z', '+X'] as const)('R6: a body along %s, where the file says nothing', (up) => {
    const rig = rigOf({ up, declared: NOTHING });
    expect(rig.space.up.direction).toEqual([...AXIS_VECTORS[up]]);
    expect(rig.warnings.map(({ code }) => code)).not.toContain('up-guessed');
  });

  it('R6: a body along another axis than the file says is believed, and it is said', () => {
    const rig = rigOf({ up: '+Z' });
    expect(rig.space.up.direction).toEqual([0, 0, 1]);
    expect(rig.warnings.map(({ code }) => code)).toContain('up-guessed');
  });

  it('a body that leans is not a body along another axis', () => {
    const leaning = withTurnedFile(stickFigure(), turn([1, 0, 0], 30));
    expect(createRig(leaning.skeleton).space.up.direction).toEqual([0, 1, 0]);
  });

  it('a folded zero pose has no say: the clip shows where up is', () => {
    // Legs laid along the torso, as in captures whose zero pose lays all bones along one axis.
    const figure = stickFigure({ up: '+Z', declared: NOTHING });
    const { skeleton, jointOf } = figure;
    for (const side of ['left', 'right']) {
      const at = 4 * jointOf(`${side}UpperLeg`);
      const folded = times(turn([1, 0, 0], 180), skeleton.rest.rotations.slice(at, at + 4));
      skeleton.rest.rotations.set(folded, at);
    }
    expect(createRig(skeleton, { clips: figure.clips }).space.up.direction).toEqual([0, 0, 1]);
  });

  it('a clip in which the body lies does not turn a body that rests standing as its file says', () => {
    const { skeleton, jointOf } = stickFigure();
    const lie: Clip = {
      name: 'lie',
      duration: 1,
      tracks: [
        {
          joint: jointOf('hips'),
          channel: 'rotation',
          interpolation: 'linear',
          times: Float32Array.of(0),
          values: Float32Array.from(turn([1, 0, 0], -90)),
        },
      ],
      morphs: [],
    };
    expect(createRig(skeleton, { clips: [lie] }).space.up.direction).toEqual([0, 1, 0]);
    const bound = { ...skeleton, bind: skeleton.rest, rest: poseAt(skeleton, lie, 0) };
    expect(createRig(bound, { clips: [lie] }).space.up.direction).toEqual([0, 1, 0]);
    // A file that rests lying does not overrule what its format says, either: nothing stands on the plane of its origin.
    const lying = { ...skeleton, rest: poseAt(skeleton, lie, 0) };
    expect(createRig(lying, { clips: [lie] }).space.up.direction).toEqual([0, 1, 0]);
  });
});

describe('facing', () => {
  it.each([0, 33, 90, 180, 270])('R6: turned by %s degrees, model space is the same', (facing) => {
    const plain = rigOf({});
    const rig = rigOf({ facing });
    const a = modelPoseOf(plain.skeleton, plain.reference.pose).matrices;
    modelPoseOf(rig.skeleton, rig.reference.pose).matrices.forEach((value, i) => {
      if (i % 16 >= 12) expect(value).toBeCloseTo(a[i]!, 9);
    });
  });

  it('snaps a stride to the axis of what carries it, wherever that is turned to', () => {
    const figure = stickFigure();
    const { skeleton, jointOf } = figure;
    // Hips turned 10 degrees into a step, one arm forward: not symmetric, so the heading is not the hips'.
    skeleton.rest.rotations.set(turn([0, 1, 0], 10), 4 * jointOf('hips'));
    skeleton.rest.rotations.set(turn([0, 1, 0], 60), 4 * jointOf('rightUpperArm'));
    const above = underNode(figure, { name: 'Armature' });
    expect(createRig(above.skeleton).space.facing.direction).toEqual([0, 0, 1]);
    const turned = underNode(above, { rotation: turn([0, 1, 0], 33), name: 'Stage' });
    const [x, , z] = createRig(turned.skeleton).space.facing.direction;
    expect((Math.atan2(x, z) * 180) / Math.PI).toBeCloseTo(33, 9);
  });

  it("takes the file's word where the body has no sides", () => {
    const { skeleton } = createSkeleton(
      'pole',
      [
        { name: 'Hips', parent: -1 },
        { name: 'Head', parent: 0, translation: [0, 1, 0] },
      ],
      { declared: { up: '+Y', facing: '-X', unit: 1 } },
    );
    expect(createRig(skeleton).space.facing).toMatchObject({ direction: [-1, 0, 0] });
  });
});

describe('unit', () => {
  it.each([
    [1, 1],
    [0.01, 0.01],
    [0.1, 0.1],
    [0.001, 0.001],
    [0.0254, 0.0254],
    [0.0254 / 0.45, 0.0254 / 0.45],
  ])('W15: a body in units of %s m without a word is read as such', (unit, expected) => {
    const rig = rigOf({ unit, declared: NOTHING });
    expect(rig.space.unit.metres).toBeCloseTo(expected, 9);
    expect(rig.space.height).toBeCloseTo(1.63, 1);
    expect(rig.warnings.map(({ code }) => code)).toContain('unit-guessed');
  });

  it('W15: the word of a capture is doubted where nobody is so small or so tall: names stay when units are changed', () => {
    const cmu = 0.0254 / 0.45;
    const told = rigOf({ unit: cmu, declared: { ...NOTHING, unit: cmu, capture: true } });
    expect(told.space.unit).toMatchObject({ metres: cmu, confidence: 1 });
    expect(told.warnings.map(({ code }) => code)).not.toContain('unit-guessed');
    for (const unit of [1, 0.001, 0.0254]) {
      const rig = rigOf({ unit, declared: { ...NOTHING, unit: cmu, capture: true } });
      expect(rig.space.unit.metres).toBe(unit);
      expect(rig.space.unit.confidence).toBeLessThan(1);
      expect(rig.space.height).toBeCloseTo(1.63, 1);
      expect(rig.warnings.map(({ code }) => code)).toContain('unit-guessed');
    }
  });

  it('is never doubted where the file says it: giants are giants', () => {
    const rig = rigOf({ size: 100 });
    expect(rig.space.unit.metres).toBe(1);
    expect(rig.space.height).toBeGreaterThan(100);
  });
});

describe('containerOf', () => {
  it('is a rotation times the unit, even where up and facing are not square', () => {
    const { skeleton } = stickFigure();
    const m = containerOf(skeleton, [0, 1, 0], [0.6, 0.5, 0.6], 0.01);
    const column = (c: number) => [m[4 * c]!, m[4 * c + 1]!, m[4 * c + 2]!];
    const dot = (a: number[], b: number[]) => a.reduce((sum, x, i) => sum + x * b[i]!, 0);
    for (let a = 0; a < 3; a++)
      for (let b = 0; b < 3; b++) expect(dot(column(a), column(b))).toBeCloseTo(a === b ? 1e-4 : 0, 12);
  });
});

describe('what a skeleton hangs on', () => {
  const codes = (...scale: [number, number, number]) => {
    const { skeleton } = stickFigure();
    for (let i = 0; i < 16; i++) if (i % 4 < 3) skeleton.container[i]! *= scale[i % 4]!;
    return createRig(skeleton).warnings.filter(({ code }) => code === 'placement-distorted');
  };

  it('may move, turn and scale it, and is told of where it mirrors or stretches it', () => {
    expect(codes(3, 3, 3)).toEqual([]);
    expect(codes(1, 1.005, 1)).toEqual([]);
    expect(codes(-1, 1, 1)[0]!.message).toContain('mirrored');
    expect(codes(1, 1.1, 1)[0]!.message).toContain('stretched');
  });
});
