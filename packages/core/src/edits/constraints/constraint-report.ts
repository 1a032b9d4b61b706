import type { EditWarning } from '../edit-warnings.js';
import type { ConstraintData } from './compiled-constraint.js';
import type { ConstraintStep } from './constraint-step.js';
import type { RampTimes } from './ramp.js';

/** How one constraint of a document came out. Lengths in metres, turns in radians. */
export type ConstraintResult = {
  /** Where it stands in the document, and what it is called. */
  index: number;
  name: string;
  /** The joint's name; empty for balance. */
  joint: string;
  /** When it counted: seconds of the result, events found. */
  times: RampTimes;
  /** `idle`: it never counted in full, or its goal was no number. */
  state: 'met' | 'missed' | 'idle';
  /** Frames in which it counted in full, and those of them in which it was missed. */
  frames: number;
  missed: number;
  /** The largest miss of those, when that was, and the mean of the missed ones. */
  worst: number;
  worstTime: number;
  mean: number;
};

/** Collects how constraints come out, frame by frame. */
export type ConstraintReport = {
  /** Takes what the step says of the frame that it just changed. Allocates nothing. */
  note(time: number): void;
  finish(): { results: ConstraintResult[]; warnings: EditWarning[] };
};

/** Within this of the height, or as many radians, a constraint is met: 0.01 %. */
const MET = 1e-4;

/** Makes a report of a step. */
export function createConstraintReport(data: ConstraintData, step: ConstraintStep): ConstraintReport {
  const count = data.constraints.length;
  const frames = new Int32Array(count);
  const missed = new Int32Array(count);
  const worst = new Float64Array(count);
  const worstTimes = new Float64Array(count);
  const sums = new Float64Array(count);
  let cut = 0;
  return {
    note(time) {
      if (step.isCut()) cut++;
      for (let n = 0; n < count; n++) {
        if (step.alphas[n]! < 1) continue;
        frames[n] = frames[n]! + 1;
        const miss = step.misses[n]!;
        if (miss > worst[n]!) {
          worst[n] = miss;
          worstTimes[n] = time;
        }
        if (!(miss > toleranceOf(data, n))) continue;
        missed[n] = missed[n]! + 1;
        sums[n] = sums[n]! + miss;
      }
    },
    finish() {
      const warnings: EditWarning[] = [];
      const results = data.constraints.map(({ index, name, joint, task, times }, n): ConstraintResult => {
        const turns = task.kind === 'turn' || task.kind === 'look';
        const mean = missed[n]! > 0 ? sums[n]! / missed[n]! : 0;
        if (missed[n]! > 0)
          warnings.push({
            code: 'constraint-missed',
            message: `constraint "${name}" was missed in ${missed[n]} of ${frames[n]} frames by ${
              turns ? `${((mean * 180) / Math.PI).toFixed(1)}°` : `${(100 * mean).toFixed(1)} cm`
            } on average, most at ${worstTimes[n]!.toFixed(2)} s: it is out of reach, or another one of its level or above forbids it`,
          });
        return {
          index,
          name,
          joint: joint < 0 ? '' : data.plan.skeleton.names[joint]!,
          times,
          state: frames[n] === 0 ? 'idle' : missed[n]! > 0 ? 'missed' : 'met',
          frames: frames[n]!,
          missed: missed[n]!,
          worst: worst[n]!,
          worstTime: worstTimes[n]!,
          mean,
        };
      });
      if (cut > 0)
        warnings.push({
          code: 'constraint-not-settled',
          message: `${cut} frame${cut > 1 ? 's' : ''} took more steps than a frame may; the best poses so far were kept`,
        });
      return { results, warnings };
    },
  };
}

function toleranceOf({ constraints, plan }: ConstraintData, n: number): number {
  const { kind } = constraints[n]!.task;
  return kind === 'turn' || kind === 'look' ? MET : MET * plan.height;
}
