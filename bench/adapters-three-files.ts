import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type VRM, VRMLoaderPlugin } from '@pixiv/three-vrm';
import type { AnimationClip, Group, Skeleton } from 'three';
import { BVHLoader } from 'three/addons/loaders/BVHLoader.js';
import { FBXLoader } from 'three/addons/loaders/FBXLoader.js';
import { type GLTF, GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';

/** The repository, from the source as from what is built of it. */
const ROOT = fileURLToPath(new URL(import.meta.url.includes('/dist/') ? '../..' : '..', import.meta.url));

/** Real characters and motions, which stand beside the repository and are never part of it. */
export const DATA_FOLDER = process.env.STUNTDOUBLE_DATA ?? join(ROOT, '../shared/data/');

/** For `describe.skipIf(!hasData)`; titles of such tests say 'needs ../shared/data'. */
export const hasData = existsSync(DATA_FOLDER);

/** Our own characters and motions. */
export const SAMPLES_FOLDER = join(ROOT, 'samples/files/');

/** The parts of a glTF file's JSON that hold pictures, which need a browser to be read. */
const PICTURES = ['images', 'textures', 'samplers', 'materials'];

/**
 * Takes pictures and materials out of a binary glTF file: they do not matter here and need a browser.
 * @param clip The only animation to keep; all if left out. Reading dozens takes long.
 */
export function withoutPictures(bytes: Uint8Array, clip?: string): ArrayBuffer {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = view.getUint32(12, true);
  const json = JSON.parse(new TextDecoder().decode(bytes.subarray(20, 20 + length)));
  for (const part of PICTURES) delete json[part];
  if (clip !== undefined)
    json.animations = json.animations?.filter(({ name }: { name?: string }) => name === clip);
  for (const mesh of json.meshes ?? []) for (const primitive of mesh.primitives) delete primitive.material;
  if (json.extensions?.VRM) {
    json.extensions.VRM.materialProperties = [];
    delete json.extensions.VRM.meta?.texture;
  }
  delete json.extensions?.VRMC_vrm?.meta?.thumbnailImage;
  const keep = (name: string) => !/^KHR_materials|^VRMC_materials|texture/i.test(name);
  json.extensionsUsed = json.extensionsUsed?.filter(keep);
  json.extensionsRequired = json.extensionsRequired?.filter(keep);
  let text = JSON.stringify(json);
  while (text.length % 4 !== 0) text += ' ';
  const head = new TextEncoder().encode(text);
  const rest = bytes.subarray(20 + length);
  const out = new Uint8Array(20 + head.length + rest.length);
  const header = new DataView(out.buffer);
  out.set(bytes.subarray(0, 20));
  header.setUint32(8, out.length, true);
  header.setUint32(12, head.length, true);
  out.set(head, 20);
  out.set(rest, 20 + head.length);
  return out.buffer;
}

/** Reads a binary glTF file with three's loader, and its VRM where it is one; with one clip or all. */
export async function loadGltf(path: string, clip?: string): Promise<GLTF & { userData: { vrm?: VRM } }> {
  const global = globalThis as { self?: unknown };
  global.self ??= globalThis;
  const loader = new GLTFLoader();
  loader.register((parser) => new VRMLoaderPlugin(parser));
  const { warn } = console;
  console.warn = () => {};
  try {
    return (await loader.parseAsync(withoutPictures(new Uint8Array(readFileSync(path)), clip), '')) as GLTF;
  } finally {
    console.warn = warn;
  }
}

/** Reads an FBX file with three's loader, which asks for a document and talks to the console. */
export function loadFbx(path: string): Group {
  const global = globalThis as { document?: unknown; window?: unknown };
  const { document, window } = global;
  const { warn, error } = console;
  const element = () => ({ addEventListener() {}, removeEventListener() {}, style: {}, setAttribute() {} });
  global.document = { createElementNS: element, createElement: element };
  global.window = { URL: { createObjectURL: () => 'data:,', revokeObjectURL() {} } };
  console.warn = () => {};
  console.error = () => {};
  try {
    return new FBXLoader().parse(new Uint8Array(readFileSync(path)).buffer, '');
  } finally {
    global.document = document;
    global.window = window;
    console.warn = warn;
    console.error = error;
  }
}

/** Reads a BVH file with three's loader. */
export function loadBvh(path: string): { skeleton: Skeleton; clip: AnimationClip } {
  return new BVHLoader().parse(readFileSync(path, 'utf8'));
}
