import { decodedBytes, requireHeap } from '../../heap-room.js';
import { DEFAULT_LIMITS, type Limits, refuseBeyond } from '../../limits.js';
import { firstValueOf } from './child-records.js';
import { BINARY_MAGIC, type FbxDocument, isBinaryFbx } from './fbx-document.js';
import { fbxError, numberOf } from './fbx-node.js';
import { hasFbxMeshes } from './has-meshes.js';
import { parseAscii } from './parse-ascii.js';
import { binaryVersion, parseBinary } from './parse-binary.js';
import { ticksPerSecondOf } from './time-base.js';
import { unpackBudgetFor } from './unpack-array.js';

export { type FbxDocument, isFbxDocument } from './fbx-document.js';

/**
 * Reads the records of an FBX file.
 * @throws FormatError where it is broken, or older than FBX 7.
 */
export function parseFbx(bytes: Uint8Array, limits: Pick<Limits, 'text'> = DEFAULT_LIMITS): FbxDocument {
  const size = bytes.length;
  const budget = unpackBudgetFor(size);
  if (isBinaryFbx(bytes)) {
    if (bytes[BINARY_MAGIC.length + 1] === 1)
      throw fbxError(
        `byte ${BINARY_MAGIC.length + 1}`,
        'numbers that begin with their highest byte (big-endian)',
        'an FBX as all programs of today write it: export it again',
      );
    const version = binaryVersion(bytes);
    if (version === 0) throw fbxError(`byte ${bytes.length}`, 'the end of the file', 'a version and records');
    checkVersion(version);
    const { nodes, footer } = parseBinary(bytes);
    const ticksPerSecond = ticksPerSecondOf(nodes);
    return {
      kind: 'fbx',
      base: null,
      version,
      encoding: 'binary',
      nodes,
      hasMeshes: hasFbxMeshes(nodes),
      footer,
      size,
      ticksPerSecond,
      budget,
    };
  }
  // Before it is decoded: a text longer than strings can be ends the process.
  refuseBeyond(limits, 'text', bytes.length, { format: 'FBX', at: 'the file, which is text' });
  requireHeap(decodedBytes(bytes), { format: 'FBX', at: 'the file, which is text' });
  const decoded = decodeText(bytes);
  // Lines as the oldest Macintoshes ended them.
  const text = decoded.includes('\n') ? decoded : decoded.replaceAll('\r', '\n');
  const header = /^\s*;\s*FBX\s+(\d+)\.(\d+)/.exec(text.slice(0, 256));
  if (header) checkVersion(1000 * Number(header[1]) + 100 * Number(header[2]));
  const nodes = parseAscii(text);
  const extension = nodes.find(({ name }) => name === 'FBXHeaderExtension');
  const version = numberOf(firstValueOf(extension, 'FBXVersion'), 7400);
  checkVersion(version);
  const ticksPerSecond = ticksPerSecondOf(nodes);
  const footer = new Uint8Array(0);
  return {
    kind: 'fbx',
    base: null,
    version,
    encoding: 'ascii',
    nodes,
    hasMeshes: hasFbxMeshes(nodes),
    footer,
    size,
    ticksPerSecond,
    budget,
  };
}

/** Text of UTF-8; of Latin letters where it is none. */
function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('latin1').decode(bytes);
  }
}

function checkVersion(version: number): void {
  if (version >= 7000 && version < 8000) return;
  const isOld = version < 7000;
  throw fbxError(
    'version',
    `FBX ${(version / 1000).toFixed(1)}${isOld ? ', a format of before 2011' : ''}`,
    isOld
      ? 'FBX 7.0 to 7.7: convert it with Autodesk FBX Converter, or open and export it again'
      : 'FBX 7.0 to 7.7',
  );
}
