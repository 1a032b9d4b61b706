import { VertexBuffer } from '@babylonjs/core/Buffers/buffer.js';
import type { Vector3 } from '@babylonjs/core/Maths/math.vector.js';
import type { TransformNode } from '@babylonjs/core/Meshes/transformNode.js';
import type { Node } from '@babylonjs/core/node.js';
import {
  compareEvidence,
  type Evidence,
  isConfirmed,
  noteEvidence,
  tell,
  tellNumber,
  tellNumbers,
  type Witness,
} from '../../shared/evidence.js';
import type { BodyParts } from '../read/body-parts.js';
import { isRemembered, isTransformNode, originalTransforms, restTransform } from '../read/rest-memory.js';

/** All that a body is read from but the space around it. */
export type BodyEvidence = Evidence & {
  /** Per node below the root, and of that itself first: whether it is a bone's, and rests where the bone does. */
  bound: boolean[];
};

/**
 * Collects what {@link readBody} looks at.
 * @returns null where parts of the body hang elsewhere than below its root: then it is to be read each time.
 */
export function collectEvidence(parts: BodyParts, root: TransformNode): BodyEvidence | null {
  const nodes: Node[] = [root, ...root.getDescendants(false)];
  const below = new Set<unknown>(nodes);
  const ofBones = new Set<unknown>();
  for (const { bones } of parts.skeletons)
    for (const bone of bones) {
      const node = bone.getTransformNode();
      if (node && !below.has(node)) return null;
      ofBones.add(node);
    }
  for (const object of parts.moved) if (isTransformNode(object) && !below.has(object)) return null;
  const bound = nodes.map((node) => ofBones.has(node));
  const witness = noteEvidence();
  tellAll(witness, parts, root, nodes, bound);
  return { things: witness.things, numbers: witness.numbers, bound };
}

/** Whether a body would be read from the very same now. */
export function holdsStill(evidence: BodyEvidence, parts: BodyParts, root: TransformNode): boolean {
  const nodes: Node[] = root.getDescendants(false);
  nodes.unshift(root);
  if (nodes.length !== evidence.bound.length) return false;
  const witness = compareEvidence(evidence);
  // Where all bones and nodes are the same, the nodes of bones are so too.
  tellAll(witness, parts, root, nodes, evidence.bound);
  return isConfirmed(witness);
}

function tellAll(
  witness: Witness,
  parts: BodyParts,
  root: TransformNode,
  nodes: readonly Node[],
  bound: readonly boolean[],
): void {
  const { skeletons, meshes, moved, groups, scene } = parts;
  tell(witness, parts.character ?? parts.name);
  tell(witness, scene.useRightHandedSystem);
  tell(witness, moved.size);
  for (const object of moved) tell(witness, object);
  for (const skeleton of skeletons) {
    tell(witness, skeleton);
    for (const bone of skeleton.bones) {
      tell(witness, bone);
      tell(witness, bone.getTransformNode());
      tell(witness, bone.name);
      tell(witness, bone.parent);
      tellNumber(witness, bone.getIndex());
      tellNumbers(witness, bone.getRestMatrix().m);
      tellNumbers(witness, bone.getAbsoluteInverseBindMatrix().m);
    }
  }
  const originals = originalTransforms(groups);
  for (let k = 0; k < nodes.length; k++) {
    const node = nodes[k]!;
    tell(witness, node);
    tell(witness, node.parent);
    tell(witness, node.name);
    if (!isTransformNode(node)) continue;
    const { scaling } = node;
    // Which way a node mirrors counts as it is now; all else of a bone is what it rests in.
    tellNumber(witness, Math.sign(scaling.x * scaling.y * scaling.z));
    tellNumber(witness, hasVertices(node) ? 1 : 0);
    if (bound[k] && !isRemembered(node)) continue;
    const { position, rotation, scaling: rest } = restTransform(node, undefined, originals);
    tellPlace(witness, position);
    tellPlace(witness, rest);
    tellNumber(witness, rotation.x);
    tellNumber(witness, rotation.y);
    tellNumber(witness, rotation.z);
    tellNumber(witness, rotation.w);
  }
  for (let at = root.parent; at; at = at.parent) tell(witness, at);
  for (const mesh of meshes) {
    tell(witness, mesh);
    tell(witness, mesh.skeleton);
    tell(witness, mesh.geometry?.getVertexBuffer(VertexBuffer.PositionKind) ?? mesh.getTotalVertices());
  }
}

function tellPlace(witness: Witness, { x, y, z }: Vector3): void {
  tellNumber(witness, x);
  tellNumber(witness, y);
  tellNumber(witness, z);
}

/** Whether a node is a mesh with something to see. */
export function hasVertices(node: TransformNode): boolean {
  return 'getTotalVertices' in node && typeof node.getTotalVertices === 'function'
    ? Number(node.getTotalVertices()) > 0
    : false;
}
