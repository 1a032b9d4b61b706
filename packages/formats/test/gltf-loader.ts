import * as three from 'three';
import { MeshoptDecoder } from 'three/examples/jsm/libs/meshopt_decoder.module.js';
import { GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';

/**
 * Reads a GLB with three's loader, without its pictures: they need a page to be decoded in, and are compared as
 * bytes.
 */
export async function readGlbWithThree(
  bytes: Uint8Array,
): Promise<{ group: three.Group; clips: three.AnimationClip[] }> {
  const { warn, error } = console;
  console.warn = () => {};
  console.error = () => {};
  const loader = new GLTFLoader();
  loader.setMeshoptDecoder(MeshoptDecoder);
  loader.register((parser) => {
    Object.assign(parser, { loadTextureImage: async () => new three.Texture() });
    return { name: 'no pictures' };
  });
  const global = globalThis as { self?: unknown };
  const { self } = global;
  global.self = globalThis;
  try {
    const copy = bytes.slice().buffer;
    const { scene, animations } = await loader.parseAsync(copy, '');
    return { group: scene, clips: animations };
  } finally {
    global.self = self;
    console.warn = warn;
    console.error = error;
  }
}

/** What three shows at a time of a clip (rest, if left out): per mesh the places of its corners, xyz each, in the world. */
export function cornersShown(
  { group, clips }: { group: three.Group; clips: three.AnimationClip[] },
  time?: number,
): Float64Array {
  const [clip] = clips;
  if (time !== undefined && clip) {
    const mixer = new three.AnimationMixer(group);
    const action = mixer.clipAction(clip);
    action.setLoop(three.LoopOnce, 1);
    action.clampWhenFinished = true;
    action.play();
    mixer.setTime(time);
  }
  // The FBX loader turns a body upright by its group; that is not in question here.
  group.quaternion.identity();
  group.scale.setScalar(1);
  group.updateMatrixWorld(true);
  const out: number[] = [];
  const point = new three.Vector3();
  group.traverse((object) => {
    if (!(object instanceof three.Mesh)) return;
    const mesh = object as three.Mesh;
    if (mesh instanceof three.SkinnedMesh) mesh.skeleton.update();
    const { index } = mesh.geometry;
    const count = index ? index.count : mesh.geometry.getAttribute('position').count;
    for (let i = 0; i < count; i++) {
      mesh.getVertexPosition(index ? index.getX(i) : i, point).applyMatrix4(mesh.matrixWorld);
      out.push(point.x, point.y, point.z);
    }
  });
  return Float64Array.from(out);
}
