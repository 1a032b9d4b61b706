import { didWork } from '../../base/watch-work.js';
import { CONTACT_RATE } from '../../contacts/track-points.js';
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
  holdFrame,
  isStale,
  keepFrame,
  takeOver,
} from './arm-window.js';
import { type ArmLook, lookAtArms, system } from './look-at-arms.js';

/**
 * The rounds in which a window is solved: whether in every frame, or in those that are looked at closely; seconds within
 * which what changes is as dear as what is, λ·n⁴·|x″|²; and how much what is carried counts. What is asked bends with where the arms are, and of several ways out
 * all frames shall take the same: so the first rounds are calmer than the last, and every third of 60 frames is
 * enough for them. What is carried counts little at first: arms come out of the body, then together before it. The last is the
 * eighth: where an arm is out it is asked nothing and comes back, so that every other round is nearer to what all come to
 * (idling, after 7, 8 and 9 rounds: 1.9, 0.9 and 1.8 mm from it).
 */
const ARM_ROUNDS: readonly (readonly [isDense: boolean, calm: number, carry: number])[] = [
  [false, 0.4, 0.02],
  [false, 16 / 60, 0.05],
  [false, 0.2, 0.1],
  [false, 0.15, 0.2],
  [false, 8 / 60, 0.4],
  [false, 8 / 60, 0.7],
  [true, 8 / 60, 1],
  [true, 8 / 60, 1],
];
/** Rounds in every frame that are added where these are half as many: as long as what lies between them would take. */
const MORE_ROUNDS = 2;

/** Seconds within which it is as dear to go there as to be there: λ·n²·|x′|². */
const SLOW_WITHIN = 1 / 6;

/** The corrections of both arms in some frames. */
type Solved = {
  nodes: ArmNodes;
  windows: readonly [ArmWindow, ArmWindow];
  /** Per node how many frames its look stands for; 0 for one that is not looked at. */
  counts: Uint8Array;
};

/**
 * Finds the corrections of all frames of a span together.
 * @param limbs Limbs of the arms that are to be corrected, −1 for one that stays as it is.
 * @param copied What is asked of both arms as copied, in every frame of the clip that is looked at closely.
 * @returns Per hand {@link UNKNOWNS} numbers a frame.
 */
export function solveWindow(
  look: ArmLook,
  span: ArmSpan,
  limbs: ArmSetup['limbs'],
  copied: readonly [ArmWindow, ArmWindow],
): readonly [Float64Array, Float64Array] {
  const { first, last } = span;
  const { stride, rate } = look.arms;
  const carries = look.arms.found.carries.some((carry) => carry.first <= last && carry.last >= first);
  const busy = markBusy(look, span, limbs);
  let solved: Solved = beginStride(span, stride, null);
  // In the first round arms are as copied, and have been looked at there; where both are asked, as here.
  const { nodes, windows } = solved;
  for (
    let g = 0;
    g < nodes.count && limbs[0] === look.setup.limbs[0] && limbs[1] === look.setup.limbs[1];
    g++
  )
    for (let hand = 0; hand < 2; hand++) {
      const k = nodes.begin + nodes.stride * g;
      if (k < look.arms.count && look.arms.slots[k]! >= 0)
        takeOver(windows[hand]!, g, copied[hand]!, k / stride);
    }
  const rounds = ARM_ROUNDS.length + (rate < CONTACT_RATE ? MORE_ROUNDS : 0);
  for (let round = 0; round < rounds; round++) {
    const [isDense, calm, carry] = ARM_ROUNDS[Math.min(round, ARM_ROUNDS.length - 1)]!;
    if (isDense && solved.nodes.stride > 1) {
      solved = beginStride(span, 1, solved);
      countLooks(solved, busy, first, stride);
    }
    solveRound(look, solved, limbs, { calm: calm * rate, carry, isAll: carries, last });
  }
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
  for (let g = 0; before && g < before.nodes.count; g++) {
    // Rows that were found where an arm was in a node before hold for the same frame now.
    const f = (before.nodes.begin + before.nodes.stride * g - nodes.begin) / nodes.stride;
    for (let hand = 0; hand < 2 && f >= 0 && f < nodes.count; hand++)
      takeOver(windows[hand]!, f, before.windows[hand]!, g);
  }
  return { nodes, windows, counts: new Uint8Array(nodes.count).fill(1) };
}

/** Seconds before and after what hands do in which each frame is looked at: a touch counts in full from its first frame on. */
const BUSY_MARGIN = 0.1;

/** Per frame of a span 1 where hands touch, carry or stand, or are about to; null where they never do. */
function markBusy(
  { busy, planning: { plan, goals } }: ArmLook,
  { first, last }: ArmSpan,
  limbs: ArmSetup['limbs'],
): Uint8Array | null {
  const margin = Math.round(BUSY_MARGIN * plan.rate);
  let marked: Uint8Array | null = null;
  let until = first - 1;
  for (let k = Math.max(0, first - margin); k < Math.min(plan.count, last + 1 + margin); k++) {
    let isBusy = busy[k] === 1;
    for (let hand = 0; hand < 2; hand++) {
      const n = limbs[hand]!;
      if (n >= 0 && plan.holds[slotOf(goals.limbs.length, k, n)]! > 0) isBusy = true;
    }
    if (!isBusy) continue;
    marked ??= new Uint8Array(last - first + 1);
    const from = Math.max(until + 1, k - margin);
    until = Math.min(last, k + margin);
    marked.fill(1, Math.max(0, from - first), until - first + 1);
  }
  return marked;
}

/**
 * Says which frames are looked at where all are solved: those that are looked at closely, each of which stands for its neighbours where these are not.
 * All are where hands are busy, and where something is asked in one of those beside them; where nothing is, corrections that
 * are calm over an eighth of a second bring no arm into the body and out again between two.
 */
function countLooks(
  { nodes: { begin, count }, windows, counts }: Solved,
  busy: Uint8Array | null,
  first: number,
  stride: number,
): void {
  const thirds = (stride - (begin % stride)) % stride;
  for (let f = 0; f < count; f++) {
    const before = f - ((f - thirds + stride) % stride);
    const isLooked =
      busy?.[begin + f - first] === 1 ||
      before < 0 ||
      before + stride >= count ||
      windows.some(({ isAsked }) => isAsked[before] === 1 || isAsked[before + stride] === 1);
    counts[f] = isLooked ? 1 : 0;
  }
  for (let f = thirds; f < count; f += stride)
    counts[f] = 1 + (f > 0 && counts[f - 1] === 0 ? 1 : 0) + (f + 1 < count && counts[f + 1] === 0 ? 1 : 0);
}

/** Looks at the nodes in which an arm has moved since it was looked at there, or at all of them, and solves them once. */
function solveRound(
  look: ArmLook,
  { nodes, windows, counts }: Solved,
  limbs: ArmSetup['limbs'],
  { calm, carry, isAll, last }: { calm: number; carry: number; isAll: boolean; last: number },
): void {
  const { arms, planning } = look;
  const { plan, goals } = planning;
  const found = [windows[0].found, windows[1].found] as const;
  for (let hand = 0; hand < 2; hand++)
    if (limbs[hand]! >= 0) beginRound(windows[hand]!, { calm, slow: SLOW_WITHIN * plan.rate }, nodes.stride);
  for (let f = 0; f < nodes.count; f++) {
    const k = nodes.begin + nodes.stride * f;
    if (k > last || arms.slots[k]! < 0 || counts[f] === 0) continue;
    // Equations hold for a while: a frame is looked at again where an arm has moved.
    if (isAll || isStale(windows[0], f) || isStale(windows[1], f)) {
      lookAtArms(look, k, limbs, found, UNKNOWNS * f, carry);
      for (let hand = 0; hand < 2; hand++) keepFrame(windows[hand]!, system, hand, f);
      didWork(10);
    }
    for (let hand = 0; hand < 2; hand++) {
      const n = limbs[hand]!;
      if (n < 0) continue;
      addFrame(windows[hand]!, f, counts[f]!);
      const hold = plan.holds[slotOf(goals.limbs.length, k, n)]!;
      if (hold > 0) holdFrame(windows[hand]!, f, hold);
    }
  }
  didWork(nodes.count);
  for (let hand = 0; hand < 2; hand++) if (limbs[hand]! >= 0) endRound(windows[hand]!);
}
