import { Bone, BufferGeometry, Float32BufferAttribute, Group, Mesh, Skeleton, SkinnedMesh } from 'three';

const JOINTS: readonly (readonly [name: string, parent: string, x: number, y: number, z: number])[] = [
  ['Hips', '', 0, 1, 0],
  ['Spine', 'Hips', 0, 0.2, 0],
  ['Chest', 'Spine', 0, 0.2, 0],
  ['Neck', 'Chest', 0, 0.2, 0],
  ['Head', 'Neck', 0, 0.1, 0],
  ['LeftUpperArm', 'Chest', 0.2, 0.15, 0],
  ['LeftLowerArm', 'LeftUpperArm', 0.3, 0, 0],
  ['LeftHand', 'LeftLowerArm', 0.25, 0, 0],
  ['RightUpperArm', 'Chest', -0.2, 0.15, 0],
  ['RightLowerArm', 'RightUpperArm', -0.3, 0, 0],
  ['RightHand', 'RightLowerArm', -0.25, 0, 0],
  ['LeftUpperLeg', 'Hips', 0.1, -0.05, 0],
  ['LeftLowerLeg', 'LeftUpperLeg', 0, -0.45, 0],
  ['LeftFoot', 'LeftLowerLeg', 0, -0.42, 0],
  ['LeftToes', 'LeftFoot', 0, -0.06, 0.12],
  ['RightUpperLeg', 'Hips', -0.1, -0.05, 0],
  ['RightLowerLeg', 'RightUpperLeg', 0, -0.45, 0],
  ['RightFoot', 'RightLowerLeg', 0, -0.42, 0],
  ['RightToes', 'RightFoot', 0, -0.06, 0.12],
];

/** A small skinned character: its scene, its bones by plain name, its skinned mesh and a face with morphs. */
export type StickActor = { root: Group; bones: Map<string, Bone>; mesh: SkinnedMesh; face: Mesh };

/**
 * Builds a character as loaders leave them: an armature with bones and a skinned mesh beside them.
 * @param rename What bones are called; their plain names if left out.
 * @param size How many times as tall it is.
 */
export function stickActor({
  rename = (name: string) => name,
  size = 1,
  morphs = ['smile', 'blink'],
  faceName = 'Face',
}: {
  rename?: (name: string) => string;
  size?: number;
  morphs?: string[];
  faceName?: string;
} = {}): StickActor {
  const bones = new Map<string, Bone>();
  const root = new Group();
  const armature = new Group();
  armature.name = 'Armature';
  root.add(armature);
  for (const [name, parent, x, y, z] of JOINTS) {
    const bone = new Bone();
    bone.name = rename(name);
    bone.position.set(x, y, z).multiplyScalar(size);
    (bones.get(parent) ?? armature).add(bone);
    bones.set(name, bone);
  }
  const mesh = new SkinnedMesh(new BufferGeometry());
  mesh.name = 'Body';
  armature.add(mesh);
  root.updateMatrixWorld(true);
  mesh.bind(new Skeleton([...bones.values()]));
  const face = new Mesh(new BufferGeometry());
  face.name = faceName;
  face.geometry.setAttribute('position', new Float32BufferAttribute([0, 0, 0], 3));
  face.morphTargetDictionary = Object.fromEntries(morphs.map((morph, i) => [morph, i]));
  face.morphTargetInfluences = morphs.map(() => 0);
  bones.get('Head')!.add(face);
  return { root, bones, mesh, face };
}
