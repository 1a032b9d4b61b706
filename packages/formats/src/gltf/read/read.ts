import type { Scene, Warning } from '@stuntdouble/core';
import type { ReadOptions } from '../../format.js';
import { heedSignal } from '../../heed-signal.js';
import { completeLimits } from '../../limits.js';
import { findOwners } from '../../shared/node-owners.js';
import { type GltfDocument, loadDocument, prepareViews } from '../document.js';
import { isGlb } from '../glb.js';
import { morphMeshName, morphNames, readClips } from './animations.js';
import { findSkinUsers, readBindPose } from './bind-pose.js';
import { expressionNames } from './expressions.js';
import { createVertexBudget, prepareGeometry } from './geometry.js';
import { findMeshOwners, measureHulls } from './hulls.js';
import { readHumanoid } from './humanoid.js';
import { readNodeTree } from './node-tree.js';
import { findSkeletons } from './skeletons.js';

/** Reads glTF, GLB, VRM and VRM animation files. */
export async function readGltf(bytes: Uint8Array, options: ReadOptions): Promise<Scene> {
  const warnings: Warning[] = [];
  const { base = null, resolve, followLinks, limits: given } = options;
  const limits = completeLimits(given);
  const document = await loadDocument(bytes, {
    base,
    ...(resolve ? { resolve } : {}),
    ...(followLinks ? { followLinks } : {}),
    limits,
    warnings,
  });
  return readDocument(document, isGlb(bytes) ? 'glb' : 'gltf', options, warnings);
}

/** Finds what a document holds, as {@link readGltf} does when it has loaded one. */
export async function readDocument(
  document: GltfDocument,
  container: 'glb' | 'gltf',
  options: Pick<ReadOptions, 'name' | 'skin' | 'limits' | 'signal'>,
  warnings: Warning[],
): Promise<Scene> {
  await prepareViews(document);
  const { json } = document;
  const tree = readNodeTree(json, warnings);
  const humanoid = readHumanoid(json, warnings);
  const found = findSkeletons(document, tree, humanoid, warnings);
  const withVertices =
    options.skin !== false && found.length > 0 && (await prepareGeometry(document, warnings));
  const budget = createVertexBudget();
  const users = findSkinUsers(document);
  const owners = findOwners(
    tree.parents.length,
    found.map(({ skeleton }) => skeleton),
  );
  const meshOwners = findMeshOwners(document, tree, found, owners);
  const { signal } = options;
  const limits = completeLimits(options.limits);
  const clips = heedSignal(signal, () => {
    found.forEach((one, i) => {
      signal?.throwIfAborted();
      const bind = readBindPose(document, tree, one, users, warnings);
      if (bind) one.skeleton.bind = bind;
      if (withVertices) measureHulls(document, tree, one, meshOwners.nodes[i]!, budget, warnings);
    });
    return readClips(document, tree, { found, owners, meshOwners, humanoid, limits, signal }, warnings);
  });

  const morphs = new Map<string, string[]>();
  (json.nodes ?? []).forEach((node, i) => {
    const names = node.mesh === undefined ? [] : morphNames(json, node.mesh);
    const mesh = morphMeshName(json, tree, i);
    if (names.length > 0 && !morphs.has(mesh)) morphs.set(mesh, names);
  });
  const expressions = expressionNames(json, humanoid);
  if (expressions.length > 0) morphs.set('', expressions);
  const isVrm = humanoid !== null && humanoid.version !== 'VRM animation';
  const otherClips = found.length === 0 ? clips[0]! : [];
  return {
    format: isVrm ? 'vrm' : humanoid ? 'vrma' : container,
    ...(otherClips.length > 0 ? { otherClips } : {}),
    name: options.name ?? 'untitled',
    characters: found.map(({ skeleton }, i) => ({ skeleton, clips: clips[i]! })),
    morphs: [...morphs].map(([mesh, names]) => ({ mesh, names })),
    document,
    warnings,
  };
}
