import type { AnimationGroup } from '@babylonjs/core/Animations/animationGroup.js';
import { Quaternion, Vector3 } from '@babylonjs/core/Maths/math.vector.js';
import { TransformNode } from '@babylonjs/core/Meshes/transformNode.js';
import { describe, expect, it } from 'vitest';
import {
  armErrorNow,
  armErrors,
  BABYLON_CASES,
  danceOf,
  hasData,
  type Loaded,
  legErrorNow,
  loadCase,
  rest,
  retargetByBabylon,
  showAt,
} from '../../../../bench/adapters-babylon-stage.js';
import { createLiveRetargeter, retargetAnimationGroup } from './index.js';

const CASES = BABYLON_CASES.map(({ name, file, far }) => [name, file, far] as const);

describe.skipIf(!hasData)('directions in the world, needs ../shared/data', () => {
  it.each(CASES)('%s: arms to 0.1 degrees, in one run with Babylon’s own', async (_, file, far) => {
    const pair = await loadCase(file);
    const group = danceOf(pair.source);
    const ours = retargetAnimationGroup(pair.target.root, group);
    expect(armErrors(pair, group, ours).worst).toBeLessThan(0.1);
    group.stop();
    ours.stop();
    rest(pair.source);
    rest(pair.target);
    const theirs = retargetByBabylon(pair, group);
    expect(armErrors(pair, group, theirs).worst).toBeGreaterThan(far);
  });

  it.each(CASES)('%s: leg lines of the references to 0.1 degrees', async (_, file) => {
    const pair = await loadCase(file);
    // One key at rest: the result stands in the aligned reference.
    const group = pair.source.groups[0]!.clone('rest', undefined, true, true);
    const bones = pair.source.skeletons[0]!.bones;
    for (const { animation, target } of group.targetedAnimations) {
      const bone = bones.find((one) => one.getTransformNode() === target);
      if (!bone) continue;
      const scaling = new Vector3();
      const rotation = new Quaternion();
      const position = new Vector3();
      bone.getRestMatrix().decompose(scaling, rotation, position);
      const values = { scaling, rotationQuaternion: rotation, position };
      const value = values[animation.targetProperty as keyof typeof values];
      animation.setKeys([{ frame: 0, value }]);
    }
    const result = retargetAnimationGroup(pair.target.root, group);
    showAt(group, 0);
    showAt(result, 0);
    expect(legErrorNow(pair)).toBeLessThan(0.1);
    expect(armErrorNow(pair)).toBeLessThan(0.1);
  });

  it.each([false, true])(
    'R4: an avatar at x = 5, turned and scaled, right-handed %s',
    async (rightHanded) => {
      const pair = await loadCase('threejs/RobotExpressive.glb', rightHanded);
      const { root } = pair.target;
      const plain = retargetAnimationGroup(root, danceOf(pair.source));
      root.position.set(5, 2, -1);
      const turn = Quaternion.RotationYawPitchRoll(Math.PI / 2, 0, 0);
      root.rotationQuaternion = turn.multiply(root.rotationQuaternion ?? Quaternion.Identity());
      root.scaling.scaleInPlace(2);
      const placed = retargetAnimationGroup(root, danceOf(pair.source));
      expect(armErrors(pair, danceOf(pair.source), placed).worst).toBeLessThan(0.1);
      placed.targetedAnimations.forEach(({ animation }, n) => {
        const [a, b] = [animation.getKeys(), plain.targetedAnimations[n]!.animation.getKeys()];
        const size = Math.max(...b[0]!.value.asArray().map(Math.abs));
        a.forEach(({ value }, k) => {
          const same = b[k]!.value.asArray();
          value.asArray().forEach((x: number, c: number) => {
            expect(Math.abs(x - same[c])).toBeLessThan(1e-5 * Math.max(1, size));
          });
        });
      });
    },
  );

  it('B18, R5: nothing depends on where source and avatar are in their play', async () => {
    const pair = await loadCase('mesh2motion/human-female.glb');
    const group = danceOf(pair.source);
    const atRest = retargetAnimationGroup(pair.target.root, group);
    const other = pair.source.groups.find(({ name }) => name === 'Roll')!;
    showAt(other, 0.4);
    showAt(retargetAnimationGroup(pair.target.root, other), 0.6);
    const midPlay = retargetAnimationGroup(pair.target.root, group);
    expect(keysOf(midPlay)).toEqual(keysOf(atRest));
  });

  it('a live avatar follows to 0.1 degrees, and gets back its transforms', async () => {
    const pair = await loadCase('threejs/RobotExpressive.glb');
    const before = transformsOf(pair.target);
    const live = createLiveRetargeter(pair.target.root, pair.source.root);
    for (const part of [0.1, 0.8, 0.35]) {
      showAt(danceOf(pair.source), part);
      live.update(1 / 60);
      expect(armErrorNow(pair)).toBeLessThan(0.1);
    }
    expect(transformsOf(pair.target)).not.toEqual(before);
    live.dispose();
    live.update(1 / 60);
    expect(transformsOf(pair.target)).toEqual(before);
  });

  it('live and baked give the same poses', async () => {
    const pair = await loadCase('mesh2motion/human-female.glb');
    const group = danceOf(pair.source);
    const baked = retargetAnimationGroup(pair.target.root, group);
    const live = createLiveRetargeter(pair.target.root, pair.source.root);
    showAt(group, 0.5);
    live.update(1 / 60);
    const posed = rotationsOf(pair.target);
    live.dispose();
    showAt(baked, 0.5);
    rotationsOf(pair.target).forEach((rotation, n) => {
      // A hundredth of a degree.
      const between = rotation.multiply(Quaternion.Inverse(posed[n]!));
      expect(Math.hypot(between.x, between.y, between.z)).toBeLessThan(1e-4);
    });
  });
});

const keysOf = (group: AnimationGroup) =>
  group.targetedAnimations.map(({ animation }) => animation.getKeys().map(({ value }) => value.asArray()));

const transformsOf = ({ root }: Loaded) =>
  root
    .getDescendants(false)
    .flatMap((node) =>
      node instanceof TransformNode
        ? [[node.position.asArray(), node.rotationQuaternion?.asArray() ?? null, node.scaling.asArray()]]
        : [],
    );

const rotationsOf = ({ skeletons }: Loaded) =>
  skeletons[0]!.bones.map((bone) => bone.getTransformNode()!.rotationQuaternion!.normalizeToNew());
