import { Quaternion, Vector3 } from '@babylonjs/core/Maths/math.vector.js';
import { UsageError } from '@stuntdouble/core/engine';
import { describe, expect, it } from 'vitest';
import { createStage, updateWorlds } from '../../../../bench/adapters-babylon-stage.js';
import { createPuppet, type Puppet, turned } from '../../test/babylon-puppet.js';
import { createLiveRetargeter } from './index.js';

const Z = new Vector3(0, 0, 1);

const turnOf = ({ nodes }: Puppet, name: string) => nodes.get(name)!.rotationQuaternion!.clone();
const angle = (a: Quaternion, b: Quaternion) =>
  2 * Math.acos(Math.min(1, Math.abs(Quaternion.Dot(a, b) / (a.length() * b.length()))));

describe('setChains of a live retargeter in Babylon.js', () => {
  it('K26: takes effect with the next frame, eased: nothing jumps, and in the end it is as told', () => {
    const scene = createStage();
    const source = createPuppet(scene);
    const [eased, sudden] = [createPuppet(scene, { scale: 0.5 }), createPuppet(scene, { scale: 0.5 })];
    const [slow, quick] = [createLiveRetargeter(eased, source), createLiveRetargeter(sudden, source)];
    const { name } = slow.setup.target.skeleton;
    expect(name).toBeTruthy();
    let [was, had] = [turnOf(eased, 'LeftArm'), turnOf(sudden, 'LeftArm')];
    const steps: number[] = [];
    for (let frame = 0; frame < 60; frame++) {
      source.nodes.get('LeftArm')!.rotationQuaternion!.copyFrom(turned(Z, 50 + 0.1 * frame));
      if (frame === 20) {
        expect(slow.setChains({ leftArm: { imitation: 'keep' } }, 0.3)).toEqual([]);
        quick.setChains({ leftArm: { imitation: 'keep' } }, 0);
      }
      slow.update(1 / 60);
      quick.update(1 / 60);
      const [now, at] = [turnOf(eased, 'LeftArm'), turnOf(sudden, 'LeftArm')];
      if (frame > 0) steps.push(angle(now, was));
      if (frame === 20) expect(angle(at, had)).toBeGreaterThan(0.5);
      if (frame === 21) expect(angle(now, at)).toBeGreaterThan(0.3);
      [was, had] = [now, at];
    }
    expect(Math.max(...steps)).toBeLessThan(0.15);
    expect(angle(was, had)).toBeLessThan(1e-6);
    expect(angle(was, Quaternion.Identity())).toBeLessThan(1e-3);
  });

  it('K26: what nothing drives is moved from then on, and given back by dispose', () => {
    const scene = createStage();
    const source = createPuppet(scene);
    const tail = ['Tail0', 'Tail1', 'Tail2', 'Tail3'];
    const target = createPuppet(scene, {
      extra: tail.map((name, n) => [name, tail[n - 1] ?? 'Hips', 0, n === 0 ? 0 : -0.05, -0.2] as const),
    });
    const live = createLiveRetargeter(target, source);
    const before = tail.map((name) => turnOf(target, name));
    const apart = () => Math.max(...tail.map((name, n) => angle(turnOf(target, name), before[n]!)));
    live.update(1 / 60);
    expect(apart()).toBeLessThan(1e-6);
    // The scene is left-handed: the root mirrors, and the puppet's own +Z is the world's -Z.
    const goal = { solver: 'fabrik', goal: { place: [0.3, 0.8, -0.5] } } as const;
    expect(live.setChains({ Tail0: goal }, 0.1)).toEqual([]);
    live.update(1 / 60);
    const first = apart();
    for (let frame = 0; frame < 30; frame++) live.update(1 / 60);
    expect(first).toBeLessThan(0.3 * apart());
    updateWorlds(target);
    const end = target.nodes.get('Tail3')!.getAbsolutePosition();
    expect(end.subtract(new Vector3(0.3, 0.8, 0.5)).length()).toBeLessThan(0.02);
    live.setChains({}, 0);
    live.update(1 / 60);
    expect(apart()).toBeLessThan(1e-3);
    live.setChains({ Tail0: goal }, 0);
    live.update(1 / 60);
    live.dispose();
    expect(apart()).toBeLessThan(1e-6);
  });

  it('chains that are not there are refused, by name', () => {
    const scene = createStage();
    const live = createLiveRetargeter(createPuppet(scene, { legs: 1.2 }), createPuppet(scene));
    expect(() => live.setChains({ wing: {} })).toThrow(UsageError);
    expect(() => live.setChains({ wing: {} })).toThrow(/"wing"/);
  });
});
