import { createRetargeter, poseAt, type RetargetOptions, retarget, setUpScenes } from '@stuntdouble/core';
import { rebind, writeBytes } from '@stuntdouble/formats';
import { describePose, describeResult, describeScene, type Outcome } from './describe-result.js';
import { LONGEST_PART } from './hash-pairs.js';
import type { OpenPair } from './open-pair.js';

/** One way to use the library that results are hashed for. */
export type HashSetting = {
  name: string;
  /** Set where it says something of sources without clips, too. */
  withoutClips?: true;
  /** Set where only our own samples are tried. */
  samplesOnly?: true;
  /** The result; null where the setting is none for these files. What is thrown is a result, too. */
  run(open: OpenPair): Outcome | null | Promise<Outcome | null>;
};

const clipSetting = (
  name: string,
  options: RetargetOptions,
  more: Pick<HashSetting, 'withoutClips' | 'samplesOnly'> = {},
): HashSetting => ({
  name,
  ...more,
  run: (open) => describeResult(retarget(open.source, open.target, { ...open.options, ...options })),
});

/** What the passes do that do nothing unless asked; heights and places are in metres. */
const ASKED_PASSES: RetargetOptions = {
  spacing: { arms: 0.2, legs: 0.1 },
  lookAt: { point: [1, 1.2, 2] },
  groundHeight: (x, z) => 0.1 * Math.floor(2 * z) + 0.05 * x,
  limits: {
    leftLowerLeg: {
      type: 'swingTwist',
      twistAxis: 'y',
      twistDegrees: [-10, 10],
      swingDegrees: { x: [-5, 40] },
      axes: 'body',
    },
  },
};

/** Other ways to reach, and to take over the root and what is no rotation. */
const ASKED_SOLVING: RetargetOptions = {
  solvers: { leftLeg: 'ccd', rightLeg: 'fabrik', leftArm: 'damped' },
  reach: 'together',
  limbScalings: { leftArm: { limbScale: 0.5 }, rightLeg: { rootScale: 0.5, weight: 0.75 } },
  frameRate: 24,
};

/** What is asked of keys and root where nothing is corrected. */
const ASKED_ROOT: RetargetOptions = {
  corrections: 'none',
  imitation: { leftArm: 'direction', rightArm: 'keep' },
  translations: 'boneLengthScaled',
  scales: 'rest',
  root: { positionScale: 0.5 },
  rootScales: { vertical: 1.1 },
  ground: { dynamic: true },
  speed: 1.25,
  repairKeys: true,
  checkHierarchy: true,
};

/** Plays the source live, at a rate, for the part of the first clip that is moved; the rest pose where it has none. */
function runLive(open: OpenPair, rate: number, asked: RetargetOptions = {}): Outcome {
  const { clips, range, ...options } = open.options;
  const { setup, sourceIndex, warnings } = setUpScenes(open.source, open.target, { ...options, ...asked });
  const retargeter = createRetargeter(setup);
  const { skeleton, clips: own } = open.source.characters[sourceIndex]!;
  const clip = own.find(({ name }) => name === open.clips[0]?.name);
  const [start, end] = range ?? [0, clip?.duration ?? 0];
  const frames = 1 + Math.floor(rate * Math.min(LONGEST_PART, end - start));
  const poses = Array.from({ length: frames }, (_, k) => {
    const pose = clip ? poseAt(skeleton, clip, start + k / rate) : skeleton.rest;
    const posed = describePose(retargeter.update(pose, 1 / rate));
    const { translation, rotation } = retargeter.rootMotion;
    return { posed, translation: translation.slice(), rotation: rotation.slice() };
  });
  return { motion: poses, 'report.warnings': warnings };
}

const liveSetting = (
  rate: number,
  name = `live-${rate}`,
  asked?: RetargetOptions,
  more: Pick<HashSetting, 'withoutClips' | 'samplesOnly'> = {},
): HashSetting => ({ name, ...more, run: (open) => runLive(open, rate, asked) });

/** The defaults, written to a format: its bytes. Formats that cannot hold the target say so. */
const writeSetting = (extension: string): HashSetting => ({
  name: `write-${extension}`,
  async run(open) {
    const result = retarget(open.source, open.target, { ...open.options, measure: false });
    const { bytes, warnings } = await writeBytes(extension, result);
    return { motion: bytes, 'report.warnings': warnings };
  },
});

/** Settings that need no engine, in the order in which they are run. */
export const CORE_SETTINGS: readonly HashSetting[] = [
  {
    name: 'read',
    withoutClips: true,
    run: ({ source, target }) => ({ source: describeScene(source), target: describeScene(target) }),
  },
  clipSetting('defaults', {}, { withoutClips: true }),
  clipSetting('corrections-none', { corrections: 'none' }),
  clipSetting('keys-keep', { keys: 'keep' }),
  clipSetting('keys-bake', { keys: 'bake' }),
  clipSetting('mirror', { mirror: true }),
  clipSetting('loop', { loop: true }),
  clipSetting('reduce', { reduce: true }),
  clipSetting('root-apart', { rootMotion: 'apart' }),
  clipSetting('root-extract', { rootMotion: 'extract' }),
  clipSetting('asked-passes', ASKED_PASSES, { samplesOnly: true }),
  clipSetting('asked-solving', ASKED_SOLVING, { samplesOnly: true }),
  clipSetting('asked-root', ASKED_ROOT, { samplesOnly: true }),
  liveSetting(60, 'live-60', {}, { withoutClips: true }),
  liveSetting(30),
  liveSetting(60, 'live-apart', { rootMotion: 'apart' }),
  liveSetting(60, 'live-asked', ASKED_PASSES, { samplesOnly: true }),
  {
    name: 'new-bind',
    async run(open) {
      const result = await rebind(open.source, open.target, open.options);
      return { ...describeResult(result), body: describeScene({ ...result.scene, warnings: [] }) };
    },
  },
  {
    name: 'write-new-bind',
    async run(open) {
      const result = await rebind(open.source, open.target, { ...open.options, measure: false });
      const { bytes, warnings } = await writeBytes('glb', result);
      return { motion: bytes, 'report.warnings': warnings };
    },
  },
  ...['glb', 'gltf', 'vrm', 'vrma', 'fbx', 'bvh'].map(writeSetting),
];
