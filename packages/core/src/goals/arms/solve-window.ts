import { didWork } from '../../base/watch-work.js';
import { slotOf } from '../plan/planning.js';
import { type ArmNodes, type ArmSpan, nodesOf, spreadFound } from './arm-nodes.js';
import type { ArmSetup } from './arm-setup.js';
import { UNKNOWNS } from './arm-state.js';
import {
  type ArmWindow,
  addFrame,
  beginRound,
  createArmWindow,
  endRound,
  hasMoved,
  holdFrame,
  keepFrame,
} from './arm-window.js';
import { type ArmLook, LOOK_STRIDE, lookAtArms, system } from './look-at-arms.js';

/**
 * The rounds in which a window is solved: how many frames apart; frames within which what changes is as dear as what is,
 * λ·n⁴·|x″|²; and how much what is carried counts. What is asked bends with where the arms are, and of several ways out
 * all frames shall take the same: so the first rounds are calmer than the last, and every third frame is enough for
 * them. What is carried counts little at first: arms come out of the body, then together before it. The last is the
 * eighth: where an arm is out it is asked nothing and comes back, so that every other round is nearer to what all come to
 * (idling, after 7, 8 and 9 rounds: 1.9, 0.9 and 1.8 mm from it).
 */
const ARM_ROUNDS: readonly (readonly [apart: number, calm: number, carry: number])[] = [
  [LOOK_STRIDE, 24, 0.02],
  [LOOK_STRIDE, 16, 0.05],
  [LOOK_STRIDE, 12, 0.1],
  [LOOK_STRIDE, 9, 0.2],
  [LOOK_STRIDE, 8, 0.4],
  [LOOK_STRIDE, 8, 0.7],
  [1, 8, 1],
  [1, 8, 1],
];

/** The corrections of both arms in some frames. */
type Solved = { nodes: ArmNodes; windows: readonly [ArmWindow, ArmWindow] };

/**
 * Finds the corrections of all frames of a span together.
 * @param limbs Limbs of the arms that are to be corrected, −1 for one that stays as it is.
 * @returns Per hand {@link UNKNOWNS} numbers a frame.
 */
export function solveWindow(
  look: ArmLook,
  span: ArmSpan,
  limbs: ArmSetup['limbs'],
): readonly [Float64Array, Float64Array] {
  const { first, last } = span;
  const carries = look.arms.found.carries.some((carry) => carry.first <= last && carry.last >= first);
  let solved: Solved = beginStride(span, ARM_ROUNDS[0]![0], null);
  ARM_ROUNDS.forEach(([apart, calm, carry], round) => {
    const isNew = round === 0 || apart !== solved.nodes.stride;
    if (round > 0 && isNew) solved = beginStride(span, apart, solved);
    solveRound(look, solved, limbs, { calm, carry, isNew: isNew || carries, last });
  });
  return [solved.windows[0].found, solved.windows[1].found];
}

/** Room for what is found so many frames apart, from what was found farther apart on. */
function beginStride(span: ArmSpan, apart: number, before: Solved | null): Solved {
  const nodes = nodesOf(span, apart);
  const windows = [
    createArmWindow(nodes.count, span.isOpen),
    createArmWindow(nodes.count, span.isOpen),
  ] as const;
  for (let hand = 0; hand < 2 && before; hand++)
    spreadFound(windows[hand]!.found, nodes, before.windows[hand]!.found, before.nodes, span.isOpen);
  return { nodes, windows };
}

/** Looks at all nodes in which an arm has moved since it was looked at there, or all, and solves them once. */
function solveRound(
  look: ArmLook,
  { nodes, windows }: Solved,
  limbs: ArmSetup['limbs'],
  { calm, carry, isNew, last }: { calm: number; carry: number; isNew: boolean; last: number },
): void {
  const { arms, planning } = look;
  const { plan, goals } = planning;
  const found = [windows[0].found, windows[1].found] as const;
  for (let hand = 0; hand < 2; hand++) if (limbs[hand]! >= 0) beginRound(windows[hand]!, calm, nodes.stride);
  for (let f = 0; f < nodes.count; f++) {
    const k = nodes.begin + nodes.stride * f;
    if (k > last || arms.slots[k]! < 0) continue;
    // Equations hold for a while: a frame is looked at again where an arm has moved.
    if (isNew || hasMoved(windows[0], f) || hasMoved(windows[1], f)) {
      lookAtArms(look, k, limbs, found, UNKNOWNS * f, carry);
      for (let hand = 0; hand < 2; hand++) keepFrame(windows[hand]!, system, hand, f);
      didWork(10);
    }
    for (let hand = 0; hand < 2; hand++) {
      const n = limbs[hand]!;
      if (n < 0) continue;
      addFrame(windows[hand]!, f);
      const hold = plan.holds[slotOf(goals.limbs.length, k, n)]!;
      if (hold > 0) holdFrame(windows[hand]!, f, hold);
    }
  }
  didWork(nodes.count);
  for (let hand = 0; hand < 2; hand++) if (limbs[hand]! >= 0) endRound(windows[hand]!);
}
