import { readFileSync } from 'node:fs';
import { AnimationGroup } from '@babylonjs/core/Animations/animationGroup.js';
import { ReadBvh } from '@babylonjs/loaders/BVH/bvhLoader.js';
import { describe, expect, it } from 'vitest';
import {
  createStage,
  type Loaded,
  loadSample,
  nodeOf,
  SAMPLES_FOLDER,
  showAt,
  updateWorlds,
} from '../../../../bench/adapters-babylon-stage.js';
import { AnimatorAvatar } from './index.js';

const heightOf = (hero: Loaded, name: string) => nodeOf(hero, `mixamorig:${name}`).getAbsolutePosition().y;

describe('captures of Babylon’s BVH loader', () => {
  it.each(['walk-cmu', 'walk-mixamo', 'walk-lafan1', 'walk-rokoko'])(
    '%s walks on the floor, whatever height its zero pose lies at',
    async (name) => {
      const scene = createStage();
      const text = readFileSync(`${SAMPLES_FOLDER}captures/${name}.bvh`, 'utf8');
      const { bones } = ReadBvh(text, scene, null, { loopMode: 1 });
      const group = new AnimationGroup('walk', scene);
      for (const bone of bones)
        for (const animation of bone.animations) group.addTargetedAnimation(animation, bone);
      const hero = await loadSample(scene, 'characters/mixamo-guy.glb');
      updateWorlds(hero);
      const hips = heightOf(hero, 'Hips');
      const walk = new AnimatorAvatar('hero', hero.root).retargetAnimationGroup(group);
      for (const part of [0.2, 0.5, 0.8]) {
        showAt(walk, part);
        updateWorlds(hero);
        expect(heightOf(hero, 'Hips') / hips).toBeGreaterThan(0.85);
        expect(heightOf(hero, 'Hips') / hips).toBeLessThan(1.1);
        const lower = Math.min(heightOf(hero, 'LeftFoot'), heightOf(hero, 'RightFoot'));
        expect(Math.abs(lower / hips)).toBeLessThan(0.2);
      }
    },
  );
});
