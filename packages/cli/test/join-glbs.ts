import { readFile } from 'node:fs/promises';
import { readGlb, writeGlb } from '../../formats/src/gltf/glb.js';

type Json = Record<string, unknown>;

/** Where indices into lists of a glTF file stand: the name of the member, and the list that it counts in. */
const INDICES: Readonly<Record<string, string>> = {
  bufferView: 'bufferViews',
  mesh: 'meshes',
  skin: 'skins',
  node: 'nodes',
  skeleton: 'nodes',
  material: 'materials',
  source: 'images',
  input: 'accessors',
  output: 'accessors',
  indices: 'accessors',
  inverseBindMatrices: 'accessors',
};

/** Joins GLB files to one with the bodies of all side by side, each with its own nodes, skins and clips. */
export async function joinGlbs(...paths: string[]): Promise<Uint8Array> {
  const whole: Record<string, Json[]> = {};
  const pieces: Uint8Array[] = [];
  let size = 0;
  for (const path of paths) {
    const { json, bin } = readGlb(new Uint8Array(await readFile(path)));
    const part = JSON.parse(new TextDecoder().decode(json)) as Record<string, Json[]>;
    const counts = Object.fromEntries(Object.entries(whole).map(([list, { length }]) => [list, length]));
    const moved = (list: string, index: number) => index + (counts[list] ?? 0);
    const shift = (value: unknown, name: string): unknown => {
      if (typeof value === 'number') return name in INDICES ? moved(INDICES[name]!, value) : value;
      if (Array.isArray(value))
        return value.map((each) =>
          typeof each === 'number' && (name === 'joints' || name === 'children' || name === 'nodes')
            ? moved('nodes', each)
            : shift(each, ''),
        );
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(
        Object.entries(value).map(([key, each]) => [
          key,
          name === 'attributes' ? moved('accessors', each as number) : shift(each, key),
        ]),
      );
    };
    for (const list of [
      ...['nodes', 'meshes', 'skins', 'accessors', 'bufferViews', 'materials'],
      ...['images', 'animations', 'scenes'],
    ]) {
      const entries = (part[list] ?? []).map((entry) => shift(entry, list) as Json);
      if (list === 'bufferViews')
        for (const view of entries) view.byteOffset = ((view.byteOffset as number | undefined) ?? 0) + size;
      if (entries.length > 0) whole[list] = [...(whole[list] ?? []), ...entries];
    }
    const padded = new Uint8Array(((bin?.length ?? 0) + 3) & ~3);
    padded.set(bin ?? []);
    pieces.push(padded);
    size += padded.length;
  }
  const { scenes = [], ...lists } = whole;
  const document = {
    asset: { version: '2.0' },
    scene: 0,
    scenes: [{ nodes: scenes.flatMap(({ nodes }) => nodes as number[]) }],
    buffers: [{ byteLength: size }],
    ...lists,
  };
  return writeGlb({ json: new TextEncoder().encode(JSON.stringify(document)), bin: pieces, others: [] });
}
