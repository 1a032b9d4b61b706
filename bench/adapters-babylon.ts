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
import { createGroupFloor, sumKeys } from './adapters-babylon-floors.js';
import {
  armErrors,
  BABYLON_CASES,
  type BabylonCase,
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
  /** Babylon's own on one group of about 1,800 frames; it has no set-up to share. */
  theirs: number;
  /** The first group of a call, both characters understood on the way. */
  first: number;
  /** Each further group of a call, whose keys nobody has read before. */
  further: number;
  /** The same where the keys were read before: each is compared. */
  known: number;
  /** The same where they are trusted. */
  trusted: number;
  /** Reading every number of a further group's keys and doing nothing else, before anything else has read them. */
  reading: number;
  /** Two quaternion products for each of its rotation keys, from and into flat arrays. */
  products: number;
  /** Which core moved the group. */
  core: string;
  /** One live update, what Babylon.js needs to play the retargeted group for a frame, and the bytes of an update. */
  live: { ours: number; theirs: number; joints: number; bytes: number };
};

const LIVE_UPDATES = 1000;

/** So many groups beside the first are moved in one call. */
const FURTHER = 6;

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
export async function measureBabylonSpeed(file: string, rounds = 5): Promise<BabylonSpeed> {
  const pair = await loadCase(file);
  const { root } = pair.target;
  const group = longer(danceOf(pair.source));
  const never = Number.POSITIVE_INFINITY;
  const best = {
    theirs: never,
    first: never,
    further: never,
    known: never,
    trusted: never,
    reading: never,
    products: never,
  };
  let core = '';
  let sum = 0;
  const run = (who: keyof typeof best, work: () => AnimationGroup[]) => {
    globalThis.gc?.();
    const start = performance.now();
    const results = work();
    best[who] = Math.min(best[who], performance.now() - start);
    const told = results[0]?.metadata?.stuntdouble as GroupReport | undefined;
    if (told) core = told.report!.clips[0]!.core;
    for (const result of results) result.dispose();
  };
  for (let round = 0; round < rounds; round++) {
    const groups = Array.from({ length: FURTHER }, (_, n) => group.clone(`${n}`, undefined, true, true));
    run('reading', () => {
      sum += sumKeys(groups);
      return [];
    });
    const floors = groups.map(createGroupFloor);
    run('products', () => {
      for (const floor of floors) floor();
      return [];
    });
    run('first', () => [retargetAnimationGroup(root, group)]);
    run('further', () => retargetAnimationGroups(root, [group, ...groups]));
    run('known', () => retargetAnimationGroups(root, [group, ...groups]));
    run('trusted', () =>
      retargetAnimationGroups(root, [group, ...groups], { stuntdouble: { trustKeys: true } }),
    );
    // With the hips' way scaled, which is the equal work.
    run('theirs', () => [retargetByBabylon(pair, group, true)]);
    for (const each of groups) each.dispose();
  }
  if (!Number.isFinite(sum)) throw new Error('the keys of a case are no numbers');
  const { theirs, first } = best;
  const each = (all: number) => (all - first) / FURTHER;
  return {
    theirs,
    first,
    further: each(best.further),
    known: each(best.known),
    trusted: each(best.trusted),
    reading: best.reading / FURTHER,
    products: best.products / FURTHER,
    core,
    live: measureLive(pair, group, rounds),
  };
}

/** A live update beside what Babylon.js needs to play a group that was retargeted before. */
function measureLive(pair: BabylonCase, group: AnimationGroup, rounds: number): BabylonSpeed['live'] {
  const { scene, target, source } = pair;
  let theirs = Number.POSITIVE_INFINITY;
  const made = retargetByBabylon(pair, group, true);
  scene.useConstantAnimationDeltaTime = true;
  made.start(true);
  for (let round = 0; round < 5 * rounds; round++)
    theirs = Math.min(
      theirs,
      timeEach(() => scene.animate()),
    );
  made.dispose();
  rest(target);
  showAt(group, 0.3);
  const live = createLiveRetargeter(target.root, source.root);
  let ours = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 5 * rounds; round++)
    ours = Math.min(
      ours,
      timeEach(() => live.update(1 / 60)),
    );
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  for (let k = 0; k < 50 * LIVE_UPDATES; k++) live.update(1 / 60);
  const bytes = (process.memoryUsage().heapUsed - before) / (50 * LIVE_UPDATES);
  return { ours, theirs, joints: live.setup.map.joints.length, bytes };
}

/** Milliseconds that a short piece of work takes, by the mean of many. */
function timeEach(work: () => void): number {
  const start = performance.now();
  for (let k = 0; k < LIVE_UPDATES; k++) work();
  return (performance.now() - start) / LIVE_UPDATES;
}

/** Rows of Markdown: time of Babylon's own over ours, a column a case. The first row is the heading. */
export async function babylonSpeedRows(rounds?: number): Promise<string[]> {
  const heading = ['times as fast as Babylon.js', ...BABYLON_CASES.map(({ name }) => name)];
  const speeds: BabylonSpeed[] = [];
  for (const { file } of BABYLON_CASES) speeds.push(await measureBabylonSpeed(file, rounds));
  const row = (title: string, cell: (speed: BabylonSpeed) => string) => [title, ...speeds.map(cell)];
  const ratio = (ours: number, theirs: number) => `${(theirs / ours).toFixed(1)} × (${ours.toFixed(1)} ms)`;
  const micro = (milliseconds: number) => `${(1000 * milliseconds).toFixed(1)} µs`;
  return table([
    heading,
    heading.map(() => '---'),
    row('first group, about 1,800 frames, set-up included', ({ first, theirs }) => ratio(first, theirs)),
    row('each further group', ({ further, theirs, core }) => `${ratio(further, theirs)}, ${core}`),
    row('each further group that was read before', ({ known, theirs }) => ratio(known, theirs)),
    row('the same, trustKeys', ({ trusted, theirs }) => ratio(trusted, theirs)),
    row('floor: every key read once and nothing else', ({ reading, theirs }) => ratio(reading, theirs)),
    row('floor: that, and two products a rotation key', ({ reading, products, theirs }) =>
      ratio(reading + products, theirs),
    ),
    row(
      'live update (joints); Babylon.js playing its own result',
      ({ live }) => `${micro(live.ours)} (${live.joints}); ${micro(live.theirs)}`,
    ),
    row('bytes a live update', ({ live }) => live.bytes.toFixed(1)),
  ]);
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  if (!hasData) throw new Error('this bench needs the real characters of ../shared/data');
  for (const row of await babylonAccuracyRows()) console.log(row);
  for (const row of ['', ...(await babylonSpeedRows())]) console.log(row);
}
