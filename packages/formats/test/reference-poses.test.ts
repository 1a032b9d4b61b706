import { chooseCharacter, createRig, judgeStance, modelPoseOf, vectorAt } from '@stuntdouble/core/engine';
import { expect, it } from 'vitest';
import { read } from '../src/index.js';
import { DATA_FOLDER, describeData } from './data-files.js';

const DEGREES = Math.PI / 180;

describeData('reference poses of captures that rest in a step (needs ../shared/data)', () => {
  it.each(['npm/dcl_walk.glb', 'ozz/walk.fbx', 'rocketbox/f_walk_fast_02.max.fbx'])(
    '%s stands on two legs alike, knees nearly straight',
    async (file) => {
      const scene = await read(DATA_FOLDER + file);
      const { skeleton, clips } = scene.characters[chooseCharacter(scene).character]!;
      const rig = createRig(skeleton, { clips });
      const { matrices } = modelPoseOf(rig.skeleton, rig.reference.pose);
      const positions = skeleton.names.map((_, i) => vectorAt(matrices, 16 * i + 12));
      const stance = judgeStance({ positions, joints: rig.joints }, [0, 1, 0]);
      // As the files rest, knees and feet differ by up to 46 degrees.
      expect(stance.step).toBeLessThan(10 * DEGREES);
      expect(rig.reference.reason).toContain('each leg as it stands');
    },
  );
});
