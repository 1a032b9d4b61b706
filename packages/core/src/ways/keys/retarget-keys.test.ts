import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sceneOf, stickFigure } from '../../../test/stick-figure.js';
import {
  angleBetween,
  clipOf,
  createRandom,
  DEGREES,
  distance,
  inverse,
  jointOf,
  mapOf,
  modelAt,
  oneToOne,
  placeAt,
  plainRig,
  type Quat,
  quatAt,
  randomClip,
  randomSkeleton,
  randomTurn,
  rotationTrack,
  skeletonOf,
  times,
  tinyHuman,
  translationTrack,
  turn,
} from '../../../test/tiny-rigs.js';
import {
  composeMatrix,
  createMatrix,
  invertMatrix,
  multiplyMatrices,
  transformPoint,
} from '../../base/math/matrix.js';
import { createRig } from '../../body/understand/create-rig.js';
import type { RigMap } from '../../map/rig-map.js';
import type { Setup } from '../../passes/pass.js';
import { PASS_NAMES } from '../../passes/pipeline.js';
import { retarget } from '../../retarget.js';
import { type Clip, poseAt, sampleTrack, type Track } from '../../scene/clip.js';
import { copyPose, modelPoseOf } from '../../scene/pose.js';
import type { Skeleton } from '../../scene/skeleton.js';
import { createSetup } from '../../setup/create-setup.js';
import { retargetFrames } from '../frames/retarget-frames.js';
import { type KeyPlan, planKeys } from './plan-keys.js';
import { retargetKeys } from './retarget-keys.js';

const seeds = fc.integer({ min: 1, max: 1e6 });

function exactPlan(setup: Setup, clip: Clip): Exclude<KeyPlan, { reason: string }> {
  const plan = planKeys(setup, clip, PASS_NAMES);
  if ('reason' in plan) throw new Error(plan.reason);
  return plan;
}

function throughKeys(setup: Setup, clip: Clip): Clip {
  return retargetKeys(setup, clip, exactPlan(setup, clip)).clip;
}

/** Two random trees of one shape and a map from joint to joint. */
function twins(seed: number, count = 7) {
  const random = createRandom(seed);
  const source = randomSkeleton(random, count, { prefix: 's' });
  const target = randomSkeleton(random, count, { prefix: 't', parents: [...source.parents] });
  const setup = createSetup(plainRig(source), plainRig(target), oneToOne(count), {
    rootScales: { horizontal: 1, vertical: 1 },
  });
  return { random, source, target, setup };
}

/** The scale that a key of one gives by P_t⁻¹ · P_s · L_s · W_s⁻¹ · W_t in matrices: the lengths of the columns. */
function scaleOfBasis(source: Skeleton, target: Skeleton, joint: number, key: readonly number[]): number[] {
  const [from, to] = [modelPoseOf(source, source.rest), modelPoseOf(target, target.rest)];
  const part = (matrices: Float64Array, at: number) =>
    at < 0 ? createMatrix() : matrices.slice(16 * at, 16 * at + 16);
  const out = createMatrix();
  const next = createMatrix();
  invertMatrix(out, 0, part(to.matrices, target.parents[joint]!), 0);
  multiplyMatrices(out, 0, out, 0, part(from.matrices, source.parents[joint]!), 0);
  const { translations, rotations } = source.rest;
  composeMatrix(next, 0, translations, 3 * joint, rotations, 4 * joint, Float64Array.from(key), 0);
  multiplyMatrices(out, 0, out, 0, next, 0);
  invertMatrix(next, 0, part(from.matrices, joint), 0);
  multiplyMatrices(out, 0, out, 0, next, 0);
  multiplyMatrices(out, 0, out, 0, part(to.matrices, joint), 0);
  return [0, 1, 2].map((c) => Math.hypot(out[4 * c]!, out[4 * c + 1]!, out[4 * c + 2]!));
}

const rotationsOf = (skeleton: Skeleton) => modelPoseOf(skeleton, skeleton.rest).rotations;
/** The rest rotation of a joint's parent in model space; the identity for a root. */
const parentRest = (skeleton: Skeleton, joint: number): Quat =>
  skeleton.parents[joint]! < 0 ? [0, 0, 0, 1] : quatAt(rotationsOf(skeleton), skeleton.parents[joint]!);

describe('the one change of basis (X1, X2, B8)', () => {
  it('X1: every key is P_t⁻¹ · P_s · L_s · W_s⁻¹ · W_t on contiguous maps', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const { random, source, target, setup } = twins(seed);
        const clip = randomClip(random, source);
        const moved = throughKeys(setup, clip);
        for (const track of moved.tracks) {
          if (track.channel !== 'rotation') continue;
          const { joint } = track;
          const from = clip.tracks.find((each) => each.joint === joint && each.channel === 'rotation')!;
          expect([...track.times]).toEqual([...from.times]);
          for (let k = 0; k < track.times.length; k++) {
            const expected = times(
              inverse(parentRest(target, joint)),
              parentRest(source, joint),
              quatAt(from.values, k),
              inverse(quatAt(rotationsOf(source), joint)),
              quatAt(rotationsOf(target), joint),
            );
            expect(angleBetween(quatAt(track.values, k), expected)).toBeLessThan(1e-5);
          }
        }
      }),
      { numRuns: 40 },
    );
  });

  it('X2: eq. 3 of Körner et al., G_parent,t⁻¹ · G_s · OM_s · OM_t⁻¹, gives the same there', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const { random, source, target, setup } = twins(seed);
        const clip = randomClip(random, source);
        const moved = throughKeys(setup, clip);
        for (const time of [0, 0.41, 1.3, 2]) {
          const G = modelAt(source, clip, time).rotations;
          const locals = poseAt(target, moved, time).rotations;
          // The already retargeted parents, by eq. 3 itself.
          const parents: Quat[] = [];
          for (let joint = 0; joint < 7; joint++) {
            const p = target.parents[joint]!;
            const above: Quat = p < 0 ? [0, 0, 0, 1] : parents[p]!;
            const local = times(
              inverse(above),
              quatAt(G, joint),
              inverse(quatAt(rotationsOf(source), joint)),
              quatAt(rotationsOf(target), joint),
            );
            parents.push(times(above, local));
            expect(angleBetween(quatAt(locals, joint), local)).toBeLessThan(1e-5);
          }
        }
      }),
      { numRuns: 40 },
    );
  });

  it('B8: equals the balanced form W_t · (W_s⁻¹ · (v · P_s)) · P_t⁻¹ in row vectors and matrices', () => {
    const { random, source, target, setup } = twins(77);
    const clip = randomClip(random, source, { keys: 3 });
    const moved = throughKeys(setup, clip);
    const ones = Float64Array.of(1, 1, 1);
    const zero = new Float64Array(3);
    /** A rotation as a matrix for row vectors: the transposed one. */
    const row = (q: Quat): number[][] => {
      const m = createMatrix();
      composeMatrix(m, 0, zero, 0, Float64Array.from(q), 0, ones, 0);
      return [0, 1, 2].map((c) => [m[4 * c]!, m[4 * c + 1]!, m[4 * c + 2]!]);
    };
    const product = (a: number[][], b: number[][]) =>
      a.map((line) => b[0]!.map((_, c) => line.reduce((sum, x, k) => sum + x * b[k]![c]!, 0)));
    const transposed = (m: number[][]) => m.map((_, r) => m.map((line) => line[r]!));
    for (const track of moved.tracks) {
      if (track.channel !== 'rotation') continue;
      const { joint } = track;
      const from = clip.tracks.find((each) => each.joint === joint)!;
      const [Ws, Wt] = [source, target].map((each) => row(quatAt(rotationsOf(each), joint)));
      const [Ps, Pt] = [source, target].map((each) => row(parentRest(each, joint)));
      for (let k = 0; k < 3; k++) {
        const v = row(quatAt(from.values, k));
        const expected = product(product(Wt!, product(transposed(Ws!), product(v, Ps!))), transposed(Pt!));
        row(quatAt(track.values, k)).forEach((line, r) => {
          line.forEach((x, c) => {
            expect(x).toBeCloseTo(expected[r]![c]!, 5);
          });
        });
      }
    }
  });

  it('W10, B9: between skeletons equal but for their names every key is the very same', () => {
    const random = createRandom(12);
    const source = randomSkeleton(random, 6, { prefix: 'a' });
    const target = { ...source, names: source.names.map((_, i) => `other ${i}`) };
    const clip = randomClip(random, source, { interpolation: 'cubic', travels: 0 });
    const moved = throughKeys(createSetup(plainRig(source), plainRig(target), oneToOne(6)), clip);
    expect(moved.tracks).toHaveLength(clip.tracks.length);
    for (const track of moved.tracks) {
      const from = clip.tracks.find(
        ({ joint, channel }) => joint === track.joint && channel === track.channel,
      )!;
      expect(track.interpolation).toBe('cubic');
      expect([...track.times]).toEqual([...from.times]);
      track.values.forEach((x, i) => {
        expect(x).toBeCloseTo(from.values[i]!, 5);
      });
    }
  });

  it('W10: channels of joints that are not mapped are skipped', () => {
    const random = createRandom(13);
    const source = randomSkeleton(random, 4, { parents: [-1, 0, 1, 0] });
    const target = randomSkeleton(random, 4, { parents: [-1, 0, 1, 0] });
    const map = mapOf([
      [0, 0],
      [1, 1],
    ]);
    const moved = throughKeys(
      createSetup(plainRig(source), plainRig(target), map),
      randomClip(random, source),
    );
    expect([...new Set(moved.tracks.map(({ joint }) => joint))].sort()).toEqual([0, 1]);
  });

  it('W10: what is left out is said: each joint with a reason, and channels that are lost with it', () => {
    const figure = stickFigure({ fingers: true });
    const scene = sceneOf(figure, 'a');
    const thumb = figure.skeleton.names.indexOf('mixamorig:LeftHandThumb1');
    const clip = figure.clips[0]!;
    scene.characters[0]!.clips = [
      {
        ...clip,
        tracks: [
          ...clip.tracks,
          translationTrack(
            thumb,
            [0, 1],
            [
              [0, 0, 0],
              [0.1, 0, 0],
            ],
          ),
        ],
      },
    ];
    const said = (fingers: boolean) => {
      const target = sceneOf(stickFigure({ names: 'unreal', fingers }), 'b');
      const { report } = retarget(scene, target, { corrections: 'none', measure: false });
      return {
        left: report.map.unmapped.source.filter(({ joint }) =>
          /HandThumb/.test(figure.skeleton.names[joint]!),
        ),
        dropped: report.warnings.filter(({ code }) => code === 'channel-dropped'),
      };
    };
    const { left, dropped } = said(false);
    expect(left).toHaveLength(6);
    expect(left.every(({ reason }) => reason.length > 5)).toBe(true);
    expect(dropped.map(({ message }) => message).join()).toMatch(
      /1 translation or scale channel was left out/,
    );
    expect(said(true)).toEqual({ left: [], dropped: [] });
  });
});

describe('channels (W11, WP4)', () => {
  const random = createRandom(21);
  const source = tinyHuman({ axes: random });
  const target = tinyHuman({ axes: random, legs: 0.5 });
  const rigs = [createRig(source), createRig(target)] as const;
  const map = mapOf(
    Object.entries(rigs[0].joints).map(([role, joint]) => [
      joint,
      jointOf(target, role as 'hips'),
      role as 'hips',
    ]),
  );
  const setup = createSetup(rigs[0], rigs[1], map);
  const hips = jointOf(source, 'hips');
  const whole = randomClip(random, source, { travels: hips });
  const find = (clip: Clip, channel: Track['channel'], joint: number) =>
    clip.tracks.find((track) => track.channel === channel && track.joint === joint)!;

  it('W11: a rotation key does not depend on translation keys, nor a translation key on rotation keys', () => {
    const moved = throughKeys(setup, whole);
    const turnsOnly = throughKeys(setup, {
      ...whole,
      tracks: whole.tracks.filter(({ channel }) => channel === 'rotation'),
    });
    const movesOnly = throughKeys(setup, {
      ...whole,
      tracks: whole.tracks.filter(({ channel }) => channel === 'translation'),
    });
    for (const track of moved.tracks)
      if (track.channel === 'rotation')
        expect(find(turnsOnly, 'rotation', track.joint).values).toEqual(track.values);
    const there = jointOf(target, 'hips');
    expect(find(movesOnly, 'translation', there).values).toEqual(find(moved, 'translation', there).values);
  });

  it('W11: a scale key is what the change of basis makes of it, on axes tilted and stretched unevenly', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const { random, source, target } = twins(seed, 5);
        for (const { rest } of [source, target])
          rest.scales.forEach((_, i) => {
            rest.scales[i] = 0.6 + random();
          });
        const setup = createSetup(plainRig(source), plainRig(target), oneToOne(5));
        const joint = 1 + Math.floor(4 * random());
        const keys = [0, 1, 2].map(() => [0.5 + random(), 0.5 + random(), 0.5 + random()] as const);
        const clip: Clip = {
          name: 'grow',
          duration: 1,
          morphs: [],
          tracks: [
            {
              ...{ joint, channel: 'scale', interpolation: 'linear' },
              times: Float32Array.of(0, 0.5, 1),
              values: Float32Array.from(keys.flat()),
            },
          ],
        };
        const plan = planKeys(setup, clip, PASS_NAMES);
        expect('reason' in plan && plan.reason).toMatch(/is scaled along axes that are not its own/);
        const { clip: moved } = retargetFrames(setup, clip, PASS_NAMES, { frameRate: 2 });
        keys.forEach((key, k) => {
          const expected = scaleOfBasis(source, target, joint, key);
          const { scales } = poseAt(target, moved, k / 2);
          for (let c = 0; c < 3; c++) expect(scales[3 * joint + c]).toBeCloseTo(expected[c]!, 5);
        });
      }),
      { numRuns: 30 },
    );
  });

  it('W11: even scales keep their keys, whatever the axes', () => {
    const { source, target, setup } = twins(5);
    const clip: Clip = {
      name: 'grow',
      duration: 1,
      morphs: [],
      tracks: [
        {
          ...{ joint: 3, channel: 'scale', interpolation: 'linear' },
          times: Float32Array.of(0, 1),
          values: Float32Array.of(1, 1, 1, 2, 2, 2),
        },
      ],
    };
    const track = find(throughKeys(setup, clip), 'scale', 3);
    expect([...track.values]).toEqual([1, 1, 1, 2, 2, 2].map((x) => expect.closeTo(x, 5)));
    expect(scaleOfBasis(source, target, 3, [2, 2, 2])).toEqual([0, 1, 2].map(() => expect.closeTo(2, 5)));
  });

  it('WP4: what the clip does not animate comes from the rest, not from where the source happens to be', () => {
    const arm = jointOf(source, 'leftUpperArm');
    const only = {
      ...whole,
      tracks: whole.tracks.filter(({ joint, channel }) => joint === arm && channel === 'rotation'),
    };
    const moved = throughKeys(setup, only);
    for (const time of [0, 0.7, 1.9]) {
      const result = modelAt(target, moved, time);
      const expected = modelAt(source, only, time);
      for (const { target: t, sources } of map.joints) {
        const delta = times(
          quatAt(expected.rotations, sources[0]!),
          inverse(quatAt(setup.sourceReference.rotations, sources[0]!)),
        );
        expect(
          angleBetween(quatAt(result.rotations, t), times(delta, quatAt(setup.alignment.model.rotations, t))),
        ).toBeLessThan(1e-5);
      }
    }
  });
});

describe('cubic tangents (WP3, R3, BP5)', () => {
  const random = createRandom(31);
  const source = tinyHuman({ axes: random });
  const target = tinyHuman({ axes: random, legs: 0.6, arms: 0.7, armsDown: 40 * DEGREES });
  const rigs = [createRig(source), createRig(target)] as const;
  const map = mapOf(
    Object.entries(rigs[0].joints).map(([role, joint]) => [
      joint,
      jointOf(target, role as 'hips'),
      role as 'hips',
    ]),
  );
  // Scales of the user's, so that the hips' keys are moved by an offset and not stretched alone.
  const setup = createSetup(rigs[0], rigs[1], map, { rootScales: { horizontal: 0.8, vertical: 0.5 } });
  const hips = jointOf(source, 'hips');
  const clip = randomClip(random, source, { interpolation: 'cubic', travels: hips, keys: 5 });
  const moved = throughKeys(setup, clip);
  const dense = Array.from({ length: 200 }, (_, n) => (2 * n) / 199);

  /** The worst miss of a result against the source sampled densely: radians, and metres of the hips. */
  const missOf = (result: Clip) => {
    let [angle, place] = [0, 0];
    const { horizontal, vertical } = setup.rootScales;
    for (const time of dense) {
      const from = modelAt(source, clip, time);
      const to = modelAt(target, result, time);
      for (const { target: t, sources } of map.joints) {
        const delta = times(
          quatAt(from.rotations, sources[0]!),
          inverse(quatAt(setup.sourceReference.rotations, sources[0]!)),
        );
        const expected = times(delta, quatAt(setup.alignment.model.rotations, t));
        angle = Math.max(angle, angleBetween(quatAt(to.rotations, t), expected));
      }
      const there = jointOf(target, 'hips');
      const [a, b, ref, aligned] = [
        placeAt(from, hips),
        placeAt(to, there),
        placeAt(setup.sourceReference, hips),
        placeAt(setup.alignment.model, there),
      ];
      const scales = [horizontal, vertical, horizontal];
      place = Math.max(
        place,
        distance(b, a.map((x, c) => aligned[c]! + scales[c]! * (x - ref[c]!)) as [number, number, number]),
      );
    }
    return { angle, place };
  };

  it('WP3, R3, BP5: curves between keys are exact, on rotations and on the hips', () => {
    expect(moved.tracks.every(({ interpolation }) => interpolation === 'cubic')).toBe(true);
    const { angle, place } = missOf(moved);
    // Five joints deep, each key rounded to float32.
    expect(angle).toBeLessThan(1e-5);
    expect(place).toBeLessThan(1e-5);
  });

  it('WP3, BP5: tangents taken for poses would miss by degrees and centimetres', () => {
    const asPoses: Clip = {
      ...moved,
      tracks: moved.tracks.map((track) => {
        const values = track.values.slice();
        const size = track.channel === 'rotation' ? 4 : 3;
        const plan = exactPlan(setup, clip);
        for (let i = 0; i < values.length; i += size) {
          if (Math.floor(i / size) % 3 === 1) continue;
          if (size === 3) for (let c = 0; c < 3; c++) values[i + c] = values[i + c]! + plan.move!.offset[c]!;
          else {
            // A pose's rotation has unit length; a tangent has not.
            const length = Math.hypot(...quatAt(values, i / 4)) || 1;
            for (let c = 0; c < 4; c++) values[i + c] = values[i + c]! / length;
          }
        }
        return { ...track, values };
      }),
    };
    const { angle, place } = missOf(asPoses);
    expect(angle).toBeGreaterThan(2 * DEGREES);
    expect(place).toBeGreaterThan(0.01);
  });

  it('BP5: tangents left in the source’s space would miss too', () => {
    const plan = exactPlan(setup, clip);
    const left: Clip = {
      ...moved,
      tracks: moved.tracks.map((track) => {
        if (track.channel !== 'rotation') return track;
        const from = plan.turns.find((each) => each.target === track.joint)!.source;
        const original = clip.tracks.find((each) => each.joint === from && each.channel === 'rotation')!;
        const values = track.values.map((x, i) => (Math.floor(i / 4) % 3 === 1 ? x : original.values[i]!));
        return { ...track, values };
      }),
    };
    expect(missOf(left).angle).toBeGreaterThan(2 * DEGREES);
  });
});

describe('signs (R13, BP6)', () => {
  const { source, setup } = twins(5, 3);

  it('R13: keys of random sign come out continuous, and no turn is changed', () => {
    const random = createRandom(41);
    const clip = randomClip(random, source, { keys: 30 });
    const flipped: Clip = {
      ...clip,
      tracks: clip.tracks.map((track) => {
        const signs = Array.from(track.times, () => (random() < 0.5 ? -1 : 1));
        return { ...track, values: track.values.map((x, i) => signs[Math.floor(i / 4)]! * x) };
      }),
    };
    const [plain, moved] = [throughKeys(setup, clip), throughKeys(setup, flipped)];
    moved.tracks.forEach(({ values, channel }, n) => {
      if (channel !== 'rotation') return;
      for (let k = 0; k < values.length / 4; k++) {
        expect(angleBetween(quatAt(values, k), quatAt(plain.tracks[n]!.values, k))).toBeLessThan(1e-6);
        const [a, b] = [quatAt(values, Math.max(0, k - 1)), quatAt(values, k)];
        expect(a.reduce((sum, x, c) => sum + x * b[c]!, 0)).toBeGreaterThanOrEqual(0);
      }
    });
  });

  it('BP6: a true turn of 175 degrees between two sparse keys stays one', () => {
    const rest = quatAt(source.rest.rotations, 1);
    const clip = clipOf([rotationTrack(1, [0, 1], [rest, times(rest, turn([1, 2, 0.5], 175 * DEGREES))])]);
    const track = throughKeys(setup, clip).tracks.find(({ joint }) => joint === 1)!;
    expect(track.times).toHaveLength(2);
    expect(angleBetween(quatAt(track.values, 0), quatAt(track.values, 1))).toBeCloseTo(175 * DEGREES, 5);
    const half = new Float64Array(4);
    sampleTrack(half, 0, track, 0.5);
    expect(angleBetween(quatAt(half, 0), quatAt(track.values, 0))).toBeCloseTo(87.5 * DEGREES, 5);
  });
});

describe('skinning (S2, X5)', () => {
  it('X5: a re-derived inverse bind with untouched keys moves every vertex as the changed keys do', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const count = 6;
        const { random, source, target, setup } = twins(seed, count);
        const clip = randomClip(random, source);
        const moved = throughKeys(setup, clip);
        const bind = modelPoseOf(target, target.rest);
        // S4: the source's bind rotations at the target's bind places.
        const R = rotationsOf(source);
        const retargetedBind = new Float64Array(16 * count);
        const offsets = new Float64Array(3 * count);
        const ones = Float64Array.of(1, 1, 1);
        const scratch = createMatrix();
        for (let i = 0; i < count; i++) {
          composeMatrix(retargetedBind, 16 * i, bind.matrices, 16 * i + 12, R, 4 * i, ones, 0);
          const p = target.parents[i]!;
          if (p < 0) offsets.set(placeAt(bind, i), 3 * i);
          else {
            invertMatrix(scratch, 0, retargetedBind, 16 * p);
            transformPoint(offsets, 3 * i, scratch, 0, bind.matrices, 16 * i + 12);
          }
        }
        for (const time of [0, 0.63, 1.7]) {
          const ours = modelAt(target, moved, time);
          const keys = poseAt(source, clip, time).rotations;
          const spire = new Float64Array(16 * count);
          for (let i = 0; i < count; i++) {
            composeMatrix(spire, 16 * i, offsets, 3 * i, keys, 4 * i, ones, 0);
            const p = target.parents[i]!;
            if (p >= 0) multiplyMatrices(spire, 16 * i, spire, 16 * p, spire, 16 * i);
          }
          for (let i = 0; i < count; i++) {
            const vertex = Float64Array.of(random() - 0.5, 2 * random(), random() - 0.5);
            const [a, b] = [new Float64Array(3), new Float64Array(3)];
            // S2: v' = AnimationTransform · InverseBind · v.
            invertMatrix(scratch, 0, bind.matrices, 16 * i);
            transformPoint(a, 0, scratch, 0, vertex, 0);
            transformPoint(a, 0, ours.matrices, 16 * i, a, 0);
            invertMatrix(scratch, 0, retargetedBind, 16 * i);
            transformPoint(b, 0, scratch, 0, vertex, 0);
            transformPoint(b, 0, spire, 16 * i, b, 0);
            // 1e-4 of the height of a body of 1.7 m; these trees are as large.
            expect(Math.hypot(a[0]! - b[0]!, a[1]! - b[1]!, a[2]! - b[2]!)).toBeLessThan(1.7e-4);
          }
        }
      }),
      { numRuns: 30 },
    );
  });

  it('S2: in the pose of the bind every vertex stays where it is', () => {
    const { target, setup, source } = twins(8);
    const still = clipOf([rotationTrack(0, [0], [quatAt(source.rest.rotations, 0)])]);
    const pose = modelAt(target, throughKeys(setup, still), 0);
    const bind = modelPoseOf(target, target.rest);
    pose.matrices.forEach((x, n) => {
      expect(x).toBeCloseTo(bind.matrices[n]!, 5);
    });
  });
});

describe('when keys cannot be kept', () => {
  const random = createRandom(51);
  const chain = (count: number) =>
    randomSkeleton(random, count, { parents: Array.from({ length: count }, (_, i) => i - 1) });

  it('X3: two animated joints folded into one need frames, and the reason names them', () => {
    const [source, target] = [chain(4), chain(3)];
    const map = mapOf([
      [0, 0, 'hips'],
      [[1, 2], 1],
      [3, 2],
    ]);
    const setup = createSetup(plainRig(source), plainRig(target), map);
    expect(planKeys(setup, randomClip(random, source), PASS_NAMES)).toEqual({
      reason: '"joint1" takes over the turns of 2 joints ("joint1", "joint2")',
    });
    // With one of them still the keys can be kept, and nothing is lost.
    const calm = randomClip(random, source, { joints: [0, 2, 3] });
    const moved = throughKeys(setup, calm);
    for (const time of [0.2, 1.1]) {
      const [from, to] = [modelAt(source, calm, time), modelAt(target, moved, time)];
      const delta = (G: Float64Array, R: Float64Array, joint: number) =>
        times(quatAt(G, joint), inverse(quatAt(R, joint)));
      expect(
        angleBetween(
          delta(from.rotations, rotationsOf(source), 2),
          delta(to.rotations, rotationsOf(target), 1),
        ),
      ).toBeLessThan(1e-5);
    }
  });

  it('a mirrored joint, a joint animated above the hips, a driver that hangs elsewhere', () => {
    const [source, target] = [chain(3), chain(3)];
    const mirrored = skeletonOf([
      { name: 'a', parent: -1, scale: [-1, 1, 1] },
      { name: 'b', parent: 0 },
      { name: 'c', parent: 1 },
    ]);
    const reasonOf = (from: Skeleton, to: Skeleton, map: RigMap) => {
      const plan = planKeys(
        createSetup(plainRig(from), plainRig(to), map),
        randomClip(random, from, { joints: [2], travels: 0 }),
        PASS_NAMES,
      );
      return 'reason' in plan ? plan.reason : 'exact';
    };
    expect(reasonOf(source, mirrored, oneToOne(3))).toMatch('mirrored by a negative scale');
    expect(reasonOf(mirrored, target, oneToOne(3))).toMatch('mirrored by a negative scale');
    expect(
      reasonOf(
        source,
        target,
        mapOf([
          [1, 1, 'hips'],
          [2, 2],
        ]),
      ),
    ).toBe('"joint0", above the hips, is animated');
    expect(
      reasonOf(
        source,
        target,
        mapOf([
          [0, 0],
          [2, 1],
          [1, 2],
        ]),
      ),
    ).toMatch('does not hang on');
    expect(reasonOf(source, target, oneToOne(3))).toBe('exact');
  });

  it('a mirrored joint that drives nothing and carries nothing is no reason, and changes nothing', () => {
    const [source, target] = [chain(4), chain(3)];
    const mirrored = { ...source, rest: copyPose(source.rest) };
    mirrored.rest.scales[9] = -1;
    const clip = randomClip(random, source, { joints: [1, 2, 3], travels: 0 });
    const [plain, other] = [source, mirrored].map((skeleton) => {
      const setup = createSetup(plainRig(skeleton), plainRig(target), oneToOne(3));
      return [throughKeys(setup, clip), retargetFrames(setup, clip, PASS_NAMES).clip];
    });
    expect(other).toEqual(plain);
  });
});

describe('edges', () => {
  it('clips without keys, with one key, and of no length', () => {
    const { source, target, setup } = twins(61, 3);
    const empty: Clip = { name: 'empty', duration: 0, tracks: [], morphs: [] };
    for (const clip of [empty, { ...empty, tracks: [rotationTrack(1, [], [])] }]) {
      const moved = throughKeys(setup, clip);
      for (let joint = 0; joint < 3; joint++)
        expect(
          angleBetween(
            quatAt(poseAt(target, moved, 0).rotations, joint),
            quatAt(target.rest.rotations, joint),
          ),
        ).toBeLessThan(1e-6);
    }
    const one = clipOf([
      rotationTrack(1, [0], [randomTurn(createRandom(3))]),
      translationTrack(0, [0], [[1, 2, 3]]),
    ]);
    expect(throughKeys(setup, one).tracks.every(({ times: keys }) => keys.length === 1)).toBe(true);
    expect(placeAt(modelAt(source, one, 0), 0)).toEqual([1, 2, 3]);
  });
});
