import { describe, expect, it } from 'vitest';
import { type Figure, sceneOf, stickFigure } from '../../test/stick-figure.js';
import {
  angleBetween,
  DEGREES,
  modelAt,
  placeAt,
  type Quat,
  quatAt,
  rotationTrack,
  times,
  turn,
} from '../../test/tiny-rigs.js';
import { subtractVectors, vectorAngle } from '../base/math/vector.js';
import { createRig } from '../body/understand/create-rig.js';
import { retarget } from '../retarget.js';
import { modelPoseOf } from '../scene/pose.js';
import { createSkeleton, type JointDescription, type Skeleton } from '../scene/skeleton.js';
import { createRigMap } from './create-rig-map.js';
import { driverOf, type RigMap } from './rig-map.js';

/** A person with a tail of so many joints, and ears of their own. */
function tailed(figure: Figure, tail: number, name: (k: number) => string, length = 0.8) {
  const body = stickFigure(figure);
  const { skeleton: base } = body;
  const joints: JointDescription[] = base.names.map((each, i) => ({
    name: each,
    parent: base.parents[i]!,
    translation: base.rest.translations.slice(3 * i, 3 * i + 3),
    rotation: base.rest.rotations.slice(4 * i, 4 * i + 4),
  }));
  for (let k = 0; k < tail; k++)
    joints.push({
      name: name(k),
      parent: k === 0 ? body.jointOf('hips') : joints.length - 1,
      translation: [0, 0, k === 0 ? -0.1 : -length / tail],
    });
  const { skeleton, order } = createSkeleton('tailed', joints, { declared: base.declared });
  return {
    skeleton,
    clips: body.clips,
    tail: joints.flatMap((_, i) => (i < base.names.length ? [] : [order[i]!])),
  };
}
const mapOf = (source: Skeleton, target: Skeleton): RigMap =>
  createRigMap(createRig(source), createRig(target)).map;

describe('pairsOfChains', () => {
  it('gives a person’s tail to another person’s tail, whatever the joints are called, and changes no role', () => {
    const source = tailed({}, 4, (k) => `q${k}`);
    const target = tailed({ names: 'unreal' }, 4, (k) => `w${k}`);
    const map = mapOf(source.skeleton, target.skeleton);
    expect(source.tail.map((joint, k) => [joint, target.tail[k]])).toEqual(
      map.joints.filter(({ role }) => role === null).map((pair) => [driverOf(pair), pair.target]),
    );
    for (const { reason, role } of map.joints) if (role === null) expect(reason).toMatch(/^tail, like in /);
    const plain = mapOf(stickFigure().skeleton, stickFigure({ names: 'unreal' }).skeleton);
    expect(map.joints.filter(({ role }) => role).map(({ role, confidence }) => [role, confidence])).toEqual(
      plain.joints.map(({ role, confidence }) => [role, confidence]),
    );
  });

  it('K15, K16, KP8: of more source joints each turns something, and the last of each group drives', () => {
    const source = tailed({}, 6, (k) => `q${k}`);
    const target = tailed({ names: 'unreal' }, 2, (k) => `w${k}`);
    const pairs = mapOf(source.skeleton, target.skeleton).joints.filter(({ role }) => role === null);
    expect(pairs.flatMap(({ sources }) => sources)).toEqual(source.tail);
    expect(driverOf(pairs[1]!)).toBe(source.tail[5]);
  });

  it('M8, K15: of more target joints each shares the turn, and the bend is spread evenly', () => {
    const source = tailed({}, 2, (k) => `q${k}`);
    const target = tailed({ names: 'unreal' }, 6, (k) => `w${k}`);
    const pairs = mapOf(source.skeleton, target.skeleton).joints.filter(({ role }) => role === null);
    expect(pairs.map((pair) => pair.target)).toEqual(target.tail);
    const clip = {
      name: 'wag',
      duration: 1,
      morphs: [],
      tracks: source.tail.map((joint) =>
        rotationTrack(joint, [0, 1], [quatAt(source.skeleton.rest.rotations, joint), turn([0, 1, 0], 0.6)]),
      ),
    };
    const { clips } = retarget(
      sceneOf({ skeleton: source.skeleton, clips: [clip] }),
      sceneOf({ skeleton: target.skeleton, clips: [] }),
    );
    const model = modelAt(target.skeleton, clips[0]!, 1);
    const rest = modelPoseOf(target.skeleton, target.skeleton.rest);
    const turned = target.tail.map((joint) =>
      angleBetween(quatAt(rest.rotations, joint), quatAt(model.rotations, joint)),
    );
    turned.forEach((angle, k) => {
      expect(angle).toBeCloseTo((1.2 * (k + 1)) / 6, 3);
    });
  });

  it('K14, K16, X3: a joint turns in model space as its driver does, and what has no partner keeps its rest', () => {
    const source = tailed({}, 5, (k) => `q${k}`);
    const target = tailed({ names: 'unreal' }, 2, (k) => `w${k}`);
    const clip = {
      name: 'curl',
      duration: 1,
      morphs: [],
      tracks: source.tail.map((joint, k) =>
        rotationTrack(
          joint,
          [0, 1],
          [quatAt(source.skeleton.rest.rotations, joint), turn([1, k / 5, 0], 0.3)],
        ),
      ),
    };
    const map = mapOf(source.skeleton, target.skeleton);
    const { clips } = retarget(
      sceneOf({ skeleton: source.skeleton, clips: [clip] }),
      sceneOf({ skeleton: target.skeleton, clips: [] }),
    );
    const from = modelAt(source.skeleton, clip, 1);
    const to = modelAt(target.skeleton, clips[0]!, 1);
    const rests = [source, target].map(({ skeleton }) => modelPoseOf(skeleton, skeleton.rest));
    const turnOf = (now: Quat, before: Quat): Quat =>
      times(now, [-before[0], -before[1], -before[2], before[3]]);
    const pairs = map.joints.filter(({ role }) => role === null);
    expect(pairs).toHaveLength(2);
    for (const pair of pairs) {
      const driver = driverOf(pair);
      const a = turnOf(quatAt(from.rotations, driver), quatAt(rests[0]!.rotations, driver));
      const b = turnOf(quatAt(to.rotations, pair.target), quatAt(rests[1]!.rotations, pair.target));
      expect(angleBetween(a, b)).toBeLessThan(1e-4);
    }
    const still = retarget(
      sceneOf({ skeleton: source.skeleton, clips: [clip] }),
      sceneOf({ skeleton: tailed({ names: 'unreal' }, 2, (k) => `Skirt_${k}`).skeleton, clips: [] }),
    );
    expect(still.clips[0]!.tracks.every(({ joint }) => !target.tail.includes(joint))).toBe(true);
  });

  it('M2: joints left out of the map the user gives are ignored, in any number', () => {
    const source = tailed({}, 3, (k) => `q${k}`);
    const target = tailed({ names: 'unreal' }, 3, (k) => `w${k}`);
    const { map } = createRigMap(createRig(source.skeleton), createRig(target.skeleton), {
      version: 1,
      joints: [{ target: 'w2', sources: ['q0'] }],
    });
    expect(map.joints.map((pair) => [pair.target, pair.sources])).toEqual([
      [target.tail[2], [source.tail[0]]],
    ]);
  });

  it('M3: a bone that spans two of the source points where the line between its two joints points', () => {
    const source = stickFigure({ twist: true, elbowBend: 10 });
    const target = stickFigure({ names: 'unreal', arms: 'A', upperArm: 0.4 });
    const { clips } = retarget(
      sceneOf({ skeleton: source.skeleton, clips: source.clips }),
      sceneOf({ skeleton: target.skeleton, clips: [] }),
    );
    for (const time of [0, 0.3, 0.8])
      for (const [from, to] of [
        ['leftUpperArm', 'leftLowerArm'],
        ['rightLowerArm', 'rightHand'],
      ] as const) {
        const [a, b] = [[source, source.clips[0]!] as const, [target, clips[0]!] as const].map(
          ([body, clip]) => {
            const model = modelAt(body.skeleton, clip, time);
            return subtractVectors(placeAt(model, body.jointOf(to)), placeAt(model, body.jointOf(from)));
          },
        );
        // A tenth of a degree.
        expect(vectorAngle(a!, b!), `${from} at ${time}`).toBeLessThan(0.1 * DEGREES);
      }
  });

  it('pairs nothing that is worn, held, numbered alike or that only marks an end', () => {
    const source = tailed({}, 3, (k) => `hair_${k}`);
    const target = tailed({ names: 'unreal' }, 3, (k) => `Skirt_${k}`);
    expect(mapOf(source.skeleton, target.skeleton).joints.every(({ role }) => role !== null)).toBe(true);
  });

  it('R17: a person with a tail, and one without, go together as before', () => {
    const source = tailed({}, 5, (k) => `q${k}`);
    const map = mapOf(source.skeleton, stickFigure({ names: 'unreal' }).skeleton);
    expect(map.joints.every(({ role }) => role !== null)).toBe(true);
    expect(map.unmapped.source.map(({ joint }) => joint)).toEqual(expect.arrayContaining(source.tail));
  });
});
