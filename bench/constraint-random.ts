import {
  CONSTRAINT_KINDS,
  type Constraint,
  type ConstraintStep,
  compileConstraints,
  copyPose,
  createConstraintStep,
  type Pose,
  STEP_BUDGET,
  type Vec3,
} from '@stuntdouble/core/engine';
import { read } from '@stuntdouble/formats';
import { bakeConstraints } from './cases/bake-constraints.js';
import { type ConstrainedMotion, poseOf, prepareMotion, RATE } from './cases/constraint-cases.js';
import { jumpOf, track } from './cases/constraint-tracks.js';
import { seededRandom } from './cases/solver-cases.js';
import { findQualityFile } from './quality-files.js';
import { processorClock } from './timing/time-contenders.js';

/*
 * Random sets of constraints of every kind on any joints, near and wildly far, contradicting each other: no number may
 * be none, no frame may take more steps than it may; over all frames, how much velocities jump.
 *
 *   node bench/dist/constraint-random.js [SETS [TIMED SETS [FROM]]]
 *
 * 1,000 sets of one frame and 20 over all frames of a motion if left out; with FROM the sets from that one on, so that
 * many can be run in pieces.
 */

const JOINTS = [
  'rightHand',
  'leftHand',
  'head',
  'leftFoot',
  'rightFoot',
  'rightLowerArm',
  'chest',
  'leftLowerLeg',
  'hips',
];

/** A random set; `size` is how far goals are away, in heights of the body. */
export function randomConstraints(random: () => number, duration: number, size: number): Constraint[] {
  const pick = <T>(list: readonly T[]): T =>
    list[Math.min(list.length - 1, Math.floor(random() * list.length))]!;
  const vector = (): Vec3 => [size, size, size].map((x) => (2 * random() - 1) * x) as Vec3;
  return Array.from({ length: 1 + Math.floor(8 * random()) }, (): Constraint => {
    const kind = pick(CONSTRAINT_KINDS);
    const joint = pick(JOINTS);
    const other = pick(JOINTS.filter((each) => each !== joint));
    const begin = random() * Math.max(0, duration - 1);
    const ramp = 0.2 + 0.3 * random();
    const shared = {
      kind,
      joint,
      unit: 'height' as const,
      space: 'copied' as const,
      level: Math.floor(3 * random()),
      times: { in: begin, start: begin + ramp, end: begin + ramp + 0.3, out: begin + 2 * ramp + 0.3 },
    };
    if (kind === 'plane')
      return {
        ...shared,
        space: 'model',
        side: pick(['above', 'on', 'below'] as const),
        goal: { normal: vector().map((x) => x + 1e-3) as Vec3, height: random() },
      };
    if (kind === 'orientation') return { ...shared, goal: { degrees: vector().map((x) => 150 * x) as Vec3 } };
    if (kind === 'relative')
      return { ...shared, goal: { joint: other, offset: vector(), axes: pick(['model', 'joint'] as const) } };
    if (kind === 'distance')
      return {
        ...shared,
        length: random(),
        bound: pick(['equal', 'atMost', 'atLeast'] as const),
        goal: random() < 0.5 ? { joint: other } : { place: vector() },
      };
    if (kind === 'lock') return shared;
    if (kind === 'balance') {
      const { joint: _, ...whole } = shared;
      return whole;
    }
    return { ...shared, goal: { place: vector() } };
  });
}

/** How far goals are away, in heights of the body. */
const NEAR_GOALS = 0.08;
const FAR_GOALS = 0.6;

/** How many times as much the velocity of a joint jumps as without constraints, at most, in a set of goals so far away. */
type Jump = { away: number; times: number; alone: number };

/** The middle, the worst of a hundred, and the worst of some jumps. */
function sumUp(jumps: readonly number[]): string {
  const times = [...jumps].sort((a, b) => a - b);
  const at = (share: number) =>
    times[Math.min(times.length - 1, Math.floor(share * times.length))]?.toFixed(2);
  return `${times.length} sets: median ×${at(0.5)}, p99 ×${at(0.99)}, worst ×${at(1)}; over ×3: ${times.filter((x) => x > 3).length}`;
}

/** Runs sets over a motion: all frames of it, or one; the first `from` of the sets are drawn and passed over. */
export function runRandom(motion: ConstrainedMotion, sets: number, whole: boolean, seed: number, from = 0) {
  const random = seededRandom(seed);
  const { body, clip, frames, stands, duration } = motion;
  const found = {
    sets: sets - from,
    frames: 0,
    broken: 0,
    over: 0,
    cut: 0,
    mostSteps: 0,
    longest: 0,
    /** Frames in which a constraint counts in full; missed; and missed though the frame for itself would have met it. */
    full: 0,
    missed: 0,
    givenUp: 0,
    jumps: [] as Jump[],
  };
  const joints = Int32Array.from(body.skeleton.names, (_, joint) => joint);
  const jumpBefore = whole ? jumpOf(track(body.skeleton, frames, joints)) : 0;
  for (let n = 0; n < sets; n++) {
    const away = random() < 0.5 ? NEAR_GOALS : FAR_GOALS;
    const document = randomConstraints(random, duration, away);
    const held = random() < 0.7 ? stands : [];
    const k = whole ? 0 : Math.floor(random() * frames.length);
    if (n < from) continue;
    const data = compileConstraints(body, document, { duration, frameRate: RATE, stands: held });
    const note = (step: ConstraintStep, pose: Pose): void => {
      found.frames++;
      if (!pose.rotations.every(Number.isFinite) || !pose.translations.every(Number.isFinite)) found.broken++;
      if (step.steps() > STEP_BUDGET) found.over++;
      if (step.isCut()) found.cut++;
      found.mostSteps = Math.max(found.mostSteps, step.steps());
    };
    if (whole) {
      const full = new Map<string, boolean>();
      const { alone, poses } = bakeConstraints(motion, data, (step, pose, k, isLast) => {
        if (isLast) note(step, pose);
        step.alphas.forEach((alpha, c) => {
          if (alpha < 1) return;
          const isMissed = step.misses[c]! > 1e-4 * body.height;
          if (!isLast) full.set(`${k} ${c}`, isMissed);
          else {
            found.full++;
            if (isMissed) found.missed++;
            if (isMissed && full.get(`${k} ${c}`) === false) found.givenUp++;
          }
        });
      });
      const times = (list: readonly Pose[]) => jumpOf(track(body.skeleton, list, joints)) / jumpBefore;
      found.jumps.push({ away, times: times(poses), alone: times(alone) });
      continue;
    }
    const step = createConstraintStep(data);
    for (const time of data.looks) step.look(poseOf(body, clip, time), time);
    const pose = copyPose(frames[k]!);
    const began = processorClock();
    step(pose, k / RATE);
    found.longest = Math.max(found.longest, processorClock() - began);
    note(step, pose);
  }
  return found;
}

if (process.argv[1]?.endsWith('constraint-random.js')) {
  const source = await read(findQualityFile('samples/motions/jump.glb')!);
  const target = await read(findQualityFile('samples/characters/goblin.glb')!);
  const motion = prepareMotion('jump → goblin', source, target);
  const [sets, timed, first] = process.argv.slice(2).map(Number);
  console.log('one frame', runRandom(motion, sets ?? 1000, false, 1, first));
  const { jumps, ...whole } = runRandom(motion, timed ?? 20, true, 2, first);
  console.log('all frames', whole);
  for (const away of [NEAR_GOALS, FAR_GOALS]) {
    const some = jumps.filter((jump) => jump.away === away);
    console.log(
      `velocity jumps, goals ${100 * away} % of the height away, baked:`,
      sumUp(some.map(({ times }) => times)),
    );
    console.log('  every frame for itself:', sumUp(some.map(({ alone }) => alone)));
  }
}
