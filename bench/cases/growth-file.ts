/** The bodies that growth is measured on. */
export const GROWTH_SHAPES = [
  'chains, named',
  'chains, nameless',
  'comb, named',
  'comb, nameless',
  'star, named',
  'star, nameless',
  'humans, named',
  'humans, nameless',
] as const;
/** One of {@link GROWTH_SHAPES}. */
export type GrowthShape = (typeof GROWTH_SHAPES)[number];

type Joint = { name: string; parent: number; offset: [number, number, number] };

/** Readers refuse bodies that are nested deeper than about a thousand joints. */
const DEEPEST = 900;
const KEYS = 10;

/** The joints of a body, parents first: its last part is cut off where it has as many as asked for. */
function jointsOf(shape: GrowthShape, count: number): Joint[] {
  const joints: Joint[] = [{ name: 'root', parent: -1, offset: [0, 1, 0] }];
  const add = (name: string, parent: number, offset: Joint['offset']) =>
    joints.push({ name, parent, offset }) - 1;
  for (let part = 0; joints.length < count; part++) {
    if (shape.startsWith('star')) add(`ray${part}`, 0, [Math.cos(part), Math.sin(part), 0.1 * (part % 7)]);
    else if (shape.startsWith('humans')) addHuman(add, part);
    else {
      let at = add(`line${part}`, 0, [part, 0.1, 0]);
      for (let n = 0; n < DEEPEST; n++) {
        at = add(`line${part}_${n}`, at, [0, 0.1, 0.01]);
        if (shape.startsWith('comb')) add(`tooth${part}_${n}`, at, [0.2, 0, 0]);
      }
    }
  }
  return joints.slice(0, count);
}

/** A person beside those before, under the names of VRM. */
function addHuman(add: (name: string, parent: number, offset: Joint['offset']) => number, part: number) {
  const of = (name: string) => (part === 0 ? name : `${name}.${part}`);
  const hips = add(of('hips'), 0, [part, 0, 0]);
  const spine = add(of('spine'), hips, [0, 0.1, 0]);
  const chest = add(of('chest'), spine, [0, 0.2, 0]);
  const neck = add(of('neck'), chest, [0, 0.2, 0]);
  add(of('head'), neck, [0, 0.1, 0]);
  for (const [side, x] of [
    ['left', 1],
    ['right', -1],
  ] as const) {
    const thigh = add(of(`${side}UpperLeg`), hips, [0.1 * x, 0, 0]);
    const shin = add(of(`${side}LowerLeg`), thigh, [0, -0.45, 0]);
    const foot = add(of(`${side}Foot`), shin, [0, -0.45, 0]);
    add(of(`${side}Toes`), foot, [0, -0.05, 0.12]);
    const shoulder = add(of(`${side}Shoulder`), chest, [0.05 * x, 0.15, 0]);
    const arm = add(of(`${side}UpperArm`), shoulder, [0.1 * x, 0, 0]);
    const forearm = add(of(`${side}LowerArm`), arm, [0.28 * x, 0, 0]);
    const hand = add(of(`${side}Hand`), forearm, [0.25 * x, 0, 0]);
    const fingers = ['Thumb', 'Index', 'Middle', 'Ring', 'Little'];
    fingers.forEach((finger, f) => {
      let at = hand;
      for (const phalanx of ['Proximal', 'Intermediate', 'Distal'])
        at = add(of(`${side}${finger}${phalanx}`), at, [0.03 * x, 0, 0.02 * (2 - f)]);
    });
  }
}

/**
 * A glTF of a body whose joints all turn, ten keys in half a second.
 * @param size How many times as large it is.
 */
export function growthFile(shape: GrowthShape, count: number, size: number): Uint8Array {
  const joints = jointsOf(shape, count);
  const children = joints.map((): number[] => []);
  joints.forEach(({ parent }, i) => {
    if (parent >= 0) children[parent]!.push(i);
  });
  const values = new Float32Array(KEYS * (1 + 4 * joints.length));
  for (let k = 0; k < KEYS; k++) values[k] = k / 18;
  joints.forEach((_, i) => {
    for (let k = 0; k < KEYS; k++) {
      const half = 0.1 * Math.sin(i + k / 3);
      values[KEYS + 4 * (KEYS * i + k) + (i % 3)] = Math.sin(half);
      values[KEYS + 4 * (KEYS * i + k) + 3] = Math.cos(half);
    }
  });
  const data = Buffer.from(values.buffer);
  const json = {
    asset: { version: '2.0' },
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: joints.map(({ name, offset }, i) => ({
      ...(shape.endsWith(' named') && { name }),
      translation: offset.map((value) => size * value),
      ...(children[i]!.length > 0 && { children: children[i] }),
    })),
    skins: [{ joints: joints.map((_, i) => i) }],
    animations: [
      {
        name: 'turn',
        channels: joints.map((_, i) => ({ sampler: i, target: { node: i, path: 'rotation' } })),
        samplers: joints.map((_, i) => ({ input: 0, output: 1 + i })),
      },
    ],
    accessors: [
      {
        ...{ bufferView: 0, componentType: 5126, count: KEYS, type: 'SCALAR' },
        ...{ min: [0], max: [(KEYS - 1) / 18] },
      },
      ...joints.map((_, i) => ({
        ...{ bufferView: 0, byteOffset: 4 * KEYS + 16 * KEYS * i },
        ...{ componentType: 5126, count: KEYS, type: 'VEC4' },
      })),
    ],
    bufferViews: [{ buffer: 0, byteLength: data.length }],
    buffers: [
      {
        byteLength: data.length,
        uri: `data:application/octet-stream;base64,${data.toString('base64')}`,
      },
    ],
  };
  return new TextEncoder().encode(JSON.stringify(json));
}
