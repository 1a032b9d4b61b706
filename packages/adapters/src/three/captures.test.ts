import { AnimationMixer, type Object3D, Vector3 } from 'three';
import { describe, expect, test } from 'vitest';
import { loadBvh, loadFbx, loadGltf, SAMPLES_FOLDER } from '../../../../bench/adapters-three-files.js';
import { createLiveRetargeter, retargetClip } from './index.js';

/** How high a joint is, by the end of its name. */
function heightOf(root: Object3D, end: string): number {
  const found: Object3D[] = [];
  root.traverse((each) => {
    if (each.name.endsWith(end)) found.push(each);
  });
  found[0]!.updateWorldMatrix(true, false);
  return new Vector3().setFromMatrixPosition(found[0]!.matrixWorld).y;
}

/** A character of ours, with the height of its hips at rest, in its own unit. */
const HEROES = {
  'a GLB': async () => (await loadGltf(`${SAMPLES_FOLDER}characters/mixamo-guy.glb`)).scene,
  'an FBX in centimetres': async () => loadFbx(`${SAMPLES_FOLDER}formats/guy-painted.fbx`),
};

describe('captures of BVHLoader', () => {
  test.each(['walk-cmu', 'walk-mixamo', 'walk-lafan1', 'walk-rokoko'])(
    '%s walks on the floor, whatever height its zero pose lies at, and whatever its joints are called',
    async (name) => {
      for (const load of Object.values(HEROES)) {
        const hero = await load();
        const hips = heightOf(hero, 'Hips');
        const bvh = loadBvh(`${SAMPLES_FOLDER}captures/${name}.bvh`);
        const mixer = new AnimationMixer(hero);
        mixer.clipAction(retargetClip(hero, bvh, bvh.clip)).play();
        for (const time of [0.3, 0.9, 1.5]) {
          mixer.setTime(time);
          expect(heightOf(hero, 'Hips') / hips).toBeGreaterThan(0.85);
          expect(heightOf(hero, 'Hips') / hips).toBeLessThan(1.1);
          const lower = Math.min(heightOf(hero, 'LeftFoot'), heightOf(hero, 'RightFoot'));
          expect(Math.abs(lower / hips)).toBeLessThan(0.2);
        }
      }
    },
  );

  test('live stands on the floor too', async () => {
    const hero = await HEROES['a GLB']();
    const hips = heightOf(hero, 'Hips');
    const bvh = loadBvh(`${SAMPLES_FOLDER}captures/walk-cmu.bvh`);
    const live = createLiveRetargeter(hero, bvh);
    const mixer = new AnimationMixer(bvh.skeleton.bones[0]!);
    mixer.clipAction(bvh.clip).play();
    for (let k = 0; k < 30; k++) {
      mixer.setTime(0.3 + k / 60);
      live.update(1 / 60);
    }
    expect(heightOf(hero, 'Hips') / hips).toBeGreaterThan(0.85);
    expect(heightOf(hero, 'Hips') / hips).toBeLessThan(1.1);
    live.dispose();
  });
});
