import type { GoalPlaces } from '@stuntdouble/core/engine';
import { Quaternion, Vector3 } from 'three';
import { expect, test } from 'vitest';
import { stickActor } from '../../test/three-actors.js';
import { createLiveRetargeter } from './index.js';

test('R16: a goal that the caller drags is followed in every frame, and let go where it is nowhere, in three.js', () => {
  const source = stickActor();
  const target = stickActor({ rename: (name) => `rig_${name}` });
  const plain = stickActor({ rename: (name) => `rig_${name}` });
  const drag = new Vector3(Number.NaN, 0, 0);
  const goalPlaces: GoalPlaces = {
    has: (goal) => goal.type === 'character' && goal.character === 'pointer',
    place: (out, at) => out.set([drag.x, drag.y, drag.z], at),
  };
  const live = createLiveRetargeter(target.root, source.root, {
    goalPlaces,
    constraints: [{ kind: 'point', joint: 'rightHand', goal: { character: 'pointer', joint: 'tip' } }],
  });
  const without = createLiveRetargeter(plain.root, source.root);
  const hand = target.bones.get('RightHand')!;
  const at = () => target.root.worldToLocal(hand.getWorldPosition(new Vector3()));
  let last: Vector3 | null = null;
  for (let frame = 0; frame < 60; frame++) {
    source.bones
      .get('LeftUpperArm')!
      .quaternion.copy(new Quaternion().setFromAxisAngle(new Vector3(0, 0, 1), -0.01 * frame));
    if (frame > 9) drag.set(-0.35 + 0.05 * Math.sin(frame / 6), 1.25 + 0.1 * Math.sin(frame / 9), 0.25);
    live.update(1 / 60);
    without.update(1 / 60);
    for (const { root } of [target, plain]) root.updateMatrixWorld(true);
    if (frame <= 9)
      for (const [name, bone] of target.bones)
        expect(bone.quaternion.toArray()).toEqual(plain.bones.get(name)!.quaternion.toArray());
    else expect(at().distanceTo(drag)).toBeLessThan(1e-4);
    if (frame > 11) expect(at().distanceTo(last!)).toBeLessThan(0.02);
    last = at();
  }
});
