import type { Clip, MorphTrack } from '@stuntdouble/core';
import { addToList } from '@stuntdouble/core/engine';
import { type GltfJson, isIndex, isObject } from '../gltf-json.js';
import { morphMeshName, morphNames } from './animations.js';
import type { Humanoid } from './humanoid.js';
import type { NodeTree } from './node-tree.js';

/** A morph target that an expression moves, and how far at full weight. */
type Bind = { node: number; index: number; weight: number };

/** The presets of VRM 0.x under the names that VRM 1.0 gives them. */
const VRM0_PRESETS: ReadonlyMap<string, string> = new Map([
  ['joy', 'happy'],
  ['angry', 'angry'],
  ['sorrow', 'sad'],
  ['fun', 'relaxed'],
  ['a', 'aa'],
  ['i', 'ih'],
  ['u', 'ou'],
  ['e', 'ee'],
  ['o', 'oh'],
  ['blink', 'blink'],
  ['blink_l', 'blinkLeft'],
  ['blink_r', 'blinkRight'],
  ['neutral', 'neutral'],
  ['lookup', 'lookUp'],
  ['lookdown', 'lookDown'],
  ['lookleft', 'lookLeft'],
  ['lookright', 'lookRight'],
]);

/** The expressions that a VRM has or a VRM animation moves, by the names of VRM 1.0. */
export function expressionNames(json: GltfJson, humanoid: Humanoid | null): string[] {
  if (!humanoid) return [];
  if (humanoid.version === 'VRM animation') return [...new Set(humanoid.expressions.values())];
  return [...readExpressions(json).keys()];
}

/** The expressions of a VRM, 0.x or 1.0, with the morph targets they move. */
export function readExpressions(json: GltfJson): Map<string, Bind[]> {
  const found = new Map<string, Bind[]>();
  const { VRM: vrm0, VRMC_vrm: vrm1 } = isObject(json.extensions) ? json.extensions : {};
  const nodes = json.nodes ?? [];
  if (isObject(vrm1)) {
    const groups = isObject(vrm1.expressions) ? vrm1.expressions : {};
    for (const group of [groups.preset, groups.custom])
      for (const [name, entry] of Object.entries(isObject(group) ? group : {})) {
        const binds = isObject(entry) ? listOf(entry.morphTargetBinds) : [];
        found.set(
          name,
          binds.flatMap(({ node, index, weight }) =>
            isIndex(node, nodes.length) && isIndex(index, 2 ** 16) && typeof weight === 'number'
              ? [{ node, index, weight }]
              : [],
          ),
        );
      }
  } else if (isObject(vrm0)) {
    const master = isObject(vrm0.blendShapeMaster) ? vrm0.blendShapeMaster : {};
    const nodesOfMesh = new Map<number, number[]>();
    nodes.forEach(({ mesh }, i) => {
      if (mesh !== undefined) addToList(nodesOfMesh, mesh, i);
    });
    for (const group of listOf(master.blendShapeGroups)) {
      const preset = VRM0_PRESETS.get(String(group.presetName).toLowerCase());
      const name = preset ?? (typeof group.name === 'string' ? group.name : '');
      if (name === '' || found.has(name)) continue;
      found.set(
        name,
        listOf(group.binds).flatMap(({ mesh, index, weight }) =>
          typeof mesh === 'number' && isIndex(index, 2 ** 16) && typeof weight === 'number'
            ? (nodesOfMesh.get(mesh) ?? []).map((node) => ({ node, index, weight: weight / 100 }))
            : [],
        ),
      );
    }
  }
  return found;
}

/**
 * A clip whose expressions are weights of the morph targets that a VRM binds to them. Expressions that the
 * file does not have stay as they are. Where several move one morph target, the first is taken: adding them
 * up would need their keys at common times, and faces are made so that it does not happen.
 */
export function bindExpressions(clip: Clip, json: GltfJson, tree: Pick<NodeTree, 'names'>): Clip {
  if (!clip.morphs.some(({ mesh }) => mesh === '')) return clip;
  const expressions = readExpressions(json);
  const taken = new Set(clip.morphs.map(({ mesh, morph }) => `${mesh}\n${morph}`));
  const morphs = clip.morphs.flatMap((track): MorphTrack[] => {
    const binds = track.mesh === '' ? expressions.get(track.morph) : undefined;
    if (!binds) return [track];
    return binds.flatMap(({ node, index, weight }) => {
      const mesh = json.nodes![node]!.mesh;
      const morph = mesh === undefined ? undefined : morphNames(json, mesh)[index];
      if (morph === undefined) return [];
      const name = morphMeshName(json, tree, node);
      const key = `${name}\n${morph}`;
      if (taken.has(key)) return [];
      taken.add(key);
      return [{ ...track, mesh: name, morph, values: track.values.map((value) => value * weight) }];
    });
  });
  return { ...clip, morphs };
}

function listOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
