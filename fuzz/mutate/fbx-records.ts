import { concat } from './mutate-bytes.js';

/** A record of a binary FBX file: its properties as they stand, and the records inside. */
export type FbxRecord = {
  name: string;
  count: number;
  properties: Uint8Array;
  children: FbxRecord[];
  isBlock: boolean;
};

const HEADER = 27;

/** The records of a sound binary FBX file of a version before 7.5, whose offsets have four bytes, or of a later one. */
export function readRecords(bytes: Uint8Array): { version: number; records: FbxRecord[] } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const version = view.getUint32(23, true);
  const width = version >= 7500 ? 8 : 4;
  const word = (at: number) => (width === 8 ? Number(view.getBigUint64(at, true)) : view.getUint32(at, true));
  const readList = (from: number, end: number): FbxRecord[] => {
    const list: FbxRecord[] = [];
    for (let at = from; at + 3 * width + 1 <= end; ) {
      const next = word(at);
      if (next === 0) break;
      const letters = bytes[at + 3 * width]!;
      const first = at + 3 * width + 1 + letters;
      const inside = first + word(at + 2 * width);
      list.push({
        name: String.fromCharCode(...bytes.subarray(first - letters, first)),
        count: word(at + width),
        properties: bytes.subarray(first, inside),
        children: inside < next ? readList(inside, next) : [],
        isBlock: inside < next,
      });
      at = next;
    }
    return list;
  };
  return { version, records: readList(HEADER, bytes.length) };
}

/** A binary FBX file of records, with offsets of four bytes. */
export function writeRecords(records: readonly FbxRecord[]): Uint8Array {
  const words = (...values: number[]) => new Uint8Array(Uint32Array.from(values).buffer);
  const text = (letters: string) => Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
  const sizeOf = ({ name, properties, children, isBlock }: FbxRecord): number =>
    13 +
    name.length +
    properties.length +
    children.reduce((sum, child) => sum + sizeOf(child), 0) +
    (isBlock ? 13 : 0);
  const pieces: Uint8Array[] = [text('Kaydara FBX Binary  \0\x1a\0'), words(7400)];
  const write = (record: FbxRecord, at: number): number => {
    const end = at + sizeOf(record);
    const { name, count, properties, children, isBlock } = record;
    pieces.push(words(end, count, properties.length), Uint8Array.of(name.length), text(name), properties);
    let inside = at + 13 + name.length + properties.length;
    for (const child of children) inside = write(child, inside);
    if (isBlock) pieces.push(new Uint8Array(13));
    return end;
  };
  let at = HEADER;
  for (const record of records) at = write(record, at);
  pieces.push(new Uint8Array(13));
  const file = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let place = 0;
  for (const piece of pieces) {
    file.set(piece, place);
    place += piece.length;
  }
  return file;
}

/** The property of an array that is deflated, or says so. */
export function packedArray(letter: string, count: number, packed: Uint8Array): Uint8Array {
  const head = Uint32Array.of(count, 1, packed.length);
  return concat(Uint8Array.of(letter.charCodeAt(0)), new Uint8Array(head.buffer), packed);
}

/** Changes every record of a name, wherever it stands. */
export function changeRecords(
  records: readonly FbxRecord[],
  name: string,
  change: (record: FbxRecord) => FbxRecord,
): FbxRecord[] {
  return records.map((record) => {
    const children = changeRecords(record.children, name, change);
    return record.name === name ? change({ ...record, children }) : { ...record, children };
  });
}
