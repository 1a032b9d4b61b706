import {
  type Clip,
  type Interpolation,
  type MorphTrack,
  multiplyQuaternions,
  type Skeleton,
  type Track,
} from '@stuntdouble/core';
import type { Random } from './random.js';
import { hostileName } from './random-names.js';
import { randomRotation } from './random-rotation.js';

const WAYS: readonly Interpolation[] = ['linear', 'linear', 'step', 'cubic'];

/**
 * Makes a clip for a skeleton: most often a second of motion about the rest pose; at times none, one key, keys in
 * one place, times of days, rotations of any length, numbers of any size.
 */
export function randomClip(random: Random, skeleton: Skeleton): Clip {
  const count = skeleton.names.length;
  const share = random.pick([0, 0.1, 0.5, 1, 1]);
  const common = random.chance(0.7) ? randomTimes(random) : null;
  const way = random.chance(0.6) ? random.pick(WAYS) : null;
  const oddness = random.chance(0.7) ? 0 : random.pick([0.01, 0.1, 1]);
  const tracks: Track[] = [];
  for (let joint = 0; joint < count; joint++) {
    if (!random.chance(share) && !(joint < 2 && share > 0)) continue;
    const times = common ?? randomTimes(random);
    const interpolation = way ?? random.pick(WAYS);
    tracks.push(turnTrack(random, skeleton, joint, times, interpolation, oddness));
    if (random.chance(joint < 2 ? 0.7 : 0.1))
      tracks.push(vectorTrack(random, skeleton, joint, 'translation', times, interpolation, oddness));
    if (random.chance(0.04))
      tracks.push(vectorTrack(random, skeleton, joint, 'scale', times, interpolation, oddness));
  }
  // Twice the same channel, as careless programs have it.
  if (tracks.length > 0 && random.chance(0.03)) tracks.push(random.pick(tracks));
  const end = tracks.reduce((latest, { times }) => Math.max(latest, times[times.length - 1] ?? 0), 0);
  return {
    name: random.chance(0.9) ? 'walk' : hostileName(random),
    duration: random.chance(0.94) ? end : random.pick([0, end / 2, end * 3, -1, 1e9]),
    tracks,
    morphs: random.chance(0.15) ? [morphTrack(random)] : [],
    ...(random.chance(0.08) && { gaze: gazeTrack(random, oddness) }),
  };
}

/** Times that rise: a beat most often, else one, none, the same ones again, negative ones, or days apart. */
function randomTimes(random: Random): Float32Array | Float64Array {
  const kind = random.unit();
  const beat = random.pick([1 / 30, 1 / 60, 1 / 24, 0.1]);
  const count = 2 + random.below(30);
  const list =
    kind < 0.7
      ? Array.from({ length: count }, (_, k) => k * beat)
      : kind < 0.78
        ? [random.pick([0, 0.5, 1.5])]
        : kind < 0.82
          ? []
          : kind < 0.88
            ? Array.from({ length: count }, (_, k) => (k >> 1) * beat)
            : kind < 0.92
              ? Array.from({ length: count }, (_, k) => k * beat - 0.2)
              : kind < 0.96
                ? [0, random.pick([1e-9, 1e-30, 3, 20])]
                : random.chance(0.2)
                  ? [0, 1, 10 ** (random.unit() * 12)]
                  : [0, 0.01, 2];
  return random.chance(0.8) ? Float32Array.from(list) : Float64Array.from(list);
}

/** A size that no motion has. */
function oddSize(random: Random): number {
  return random.pick([0, 1e-30, 1e-6, 0.5, 1.01, 2, 1e6, 1e18, 1e37, -1]);
}

function fill(
  random: Random,
  times: ArrayLike<number>,
  interpolation: Interpolation,
  width: number,
  value: (k: number) => ArrayLike<number>,
): Float32Array | Float64Array {
  const isCubic = interpolation === 'cubic';
  const stride = isCubic ? 3 * width : width;
  const store = new (random.chance(0.8) ? Float32Array : Float64Array)(stride * times.length);
  for (let k = 0; k < times.length; k++) {
    store.set(Array.from(value(k)).slice(0, width), stride * k + (isCubic ? width : 0));
    if (isCubic && random.chance(0.3))
      for (let c = 0; c < width; c++) {
        store[stride * k + c] = random.unit() - 0.5;
        store[stride * k + 2 * width + c] = random.unit() - 0.5;
      }
  }
  return store;
}

function turnTrack(
  random: Random,
  { rest }: Skeleton,
  joint: number,
  times: Track['times'],
  interpolation: Interpolation,
  oddness: number,
): Track {
  const swing = randomRotation(random);
  const reach = random.pick([0.05, 0.3, 1]);
  const out = new Float64Array(8);
  const values = fill(random, times, interpolation, 4, (k) => {
    // A swing to and fro about one axis, on top of the rest.
    const half = reach * Math.sin(2 * Math.PI * (times[k]! % 1));
    const length = Math.hypot(swing[0]!, swing[1]!, swing[2]!) || 1;
    for (let c = 0; c < 3; c++) out[4 + c] = (swing[c]! / length) * Math.sin(half);
    out[7] = Math.cos(half);
    multiplyQuaternions(out, 0, rest.rotations, 4 * joint, out, 4);
    if (!random.chance(oddness)) return out;
    const size = oddSize(random);
    return randomRotation(random).map((x) => x * size);
  });
  return { joint, channel: 'rotation', interpolation, times, values };
}

function vectorTrack(
  random: Random,
  { rest }: Skeleton,
  joint: number,
  channel: 'translation' | 'scale',
  times: Track['times'],
  interpolation: Interpolation,
  oddness: number,
): Track {
  const base = (channel === 'translation' ? rest.translations : rest.scales).subarray(
    3 * joint,
    3 * joint + 3,
  );
  const reach = 0.2 * (Math.max(...base.map(Math.abs)) || 1);
  const way = [0, 1, 2].map(() => random.unit() - 0.5);
  const values = fill(random, times, interpolation, 3, (k) => {
    const size = random.chance(oddness) ? oddSize(random) : 1;
    return way.map((x, c) => (base[c]! + reach * x * Math.sin(5 * (times[k]! % 10))) * size);
  });
  return { joint, channel, interpolation, times, values };
}

function morphTrack(random: Random): MorphTrack {
  const times = randomTimes(random);
  const interpolation = random.pick(WAYS);
  const values = fill(random, times, interpolation, 1, () => [random.unit()]);
  return {
    mesh: random.pick(['', 'face']),
    morph: random.pick(['happy', 'aa', hostileName(random)]),
    interpolation,
    times,
    values,
  };
}

function gazeTrack(random: Random, oddness: number): NonNullable<Clip['gaze']> {
  const times = randomTimes(random);
  const interpolation = random.pick(WAYS);
  const values = fill(random, times, interpolation, 4, () => {
    const size = random.chance(oddness) ? oddSize(random) : 1;
    return randomRotation(random).map((x) => x * size);
  });
  return { interpolation, times, values };
}
