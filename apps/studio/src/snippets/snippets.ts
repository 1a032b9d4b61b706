import type { Recipe } from '@stuntdouble/core';

/** What a program that repeats the work must know. */
export type SnippetInput = {
  source: string;
  target: string;
  /** The file that is written. */
  output: string;
  /** The clips that are taken; null for all. */
  clips: readonly string[] | null;
  /** As core reads it; with nothing but a version where everything is as usual. */
  recipe: Recipe;
  meshes: boolean;
  replace: boolean;
  /** Whether the mesh is bound anew, so that the source's own turns drive it. */
  newBind: boolean;
};

const quoted = (text: string) => (/^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);

/** A name as a program has it, in single quotes where it needs no others. */
const stringOf = (text: string) => (/^[^'\\\n]*$/.test(text) ? `'${text}'` : JSON.stringify(text));

/** Whether a recipe says anything. */
export function isPlainRecipe({ version: _, ...rest }: Recipe): boolean {
  return Object.keys(rest).length === 0;
}

/** Letters of a line of a command. */
const WIDTH = 72;

/** The command that gives the same file. The recipe is saved beside it where there is something to say. */
export function commandLine({
  source,
  target,
  output,
  clips,
  recipe,
  meshes,
  replace,
  newBind,
}: SnippetInput): string {
  const parts = [
    `stuntdouble retarget ${quoted(source)} ${quoted(target)}`,
    `-o ${quoted(output)}`,
    ...(clips ?? []).map((clip) => `--clip ${quoted(clip)}`),
    ...(isPlainRecipe(recipe) ? [] : ['--recipe recipe.json']),
    ...(meshes ? [] : ['--animation-only']),
    ...(replace ? ['--replace'] : []),
    ...(newBind ? ['--new-bind'] : []),
  ];
  // A line as long as the sheet is wide is read at a glance; a longer one would be cut.
  return parts.reduce((text, part) => {
    const last = text.slice(text.lastIndexOf('\n') + 1);
    return last.length + 1 + part.length > WIDTH ? `${text} \\\n  ${part}` : `${text} ${part}`;
  });
}

/** The part that programs share: reads both files, retargets as the studio did, and writes a GLB into memory. */
function engineLines({ source, target, clips, recipe, newBind }: SnippetInput): string {
  const told = isPlainRecipe(recipe) ? '' : `const recipe = ${JSON.stringify(recipe, null, 2)};\n`;
  const options = isPlainRecipe(recipe) ? '' : '...optionsOfRecipe(recipe), ';
  const chosen = clips ? `clips: ${JSON.stringify(clips)}, ` : '';
  return `${told}const source = await read(${stringOf(source)});
const target = await read(${stringOf(target)});
const result = ${newBind ? 'await rebind' : 'retarget'}(source, target, { ${options}${chosen}${newBind ? "corrections: 'none', " : ''}measure: false });
const { bytes } = await writeBytes('glb', result, { replace: true });`;
}

const imported = ({ recipe, newBind }: SnippetInput) =>
  [
    ...(isPlainRecipe(recipe) ? [] : ['optionsOfRecipe']),
    'read',
    newBind ? 'rebind' : 'retarget',
    'writeBytes',
  ].join(', ');

/** A program for three.js that plays the same motion. */
export function threeProgram(input: SnippetInput): string {
  return `// npm install stuntdouble three
import { ${imported(input)} } from 'stuntdouble';
import * as THREE from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';

${engineLines(input)}
const gltf = await new GLTFLoader().parseAsync(bytes.slice().buffer, '');

const renderer = new THREE.WebGLRenderer({ antialias: true });
renderer.setSize(innerWidth, innerHeight);
document.body.append(renderer.domElement);
const scene = new THREE.Scene();
scene.add(new THREE.HemisphereLight(0xffffff, 0x445566, 3), gltf.scene);
const box = new THREE.Box3().setFromObject(gltf.scene);
const [middle, size] = [box.getCenter(new THREE.Vector3()), box.getSize(new THREE.Vector3()).length()];
const camera = new THREE.PerspectiveCamera(35, innerWidth / innerHeight, size / 100, 100 * size);
camera.position.set(0.7, 0.3, 1.5).multiplyScalar(size).add(middle);
camera.lookAt(middle);
const mixer = new THREE.AnimationMixer(gltf.scene);
mixer.clipAction(gltf.animations[0]).play();
const timer = new THREE.Timer();
renderer.setAnimationLoop(() => {
  mixer.update(timer.update().getDelta());
  renderer.render(scene, camera);
});
`;
}

/** A program for Babylon.js that plays the same motion. */
export function babylonProgram(input: SnippetInput): string {
  return `// npm install stuntdouble @babylonjs/core @babylonjs/loaders
import { ${imported(input)} } from 'stuntdouble';
import { Engine, HemisphericLight, Scene, SceneLoader, Vector3 } from '@babylonjs/core';
import '@babylonjs/loaders/glTF';

${engineLines(input)}

const canvas = document.body.appendChild(document.createElement('canvas'));
const engine = new Engine(canvas, true);
const scene = new Scene(engine);
new HemisphericLight('light', new Vector3(0, 1, 0), scene);
const file = new File([bytes], 'result.glb');
const loaded = await SceneLoader.ImportMeshAsync('', 'file:', file, scene);
scene.createDefaultCamera(true, true, true);
// The character's face: files look the other way here.
scene.activeCamera.alpha += Math.PI;
for (const group of loaded.animationGroups) group.stop();
loaded.animationGroups[0].start(true);
engine.runRenderLoop(() => scene.render());
`;
}

/** The same for Babylon's Playground: it asks for the two files, and nothing is uploaded. */
export function playgroundProgram({ clips, recipe, newBind }: SnippetInput): string {
  return `// For playground.babylonjs.com: choose the motion, then the character. Nothing leaves this machine.
const createScene = async () => {
  const { optionsOfRecipe, read, ${newBind ? 'rebind' : 'retarget'}, writeBytes } = await import('https://esm.sh/stuntdouble');
  const recipe = ${JSON.stringify(recipe)};
  const choose = (words) => new Promise((done) => {
    const input = Object.assign(document.createElement('input'), { type: 'file', title: words });
    input.style.cssText = 'position:fixed;left:12px;top:12px;z-index:9';
    input.onchange = () => { input.remove(); done(input.files[0]); };
    document.body.append(input);
  });
  const scene = new BABYLON.Scene(engine);
  const source = await read(await choose('the motion'));
  const target = await read(await choose('the character'));
  const result = ${newBind ? 'await rebind' : 'retarget'}(source, target, { ...optionsOfRecipe(recipe), ${clips ? `clips: ${JSON.stringify(clips)}, ` : ''}${newBind ? "corrections: 'none', " : ''}measure: false });
  const { bytes } = await writeBytes('glb', result, { replace: true });
  const loaded = await BABYLON.SceneLoader.ImportMeshAsync('', 'file:', new File([bytes], 'result.glb'), scene);
  scene.createDefaultCameraOrLight(true, true, true);
  scene.activeCamera.alpha += Math.PI;
  for (const group of loaded.animationGroups) group.stop();
  loaded.animationGroups[0].start(true);
  return scene;
};
`;
}
