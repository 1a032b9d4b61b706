import type { DressedMesh, MeshMaterial, Picture } from '@stuntdouble/formats';
import {
  Bone,
  BufferAttribute,
  BufferGeometry,
  ClampToEdgeWrapping,
  Color,
  DoubleSide,
  FrontSide,
  Group,
  type Material,
  Matrix4,
  Mesh,
  MeshDepthMaterial,
  MeshStandardMaterial,
  NoColorSpace,
  type Object3D,
  RepeatWrapping,
  SkinnedMesh,
  SRGBColorSpace,
  Texture,
  Skeleton as ThreeSkeleton,
} from 'three';
import type { MeshoptDecoder } from 'three/addons/libs/meshopt_decoder.module.js';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import type { FileFacts } from '../engine/protocol.js';
import { say } from '../state/derived-store.js';
import { type MorphingMesh, morphingMesh } from './morphs.js';

/** What is shown of a file: objects, and which of them each joint of the skeleton is. */
export type Body = {
  root: Group;
  /** By joint; null where the file's loader made none. */
  objects: (Object3D | null)[];
  /** What of it has morph targets. */
  morphs: readonly MorphingMesh[];
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

/** Unpacks meshes and keys of files that have packed ones; what does so is fetched with the first of them. */
const MESHOPT = {
  supported: true,
  async decodeGltfBufferAsync(...given) {
    const { MeshoptDecoder } = await import('three/addons/libs/meshopt_decoder.module.js');
    return MeshoptDecoder.decodeGltfBufferAsync(...given);
  },
} as Pick<typeof MeshoptDecoder, 'supported' | 'decodeGltfBufferAsync'> as typeof MeshoptDecoder;

/** Hides what is bound to other skeletons of the file alone. */
function hideOthers(root: Group, own: ReadonlySet<Object3D | null>): void {
  root.traverse((object) => {
    if (object instanceof SkinnedMesh && !object.skeleton.bones.some((bone) => own.has(bone)))
      object.visible = false;
  });
}

/** A picture of one white dot, a GIF. */
const WHITE = 'data:image/gif;base64,R0lGODlhAQABAIAAAP///wAAACwAAAAAAQABAAACAkQBADs=';

async function loadGltf(
  facts: FileFacts,
  file: Blob,
  beside: readonly { name: string; file: Blob }[],
  by: 'indices' | 'names',
): Promise<Body> {
  const loader = new GLTFLoader();
  loader.setMeshoptDecoder(MESHOPT);
  const isVrm = facts.format === 'vrm';
  if (isVrm) {
    const { VRMLoaderPlugin } = await import('@pixiv/three-vrm');
    loader.register((parser) => new VRMLoaderPlugin(parser, { autoUpdateHumanBones: false }) as never);
  }
  const addresses = beside.map((other) => ({ name: other.name, url: URL.createObjectURL(other.file) }));
  loader.manager.setURLModifier((url) => {
    if (/^(blob|data):/.test(url)) return url;
    const wanted = decodeURIComponent(url).split(/[/\\]/).pop();
    const found = addresses.find(({ name }) => name === wanted);
    if (found) return found.url;
    // Buffers that are missing were refused before; a body without its picture is white.
    say(
      'warning',
      `"${facts.name}" is white without "${wanted}": drop both files together to see its picture`,
    );
    return WHITE;
  });
  try {
    const gltf = await loader.parseAsync(await file.arrayBuffer(), '');
    const root = new Group();
    root.add(gltf.scene);
    const byIndex = new Map<number, Object3D>();
    const byName = new Map<string, Object3D>();
    const json = gltf.parser.json as Json;
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
    if (facts.characters.length > 1) hideOthers(root, new Set(objects));
    prepareMeshes(root);
    return { root, objects, morphs: morphsOf(root, json, gltf.parser.associations as never) };
  } finally {
    for (const { url } of addresses) URL.revokeObjectURL(url);
  }
}

/** What is read of a file here. */
type Json = {
  nodes?: { name?: string }[];
  meshes?: { name?: string; extras?: { targetNames?: string[] } }[];
};

/** The meshes of a file that have morph targets, named as the engine's reader names them: the mesh's name, else its node's. */
function morphsOf(
  root: Object3D,
  json: Json,
  associations: ReadonlyMap<Object3D, { meshes?: number; nodes?: number }>,
): MorphingMesh[] {
  const found: MorphingMesh[] = [];
  root.traverse((object) => {
    if (!(object instanceof Mesh) || !object.morphTargetInfluences) return;
    const mesh = json.meshes?.[associations.get(object)?.meshes ?? -1];
    // A mesh of several parts is a group, which is the node.
    const node = associations.get(object)?.nodes ?? associations.get(object.parent!)?.nodes ?? -1;
    const names = object.morphTargetInfluences.map((_, n) => mesh?.extras?.targetNames?.[n] ?? `morph${n}`);
    found.push(morphingMesh(object, mesh?.name || json.nodes?.[node]?.name || '', names));
  });
  return found;
}

function prepareMeshes(root: Object3D): void {
  // The renderer's own material for shadows keeps the last picture that it met, beyond the end of the body it was of.
  const depth = new MeshDepthMaterial();
  root.traverse((object) => {
    if (!(object instanceof Mesh)) return;
    const materials: Material[] = Array.isArray(object.material) ? object.material : [object.material];
    // What is cut out by its picture gets one of its own from the renderer.
    if (materials.every(({ alphaTest }) => alphaTest === 0)) object.customDepthMaterial = depth;
    // A skin's bounds are those of its rest; culling by them makes bodies vanish.
    object.frustumCulled = false;
    object.castShadow = true;
  });
}

/** Builds a body from data, for formats that the page has no loader for. Without meshes it is joints alone. */
async function buildBody({ skeleton, meshes }: FileFacts): Promise<Body> {
  const root = new Group();
  if (!skeleton) return { root, objects: [], morphs: [] };
  const frame = new Group();
  root.add(frame);
  const bones = skeleton.names.map(() => new Bone());
  skeleton.parents.forEach((parent, joint) => {
    (parent < 0 ? frame : bones[parent]!).add(bones[joint]!);
  });
  const dress = createWardrobe((meshes ?? []).every(isBlack));
  const morphs: MorphingMesh[] = [];
  for (const mesh of meshes ?? []) {
    const object = buildMesh(mesh, bones, await dress(mesh));
    if (mesh.morphs.length > 0)
      morphs.push(
        morphingMesh(
          object,
          mesh.name,
          mesh.morphs.map(({ name }) => name),
        ),
      );
    // A skin is placed by its joints alone; what hangs on a joint goes with it.
    if (mesh.joint !== null && !mesh.skin) bones[mesh.joint]?.add(object);
    else root.add(object);
  }
  prepareMeshes(root);
  frame.userData.isFrame = true;
  return { root, objects: bones, morphs };
}

/** What a body is shown in where all of it would be black: its pictures are not at hand. */
const GREY: [number, number, number] = [0.45, 0.45, 0.45];

function isBlack({ material }: DressedMesh): boolean {
  return material !== null && !material.picture && Math.max(...material.color, ...material.emissive) < 0.01;
}

/** Makes materials: one for each that the meshes share, with its pictures. */
function createWardrobe(isAllBlack: boolean): (mesh: DressedMesh) => Promise<MeshStandardMaterial> {
  const made = new Map<string, Promise<MeshStandardMaterial>>();
  return ({ material, color }) => {
    // Objects that were one are no longer the same in another thread: a name with its figures is.
    const key = material
      ? JSON.stringify([material.name, material.color, material.picture?.name])
      : color.join();
    const known =
      made.get(key) ??
      (material
        ? dressedMaterial(isAllBlack ? { ...material, color: GREY } : material)
        : Promise.resolve(new MeshStandardMaterial({ color: new Color(...color), roughness: 0.8 })));
    made.set(key, known);
    return known;
  };
}

async function dressedMaterial(given: MeshMaterial): Promise<MeshStandardMaterial> {
  const [map, normalMap, emissiveMap] = await Promise.all([
    textureOf(given.picture, SRGBColorSpace, given.clamps),
    textureOf(given.normalPicture, NoColorSpace, given.clamps),
    textureOf(given.emissivePicture, SRGBColorSpace, given.clamps),
  ]);
  return new MeshStandardMaterial({
    color: new Color(...given.color),
    roughness: given.roughness,
    metalness: given.metalness,
    emissive: new Color(...given.emissive),
    ...(map && { map }),
    ...(normalMap && { normalMap }),
    ...(emissiveMap && { emissiveMap }),
    side: given.isDoubleSided ? DoubleSide : FrontSide,
    ...(given.alpha === 'mask' && { alphaTest: given.cutoff }),
    ...(given.alpha === 'blend' && given.opacity < 1 && { transparent: true, opacity: given.opacity }),
  });
}

/** A picture as the graphics card takes it; null where there is none, or the browser does not read its kind. */
async function textureOf(
  picture: Picture | null,
  colorSpace: typeof SRGBColorSpace | typeof NoColorSpace,
  [alongU, alongV]: readonly [boolean, boolean],
): Promise<Texture | null> {
  if (!picture) return null;
  try {
    const image = await createImageBitmap(new Blob([picture.bytes as BlobPart]), {
      imageOrientation: 'flipY',
      colorSpaceConversion: 'none',
    });
    const texture = new Texture(image);
    // It is turned over already: bitmaps are not by the card.
    texture.flipY = false;
    texture.colorSpace = colorSpace;
    texture.wrapS = alongU ? ClampToEdgeWrapping : RepeatWrapping;
    texture.wrapT = alongV ? ClampToEdgeWrapping : RepeatWrapping;
    texture.needsUpdate = true;
    return texture;
  } catch {
    return null;
  }
}

function buildMesh(mesh: DressedMesh, bones: Bone[], material: MeshStandardMaterial): Mesh {
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(mesh.positions, 3));
  geometry.setIndex(new BufferAttribute(mesh.triangles, 1));
  if (mesh.normals) geometry.setAttribute('normal', new BufferAttribute(mesh.normals, 3));
  else geometry.computeVertexNormals();
  if (mesh.uvs) geometry.setAttribute('uv', new BufferAttribute(mesh.uvs, 2));
  if (mesh.morphs.length > 0) {
    geometry.morphTargetsRelative = true;
    geometry.morphAttributes.position = mesh.morphs.map(({ positions }) => new BufferAttribute(positions, 3));
    if (mesh.normals && mesh.morphs.every(({ normals }) => normals))
      geometry.morphAttributes.normal = mesh.morphs.map(({ normals }) => new BufferAttribute(normals!, 3));
  }
  if (!mesh.skin) return withWeights(new Mesh(geometry, material), mesh);
  geometry.setAttribute('skinIndex', new BufferAttribute(mesh.skin.joints, 4));
  geometry.setAttribute('skinWeight', new BufferAttribute(mesh.skin.weights, 4));
  const inverses = bones.map((_, joint) => new Matrix4().fromArray(mesh.skin!.inverseBinds, 16 * joint));
  const object = new SkinnedMesh(geometry, material);
  object.bindMode = 'detached';
  object.bind(new ThreeSkeleton(bones, inverses), new Matrix4());
  return withWeights(object, mesh);
}

/** A mesh with its morph targets at the weights that they have at rest. */
function withWeights<T extends Mesh>(object: T, { morphs }: DressedMesh): T {
  object.updateMorphTargets();
  for (const [n, { weight }] of morphs.entries()) object.morphTargetInfluences![n] = weight;
  return object;
}

/** The object that a body's container belongs on: of built bodies their joints alone, else all. */
export function frameOf(body: Body): Object3D {
  return body.root.children.find(({ userData }) => userData.isFrame === true) ?? body.root;
}
