import { VRMLoaderPlugin } from '@pixiv/three-vrm';
import { retargetClip } from 'stuntdouble/three';
import { AnimationMixer, HemisphereLight, PerspectiveCamera, Scene, Timer, WebGLRenderer } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';

const renderer = new WebGLRenderer({ canvas: document.querySelector('canvas')! });
const scene = new Scene();
scene.add(new HemisphereLight(0xffffff, 0x444444, 3));
const camera = new PerspectiveCamera(40, 16 / 9, 0.1, 50);
camera.position.set(0, 0.9, 6);

const loader = new GLTFLoader().register((parser) => new VRMLoaderPlugin(parser));
const walk = await loader.loadAsync('motions/walk.glb');
const { vrm } = (await loader.loadAsync('characters/vrm1-sister.vrm')).userData;
scene.add(vrm.scene);
const mixer = new AnimationMixer(vrm.scene);
mixer.clipAction(retargetClip(vrm, walk, walk.animations[0]!)).play();

const timer = new Timer();
renderer.setAnimationLoop(() => {
  const seconds = timer.update().getDelta();
  mixer.update(seconds);
  vrm.update(seconds);
  renderer.render(scene, camera);
});
