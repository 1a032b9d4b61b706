import { describe, expect, it } from 'vitest';
import { createPlainSetup } from '../../test/plainly.js';
import {
  clipOf,
  createRandom,
  jointOf,
  mapOf,
  modelAt,
  oneToOne,
  plainRig,
  quatAt,
  randomClip,
  randomSkeleton,
  rotationTrack,
  times,
  tinyHuman,
  turn,
} from '../../test/tiny-rigs.js';
import { createMatrix, multiplyMatrices } from '../base/math/matrix.js';
import { createRig } from '../body/understand/create-rig.js';
import { createRigMap } from '../map/create-rig-map.js';
import type { Setup } from '../passes/pass.js';
import { createRetargeter } from '../retargeter.js';
import type { Clip } from '../scene/clip.js';
import { poseAt } from '../scene/clip.js';
import { modelPoseOf } from '../scene/pose.js';
import { createSkeleton, type Skeleton } from '../scene/skeleton.js';
import { retargetClip } from '../ways/retarget-clip.js';
import { createBindClip } from './bind-clip.js';
import { createBindNodes } from './bind-nodes.js';

/** The nodes as a skeleton, which is how a player of the file sees them. */
function skeletonOfNodes({ nodes }: ReturnType<typeof createBindNodes>): Skeleton {
  const { skeleton, order } = createSkeleton(
    'nodes',
    nodes.map(({ parent, translation, rotation }, n) => ({
      name: `node${n}`,
      parent,
      translation,
      rotation,
    })),
  );
  // Nodes stand depth first already, so that tracks name the same ones.
  expect([...order]).toEqual(nodes.map((_, n) => n));
  return skeleton;
}

/** The largest difference between a number of any joint's matrix moved the usual way and node · change, over a clip. */
function difference(setup: Setup, clip: Clip, others: readonly Clip[] = []) {
  const plan = createBindNodes(setup, [clip, ...others]);
  const usual = retargetClip(setup, clip).clip;
  const { clip: played, dropped } = createBindClip(plan, setup, clip, usual);
  const player = skeletonOfNodes(plan);
  // Live, nothing lies between frames: what is computed for a clip is not compared with what is baked for it.
  const retargeter = createRetargeter(setup);
  const { skeleton } = setup.target;
  const moved = createMatrix();
  let worst = 0;
  for (let k = 0; k <= 12; k++) {
    const time = (clip.duration * k) / 12;
    const pose = retargeter.update(poseAt(setup.source.skeleton, clip, time));
    const expected = modelPoseOf(skeleton, pose).matrices;
    const nodes = modelPoseOf(player, poseAt(player, played, time)).matrices;
    plan.jointNodes.forEach((node, joint) => {
      multiplyMatrices(moved, 0, nodes, 16 * node, plan.changes, 16 * joint);
      multiplyMatrices(moved, 0, skeleton.container, 0, moved, 0);
      for (let n = 0; n < 16; n++) worst = Math.max(worst, Math.abs(moved[n]! - expected[16 * joint + n]!));
    });
  }
  return { worst, plan, played, dropped };
}

function humans(from: Parameters<typeof tinyHuman>[0], to: Parameters<typeof tinyHuman>[0]): Setup {
  const source = createRig(tinyHuman({ name: 'source', ...from }));
  const target = createRig(tinyHuman({ name: 'target', ...to }));
  return createPlainSetup(source, target, createRigMap(source, target).map);
}

function dance(skeleton: Skeleton, seed: number): Clip {
  return randomClip(createRandom(seed), skeleton, { travels: jointOf(skeleton, 'hips'), most: 0.8 });
}

/** What float32 keys and their sums leave, in metres. */
const ALIKE = 1e-5;
/** Where turns or places had to be computed they stand at frames, with lines between them. */
const BAKED = 5e-4;

describe('nodes of a retargeted bind pose', () => {
  it('S4, S5, X5: play the source’s own keys, number by number, and stand as the usual way does', () => {
    const setup = humans({ axes: createRandom(3) }, { axes: createRandom(5), legs: 0.6, arms: 0.8 });
    const clip = dance(setup.source.skeleton, 6);
    const { worst, plan, played } = difference(setup, clip);
    expect(worst).toBeLessThan(ALIKE);
    expect(plan.nodes.length).toBe(setup.target.skeleton.names.length);
    expect(plan.computed).toEqual([]);
    const turned = played.tracks.filter(({ channel }) => channel === 'rotation');
    expect(turned.length).toBe(setup.map.joints.length);
    for (const { joint, values, times } of turned) {
      const own = clip.tracks.find(
        (track) => track.channel === 'rotation' && track.joint === plan.nodes[joint]!.driver,
      )!;
      expect(values).toBe(own.values);
      expect(times).toBe(own.times);
    }
  });

  it('S6, S8: an A-pose under a root and an armature is turned first, and its hips travel', () => {
    const setup = humans(
      { axes: createRandom(8) },
      { root: true, axes: createRandom(9), legs: 0.7, armsDown: 0.8 },
    );
    const { worst, played, plan } = difference(setup, dance(setup.source.skeleton, 10));
    expect(worst).toBeLessThan(ALIKE);
    const moved = played.tracks.filter(({ channel }) => channel === 'translation');
    expect(moved.map(({ joint }) => joint)).toEqual([plan.headNodes[setup.travel!.target]]);
  });

  it('X3, SP6: a joint between two that are mapped gets a node in the same place, with its keys as they are', () => {
    const random = createRandom(40);
    const source = plainRig(randomSkeleton(random, 4, { parents: [-1, 0, 1, 2] }));
    const target = plainRig(randomSkeleton(random, 2, { parents: [-1, 0] }));
    const setup = createPlainSetup(
      source,
      target,
      mapOf([
        [0, 0, 'hips'],
        [3, 1],
      ]),
    );
    const { worst, plan } = difference(setup, randomClip(random, source.skeleton));
    expect(worst).toBeLessThan(BAKED);
    expect(plan.nodes.map(({ joint, driver, inverse }) => [joint, driver, inverse])).toEqual([
      [0, 0, false],
      [-1, 1, false],
      [-1, 2, false],
      [1, 3, false],
    ]);
    expect(plan.nodes[2]!.translation).toEqual([0, 0, 0]);
  });

  it('source joints that no clip turns need no node', () => {
    const random = createRandom(40);
    const source = plainRig(randomSkeleton(random, 4, { parents: [-1, 0, 1, 2] }));
    const target = plainRig(randomSkeleton(random, 2, { parents: [-1, 0] }));
    const setup = createPlainSetup(
      source,
      target,
      mapOf([
        [0, 0, 'hips'],
        [3, 1],
      ] as const),
    );
    const turning = rotationTrack(1, [0, 1], [[0, 0, 0, 1], turn([1, 1, 0], 1.4)]);
    const first = clipOf([rotationTrack(3, [0, 1], [[0, 0, 0, 1], turn([1, 0, 2], 1)])]);
    const { worst, plan } = difference(setup, first);
    expect(worst).toBeLessThan(ALIKE);
    expect(plan.nodes.flatMap(({ driver }) => (driver >= 0 ? [driver] : []))).toEqual([3]);
    // With a clip that turns the one between, it has a node; the first clip then holds it at rest.
    const both = difference(setup, first, [clipOf([turning])]);
    expect(both.worst).toBeLessThan(ALIKE);
    expect(both.plan.nodes.flatMap(({ driver }) => (driver >= 0 ? [driver] : []))).toEqual([1, 3]);
  });

  it('a joint that hangs on another body part than its driver takes the turns between back', () => {
    const random = createRandom(50);
    // In the source both hang on the root, in the target one on the other.
    const source = plainRig(randomSkeleton(random, 4, { parents: [-1, 0, 1, 0] }));
    const target = plainRig(randomSkeleton(random, 4, { parents: [-1, 0, 1, 2] }));
    const { worst, plan } = difference(
      createPlainSetup(source, target, oneToOne(4)),
      randomClip(random, source.skeleton, { travels: 0 }),
    );
    expect(worst).toBeLessThan(ALIKE);
    expect(plan.nodes.filter(({ inverse }) => inverse).map(({ driver }) => driver)).toEqual([2, 1]);
  });

  it('joints that share a turn have computed keys, and those beyond them the source’s again', () => {
    const setup = humans({ spines: 1 }, { spines: 3 });
    const shared = setup.map.joints.filter(({ share }) => share).map(({ target }) => target);
    expect(shared.length).toBeGreaterThan(0);
    const { worst, plan } = difference(setup, dance(setup.source.skeleton, 12));
    expect(worst).toBeLessThan(BAKED);
    for (const joint of shared) expect(plan.computed).toContain(joint);
    const hand = plan.nodes[plan.jointNodes[jointOf(setup.target.skeleton, 'leftHand')]!]!;
    expect(hand.driver).toBe(jointOf(setup.source.skeleton, 'leftHand'));
  });

  it('joints that hang elsewhere than their body part follow it', () => {
    const setup = humans({}, { root: true, feetUnderRoot: true });
    expect(setup.alignment.placed.length).toBeGreaterThan(0);
    expect(difference(setup, dance(setup.source.skeleton, 11)).worst).toBeLessThan(BAKED);
  });

  it.each([20, 21, 22, 23])('SP2, SP3: random trees %i with several roots, scales and mirrors', (seed) => {
    const random = createRandom(seed);
    const parents = [-1, 0, 1, -1, 3, 4, 1, 3];
    const source = plainRig(randomSkeleton(random, 8, { parents, scales: true, mirrors: seed % 2 === 0 }));
    const target = plainRig(randomSkeleton(random, 8, { parents, scales: true, mirrors: seed > 21 }));
    const setup = createPlainSetup(source, target, oneToOne(8));
    expect(difference(setup, randomClip(random, source.skeleton, { travels: 0 })).worst).toBeLessThan(1e-4);
  });

  it('joints that grow evenly grow the same; what stretches askew is counted and left out', () => {
    const setup = humans({ axes: createRandom(3) }, { axes: createRandom(5), legs: 0.6 });
    const hand = jointOf(setup.source.skeleton, 'leftHand');
    const grow = (values: number[]): Clip => ({
      ...clipOf([
        {
          joint: hand,
          channel: 'scale',
          interpolation: 'linear',
          times: Float32Array.of(0, 1),
          values: Float32Array.from(values),
        },
      ]),
    });
    const even = difference(setup, grow([1, 1, 1, 2, 2, 2]));
    expect(even.played.tracks.map(({ channel }) => channel)).toContain('scale');
    expect(even.worst).toBeLessThan(ALIKE);
    const askew = difference(setup, grow([1, 1, 1, 2, 1, 1]));
    expect(askew.dropped).toBe(1);
    expect(askew.played.tracks.filter(({ channel }) => channel === 'scale')).toEqual([]);
  });

  it('a joint that stands, but is turned by something else than its driver, is turned', () => {
    const setup = humans({ axes: createRandom(3) }, { axes: createRandom(5), legs: 0.6 });
    const { skeleton } = setup.target;
    const [arm, head] = [jointOf(setup.source.skeleton, 'leftUpperArm'), jointOf(skeleton, 'head')];
    const clip = clipOf([rotationTrack(arm, [0, 1], [[0, 0, 0, 1], turn([1, 0, 2], 1)])]);
    const usual = retargetClip(setup, clip).clip;
    const own = quatAt(skeleton.rest.rotations, head);
    usual.tracks = usual.tracks.filter(({ joint, channel }) => joint !== head || channel !== 'rotation');
    usual.tracks.push(rotationTrack(head, [0, 1], [own, times(own, turn([0, 1, 0], 0.5))]));
    const plan = createBindNodes(setup, [clip]);
    const { clip: played } = createBindClip(plan, setup, clip, usual);
    const player = skeletonOfNodes(plan);
    const [nodes, expected] = [modelAt(player, played, 1).matrices, modelAt(skeleton, usual, 1).matrices];
    const moved = createMatrix();
    multiplyMatrices(moved, 0, nodes, 16 * plan.jointNodes[head]!, plan.changes, 16 * head);
    for (let n = 0; n < 16; n++) expect(moved[n]!).toBeCloseTo(expected[16 * head + n]!, 5);
    // Those that merely stand have no keys.
    expect(played.tracks.length).toBe(2);
  });
});
