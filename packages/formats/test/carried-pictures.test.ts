import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Scene } from '@stuntdouble/core';
import { build } from 'esbuild';
import { decode } from 'fast-png';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OpenedPage, openPage } from '../../../scripts/browser.mjs';
import { childrenOf } from '../src/fbx/parse/child-records.js';
import { createNode, type FbxNode } from '../src/fbx/parse/fbx-node.js';
import { parseFbx } from '../src/fbx/parse/parse-fbx.js';
import { encodeAscii } from '../src/fbx/write/encode-ascii.js';
import { encodeBinary } from '../src/fbx/write/encode-binary.js';
import { read, readDressedMeshes, writeBytes } from '../src/index.js';
import { countErrors } from './validate-gltf.js';

/*
 * A character with a picture of every kind, in its FBX or beside it, as three.js shows that FBX: GLB and glTF that are
 * made of it, and the FBX that is made of these, look the same.
 */

const PAINTED = fileURLToPath(new URL('../../../samples/files/formats/guy-painted.fbx', import.meta.url));
const KINDS = ['png', 'jpg', 'tga', 'bmp'] as const;
type Kind = (typeof KINDS)[number];

/** The records of an FBX file with another picture: by another name, and inside or not. */
function repaint(nodes: readonly FbxNode[], name: string, inside: Uint8Array | null): FbxNode[] {
  return nodes.flatMap((node): FbxNode[] => {
    if (node.name === 'Content') return inside ? [createNode('Content', 'R', [inside])] : [];
    if (/^(Relative)?File[nN]ame$/.test(node.name)) return [createNode(node.name, 'S', [name])];
    if (!/^(Objects|Video|Texture)$/.test(node.name)) return [node];
    return [{ ...createNode(node.name, node.types, node.values, repaint(childrenOf(node), name, inside)) }];
  });
}

type Pixels = { width: number; height: number; at(x: number, y: number): [number, number, number] };

/** Rows from the bottom, blue first: what TGA and BMP have in common. */
function bottomUp({ width, height, at }: Pixels, padding: number): number[] {
  const body: number[] = [];
  for (let y = height - 1; y >= 0; y--) {
    for (let x = 0; x < width; x++) body.push(...at(x, y).reverse());
    body.push(...new Array<number>((padding - ((3 * width) % padding)) % padding).fill(0));
  }
  return body;
}

const short = (value: number) => [value & 255, value >> 8];
const long = (value: number) => [...short(value & 65535), ...short(value >>> 16)];

function tgaOf(pixels: Pixels): Uint8Array {
  const head = [0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, ...short(pixels.width), ...short(pixels.height), 24, 0];
  return Uint8Array.from([...head, ...bottomUp(pixels, 1)]);
}

function bmpOf(pixels: Pixels): Uint8Array {
  const body = bottomUp(pixels, 4);
  const info = [...long(40), ...long(pixels.width), ...long(pixels.height), ...short(1), ...short(24)];
  const rest = [...long(0), ...long(body.length), ...long(2835), ...long(2835), ...long(0), ...long(0)];
  const head = [0x42, 0x4d, ...long(54 + body.length), ...long(0), ...long(54)];
  return Uint8Array.from([...head, ...info, ...rest, ...body]);
}

/** Shows a file as three's loader reads it, without light, as tall as the picture; gives the numbers of its pixels. */
const PAGE = `
import * as three from 'three';
import { FBXLoader } from 'three/addons/loaders/FBXLoader.js';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { TGALoader } from 'three/addons/loaders/TGALoader.js';

const SIZE = 96;
const renderer = new three.WebGLRenderer({ preserveDrawingBuffer: true });
renderer.setSize(SIZE, SIZE, false);
globalThis.show = async (address) => {
  let loaded;
  const all = new Promise((done) => { loaded = done; });
  const manager = new three.LoadingManager(() => loaded());
  manager.addHandler(/\\.tga$/i, new TGALoader(manager));
  const file = address.endsWith('.fbx')
    ? await new FBXLoader(manager).loadAsync(address)
    : (await new GLTFLoader(manager).loadAsync(address)).scene;
  await all;
  let maps = 0;
  file.traverse((each) => {
    if (!each.isMesh) return;
    const plain = (material) => {
      maps += material.map ? 1 : 0;
      return new three.MeshBasicMaterial({ map: material.map, color: material.color, side: three.DoubleSide });
    };
    each.material = Array.isArray(each.material) ? each.material.map(plain) : plain(each.material);
    each.frustumCulled = false;
  });
  const scene = new three.Scene();
  scene.background = new three.Color(0x808080);
  scene.add(file);
  scene.updateMatrixWorld(true);
  const box = new three.Box3().setFromObject(file, true);
  const [middle, size] = [box.getCenter(new three.Vector3()), box.getSize(new three.Vector3())];
  const half = 0.55 * size.y;
  const camera = new three.OrthographicCamera(-half, half, half, -half, 0.01 * size.y, 20 * size.y);
  camera.position.copy(middle).add(new three.Vector3(0.8, 0.3, 2).multiplyScalar(size.y));
  camera.lookAt(middle);
  renderer.render(scene, camera);
  const pixels = new Uint8Array(4 * SIZE * SIZE);
  const gl = renderer.getContext();
  gl.readPixels(0, 0, SIZE, SIZE, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
  return { maps, pixels: [...pixels] };
};
globalThis.jpegOf = async (address) => {
  const picture = await createImageBitmap(await (await fetch(address)).blob());
  const canvas = new OffscreenCanvas(picture.width, picture.height);
  canvas.getContext('2d').drawImage(picture, 0, 0);
  const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.95 });
  return [...new Uint8Array(await blob.arrayBuffer())];
};
`;

type Shown = { maps: number; pixels: number[] };

/** The mean difference of two pictures, of 255. */
const apart = (a: Shown, b: Shown) =>
  a.pixels.reduce((sum, value, i) => sum + Math.abs(value - b.pixels[i]!), 0) / a.pixels.length;

describe('pictures between FBX and glTF', () => {
  let folder = '';
  let server: Server;
  let opened: OpenedPage;
  const pictures = {} as Record<Kind, Uint8Array>;
  const document = parseFbx(readFileSync(PAINTED));
  const put = (name: string, bytes: Uint8Array | string) => writeFileSync(join(folder, name), bytes);
  const show = (name: string) => opened.page.evaluate(`show('${name}')`) as Promise<Shown>;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'stuntdouble-pictures-'));
    put('index.html', '<link rel="icon" href="data:,"><script type="module" src="page.js"></script>');
    const { outputFiles } = await build({
      stdin: { contents: PAGE, resolveDir: fileURLToPath(new URL('.', import.meta.url)) },
      bundle: true,
      format: 'esm',
      write: false,
      logLevel: 'error',
    });
    put('page.js', outputFiles[0]!.contents);
    server = createServer((request, response) => {
      const name = new URL(request.url!, 'http://page').pathname.slice(1) || 'index.html';
      const type = name.endsWith('.js') ? 'text/javascript' : name.endsWith('.html') ? 'text/html' : '';
      if (type) response.setHeader('content-type', type);
      try {
        response.end(readFileSync(join(folder, name)));
      } catch {
        response.writeHead(404).end();
      }
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    opened = await openPage(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    await opened.page.waitForFunction('globalThis.jpegOf !== undefined');

    const [mesh] = (await readDressedMeshes(await read(PAINTED))).filter(({ material }) => material?.picture);
    pictures.png = mesh!.material!.picture!.bytes;
    const { width, height, channels, data } = decode(pictures.png);
    const pixels: Pixels = {
      width,
      height,
      at: (x, y) => [0, 1, 2].map((c) => data[channels * (y * width + x) + c]!) as [number, number, number],
    };
    put('paint.png', pictures.png);
    pictures.jpg = Uint8Array.from((await opened.page.evaluate(`jpegOf('paint.png')`)) as number[]);
    pictures.tga = tgaOf(pixels);
    pictures.bmp = bmpOf(pixels);
    for (const kind of KINDS) put(`paint.${kind}`, pictures[kind]);
  });
  afterAll(async () => {
    await opened.close();
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Writes a scene as another file, with what lies beside it; says what was warned of. */
  const convert = async (scene: Scene, name: string) => {
    const extension = name.replace(/.*\./, '');
    const { clips } = scene.characters[0]!;
    const written = await writeBytes(extension, { scene, character: 0, clips }, { replace: true });
    put(name, written.bytes);
    expect(written.warnings).toEqual([]);
    return written.bytes;
  };

  const cases = KINDS.flatMap((kind) =>
    (['inside', 'beside'] as const).map((place) => [kind, place] as const),
  );
  it.each(cases)('%s, %s: GLB, glTF and the FBX of these look as the FBX does', async (kind, place) => {
    const nodes = repaint(document.nodes, `paint.${kind}`, place === 'inside' ? pictures[kind] : null);
    const name = `${kind}-${place}`;
    put(`${name}.fbx`, encodeBinary(nodes, 7400));
    const scene = await read(join(folder, `${name}.fbx`));
    const own = await show(`${name}.fbx`);
    expect(own.maps).toBeGreaterThan(0);
    for (const extension of ['glb', 'gltf']) {
      const bytes = await convert(scene, `${name}.${extension}`);
      expect([...(await countErrors(bytes))]).toEqual([]);
      const shown = await show(`${name}.${extension}`);
      expect(shown.maps).toBe(own.maps);
      expect(apart(own, shown)).toBeLessThan(1);
    }
    await convert(await read(join(folder, `${name}.glb`)), `${name}-back.fbx`);
    const back = await show(`${name}-back.fbx`);
    expect(back.maps).toBe(own.maps);
    expect(apart(own, back)).toBeLessThan(1);
    if (place === 'beside') return;
    // Text files have the bytes of a picture as letters.
    put(`${name}-text.fbx`, encodeAscii(nodes, 7400));
    await convert(await read(join(folder, `${name}-text.fbx`)), `${name}-text.glb`);
    expect(apart(own, await show(`${name}-text.glb`))).toBeLessThan(1);
  });

  it('would notice a picture that was lost', async () => {
    const scene = await read(PAINTED);
    await convert(scene, 'whole.glb');
    put('bare.fbx', encodeBinary(repaint(document.nodes, 'gone.png', null), 7400));
    expect(apart(await show('whole.glb'), await show('bare.fbx'))).toBeGreaterThan(5);
  });
});
