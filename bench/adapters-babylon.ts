/*
 * stuntdouble/babylon beside Babylon's own AnimatorAvatar, in one run: how far limbs are off in the engine's world
 * space, and how long it takes.
 *
 *   node --expose-gc bench/dist/adapters-babylon.js
 */
import { pathToFileURL } from 'node:url';
import type { Animation } from '@babylonjs/core/Animations/animation.js';
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
import { countBytes } from './timing/count-bytes.js';
import { timeFrameFloor } from './timing/floors.js';

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
    ours.push(text(armErrors(pair, group, retargetAnimationGroup(pair.target.root, group, PLAIN))));
    const { root } = pair.target;
    root.position.x = 5;
    const turn = Quaternion.RotationYawPitchRoll(Math.PI / 2, 0, 0);
    root.rotationQuaternion = turn.multiply(root.rotationQuaternion ?? Quaternion.Identity());
    placed.push(text(armErrors(pair, group, retargetAnimationGroup(root, group, PLAIN))));
  }
  return table([
    heading,
    heading.map(() => '---'),
    ['Babylon.js AnimatorAvatar', ...theirs],
    ['stuntdouble/babylon', ...ours],
    ['stuntdouble/babylon, at x = 5, turned, both in mid-play', ...placed],
  ]);
}

/** Times of calls that move one kind of groups, in milliseconds, each the median of several rounds. */
export type CallTimes = {
  /** Babylon's own on one group of about 1,800 frames; it remembers nothing from call to call. */
  theirs: number;
  /** A further call with the same characters and another group. */
  again: number;
  /** Each of several such groups in one call. */
  together: number;
  /** A further call with a group that was read before and is trusted. */
  trusted: number;
  /** A further call with the defaults: feet and hands corrected. */
  corrected: number;
  /** Reading every number of such a group's keys and doing nothing else. */
  reading: number;
  /** Two quaternion products for each of its rotation keys, from and into flat arrays. */
  products: number;
};

/** The times of one case. */
export type BabylonSpeed = CallTimes & {
  /** The first call of all, both characters understood on the way. */
  first: number;
  /** Calls with groups that have a key of every joint in every frame, as captures do; null where keys are not kept. */
  dense: CallTimes | null;
  /** By which way the groups were moved. */
  way: string;
  /**
   * One live update, what Babylon.js needs to play the retargeted group for a frame, how many joints are driven, how many
   * the larger body has, and the bytes of an update.
   */
  live: { ours: number; theirs: number; joints: number; size: number; bytes: number };
};

const LIVE_UPDATES = 1000;

/** So many groups are moved one after another, call by call and together, and so often in a round. */
const GROUPS = 8;
/** The work of Babylon's own function: turns and root are copied. The defaults correct feet and hands besides. */
const PLAIN = { stuntdouble: { corrections: 'none' } } as const;
const REPEATS = 2;

/** So often both characters are loaded anew to be understood for the first time. */
const LOADS = 3;

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
  // As its clones are: the keys of one file are of one kind.
  const alike = long.clone(long.name, undefined, true, true);
  alike.to = long.to;
  long.dispose();
  return alike;
}

/** A group with a rotation key of every joint in each of its frames, and the keys of every other kind that it has. */
function denser(group: AnimationGroup): AnimationGroup {
  const dense = group.clone(`${group.name}, dense`, undefined, true, true);
  const keysOf = ({ animation }: { animation: Animation }) => animation.getKeys();
  const most = dense.targetedAnimations.map(keysOf).reduce((a, b) => (b.length > a.length ? b : a));
  for (const { animation } of dense.targetedAnimations)
    if (animation.targetProperty === 'rotationQuaternion')
      animation.setKeys(most.map(({ frame }) => ({ frame, value: animation.evaluate(frame).clone() })));
  const alike = dense.clone(dense.name, undefined, true, true);
  alike.to = group.to;
  dense.dispose();
  return alike;
}

/** Measures the speed on one case. */
export async function measureBabylonSpeed(file: string, rounds = 7): Promise<BabylonSpeed> {
  const firsts: number[] = [];
  let way = '';
  for (let load = 0; load < LOADS; load++) {
    const { source, target, scene } = await loadCase(file);
    const group = longer(danceOf(source));
    await settle();
    const start = performance.now();
    const result = retargetAnimationGroup(target.root, group, PLAIN);
    firsts.push(performance.now() - start);
    way = (result.metadata.stuntdouble as GroupReport).report!.clips[0]!.way;
    scene.dispose();
  }
  const pair = await loadCase(file);
  const group = longer(danceOf(pair.source));
  const calls = await timeCalls(pair, group, rounds);
  const dense = way === 'keys' ? await timeCalls(pair, denser(group), rounds) : null;
  const live = measureLive(pair, group, rounds);
  pair.scene.dispose();
  return { ...calls, first: median(firsts), dense, way, live };
}

/**
 * Times calls that move a group. The contenders take turns; each works on one group after another, as who moves a
 * library of motions does. All groups together are many times what a core's own cache holds.
 */
async function timeCalls(pair: BabylonCase, group: AnimationGroup, rounds: number): Promise<CallTimes> {
  const { root } = pair.target;
  const groups = Array.from({ length: GROUPS }, (_, n) => group.clone(`${n}`, undefined, true, true));
  const floors = groups.map(createGroupFloor);
  const trusting = { stuntdouble: { ...PLAIN.stuntdouble, trustKeys: true } };
  let sum = 0;
  /** What each does with all groups, but for Babylon's own, which has one. */
  const works: Record<keyof CallTimes, () => void> = {
    // With the hips' way scaled, which is the equal work.
    theirs: () => retargetByBabylon(pair, group, true).dispose(),
    reading: () => {
      for (const each of groups) sum += sumKeys([each]);
    },
    products: () => {
      for (const floor of floors) floor();
    },
    again: () => {
      for (const each of groups) retargetAnimationGroup(root, each, PLAIN).dispose();
    },
    together: () => {
      for (const result of retargetAnimationGroups(root, groups, PLAIN)) result.dispose();
    },
    trusted: () => {
      for (const each of groups) retargetAnimationGroup(root, each, trusting).dispose();
    },
    corrected: () => {
      for (const each of groups) retargetAnimationGroup(root, each).dispose();
    },
  };
  const timeOf = async (who: keyof CallTimes): Promise<number> => {
    const work = works[who];
    await settle();
    // Memory that was given back to the system comes again page by page: not with every call of a long row.
    if (who !== 'theirs') work();
    const start = performance.now();
    const repeats = who === 'theirs' ? 1 : REPEATS;
    for (let k = 0; k < repeats; k++) work();
    return (performance.now() - start) / (who === 'theirs' ? 1 : repeats * GROUPS);
  };
  const names = Object.keys(works) as (keyof CallTimes)[];
  const times = Object.fromEntries(names.map((who) => [who, [] as number[]])) as Record<
    keyof CallTimes,
    number[]
  >;
  for (let round = 0; round <= rounds; round++)
    for (const who of names) {
      const taken = await timeOf(who);
      // In the first round code is compiled.
      if (round > 0) times[who].push(taken);
    }
  for (const each of groups) each.dispose();
  if (!Number.isFinite(sum)) throw new Error('the keys of a case are no numbers');
  return Object.fromEntries(names.map((who) => [who, median(times[who])])) as CallTimes;
}

/** Collects garbage and lets that end: nobody shall pay for what others have left, or were loaded with. */
async function settle(): Promise<void> {
  globalThis.gc?.();
  await new Promise((resolve) => setTimeout(resolve, 200));
}

function median(times: readonly number[]): number {
  return [...times].sort((a, b) => a - b)[times.length >> 1]!;
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
  const live = createLiveRetargeter(target.root, source.root, PLAIN);
  let ours = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 5 * rounds; round++)
    ours = Math.min(
      ours,
      timeEach(() => live.update(1 / 60)),
    );
  const bytes = countBytes(() => live.update(1 / 60));
  const { map, source: from, target: to } = live.setup;
  const size = Math.max(from.skeleton.names.length, to.skeleton.names.length);
  return { ours, theirs, joints: map.joints.length, size, bytes };
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
  const floor = timeFrameFloor();
  const inFloors = (ours: number, least: number) => `${(ours / least).toFixed(1)} ×`;
  const micro = (milliseconds: number) => `${(1000 * milliseconds).toFixed(1)} µs`;
  return table([
    heading,
    heading.map(() => '---'),
    row(
      "corrections: 'none': first call of all, about 1,800 frames, both characters new",
      ({ first, theirs }) => ratio(first, theirs),
    ),
    row(
      "corrections: 'none': each further call, another group",
      ({ again, theirs, way }) => `${ratio(again, theirs)}, ${way}`,
    ),
    row(`corrections: 'none': each of ${GROUPS} such groups in one call`, ({ together, theirs }) =>
      ratio(together, theirs),
    ),
    row('each further call, every joint keyed in every frame; each of several in one call', ({ dense }) =>
      dense
        ? `${ratio(dense.again, dense.theirs)}; ${ratio(dense.together, dense.theirs)}`
        : 'keys are not kept',
    ),
    row('each further call, trustKeys, a group read before', ({ trusted, theirs }) => ratio(trusted, theirs)),
    row('each further call with the defaults, feet and hands corrected', ({ corrected, theirs }) =>
      ratio(corrected, theirs),
    ),
    row('floor: every key read once and nothing else', ({ reading, theirs }) => ratio(reading, theirs)),
    row('floor: that, and two products a rotation key', ({ reading, products, theirs }) =>
      ratio(reading + products, theirs),
    ),
    row(
      'live update (joints); Babylon.js playing its own result',
      ({ live }) => `${micro(live.ours)} (${live.joints}); ${micro(live.theirs)}`,
    ),
    row('live update in frame floors of the larger body', ({ live }) =>
      inFloors(live.ours, live.size * floor),
    ),
    row('bytes a live update', ({ live }) => live.bytes.toFixed(1)),
  ]);
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  if (!hasData) throw new Error('this bench needs the real characters of ../shared/data');
  for (const row of await babylonAccuracyRows()) console.log(row);
  for (const row of ['', ...(await babylonSpeedRows())]) console.log(row);
}
