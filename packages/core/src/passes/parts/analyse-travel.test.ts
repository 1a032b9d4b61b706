import { describe, expect, it } from 'vitest';
import {
  clipOf,
  createRandom,
  jointOf,
  type Quat,
  randomClip,
  rotationTrack,
  tinyHuman,
  translationTrack,
  turn,
} from '../../../test/tiny-rigs.js';
import type { Vec3 } from '../../base/math/vector.js';
import { createRig } from '../../body/understand/create-rig.js';
import { createRigMap } from '../../map/create-rig-map.js';
import type { Clip } from '../../scene/clip.js';
import { createSetup } from '../../setup/create-setup.js';
import { extractRoot } from '../extract-root.js';
import { compiledOf } from '../pass.js';
import { analyseTravel } from './analyse-travel.js';
import { createTravelReader } from './read-travel.js';

const source = createRig(tinyHuman());
const target = createRig(tinyHuman({ legs: 0.5 }));
const setup = createSetup(source, target, createRigMap(source, target).map, {
  rootMotion: 'extract',
  rootScales: { horizontal: 0.5, vertical: 0.7 },
});
const reader = createTravelReader(setup, compiledOf(setup, extractRoot)!.from);
const hips = jointOf(source.skeleton, 'hips');
const height = source.skeleton.rest.translations[3 * hips + 1]!;

function walk(at: readonly number[], place: (t: number) => Vec3, heading: (t: number) => number): Clip {
  return clipOf([
    translationTrack(hips, at, at.map(place)),
    rotationTrack(
      hips,
      at,
      at.map((t): Quat => turn([0, 1, 0], heading(t))),
    ),
  ]);
}

const even = Array.from({ length: 181 }, (_, k) => k / 60);
const columns = (path: Float64Array) =>
  [0, 1, 2].map((c) => Array.from({ length: path.length / 3 }, (_, k) => path[3 * k + c]!));

describe('analyseTravel', () => {
  it('a straight walk at a steady pace is found exactly, in the target’s scale', () => {
    const path = analyseTravel(
      reader,
      source.skeleton,
      walk(
        even,
        (t) => [t, height, 2 * t],
        () => 0,
      ),
      even,
    );
    even.forEach((t, k) => {
      expect(path[3 * k]).toBeCloseTo(0.5 * t, 5);
      expect(path[3 * k + 1]).toBeCloseTo(t, 5);
      expect(path[3 * k + 2]).toBeCloseTo(0, 6);
    });
  });

  it('two whole turns are two whole turns', () => {
    const path = analyseTravel(
      reader,
      source.skeleton,
      walk(
        even,
        () => [0, height, 0],
        (t) => (4 * Math.PI * t) / 3,
      ),
      even,
    );
    expect(path[3 * 180 + 2]! - path[2]!).toBeCloseTo(4 * Math.PI, 4);
  });

  it('sway is taken out, while both ends keep their place', () => {
    const place = (t: number): Vec3 => [0.05 * Math.sin(4 * Math.PI * t), height, t];
    const [x] = columns(
      analyseTravel(
        reader,
        source.skeleton,
        walk(even, place, () => 0),
        even,
      ),
    );
    expect(Math.max(...x!.slice(30, -30).map(Math.abs))).toBeLessThan(0.2 * 0.5 * 0.05);
    expect(x![0]).toBeCloseTo(0, 6);
    expect(x![180]).toBeCloseTo(0, 5);
  });

  it('does not depend on where the frames stand: dense here and sparse there gives the same path', () => {
    const place = (t: number): Vec3 => [Math.sin(t), height, t * t * 0.3];
    const clip = walk(even, place, (t) => 0.4 * t);
    const uneven = [
      ...even.filter((t, k) => t < 1 || k % 4 === 0),
      ...even.slice(60, 90).map((t) => t + 0.004),
    ].sort((a, b) => a - b);
    const [a, b] = [
      analyseTravel(reader, source.skeleton, clip, even),
      analyseTravel(reader, source.skeleton, clip, uneven),
    ];
    uneven.forEach((t, k) => {
      const at = Math.min(179, Math.floor(t * 60 + 1e-6));
      const u = t * 60 - at;
      for (let c = 0; c < 3; c++)
        expect(b[3 * k + c]).toBeCloseTo((1 - u) * a[3 * at + c]! + u * a[3 * at + 3 + c]!, 2);
    });
  });

  it('no frame, one frame, and a clip of no length', () => {
    const clip = randomClip(createRandom(1), source.skeleton);
    expect(analyseTravel(reader, source.skeleton, clip, [])).toHaveLength(0);
    for (const at of [[0], [0, 0]])
      expect(
        analyseTravel(reader, source.skeleton, { ...clip, duration: 0 }, at).every(Number.isFinite),
      ).toBe(true);
  });
});
