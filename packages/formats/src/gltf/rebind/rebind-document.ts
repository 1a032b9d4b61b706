import {
  type BindNodes,
  decomposeMatrix,
  multiplyMatrices,
  type Skeleton,
  type Warning,
} from '@stuntdouble/core/engine';
import type { GltfDocument } from '../document.js';
import type { GltfJson, GltfNode, GltfSkin } from '../gltf-json.js';
import { readInverseBinds } from '../read/bind-pose.js';
import { readHumanoid } from '../read/humanoid.js';
import { readNodeTree } from '../read/node-tree.js';
import { dropAnimations } from '../write/drop-animations.js';
import { type Axes, rebindExtensions } from './rebind-extensions.js';

/**
 * A copy of a document whose character stands in a retargeted bind pose: its nodes have the rests of the plan, nodes
 * that the plan adds are there, and its skins have the inverse binds that go with them. What hangs on a joint without
 * being one (meshes, lights, cameras, colliders) is hung on a node in the joint's own axes, so that it stays where it
 * was. Clips of the file were made for the old rests and are dropped.
 * @returns the document, and per node of the plan its node in the document.
 */
export function rebindDocument(
  given: GltfDocument,
  skeleton: Skeleton,
  plan: BindNodes,
  warnings: Warning[],
): { document: GltfDocument; nodeOf: Int32Array } {
  const dropped = given.json.animations?.length ?? 0;
  if (dropped > 0)
    warnings.push({
      code: 'bind-changed',
      message: `${dropped} clip${dropped > 1 ? 's' : ''} of the file ${dropped > 1 ? 'were' : 'was'} made for its old bind pose and ${dropped > 1 ? 'are' : 'is'} left out.`,
    });
  const base = dropAnimations(given);
  const json: GltfJson = { ...base.json };
  const nodes = (json.nodes ?? []).slice();
  const taken = new Set(nodes.map(({ name }) => name));
  const add = (node: GltfNode, kind: string): number => {
    let number = nodes.length;
    while (taken.has(`${kind}-${number}`)) number++;
    taken.add(`${kind}-${number}`);
    nodes.push({ name: `${kind}-${number}`, ...node });
    return nodes.length - 1;
  };
  const nodeOf = Int32Array.from(plan.nodes, ({ joint }) =>
    joint < 0 ? add({}, 'bind-helper') : skeleton.fileIndices[joint]!,
  );
  const headOf = new Map<number, number>();
  const jointOf = new Map<number, number>();
  skeleton.fileIndices.forEach((node, joint) => {
    headOf.set(node, nodeOf[plan.headNodes[joint]!]!);
    jointOf.set(node, joint);
  });
  const below = plan.nodes.map((): number[] => []);
  plan.nodes.forEach(({ parent }, n) => {
    if (parent >= 0) below[parent]!.push(nodeOf[n]!);
  });

  /** A node in the old axes of a joint, made when something needs it. */
  const made = new Map<number, number>();
  const axes: Axes = {
    of(node) {
      const joint = jointOf.get(node);
      if (joint === undefined || isUnchanged(plan.changes, joint)) return node;
      const known = made.get(node);
      if (known !== undefined) return known;
      const own = add(transformOf(plan.changes, joint), 'bind-axes');
      made.set(node, own);
      nodes[node] = { ...nodes[node]!, children: [...(nodes[node]!.children ?? []), own] };
      return own;
    },
    change(node, v) {
      const joint = jointOf.get(node);
      return joint === undefined ? [...v] : vectorThrough(plan.changes, joint, v);
    },
  };

  const old = base.json.nodes ?? [];
  plan.nodes.forEach(({ joint, translation, rotation }, n) => {
    const node = nodeOf[n]!;
    const { matrix: _m, translation: _t, rotation: _r, scale: _s, children: _c, ...rest } = nodes[node]!;
    const others = joint < 0 ? [] : (old[node]!.children ?? []).filter((child) => !headOf.has(child));
    // Where skinned meshes hang means nothing to them.
    const free = others.filter((child) => old[child]!.skin !== undefined && !old[child]!.children?.length);
    nodes[node] = { ...rest, translation: [...translation], rotation: unitOf(rotation) };
    const children = [...orderAs(old[node]?.children, below[n]!, headOf), ...free];
    if (children.length > 0) nodes[node] = { ...nodes[node]!, children };
    hangOn(
      axes.of,
      nodes,
      node,
      others.filter((child) => !free.includes(child)),
      joint >= 0 ? old[node]! : {},
    );
  });
  if (json.scenes)
    json.scenes = json.scenes.map((scene) =>
      scene.nodes ? { ...scene, nodes: scene.nodes.map((node) => headOf.get(node) ?? node) } : scene,
    );
  json.nodes = nodes;
  rebindExtensions(json, nodes, new Set(skeleton.fileIndices), axes, warnings);
  warnOfHumanoid(base.json, json, skeleton, plan, warnings);
  return { document: withInverseBinds(base, json, jointOf, plan, warnings), nodeOf };
}

/** A humanoid that no longer stands as VRM wants it: in a T-pose, whose joints in 0.x have no turns of their own. */
function warnOfHumanoid(
  before: GltfJson,
  after: GltfJson,
  { fileIndices }: Skeleton,
  plan: BindNodes,
  warnings: Warning[],
): void {
  const version = readHumanoid(before, [])?.version;
  if (version !== 'VRM 0.x' && version !== 'VRM 1.0') return;
  const [old, now] = [before, after].map((json) => readNodeTree(json, []).worlds) as [
    Float64Array,
    Float64Array,
  ];
  const heights = [...fileIndices].map((node) => old[16 * node + 13]!);
  // A percent of the body.
  const slack = 0.01 * (Math.max(...heights) - Math.min(...heights));
  const isPosed = fileIndices.some((node) =>
    [12, 13, 14].some((n) => Math.abs(old[16 * node + n]! - now[16 * node + n]!) > slack),
  );
  const isTurned = version === 'VRM 0.x' && fileIndices.some((_, joint) => !isUnchanged(plan.changes, joint));
  if (isPosed || isTurned)
    warnings.push({
      code: 'bind-changed',
      message: `The humanoid ${isPosed ? 'stands as the source does' : "has the source's joint axes"} now, not ${version === 'VRM 0.x' ? 'unturned in a T-pose' : 'in a T-pose'}, as ${version} asks: clips of this file play right, VRM animations and poses may not.`,
    });
}

/** Children in the order that they had; those that are new behind them. */
function orderAs(
  old: number[] | undefined,
  children: number[],
  headOf: ReadonlyMap<number, number>,
): number[] {
  const before = (old ?? []).map((child) => headOf.get(child) ?? child);
  return [
    ...before.filter((child) => children.includes(child)),
    ...children.filter((child) => !before.includes(child)),
  ];
}

/** What a joint holds, moved onto a node in its old axes: other nodes, a mesh without a skin, a camera, extensions. */
function hangOn(
  axesOf: Axes['of'],
  nodes: GltfNode[],
  node: number,
  children: readonly number[],
  old: GltfNode & { camera?: number },
): void {
  const { mesh, weights, camera, extensions } = old;
  const held = {
    ...(mesh !== undefined && old.skin === undefined && { mesh, ...(weights && { weights }) }),
    ...(camera !== undefined && { camera }),
    ...(extensions && { extensions }),
  };
  if (children.length === 0 && Object.keys(held).length === 0) return;
  const own = axesOf(node);
  if (own === node) {
    nodes[node] = { ...nodes[node]!, children: [...(nodes[node]!.children ?? []), ...children] };
    if (children.length === 0 && nodes[node]!.children!.length === 0) delete nodes[node]!.children;
    return;
  }
  nodes[own] = { ...nodes[own]!, ...held, ...(children.length > 0 && { children: [...children] }) };
  const left: Record<string, unknown> = { ...nodes[node]! };
  for (const name of Object.keys(held)) delete left[name];
  nodes[node] = left;
}

/** A millionth: what float32 inverse binds lose anyway. */
const SAME = 1e-6;

function isUnchanged(changes: Float64Array, joint: number): boolean {
  for (let n = 0; n < 16; n++)
    if (Math.abs(changes[16 * joint + n]! - (n % 5 === 0 ? 1 : 0)) > SAME) return false;
  return true;
}

function transformOf(changes: Float64Array, joint: number): GltfNode {
  const [translation, rotation, scale] = [new Float64Array(3), new Float64Array(4), new Float64Array(3)];
  decomposeMatrix(translation, 0, rotation, 0, scale, 0, changes, 16 * joint);
  return { rotation: unitOf(rotation), scale: [...scale] };
}

/** A rotation whose numbers are within 1, as files must have them: rounding may leave one an ulp beyond. */
function unitOf(rotation: ArrayLike<number>): number[] {
  return Array.from(rotation, (x) => Math.max(-1, Math.min(1, x)));
}

function vectorThrough(changes: Float64Array, joint: number, v: readonly number[]): number[] {
  return [0, 1, 2].map((r) =>
    [0, 1, 2].reduce((sum, c) => sum + changes[16 * joint + 4 * c + r]! * v[c]!, 0),
  );
}

/** The document with new inverse binds for every skin that has joints of the skeleton, in a buffer of their own. */
function withInverseBinds(
  base: GltfDocument,
  json: GltfJson,
  jointOf: ReadonlyMap<number, number>,
  plan: BindNodes,
  warnings: Warning[],
): GltfDocument {
  const values: number[] = [];
  const accessors = (json.accessors ?? []).slice();
  const bufferView = json.bufferViews?.length ?? 0;
  const product = new Float64Array(16);
  const skins = (json.skins ?? []).map((skin, s): GltfSkin => {
    if (!skin.joints.some((node) => jointOf.has(node))) return skin;
    const inverses = readInverseBinds(base, s, warnings);
    if (!inverses) return skin;
    accessors.push({
      bufferView,
      byteOffset: 4 * values.length,
      componentType: 5126,
      count: skin.joints.length,
      type: 'MAT4',
    });
    skin.joints.forEach((node, i) => {
      const joint = jointOf.get(node);
      if (joint === undefined) product.set(inverses.subarray(16 * i, 16 * i + 16));
      else multiplyMatrices(product, 0, plan.changes, 16 * joint, inverses, 16 * i);
      values.push(...product);
    });
    return { ...skin, inverseBindMatrices: accessors.length - 1 };
  });
  const bytes = new Uint8Array(Float32Array.from(values).buffer);
  const buffer = base.buffers.length;
  return {
    ...base,
    json: {
      ...json,
      skins,
      accessors,
      bufferViews: [...(json.bufferViews ?? []), { buffer, byteLength: bytes.length }],
      buffers: [...(json.buffers ?? []), { byteLength: bytes.length }],
    },
    buffers: [...base.buffers, bytes],
    decodedViews: new Map(),
  };
}
