import { describe, expect, it } from 'vitest';
import { withOtherUnit, withTurnedFile } from '../../test/reexpress.js';
import { stickFigure, turn } from '../../test/stick-figure.js';
import type { Vec3 } from '../base/math/vector.js';
import { createRig } from '../body/understand/create-rig.js';
import { hipHeightOf } from '../contacts/body-points.js';
import { createRigMap } from '../map/create-rig-map.js';
import type { Setup } from '../passes/pass.js';
import type { Clip, Track } from '../scene/clip.js';
import type { Character } from '../scene/scene.js';
import { createSetup } from '../setup/create-setup.js';
import { retargetClip } from '../ways/retarget-clip.js';
import { compareMotions } from './comparison.js';
import { measureClip } from './measure.js';
import type { MotionMeasures } from './measure-motion.js';
import { measureOverTime } from './measure-over-time.js';
import { poolMeasures } from './pool-measures.js';

const figure = stickFigure();
const hips = figure.jointOf('hips');

function setupOf(source: Character, target: Character): Setup {
  const rigs = [createRig(source.skeleton), createRig(target.skeleton)] as const;
  return createSetup(rigs[0], rigs[1], createRigMap(rigs[0], rigs[1]).map);
}

const self = setupOf(figure, figure);
const unit = hipHeightOf(self.target);

const KEYS = Float64Array.from({ length: 121 }, (_, k) => k / 60);

/** Two seconds in which the body is moved along a path from where it rests, metres. */
function moved(path: (t: number) => Vec3, tracks: Track[] = []): Clip {
  const values = new Float64Array(3 * KEYS.length);
  KEYS.forEach((t, k) => {
    values.set(
      path(t).map((value, c) => figure.skeleton.rest.translations[3 * hips + c]! + value),
      3 * k,
    );
  });
  const travel: Track = { joint: hips, channel: 'translation', interpolation: 'linear', times: KEYS, values };
  return { name: 'clip', duration: 2, tracks: [travel, ...tracks], morphs: [] };
}

/** A joint turned over time, about an axis, in degrees. */
function turning(part: string, axis: Vec3, degrees: (t: number) => number): Track {
  const values = new Float64Array(4 * KEYS.length);
  KEYS.forEach((t, k) => {
    values.set(turn(axis, degrees(t)), 4 * k);
  });
  return { joint: figure.jointOf(part), channel: 'rotation', interpolation: 'linear', times: KEYS, values };
}

const still = moved(() => [0, 0, 0]);
const measured = (source: Clip, result: Clip, setup = self): MotionMeasures =>
  measureClip(setup, source, result).motion;

describe('feet', () => {
  it('a true result has no error at all', () => {
    const motion = measured(still, still);
    expect(motion.slide!.result.worst).toBeCloseTo(0, 6);
    expect(motion.heights!.float.worst).toBeCloseTo(0, 6);
    expect(motion.heights!.sunkFrames).toBe(0);
    expect(motion.agreement).toMatchObject({ f1: 1, coverage: 1 });
    expect(motion.soleTilt!.worst).toBeCloseTo(0, 3);
    expect(motion.reach!.feet!.worst).toBeCloseTo(0, 6);
    expect(motion.correction!.turn.worst).toBeCloseTo(0, 3);
  });

  it('a foot that slides by 10 % of the hip height a second has a slide of 10', () => {
    const { slide } = measured(
      still,
      moved((t) => [0, 0, 0.1 * unit * t]),
    );
    expect(slide!.result.mean).toBeCloseTo(10, 3);
    expect(slide!.result.p99).toBeCloseTo(10, 3);
    expect(slide!.source.mean).toBeCloseTo(0, 6);
    expect(slide!.result.count).toBe(4 * 121);
    expect(slide!.pivots).toBeNull();
  });

  it('how a foot comes and goes is no slide', () => {
    const steps = moved((t) => [0, 0, unit * Math.min(1, Math.max(0, 2 * (t - 0.75)))]);
    const { slide } = measured(steps, steps);
    expect(slide!.result.worst).toBeLessThan(40);
    // Held from the first to the last instant of each contact.
    expect(slide!.result.count).toBeLessThan(4 * 100);
  });

  it('pivots are told apart', () => {
    const pivot = moved(() => [0, 0, 0], [turning('hips', [0, 1, 0], (t) => 70 * t)]);
    const { slide } = measured(pivot, pivot);
    expect(slide?.pivots ?? null).not.toBeNull();
    expect(slide!.pivots!.result.mean).toBeGreaterThan(5);
  });

  it('a body that is 3 % too high floats by 3, one that is 3 % too low is sunk in every frame', () => {
    const high = measured(
      still,
      moved(() => [0, 0.03 * unit, 0]),
    ).heights!;
    expect(high.float.mean).toBeCloseTo(3, 3);
    expect(high.sink.worst).toBe(0);
    expect(high.sunkFrames).toBe(0);
    const low = measured(
      still,
      moved(() => [0, -0.03 * unit, 0]),
    );
    expect(low.heights!.sink.mean).toBeCloseTo(3, 3);
    expect([low.heights!.sunkFrames, low.heights!.frames]).toEqual([121, 121]);
    expect(low.ground!.joints.worst).toBeCloseTo(1, 1);
  });

  it('what the source has too is not sunk', () => {
    const dip = moved((t) => [0, t > 1 && t < 1.4 ? -0.03 * unit : 0, 0]);
    expect(measured(dip, dip).heights!.sunkFrames).toBe(0);
  });

  it('agreement: half of the contacts missed is an F1 of two thirds; one frame is forgiven', () => {
    const hop = moved((t) => [
      0,
      t > 1 ? unit * Math.min(0.5, 3 * (t - 1)) * Math.abs(Math.cos(20 * t)) : 0,
      0,
    ]);
    const { agreement } = measured(still, hop);
    expect(agreement!.resultMatched).toBe(agreement!.resultFrames);
    const recall = agreement!.sourceMatched / agreement!.sourceFrames;
    expect(recall).toBeGreaterThan(0.45);
    expect(recall).toBeLessThan(0.55);
    expect(agreement!.f1).toBeCloseTo((2 * recall) / (1 + recall), 9);
    const late: Clip = {
      ...hop,
      tracks: hop.tracks.map((t) => ({ ...t, times: KEYS.map((s) => s + 1 / 60) })),
    };
    expect(measured(hop, late).agreement!.f1).toBe(1);
  });

  it('a foot that tilts by 7 degrees has a sole tilt of 7', () => {
    const tilted = moved(() => [0, 0, 0], [turning('leftFoot', [1, 0, 0], () => 7)]);
    expect(measured(still, tilted).soleTilt!.worst).toBeCloseTo(7, 2);
    expect(measured(still, tilted).soleTilt!.mean).toBeCloseTo(3.5, 2);
  });

  it('without feet there is nothing to measure, and the reason is told', () => {
    const legless = stickFigure({ without: ['leftUpperLeg', 'rightUpperLeg'] });
    const setup = setupOf(legless, legless);
    const clip = legless.clips[0]!;
    const motion = measured(clip, clip, setup);
    expect([motion.slide, motion.heights, motion.soleTilt]).toEqual([null, null, null]);
    expect(motion.notMeasured.slide).toMatch(/feet|stands/);
    expect(motion.notMeasured.limits).toMatch(/legs/);
  });

  it('a body that never stands has no contacts, and that is told', () => {
    const run = moved((t) => [0, 0, 2 * unit * t]);
    const motion = measured(run, run);
    expect([motion.slide, motion.agreement]).toEqual([null, null]);
    expect(motion.notMeasured.agreement).toMatch(/never stand/);
  });
});

describe('body', () => {
  it('R6: figures do not depend on unit, facing or size', () => {
    const wobble = (t: number): Vec3 => [0, -0.02 * Math.sin(3 * t) ** 2, 0.04 * Math.sin(2 * t)];
    const from: Character = { skeleton: figure.skeleton, clips: [still] };
    const to: Character = { skeleton: figure.skeleton, clips: [moved(wobble)] };
    const plain = measured(still, to.clips[0]!);
    expect(plain.slide!.result.mean).toBeGreaterThan(1);
    for (const other of [
      withOtherUnit(to, 100, 0.01),
      withTurnedFile(to, turn([0, 1, 0], 90)),
      withTurnedFile(to, turn([1, 0, 0], 90), { up: '+Z' }),
    ]) {
      const motion = measured(still, other.clips[0]!, setupOf(from, other));
      expect(motion.slide!.result.mean).toBeCloseTo(plain.slide!.result.mean, 3);
      expect(motion.heights!.sink.mean).toBeCloseTo(plain.heights!.sink.mean, 3);
      expect(motion.agreement!.f1).toBeCloseTo(plain.agreement!.f1, 6);
      expect(motion.reach!.feet!.mean).toBeCloseTo(plain.reach!.feet!.mean, 2);
    }
  });

  it('a knee that snaps for one frame is a pop; one that bends smoothly is none', () => {
    const smooth = moved(
      () => [0, 0, 0],
      [turning('leftLowerLeg', [1, 0, 0], (t) => 30 + 20 * Math.sin(4 * t))],
    );
    const snap = moved(
      () => [0, 0, 0],
      [
        turning(
          'leftLowerLeg',
          [1, 0, 0],
          (t) => 30 + 20 * Math.sin(4 * t) + (t > 0.99 && t < 1.01 ? 15 : 0),
        ),
      ],
    );
    expect(measured(smooth, smooth).smoothness).toMatchObject({ kneePops: 0, bendFlips: 0 });
    expect(measured(smooth, snap).smoothness!.kneePops).toBeGreaterThan(0);
    expect(measured(smooth, snap).smoothness!.bendFlips).toBe(0);
    expect(measured(smooth, smooth).smoothness!.jerkRatio).toBeCloseTo(1, 3);
  });

  it('an elbow whose plane turns over is a flip', () => {
    const bend = (sign: (t: number) => number) =>
      moved(() => [0, 0, 0], [turning('leftLowerArm', [0, 1, 0], (t) => -40 * sign(t))]);
    const flipped = bend((t) => (t < 1 ? 1 : -1));
    expect(
      measured(
        bend(() => 1),
        flipped,
      ).smoothness!.bendFlips,
    ).toBe(1);
  });

  it('a knee bent backwards by 20 degrees violates its limit; one bent as knees do not', () => {
    const bent = (degrees: number) =>
      moved(() => [0, 0, 0], [turning('rightLowerLeg', [1, 0, 0], () => degrees)]);
    const good = measured(bent(20), bent(20)).limits!;
    expect([good.violations, good.worst]).toEqual([0, 0]);
    const bad = measured(bent(20), bent(-20)).limits!;
    expect(bad.violations).toBe(121);
    expect(bad.worst).toBeCloseTo(20, 2);
    // Where the source does it too it is the source's.
    expect(measured(bent(-20), bent(-20)).limits!.violations).toBe(0);
  });

  it('the size of a correction is the angle by which a joint was turned, and by name', () => {
    const corrected = moved(() => [0, 0.02 * unit, 0], [turning('head', [0, 1, 0], () => 12)]);
    const { correction } = measured(still, corrected);
    expect(correction!.turn.worst).toBeCloseTo(12, 2);
    expect(Object.keys(correction!.joints)).toEqual([figure.skeleton.names[figure.jointOf('head')]]);
    expect(correction!.travel!.mean).toBeCloseTo(2, 3);
  });

  it('the seam of a loop is measured, that of no loop is not', () => {
    const loop = moved(() => [0, 0, 0], [turning('head', [0, 1, 0], (t) => 20 * Math.sin(Math.PI * t))]);
    const open = moved(
      () => [0, 0, 0],
      [turning('head', [0, 1, 0], (t) => 20 * Math.sin(Math.PI * t) + 5 * t)],
    );
    const seam = measured(loop, open).loopSeam!;
    expect(seam.source).toBeCloseTo(0, 3);
    expect(seam.result * self.map.joints.length).toBeCloseTo(10, 1);
    const turned = moved(() => [0, 0, 0], [turning('hips', [0, 1, 0], (t) => 30 * t)]);
    expect(measured(turned, turned).loopSeam).toBeNull();
  });

  it('hands that touch in the source and not in the result are a self-contact error', () => {
    // Arms straight ahead, a little inwards: the palms lie side by side.
    const arms = (apart: number) =>
      moved(
        () => [0, 0, 0],
        [
          turning('leftUpperArm', [0, 1, 0], () => -90 + apart),
          turning('rightUpperArm', [0, 1, 0], () => 90 - apart),
        ],
      );
    const { selfContact } = measured(arms(-14), arms(-14));
    expect(selfContact!.result.worst).toBeCloseTo(0, 3);
    expect(selfContact!.kept).toBe(1);
    const off = measured(arms(-14), arms(10)).selfContact!;
    expect(off.result.mean).toBeGreaterThan(10);
    expect(off.kept).toBe(0);
    expect(off.copied!.worst).toBeCloseTo(0, 3);
    // Hands that are only near do not touch.
    expect(measured(arms(2), arms(2)).notMeasured.selfContact).toMatch(/no hand touches/);
    expect(measured(still, still).notMeasured.selfContact).toMatch(/no hand/);
  });

  it('arms left alone: what is turned where nothing touches counts, what touches does not', () => {
    const arms = (apart: number, other = apart) =>
      moved(
        () => [0, 0, 0],
        [
          turning('leftUpperArm', [0, 1, 0], () => -90 + apart),
          turning('rightUpperArm', [0, 1, 0], () => 90 - other),
        ],
      );
    const same = measured(arms(20), arms(20)).armsAlone!;
    expect(same.share).toBe(1);
    expect(same.result.worst).toBeLessThan(0.01);
    // Both bones of one of two arms.
    const turned = measured(arms(20), arms(20, 25)).armsAlone!;
    expect(turned.result.worst).toBeCloseTo(5, 2);
    expect(turned.result.mean).toBeCloseTo(2.5, 2);
    expect(turned.copied!.worst).toBeLessThan(0.01);
    expect(measured(arms(-14), arms(5)).notMeasured.armsAlone).toMatch(/never far/);
    // Over time only what the plain copy does not do by itself: where that hangs otherwise, nobody turned anything.
    const compared = compareMotions(self, arms(20), arms(20, 25));
    expect(Math.max(...measureOverTime(compared).armsAlone)).toBeCloseTo(5, 2);
    const asCopied = measureOverTime({ ...compared, copied: compared.result }).armsAlone;
    expect(Math.max(...asCopied)).toBeLessThan(0.01);
  });

  it('arms left alone: an arm that would be in the floor is not, where the result’s shoulder is', () => {
    const hanging = (degrees: number, down = 0) =>
      moved(() => [0, -down, 0], [turning('rightUpperArm', [0, 0, 1], () => degrees)]);
    const turned = measured(hanging(75), hanging(60)).armsAlone!;
    expect(turned.share).toBe(1);
    expect(turned.result.worst).toBeCloseTo(15, 2);
    // So low that it would be: of two arms the one that is held out is left, and is as the source's.
    const lowered = measured(hanging(75), hanging(60, unit)).armsAlone!;
    expect(lowered.share).toBe(0.5);
    expect(lowered.result.worst).toBeLessThan(0.01);
  });

  it('reach: a foot beside its goal is off by that, in % of the leg', () => {
    const leg = 0.45 + 0.42;
    const { reach } = measured(
      still,
      moved(() => [0.05, 0, 0]),
    );
    expect(reach!.feet!.mean).toBeCloseTo((100 * 0.05) / leg, 1);
    expect(reach!.legExtension!.worst).toBeCloseTo(100, 1);
    // Hips too high for the floor: the goals are out of reach.
    expect(
      measured(
        still,
        moved(() => [0, 0.1, 0]),
      ).reach!.outOfReach,
    ).toBe(121);
  });
});

describe('several clips', () => {
  it('pools by counts: a clip without contacts does not count, a long one counts for more', () => {
    const slow = measured(
      still,
      moved((t) => [0, 0, 0.1 * unit * t]),
    );
    const run = moved((t) => [0, 0, 2 * unit * t]);
    const none = measured(run, run);
    const pooled = poolMeasures([slow, slow, measured(still, still), none]);
    expect(pooled.slide!.mean).toBeCloseTo(20 / 3, 3);
    expect(pooled.agreement).toBe(1);
    expect(poolMeasures([]).slide).toBeNull();
  });

  it('curves show where a result is bad', () => {
    const late = moved((t) => [0, t > 1 ? -0.03 * unit : 0, 0]);
    const curves = measureOverTime(compareMotions(self, still, late));
    expect(curves.count).toBe(121);
    expect(curves.sink[30]).toBeCloseTo(0, 6);
    expect(curves.sink[100]).toBeCloseTo(3, 3);
    expect(curves.sourceContacts).toHaveLength(4);
    expect(curves.resultHips[100]).toBeCloseTo(0.97, 3);
  });

  it('heat says which measure is worst, on which joint and when, beyond what the source does', () => {
    const late = moved((t) => [0, t > 1 ? -0.03 * unit : 0, 0]);
    const { heat } = measureOverTime(compareMotions(self, still, late), true);
    expect(heat!.worst!.measure).toBe('sink');
    expect(heat!.worst!.value).toBeCloseTo(3, 3);
    const [first] = heat!.moments;
    expect(first).toMatchObject({ measure: 'sink' });
    expect(first!.time).toBeGreaterThan(1);
    const feet = ['leftFoot', 'leftToes', 'rightFoot', 'rightToes'].map((role) => figure.jointOf(role));
    expect(feet).toContain(first!.joint);
    // Full at twice what a person notices: 3 of 2 · 2 %.
    expect(first!.heat[first!.joint]).toBeCloseTo(0.75, 3);
    expect(first!.heat[figure.jointOf('head')]).toBe(0);
    const joints = self.target.skeleton.names.length;
    expect(heat!.heat[joints * 30 + first!.joint]).toBeCloseTo(0, 5);
    expect(heat!.heat[joints * 100 + first!.joint]).toBeCloseTo(0.75, 3);
    for (const [n, moment] of heat!.moments.entries())
      for (const other of heat!.moments.slice(n + 1))
        expect(Math.abs(moment.time - other.time)).toBeGreaterThanOrEqual(0.25);
    const same = measureOverTime(compareMotions(self, still, still), true).heat!;
    expect(same.moments).toEqual([]);
  });

  it('a retarget onto another body gives numbers throughout', () => {
    const other = stickFigure({ upperLeg: 0.3, upperArm: 0.2, axes: 'boneY', toes: false });
    const setup = setupOf(figure, other);
    const { clip } = retargetClip(setup, figure.clips[0]!);
    const text = JSON.stringify(measured(figure.clips[0]!, clip, setup), (_, value: unknown) => {
      if (typeof value === 'number') expect(Number.isFinite(value)).toBe(true);
      return value;
    });
    expect(text.length).toBeGreaterThan(100);
  });
});
