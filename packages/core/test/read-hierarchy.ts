import { readFileSync } from 'node:fs';
import {
  createSkeleton,
  JOINT,
  type JointDescription,
  SKINNED,
  type Skeleton,
} from '../src/scene/skeleton.js';

/**
 * The joints of a glTF, GLB, VRM, BVH or binary FBX file with names, parents and rest transforms, and nothing else: enough
 * to test what names say, without the readers of the formats package. End sites of BVH are left out.
 */
export function readHierarchy(path: string): Skeleton {
  const bytes = readFileSync(path);
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (path.endsWith('.bvh')) return readBvh(name, bytes.toString('utf8'));
  return path.endsWith('.fbx') ? readFbx(name, bytes) : readGltf(name, bytes);
}

function readBvh(name: string, text: string): Skeleton {
  const joints: JointDescription[] = [];
  const open: number[] = [];
  let next = '';
  for (const line of text.split(/\r?\n/)) {
    const words = line.trim().split(/\s+/);
    if (words[0] === 'MOTION') break;
    else if (words[0] === 'ROOT' || words[0] === 'JOINT') next = words.slice(1).join(' ');
    else if (words[0] === 'End') next = '';
    else if (words[0] === '{') {
      joints.push({ name: next, parent: open.at(-1) ?? -1 });
      open.push(joints.length - 1);
    } else if (words[0] === '}') open.pop();
    else if (words[0] === 'OFFSET') joints[open.at(-1)!]!.translation = words.slice(1, 4).map(Number);
  }
  // Only leaves are unnamed, so parents keep their meaning after a shift of indices.
  const kept = joints.flatMap((joint, i) => (joint.name === '' ? [] : [i]));
  return createSkeleton(
    name,
    kept.map((i) => ({ ...joints[i]!, parent: kept.indexOf(joints[i]!.parent) })),
  ).skeleton;
}

type GltfJson = {
  nodes?: {
    name?: string;
    children?: number[];
    translation?: number[];
    rotation?: number[];
    scale?: number[];
  }[];
  skins?: { joints: number[] }[];
  animations?: { channels: { target: { node?: number } }[] }[];
  extensions?: {
    VRM?: { humanoid?: { humanBones: { bone: string; node: number }[] } };
    VRMC_vrm?: { humanoid?: { humanBones: Record<string, { node: number }> } };
    VRMC_vrm_animation?: { humanoid?: { humanBones: Record<string, { node: number }> } };
  };
};

function readGltf(name: string, bytes: Buffer): Skeleton {
  const isBinary = bytes.toString('latin1', 0, 4) === 'glTF';
  const text = isBinary ? bytes.toString('utf8', 20, 20 + bytes.readUInt32LE(12)) : bytes.toString('utf8');
  const json = JSON.parse(text) as GltfJson;
  const nodes = json.nodes ?? [];
  const parents = nodes.map(() => -1);
  nodes.forEach((node, i) => {
    for (const child of node.children ?? []) parents[child] = i;
  });
  const flags = nodes.map(() => 0);
  for (const skin of json.skins ?? []) for (const joint of skin.joints) flags[joint]! |= JOINT | SKINNED;
  for (const animation of json.animations ?? [])
    for (const { target } of animation.channels) if (target.node !== undefined) flags[target.node]! |= JOINT;
  const { skeleton, order } = createSkeleton(
    name,
    nodes.map(({ name, translation, rotation, scale }, i) => ({
      name: name ?? '',
      parent: parents[i]!,
      flags: flags[i]!,
      ...(translation && { translation }),
      ...(rotation && { rotation }),
      ...(scale && { scale }),
    })),
  );
  const roles: Record<string, number> = {};
  for (const { bone, node } of json.extensions?.VRM?.humanoid?.humanBones ?? []) {
    // VRM 0.x calls the thumb's joints proximal, intermediate, distal.
    const role = bone
      .replace('ThumbProximal', 'ThumbMetacarpal')
      .replace('ThumbIntermediate', 'ThumbProximal');
    roles[role] = order[node]!;
  }
  for (const humanoid of [json.extensions?.VRMC_vrm?.humanoid, json.extensions?.VRMC_vrm_animation?.humanoid])
    for (const [role, { node }] of Object.entries(humanoid?.humanBones ?? {})) roles[role] = order[node]!;
  if (Object.keys(roles).length > 0) skeleton.metadataRoles = roles;
  return skeleton;
}

/** A record of a binary FBX file: its numbers and texts, and the records in it. Arrays are passed over. */
type FbxRecord = { name: string; values: (number | bigint | string)[]; records: FbxRecord[] };

function readFbx(name: string, bytes: Buffer): Skeleton {
  if (!bytes.toString('latin1', 0, 18).startsWith('Kaydara FBX Binary'))
    return createSkeleton(name, []).skeleton;
  const wide = bytes.readUInt32LE(23) >= 7500;
  const records = readFbxRecords(bytes, 27, bytes.length, wide);
  const models = records.find((r) => r.name === 'Objects')?.records.filter((r) => r.name === 'Model') ?? [];
  const placeOf = new Map(models.map((model, i) => [model.values[0], i]));
  const parents = models.map(() => -1);
  for (const { values } of records.find((r) => r.name === 'Connections')?.records ?? []) {
    const child = placeOf.get(values[1]!);
    const parent = placeOf.get(values[2]!);
    if (values[0] === 'OO' && child !== undefined && parent !== undefined) parents[child] = parent;
  }
  return createSkeleton(
    name,
    models.map(({ values, records }, i) => {
      const properties = records.find((r) => r.name === 'Properties70')?.records ?? [];
      const triple = (property: string, otherwise: number) => {
        const found = properties.find((p) => p.values[0] === property);
        return found ? found.values.slice(4, 7).map(Number) : [otherwise, otherwise, otherwise];
      };
      return {
        name: String(values[1]).split('\0')[0]!,
        parent: parents[i]!,
        flags: values[2] === 'LimbNode' ? JOINT : 0,
        translation: triple('Lcl Translation', 0),
        rotation: multiply(eulerXyz(triple('PreRotation', 0)), eulerXyz(triple('Lcl Rotation', 0))),
        scale: triple('Lcl Scaling', 1),
      };
    }),
  ).skeleton;
}

function readFbxRecords(bytes: Buffer, from: number, to: number, wide: boolean): FbxRecord[] {
  const records: FbxRecord[] = [];
  const word = wide ? 8 : 4;
  const readWord = (at: number) => (wide ? Number(bytes.readBigUInt64LE(at)) : bytes.readUInt32LE(at));
  for (let at = from; at + 3 * word + 1 <= to; ) {
    const end = readWord(at);
    if (end === 0) break;
    const valueCount = readWord(at + word);
    const nameLength = bytes[at + 3 * word]!;
    let p = at + 3 * word + 1;
    const name = bytes.toString('latin1', p, p + nameLength);
    p += nameLength;
    const values: FbxRecord['values'] = [];
    for (let i = 0; i < valueCount; i++) {
      const type = String.fromCharCode(bytes[p++]!);
      if (type === 'L') values.push(bytes.readBigInt64LE(p));
      else if (type === 'D') values.push(bytes.readDoubleLE(p));
      else if (type === 'I') values.push(bytes.readInt32LE(p));
      else if (type === 'F') values.push(bytes.readFloatLE(p));
      else if (type === 'S' || type === 'R')
        values.push(bytes.toString('utf8', p + 4, p + 4 + bytes.readUInt32LE(p)));
      else values.push(0);
      const size: Record<string, number> = { L: 8, D: 8, I: 4, F: 4, Y: 2, C: 1 };
      if (type === 'S' || type === 'R') p += 4 + bytes.readUInt32LE(p);
      else p += size[type] ?? 12 + bytes.readUInt32LE(p + 8);
    }
    records.push({ name, values, records: readFbxRecords(bytes, p, end, wide) });
    at = end;
  }
  return records;
}

/** The quaternion of Euler angles in degrees, X first. */
function eulerXyz(degrees: number[]): number[] {
  return degrees
    .map((angle, axis) => {
      const q = [0, 0, 0, Math.cos((angle * Math.PI) / 360)];
      q[axis] = Math.sin((angle * Math.PI) / 360);
      return q;
    })
    .reduce((turned, next) => multiply(next, turned));
}

function multiply(a: number[], b: number[]): number[] {
  const [ax, ay, az, aw] = a as [number, number, number, number];
  const [bx, by, bz, bw] = b as [number, number, number, number];
  return [
    aw * bx + ax * bw + ay * bz - az * by,
    aw * by - ax * bz + ay * bw + az * bx,
    aw * bz + ax * by - ay * bx + az * bw,
    aw * bw - ax * bx - ay * by - az * bz,
  ];
}
