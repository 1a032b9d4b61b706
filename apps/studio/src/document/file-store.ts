import { createStore, del, get, keys, set } from 'idb-keyval';
import type { StudioDocument } from './document.js';

/*
 * Files and the document are kept in IndexedDB, by hash: blobs there are files on the disk in every browser that
 * matters, and one store serves where there is no file system of the origin's own.
 */

/** A kept file with those that stood beside it. */
export type KeptFile = { name: string; file: Blob; beside: { name: string; file: Blob }[] };

let opened: ReturnType<typeof createStore> | undefined;

/** The store, opened once: each opening is a connection that stays until the page is left. */
function store(): ReturnType<typeof createStore> {
  opened ??= createStore('stuntdouble', 'kept');
  return opened;
}

/** Keeps a file. @returns false where the browser has no room or keeps nothing. */
export async function keepFile(id: string, file: KeptFile): Promise<boolean> {
  try {
    await set(`file ${id}`, file, store());
    return true;
  } catch {
    return false;
  }
}

/** A file that was kept, or null. */
export async function keptFile(id: string): Promise<KeptFile | null> {
  try {
    return (await get<KeptFile>(`file ${id}`, store())) ?? null;
  } catch {
    return null;
  }
}

/** Keeps the document. @returns false where the browser keeps nothing. */
export async function keepDocument(document: StudioDocument): Promise<boolean> {
  try {
    await set('document', document, store());
    return true;
  } catch {
    return false;
  }
}

/** The document of the last visit, or null. */
export async function keptDocument(): Promise<StudioDocument | null> {
  try {
    const kept = await get<StudioDocument>('document', store());
    return kept?.version === 1 ? kept : null;
  } catch {
    return null;
  }
}

/** Lets go of files that no document needs. */
export async function dropFiles(needed: ReadonlySet<string>): Promise<void> {
  try {
    for (const key of await keys<string>(store()))
      if (key.startsWith('file ') && !needed.has(key.slice(5))) await del(key, store());
  } catch {
    // Nothing was kept, so nothing is in the way.
  }
}

/** The SHA-256 of bytes, in hexadecimal. Pages that are served insecurely have none, and get a plainer sum. */
export async function hashOf(bytes: ArrayBuffer): Promise<string> {
  if (globalThis.crypto?.subtle) {
    const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
    return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
  }
  // FNV-1a, 64 bits: enough to tell one's own files apart.
  let sum = 0xcbf29ce484222325n;
  for (const byte of new Uint8Array(bytes)) sum = BigInt.asUintN(64, (sum ^ BigInt(byte)) * 0x100000001b3n);
  return `fnv${sum.toString(16).padStart(16, '0')}${bytes.byteLength}`;
}
