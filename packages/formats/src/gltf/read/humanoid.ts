import { isRole, type Skeleton, type Warning } from '@stuntdouble/core';
import { type GltfJson, isIndex, isObject } from '../gltf-json.js';

/** What VRM metadata says of a file. */
export type Humanoid = {
  version: 'VRM 0.x' | 'VRM 1.0' | 'VRM animation';
  /** Role to node. */
  roles: Map<string, number>;
  /** Which way the character faces by the specification; null where it leaves that open. */
  facing: Skeleton['declared']['facing'];
  /** Nodes that carry expressions or the gaze, and are no joints. */
  signals: Set<number>;
  /** Of a VRM animation: nodes whose X is the weight of an expression, and its name. */
  expressions: Map<number, string>;
  /** Of a VRM animation: the node whose rotation is the gaze. */
  gaze: number | null;
};

/** VRM 0.x names the thumb's joints one further out than VRM 1.0 does. */
const VRM0_THUMB: Readonly<Record<string, string>> = {
  leftThumbProximal: 'leftThumbMetacarpal',
  leftThumbIntermediate: 'leftThumbProximal',
  rightThumbProximal: 'rightThumbMetacarpal',
  rightThumbIntermediate: 'rightThumbProximal',
};

/**
 * The humanoid that a file declares: extension `VRMC_vrm` (1.0), `VRM` (0.x) or `VRMC_vrm_animation` (W6).
 * @returns null where there is none.
 */
export function readHumanoid(json: GltfJson, warnings: Warning[]): Humanoid | null {
  const { extensions } = json;
  if (!isObject(extensions)) return null;
  const { VRM: vrm0, VRMC_vrm: vrm1, VRMC_vrm_animation: animation } = extensions;
  // 1.0 first: a file may carry both for older programs.
  if (isObject(vrm1)) return read('VRM 1.0', vrm1, '+Z', json, warnings);
  if (isObject(vrm0)) return read('VRM 0.x', vrm0, '-Z', json, warnings);
  if (isObject(animation)) return read('VRM animation', animation, null, json, warnings);
  return null;
}

function read(
  version: Humanoid['version'],
  extension: Record<string, unknown>,
  facing: Humanoid['facing'],
  json: GltfJson,
  warnings: Warning[],
): Humanoid | null {
  const bones = isObject(extension.humanoid) ? extension.humanoid.humanBones : undefined;
  const entries: [unknown, unknown][] = Array.isArray(bones)
    ? bones.filter(isObject).map((entry) => [entry.bone, entry.node])
    : isObject(bones)
      ? Object.entries(bones).map(([bone, entry]) => [bone, isObject(entry) ? entry.node : undefined])
      : [];
  const roles = new Map<string, number>();
  const taken = new Set<number>();
  const nodeCount = json.nodes?.length ?? 0;
  for (const [bone, node] of entries) {
    const name = String(bone);
    const role = version === 'VRM 0.x' ? (VRM0_THUMB[name] ?? name) : name;
    // VRM 0.x writes −1 for a bone that is not assigned.
    if (node === undefined || node === -1) continue;
    if (!isRole(role) || !isIndex(node, nodeCount) || taken.has(node) || roles.has(role))
      warnings.push({
        code: 'file-repaired',
        message: `The ${version} humanoid's entry "${name}" was left out: it names no body part, no node, or one twice.`,
      });
    else {
      roles.set(role, node);
      taken.add(node);
    }
  }
  const expressions = new Map<number, string>();
  let gaze: number | null = null;
  if (version === 'VRM animation') {
    const groups = isObject(extension.expressions) ? extension.expressions : {};
    for (const group of [groups.preset, groups.custom])
      for (const [name, entry] of Object.entries(isObject(group) ? group : {}))
        if (isObject(entry) && isIndex(entry.node, nodeCount)) expressions.set(entry.node, name);
    if (isObject(extension.lookAt) && isIndex(extension.lookAt.node, nodeCount)) gaze = extension.lookAt.node;
  }
  const signals = new Set([...expressions.keys(), ...(gaze === null ? [] : [gaze])]);
  return { version, roles, facing, signals, expressions, gaze };
}
