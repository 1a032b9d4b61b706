/// <reference lib="dom" />
/*
 * A page that ships one motion of 29 kB and takes any avatar: VRM, or GLB with a skeleton. The avatar follows the
 * motion live, its feet held on the floor.
 *
 *   npx vite examples/live
 */
import { VRMLoaderPlugin } from '@pixiv/three-vrm';
import { createLiveRetargeter, type LiveRetargeter } from 'stuntdouble/three/live';
import {
  AnimationMixer,
  Box3,
  Color,
  GridHelper,
  HemisphereLight,
  type Object3D,
  PerspectiveCamera,
  Scene,
  Timer,
  Vector3,
  WebGLRenderer,
} from 'three';
import { MeshoptDecoder } from 'three/addons/libs/meshopt_decoder.module.js';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { fail, MOTION, takeAvatars } from './page.js';

const canvas = document.querySelector('canvas')!;
const loader = new GLTFLoader().setMeshoptDecoder(MeshoptDecoder);
loader.register((parser) => new VRMLoaderPlugin(parser));

/** The avatar at hand, who follows, and what looks after it from frame to frame. */
type Shown = { object: Object3D; live: LiveRetargeter; height: number; update(seconds: number): void };

async function start(): Promise<void> {
  const renderer = new WebGLRenderer({ canvas, antialias: true });
  const scene = new Scene();
  scene.background = new Color(0x20242b);
  scene.add(new HemisphereLight(0xffffff, 0x445566, 3), new GridHelper(40, 80, 0x59616b, 0x39414b));
  const camera = new PerspectiveCamera(35, 1, 0.05, 100);

  const walk = await loader.loadAsync(MOTION);
  const mixer = new AnimationMixer(walk.scene);
  mixer.clipAction(walk.animations[0]!).play();

  let shown: Shown | null = null;
  // At the end of the motion its body is back where it began: what was remembered of its feet is over.
  mixer.addEventListener('loop', () => shown?.live.reset());

  const timer = new Timer();
  renderer.setAnimationLoop(() => {
    // Where frames are few the motion is slow, rather than seen at a few instants.
    const seconds = Math.min(timer.update().getDelta(), 1 / 30);
    mixer.update(seconds);
    if (!shown) return;
    shown.live.update(seconds);
    shown.update(seconds);
    frame(camera, renderer, shown);
    renderer.render(scene, camera);
    report(shown, mixer.time);
  });

  await takeAvatars(async (bytes) => {
    const avatar = await loader.parseAsync(bytes, '');
    const { vrm } = avatar.userData;
    // A VRM of the first version looks the other way.
    if (vrm?.meta.metaVersion === '0') vrm.scene.rotation.y = Math.PI;
    const live = await createLiveRetargeter(vrm ?? avatar, walk);
    if (shown) scene.remove(shown.object);
    shown?.live.dispose();
    const { scene: object } = avatar;
    scene.add(object);
    const { y: height } = new Box3().setFromObject(object).getSize(new Vector3());
    shown = { object, live, height, update: (seconds) => vrm?.update(seconds) };
    // It is seen by now; what holds its feet may still be on its way.
    await live.held;
    const doubts = live.warnings.map(({ message }) => ` ${message}.`).join('');
    return `follows live, ${live.setup.map.joints.length} joints driven.${doubts}`;
  });
}

/** Where the joint of a role is in the world. */
function placeOf({ object, live }: Shown, role: 'hips' | 'leftFoot' | 'rightFoot'): Vector3 {
  const { joints, skeleton } = live.setup.target;
  const joint = joints[role];
  const found = joint === undefined ? object : object.getObjectByName(skeleton.names[joint]!);
  return (found ?? object).getWorldPosition(new Vector3());
}

/** The camera goes beside the avatar, be it small or tall. */
function frame(camera: PerspectiveCamera, renderer: WebGLRenderer, shown: Shown): void {
  const { clientWidth: width, clientHeight: height } = canvas;
  renderer.setPixelRatio(devicePixelRatio);
  renderer.setSize(width, height, false);
  camera.aspect = width / height;
  camera.updateProjectionMatrix();
  const at = placeOf(shown, 'hips').setY(0.5 * shown.height);
  camera.position.copy(at).add(new Vector3(1.4, 0.5, 1.6).multiplyScalar(shown.height));
  camera.lookAt(at);
}

/** Says where the feet are, for whoever watches the page by a program. */
function report(shown: Shown, time: number): void {
  const feet = (['leftFoot', 'rightFoot'] as const).flatMap((role) => placeOf(shown, role).toArray());
  document.body.dataset.feet = [time, shown.height, ...feet].map((each) => each.toFixed(5)).join(' ');
}

start().catch(fail);
