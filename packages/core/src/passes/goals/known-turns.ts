import { type GoalPlan, SOLVED_SIZE } from '../../goals/goal-plan.js';
import type { GoalSetup } from '../../goals/goal-setup.js';
import type { Setup } from '../pass.js';

/*
 * A plan solves every limb in every frame of its grid, to take out what pops. Where the frames of a bake stand on that
 * grid, and nothing else has a say in how limbs come out, they are not found a second time.
 */

/** The passes that bring limbs where a plan has them. */
const LIMB_PASSES = ['holdContacts', 'keepAboveGround', 'settleHips', 'solveLimbs'];

/**
 * Whether limbs come out as a plan solves them: all passes run that it counts on, by two bones without limits, and nothing hangs elsewhere than
 * its body part, or is given to limbs over time.
 */
export function solvesAsPlanned(
  { target, alignment, compiled }: Setup,
  { limbs, attached }: GoalSetup,
  passes: readonly string[],
): boolean {
  const { parents } = target.skeleton;
  return (
    LIMB_PASSES.every((name) => passes.includes(name) && compiled[name]) &&
    (compiled.solveLimbs as { solving: unknown }).solving === null &&
    alignment.placed.length === 0 &&
    attached.length === 0 &&
    limbs.every(
      ({ scaling, hangs, toes, target: { end } }) => !scaling && hangs && (toes < 0 || parents[toes] === end),
    )
  );
}

/** A limb that is turned as was planned: where the turns of its joints begin, and what they are turned by per frame. */
export type KnownTurns = { places: Int32Array; turns: Float32Array };

/** The limbs of a plan whose turns are known. */
export function knownTurns({ solved }: GoalPlan, { limbs }: GoalSetup): KnownTurns[] {
  return limbs.flatMap(({ target: { upper, middle, end }, toes }, n): KnownTurns[] => {
    const turns = solved?.[n];
    return turns ? [{ places: Int32Array.of(4 * upper, 4 * middle, 4 * end, 4 * toes), turns }] : [];
  });
}

/** Turns the joints of limbs on from where they are copied, by what is known of a frame. */
export function turnKnown(locals: Float64Array, limbs: readonly KnownTurns[], frame: number): void {
  const o = SOLVED_SIZE * frame;
  for (let n = 0; n < limbs.length; n++) {
    const { places, turns } = limbs[n]!;
    turnOn(locals, places[0]!, turns, o);
    turnOn(locals, places[1]!, turns, o + 4);
    turnOn(locals, places[2]!, turns, o + 8);
    // Toes are bent before they are turned as copied.
    if (turns[o + 12] !== 0 || turns[o + 13] !== 0 || turns[o + 14] !== 0)
      turnBefore(locals, places[3]!, turns, o + 12);
  }
}

/*
 * The products are written out: those of base/math take float64 alone.
 */

/** a = a · b */
function turnOn(a: Float64Array, i: number, b: Float32Array, j: number): void {
  const bx = b[j]!;
  const by = b[j + 1]!;
  const bz = b[j + 2]!;
  const bw = b[j + 3]!;
  const ax = a[i]!;
  const ay = a[i + 1]!;
  const az = a[i + 2]!;
  const aw = a[i + 3]!;
  a[i] = aw * bx + ax * bw + ay * bz - az * by;
  a[i + 1] = aw * by - ax * bz + ay * bw + az * bx;
  a[i + 2] = aw * bz + ax * by - ay * bx + az * bw;
  a[i + 3] = aw * bw - ax * bx - ay * by - az * bz;
}

/** b = a · b */
function turnBefore(b: Float64Array, j: number, a: Float32Array, i: number): void {
  const ax = a[i]!;
  const ay = a[i + 1]!;
  const az = a[i + 2]!;
  const aw = a[i + 3]!;
  const bx = b[j]!;
  const by = b[j + 1]!;
  const bz = b[j + 2]!;
  const bw = b[j + 3]!;
  b[j] = aw * bx + ax * bw + ay * bz - az * by;
  b[j + 1] = aw * by - ax * bz + ay * bw + az * bx;
  b[j + 2] = aw * bz + ax * by - ay * bx + az * bw;
  b[j + 3] = aw * bw - ax * bx - ay * by - az * bz;
}
