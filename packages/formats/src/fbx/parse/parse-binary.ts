import { type FbxNode, fbxError, type RecordStore } from './fbx-node.js';
import { checkRecords, createHead, headSizeOf, readHead, readRecord } from './packed-records.js';

/** From here on offsets have 64 bits. */
export const WIDE_VERSION = 7500;

/** Where records begin: after the magic and the version. */
const FIRST_RECORD = 27;

/** Places in a file are whole numbers of 31 bits. */
const LARGEST = 2 ** 31;

/** The version of a binary file, such as 7400; 0 where the file is too short to say. */
export function binaryVersion(bytes: Uint8Array): number {
  return bytes.length < FIRST_RECORD ? 0 : new DataView(bytes.buffer, bytes.byteOffset).getUint32(23, true);
}

/**
 * Reads the records of a binary file. All are looked at, but those inside others stay packed, as arrays do.
 * @returns the records, and what follows them.
 * @throws FormatError where a record is broken.
 */
export function parseBinary(bytes: Uint8Array): { nodes: FbxNode[]; footer: Uint8Array } {
  if (bytes.length >= LARGEST) throw fbxError('the file', `${bytes.length} bytes`, `fewer than ${LARGEST}`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const store: RecordStore = { bytes, view, isWide: binaryVersion(bytes) >= WIDE_VERSION };
  const headSize = headSizeOf(store);
  const head = createHead();
  const nodes: FbxNode[] = [];
  let at = FIRST_RECORD;
  // A file may end without the empty record, or with less than one.
  while (bytes.length - at >= headSize) {
    if (!readHead(head, store, at, bytes.length)) {
      at += headSize;
      break;
    }
    checkRecords(store, at, head.end, 0);
    nodes.push(readRecord(store, head));
    at = head.end;
  }
  return { nodes, footer: bytes.subarray(at) };
}
