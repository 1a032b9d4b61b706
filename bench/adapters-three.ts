/*
 * stuntdouble/three beside three's own SkeletonUtils, in one run: how far limbs are off in the engine's world
 * space, and how long it takes.
 *
 *   node bench/dist/adapters-three.js
 */
import { pathToFileURL } from 'node:url';
import { createLiveRetargeter, retargetClip } from '@stuntdouble/adapters/three';
import { type AnimationClip, Group } from 'three';
import { retarget as retargetOfThree } from 'three/addons/utils/SkeletonUtils.js';
import { hasData } from './adapters-three-files.js';
import {
  type Actor,
  clipOf,
  createClipMakerOfThree,
  measureInWorld,
  namesForThree,
  playAt,
  silently,
  skinnedMeshOf,
  THREE_CASES,
  type ThreeCase,
  type WorldErrors,
} from './adapters-three-world.js';

/** How ours stands and moves while it is measured: as loaded, or elsewhere, turned, scaled, and in mid-play. */
export type Standing = 'as loaded' | 'placed' | 'mid-play';

/** All ways to stand; the later ones are on top of those before. */
export const STANDINGS: readonly Standing[] = ['as loaded', 'placed', 'mid-play'];

/** Moves an actor to x = 5 under a parent of twice the size, turned by 90°. */
export function place({ root }: Actor): void {
  const parent = new Group();
  parent.scale.setScalar(2);
  parent.add(root);
  root.position.x = 5;
  root.rotation.y = Math.PI / 2;
  parent.updateMatrixWorld(true);
}

/** Measures ours on one case, once for each way to stand; the actors are loaded once. */
export async function measureOurs(
  { source, target, clip, isOpposite = false }: ThreeCase,
  standings: readonly Standing[],
): Promise<WorldErrors[]> {
  const from = await source();
  const to = await target();
  const motion = clipOf(from, clip);
  return standings.map((standing) => {
    if (standing === 'placed') {
      place(to);
      from.root.rotation.y = 1;
    }
    if (standing === 'mid-play') {
      silently(() => playAt(from, motion, 0.4 * motion.duration));
      silently(() => playAt(to, retargetClip(to.root, from.root, motion), 0.6 * motion.duration));
    }
    return measureInWorld(to, from, motion, (t, s, c) => retargetClip(t.root, s.root, c), isOpposite);
  });
}

/** Measures three's own retargetClip on one case, as loaded. */
export async function measureTheirs({
  source,
  target,
  clip,
  isOpposite = false,
}: ThreeCase): Promise<WorldErrors> {
  const from = await source();
  const to = await target();
  const make = createClipMakerOfThree(to, from);
  return measureInWorld(to, from, clipOf(from, clip), make, isOpposite, skinnedMeshOf(to)!);
}

const degrees = ({ arms, legs }: WorldErrors) => `${arms.toFixed(3)} / ${legs.toFixed(3)}`;

/** Rows of Markdown: mean error of arms / leg lines in degrees, a column a case. The first row is the heading. */
export async function threeAccuracyRows(): Promise<string[]> {
  const heading = ['degrees, arms / leg lines', ...THREE_CASES.map(({ name }) => name)];
  const theirs: string[] = [];
  for (const one of THREE_CASES) theirs.push(degrees(await measureTheirs(one)));
  const rows = [heading, heading.map(() => '---'), ['three.js SkeletonUtils.retargetClip', ...theirs]];
  const ours: WorldErrors[][] = [];
  for (const one of THREE_CASES) ours.push(await measureOurs(one, STANDINGS));
  STANDINGS.forEach((standing, n) => {
    rows.push([`stuntdouble/three, ${standing}`, ...ours.map((errors) => degrees(errors[n]!))]);
  });
  return rows.map((cells) => `| ${cells.join(' | ')} |`);
}

/** The least time of several rounds, in milliseconds; the contenders take turns. */
function time(rounds: number, contenders: readonly (() => void)[]): number[] {
  const best = contenders.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < rounds; round++)
    contenders.forEach((run, n) => {
      const start = performance.now();
      run();
      best[n] = Math.min(best[n]!, performance.now() - start);
    });
  return best;
}

/** Times of one case in milliseconds, and how much memory a thousand live updates took, in bytes. */
export type ThreeSpeed = {
  clip: { ours: number; theirs: number };
  live: { ours: number; theirs: number; bytes: number };
};

const LIVE_UPDATES = 200;

/** Measures the speed on one case: a whole clip, set-up included, and 200 updates of a live target. */
export async function measureThreeSpeed(one: ThreeCase, rounds = 7): Promise<ThreeSpeed> {
  const from = await one.source();
  const to = await one.target();
  const other = await one.target();
  const motion = longer(clipOf(from, one.clip));
  const make = createClipMakerOfThree(other, from);
  const [ours, theirs] = silently(() =>
    time(rounds, [() => retargetClip(to.root, from.root, motion), () => make(other, from, motion)]),
  );
  silently(() => playAt(from, motion, 0.5));
  const live = createLiveRetargeter(to.root, from.root);
  const { mesh, skeleton, options } = namesForThree(other, from);
  const [liveOurs, liveTheirs] = time(rounds, [
    () => {
      for (let k = 0; k < LIVE_UPDATES; k++) live.update(1 / 60);
    },
    () => {
      for (let k = 0; k < LIVE_UPDATES; k++) retargetOfThree(mesh, skeleton, options);
    },
  ]);
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  for (let k = 0; k < 1000; k++) live.update(1 / 60);
  const bytes = process.memoryUsage().heapUsed - before;
  return {
    clip: { ours: ours!, theirs: theirs! },
    live: { ours: liveOurs! / LIVE_UPDATES, theirs: liveTheirs! / LIVE_UPDATES, bytes },
  };
}

/** A clip of about 1,800 frames: the keys of a short one again and again. */
function longer(clip: AnimationClip): AnimationClip {
  const long = clip.clone();
  const keys = Math.max(...clip.tracks.map(({ times }) => times.length));
  const times = Math.max(1, Math.ceil(1800 / keys));
  for (const track of long.tracks) {
    const count = track.times.length;
    if (count < 2) continue;
    const size = track.values.length / count;
    const allTimes = new Float32Array(count * times);
    const allValues = new Float32Array(count * times * size);
    const step = clip.duration + clip.duration / count;
    for (let n = 0; n < times; n++) {
      for (let k = 0; k < count; k++) allTimes[n * count + k] = n * step + track.times[k]!;
      allValues.set(track.values, n * count * size);
    }
    track.times = allTimes;
    track.values = allValues;
  }
  return long.resetDuration();
}

/** Rows of Markdown: time of three's own over ours, a column a case. The first row is the heading. */
export async function threeSpeedRows(rounds?: number): Promise<string[]> {
  const heading = ['times as fast as three.js', ...THREE_CASES.map(({ name }) => name)];
  const speeds: ThreeSpeed[] = [];
  for (const one of THREE_CASES) speeds.push(await measureThreeSpeed(one, rounds));
  const ratio = ({ ours, theirs }: { ours: number; theirs: number }) =>
    `${(theirs / ours).toFixed(0)} × (${ours.toFixed(ours < 1 ? 4 : 1)} ms)`;
  return [
    heading,
    heading.map(() => '---'),
    ['retargetClip, about 1,800 frames, set-up included', ...speeds.map(({ clip }) => ratio(clip))],
    ['live update', ...speeds.map(({ live }) => ratio(live))],
    ['bytes a live update', ...speeds.map(({ live }) => (live.bytes / 1000).toFixed(1))],
  ].map((cells) => `| ${cells.join(' | ')} |`);
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  if (!hasData) throw new Error('this bench needs the real characters of ../shared/data');
  for (const row of [...(await threeAccuracyRows()), '', ...(await threeSpeedRows())]) console.log(row);
}
