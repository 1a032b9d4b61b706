import { Matrix, Vector3 } from '@babylonjs/core/Maths/math.vector.js';
import type { GoalPlaces } from '@stuntdouble/core/engine';
import { expect, it } from 'vitest';
import { createStage, updateWorlds } from '../../../../bench/adapters-babylon-stage.js';
import { createPuppet, turned } from '../../test/babylon-puppet.js';
import { createLiveRetargeter } from './index.js';

it('R16: a goal that the caller drags is followed in every frame, and let go where it is nowhere, in Babylon.js', () => {
  const scene = createStage();
  const source = createPuppet(scene);
  const [target, plain] = [createPuppet(scene, { scale: 0.8 }), createPuppet(scene, { scale: 0.8 })];
  const drag = new Vector3(Number.NaN, 0, 0);
  const goalPlaces: GoalPlaces = {
    has: (goal) => goal.type === 'character' && goal.character === 'pointer',
    place: (out, at) => out.set([drag.x, drag.y, drag.z], at),
  };
  const live = createLiveRetargeter(target, source, {
    stuntdouble: {
      goalPlaces,
      constraints: [{ kind: 'point', joint: 'rightHand', goal: { character: 'pointer', joint: 'tip' } }],
    },
  });
  const without = createLiveRetargeter(plain, source);
  const at = (): Vector3 => {
    updateWorlds(target);
    const into = Matrix.Invert(target.root.getWorldMatrix());
    return Vector3.TransformCoordinates(target.nodes.get('RightHand')!.getAbsolutePosition(), into);
  };
  let last: Vector3 | null = null;
  for (let frame = 0; frame < 60; frame++) {
    source.nodes.get('LeftArm')!.rotationQuaternion!.copyFrom(turned(new Vector3(0, 0, 1), -0.5 * frame));
    if (frame > 9) drag.set(-0.3 + 0.05 * Math.sin(frame / 6), 1.05 + 0.1 * Math.sin(frame / 9), 0.2);
    live.update(1 / 60);
    without.update(1 / 60);
    const now = at();
    if (frame <= 9)
      for (const [name, node] of target.nodes)
        expect(node.rotationQuaternion!.equals(plain.nodes.get(name)!.rotationQuaternion!)).toBe(true);
    else expect(Vector3.Distance(now, drag)).toBeLessThan(1e-4);
    if (frame > 11) expect(Vector3.Distance(now, last!)).toBeLessThan(0.02);
    last = now;
  }
});
