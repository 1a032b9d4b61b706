/*
 * stuntdouble/three beside three's own SkeletonUtils, in one run: how far limbs are off in the engine's world
 * space, and how long it takes.
 *
 *   node bench/dist/adapters-three.js
 */
import { pathToFileURL } from 'node:url';
import {
  createLiveRetargeter,
  readCharacter,
  retargetClip,
  retargetClips,
} from '@stuntdouble/adapters/three';
import {
  AnimationClip,
  type Bone,
  Group,
  type Interpolant,
  type KeyframeTrack,
  Object3D,
  QuaternionKeyframeTrack,
  VectorKeyframeTrack,
} from 'three';
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
import { countBytes } from './timing/count-bytes.js';
import { timeFrameFloor } from './timing/floors.js';

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
      silently(() => playAt(to, retargetClip(to.root, from.root, motion, PLAIN), 0.6 * motion.duration));
    }
    return measureInWorld(to, from, motion, (t, s, c) => retargetClip(t.root, s.root, c, PLAIN), isOpposite);
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

/** Times of one case in milliseconds, and how many bytes a live update takes. */
export type ThreeSpeed = {
  /** The first call of all, both characters understood on the way; three.js remembers nothing from call to call. */
  first: { ours: number; theirs: number };
  /** Each of several further calls with the same characters, each with another clip. */
  again: { ours: number; theirs: number };
  /** Each of many clips that are moved in one call. */
  many: { ours: number; theirs: number };
  /** The same at three's frame rate: baked whether keys could be kept or not. */
  alike: { ours: number; theirs: number };
  /** A further call with the defaults: feet and hands corrected. */
  corrected: { ours: number; theirs: number };
  /** By which way the clip was moved. */
  way: string;
  /**
   * One live update; of that, what three.js takes to set as many rotations and compute their Euler angles; how many joints
   * the larger body has.
   */
  live: { ours: number; theirs: number; setting: number; size: number; bytes: number };
};

/** The work of three's own functions: turns and root are copied. The defaults correct feet and hands besides. */
const PLAIN = { corrections: 'none' } as const;

const LIVE_UPDATES = 1000;

/** So many clips are moved one after another in calls of their own. */
const IN_A_ROW = 8;

/** So many clips are moved in one call: both characters are understood once for all of them. */
const MANY = 16;

/** So many times both characters are loaded, to be met for the first time. */
const LOADS = 3;

/** Measures the speed on one case; the live target is updated 1,000 times a round. */
export async function measureThreeSpeed(one: ThreeCase, rounds = 15): Promise<ThreeSpeed> {
  let first = Number.POSITIVE_INFINITY;
  for (let load = 0; load < LOADS; load++) {
    const from = await one.source();
    const to = await one.target();
    const motion = denseClip(clipOf(from, one.clip), from);
    const [call] = silently(() => time(1, [() => retargetClip(to.root, from.root, motion, PLAIN)]));
    first = Math.min(first, call!);
  }
  const from = await one.source();
  const to = await one.target();
  const other = await one.target();
  const motion = denseClip(clipOf(from, one.clip), from);
  const others = Array.from({ length: IN_A_ROW }, (_, n) => {
    const clip = motion.clone();
    clip.name = `${motion.name} ${n}`;
    return clip;
  });
  const many = Array.from({ length: MANY }, () => motion);
  let way = '';
  const make = createClipMakerOfThree(other, from);
  const [again, together, alike, corrected, theirs] = silently(() =>
    time(rounds, [
      () => {
        for (const clip of others)
          way = retargetClips(to.root, from.root, [clip], PLAIN).report.clips[0]!.way;
      },
      () => retargetClips(to.root, from.root, many, PLAIN),
      () => retargetClips(to.root, from.root, many, { ...PLAIN, frameRate: FRAME_RATE }),
      () => retargetClip(to.root, from.root, motion),
      () => make(other, from, motion),
    ]),
  ) as [number, number, number, number, number];
  const move = createMover(from, motion);
  const live = createLiveRetargeter(to.root, from.root, PLAIN);
  const { mesh, skeleton, options } = namesForThree(other, from);
  const driven = new Set(live.setup.map.joints.map(({ target }) => target));
  // Those of objects of their own: the avatar's are ours to set.
  const turns = readCharacter(to.root).objects.flatMap(({ quaternion }, joint) =>
    driven.has(joint) ? [new Object3D().quaternion.copy(quaternion)] : [],
  );
  const [liveOurs, liveTheirs, setting] = time(rounds, [
    () => {
      for (let k = 0; k < LIVE_UPDATES; k++) {
        move(k);
        live.update(1 / 60);
      }
    },
    () => {
      for (let k = 0; k < LIVE_UPDATES; k++) {
        move(k);
        retargetOfThree(mesh, skeleton, options);
      }
    },
    () => {
      for (let k = 0; k < LIVE_UPDATES; k++)
        for (const turn of turns) turn.set(-turn.x, -turn.y, -turn.z, -turn.w);
    },
  ]) as [number, number, number];
  const bytes = countBytes((k) => {
    move(k);
    live.update(1 / 60);
  });
  return {
    first: { ours: first, theirs },
    again: { ours: again / IN_A_ROW, theirs },
    many: { ours: together / MANY, theirs },
    alike: { ours: alike / MANY, theirs },
    corrected: { ours: corrected, theirs },
    way,
    live: {
      ours: liveOurs / LIVE_UPDATES,
      theirs: liveTheirs / LIVE_UPDATES,
      setting: setting / LIVE_UPDATES,
      size: Math.max(live.setup.source.skeleton.names.length, live.setup.target.skeleton.names.length),
      bytes,
    },
  };
}

/** Poses a source as it is at two instants in turn. Written behind three's back, which costs a tenth of an update. */
function createMover({ root }: Actor, motion: AnimationClip): (k: number) => void {
  const { objects } = readCharacter(root);
  type Fields = { _x: number; _y: number; _z: number; _w: number };
  const turns = objects.map(({ quaternion }) => quaternion as unknown as Fields);
  const poses = [0.3, 0.5].map((instant) => {
    silently(() => playAt({ root }, motion, instant));
    return Float64Array.from(objects.flatMap(({ quaternion }) => quaternion.toArray()));
  });
  return (k) => {
    const pose = poses[k % 2]!;
    for (let j = 0; j < turns.length; j++) {
      const turn = turns[j]!;
      turn._x = pose[4 * j]!;
      turn._y = pose[4 * j + 1]!;
      turn._z = pose[4 * j + 2]!;
      turn._w = pose[4 * j + 3]!;
    }
  };
}

const FRAMES = 1800;
const FRAME_RATE = 30;

/**
 * A minute of a short clip, again and again, with a key a frame as captures have them: every rotation, and the
 * translation of the one bone that travels farthest.
 */
function denseClip(clip: AnimationClip, { root }: Actor): AnimationClip {
  const times = Float32Array.from({ length: FRAMES }, (_, k) => k / FRAME_RATE);
  const turns = clip.tracks.filter(({ name }) => name.endsWith('.quaternion'));
  // Cameras travel too, and farther.
  const isBone = (name: string) => (root.getObjectByName(name) as Bone | undefined)?.isBone === true;
  const moves = clip.tracks.filter(
    ({ name }) => name.endsWith('.position') && isBone(name.slice(0, -'.position'.length)),
  );
  const reachOf = ({ values }: KeyframeTrack) => Math.max(...values) - Math.min(...values);
  const travel = moves.sort((a, b) => reachOf(b) - reachOf(a)).slice(0, 1);
  const tracks = [...turns, ...travel].map((track) => {
    const size = track.getValueSize();
    const values = new Float32Array(size * FRAMES);
    const interpolant = (track as KeyframeTrack & { createInterpolant(): Interpolant }).createInterpolant();
    for (let k = 0; k < FRAMES; k++) values.set(interpolant.evaluate(times[k]! % clip.duration), k * size);
    const Keys = size === 4 ? QuaternionKeyframeTrack : VectorKeyframeTrack;
    return new Keys(track.name, times, values);
  });
  return new AnimationClip(clip.name, -1, tracks);
}

/** Rows of Markdown: time of three's own over ours, a column a case. The first row is the heading. */
export async function threeSpeedRows(rounds?: number): Promise<string[]> {
  const heading = ['times as fast as three.js', ...THREE_CASES.map(({ name }) => name)];
  const speeds: ThreeSpeed[] = [];
  for (const one of THREE_CASES) speeds.push(await measureThreeSpeed(one, rounds));
  const floor = timeFrameFloor();
  const ratio = ({ ours, theirs }: { ours: number; theirs: number }) =>
    `${(theirs / ours).toFixed(0)} × (${ours.toFixed(ours < 1 ? 4 : 1)} ms)`;
  return [
    heading,
    heading.map(() => '---'),
    [
      "corrections: 'none': first call of all, 1,800 frames, both characters new",
      ...speeds.map(({ first }) => ratio(first)),
    ],
    [
      "corrections: 'none': each further call, another clip",
      ...speeds.map(({ again, way }) => `${ratio(again)}, ${way}`),
    ],
    [`corrections: 'none': each of ${MANY} clips in one call`, ...speeds.map(({ many }) => ratio(many))],
    ['the same, baked at 30 frames a second', ...speeds.map(({ alike }) => ratio(alike))],
    [
      'each further call with the defaults, feet and hands corrected',
      ...speeds.map(({ corrected }) => ratio(corrected)),
    ],
    ["corrections: 'none': live update", ...speeds.map(({ live }) => ratio(live))],
    [
      'in frame floors of the larger body; without what three.js takes to set rotations',
      ...speeds.map(({ live: { ours, setting, size } }) =>
        [ours, ours - setting].map((each) => `${(each / (size * floor)).toFixed(1)} ×`).join('; '),
      ),
    ],
    ['bytes a live update', ...speeds.map(({ live }) => live.bytes.toFixed(1))],
  ].map((cells) => `| ${cells.join(' | ')} |`);
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  if (!hasData) throw new Error('this bench needs the real characters of ../shared/data');
  for (const row of [...(await threeAccuracyRows()), '', ...(await threeSpeedRows())]) console.log(row);
}
