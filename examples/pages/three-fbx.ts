import { retargetClip } from 'stuntdouble/three';
import { AnimationMixer, HemisphereLight, PerspectiveCamera, Scene, Timer, WebGLRenderer } from 'three';
import { FBXLoader } from 'three/addons/loaders/FBXLoader.js';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';

const renderer = new WebGLRenderer({ canvas: document.querySelector('canvas')! });
const scene = new Scene();
scene.add(new HemisphereLight(0xffffff, 0x444444, 3));
const camera = new PerspectiveCamera(40, 16 / 9, 0.1, 50);
camera.position.set(0, 0.6, 5);

const walk = await new FBXLoader().loadAsync('formats/guy-walk.fbx');
const hero = (await new GLTFLoader().loadAsync('characters/child.glb')).scene;
scene.add(hero);
const mixer = new AnimationMixer(hero);
mixer.clipAction(retargetClip(hero, walk, walk.animations[0]!)).play();

const timer = new Timer();
renderer.setAnimationLoop(() => {
  mixer.update(timer.update().getDelta());
  renderer.render(scene, camera);
});
