import { childrenOf } from '../parse/child-records.js';
import { BINARY_MAGIC } from '../parse/fbx-document.js';
import {
  type FbxArray,
  type FbxBlock,
  type FbxNode,
  type FbxValue,
  packedBytes,
  type RecordStore,
} from '../parse/fbx-node.js';
import { createHead, headSizeOf, readHead } from '../parse/packed-records.js';
import { WIDE_VERSION } from '../parse/parse-binary.js';

/** What stands before and after the version at the end of every binary file. */
const FOOTER_ID = [
  0xfa, 0xbc, 0xab, 0x09, 0xd0, 0xc8, 0xd4, 0x66, 0xb1, 0x76, 0xfb, 0x83, 0x1c, 0xf7, 0x26, 0x7e,
];
const FOOTER_END = [
  0xf8, 0x5a, 0x8c, 0x6a, 0xde, 0xf5, 0xd9, 0x7e, 0xec, 0xe9, 0x0c, 0xe3, 0x75, 0x8f, 0x29, 0x0b,
];

/** Bytes of plain values by their type. */
const SIZES: Readonly<Record<string, number>> = { C: 1, B: 1, Z: 1, Y: 2, I: 4, F: 4, D: 8, L: 8 };

/**
 * Writes records as a binary FBX file. Records that no one has looked into keep their bytes, whatever these are,
 * and so do arrays.
 * @param footer what followed the records of the file they came from: its first 16 bytes belong to the
 * file's id, which is in its records.
 */
export function encodeBinary(nodes: readonly FbxNode[], version: number, footer?: Uint8Array): Uint8Array {
  const isWide = version >= WIDE_VERSION;
  const headSize = headSizeOf({ isWide });
  const texts = new Map<string, Uint8Array>();
  const encoder = new TextEncoder();
  const textOf = (text: string): Uint8Array => {
    let bytes = texts.get(text);
    if (!bytes) {
      bytes = encoder.encode(text);
      texts.set(text, bytes);
    }
    return bytes;
  };
  const valueSize = (type: string, value: FbxValue): number => {
    if (typeof value === 'string') return 4 + textOf(value).length;
    if (value instanceof Uint8Array) return 4 + value.length;
    if (typeof value === 'object') return 12 + value.length;
    return SIZES[type]!;
  };
  const valuesSizes = new Map<FbxNode, number>();
  const sizes = new Map<FbxNode, number>();
  const measure = (node: FbxNode): number => {
    let valuesSize = 0;
    node.values.forEach((value, i) => {
      valuesSize += 1 + valueSize(node.types[i]!, value);
    });
    let size = headSize + textOf(node.name).length + valuesSize;
    if (isKept(node.block, isWide)) size += node.block.end - node.block.start;
    else if (node.block) {
      for (const child of childrenOf(node)) size += measure(child);
      size += headSize;
    }
    valuesSizes.set(node, valuesSize);
    sizes.set(node, size);
    return size;
  };
  let length = 27 + headSize;
  for (const node of nodes) length += measure(node);
  // Id, zeros up to a multiple of 16 (at least one), four zeros, version, 120 zeros, the end mark.
  const padding = 16 - ((length + 16) % 16);
  const total = length + 16 + padding + 4 + 4 + 120 + 16;
  const bytes = new Uint8Array(total);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < BINARY_MAGIC.length; i++) bytes[i] = BINARY_MAGIC.charCodeAt(i);
  bytes[21] = 0x1a;
  view.setUint32(23, version, true);

  let at = 27;
  const writeOffset = (value: number) => {
    view.setUint32(at, value % 2 ** 32, true);
    at += 4;
    if (!isWide) return;
    view.setUint32(at, Math.floor(value / 2 ** 32), true);
    at += 4;
  };
  const writeBytes = (data: Uint8Array) => {
    bytes.set(data, at);
    at += data.length;
  };
  const writeArray = (array: FbxArray) => {
    view.setUint32(at, array.count, true);
    view.setUint32(at + 4, array.encoding, true);
    view.setUint32(at + 8, array.length, true);
    at += 12;
    writeBytes(packedBytes(array));
  };
  const writeValue = (type: string, value: FbxValue) => {
    bytes[at++] = type.charCodeAt(0);
    if (typeof value === 'object' && !(value instanceof Uint8Array)) return writeArray(value);
    if (typeof value === 'string' || value instanceof Uint8Array) {
      const data = typeof value === 'string' ? textOf(value) : value;
      view.setUint32(at, data.length, true);
      at += 4;
      return writeBytes(data);
    }
    const number = Number(value);
    if (type === 'Y') view.setInt16(at, number, true);
    else if (type === 'I') view.setInt32(at, number, true);
    else if (type === 'F') view.setFloat32(at, number, true);
    else if (type === 'D') view.setFloat64(at, number, true);
    else if (type === 'L') view.setBigInt64(at, BigInt(value), true);
    else bytes[at] = number;
    at += SIZES[type]!;
  };
  const writeNode = (node: FbxNode) => {
    writeOffset(at + sizes.get(node)!);
    writeOffset(node.values.length);
    writeOffset(valuesSizes.get(node)!);
    const name = textOf(node.name);
    bytes[at++] = name.length;
    writeBytes(name);
    node.values.forEach((value, i) => {
      writeValue(node.types[i]!, value);
    });
    if (isKept(node.block, isWide)) {
      const { store, start, end } = node.block;
      const by = at - start;
      writeBytes(store.bytes.subarray(start, end));
      if (by !== 0) moveRecords(view, store, start, end, by);
    } else if (node.block) {
      for (const child of childrenOf(node)) writeNode(child);
      at += headSize;
    }
  };
  for (const node of nodes) writeNode(node);
  at += headSize;
  bytes.set(footer && footer.length >= 16 ? footer.subarray(0, 16) : FOOTER_ID, at);
  view.setUint32(total - 140, version, true);
  bytes.set(FOOTER_END, total - 16);
  return bytes;
}

/** Whether a block can be copied as it is: its records are packed, with offsets of the same size. */
function isKept(block: FbxBlock | null, isWide: boolean): block is FbxBlock & { store: RecordStore } {
  return block !== null && block.nodes === null && block.store !== null && block.store.isWide === isWide;
}

/** Sets right where copied records end: files count from their first byte. */
function moveRecords(view: DataView, store: RecordStore, start: number, end: number, by: number): void {
  const head = createHead();
  for (let at = start; at < end && readHead(head, store, at, end); at = head.end) {
    const { block, end: next } = head;
    view.setUint32(at + by, (next + by) % 2 ** 32, true);
    if (store.isWide) view.setUint32(at + by + 4, Math.floor((next + by) / 2 ** 32), true);
    if (block < next) moveRecords(view, store, block, next, by);
  }
}
