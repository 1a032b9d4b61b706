import { UsageError } from '@stuntdouble/core/engine';
import { Bone, Quaternion, Vector3 } from 'three';
import { describe, expect, test } from 'vitest';
import { type StickActor, stickActor } from '../../test/three-actors.js';
import { createLiveRetargeter } from './index.js';

const turn = (x: number, y: number, z: number, angle: number) =>
  new Quaternion().setFromAxisAngle(new Vector3(x, y, z), angle);

const boneOf = ({ bones }: StickActor, name: string) => bones.get(name)!.quaternion.clone();

/** The source as it stands in a frame: an arm that swings slowly. */
function pose(source: StickActor, frame: number): void {
  source.bones.get('LeftUpperArm')!.quaternion.copy(turn(0, 0, 1, -0.9 + 0.002 * frame));
}

describe('setChains of a live retargeter in three.js', () => {
  test('K26: takes effect with the next frame, eased: nothing jumps, and in the end it is as told', () => {
    const [source, eased, sudden] = [stickActor(), stickActor({ size: 2 }), stickActor({ size: 2 })];
    const [slow, quick] = [eased, sudden].map(({ root }) => createLiveRetargeter(root, source.root)) as [
      ReturnType<typeof createLiveRetargeter>,
      ReturnType<typeof createLiveRetargeter>,
    ];
    let [was, had] = [eased, sudden].map((actor) => boneOf(actor, 'LeftUpperArm')) as [
      Quaternion,
      Quaternion,
    ];
    const steps: number[] = [];
    for (let frame = 0; frame < 60; frame++) {
      pose(source, frame);
      if (frame === 20) {
        expect(slow.setChains({ LeftUpperArm: { imitation: 'keep' } }, 0.3)).toEqual([]);
        quick.setChains({ LeftUpperArm: { imitation: 'keep' } }, 0);
      }
      slow.update(1 / 60);
      quick.update(1 / 60);
      const [now, at] = [boneOf(eased, 'LeftUpperArm'), boneOf(sudden, 'LeftUpperArm')];
      if (frame > 0) steps.push(now.angleTo(was));
      // At once is at once: the arm is where it rests, and the other is still on its way.
      if (frame === 20) expect(at.angleTo(had)).toBeGreaterThan(0.5);
      if (frame === 21) expect(now.angleTo(at)).toBeGreaterThan(0.3);
      [was, had] = [now, at];
    }
    // The way of 0.9 radians in 18 frames, by an ease that is twice as fast in its middle.
    expect(Math.max(...steps)).toBeLessThan(0.15);
    expect(was.angleTo(had)).toBeLessThan(1e-6);
    expect(was.angleTo(new Quaternion())).toBeLessThan(1e-3);
  });

  test('K26: what no clip drives is moved from then on, and given back by dispose', () => {
    const source = stickActor();
    const target = stickActor({ rename: (name) => `rig_${name}` });
    // A tail that the source does not have.
    const tail = [0, 1, 2, 3].map((n) => {
      const bone = new Bone();
      bone.name = `rig_Tail${n}`;
      bone.position.set(0, n === 0 ? 0 : -0.05, -0.2);
      return bone;
    });
    tail.forEach((bone, n) => {
      (tail[n - 1] ?? target.bones.get('Hips')!).add(bone);
    });
    const live = createLiveRetargeter(target.root, source.root);
    const before = tail.map(({ quaternion }) => quaternion.clone());
    const apart = () => Math.max(...tail.map(({ quaternion }, n) => quaternion.angleTo(before[n]!)));
    live.update(1 / 60);
    expect(apart()).toBe(0);
    const goal = { solver: 'fabrik', goal: { place: [0.3, 0.8, -0.5] } } as const;
    expect(live.setChains({ rig_Tail0: goal }, 0.1)).toEqual([]);
    live.update(1 / 60);
    const first = apart();
    for (let frame = 0; frame < 30; frame++) live.update(1 / 60);
    expect(first).toBeLessThan(0.3 * apart());
    target.root.updateWorldMatrix(true, true);
    const end = tail[3]!.getWorldPosition(new Vector3());
    expect(end.distanceTo(new Vector3(0.3, 0.8, -0.5))).toBeLessThan(0.02);
    live.setChains({}, 0);
    live.update(1 / 60);
    expect(apart()).toBeLessThan(1e-6);
    live.setChains({ rig_Tail0: goal }, 0);
    live.update(1 / 60);
    live.dispose();
    expect(apart()).toBe(0);
  });

  test('chains that are not there, and what has no effect, are said', () => {
    const live = createLiveRetargeter(stickActor({ size: 2 }).root, stickActor().root);
    expect(() => live.setChains({ Wing: {} })).toThrow(UsageError);
    const idle = live.setChains({ LeftUpperArm: { solver: { solver: 'ccd', damping: 0.1 } } });
    expect(idle.map(({ code }) => code)).toContain('option-without-effect');
  });
});
