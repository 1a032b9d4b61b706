import { zlibSync } from 'fflate';

/*
 * Records of FBX 7.4 as a writer of its own, apart from the one that is tested on the files: binary as described
 * by Blender's developers (code.blender.org, "FBX binary file format specification"), and ASCII.
 */

/** A value of a record, with the letter that binary files have before it. */
export type FbxValue =
  | { type: 'I' | 'L' | 'D'; value: number }
  | { type: 'S'; value: string }
  | { type: 'R'; value: Uint8Array }
  | { type: 'i' | 'l' | 'd' | 'f'; value: readonly number[] };

/** A record: name, values, records inside. Null: no braces. */
export type FbxRecord = { name: string; values: readonly FbxValue[]; children: readonly FbxRecord[] | null };

/** A whole number. */
export const int = (value: number): FbxValue => ({ type: 'I', value });
/** An object's number, or a time. */
export const long = (value: number): FbxValue => ({ type: 'L', value });
/** A number with a fraction. */
export const double = (value: number): FbxValue => ({ type: 'D', value });
/** A text. */
export const text = (value: string): FbxValue => ({ type: 'S', value });
/** Bytes as they are, such as a picture. */
export const bytes = (value: Uint8Array): FbxValue => ({ type: 'R', value });
/** The name of an object with its class, which binary and ASCII files write in another order. */
export const title = (name: string, kind: string): FbxValue => text(`${name}\x00\x01${kind}`);
/** Numbers in a row. */
export const list = (type: 'i' | 'l' | 'd' | 'f', value: readonly number[]): FbxValue => ({ type, value });

/** A record. */
export function record(
  name: string,
  values: readonly FbxValue[],
  children?: readonly FbxRecord[],
): FbxRecord {
  return { name, values, children: children ?? null };
}

/** One property of an object: name, type, label, flags, values. */
export function property(name: string, type: string, flags: string, values: readonly FbxValue[]): FbxRecord {
  return record('P', [text(name), text(type), text(''), text(flags), ...values]);
}

const utf8 = new TextEncoder();

function valueBytes(one: FbxValue): Uint8Array {
  if (one.type === 'S' || one.type === 'R') {
    const raw = one.type === 'S' ? utf8.encode(one.value) : one.value;
    const out = new Uint8Array(5 + raw.length);
    out[0] = one.type.charCodeAt(0);
    new DataView(out.buffer).setUint32(1, raw.length, true);
    out.set(raw, 5);
    return out;
  }
  if (typeof one.value === 'number') {
    const out = new Uint8Array(one.type === 'I' ? 5 : 9);
    const view = new DataView(out.buffer);
    out[0] = one.type.charCodeAt(0);
    if (one.type === 'I') view.setInt32(1, one.value, true);
    else if (one.type === 'L') view.setBigInt64(1, BigInt(one.value), true);
    else view.setFloat64(1, one.value, true);
    return out;
  }
  const { value } = one;
  const raw = new Uint8Array(
    one.type === 'd'
      ? Float64Array.from(value).buffer
      : one.type === 'f'
        ? Float32Array.from(value).buffer
        : one.type === 'i'
          ? Int32Array.from(value).buffer
          : BigInt64Array.from(value, BigInt).buffer,
  );
  const isLong = raw.length > 128;
  const packed = isLong ? zlibSync(raw, { level: 9 }) : raw;
  const out = new Uint8Array(13 + packed.length);
  const view = new DataView(out.buffer);
  out[0] = one.type.charCodeAt(0);
  view.setUint32(1, value.length, true);
  view.setUint32(5, isLong ? 1 : 0, true);
  view.setUint32(9, packed.length, true);
  out.set(packed, 13);
  return out;
}

const VERSION = 7400;
/** What a list of records ends with: one without a name or anything else. */
const END = 13;

/** The bytes of records as a binary file. */
export function encodeBinaryFbx(records: readonly FbxRecord[]): Uint8Array {
  const chunks: Uint8Array[] = [];
  let at = 0;
  const push = (bytes: Uint8Array) => {
    chunks.push(bytes);
    at += bytes.length;
  };
  const write = (one: FbxRecord) => {
    const values = one.values.map(valueBytes);
    const head = new Uint8Array(END + one.name.length);
    const view = new DataView(head.buffer);
    push(head);
    view.setUint32(4, values.length, true);
    view.setUint32(
      8,
      values.reduce((sum, { length }) => sum + length, 0),
      true,
    );
    head[12] = one.name.length;
    head.set(utf8.encode(one.name), END);
    for (const value of values) push(value);
    if (one.children) {
      for (const child of one.children) write(child);
      push(new Uint8Array(END));
    }
    view.setUint32(0, at, true);
  };
  const start = new Uint8Array(27);
  start.set(utf8.encode('Kaydara FBX Binary  \x00\x1a\x00'));
  new DataView(start.buffer).setUint32(23, VERSION, true);
  push(start);
  for (const one of records) write(one);
  push(new Uint8Array(END));
  const out = new Uint8Array(at);
  let offset = 0;
  for (const chunk of chunks) {
    out.set(chunk, offset);
    offset += chunk.length;
  }
  return out;
}

/** A number of an ASCII file: six digits that count, as exporters have it. */
const short = (value: number) => String(Number(value.toPrecision(6)));
/** One of many, such as a vertex: four decimals. */
const brief = (value: number) => String(Number(value.toFixed(4)) + 0);

function valueText(one: FbxValue, indent: string): string {
  if (one.type === 'R') throw new Error('pictures are put into binary files alone');
  if (typeof one.value === 'string') {
    const [name, kind] = one.value.split('\x00\x01');
    return kind === undefined ? `"${name}"` : `"${kind}::${name}"`;
  }
  if (typeof one.value === 'number') return one.type === 'D' ? short(one.value) : String(one.value);
  const isWhole = one.type === 'i' || one.type === 'l';
  const numbers = one.value.map(isWhole ? String : one.value.length > 64 ? brief : short);
  const lines: string[] = [];
  for (let i = 0; i < numbers.length; i += 64) lines.push(numbers.slice(i, i + 64).join(','));
  return `*${numbers.length} {\n${indent}\ta: ${lines.join(',\n')}\n${indent}}`;
}

/** The bytes of records as an ASCII file. */
export function encodeAsciiFbx(records: readonly FbxRecord[]): Uint8Array {
  const lines: string[] = [
    '; FBX 7.4.0 project file',
    '; ----------------------------------------------------',
  ];
  const write = (one: FbxRecord, indent: string) => {
    const values = one.values.map((value) => valueText(value, indent)).join(', ');
    if (!one.children) lines.push(`${indent}${one.name}: ${values}`);
    else {
      lines.push(`${indent}${one.name}: ${values} {`);
      for (const child of one.children) write(child, `${indent}\t`);
      lines.push(`${indent}}`);
    }
  };
  for (const one of records) {
    lines.push('');
    write(one, '');
  }
  return utf8.encode(`${lines.join('\n')}\n`);
}
