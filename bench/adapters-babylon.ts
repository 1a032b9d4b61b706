/*
 * stuntdouble/babylon beside Babylon's own AnimatorAvatar, in one run: how far limbs are off in the engine's world
 * space, and how long it takes.
 *
 *   node --expose-gc bench/dist/adapters-babylon.js
 */
import { pathToFileURL } from 'node:url';
import type { AnimationGroup } from '@babylonjs/core/Animations/animationGroup.js';
import { Quaternion } from '@babylonjs/core/Maths/math.vector.js';
import {
  createLiveRetargeter,
  type GroupReport,
  retargetAnimationGroup,
  retargetAnimationGroups,
} from '@stuntdouble/adapters/babylon';
import {
  armErrors,
  BABYLON_CASES,
  danceOf,
  hasData,
  loadCase,
  rest,
  retargetByBabylon,
  showAt,
} from './adapters-babylon-stage.js';

const table = (rows: readonly (readonly string[])[]) => rows.map((cells) => `| ${cells.join(' | ')} |`);

/** Rows of Markdown: mean / worst error of arms in degrees, a column a case. The first row is the heading. */
export async function babylonAccuracyRows(): Promise<string[]> {
  const heading = ['degrees, arms, mean / worst', ...BABYLON_CASES.map(({ name }) => name)];
  const theirs: string[] = [];
  const ours: string[] = [];
  const placed: string[] = [];
  const text = ({ mean, worst }: { mean: number; worst: number }) =>
    `${mean.toFixed(3)} / ${worst.toFixed(3)}`;
  for (const { file } of BABYLON_CASES) {
    const pair = await loadCase(file);
    const group = danceOf(pair.source);
    const atRest = () => {
      for (const one of pair.scene.animationGroups) one.stop();
      rest(pair.source);
      rest(pair.target);
    };
    theirs.push(text(armErrors(pair, group, retargetByBabylon(pair, group))));
    atRest();
    ours.push(text(armErrors(pair, group, retargetAnimationGroup(pair.target.root, group))));
    const { root } = pair.target;
    root.position.x = 5;
    const turn = Quaternion.RotationYawPitchRoll(Math.PI / 2, 0, 0);
    root.rotationQuaternion = turn.multiply(root.rotationQuaternion ?? Quaternion.Identity());
    placed.push(text(armErrors(pair, group, retargetAnimationGroup(root, group))));
  }
  return table([
    heading,
    heading.map(() => '---'),
    ['Babylon.js AnimatorAvatar', ...theirs],
    ['stuntdouble/babylon', ...ours],
    ['stuntdouble/babylon, at x = 5, turned, both in mid-play', ...placed],
  ]);
}

/** Times of one case in milliseconds, and how many bytes a live update takes. */
export type BabylonSpeed = {
  /** One group of about 1,800 frames, both characters understood on the way. */
  group: { ours: number; theirs: number };
  /** Each of several groups that are moved in one call. */
  many: { ours: number; theirs: number };
  /** Which core moved the group. */
  core: string;
  /** One live update, and the bytes that it takes. */
  live: { milliseconds: number; bytes: number };
};

const LIVE_UPDATES = 1000;

/** So many groups are moved in one call: both characters are understood once for all of them. */
const MANY = 8;

/** A group of about 1,800 frames: the keys of a short one again and again. */
function longer(group: AnimationGroup): AnimationGroup {
  const long = group.clone(`${group.name}, long`, undefined, true, true);
  const most = Math.max(...long.targetedAnimations.map(({ animation }) => animation.getKeys().length));
  const span = group.to - group.from;
  const step = span + span / (most - 1);
  for (const { animation } of long.targetedAnimations) {
    const keys = animation.getKeys();
    const all = Array.from({ length: Math.ceil(1800 / most) }, (_, n) =>
      keys.map((key) => ({ ...key, frame: key.frame + n * step, value: key.value.clone() })),
    );
    animation.setKeys(all.flat());
  }
  long.to = Math.max(...long.targetedAnimations.map(({ animation }) => animation.getKeys().at(-1)!.frame));
  return long;
}

/** Measures the speed on one case; the contenders take turns, and the quickest run of each counts. */
export async function measureBabylonSpeed(file: string, rounds = 3): Promise<BabylonSpeed> {
  const pair = await loadCase(file);
  const group = longer(danceOf(pair.source));
  const never = Number.POSITIVE_INFINITY;
  const best = { ours: never, many: never, theirs: never };
  let core = '';
  const run = (who: keyof typeof best, work: () => AnimationGroup[]) => {
    globalThis.gc?.();
    const start = performance.now();
    const results = work();
    best[who] = Math.min(best[who], (performance.now() - start) / results.length);
    const told = results[0]!.metadata?.stuntdouble as GroupReport | undefined;
    if (told) core = told.report!.clips[0]!.core;
    for (const result of results) result.dispose();
  };
  const groups = Array.from({ length: MANY }, () => group);
  for (let round = 0; round < rounds; round++) {
    run('ours', () => [retargetAnimationGroup(pair.target.root, group)]);
    run('many', () => retargetAnimationGroups(pair.target.root, groups));
    // With the hips' way scaled, which is the equal work.
    run('theirs', () => [retargetByBabylon(pair, group, true)]);
  }
  showAt(group, 0.3);
  const live = createLiveRetargeter(pair.target.root, pair.source.root);
  let milliseconds = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 5 * rounds; round++) {
    const start = performance.now();
    for (let k = 0; k < LIVE_UPDATES; k++) live.update(1 / 60);
    milliseconds = Math.min(milliseconds, (performance.now() - start) / LIVE_UPDATES);
  }
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  for (let k = 0; k < 50 * LIVE_UPDATES; k++) live.update(1 / 60);
  const bytes = (process.memoryUsage().heapUsed - before) / (50 * LIVE_UPDATES);
  const { ours, many, theirs } = best;
  return { group: { ours, theirs }, many: { ours: many, theirs }, core, live: { milliseconds, bytes } };
}

/** Rows of Markdown: time of Babylon's own over ours, a column a case. The first row is the heading. */
export async function babylonSpeedRows(rounds?: number): Promise<string[]> {
  const heading = ['times as fast as Babylon.js', ...BABYLON_CASES.map(({ name }) => name)];
  const speeds: BabylonSpeed[] = [];
  for (const { file } of BABYLON_CASES) speeds.push(await measureBabylonSpeed(file, rounds));
  const ratio = ({ ours, theirs }: { ours: number; theirs: number }) =>
    `${(theirs / ours).toFixed(1)} × (${ours.toFixed(1)} ms)`;
  return table([
    heading,
    heading.map(() => '---'),
    [
      'retargetAnimationGroup, about 1,800 frames, set-up included',
      ...speeds.map(({ group }) => ratio(group)),
    ],
    [
      `retargetAnimationGroups, each of ${MANY}, set-up shared`,
      ...speeds.map(({ many, core }) => `${ratio(many)}, ${core}`),
    ],
    ['live update, microseconds', ...speeds.map(({ live }) => (1000 * live.milliseconds).toFixed(1))],
    ['bytes a live update', ...speeds.map(({ live }) => live.bytes.toFixed(1))],
  ]);
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  if (!hasData) throw new Error('this bench needs the real characters of ../shared/data');
  for (const row of await babylonAccuracyRows()) console.log(row);
  for (const row of ['', ...(await babylonSpeedRows())]) console.log(row);
}
