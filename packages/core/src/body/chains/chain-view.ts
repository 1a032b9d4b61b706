import { type Vec3, vectorAt } from '../../base/math/vector.js';
import { didWork } from '../../base/watch-work.js';
import { modelPoseOf } from '../../scene/pose.js';
import { childrenOf, type Skeleton } from '../../scene/skeleton.js';
import { findMirrorPlane, reachesOf, sizeOf } from '../body-shape.js';
import { guessJointKinds, type JointKindGuess, MANY_SIBLINGS } from '../joint-kinds.js';
import type { ArmatureOptions } from './armature.js';

/** A skeleton looked at for its chains: what is measured once, and asked for joint by joint. */
export type ChainView = {
  skeleton: Skeleton;
  kinds: readonly JointKindGuess[];
  branches: ArmatureOptions['branches'];
  /** Model space, per joint. */
  positions: readonly Vec3[];
  /** Per joint how far what hangs on it reaches. */
  reaches: ReturnType<typeof reachesOf>;
  mirror: ReturnType<typeof findMirrorPlane>;
  /** How large the body is, and how long and high without the span of wings and legs. */
  size: number;
  trunk: number;
  children: readonly number[][];
  /** Per joint the nearest above it that is not left out, or −1. */
  nearest: Int32Array;
  isLeftOut: (joint: number) => boolean;
  /** Those of some siblings that have a partner among them, as limbs have. */
  findPaired: (siblings: readonly number[]) => Set<number>;
};

/** Looks at a skeleton for its chains. */
export function viewChains(skeleton: Skeleton, options: ArmatureOptions): ChainView {
  const { names, parents } = skeleton;
  const kinds = options.kinds ?? guessJointKinds(skeleton, options.pose);
  const { matrices } = modelPoseOf(skeleton, options.pose ?? skeleton.bind ?? skeleton.rest);
  const positions = names.map((_, i): Vec3 => vectorAt(matrices, 16 * i + 12));
  const withControls = options.controls === 'include';
  const isLeftOut = (joint: number) =>
    kinds[joint]!.kind === 'node' || (kinds[joint]!.kind === 'control' && !withControls);
  const reaches = reachesOf(skeleton, positions);
  const body = names.map((_, i) => i).filter((i) => kinds[i]!.kind === 'body' || kinds[i]!.kind === 'end');
  didWork(10 * names.length);
  const mirror = findMirrorPlane(positions, body);
  didWork(20 * names.length);
  const size = sizeOf(positions, body);
  // How long and high the body is, without the span of wings and legs.
  const trunk = sizeOf(positions, body, mirror.axis);
  const children = childrenOf(skeleton);

  // Parents stand before their children.
  const nearest = new Int32Array(parents.length);
  for (let i = 0; i < parents.length; i++) {
    const parent = parents[i]!;
    nearest[i] = parent >= 0 && isLeftOut(parent) ? nearest[parent]! : parent;
  }
  const findPaired = pairingOf({ positions, reaches, mirror, size, children });
  return {
    skeleton,
    kinds,
    branches: options.branches,
    positions,
    reaches,
    mirror,
    size,
    trunk,
    children,
    nearest,
    isLeftOut,
    findPaired,
  };
}

/** Finds siblings that are partners: as long, and on either side of the mirror plane as far. */
function pairingOf({
  positions,
  reaches,
  mirror,
  size,
  children: lists,
}: Pick<ChainView, 'positions' | 'reaches' | 'mirror' | 'size' | 'children'>): ChainView['findPaired'] {
  const isPair = (a: number, b: number) => {
    const longer = Math.max(reaches[a]!, reaches[b]!);
    if (!(Math.abs(reaches[a]! - reaches[b]!) < 0.2 * longer) || lists[a]!.length === 0) return false;
    const side = sideOf(a);
    const other = sideOf(b);
    // A hundredth of the body to each side: an eagle's legs against its span.
    if (Math.min(Math.abs(side), Math.abs(other)) < 0.01 * size) return false;
    return side * other < 0 && Math.abs(side + other) < 0.25 * Math.abs(side - other);
  };
  /** How far what hangs on a joint reaches to one side, less how far it reaches to the other. */
  const sideReach = (joint: number, offset: (joint: number) => number): number => {
    let most = 0;
    let least = 0;
    const stack = [joint];
    for (let visited = 0; stack.length > 0 && visited < 64; visited++) {
      const at = stack.pop()!;
      most = Math.max(most, offset(at));
      least = Math.min(least, offset(at));
      // No more are looked at than can be visited.
      for (let c = Math.max(0, lists[at]!.length - 64); c < lists[at]!.length; c++)
        stack.push(lists[at]![c]!);
    }
    return most + least;
  };
  const sides = new Float64Array(positions.length);
  const isSideKnown = new Uint8Array(positions.length);
  const sideOf = (joint: number): number => {
    if (isSideKnown[joint] === 0) {
      isSideKnown[joint] = 1;
      sides[joint] = sideReach(joint, (at) => positions[at]![mirror.axis]! - mirror.at);
    }
    return sides[joint]!;
  };
  return (siblings) => {
    if (siblings.length <= MANY_SIBLINGS)
      return new Set(siblings.filter((a) => siblings.some((b) => b !== a && isPair(a, b))));
    // Partners reach as far to either side: of very many, the nearest by that are looked at.
    const sorted = [...siblings].sort((a, b) => sideOf(a) - sideOf(b));
    const paired = new Set<number>();
    for (const a of siblings) {
      didWork(10);
      // A leaf is nobody's partner.
      if (lists[a]!.length === 0) continue;
      let low = 0;
      let high = sorted.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (sideOf(sorted[middle]!) < -sideOf(a)) low = middle + 1;
        else high = middle;
      }
      const last = Math.min(sorted.length, low + MANY_SIBLINGS / 8);
      for (let n = Math.max(0, low - MANY_SIBLINGS / 8); n < last; n++)
        if (sorted[n] !== a && isPair(a, sorted[n]!)) {
          paired.add(a);
          break;
        }
    }
    return paired;
  };
}
