import { easeAt } from '../../base/math/easing.js';
import { STAND_RAMP } from '../../edits/constraints/compile-stand.js';
import type { ConstraintData, Stand } from '../../edits/constraints/compiled-constraint.js';
import type { GoalSetup } from '../../goals/goal-setup.js';
import type { Frame } from '../pass.js';

/** What may stand in a live motion: the feet that are watched for touching the ground. */
export function liveStandsOf(goals: GoalSetup | null): Stand[] {
  return (goals?.limbs ?? []).flatMap(({ kind, target }) =>
    kind === 'leg' ? [{ joint: target.end, start: 0, end: 0 }] : [],
  );
}

/** Tells how much everything stands that constraints hold, frame by frame; nothing while nobody watches feet. */
export type LiveStands = { read(frame: Frame): Float64Array; reset(): void };

/**
 * Follows which feet touch the ground, eased as the ramps of stands are: a foot that comes down or leaves is held, and
 * let go, over the same time as offline, only later by it, since nobody knows what comes.
 */
export function createLiveStands(goals: GoalSetup | null, { stands, plan }: ConstraintData): LiveStands {
  const limbs = stands.map(({ joint }) =>
    (goals?.limbs ?? []).findIndex(({ target }) => target.end === plan.joints[joint]),
  );
  const levels = new Float64Array(stands.length);
  const alphas = new Float64Array(stands.length);
  let isFirst = true;
  return {
    read({ goals: now, seconds }) {
      for (let n = 0; n < limbs.length; n++) {
        const touches = now && limbs[n]! >= 0 && now.free[limbs[n]!] === 0 ? 1 : 0;
        const most = isFirst ? 1 : seconds / STAND_RAMP;
        levels[n] = levels[n]! + Math.max(-most, Math.min(most, touches - levels[n]!));
        alphas[n] = easeAt('smoother', levels[n]!);
      }
      isFirst = false;
      return alphas;
    },
    reset() {
      isFirst = true;
    },
  };
}
