import { concat } from './mutate-bytes.js';
import { putTogether, takeApart } from './mutate-gltf.js';

/** A GLB under construction. */
type Json = Record<string, unknown> & {
  nodes: { name?: string; children?: number[]; translation?: number[]; mesh?: number; skin?: number }[];
  accessors: object[];
  bufferViews: object[];
  buffers: { byteLength: number }[];
  scenes: { nodes: number[] }[];
};

/**
 * Gives a GLB whose nodes are unturned a skin of one triangle a joint, with a morph target: all that readers of
 * meshes look at, in a few kilobytes.
 */
export function dressGlb(glb: Uint8Array): Uint8Array {
  const { json: parsed, bin } = takeApart(glb)!;
  const json = parsed as Json;
  const { nodes } = json;
  const places = nodes.map(() => [0, 0, 0]);
  // Parents stand before their children in what our writer makes.
  nodes.forEach(({ children = [] }, i) => {
    for (const child of children) {
      const [x = 0, y = 0, z = 0] = nodes[child]!.translation ?? [];
      places[child] = [places[i]![0]! + x, places[i]![1]! + y, places[i]![2]! + z];
    }
  });
  const count = 3 * nodes.length;
  const corner = (n: number) => places[Math.floor(n / 3)]!.map((x, c) => x + (n % 3 === c ? 0.05 : 0));
  const positions = Array.from({ length: count }, (_, n) => corner(n)).flat();
  let data = concat(bin!, new Uint8Array((4 - (bin!.length % 4)) % 4));
  const add = (values: Float32Array | Uint8Array, type: string, length: number, more: object = {}) => {
    const bytes = new Uint8Array(values.buffer);
    json.bufferViews.push({ buffer: 0, byteOffset: data.length, byteLength: bytes.length });
    data = concat(data, bytes);
    const componentType = values instanceof Float32Array ? 5126 : 5121;
    const bufferView = json.bufferViews.length - 1;
    return json.accessors.push({ bufferView, componentType, count: length, type, ...more }) - 1;
  };
  const axes = [0, 1, 2].map((c) => positions.filter((_, i) => i % 3 === c));
  const bounds = { min: axes.map((x) => Math.min(...x)), max: axes.map((x) => Math.max(...x)) };
  const position = add(Float32Array.from(positions), 'VEC3', count, bounds);
  const moved = new Float32Array(3 * count).fill(0.01);
  const target = add(moved, 'VEC3', count, { min: [0.01, 0.01, 0.01], max: [0.01, 0.01, 0.01] });
  const joints = add(
    Uint8Array.from({ length: 4 * count }, (_, n) => (n % 4 === 0 ? Math.floor(n / 12) : 0)),
    'VEC4',
    count,
  );
  const weights = add(
    Float32Array.from({ length: 4 * count }, (_, n) => (n % 4 === 0 ? 1 : 0)),
    'VEC4',
    count,
  );
  const inverse = Float32Array.from(
    places.flatMap(([x, y, z]) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -x!, -y!, -z!, 1]),
  );
  const inverseBindMatrices = add(inverse, 'MAT4', nodes.length);
  json.skins = [{ joints: nodes.map((_, i) => i), inverseBindMatrices }];
  const attributes = { POSITION: position, JOINTS_0: joints, WEIGHTS_0: weights };
  json.meshes = [
    {
      name: 'dress',
      primitives: [{ attributes, targets: [{ POSITION: target }] }],
      extras: { targetNames: ['happy'] },
    },
  ];
  json.scenes[0]!.nodes.push(nodes.push({ name: 'dress', mesh: 0, skin: 0 }) - 1);
  json.buffers[0]!.byteLength = data.length;
  return putTogether(new TextEncoder().encode(JSON.stringify(json)), data);
}
