import { divideQuaternions, multiplyQuaternions } from '../../base/math/quaternion.js';
import { quaternionOfVector, vectorOfQuaternion } from '../../base/math/rotation-vectors.js';
import type { ConstraintData } from './compiled-constraint.js';
import { placeOf } from './solve/gather-task.js';
import { type MovingBody, resetBody, updateBody } from './solve/moving-body.js';
import { isAncestorInTree } from './solve/tree-path.js';

/*
 * Ramps as Monzani et al. have them (§3.3, M17), to show and to compare, never by default. In two passes: the first,
 * without ramps, gives key postures. Then on the way in the end effector goes along the straight line from where it
 * was at `in` to the goal at `start`, both frozen, and is solved for; on the way out the angles of the chain from
 * effector to root go straight from the posture at `end` to the one at `out`, both frozen. Both are linear, so that
 * speed jumps at all four times (MP2); what was captured on the ramp is lost; and on the way out nothing holds the
 * feet (MP3). The text calls the last time smooth_out and smooth_end; they are one.
 */

/** The ramps of those constraints that ask for it. */
export type PaperRamps = {
  /** 1 where the constraint is solved for: from `in` to `end`. */
  alphaAt(n: number, time: number): number;
  /** Puts the goal on the line, on the way in. */
  moveGoal(n: number, goal: Float64Array, time: number): void;
  /** Whether some constraint is on its way out. */
  isOut(time: number): boolean;
  /** Interpolates the chains of those on their way out. */
  moveBody(time: number): void;
  /** Takes what the first pass gives at a time. */
  look(time: number, solve: () => void): void;
};

type RampChain = {
  begin: Float64Array;
  end: Float64Array;
  out: Float64Array;
  joints: number[];
  endPlace: Float64Array;
  outPlace: Float64Array;
};

const same = (a: number, b: number) => Math.abs(a - b) < 1e-6;

/** Room for the ramps of the paper; every part does nothing where no constraint asks for them. */
export function createPaperRamps({ constraints, plan }: ConstraintData, body: MovingBody): PaperRamps {
  const count = plan.joints.length;
  const chains = constraints.map((each): RampChain | null =>
    each.ramp !== 'paper'
      ? null
      : {
          begin: new Float64Array(3).fill(Number.NaN),
          end: new Float64Array(4 * count).fill(Number.NaN),
          out: new Float64Array(4 * count).fill(Number.NaN),
          endPlace: new Float64Array(3),
          outPlace: new Float64Array(3),
          joints: Array.from({ length: count }, (_, i) => i).filter((i) =>
            isAncestorInTree(plan.parents, i, each.task.joint),
          ),
        },
  );
  const turn = new Float64Array(4);
  const vector = new Float64Array(3);
  const place = new Float64Array(3);
  const hipsOf = (out: Float64Array) => {
    if (plan.hips >= 0) for (let c = 0; c < 3; c++) out[c] = body.positions[3 * plan.hips + c]!;
  };
  return {
    alphaAt: (n, time) =>
      time > constraints[n]!.times.in + 1e-6 && time <= constraints[n]!.times.end + 1e-6 ? 1 : 0,
    moveGoal(n, goal, time) {
      const { times, task } = constraints[n]!;
      const chain = chains[n]!;
      if (!chain || task.kind !== 'point' || time >= times.start - 1e-6 || !Number.isFinite(chain.begin[0]!))
        return;
      const u = (time - times.in) / (times.start - times.in);
      for (let c = 0; c < 3; c++) goal[c] = chain.begin[c]! + u * (goal[c]! - chain.begin[c]!);
    },
    isOut: (time) =>
      constraints.some(
        ({ ramp, times }) => ramp === 'paper' && time > times.end + 1e-6 && time < times.out - 1e-6,
      ),
    moveBody(time) {
      for (let n = 0; n < chains.length; n++) {
        const chain = chains[n];
        const { times } = constraints[n]!;
        if (!chain || time <= times.end + 1e-6 || time >= times.out - 1e-6) continue;
        if (!Number.isFinite(chain.end[0]! + chain.out[0]!)) continue;
        const u = (time - times.end) / (times.out - times.end);
        for (const i of chain.joints) {
          divideQuaternions(turn, 0, chain.end, 4 * i, chain.out, 4 * i);
          vectorOfQuaternion(vector, 0, turn);
          for (let c = 0; c < 3; c++) vector[c] = u * vector[c]!;
          quaternionOfVector(turn, 0, vector, 0);
          multiplyQuaternions(body.locals, 4 * i, chain.end, 4 * i, turn, 0);
        }
        updateBody(body);
        if (plan.hips < 0) continue;
        hipsOf(place);
        for (let c = 0; c < 3; c++)
          body.place[c] =
            body.place[c]! + chain.endPlace[c]! + u * (chain.outPlace[c]! - chain.endPlace[c]!) - place[c]!;
        updateBody(body);
      }
    },
    look(time, solve) {
      for (let n = 0; n < chains.length; n++) {
        const chain = chains[n];
        if (!chain) continue;
        const { times, task, offset } = constraints[n]!;
        if (same(times.in, time)) {
          resetBody(body);
          placeOf(chain.begin, body, task.joint, offset);
        }
        if (same(times.end, time)) {
          resetBody(body);
          solve();
          chain.end.set(body.locals);
          hipsOf(chain.endPlace);
        }
        if (same(times.out, time)) {
          resetBody(body);
          chain.out.set(body.locals);
          hipsOf(chain.outPlace);
        }
      }
    },
  };
}
