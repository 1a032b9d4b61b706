import { didWork } from '@stuntdouble/core/engine';
import { type GltfDocument, readView } from '../document.js';
import { type GltfAccessor, gltfError, isIndex, isObject, show } from '../gltf-json.js';

/** How many numbers one element has, by the accessor's type. */
const SIZES: Readonly<Record<string, number>> = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16 };

type TypedArray = Int8Array | Uint8Array | Int16Array | Uint16Array | Uint32Array | Float32Array;

/** The component types of glTF: how to make an array of them, and what the largest stands for. */
const COMPONENTS: Readonly<
  Record<
    number,
    {
      make: (buffer: ArrayBufferLike, offset: number, length: number) => TypedArray;
      bytes: number;
      one: number;
    }
  >
> = {
  5120: { make: (b, o, n) => new Int8Array(b, o, n), bytes: 1, one: 127 },
  5121: { make: (b, o, n) => new Uint8Array(b, o, n), bytes: 1, one: 255 },
  5122: { make: (b, o, n) => new Int16Array(b, o, n), bytes: 2, one: 32767 },
  5123: { make: (b, o, n) => new Uint16Array(b, o, n), bytes: 2, one: 65535 },
  5125: { make: (b, o, n) => new Uint32Array(b, o, n), bytes: 4, one: 4294967295 },
  5126: { make: (b, o, n) => new Float32Array(b, o, n), bytes: 4, one: 1 },
};

/** An accessor without bytes of its own is all zeros and could claim any count: 8 MB are 700,000 vertices. */
const MAX_EMPTY_BYTES = 2 ** 23;

/** The elements of an accessor as they stand in the file: packed, in the type of the file. */
export type Elements = {
  /** May share memory with the file: to be copied before it is changed or handed out. */
  array: TypedArray;
  count: number;
  /** Numbers per element. */
  size: number;
  /** What to multiply by to get the meant value: below 1 for normalised integers. */
  factor: number;
  signed: boolean;
  componentType: number;
};

/**
 * Reads an accessor: interleaved, sparse or plain, of any component type.
 * @param types the accessor types that can stand here.
 * @param at the place that names the accessor, for errors.
 * @param most how many elements are needed; those beyond are not unpacked.
 */
export function readElements(
  document: GltfDocument,
  index: unknown,
  types: readonly string[],
  at: string,
  most = Number.POSITIVE_INFINITY,
): Elements {
  const accessors = document.json.accessors ?? [];
  if (!isIndex(index, accessors.length))
    throw gltfError(at, `accessor ${show(index)}`, `one of ${accessors.length} accessors`);
  const accessor: GltfAccessor = accessors[index]!;
  const place = `accessors[${index}]`;
  const { type, componentType, byteOffset = 0, bufferView, sparse, normalized } = accessor;
  let { count } = accessor;
  if (typeof type !== 'string' || !types.includes(type))
    throw gltfError(`${place}.type`, show(type), types.join(' or '));
  const size = SIZES[type]!;
  const component = typeof componentType === 'number' ? COMPONENTS[componentType] : undefined;
  if (!component)
    throw gltfError(`${place}.componentType`, show(componentType), '5120 to 5123, 5125 or 5126');
  didWork(Math.min(most, Number(count) || 0));
  if (!Number.isSafeInteger(count) || count < 0)
    throw gltfError(`${place}.count`, show(count), 'a number of elements');
  if (!Number.isSafeInteger(byteOffset) || byteOffset < 0)
    throw gltfError(`${place}.byteOffset`, show(byteOffset), 'a number of bytes');
  const elementBytes = size * component.bytes;

  let array: TypedArray;
  if (bufferView === undefined) {
    if (count * elementBytes > MAX_EMPTY_BYTES)
      throw gltfError(
        `${place}.count`,
        show(count),
        `at most ${Math.floor(MAX_EMPTY_BYTES / elementBytes)} without a buffer view`,
      );
    array = component.make(new ArrayBuffer(count * elementBytes), 0, count * size);
  } else {
    const bytes = readView(document, bufferView, `${place}.bufferView`);
    const stride = strideOf(document, bufferView, elementBytes, place);
    if (count > 0 && byteOffset + stride * (count - 1) + elementBytes > bytes.length)
      throw gltfError(
        place,
        `${count} elements of ${elementBytes} bytes from byte ${byteOffset}`,
        `elements within the ${bytes.length} bytes of its buffer view`,
      );
    // A sparse accessor may change any element, so all of them are needed to say which.
    if (sparse === undefined) count = Math.min(count, most);
    array = unpack(bytes, byteOffset, stride, count, size, component);
  }
  if (sparse !== undefined) array = applySparse(document, array, sparse, count, size, componentType, place);
  return {
    array,
    count,
    size,
    factor: normalized === true ? 1 / component.one : 1,
    signed: componentType === 5120 || componentType === 5122,
    componentType,
  };
}

/**
 * The elements of an accessor as floats, normalised integers taken to their meaning.
 * @returns a view into the file where that is possible: copy before changing it.
 */
export function readFloats(
  document: GltfDocument,
  index: unknown,
  types: readonly string[],
  at: string,
  most = Number.POSITIVE_INFINITY,
): { values: Float32Array; count: number; size: number } {
  const { array, count, size, factor, signed } = readElements(document, index, types, at, most);
  if (array instanceof Float32Array) return { values: array, count, size };
  const values = new Float32Array(array.length);
  // The specification's formula: f = max(c / 127, −1) for signed integers, c / 255 for unsigned ones.
  for (let i = 0; i < array.length; i++) {
    const value = array[i]! * factor;
    values[i] = signed && factor !== 1 && value < -1 ? -1 : value;
  }
  return { values, count, size };
}

/** The bytes from one element to the next. */
function strideOf(document: GltfDocument, index: number, elementBytes: number, place: string): number {
  const stride: unknown = document.json.bufferViews![index]!.byteStride;
  if (stride === undefined) return elementBytes;
  if (typeof stride !== 'number' || !Number.isInteger(stride) || stride < 1)
    throw gltfError(`bufferViews[${index}].byteStride`, show(stride), 'a number of bytes');
  if (stride < elementBytes)
    throw gltfError(place, `a stride of ${stride} bytes`, `at least the ${elementBytes} bytes of an element`);
  return stride;
}

function unpack(
  bytes: Uint8Array,
  byteOffset: number,
  stride: number,
  count: number,
  size: number,
  component: { make: (buffer: ArrayBufferLike, offset: number, length: number) => TypedArray; bytes: number },
): TypedArray {
  const elementBytes = size * component.bytes;
  const start = bytes.byteOffset + byteOffset;
  if (count === 0) return component.make(new ArrayBuffer(0), 0, 0);
  if (stride === elementBytes && start % component.bytes === 0)
    return component.make(bytes.buffer, start, count * size);
  const packed = new Uint8Array(count * elementBytes);
  for (let i = 0; i < count; i++) {
    const from = byteOffset + i * stride;
    packed.set(bytes.subarray(from, from + elementBytes), i * elementBytes);
  }
  return component.make(packed.buffer, 0, count * size);
}

function applySparse(
  document: GltfDocument,
  base: TypedArray,
  sparse: unknown,
  count: number,
  size: number,
  componentType: number,
  place: string,
): TypedArray {
  const at = `${place}.sparse`;
  if (!isObject(sparse) || !isObject(sparse.indices) || !isObject(sparse.values))
    throw gltfError(at, show(sparse), 'a count, indices and values');
  const { indices, values } = sparse;
  const changed = isIndex(sparse.count, count + 1) ? sparse.count : -1;
  const indexComponent = [5121, 5123, 5125].includes(Number(indices.componentType))
    ? COMPONENTS[Number(indices.componentType)]
    : undefined;
  if (changed < 0) throw gltfError(`${at}.count`, show(sparse.count), `a count up to ${count}`);
  if (!indexComponent)
    throw gltfError(`${at}.indices.componentType`, show(indices.componentType), '5121, 5123 or 5125');
  const valueComponent = COMPONENTS[componentType]!;
  const read = (
    part: Record<string, unknown>,
    name: string,
    partSize: number,
    component: typeof valueComponent,
  ) => {
    const bytes = readView(document, part.bufferView, `${at}.${name}.bufferView`);
    const offset = part.byteOffset ?? 0;
    const length = changed * partSize * component.bytes;
    if (!isIndex(offset, bytes.length + 1) || offset + length > bytes.length)
      throw gltfError(
        `${at}.${name}`,
        `${length} bytes from ${show(offset)}`,
        `at most ${bytes.length} bytes`,
      );
    return unpack(bytes, offset, partSize * component.bytes, changed, partSize, component);
  };
  const places = read(indices, 'indices', 1, indexComponent);
  const replaced = read(values, 'values', size, valueComponent);
  const out = base.slice();
  for (let i = 0; i < changed; i++) {
    const to = places[i]!;
    if (to >= count) throw gltfError(`${at}.indices`, `index ${to}`, `below the count of ${count}`);
    for (let c = 0; c < size; c++) out[to * size + c] = replaced[i * size + c]!;
  }
  return out;
}
