import { carriersIn, isCarriedBy } from '../carrying-tree.js';
import type { EditedBody } from '../edited-body.js';
import type { CompiledConstraint, CompiledStand, Stand } from './compiled-constraint.js';
import { limbRootOf } from './limb-of.js';
import type { RampTimes } from './ramp.js';

/**
 * What stands is held with a ramp of so many seconds to either side, and through gaps that are shorter than this: a foot
 * goes from one step to the next as it was captured. Holding it is asking for what it does anyway, so that much of it does
 * no harm; but a body that is pulled hard and loses a foot moves, and with 0.1 s it did so by jumps (jerk ×5.8 of a walk
 * with a hand out of reach, ×2.8 with 0.25 s, ×1.4 held throughout). The ends of a clip are gaps too: one that ends in
 * the middle of a step, under a low ceiling, sank with that foot through the floor.
 */
export const STAND_RAMP = 0.3;
const STAND_GAP = 0.8;

function joinStands(stands: readonly Stand[], duration: number): RampTimes[] {
  const joined: { start: number; end: number }[] = [];
  for (const { start, end } of [...stands].sort((a, b) => a.start - b.start)) {
    const last = joined[joined.length - 1];
    if (last && start - last.end < STAND_GAP) last.end = Math.max(last.end, end);
    else joined.push({ start, end });
  }
  return joined.map(({ start, end }) => {
    const from = start < STAND_GAP ? Math.min(start, 0) : start;
    const to = duration - end < STAND_GAP ? Math.max(end, duration) : end;
    return { in: from - STAND_RAMP, start: from, end: to, out: to + STAND_RAMP };
  });
}

/** When a joint stands, and which constraints move its limb meanwhile. */
export function compileStand(
  body: EditedBody,
  joint: number,
  standing: readonly Stand[],
  constraints: readonly CompiledConstraint[],
  places: Int32Array,
  duration: number,
): CompiledStand {
  const root = limbRootOf(body, joint);
  const carriers = carriersIn(body);
  const rivals = constraints.filter(
    (each) =>
      each.joint >= 0 &&
      (isCarriedBy(carriers, root, each.joint) ||
        (each.task.other! >= 0 && isCarriedBy(carriers, root, places.indexOf(each.task.other!)))),
  );
  const isFoot =
    joint === body.joints.leftFoot ||
    joint === body.joints.rightFoot ||
    (body.parts?.[joint] ?? '').endsWith('Foot');
  return {
    joint: places[joint]!,
    turns: isFoot,
    times: joinStands(
      standing.filter((stand) => stand.joint === joint),
      duration,
    ),
    rivals: Int32Array.from(new Set(rivals.map(({ slot }) => slot))),
  };
}
