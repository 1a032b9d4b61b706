import { DEGREE } from '../../base/math/angles.js';
import type { EditWarning } from '../edit-warnings.js';
import type { ConstraintData } from './compiled-constraint.js';
import type { ConstraintStep } from './constraint-step.js';
import type { RampTimes } from './ramp.js';
import type { TaskKind } from './solve/task.js';

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
  /** Over time how much it counted, 0 to 1, and by how much it was missed; see {@link ConstraintCurve}. */
  curve: ConstraintCurve;
};

/**
 * A constraint over time, for curves: the frames in which it counted at all, of a long clip every so many of them, each
 * the one with the largest miss. On a ramp it is not asked for in full, so that a miss there is no fault.
 */
export type ConstraintCurve = {
  /** What misses are told in. */
  unit: 'metres' | 'radians';
  times: number[];
  alphas: number[];
  misses: number[];
};

/** Collects how constraints come out, frame by frame. */
export type ConstraintReport = {
  /** Takes what the step says of the frame that it just changed. */
  note(time: number): void;
  finish(): { results: ConstraintResult[]; warnings: EditWarning[] };
};

/** More instants than this are not kept of a curve. */
const MOST_CURVE_INSTANTS = 600;

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
  const curves = data.constraints.map(({ task }) => createCurve(task.kind));
  let cut = 0;
  return {
    note(time) {
      if (step.isCut()) cut++;
      for (let n = 0; n < count; n++) {
        if (step.alphas[n]! > 0) curves[n]!.note(time, step.alphas[n]!, step.misses[n]!);
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
        const turns = isTurn(task.kind);
        const mean = missed[n]! > 0 ? sums[n]! / missed[n]! : 0;
        if (missed[n]! > 0)
          warnings.push({
            code: 'constraint-missed',
            message: `constraint "${name}" was missed in ${missed[n]} of ${frames[n]} frames by ${missText(mean, turns ? 'radians' : 'metres')} on average, most at ${worstTimes[n]!.toFixed(2)} s: it is out of reach, another one of its level or above forbids it, or the motion would jump for it`,
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
          curve: curves[n]!.finish(),
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

/**
 * Collects a curve. Where there are twice as many instants as are kept, every second one goes, the better of two: so a
 * clip of any length takes the room of a short one, and its worst instants stay.
 */
function createCurve(kind: TaskKind) {
  const curve: ConstraintCurve = {
    unit: isTurn(kind) ? 'radians' : 'metres',
    times: [],
    alphas: [],
    misses: [],
  };
  const halve = (): void => {
    const count = curve.times.length;
    for (let k = 0; 2 * k < count; k++) {
      const from = 2 * k + 1 < count && curve.misses[2 * k + 1]! > curve.misses[2 * k]! ? 2 * k + 1 : 2 * k;
      for (const list of [curve.times, curve.alphas, curve.misses]) list[k] = list[from]!;
    }
    for (const list of [curve.times, curve.alphas, curve.misses]) list.length = Math.ceil(count / 2);
  };
  return {
    note(time: number, alpha: number, miss: number): void {
      if (curve.times.length >= 2 * MOST_CURVE_INSTANTS) halve();
      curve.times.push(time);
      curve.alphas.push(alpha);
      curve.misses.push(miss);
    },
    finish(): ConstraintCurve {
      while (curve.times.length > MOST_CURVE_INSTANTS) halve();
      return curve;
    },
  };
}

/** By how much something is missed, for people: what is less than a millimetre or a tenth of a degree is told more finely. */
export function missText(miss: number, unit: ConstraintCurve['unit']): string {
  if (unit === 'metres')
    return miss < 1e-3 ? `${(1000 * miss).toFixed(2)} mm` : `${(100 * miss).toFixed(1)} cm`;
  const degrees = miss / DEGREE;
  return `${degrees.toFixed(degrees < 0.1 ? 3 : 1)}°`;
}

function isTurn(kind: TaskKind): boolean {
  return kind === 'turn' || kind === 'look';
}

function toleranceOf({ constraints, plan }: ConstraintData, n: number): number {
  return isTurn(constraints[n]!.task.kind) ? MET : MET * plan.height;
}
