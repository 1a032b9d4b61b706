import { readFileSync, writeFileSync } from 'node:fs';
import {
  type ConstraintData,
  compileConstraints,
  copyPose,
  createConstraintStep,
} from '@stuntdouble/core/engine';
import { bakeConstraints } from './cases/bake-constraints.js';
import {
  CASES,
  type ConstrainedMotion,
  type ConstraintCase,
  MOTIONS,
  poseOf,
  RATE,
  readMotion,
} from './cases/constraint-cases.js';
import { jumpOf, track } from './cases/constraint-tracks.js';
import { createFrameFloor } from './timing/floors.js';
import { processorClock, timeContenders } from './timing/time-contenders.js';
import { BAKE, createWorkload } from './timing/workload.js';

/*
 * What constraints do to motions on bodies: how far they are missed, how smooth the result is, what a frame costs.
 *
 *   node --expose-gc bench/dist/constraints.js            prints the table
 *   node --expose-gc bench/dist/constraints.js --save     and keeps it in bench/constraints.md, before what stands there
 *                                                         of side-kick-cost.js and constraint-random.js
 */

/** How one case went. */
export type ConstraintScore = {
  /** The largest miss of a constraint that counts in full, in per cent of the height; and of what stands. */
  miss: number;
  /** Summed jerk of all joints concerned against that of the motion. */
  jerk: number;
  /** Largest change of velocity from frame to frame, metres a second; that with every frame for itself, as live; and that of the motion. */
  jump: number;
  jumpAlone: number;
  jumpBefore: number;
  steps: number;
  mostSteps: number;
  /** Frames that ran out of steps, and numbers that are none. */
  cut: number;
  broken: number;
  /** Microseconds of the processor a frame: each for itself, as live; and baked, with all that a bake looks back at. */
  live: number;
  baked: number;
};

/** How often what is timed is done; the least counts. */
const TURNS = 3;

/** Runs a case over a motion. */
export function scoreConstraints(
  motion: ConstrainedMotion,
  { constraints }: ConstraintCase,
): ConstraintScore {
  const { body, frames, stands, duration } = motion;
  const data = compileConstraints(body, constraints(motion), { duration, frameRate: RATE, stands });
  const score: ConstraintScore = {
    miss: 0,
    jerk: 1,
    jump: 0,
    jumpAlone: 0,
    jumpBefore: 0,
    steps: 0,
    mostSteps: 0,
    cut: 0,
    broken: 0,
    live: Number.POSITIVE_INFINITY,
    baked: Number.POSITIVE_INFINITY,
  };
  const { alone, poses } = bakeConstraints(motion, data, (step, pose, _, isLast) => {
    if (!isLast) return;
    for (let n = 0; n < step.misses.length; n++)
      if (step.alphas[n] === 1) score.miss = Math.max(score.miss, (100 * step.misses[n]!) / body.height);
    score.steps += step.steps() / frames.length;
    score.mostSteps = Math.max(score.mostSteps, step.steps());
    if (step.isCut()) score.cut++;
    if (!pose.rotations.every(Number.isFinite) || !pose.translations.every(Number.isFinite)) score.broken++;
  });
  for (let turn = 0; turn < TURNS; turn++) {
    const times = timeConstraints(motion, data);
    score.live = Math.min(score.live, times.live);
    score.baked = Math.min(score.baked, times.baked);
  }
  const before = track(body.skeleton, frames, data.plan.joints);
  const now = track(body.skeleton, poses, data.plan.joints);
  score.jumpAlone = jumpOf(track(body.skeleton, alone, data.plan.joints));
  score.jerk = jerkOf(now) / Math.max(jerkOf(before), 1e-12);
  score.jump = jumpOf(now);
  score.jumpBefore = jumpOf(before);
  return score;
}

/** What frames take, in microseconds: what runs has been compiled by then. */
function timeConstraints(motion: ConstrainedMotion, data: ConstraintData): { live: number; baked: number } {
  const { body, clip, frames } = motion;
  const step = createConstraintStep(data);
  for (const time of data.looks) step.look(poseOf(body, clip, time), time);
  const poses = frames.map(copyPose);
  const began = processorClock();
  poses.forEach((pose, k) => {
    step(pose, k / RATE);
  });
  const between = processorClock();
  let end = 0;
  bakeConstraints(motion, data, (_step, _pose, k, isLast) => {
    // The last run is there to be noted: a bake takes the one before it.
    if (isLast && k === 0) end = processorClock();
  });
  const perFrame = 1000 / frames.length;
  return { live: perFrame * (between - began), baked: perFrame * (end - between) };
}

function jerkOf(places: readonly Float64Array[]): number {
  let sum = 0;
  for (let k = 3; k < places.length; k++)
    for (let i = 0; i < places[k]!.length; i += 3)
      sum += Math.hypot(
        ...[i, i + 1, i + 2].map(
          (c) => places[k]![c]! - 3 * places[k - 1]![c]! + 3 * places[k - 2]![c]! - places[k - 3]![c]!,
        ),
      );
  return sum;
}

async function main(): Promise<void> {
  const lines = [
    '| motion | asked for | miss, % of height | jerk × | jump, m/s (alone, was) | steps, mean / most | cut, NaN | µs live | µs baked | live, of a floor frame |',
    '|---|---|---|---|---|---|---|---|---|---|',
  ];
  const [floor] = timeContenders([createFrameFloor(createWorkload(BAKE))], {
    rounds: 10,
    turn: 40,
    warmUp: 200,
    clock: processorClock,
  });
  const frame = floor!.milliseconds / BAKE.frames;
  for (const asked of MOTIONS) {
    const motion = await readMotion(asked);
    if (!motion) continue;
    for (const each of CASES) {
      const s = scoreConstraints(motion, each);
      lines.push(
        `| ${[
          motion.name,
          each.name,
          s.miss.toFixed(4),
          s.jerk.toFixed(2),
          `${s.jump.toFixed(2)} (${s.jumpAlone.toFixed(2)}, ${s.jumpBefore.toFixed(2)})`,
          `${s.steps.toFixed(1)} / ${s.mostSteps}`,
          `${s.cut}, ${s.broken}`,
          s.live.toFixed(0),
          s.baked.toFixed(0),
          `${(s.live / (1000 * frame)).toFixed(0)}×`,
        ].join(' | ')} |`,
      );
      console.log(lines.at(-1));
    }
  }
  if (!process.argv.includes('--save')) return;
  const text = `# Constraints

Motions at ${RATE} Hz on bodies of our own, with what is asked of them: *miss* is the largest of a constraint that counts
in full; *jerk* is summed over all joints concerned, against the motion before; *jump* the largest change of a joint's velocity
from one frame to the next, then that where every frame is solved for itself, as live, and that of the motion before; *steps* are those of the solver, a frame; *cut* are frames that ran
out of them. Times are microseconds of the processor for a frame, the least of ${TURNS} turns after one that compiles: each frame
for itself, as live; and baked, with all runs that looking back takes, one to seven of them. The last column is one frame
live over one of 65 joints of the frame floor in the same run. Made by \`node --expose-gc bench/dist/constraints.js --save\` on Node ${process.version}, ${new Date().toISOString().slice(0, 10)}, on a
machine with other work to do: read the ratios. Goals of the last three rows of each motion are beyond the arm's length by half
to one and a half times, wherever the body is turned to: the body bends for them as far as is worth it.

${lines.join('\n')}
`;
  const table = new URL('../constraints.md', import.meta.url);
  const before = readFileSync(table, 'utf8');
  const others = before.indexOf('\n## ');
  writeFileSync(table, others < 0 ? text : text + before.slice(others));
}

if (process.argv[1]?.endsWith('constraints.js')) await main();
