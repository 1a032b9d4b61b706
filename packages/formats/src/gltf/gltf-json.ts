import { FormatError } from '../format-error.js';
import { DEFAULT_LIMITS, type Limits, refuseBeyond } from '../limits.js';

/*
 * The parts of the glTF 2.0 schema that are read here. Everything else stays in the parsed JSON untouched
 * and is written back as it was.
 */

/** A node of the scene: a local transform, given as a matrix or as translation, rotation and scale. */
export type GltfNode = {
  name?: unknown;
  children?: number[];
  matrix?: number[];
  translation?: number[];
  rotation?: number[];
  scale?: number[];
  mesh?: number;
  skin?: number;
  weights?: number[];
  extensions?: Record<string, unknown>;
};

/** Joints that deform meshes, with the matrices that take mesh space to joint space in the bind pose. */
export type GltfSkin = {
  name?: unknown;
  joints: number[];
  inverseBindMatrices?: number;
  skeleton?: number;
};

/** A part of a mesh with one material. */
export type GltfPrimitive = {
  attributes: Record<string, number>;
  indices?: number;
  material?: number;
  mode?: number;
  targets?: Record<string, number>[];
  extensions?: Record<string, unknown>;
};

/** A mesh; morph targets' names stand in `extras.targetNames` by convention. */
export type GltfMesh = {
  name?: unknown;
  primitives: GltfPrimitive[];
  weights?: number[];
  extras?: unknown;
};

/** A clip in the file: channels say what is moved, samplers by which keys. */
export type GltfAnimation = {
  name?: unknown;
  channels: Record<string, unknown>[];
  samplers: Record<string, unknown>[];
};

/** Typed numbers in a buffer view. The fields are checked when the accessor is read. */
export type GltfAccessor = {
  bufferView?: number;
  byteOffset?: number;
  componentType: number;
  normalized?: boolean;
  count: number;
  type: string;
  min?: number[];
  max?: number[];
  sparse?: {
    count: number;
    indices: { bufferView: number; byteOffset?: number; componentType: number };
    values: { bufferView: number; byteOffset?: number };
  };
};

/** A range of bytes in a buffer. The fields are checked when the view is read. */
export type GltfBufferView = {
  buffer: number;
  byteOffset?: number;
  byteLength: number;
  byteStride?: number;
  target?: number;
  extensions?: Record<string, unknown>;
};

/** Raw bytes: the binary chunk, a data URI, or another file. */
export type GltfBuffer = { byteLength: number; uri?: string; extensions?: Record<string, unknown> };

/** A picture: in another file, a data URI or a buffer view. */
export type GltfImage = { uri?: string; mimeType?: string; bufferView?: number };

/** The JSON of a glTF file, checked by {@link checkGltfJson}; members that are not named here are kept. */
export type GltfJson = {
  asset: { version: string; generator?: string };
  scene?: number;
  scenes?: { nodes?: number[] }[];
  nodes?: GltfNode[];
  skins?: GltfSkin[];
  meshes?: GltfMesh[];
  materials?: { pbrMetallicRoughness?: { baseColorFactor?: unknown } }[];
  images?: GltfImage[];
  animations?: GltfAnimation[];
  accessors?: GltfAccessor[];
  bufferViews?: GltfBufferView[];
  buffers?: GltfBuffer[];
  extensions?: Record<string, unknown>;
  extensionsUsed?: string[];
  extensionsRequired?: string[];
};

/*
 * A few bytes of JSON stand for a hundred of memory: what is beyond these is no character, but a file that is
 * broken or made to cost much. The largest of the known files has a twentieth of each.
 */
const MOST_SKINS = 2 ** 12;
const MOST_SKIN_JOINTS = 2 ** 17;
const MOST_MORPHS = 2 ** 14;

/** An error at a place of a glTF file. */
export function gltfError(at: string, found: string, expected: string): FormatError {
  return new FormatError({ format: 'glTF', at, found, expected });
}

/** Whether a value is a JSON object (no array, not null). */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value is an index into a list of `count` entries. */
export function isIndex(value: unknown, count: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < count;
}

/** A value as it may stand in an error message: short, whatever it is. */
export function show(value: unknown): string {
  const text = value === undefined ? 'nothing' : (JSON.stringify(value) ?? String(value));
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}

/** A name as the file gives it, or '' where there is none. */
export function nameOf(value: { name?: unknown } | undefined): string {
  return typeof value?.name === 'string' ? value.name : '';
}

/**
 * Checks the shape of everything that later code walks through, so that it need not check again: lists are
 * lists, and indices of nodes, skins and meshes point at something. Accessors, buffer views and channels are
 * checked where they are read, since a broken one may never be needed.
 * @throws FormatError naming the first member that is wrong.
 */
export function checkGltfJson(value: unknown, limits: Pick<Limits, 'joints'> = DEFAULT_LIMITS): GltfJson {
  if (!isObject(value)) throw gltfError('JSON', show(value), 'an object');
  const { asset } = value;
  const version = isObject(asset) ? asset.version : undefined;
  if (typeof version !== 'string') throw gltfError('asset.version', show(version), '"2.0"');
  if (!/^2(\.|$)/.test(version))
    throw gltfError('asset.version', show(version), 'glTF 2.0; convert older files first');

  const list = (key: string, most = Number.POSITIVE_INFINITY): Record<string, unknown>[] => {
    const entries = value[key];
    if (entries === undefined) return [];
    if (!Array.isArray(entries)) throw gltfError(key, show(entries), 'a list');
    if (entries.length > most) throw gltfError(key, `${entries.length} entries`, `at most ${most}`);
    entries.forEach((entry, i) => {
      if (!isObject(entry)) throw gltfError(`${key}[${i}]`, show(entry), 'an object');
    });
    return entries;
  };
  const nodes = list('nodes');
  refuseBeyond(limits, 'joints', nodes.length, { format: 'glTF', at: 'nodes' });
  const skins = list('skins', MOST_SKINS);
  const meshes = list('meshes');
  const accessors = list('accessors');
  for (const key of ['bufferViews', 'buffers', 'materials', 'images']) list(key);

  const index = (owner: Record<string, unknown>, key: string, at: string, count: number, what: string) => {
    if (owner[key] !== undefined && !isIndex(owner[key], count))
      throw gltfError(`${at}.${key}`, show(owner[key]), `the index of one of ${count} ${what}`);
  };
  const indices = (owner: Record<string, unknown>, key: string, at: string, count: number, what: string) => {
    const entries = owner[key];
    if (entries === undefined) return;
    if (!Array.isArray(entries)) throw gltfError(`${at}.${key}`, show(entries), `a list of ${what}`);
    entries.forEach((entry, i) => {
      if (!isIndex(entry, count))
        throw gltfError(`${at}.${key}[${i}]`, show(entry), `the index of one of ${count} ${what}`);
    });
  };
  const numbers = (owner: Record<string, unknown>, key: string, at: string, length: number) => {
    const entries = owner[key];
    if (entries === undefined) return;
    const fits = Array.isArray(entries) && (length === 0 || entries.length === length);
    if (!fits || !entries.every((entry) => typeof entry === 'number'))
      throw gltfError(
        `${at}.${key}`,
        show(entries),
        length === 0 ? 'a list of numbers' : `${length} numbers`,
      );
  };

  nodes.forEach((node, i) => {
    const at = `nodes[${i}]`;
    indices(node, 'children', at, nodes.length, 'nodes');
    index(node, 'mesh', at, meshes.length, 'meshes');
    index(node, 'skin', at, skins.length, 'skins');
    numbers(node, 'matrix', at, 16);
    numbers(node, 'translation', at, 3);
    numbers(node, 'rotation', at, 4);
    numbers(node, 'scale', at, 3);
    numbers(node, 'weights', at, 0);
  });
  let jointCount = 0;
  skins.forEach((skin, i) => {
    if (skin.joints === undefined) throw gltfError(`skins[${i}].joints`, 'nothing', 'a list of nodes');
    jointCount += Array.isArray(skin.joints) ? skin.joints.length : 0;
    if (jointCount > MOST_SKIN_JOINTS)
      throw gltfError(`skins[${i}].joints`, `more than ${MOST_SKIN_JOINTS} joints`, 'fewer in all skins');
    indices(skin, 'joints', `skins[${i}]`, nodes.length, 'nodes');
    index(skin, 'inverseBindMatrices', `skins[${i}]`, accessors.length, 'accessors');
  });
  const scenes = list('scenes');
  scenes.forEach((scene, i) => {
    indices(scene, 'nodes', `scenes[${i}]`, nodes.length, 'nodes');
  });
  index(value, 'scene', 'JSON', scenes.length, 'scenes');
  meshes.forEach((mesh, i) => {
    const at = `meshes[${i}]`;
    if (!Array.isArray(mesh.primitives)) throw gltfError(`${at}.primitives`, show(mesh.primitives), 'a list');
    numbers(mesh, 'weights', at, 0);
    mesh.primitives.forEach((primitive: unknown, p) => {
      const place = `${at}.primitives[${p}]`;
      if (!isObject(primitive)) throw gltfError(place, show(primitive), 'an object');
      if (!isObject(primitive.attributes))
        throw gltfError(`${place}.attributes`, show(primitive.attributes), 'an object');
      const { targets } = primitive;
      if (targets !== undefined && !Array.isArray(targets))
        throw gltfError(`${place}.targets`, show(targets), 'a list');
      if (targets && targets.length > MOST_MORPHS)
        throw gltfError(`${place}.targets`, `${targets.length} morph targets`, `at most ${MOST_MORPHS}`);
    });
  });
  list('animations').forEach((animation, i) => {
    for (const key of ['channels', 'samplers']) {
      const entries = animation[key];
      if (!Array.isArray(entries) || !entries.every(isObject))
        throw gltfError(`animations[${i}].${key}`, show(entries), 'a list of objects');
    }
  });
  // Every member that the type names has just been looked at.
  return value as unknown as GltfJson;
}
