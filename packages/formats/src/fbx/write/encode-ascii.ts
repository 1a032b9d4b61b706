import { encodeBase64 } from '../../shared/base64.js';
import { childrenOf } from '../parse/child-records.js';
import { type FbxArray, type FbxNode, type FbxValue, isFbxArray } from '../parse/fbx-node.js';
import { unpackArray } from '../parse/unpack-array.js';

/** Writes records as an ASCII FBX file. */
export function encodeAscii(nodes: readonly FbxNode[], version: number): Uint8Array {
  const lines: string[] = [
    `; FBX ${Math.floor(version / 1000)}.${Math.floor(version / 100) % 10}.0 project file`,
    '; ----------------------------------------------------',
    '',
  ];
  const write = (node: FbxNode, indent: string) => {
    // A blank before texts and none before numbers, as Autodesk's own writer has it: some readers insist.
    const values = node.values
      .map((value, i) => {
        const text =
          node.name === 'KeyAttrDataFloat' && isFbxArray(value)
            ? attributeText(value, indent)
            : textOf(value, node.types[i]!, indent);
        return i === 0 ? text : typeof value === 'string' ? `, ${text}` : `,${text}`;
      })
      .join('');
    // What lies inside the file begins after a comma, on a line of its own.
    if (node.name === 'Content' && values !== '') lines.push(`${indent}Content: ,`, `${indent}${values}`);
    else if (!node.block) lines.push(`${indent}${node.name}: ${values}`);
    else {
      lines.push(`${indent}${node.name}: ${values} {`);
      for (const child of childrenOf(node)) write(child, `${indent}\t`);
      lines.push(`${indent}}`);
    }
  };
  for (const node of nodes) {
    write(node, '');
    lines.push('');
  }
  return new TextEncoder().encode(lines.join('\n'));
}

const UNBOUNDED = { bytes: Number.POSITIVE_INFINITY };

function arrayText(numbers: ArrayLike<number>, indent: string): string {
  return `*${numbers.length} {\n${indent}\ta: ${wrap(numbers)}\n${indent}}`;
}

/** The attributes of keys, which ASCII files have as the bits of their floats. */
function attributeText(array: FbxArray, indent: string): string {
  const numbers = unpackArray(array, UNBOUNDED, 'an array');
  const isBits = array.type !== 'f';
  return arrayText(isBits ? numbers : new Int32Array(Float32Array.from(numbers).buffer), indent);
}

function textOf(value: FbxValue, type: string, indent: string): string {
  if (isFbxArray(value)) return arrayText(unpackArray(value, UNBOUNDED, 'an array'), indent);
  if (value instanceof Uint8Array) return `"${encodeBase64(value)}"`;
  if (typeof value === 'number') return numberText(value);
  if (typeof value !== 'string') return String(typeof value === 'boolean' ? Number(value) : value);
  if (type === 'C') return value;
  // Names of objects: binary files have the class after them, ASCII ones before.
  const end = value.indexOf('\x00\x01');
  const text = end < 0 ? value : `${value.slice(end + 2)}::${value.slice(0, end)}`;
  return `"${text.replaceAll('"', '&quot;').replaceAll('\r', '&cr;').replaceAll('\n', '&lf;')}"`;
}

/** Numbers with a line break now and then, as readers have limits to the length of lines. */
function wrap(numbers: ArrayLike<number>): string {
  const all = Array.from(numbers, numberText);
  const parts: string[] = [];
  for (let i = 0; i < all.length; i += 128) parts.push(all.slice(i, i + 128).join(','));
  return parts.join(',\n');
}

/** A number with the sign of its zero. */
function numberText(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}
