import { optionsOfRecipe, readRecipe, recipeOf, retarget, setUpScenes } from '@stuntdouble/core';
import { read } from '@stuntdouble/formats';
import { expect, it } from 'vitest';
import { DATA_FOLDER, describeData } from './data-files.js';

/** Source, target, and what makes it hard to find the same map and poses again. */
const PAIRS = [
  ['cmu/02_01.bvh', 'kaykit/Knight.glb', 'a capture onto a toy with control joints'],
  ['misc/pybvh_test1.bvh', '100avatars/100Avatars_051_Polybot.vrm', 'shared turns, Z up'],
  ['threejs/RobotExpressive.glb', 'misc/mannequiny-0.3.0.glb', 'rest is not bind on both sides'],
  ['makehuman/walk1.bvh', 'npm/xrengine_CyberbotRed.glb', 'surplus joints, Z up'],
  ['quaternius/Fox.glb', 'mesh2motion/fox-cat.glb', 'animals, by shape'],
  ['cmu/91_48.daz.fbx', 'khronos/CesiumMan.glb', 'names that mean nothing'],
] as const;

describeData('recipes of real characters (needs ../shared/data)', () => {
  for (const [from, to, why] of PAIRS)
    it(`W18, S7: ${from} on ${to} is repeated exactly from what was saved (${why})`, async () => {
      const source = await read(DATA_FOLDER + from);
      const target = await read(DATA_FOLDER + to);
      const { setup, sourceIndex } = setUpScenes(source, target, {});
      const { clips } = source.characters[sourceIndex]!;
      const clip = clips[clips.length >> 1]!;
      const options = {
        clips: [clip.name],
        range: [0, Math.min(0.5, clip.duration)] as const,
        measure: false,
      };
      const first = retarget(source, target, options);
      const { recipe, warnings } = readRecipe(JSON.parse(JSON.stringify(recipeOf(setup, options))));
      // What is measured is no part of a recipe.
      const again = retarget(source, target, { ...optionsOfRecipe(recipe), measure: false });
      expect(warnings).toEqual([]);
      expect(again.clips).toEqual(first.clips);
      expect(again.report.clips).toEqual(first.report.clips);
    });
});
