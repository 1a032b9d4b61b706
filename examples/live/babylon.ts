/// <reference lib="dom" />
/*
 * A page that ships one motion of 29 kB and takes any avatar: VRM, or GLB with a skeleton. The avatar follows the
 * motion live, its feet held on the floor.
 *
 *   npx vite examples/live
 */
import { FreeCamera } from '@babylonjs/core/Cameras/freeCamera.js';
import { Engine } from '@babylonjs/core/Engines/engine.js';
import { HemisphericLight } from '@babylonjs/core/Lights/hemisphericLight.js';
import { ImportMeshAsync } from '@babylonjs/core/Loading/sceneLoader.js';
import { Color3, Color4 } from '@babylonjs/core/Maths/math.color.js';
import { Vector3 } from '@babylonjs/core/Maths/math.vector.js';
import { CreateLineSystem } from '@babylonjs/core/Meshes/Builders/linesBuilder.js';
import { MeshoptCompression } from '@babylonjs/core/Meshes/Compression/meshoptCompression.js';
import type { TransformNode } from '@babylonjs/core/Meshes/transformNode.js';
import { Scene } from '@babylonjs/core/scene.js';
import '@babylonjs/core/Animations/animatable.js';
import '@babylonjs/loaders/glTF/2.0/index.js';
import { createLiveRetargeter, type LiveRetargeter } from 'stuntdouble/babylon/live';
import { fail, MOTION, takeAvatars } from './page.js';

// Babylon.js would fetch the decoder from its own server; the same file is in its package.
MeshoptCompression.Configuration.decoder.url = new URL(
  '../../node_modules/@babylonjs/core/assets/meshopt/meshopt_decoder.js',
  import.meta.url,
).href;

/** Seconds that Babylon.js goes on by where steps are constant. */
const STEP = 0.016;

/** The avatar at hand, and who follows. */
type Shown = { root: TransformNode; live: LiveRetargeter; height: number };

async function start(): Promise<void> {
  const engine = new Engine(document.querySelector('canvas')!, true);
  const scene = new Scene(engine);
  // Where frames are few the motion is slow, rather than seen at a few instants.
  scene.useConstantAnimationDeltaTime = true;
  scene.clearColor = new Color4(0.125, 0.14, 0.17, 1);
  const camera = new FreeCamera('camera', new Vector3(0, 1, 3), scene);
  camera.minZ = 0.05;
  camera.fov = 0.6;
  new HemisphericLight('light', new Vector3(0.3, 1, 0.6), scene);
  drawFloor(scene);

  const walk = await ImportMeshAsync(MOTION, scene, { pluginExtension: '.glb' });
  const [source] = [walk.meshes[0] ?? walk.transformNodes[0]!];
  const [motion] = walk.animationGroups;
  motion!.start(true);

  let shown: Shown | null = null;
  let passed = 0;
  // At the end of the motion its body is back where it began: what was remembered of its feet is over.
  motion!.onAnimationGroupLoopObservable.add(() => shown?.live.reset());
  scene.onAfterAnimationsObservable.add(() => {
    if (!shown) return;
    shown.live.update(STEP);
    passed += STEP;
    frame(camera, shown);
    report(shown, passed);
  });
  engine.runRenderLoop(() => scene.render());
  addEventListener('resize', () => engine.resize());

  await takeAvatars(async (bytes) => {
    const avatar = await ImportMeshAsync(new Uint8Array(bytes), scene, { pluginExtension: '.glb' });
    for (const group of avatar.animationGroups) group.dispose();
    const [root] = avatar.meshes;
    const live = await createLiveRetargeter(root!, source);
    shown?.live.dispose();
    shown?.root.dispose(false, true);
    const { min, max } = root!.getHierarchyBoundingVectors();
    shown = { root: root!, live, height: max.y - min.y };
    // It is seen by now; what holds its feet may still be on its way.
    await live.held;
    const doubts = live.warnings.map(({ message }) => ` ${message}.`).join('');
    return `follows live, ${live.setup.map.joints.length} joints driven.${doubts}`;
  });
}

/** Lines on the floor, by which one sees that feet stand. */
function drawFloor(scene: Scene): void {
  const lines = Array.from({ length: 81 }, (_, n) => 0.5 * (n - 40)).flatMap((at) => [
    [new Vector3(at, 0, -20), new Vector3(at, 0, 20)],
    [new Vector3(-20, 0, at), new Vector3(20, 0, at)],
  ]);
  CreateLineSystem('floor', { lines }, scene).color = new Color3(0.27, 0.3, 0.34);
}

/** Where the joint of a role is in the world. */
function placeOf({ root, live }: Shown, role: 'hips' | 'leftFoot' | 'rightFoot'): Vector3 {
  const { joints, skeleton } = live.setup.target;
  const name = skeleton.names[joints[role] ?? 0];
  const node = root.getChildTransformNodes().find((each) => each.name === name) ?? root;
  node.computeWorldMatrix(true);
  return node.getAbsolutePosition().clone();
}

/** The camera goes beside the avatar, be it small or tall. */
function frame(camera: FreeCamera, shown: Shown): void {
  const at = placeOf(shown, 'hips');
  at.y = 0.5 * shown.height;
  camera.position = at.add(new Vector3(-1.4, 0.5, 1.6).scale(shown.height));
  camera.setTarget(at);
}

/** Says where the feet are, for whoever watches the page by a program. */
function report(shown: Shown, time: number): void {
  const feet = (['leftFoot', 'rightFoot'] as const).flatMap((role) => placeOf(shown, role).asArray());
  document.body.dataset.feet = [time, shown.height, ...feet].map((each) => each.toFixed(5)).join(' ');
}

start().catch(fail);
