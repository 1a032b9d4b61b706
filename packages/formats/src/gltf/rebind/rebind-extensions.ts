import type { Warning } from '@stuntdouble/core';
import { type GltfJson, type GltfNode, isObject } from '../gltf-json.js';

/** How what was told in a joint's old axes is told when these have changed. */
export type Axes = {
  /** The node that has the old axes of a joint's node; any other node itself. */
  of(node: number): number;
  /** A vector in a joint's old axes, in those that its node has now. */
  change(node: number, v: readonly number[]): number[];
};

/**
 * Brings the extensions of VRM in line with joints whose rests have changed, in place of `json.extensions` and
 * `nodes`: colliders and the first-person camera hang on nodes in the old axes, the gaze starts from where it did,
 * expressions follow their meshes. Node constraints are counted from old rests: they are dropped, and that is said.
 */
export function rebindExtensions(
  json: GltfJson,
  nodes: GltfNode[],
  joints: ReadonlySet<number>,
  axes: Axes,
  warnings: Warning[],
): void {
  let constraints = 0;
  for (let n = 0; n < nodes.length; n++) {
    const { extensions, ...node } = nodes[n]!;
    if (!isObject(extensions) || extensions.VRMC_node_constraint === undefined) continue;
    const { VRMC_node_constraint: _, ...others } = extensions;
    nodes[n] = Object.keys(others).length > 0 ? { ...node, extensions: others } : node;
    constraints++;
  }
  if (constraints > 0) {
    json.extensionsUsed = (json.extensionsUsed ?? []).filter((name) => name !== 'VRMC_node_constraint');
    warnings.push({
      code: 'bind-changed',
      message: `${constraints} node constraint${constraints > 1 ? 's are' : ' is'} counted from the old bind pose and ${constraints > 1 ? 'are' : 'is'} left out.`,
    });
  }
  if (!isObject(json.extensions)) return;
  const extensions: Record<string, unknown> = { ...json.extensions };
  const { VRM: vrm0, VRMC_vrm: vrm1, VRMC_springBone: springs } = extensions;
  const meshAt = (node: unknown) => {
    const own = typeof node === 'number' && joints.has(node) ? axes.of(node) : node;
    return typeof own === 'number' && nodes[own]?.mesh !== undefined ? own : node;
  };
  if (isObject(vrm1)) extensions.VRMC_vrm = rebindVrm1(vrm1, axes, meshAt);
  if (isObject(vrm0)) extensions.VRM = rebindVrm0(vrm0, joints, axes);
  if (isObject(springs))
    extensions.VRMC_springBone = {
      ...springs,
      ...(Array.isArray(springs.colliders) && {
        colliders: springs.colliders.map((collider: unknown) => moved(collider, 'node', joints, axes)),
      }),
    };
  json.extensions = extensions;
}

function rebindVrm1(
  vrm: Record<string, unknown>,
  axes: Axes,
  meshAt: (node: unknown) => unknown,
): Record<string, unknown> {
  const out = { ...vrm };
  const { lookAt, humanoid, expressions, firstPerson } = vrm;
  const bones = isObject(humanoid) && isObject(humanoid.humanBones) ? humanoid.humanBones : {};
  const head = isObject(bones.head) ? bones.head.node : undefined;
  if (isObject(lookAt) && isVector(lookAt.offsetFromHeadBone) && typeof head === 'number')
    out.lookAt = { ...lookAt, offsetFromHeadBone: axes.change(head, lookAt.offsetFromHeadBone) };
  const followMeshes = (list: unknown) =>
    Array.isArray(list)
      ? list.map((entry: unknown) => (isObject(entry) ? { ...entry, node: meshAt(entry.node) } : entry))
      : list;
  if (isObject(firstPerson) && firstPerson.meshAnnotations)
    out.firstPerson = { ...firstPerson, meshAnnotations: followMeshes(firstPerson.meshAnnotations) };
  if (isObject(expressions))
    out.expressions = mapFields(expressions, (group) =>
      mapFields(group, (expression) =>
        isObject(expression) && expression.morphTargetBinds
          ? { ...expression, morphTargetBinds: followMeshes(expression.morphTargetBinds) }
          : expression,
      ),
    );
  return out;
}

function rebindVrm0(
  vrm: Record<string, unknown>,
  joints: ReadonlySet<number>,
  axes: Axes,
): Record<string, unknown> {
  const { firstPerson, secondaryAnimation: springs } = vrm;
  return {
    ...vrm,
    ...(isObject(firstPerson) && { firstPerson: moved(firstPerson, 'firstPersonBone', joints, axes) }),
    ...(isObject(springs) &&
      Array.isArray(springs.colliderGroups) && {
        secondaryAnimation: {
          ...springs,
          colliderGroups: springs.colliderGroups.map((group: unknown) => moved(group, 'node', joints, axes)),
        },
      }),
  };
}

/** An entry that names a joint, naming the node in its old axes instead. */
function moved(entry: unknown, name: string, joints: ReadonlySet<number>, axes: Axes): unknown {
  if (!isObject(entry)) return entry;
  const node = entry[name];
  return typeof node === 'number' && joints.has(node) ? { ...entry, [name]: axes.of(node) } : entry;
}

function mapFields(value: unknown, change: (field: unknown) => unknown): unknown {
  return isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, field]) => [name, change(field)]))
    : value;
}

function isVector(value: unknown): value is number[] {
  return Array.isArray(value) && value.length === 3 && value.every((x) => typeof x === 'number');
}
