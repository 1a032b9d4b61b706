/// <reference lib="dom" />
/*
 * Two characters dance in step. A motion that was made for a third body becomes a clip for the mannequin at the left,
 * once; the girl at the right follows the mannequin live, frame by frame.
 *
 *   npx vite examples/three
 */
import { createLiveRetargeter, retargetClip } from 'stuntdouble/three';
import {
  AnimationMixer,
  Color,
  HemisphereLight,
  Mesh,
  MeshStandardMaterial,
  type Object3D,
  PerspectiveCamera,
  PlaneGeometry,
  Scene,
  Timer,
  Vector3,
  WebGLRenderer,
} from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { type GLTF, GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';

const MOTION = new URL('../../samples/files/motions/wave-on-one-leg.glb', import.meta.url).href;
const MANNEQUIN = new URL('../../samples/files/characters/unreal-mannequin.glb', import.meta.url).href;
const GIRL = new URL('../../samples/files/characters/vrm-girl.vrm', import.meta.url).href;

const canvas = document.querySelector('canvas')!;
const status = document.querySelector('#status')!;
const renderer = createRenderer();
const scene = new Scene();
scene.background = new Color(0x20242b);
scene.add(new HemisphereLight(0xffffff, 0x445566, 3));
const floor = new Mesh(new PlaneGeometry(5, 4), new MeshStandardMaterial({ color: 0x59616b }));
floor.rotation.x = -Math.PI / 2;
scene.add(floor);
/** What must be seen to either side, of the distance. */
const HALF_WIDTH = 0.38;
const camera = new PerspectiveCamera(40, 1, 0.1, 50);
camera.position.set(0, 1.4, 4.4);
const controls = new OrbitControls(camera, canvas);
controls.target.set(0, 0.85, 0);
controls.update();

/** Makes the renderer; where there is no WebGL the page says so, and does not load for ever. */
function createRenderer(): WebGLRenderer {
  try {
    return new WebGLRenderer({ canvas, antialias: true });
  } catch (error) {
    return fail(error);
  }
}

/** Says on the page what went wrong. */
function fail(error: unknown): never {
  status.textContent = `This did not work: ${error instanceof Error ? error.message : String(error)}`;
  throw error;
}

/** Loads a character and puts it at a place of the floor. */
async function load(address: string, x: number): Promise<GLTF> {
  const gltf = await new GLTFLoader().loadAsync(address);
  gltf.scene.position.x = x;
  scene.add(gltf.scene);
  return gltf;
}

async function start(): Promise<void> {
  const mannequin = await load(MANNEQUIN, -0.7);
  const girl = await load(GIRL, 0.7);
  const motion = await new GLTFLoader().loadAsync(MOTION);

  // One call, one clip for this object; it may stand anywhere.
  const dance = retargetClip(mannequin, motion, motion.animations[0]!);
  const mixer = new AnimationMixer(mannequin.scene);
  mixer.clipAction(dance).play();

  // Another body that follows the first one, whatever moves that. Its limbs point as the other's do, which plain turns
  // give; without the option its feet and hands are held as well, and its arms bend where a body of its build needs it.
  const live = createLiveRetargeter(girl, mannequin, { corrections: 'none' });

  const { joints } = live.setup.map;
  status.textContent = `“${dance.name}” on two bodies: the girl follows live, ${joints.length} joints driven.`;
  const timer = new Timer();
  renderer.setAnimationLoop(() => {
    const seconds = timer.update().getDelta();
    mixer.update(seconds);
    live.update(seconds);
    renderer.render(scene, camera);
    report(mannequin.scene, girl.scene);
  });
}

/** Bones of both arms: shoulder or elbow, elbow or hand, of the mannequin and of the girl. */
const BONES = [
  ['upperarm_l', 'lowerarm_l', 'LeftUpperArm', 'LeftLowerArm'],
  ['lowerarm_l', 'hand_l', 'LeftLowerArm', 'LeftHand'],
  ['upperarm_r', 'lowerarm_r', 'RightUpperArm', 'RightLowerArm'],
  ['lowerarm_r', 'hand_r', 'RightLowerArm', 'RightHand'],
] as const;

/** Says how far the arms are apart, in degrees, and how they point, for whoever watches the page by a program. */
function report(mannequin: Object3D, girl: Object3D): void {
  const angles = BONES.map(([a, b, c, d]) => between(mannequin, a, b).angleTo(between(girl, c, d)));
  document.body.dataset.apart = ((180 / Math.PI) * Math.max(...angles)).toFixed(4);
  document.body.dataset.raised = BONES.map(([a, b]) => between(mannequin, a, b).y.toFixed(4)).join(' ');
  document.body.dataset.follows = BONES.map(([, , c, d]) => between(girl, c, d).y.toFixed(4)).join(' ');
}

/** The direction from one object to another in the world. */
function between(root: Object3D, from: string, to: string): Vector3 {
  const [a, b] = [from, to].map((name) => root.getObjectByName(name)!.getWorldPosition(new Vector3()));
  return b!.sub(a!).normalize();
}

/** Fits the picture to the page: upright ones, as of phones, still show both characters. */
function resize(): void {
  renderer.setPixelRatio(devicePixelRatio);
  renderer.setSize(innerWidth, innerHeight, false);
  camera.aspect = innerWidth / innerHeight;
  const halfHeight = Math.max(Math.tan(Math.PI / 9), HALF_WIDTH / camera.aspect);
  camera.fov = (360 / Math.PI) * Math.atan(halfHeight);
  camera.updateProjectionMatrix();
}
addEventListener('resize', resize);
resize();
start().catch(fail);
