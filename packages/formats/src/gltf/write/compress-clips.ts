import type { Channel, Interpolation, Skeleton, Track } from '@stuntdouble/core/engine';
import type { GltfAccessor, GltfBufferView } from '../gltf-json.js';
import type { EncodedClips } from './clip-encoder.js';
import {
  COMPRESSED_PLACE,
  type CompressedBody,
  lookAtCompressed,
  placesApart,
  toleranceOf,
} from './compressed-body.js';

/** The extension by which a buffer view is compressed. */
export const MESHOPT = 'EXT_meshopt_compression';

/**
 * The most that a turn of so many bits is off, times 2^bits: three components of at most √½ in magnitude are each off by at
 * most √½ / (2^(bits−1) − 1) / 2, the fourth follows from them, and a turn is off by twice the length of that, √3 of it:
 * √6 · 2^−bits and a little, which is doubled where the fourth is as small as it may be, a half. The sign of a quaternion
 * is not kept: players of glTF go the shorter way between keys, by whichever sign.
 */
const TURN_ERROR = 5;

/** Bits of a compressed turn at least and at most; more than it is unpacked to would be lost. */
const TURN_BITS = [9, 16] as const;

/**
 * Bits of a weight with its sign, each with an exponent of its own: off by at most 2^-17 of itself. Those of places and
 * sizes have one exponent a track and component, so that their steps are even: they pack better, and at most these.
 */
const NUMBER_BITS = 18;
const MOST_BITS = 24;

/** How far a compressed weight may be from what it was, as a part of itself. */
export const COMPRESSED_NUMBER = 2 ** -17;

/** How far a compressed time may be from what it was, as a part of the last one. */
export const COMPRESSED_TIME = 2 ** -22;

/** What of the bound one turn may use up, at first and from try to try: errors of joints that carry each other mostly do not add up. */
const FIRST_SHARE = 1.5;
const NEXT_SHARE = 0.92;
const MOST_TRIES = 32;

/** How values are packed. All of one kind stand in one view: a view of its own for every track would cost more than it holds. */
type Kind = 'times' | 'turns' | 'triples' | 'numbers' | 'exact';

const STRIDES: Readonly<Record<Kind, number>> = { times: 4, turns: 8, triples: 12, numbers: 4, exact: 4 };
const FILTERS: Readonly<Partial<Record<Kind, string>>> = {
  ...{ times: 'EXPONENTIAL', turns: 'QUATERNION', triples: 'EXPONENTIAL', numbers: 'EXPONENTIAL' },
};

/** Clips whose keys are compressed: views to be appended to a document, with what they hold. */
export type CompressedClips = {
  accessors: GltfAccessor[];
  pieces: Uint8Array[];
  byteLength: number;
  views: GltfBufferView[];
  /** Bytes that the views unpack to, which stand in no file: those of a buffer that is a placeholder. */
  unpackedLength: number;
};

/** What a clip is compressed for: the body, and which joint a node is. */
type Body = { skeleton: Skeleton; jointOf(node: number): number | undefined };

/** The numbers of an accessor, what they are of, and what they become. */
type Packing = {
  kind: Kind;
  values: Float32Array;
  of: { joint: number; channel: Channel } | null;
  /** As it is packed, and as readers have it again. */
  filtered: Uint8Array;
  again: Float32Array;
};

/**
 * Compresses the keys of clips with meshoptimizer. Turns have as many bits as what hangs on their joint needs: the coarsest
 * are taken by which no joint of any clip is off by more than {@link COMPRESSED_PLACE} of the body's size at the keys that
 * are looked at. Times are within {@link COMPRESSED_TIME}, weights within {@link COMPRESSED_NUMBER}; cubic keys are exact,
 * since a tangent is no turn.
 * @param place Where the bytes and the views will stand: the first byte in buffer 0, the first view, and the
 *   placeholder's number.
 */
export async function compressClips(
  encoded: EncodedClips,
  place: { byteOffset: number; firstView: number; firstAccessor: number; placeholder: number },
  { skeleton, jointOf }: Body,
): Promise<CompressedClips> {
  const [{ MeshoptEncoder }, { MeshoptDecoder }] = await Promise.all([
    import('meshoptimizer/encoder'),
    import('meshoptimizer/decoder'),
  ]);
  await Promise.all([MeshoptEncoder.ready, MeshoptDecoder.ready]);
  const codec = { encoder: MeshoptEncoder, decoder: MeshoptDecoder };
  const packings = packingsOf(encoded, place.firstAccessor, jointOf);
  const body = lookAtCompressed(skeleton);
  const bound = COMPRESSED_PLACE * body.size;
  let share = FIRST_SHARE;
  for (let tries = 0; tries < MOST_TRIES; tries++, share *= NEXT_SHARE) {
    for (const packing of packings) filter(packing, body, share * bound, codec);
    if (worstOf(encoded, packings, place.firstAccessor, skeleton) <= bound) break;
  }
  const out: CompressedClips = { accessors: [], pieces: [], byteLength: 0, views: [], unpackedLength: 0 };
  const accessors: GltfAccessor[] = encoded.accessors.map((accessor) => ({ ...accessor }));
  for (const kind of ['times', 'turns', 'triples', 'numbers', 'exact'] as const) {
    const members = packings.flatMap((packing, n) => (packing.kind === kind ? [n] : []));
    if (members.length === 0) continue;
    const stride = STRIDES[kind];
    let length = 0;
    for (const n of members) {
      const { filtered, again } = packings[n]!;
      accessors[n] = {
        ...accessors[n]!,
        bufferView: place.firstView + out.views.length,
        byteOffset: length,
        ...(kind === 'turns' && { componentType: 5122, normalized: true }),
        ...(accessors[n]!.min && { min: [again[0]!], max: [again.at(-1)!] }),
      };
      length += filtered.byteLength;
    }
    const count = length / stride;
    const all = concatenated(
      members.map((n) => packings[n]!.filtered),
      length,
    );
    const packed = MeshoptEncoder.encodeGltfBuffer(all, count, stride, 'ATTRIBUTES', 0);
    out.views.push({
      buffer: place.placeholder,
      byteOffset: out.unpackedLength,
      byteLength: length,
      extensions: {
        [MESHOPT]: {
          buffer: 0,
          byteOffset: place.byteOffset + out.byteLength,
          byteLength: packed.byteLength,
          byteStride: stride,
          count,
          mode: 'ATTRIBUTES',
          ...(FILTERS[kind] && { filter: FILTERS[kind] }),
        },
      },
    });
    out.unpackedLength += length + ((4 - (length % 4)) % 4);
    const padding = (4 - (packed.byteLength % 4)) % 4;
    out.pieces.push(packed, new Uint8Array(padding));
    out.byteLength += packed.byteLength + padding;
  }
  return { ...out, accessors };
}

type Codec = {
  encoder: typeof import('meshoptimizer/encoder').MeshoptEncoder;
  decoder: typeof import('meshoptimizer/decoder').MeshoptDecoder;
};

/** Gives values the form that is packed, as coarse as what hangs on them allows. */
function filter(packing: Packing, body: CompressedBody, tolerance: number, codec: Codec): void {
  const { kind, values, of } = packing;
  const { encoder } = codec;
  const allowed = of && toleranceOf(body, of.joint, of.channel, tolerance);
  const take = (filtered: Uint8Array) => {
    packing.filtered = filtered;
    packing.again = unpacked(kind, filtered, codec);
  };
  if (kind === 'turns') {
    const bits = allowed === null ? 14 : leastBits(TURN_ERROR, allowed, ...TURN_BITS);
    take(encoder.encodeFilterQuat(values, values.length / 4, STRIDES.turns, bits));
  } else if (kind === 'triples') {
    // Half a step is 2^-(bits - 1) of the largest; a place uses up a quarter of what it may, as it carries all of the body.
    let most = 0;
    for (const value of values) most = Math.max(most, Math.abs(value));
    const bits = allowed === null ? NUMBER_BITS : leastBits(2 * most, allowed / 4, 4, MOST_BITS);
    take(encoder.encodeFilterExp(values, values.length / 3, STRIDES.triples, bits, 'SharedComponent'));
  } else if (kind === 'numbers')
    take(encoder.encodeFilterExp(values, values.length, STRIDES.numbers, NUMBER_BITS, 'Separate'));
  else if (kind === 'times') {
    take(encoder.encodeFilterExp(values, values.length, STRIDES.times, MOST_BITS, 'SharedComponent'));
    // Keys that are nearer to each other than the steps of a long clip are kept as they are.
    const { again } = packing;
    const isKept = again.every(
      (time, k) =>
        (k === 0 || time > again[k - 1]!) && Math.abs(time - values[k]!) <= COMPRESSED_TIME * values.at(-1)!,
    );
    if (!isKept) packing.kind = 'exact';
  }
  if (packing.kind !== 'exact') return;
  packing.filtered = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  packing.again = values;
}

/** The fewest bits by which an error of `error` · 2^−bits is no larger than it may be. */
function leastBits(error: number, allowed: number, least: number, most: number): number {
  let bits = 0;
  // Halves are exact in every engine.
  for (let off = error; bits < most && (bits < least || !(off <= allowed)); off /= 2) bits++;
  return bits;
}

/** Values as readers have them again. */
function unpacked(kind: Kind, filtered: Uint8Array, { encoder, decoder }: Codec): Float32Array {
  const stride = STRIDES[kind];
  const count = filtered.byteLength / stride;
  const packed = encoder.encodeGltfBuffer(filtered, count, stride, 'ATTRIBUTES', 0);
  const out = new Uint8Array(filtered.byteLength);
  decoder.decodeGltfBuffer(out, count, stride, packed, 'ATTRIBUTES', FILTERS[kind]);
  if (kind !== 'turns') return new Float32Array(out.buffer);
  return Float32Array.from(new Int16Array(out.buffer), (value) => Math.max(-1, value / 32767));
}

/** How far joints of the clips are off at most. */
function worstOf(
  { animations }: EncodedClips,
  packings: readonly Packing[],
  firstAccessor: number,
  skeleton: Skeleton,
): number {
  let worst = 0;
  for (const { samplers } of animations) {
    const tracks = (samplers as Sampler[]).flatMap(({ input, output, interpolation }): [Track, Track][] => {
      const { of, values, again } = packings[output - firstAccessor]!;
      const times = packings[input - firstAccessor]!;
      if (!of) return [];
      const track = {
        ...of,
        interpolation: MODES[interpolation ?? 'LINEAR'] ?? 'linear',
        times: times.values,
      };
      return [
        [
          { ...track, values },
          { ...track, values: again },
        ],
      ];
    });
    const duration = Math.max(0, ...tracks.map(([{ times }]) => times.at(-1) ?? 0));
    const [before, after] = [0, 1].map((n) => tracks.map((pair) => pair[n]!)) as [Track[], Track[]];
    worst = Math.max(worst, placesApart(skeleton, before, after, duration));
  }
  return worst;
}

/** How the encoder has written them; the type is that of files, of which nothing is known. */
type Sampler = { input: number; output: number; interpolation?: string };

const MODES: Readonly<Record<string, Interpolation>> = {
  LINEAR: 'linear',
  STEP: 'step',
  CUBICSPLINE: 'cubic',
};

function packingsOf(
  { animations, pieces }: EncodedClips,
  firstAccessor: number,
  jointOf: Body['jointOf'],
): Packing[] {
  const packings = pieces.map((bytes): Packing => {
    const values = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
    return { kind: 'exact', values, of: null, filtered: bytes, again: values };
  });
  for (const { channels, samplers } of animations)
    for (const channel of channels) {
      const { sampler, target } = channel as { sampler: number; target: { node: number; path: string } };
      const { input, output, interpolation } = samplers[sampler] as Sampler;
      packings[input - firstAccessor]!.kind = 'times';
      const packing = packings[output - firstAccessor]!;
      const joint = jointOf(target.node);
      if (joint !== undefined && target.path !== 'weights')
        packing.of = { joint, channel: target.path as Channel };
      if (interpolation === 'CUBICSPLINE') continue;
      packing.kind = target.path === 'rotation' ? 'turns' : target.path === 'weights' ? 'numbers' : 'triples';
    }
  return packings;
}

function concatenated(pieces: readonly Uint8Array[], length: number): Uint8Array {
  const out = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    out.set(piece, at);
    at += piece.byteLength;
  }
  return out;
}
