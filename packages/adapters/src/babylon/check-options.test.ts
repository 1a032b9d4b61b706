import { Vector3 } from '@babylonjs/core/Maths/math.vector.js';
import { TransformNode } from '@babylonjs/core/Meshes/transformNode.js';
import { UsageError } from '@stuntdouble/core';
import { describe, expect, it } from 'vitest';
import { createStage, loadSample } from '../../../../bench/adapters-babylon-stage.js';
import { createGroup, createPuppet, turned } from '../../test/babylon-puppet.js';
import { createLiveRetargeter, type GroupReport, retargetAnimationGroup } from './index.js';

const Z = new Vector3(0, 0, 1);

function stage() {
  const scene = createStage();
  const target = createPuppet(scene, { prefix: 'rig:' });
  const source = createPuppet(scene);
  const keys = [0, 60].map((frame) => ({ frame, value: turned(Z, frame) }));
  const group = createGroup(scene, 'wave', [[source.nodes.get('LeftArm'), 'rotationQuaternion', keys]]);
  const move = (options: unknown, avatar: unknown = target) =>
    retargetAnimationGroup(avatar as typeof target, group, options as never);
  const follow = (options: unknown) => createLiveRetargeter(target, source, options as never);
  return { scene, target, group, move, follow };
}

describe('options in Babylon.js', () => {
  it('null is none at all, anything else but an object is no options', () => {
    const { move, follow } = stage();
    expect(move(null).targetedAnimations.length).toBeGreaterThan(0);
    expect(follow(null).warnings).toEqual([]);
    for (const odd of ['x', 5, []]) {
      expect(() => move(odd)).toThrow(UsageError);
      expect(() => follow(odd)).toThrow(/^options is .*give an object$/);
    }
  });

  it('a value that cannot be meant is said in one sentence, and leaves nothing in the scene', () => {
    const { scene, move, follow } = stage();
    const before = scene.animationGroups.length;
    for (const [options, sentence] of [
      [{ mapNodeNames: { LeftArm: 'rig:Head' } }, /^mapNodeNames is a plain object; give a Map/],
      [{ mapNodeNames: [['LeftArm', 'rig:Head']] }, /^mapNodeNames is a list; give a Map/],
      [
        { groundReferenceVerticalAxis: 'y' },
        /^groundReferenceVerticalAxis is "y"; it is "X", "Y", "Z" or ""$/,
      ],
      [{ onWarning: 5 }, /^onWarning is 5; give a function$/],
      [{ stuntdouble: 5 }, /^stuntdouble is 5; give an object/],
      [{ stuntdouble: { match: 'name' } }, /^stuntdouble\.match is "name"; it is "auto" or "names"$/],
    ] as const) {
      expect(() => move(options)).toThrow(sentence);
      expect(() => follow(options)).toThrow(sentence);
    }
    expect(scene.animationGroups.length).toBe(before);
  });

  it('B6: an option that there is not is told of', () => {
    const { move, follow } = stage();
    const told: string[] = [];
    const onWarning = ({ message }: { message: string }) => told.push(message);
    const group = move({ fixRootPositon: false, onWarning });
    expect(told).toEqual(['the option fixRootPositon has no effect: there is no such option']);
    const { warnings } = group.metadata.stuntdouble as GroupReport;
    expect(warnings.map(({ code }) => code)).toEqual(['option-without-effect']);
    follow({ fixAnimations: true, onWarning });
    expect(told.at(-1)).toBe('the option fixAnimations has no effect: live, it means nothing');
  });

  it('pairing by names where no name is shared says what to give', () => {
    const { move } = stage();
    expect(() => move({ stuntdouble: { match: 'names' } })).toThrow(
      /^no bone of ".*" has the name of a node .* give mapNodeNames$/,
    );
  });
});

describe('what may stand for an avatar', () => {
  it('a skeleton is as good as the character that it moves', () => {
    const { target, move } = stage();
    const moved = (avatar: unknown) =>
      move({}, avatar).targetedAnimations.map(({ target: { name } }) => name);
    expect(moved(target.skeletons[0])).toEqual(moved(target));
  });

  it('a promise is to be awaited, and a list is nobody', () => {
    const { target, move } = stage();
    expect(() => move({}, Promise.resolve(target))).toThrow(/^avatar is a promise, to be awaited first;/);
    expect(() => move({}, [target])).toThrow(/^avatar has neither a root node nor a skeleton/);
  });

  it('groups of the first Babylon.js 8, which do not say what scene they are of', () => {
    const { group, move } = stage();
    const expected = move({}).targetedAnimations.length;
    Object.defineProperty(group, 'getScene', { value: undefined });
    expect(move({}).targetedAnimations).toHaveLength(expected);
  });

  it('one that was disposed of is refused', () => {
    const { target, move } = stage();
    target.root.dispose();
    expect(() => move({}, target.root)).toThrow(/^avatar ".*" was disposed of/);
  });

  it('one that is hidden by a scale of nothing, or stands nowhere, moves as if it were not', async () => {
    const scene = createStage();
    const { root } = await loadSample(scene, 'characters/goblin.glb');
    const [walk] = (await loadSample(scene, 'motions/walk.glb')).groups;
    const holder = new TransformNode('holder', scene);
    root.parent = holder;
    const keys = () =>
      retargetAnimationGroup(holder, walk!)
        .targetedAnimations.filter(({ animation }) => animation.targetProperty === 'rotationQuaternion')
        .map(({ target, animation }) => [target.name, animation.getKeys()[9]?.value.asArray()]);
    const seen = keys();
    holder.position.x = Number.NaN;
    expect(keys()).toEqual(seen);
    holder.position.x = 0;
    holder.scaling.setAll(0);
    expect(keys()).toEqual(seen);
  });
});

describe('keys that are broken', () => {
  it('one without a value is named', () => {
    const { group, move } = stage();
    group.targetedAnimations[0]!.animation.getKeys()[1]!.value = undefined;
    expect(() => move({})).toThrow(/^key 1 of the animation ".*" has no value$/);
  });
});
