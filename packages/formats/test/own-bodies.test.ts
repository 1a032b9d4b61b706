import {
  copyPose,
  createArmature,
  createRetargeter,
  createRig,
  createSkeletonChain,
  createSolver,
  LIMBS,
  loadChain,
  modelPoseOf,
  type PassName,
  type RetargetOptions,
  retarget,
  type Scene,
  sampleClip,
  setUpScenes,
  storeChain,
} from '@stuntdouble/core/engine';
import { read } from '@stuntdouble/formats';
import { beforeAll, describe, expect, it } from 'vitest';
import { retargetPlainly, setUpScenesPlainly } from '../../core/test/plainly.js';
import { largestDistance, underNode, worldMotion } from '../../core/test/reexpress.js';
import { turn } from '../../core/test/stick-figure.js';
import { pathOf } from './data-files.js';

/*
 * What other tests show on real files, shown on the files of this repository.
 */

const file = (name: string) => read(pathOf(`samples/${name}`));
/** What engines without feet correction do. */
const passes: readonly PassName[] = ['copyRotations', 'moveJoints', 'moveRoot', 'matchGround', 'extractRoot'];
const UNMOVED = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1);

let walk: Scene;
let knight: Scene;
beforeAll(async () => {
  walk = await file('motions/walk.glb');
  knight = await file('characters/knight.glb');
});

describe('root scales', () => {
  it('SP5: the root’s scales are measured on both bodies and said; told ones are taken over as they are', () => {
    const travel = (options: RetargetOptions) => {
      const { clips, report } = retarget(walk, knight, { ...options, passes, measure: false });
      const joint = report.map.joints.find(({ role }) => role === 'hips')!.target;
      const times = Array.from({ length: 8 }, (_, k) => (k * clips[0]!.duration) / 7);
      return { report, hips: worldMotion(knight.characters[0]!.skeleton, clips[0]!, times, [joint]) };
    };
    const { report, hips } = travel({});
    expect(report.rootScales.reason).toMatch('hip width and leg bones');
    expect(report.rootScales.horizontal).not.toBe(1);
    const told = { horizontal: 2, vertical: 0.25 };
    const other = travel({ rootScales: told });
    expect(other.report.rootScales).toMatchObject(told);
    expect(other.report.rootScales.reason).toMatch('as asked');
    let moved = 0;
    for (let i = 3; i < hips.length; i += 3)
      for (const [c, scale] of [
        [0, told.horizontal / report.rootScales.horizontal],
        [1, told.vertical / report.rootScales.vertical],
        [2, told.horizontal / report.rootScales.horizontal],
      ] as const) {
        const own = hips[i + c]! - hips[c]!;
        expect(other.hips[i + c]! - other.hips[c]!).toBeCloseTo(scale * own, 4);
        moved = Math.max(moved, Math.abs(own));
      }
    expect(moved).toBeGreaterThan(0.05);
  });
});

describe('containers and references', () => {
  it('B29: where source and target stand, how they are turned and how large their scene is, changes nothing', () => {
    const [source, target] = [walk.characters[0]!, knight.characters[0]!];
    const stage = { translation: [5, 0, -3] as [number, number, number], rotation: turn([0, 1, 0], 90) };
    const from = underNode(source, { ...stage, scale: [3, 3, 3] });
    const onto = underNode(target, { ...stage, scale: [0.2, 0.2, 0.2] });
    const options = { passes, measure: false } as const;
    const plain = retarget(walk, knight, options);
    const staged = retarget({ ...walk, characters: [from] }, { ...knight, characters: [onto] }, options);
    const times = [0, 0.2, 0.4, 0.6, 0.8].map((x) => x * plain.clips[0]!.duration);
    // Seen from below the stage: the joints in the space of their own roots.
    const seen = (clip: (typeof plain.clips)[number], skeleton: typeof target.skeleton, joints: number[]) =>
      worldMotion({ ...skeleton, container: UNMOVED }, clip, times, joints);
    const joints = [...target.skeleton.names.keys()];
    const below = structuredClone(onto.skeleton);
    below.rest.translations.fill(0, 0, 3);
    below.rest.rotations.set([0, 0, 0, 1], 0);
    below.rest.scales.fill(1, 0, 3);
    const [a, b] = [
      seen(plain.clips[0]!, target.skeleton, joints),
      seen(
        staged.clips[0]!,
        below,
        joints.map((joint) => onto.places[joint]!),
      ),
    ];
    expect(largestDistance(a, b)).toBeLessThan(1e-4);
  });

  it('B29: with current poses as references the target starts from where it is, whatever that is', () => {
    const clip = walk.characters[0]!.clips[0]!;
    const current = copyPose(walk.characters[0]!.skeleton.rest);
    sampleClip(current, clip, 0);
    const { skeleton } = knight.characters[0]!;
    // The knight as the walk has him after a third of a second.
    const now = copyPose(skeleton.rest);
    sampleClip(now, retarget(walk, knight, { passes, measure: false }).clips[0]!, 0.3);
    const keep = Object.fromEntries(LIMBS.map((limb) => [limb, 'keep' as const]));
    const angles = (options: RetargetOptions) => {
      const result = retarget(walk, knight, { passes, measure: false, alignment: keep, ...options });
      const pose = copyPose(skeleton.rest);
      sampleClip(pose, result.clips[0]!, 0);
      return result.report.map.joints.map(({ target }) => {
        const [p, q] = [pose.rotations, now.rotations];
        const dot = [0, 1, 2, 3].reduce((sum, c) => sum + p[4 * target + c]! * q[4 * target + c]!, 0);
        return 2 * Math.acos(Math.min(1, Math.abs(dot)));
      });
    };
    const bound = angles({ sourceReference: { pose: current }, targetReference: { pose: now } });
    expect(Math.max(...bound)).toBeLessThan(2e-3);
    expect(Math.max(...angles({}))).toBeGreaterThan(0.2);
  });
});

/** The paper's motions and ours that are nearest to them. */
const MOTIONS = {
  Walking: 'walk',
  'Male Action Pose': 'wave-on-one-leg',
  Strafing: 'run-turn',
  'Breakdance Freeze': 'crawl',
  'Inverted Double Kick To Kip': 'side-kick',
  'Goalkeeper Body Block': 'jump',
} as const;

/** From a child to a mannequin, long-armed, short-legged, thick, with three fingers, with a rest of its own. */
const CAST = ['child', 'goblin', 'robot', 'baker', 'unreal-mannequin'];

describe('the paper’s demonstrations', () => {
  const cast = new Map<string, Scene>();
  beforeAll(async () => {
    for (const name of CAST) cast.set(name, await file(`characters/${name}.glb`));
  });

  it.each(Object.entries(MOTIONS))(
    'K27: %s (ours: %s) on five bodies: copied, arms point as the source’s; corrected, feet slide less',
    async (_, name) => {
      const source = await file(`motions/${name}.glb`);
      const slides = { copied: 0, corrected: 0 };
      for (const [body, target] of cast) {
        const range = [0, 1.5] as const;
        const copied = retargetPlainly(source, target, { range }).report.measures[0]!;
        expect([body, copied.direction.worst < 0.1]).toEqual([body, true]);
        const corrected = retarget(source, target, { range, corrections: 'auto' }).report.measures[0]!;
        slides.copied += copied.motion.slide?.result.mean ?? 0;
        slides.corrected += corrected.motion.slide?.result.mean ?? 0;
      }
      expect(slides.corrected).toBeLessThanOrEqual(slides.copied);
    },
  );

  it('K27: bodies differ by more than a third in size, and need their root rescaled for hands on the ground', async () => {
    const scales = CAST.map(
      (name) => setUpScenesPlainly(walk, cast.get(name)!, {}).setup.rootScales.vertical,
    );
    expect(Math.max(...scales)).toBeGreaterThan(1.35 * Math.min(...scales));
    const crawl = await file('motions/crawl.glb');
    const child = cast.get('child')!;
    const range = [0, 2] as const;
    const ground = (rootScales?: RetargetOptions['rootScales']) => {
      const { heights } = retargetPlainly(crawl, child, { range, ...(rootScales && { rootScales }) }).report
        .measures[0]!.motion;
      return heights!.float.mean + heights!.sink.mean;
    };
    expect(ground()).toBeLessThan(0.5 * ground({ horizontal: 1, vertical: 1 }));
  });

  it('K27: hands and fingers: every finger that both have points as the source’s', async () => {
    const clap = await file('motions/clap.glb');
    const { limbs } = retargetPlainly(clap, cast.get('unreal-mannequin')!).report.measures[0]!.direction;
    const fingers = Object.entries(limbs).filter(([limb]) => /Thumb|Index|Middle|Ring|Little/.test(limb));
    expect(fingers.length).toBeGreaterThanOrEqual(10);
    for (const [, { worst }] of fingers) expect(worst).toBeLessThan(0.1);
  });

  it('K27: pose by pose one source drives five bodies at once, as each alone', () => {
    const clip = walk.characters[0]!.clips[0]!;
    const setups = [...cast.values()].map(
      (target) => setUpScenes(walk, target, { corrections: 'auto' }).setup,
    );
    const all = setups.map((setup) => createRetargeter(setup));
    const pose = copyPose(walk.characters[0]!.skeleton.rest);
    const play = (bodies: readonly { update(source: typeof pose, seconds: number): unknown }[]) => {
      for (let k = 0; k < 30; k++) {
        sampleClip(pose, clip, k / 60);
        for (const live of bodies) live.update(pose, 1 / 60);
      }
    };
    play(all);
    setups.forEach((setup, n) => {
      const alone = createRetargeter(setup);
      play([alone]);
      expect(alone.pose.rotations).toEqual(all[n]!.pose.rotations);
      expect(alone.pose.translations).toEqual(all[n]!.pose.translations);
    });
  });
});

describe('one solve by hand', () => {
  it.each(['characters/mixamo-guy.glb', 'characters/vrm-girl.vrm', 'captures/walk-cmu.bvh'])(
    'K34: on %s one solve moves one limb of a pose to a point, and nothing else',
    async (name) => {
      const { skeleton, clips } = (await file(name)).characters[0]!;
      const { joints, reference } = createRig(skeleton, { clips });
      const limb = [joints.leftHand!];
      while (limb[0] !== joints.leftUpperArm) limb.unshift(skeleton.parents[limb[0]!]!);
      const pose = structuredClone(reference.pose);
      const model = modelPoseOf(skeleton, pose);
      const at = (m: Float64Array, joint: number) => m.slice(16 * joint + 12, 16 * joint + 15);
      const [shoulder, hand] = [at(model.matrices, limb[0]!), at(model.matrices, joints.leftHand!)];
      // Ahead of the shoulder, at two thirds of the hand's distance.
      const position = shoulder.slice();
      position[2] = position[2]! + (2 / 3) * Math.hypot(...hand.map((x, c) => x - shoulder[c]!));
      const link = createSkeletonChain(skeleton, limb);
      loadChain(link, model);
      createSolver(link.chain, { method: 'jacobian', variant: 'damped' })({ position });
      storeChain(link, pose, model);
      const after = at(modelPoseOf(skeleton, pose).matrices, joints.leftHand!);
      expect(Math.hypot(...after.map((x, c) => x - position[c]!))).toBeLessThan(2e-4 * link.chain.length);
      skeleton.names.forEach((_, joint) => {
        const own = (q: Float64Array) => q.slice(4 * joint, 4 * joint + 4);
        if (!limb.includes(joint)) expect(own(pose.rotations)).toEqual(own(reference.pose.rotations));
      });
    },
  );

  it('K34: every chain of an armature takes the same set-up, and meets a goal of its own', async () => {
    const { skeleton } = (await file('characters/mixamo-guy.glb')).characters[0]!;
    const model = modelPoseOf(skeleton, skeleton.rest);
    const chains = createArmature(skeleton).chains.filter(({ joints }) => joints.length > 2);
    expect(chains.length).toBeGreaterThan(8);
    for (const { joints } of chains) {
      const link = createSkeletonChain(skeleton, joints);
      loadChain(link, model);
      const { chain } = link;
      // Half way back to the root, and aside.
      const position = chain.positions.slice(-3).map((x, c) => (x + chain.positions[c]!) / 2);
      position[2] = position[2]! + 0.3 * chain.length;
      createSolver(chain, { method: 'jacobian', variant: 'damped' })({ position });
      expect(chain.miss).toBeLessThan(1e-3 * chain.length);
    }
  });
});
