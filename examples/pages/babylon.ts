import { ArcRotateCamera, Engine, HemisphericLight, ImportMeshAsync, Scene, Vector3 } from '@babylonjs/core';
import '@babylonjs/loaders/glTF/2.0/index.js';
import { retargetAnimationGroup } from 'stuntdouble/babylon';

const engine = new Engine(document.querySelector('canvas')!, true);
const scene = new Scene(engine);
new ArcRotateCamera('camera', Math.PI / 2, 1.4, 4, new Vector3(0, 0.8, 0), scene);
new HemisphericLight('light', Vector3.Up(), scene);

const walk = await ImportMeshAsync('motions/walk.glb', scene);
const hero = await ImportMeshAsync('characters/child.glb', scene);
for (const group of walk.animationGroups) group.stop();
walk.meshes[0]!.setEnabled(false);
retargetAnimationGroup(hero.meshes[0]!, walk.animationGroups[0]!).start(true);

engine.runRenderLoop(() => scene.render());
