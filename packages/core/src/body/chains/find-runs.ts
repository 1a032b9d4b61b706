import { didWork } from '../../base/watch-work.js';
import type { ChainView } from './chain-view.js';

/** A side branch shorter than this share of what goes on beside it does not end a chain. */
const STUB = 0.5;
/** A pair of branches shorter than this share of the trunk is no pair of limbs: ears, horns, eyes. */
export const SHORT_LIMB = 0.22;

/** Joints in a row that become a chain, and the number of the run on which they hang, or −1. */
export type JointRun = { joints: number[]; parent: number };

/** Cuts a skeleton into runs of joints, depth first from every root: each goes on until the body parts. */
export function findRuns(view: ChainView): JointRun[] {
  const { skeleton, kinds, nearest, isLeftOut } = view;
  const { names } = skeleton;
  const runs: JointRun[] = [];
  const roots = names.map((_, i) => i).filter((i) => !isLeftOut(i) && nearest[i]! < 0);
  const starts = roots.reverse().map((joint) => ({ joint, parent: -1 }));
  while (starts.length > 0) {
    const { joint: first, parent } = starts.pop()!;
    didWork(10);
    const run = { joints: [first], parent };
    const index = runs.push(run) - 1;
    const below: number[] = [];
    let at = first;
    for (;;) {
      const children = joinedChildren(view, at);
      if (children.length === 0) break;
      const next = goesOn(view, at, children);
      // An end where the chain parts still says where its last joint points.
      const ends = children.filter((child) => kinds[child]!.kind === 'end');
      const tip = next < 0 && view.branches !== 'every' && ends.length === 1 ? ends[0]! : next;
      for (const child of children) if (child !== tip) below.push(child);
      if (tip >= 0) run.joints.push(tip);
      if (next < 0) break;
      at = next;
    }
    below.sort((a, b) => a - b);
    for (const joint of below.reverse()) starts.push({ joint, parent: index });
  }
  return runs;
}

/** What hangs on a leaf. */
const NO_CHILDREN: readonly number[] = [];

/** The joints that hang on a joint, through what is left out. */
function joinedChildren({ children: lists, isLeftOut }: ChainView, joint: number): readonly number[] {
  if (lists[joint]!.length === 0) return NO_CHILDREN;
  const found: number[] = [];
  const stack = lists[joint]!.slice().reverse();
  while (stack.length > 0) {
    const child = stack.pop()!;
    if (!isLeftOut(child)) found.push(child);
    else for (const below of lists[child]!.slice().reverse()) stack.push(below);
  }
  return found;
}

/** The child that a chain goes on with, or −1. */
function goesOn(view: ChainView, joint: number, children: readonly number[]): number {
  const { kinds, reaches, trunk, findPaired } = view;
  if (view.branches === 'every') return children.length === 1 ? children[0]! : -1;
  const own = kinds[joint]!.kind;
  const alike = children.filter((child) => kinds[child]!.kind === own);
  if (own !== 'body') return alike.length === 1 ? alike[0]! : -1;
  const paired = findPaired(alike);
  if ([...paired].some((child) => reaches[child]! >= SHORT_LIMB * trunk)) return -1;
  const single = alike.filter((child) => !paired.has(child));
  const longest = single.reduce(
    (best, child) => (best < 0 || reaches[child]! > reaches[best]! ? child : best),
    -1,
  );
  if (single.some((child) => child !== longest && reaches[child]! >= STUB * reaches[longest]!)) return -1;
  if (longest >= 0) return longest;
  const ends = children.filter((child) => kinds[child]!.kind === 'end');
  return ends.length === 1 ? ends[0]! : -1;
}
