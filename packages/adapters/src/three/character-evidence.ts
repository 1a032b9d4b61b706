import type { Object3D, SkinnedMesh } from 'three';
import {
  compareEvidence,
  type Evidence,
  isConfirmed,
  noteEvidence,
  tell,
  tellNumber,
  tellNumbers,
  type Witness,
} from '../shared/evidence.js';
import type { ResolvedObject } from './animated-object.js';

/** What is asked for when a character is read: from what, under which name, and which of its objects are joints. */
export type CharacterQuestion = {
  resolved: ResolvedObject;
  argument: string;
  vrmBones: 'raw' | 'normalized' | undefined;
  animated: readonly Object3D[];
};

/**
 * Collects what a character is read from.
 * @returns null where joints hang elsewhere than below the root: then it is to be read each time.
 */
export function collectEvidence(question: CharacterQuestion): Evidence | null {
  const { root, bones, vrm } = question.resolved;
  const below = new Set<Object3D>();
  const given: (Object3D | undefined)[] = [...bones, ...question.animated];
  root.traverse((node) => {
    if (node !== root) below.add(node);
    if (node === root && 'isBone' in node) given.push(node);
    const { skeleton } = node as Partial<SkinnedMesh>;
    if (skeleton) given.push(...skeleton.bones);
  });
  for (const list of [vrm?.humanoid.humanBones, vrm?.humanoid.normalizedHumanBones])
    for (const bone of Object.values(list ?? {})) given.push(bone?.node);
  if (given.some((node) => node && !below.has(node))) return null;
  const witness = noteEvidence();
  tellAll(witness, question);
  return witness;
}

/** Whether a character would be read from the very same now. */
export function holdsStill(evidence: Evidence, question: CharacterQuestion): boolean {
  const witness = compareEvidence(evidence);
  tellAll(witness, question);
  return isConfirmed(witness);
}

function tellAll(witness: Witness, { resolved, argument, vrmBones, animated }: CharacterQuestion): void {
  const { root, bones, vrm, gltf, isCapture } = resolved;
  tell(witness, argument);
  tell(witness, vrmBones);
  tell(witness, isCapture);
  tell(witness, gltf?.parser?.json);
  tellNumber(witness, gltf?.parser?.associations.size ?? 0);
  if (vrm) tellVrm(witness, vrm.humanoid);
  for (const bone of bones) tell(witness, bone);
  for (const object of animated) tell(witness, object);
  tell(witness, root.name);
  tellNode(witness, root, true);
}

/** A VRM keeps for itself how it rests, and never changes it. */
function tellVrm(witness: Witness, humanoid: NonNullable<ResolvedObject['vrm']>['humanoid']): void {
  tell(witness, humanoid.rawRestPose);
  tell(witness, humanoid.normalizedRestPose);
  tell(witness, humanoid.normalizedHumanBonesRoot);
  for (const list of [humanoid.humanBones, humanoid.normalizedHumanBones])
    for (const role in list) {
      tell(witness, role);
      tell(witness, list[role]?.node);
    }
}

/** @param isRoot Whether it is the root: where that is, how it is turned and scaled plays no part. */
function tellNode(witness: Witness, node: Object3D, isRoot: boolean): void {
  tell(witness, node);
  tell(witness, node.name);
  if (!isRoot) {
    const { position, quaternion, scale } = node;
    tellNumber(witness, position.x);
    tellNumber(witness, position.y);
    tellNumber(witness, position.z);
    tellNumber(witness, quaternion.x);
    tellNumber(witness, quaternion.y);
    tellNumber(witness, quaternion.z);
    tellNumber(witness, quaternion.w);
    tellNumber(witness, scale.x);
    tellNumber(witness, scale.y);
    tellNumber(witness, scale.z);
    if (!node.matrixAutoUpdate) tellNumbers(witness, node.matrix.elements);
  }
  if ((node as SkinnedMesh).isSkinnedMesh) tellSkin(witness, node as SkinnedMesh);
  const { children } = node;
  tellNumber(witness, children.length);
  for (let n = 0; n < children.length; n++) tellNode(witness, children[n]!, false);
}

function tellSkin(witness: Witness, { skeleton, bindMatrix, geometry }: SkinnedMesh): void {
  tell(witness, skeleton);
  tell(witness, geometry);
  // Of the vertices as of the places of bones: who changes them tells three.js so by the version.
  const { position } = geometry.attributes;
  tell(witness, position);
  tellNumber(witness, position && 'version' in position ? position.version : 0);
  if (!skeleton) return;
  tellNumbers(witness, bindMatrix.elements);
  for (const bone of skeleton.bones) tell(witness, bone);
  for (const inverse of skeleton.boneInverses) tellNumbers(witness, inverse.elements);
}
