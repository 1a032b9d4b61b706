import type { GltfAccessor, GltfBufferView } from '../gltf-json.js';
import type { EncodedClips } from './clip-encoder.js';

/** The extension by which a buffer view is compressed. */
export const MESHOPT = 'EXT_meshopt_compression';

/**
 * Bits of a compressed turn: three components of at most √½ in magnitude, the fourth following from them, so that each
 * is off by at most √½ / 2^13 / 2 = 4.3e-5 and the turn by at most 2 · 2 · √3 · 4.3e-5 = 3.0e-4 radians; the 16 bits
 * that it is unpacked to add 0.6e-4. Together 0.021°. The sign of a quaternion is not kept: players of glTF go the
 * shorter way between keys, by whichever sign.
 */
const TURN_BITS = 14;

/**
 * Bits of a compressed place, size or weight with its sign, each with an exponent of its own: off by at most 2^-17 of itself, 0.08 mm
 * at ten metres from the origin.
 */
const NUMBER_BITS = 18;

/** How far a compressed turn may be from what it was, in degrees. */
export const COMPRESSED_TURN_DEGREES = 0.021;

/** How far a compressed number may be from what it was, as a part of itself. */
export const COMPRESSED_NUMBER = 2 ** -17;

/** How values are packed. All of one kind stand in one view: a view of its own for every track would cost more than it holds. */
type Kind = 'times' | 'turns' | 'triples' | 'numbers' | 'exact';

const STRIDES: Readonly<Record<Kind, number>> = { times: 4, turns: 8, triples: 12, numbers: 4, exact: 4 };
const FILTERS: Readonly<Partial<Record<Kind, string>>> = {
  ...{ turns: 'QUATERNION', triples: 'EXPONENTIAL', numbers: 'EXPONENTIAL' },
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

/**
 * Compresses the keys of clips with meshoptimizer. Times are exact; turns and numbers are within
 * {@link COMPRESSED_TURN_DEGREES} and {@link COMPRESSED_NUMBER}; cubic keys are exact, since a tangent is no turn.
 * @param place Where the bytes and the views will stand: the first byte in buffer 0, the first view, and the
 *   placeholder's number.
 */
export async function compressClips(
  encoded: EncodedClips,
  place: { byteOffset: number; firstView: number; firstAccessor: number; placeholder: number },
): Promise<CompressedClips> {
  const { MeshoptEncoder } = await import('meshoptimizer/encoder');
  await MeshoptEncoder.ready;
  const kinds = kindsOf(encoded, place.firstAccessor);
  const out: CompressedClips = { accessors: [], pieces: [], byteLength: 0, views: [], unpackedLength: 0 };
  const accessors: GltfAccessor[] = encoded.accessors.map((accessor) => ({ ...accessor }));
  for (const kind of ['times', 'turns', 'triples', 'numbers', 'exact'] as const) {
    const members = accessors.flatMap((_, n) => (kinds[n] === kind ? [n] : []));
    if (members.length === 0) continue;
    const stride = STRIDES[kind];
    const filtered: Uint8Array[] = [];
    let length = 0;
    for (const n of members) {
      const bytes = encoded.pieces[n]!;
      const values = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
      const part =
        kind === 'turns'
          ? MeshoptEncoder.encodeFilterQuat(values, values.length / 4, stride, TURN_BITS)
          : kind === 'triples' || kind === 'numbers'
            ? MeshoptEncoder.encodeFilterExp(
                values,
                bytes.byteLength / stride,
                stride,
                NUMBER_BITS,
                'Separate',
              )
            : bytes;
      accessors[n] = {
        ...accessors[n]!,
        bufferView: place.firstView + out.views.length,
        byteOffset: length,
        ...(kind === 'turns' && { componentType: 5122, normalized: true }),
      };
      filtered.push(part);
      length += part.byteLength;
    }
    const count = length / stride;
    const packed = MeshoptEncoder.encodeGltfBuffer(
      concatenated(filtered, length),
      count,
      stride,
      'ATTRIBUTES',
      0,
    );
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

function kindsOf({ animations, accessors }: EncodedClips, firstAccessor: number): Kind[] {
  const kinds: Kind[] = accessors.map(() => 'exact');
  for (const { channels, samplers } of animations)
    for (const channel of channels) {
      // As the encoder has written them; the type is that of files, of which nothing is known.
      const { sampler, target } = channel as { sampler: number; target: { path: string } };
      const { input, output, interpolation } = samplers[sampler] as {
        input: number;
        output: number;
        interpolation?: string;
      };
      kinds[input - firstAccessor] = 'times';
      if (interpolation === 'CUBICSPLINE') continue;
      kinds[output - firstAccessor] =
        target.path === 'rotation' ? 'turns' : target.path === 'weights' ? 'numbers' : 'triples';
    }
  return kinds;
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
