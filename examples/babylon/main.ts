/// <reference lib="dom" />
/*
 * Three characters dance in step. A motion that was made for a fourth body is moved onto the one at the left and the
 * child behind, once; the goblin at the right follows live, frame by frame. The child's file is compressed with Draco,
 * and its decoder comes with the page: nothing is loaded from elsewhere.
 *
 *   npx vite examples/babylon
 */
import { ArcRotateCamera } from '@babylonjs/core/Cameras/arcRotateCamera.js';
import { Camera } from '@babylonjs/core/Cameras/camera.js';
import { Engine } from '@babylonjs/core/Engines/engine.js';
import { HemisphericLight } from '@babylonjs/core/Lights/hemisphericLight.js';
import { ImportMeshAsync } from '@babylonjs/core/Loading/sceneLoader.js';
import { StandardMaterial } from '@babylonjs/core/Materials/standardMaterial.js';
import { Space } from '@babylonjs/core/Maths/math.axis.js';
import { Color3, Color4 } from '@babylonjs/core/Maths/math.color.js';
import { Vector3 } from '@babylonjs/core/Maths/math.vector.js';
import type { AbstractMesh } from '@babylonjs/core/Meshes/abstractMesh.js';
import { CreateGround } from '@babylonjs/core/Meshes/Builders/groundBuilder.js';
import { DracoDecoder } from '@babylonjs/core/Meshes/Compression/dracoDecoder.js';
import { Scene } from '@babylonjs/core/scene.js';
import '@babylonjs/core/Animations/animatable.js';
import '@babylonjs/loaders/glTF/2.0/index.js';
import { createLiveRetargeter, retargetAnimationGroup } from 'stuntdouble/babylon';

const MOTION = new URL('../../samples/files/motions/wave-on-one-leg.glb', import.meta.url).href;
const GUY = new URL('../../samples/files/characters/mixamo-guy.glb', import.meta.url).href;
const GOBLIN = new URL('../../samples/files/characters/goblin.glb', import.meta.url).href;

const CHILD = new URL('../../samples/files/formats/child-draco.glb', import.meta.url).href;

// Babylon.js would fetch the decoder from its own server; the same files are in its package.
DracoDecoder.DefaultConfiguration = {
  wasmUrl: new URL(
    '../../node_modules/@babylonjs/core/assets/Draco/draco_wasm_wrapper_gltf.js',
    import.meta.url,
  ).href,
  wasmBinaryUrl: new URL(
    '../../node_modules/@babylonjs/core/assets/Draco/draco_decoder_gltf.wasm',
    import.meta.url,
  ).href,
  fallbackUrl: new URL(
    '../../node_modules/@babylonjs/core/assets/Draco/draco_decoder_gltf.js',
    import.meta.url,
  ).href,
};

const canvas = document.querySelector('canvas')!;
const status = document.querySelector('#status')!;
const scene = new Scene(createEngine());
scene.clearColor = new Color4(0.125, 0.14, 0.17, 1);
const camera = new ArcRotateCamera('camera', Math.PI / 2, 1.35, 4.2, new Vector3(0, 0.85, 0), scene);
camera.minZ = 0.1;
camera.attachControl(canvas, true);
new HemisphericLight('light', new Vector3(0.3, 1, 0.6), scene);
const paint = new StandardMaterial('paint', scene);
paint.diffuseColor = new Color3(0.35, 0.38, 0.42);
paint.specularColor = Color3.Black();
CreateGround('floor', { width: 5, height: 4 }, scene).material = paint;

/** Makes the engine; where there is no WebGL the page says so, and does not load for ever. */
function createEngine(): Engine {
  try {
    return new Engine(canvas, true);
  } catch (error) {
    return fail(error);
  }
}

/** Says on the page what went wrong. */
function fail(error: unknown): never {
  const message = error instanceof Error ? error.message : String(error);
  status.textContent = `This did not work: ${message}`;
  throw error;
}

/** The root node of a character that is put at a place of the floor and turned. */
async function load(address: string, x: number, yaw: number): Promise<AbstractMesh> {
  const [root] = (await ImportMeshAsync(address, scene)).meshes;
  root!.position.x = x;
  root!.rotate(Vector3.Up(), yaw, Space.WORLD);
  return root!;
}

async function start(): Promise<void> {
  const guy = await load(GUY, 0.8, 0);
  // The goblin was made to look the other way.
  const goblin = await load(GOBLIN, -0.8, Math.PI);
  const child = await load(CHILD, 0, 0);
  child.position.z = -0.9;
  const motion = (await ImportMeshAsync(MOTION, scene)).animationGroups[0]!;
  motion.stop();

  // One call, one animation group for this avatar; the avatar may stand anywhere.
  const dance = retargetAnimationGroup(guy, motion, { animationGroupName: 'dance' });
  dance.play(true);
  retargetAnimationGroup(child, motion, { animationGroupName: 'the child’s dance' }).play(true);
  document.body.dataset.child = String(
    child.getChildMeshes().reduce((sum, mesh) => sum + mesh.getTotalVertices(), 0),
  );

  // Another body that follows the first one, whatever moves that. Its limbs point as the other's do, which plain turns
  // give; without the option its feet and hands are held as well, and its arms bend where a body of its build needs it.
  const live = createLiveRetargeter(goblin, guy, { stuntdouble: { corrections: 'none' } });
  scene.onAfterAnimationsObservable.add(() => live.update());

  const { joints } = live.setup.map;
  status.textContent = `“${motion.name}” on three bodies: the goblin follows live, ${joints.length} joints driven.`;
  // How far the left forearms are apart, for whoever watches the page by a program.
  scene.onAfterRenderObservable.add(() => {
    const a = forearm(guy, 'mixamorig:LeftForeArm', 'mixamorig:LeftHand');
    const b = forearm(goblin, 'Bip01 L Forearm', 'Bip01 L Hand');
    document.body.dataset.raised = a.y.toFixed(4);
    document.body.dataset.apart = ((180 / Math.PI) * Math.atan2(a.cross(b).length(), a.dot(b))).toFixed(4);
  });
}

/** The direction of a forearm in the world. */
function forearm(root: AbstractMesh, elbow: string, hand: string): Vector3 {
  const [from, to] = [elbow, hand].map((name) =>
    root.getChildTransformNodes(false, (node) => node.name === name)[0]!.getAbsolutePosition(),
  );
  return to!.subtract(from!).normalize();
}

/** Fits the picture to the page: upright ones, as of phones, still show both characters. */
function resize(): void {
  scene.getEngine().resize();
  const isUpright = innerHeight > innerWidth;
  camera.fovMode = isUpright ? Camera.FOVMODE_HORIZONTAL_FIXED : Camera.FOVMODE_VERTICAL_FIXED;
}
addEventListener('resize', resize);
resize();
scene.getEngine().runRenderLoop(() => scene.render());
start().catch(fail);
