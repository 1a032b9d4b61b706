import type { Mesh as MeshData } from '@stuntdouble/core/engine';
import {
  Bone,
  BufferAttribute,
  BufferGeometry,
  Color,
  Group,
  Matrix4,
  Mesh,
  MeshStandardMaterial,
  type Object3D,
  SkinnedMesh,
  Skeleton as ThreeSkeleton,
} from 'three';
import { MeshoptDecoder } from 'three/addons/libs/meshopt_decoder.module.js';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import type { FileFacts } from '../engine/protocol.js';

/** What is shown of a file: objects, and which of them each joint of the skeleton is. */
export type Body = {
  root: Group;
  /** By joint; null where the file's loader made none. */
  objects: (Object3D | null)[];
  /** Sets an expression of the whole face, where the file has such. */
  setExpression: ((name: string, weight: number) => void) | null;
  /** Called after expressions were set. */
  finish: () => void;
};

/** Loads what a file looks like. @param worn Another file whose body has joints of the same names. */
export async function loadBody(
  facts: FileFacts,
  file: Blob,
  beside: readonly { name: string; file: Blob }[],
  worn: Blob | null,
): Promise<Body> {
  if (worn) return loadGltf(facts, worn, [], 'names');
  return facts.meshes ? buildBody(facts) : loadGltf(facts, file, beside, 'indices');
}

async function loadGltf(
  facts: FileFacts,
  file: Blob,
  beside: readonly { name: string; file: Blob }[],
  by: 'indices' | 'names',
): Promise<Body> {
  const loader = new GLTFLoader();
  loader.setMeshoptDecoder(MeshoptDecoder);
  const isVrm = facts.format === 'vrm';
  if (isVrm) {
    const { VRMLoaderPlugin } = await import('@pixiv/three-vrm');
    loader.register((parser) => new VRMLoaderPlugin(parser, { autoUpdateHumanBones: false }) as never);
  }
  const addresses = beside.map((other) => ({ name: other.name, url: URL.createObjectURL(other.file) }));
  loader.manager.setURLModifier((url) => {
    const wanted = decodeURIComponent(url).split('/').pop();
    return addresses.find(({ name }) => name === wanted)?.url ?? url;
  });
  try {
    const gltf = await loader.parseAsync(await file.arrayBuffer(), '');
    const root = new Group();
    root.add(gltf.scene);
    const byIndex = new Map<number, Object3D>();
    const byName = new Map<string, Object3D>();
    const json = gltf.parser.json as { nodes?: { name?: string }[] };
    for (const [object, { nodes }] of gltf.parser.associations as unknown as Map<
      Object3D,
      { nodes?: number }
    >) {
      if (nodes === undefined || !object.isObject3D) continue;
      byIndex.set(nodes, object);
      byName.set(json.nodes?.[nodes]?.name ?? '', object);
    }
    const { skeleton } = facts;
    const objects = skeleton
      ? skeleton.names.map((name, joint) =>
          by === 'indices' ? (byIndex.get(skeleton.fileIndices[joint]!) ?? null) : (byName.get(name) ?? null),
        )
      : [];
    prepareMeshes(root);
    const vrm = gltf.userData.vrm as
      | { expressionManager?: { setValue(name: string, weight: number): void; update(): void } }
      | undefined;
    const expressions = vrm?.expressionManager;
    return {
      root,
      objects,
      setExpression: expressions ? (name, weight) => expressions.setValue(name, weight) : null,
      finish: () => expressions?.update(),
    };
  } finally {
    for (const { url } of addresses) URL.revokeObjectURL(url);
  }
}

function prepareMeshes(root: Object3D): void {
  root.traverse((object) => {
    if (!(object instanceof Mesh)) return;
    // A skin's bounds are those of its rest; culling by them makes bodies vanish.
    object.frustumCulled = false;
    object.castShadow = true;
  });
}

/** Builds a body from data, for formats that the page has no loader for. Without meshes it is joints alone. */
function buildBody({ skeleton, meshes }: FileFacts): Body {
  const root = new Group();
  if (!skeleton) return { root, objects: [], setExpression: null, finish: () => {} };
  const frame = new Group();
  root.add(frame);
  const bones = skeleton.names.map(() => new Bone());
  skeleton.parents.forEach((parent, joint) => {
    (parent < 0 ? frame : bones[parent]!).add(bones[joint]!);
  });
  for (const mesh of meshes ?? []) {
    const object = buildMesh(mesh, bones);
    // A skin is placed by its joints alone; what hangs on a joint goes with it.
    if (mesh.joint !== null && !mesh.skin) bones[mesh.joint]?.add(object);
    else root.add(object);
  }
  prepareMeshes(root);
  frame.userData.isFrame = true;
  return { root, objects: bones, setExpression: null, finish: () => {} };
}

function buildMesh(mesh: MeshData, bones: Bone[]): Mesh {
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(mesh.positions, 3));
  geometry.setIndex(new BufferAttribute(mesh.triangles, 1));
  if (mesh.normals) geometry.setAttribute('normal', new BufferAttribute(mesh.normals, 3));
  else geometry.computeVertexNormals();
  const material = new MeshStandardMaterial({ color: new Color(...mesh.color), roughness: 0.8 });
  if (!mesh.skin) return new Mesh(geometry, material);
  geometry.setAttribute('skinIndex', new BufferAttribute(mesh.skin.joints, 4));
  geometry.setAttribute('skinWeight', new BufferAttribute(mesh.skin.weights, 4));
  const inverses = bones.map((_, joint) => new Matrix4().fromArray(mesh.skin!.inverseBinds, 16 * joint));
  const object = new SkinnedMesh(geometry, material);
  object.bindMode = 'detached';
  object.bind(new ThreeSkeleton(bones, inverses), new Matrix4());
  return object;
}

/** The object that a body's container belongs on: of built bodies their joints alone, else all. */
export function frameOf(body: Body): Object3D {
  return body.root.children.find(({ userData }) => userData.isFrame === true) ?? body.root;
}
