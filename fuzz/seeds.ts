import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { isRole, retarget, type Scene, type Track, trimClip } from '@stuntdouble/core';
import { read, writeBytes } from '@stuntdouble/formats';
import { FILE_KINDS, type FileKindName, READ_EXTENSIONS } from '@stuntdouble/formats/kinds';
import { dressGlb } from './mutate/dress-glb.js';
import { putTogether, takeApart } from './mutate/mutate-gltf.js';
import { plainBody } from './random/random-skeleton.js';
import { repositoryFolder } from './repository-folder.js';

/** A kind of file that is mutated; both dresses of FBX are kinds of their own. */
export type FuzzedFormat = Exclude<FileKindName, 'fbx'> | 'fbx-binary' | 'fbx-ascii';

/** The kinds of files that are mutated: all that are read. */
export const FUZZED_FORMATS: readonly FuzzedFormat[] = READ_EXTENSIONS.flatMap((kind) =>
  kind === 'fbx' ? ['fbx-binary' as const, 'fbx-ascii' as const] : [kind],
);

/** The kind of file that a format's files are by their extension. */
function kindOf(format: FuzzedFormat): FileKindName {
  return format === 'fbx-binary' || format === 'fbx-ascii' ? 'fbx' : format;
}

/** A whole file that mutations start from; files that it names lie beside `path`. */
export type Seed = { path: string; bytes: Uint8Array };

/** Where no file of more than so many bytes is wanted, only those of few joints are made. */
const LARGE = 100_000;

/** Seconds of motion that are kept of a sample's clip: a long one is read no differently. */
const SECONDS = 0.3;

/**
 * The files to start from, smallest first: those of the repository's samples that are in the format, or that our own
 * writers make of them; and those of `../shared/data` where that folder is there and asked for.
 * @param largest Files of more bytes are left out.
 */
export async function loadSeeds(format: FuzzedFormat, largest: number, withData: boolean): Promise<Seed[]> {
  const folders = [
    join(repositoryFolder(), 'samples/files'),
    ...(withData ? [join(repositoryFolder(), '../shared/data')] : []),
  ];
  const files = folders.filter(existsSync).flatMap((folder) => listFiles(folder, format));
  const seeds = files
    .filter((path) => format === 'bvh' || statSync(path).size <= largest)
    .map((path): Seed => ({ path, bytes: new Uint8Array(readFileSync(path)) }))
    .map((seed) => (format === 'bvh' ? { ...seed, bytes: firstFrames(seed.bytes) } : seed))
    .filter(({ bytes }) => isOfFormat(bytes, format));
  return [
    ...seeds,
    ...(await makeSmallSeeds(format)),
    ...(largest < LARGE ? [] : await makeLargeSeeds(format)),
  ]
    .filter(({ bytes }) => bytes.length <= largest)
    .sort((a, b) => a.bytes.length - b.bytes.length || (a.path < b.path ? -1 : 1));
}

function listFiles(folder: string, format: FuzzedFormat): string[] {
  const extension = `.${kindOf(format)}`;
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => extname(file).toLowerCase() === extension)
    .map((file) => join(folder, file));
}

function isOfFormat(bytes: Uint8Array, format: FuzzedFormat): boolean {
  if (!format.startsWith('fbx')) return true;
  const isBinary = String.fromCharCode(...bytes.subarray(0, 18)) === 'Kaydara FBX Binary';
  return isBinary === (format === 'fbx-binary');
}

/** A scene of the samples. */
export async function readSample(file: string): Promise<Scene> {
  return read(join(repositoryFolder(), 'samples/files', file));
}

/** A character of the samples without its mesh: as good a body, and written ten times as fast. */
export async function readBareSample(file: string): Promise<Scene> {
  const scene = await readSample(file);
  const { bytes } = await writeBytes('glb', { scene, character: 0, clips: [] }, { meshes: false });
  return read(bytes, { name: scene.name });
}

/** A sample's motion, cut to its first frames. */
export async function shortMotion(file: string): Promise<Scene> {
  const scene = await readSample(file);
  const { skeleton, clips } = scene.characters[0]!;
  return { ...scene, characters: [{ skeleton, clips: clips.map((clip) => trimClip(clip, 0, SECONDS)) }] };
}

/** Bodies of few joints with three keys of every kind: as odd when mutated as large ones, and ten times as fast. */
async function makeSmallSeeds(format: FuzzedFormat): Promise<Seed[]> {
  const seeds: Seed[] = [];
  for (const interpolation of ['linear', 'step', 'cubic'] as const) {
    const skeleton = plainBody();
    const times = Float32Array.of(0, 0.1, 0.3);
    const width = interpolation === 'cubic' ? 3 : 1;
    const track = (joint: number, channel: 'rotation' | 'translation', value: number[]): Track => {
      const empty = value.map(() => 0);
      const one = width === 3 ? [...empty, ...value, ...empty] : value;
      return {
        joint,
        channel,
        interpolation,
        times,
        values: Float32Array.from(Array.from(times, () => one).flat()),
      };
    };
    const tracks = skeleton.names.map((_, joint) => track(joint, 'rotation', [0.6, 0, 0, 0.8]));
    const clip = {
      name: 'nod',
      duration: 0.3,
      tracks: [...tracks, track(1, 'translation', [0.1, 1, 0])],
      morphs: [],
    };
    const characters = [{ skeleton, clips: [clip] }];
    const scene: Scene = {
      format: 'glb',
      name: 'small',
      characters,
      morphs: [],
      document: null,
      warnings: [],
    };
    const path = `made/small-${interpolation}`;
    const input = { scene, character: 0, clips: [clip] };
    const bytes = await writeSeed(format === 'vrm' ? 'glb' : format, input, false);
    if (bytes && format !== 'vrm') seeds.push({ path, bytes });
    if (interpolation === 'linear' && format !== 'vrm' && FILE_KINDS[kindOf(format)].meshes)
      seeds.push({ path: 'made/small-dressed', bytes: await makeDressedSeed(format, input) });
    if (bytes && format === 'vrm')
      seeds.push({ path, bytes: asVrm(bytes, false) }, { path: `${path}-0`, bytes: asVrm(bytes, true) });
  }
  return seeds;
}

/** A body of few joints with a skin and a morph target. */
async function makeDressedSeed(
  format: FuzzedFormat,
  input: Parameters<typeof writeBytes>[1],
): Promise<Uint8Array> {
  const { bytes } = await writeBytes('glb', input, { meshes: false });
  const scene = await read(dressGlb(bytes), { name: 'dressed' });
  const dressed = await writeSeed(format, { scene, character: 0, clips: scene.characters[0]!.clips }, true);
  return dressed!;
}

/** Clips on bodies as writers take them. */
type Moved = { name: string; input: Parameters<typeof writeBytes>[1] };

let moved: Promise<Moved[]> | null = null;

/** The samples' motions, and the same on characters with meshes; made once, for all formats. */
async function moveSamples(): Promise<Moved[]> {
  const all: Moved[] = [];
  for (const motion of ['walk', 'wave-on-one-leg']) {
    const scene = await shortMotion(`motions/${motion}.glb`);
    all.push({ name: motion, input: { scene, character: 0, clips: scene.characters[0]!.clips } });
    for (const character of ['vrm-girl.vrm', 'goblin.glb'])
      all.push({
        name: `${motion}-${basename(character, extname(character))}`,
        input: retarget(scene, await readSample(`characters/${character}`)),
      });
  }
  return all;
}

/** Seeds that our own writers make: a motion, and a character with and without its mesh that moves by it. */
async function makeLargeSeeds(format: FuzzedFormat): Promise<Seed[]> {
  const seeds: Seed[] = [];
  moved ??= moveSamples();
  for (const { name, input } of await moved)
    for (const meshes of [false, true]) {
      const bytes = await writeSeed(format, input, meshes);
      if (bytes) seeds.push({ path: `made/${name}${meshes ? '-meshes' : ''}`, bytes });
    }
  return seeds;
}

async function writeSeed(
  format: FuzzedFormat,
  input: Parameters<typeof writeBytes>[1],
  meshes: boolean,
): Promise<Uint8Array | null> {
  const kind = kindOf(format);
  const { meshes: holdsMeshes, written } = FILE_KINDS[kind];
  if (written === 'never' || (meshes && !holdsMeshes)) return null;
  // A VRM is one by what it says of its body, which only a whole VRM does.
  if (written === 'from its own' && (!meshes || input.scene.format !== kind)) return null;
  const { bytes } = await writeBytes(kind, input, { meshes, replace: true });
  return format === 'fbx-ascii' ? asText(bytes) : bytes;
}

/** A GLB whose nodes have the names of body parts, as VRM 1.0 or 0.x. */
function asVrm(glb: Uint8Array, isOld: boolean): Uint8Array {
  const { json, bin } = takeApart(glb)!;
  const bones = (json.nodes as { name: string }[]).flatMap(({ name }, node): [string, { node: number }][] =>
    isRole(name) ? [[name, { node }]] : [],
  );
  const extension = isOld
    ? { VRM: { humanoid: { humanBones: bones.map(([bone, { node }]) => ({ bone, node })) } } }
    : { VRMC_vrm: { specVersion: '1.0', humanoid: { humanBones: Object.fromEntries(bones) } } };
  const text = JSON.stringify({ ...json, extensionsUsed: Object.keys(extension), extensions: extension });
  return putTogether(new TextEncoder().encode(text), bin);
}

/** A binary FBX file as text: the same records in their other dress, which is the one that a document says it has. */
async function asText(bytes: Uint8Array): Promise<Uint8Array> {
  const scene = await read(bytes);
  const document = { ...(scene.document as object), encoding: 'ascii' };
  const written = await writeBytes('fbx', { scene: { ...scene, document }, character: 0, clips: [] });
  return written.bytes;
}

/** A BVH with at most twelve of its frames. */
function firstFrames(bytes: Uint8Array): Uint8Array {
  const text = new TextDecoder('latin1').decode(bytes);
  const lines = text.split('\n');
  const motion = lines.findIndex((line) => line.startsWith('MOTION'));
  if (motion < 0 || lines.length < motion + 16) return bytes;
  const kept = lines
    .slice(0, motion + 15)
    .join('\n')
    .replace(/Frames:\s*\d+/, 'Frames: 12');
  return Uint8Array.from(kept, (letter) => letter.charCodeAt(0));
}
