import { rotateVector } from '../../base/math/quaternion.js';
import { springToZero } from '../../base/math/spring.js';
import { createTwoBoneSolution, solveTwoBone } from '../../solvers/solve-two-bone.js';
import type { GoalSetup } from '../goal-setup.js';
import type { Goals } from '../goals.js';
import { reachOf } from '../parts/reach.js';
import { type Bend, bendsOf } from '../plan/bend-gap.js';
import { ELBOW_CLEARS, LARGEST_SWING, LIES_DEEP, SWING_STEP } from '../plan/swing-elbows.js';

/** How fast an elbow swings out, and how fast it comes back, per second: see `springToZero`. */
const SWINGS_OUT = 15;
const SWINGS_BACK = 8;

/** Elbows that swing out of the floor, frame by frame. */
export type LiveElbows = {
  /** Turns elbows that are in the floor, when it is known where hips and hands are. Allocates nothing. */
  update(goals: Goals): void;
  /** Forgets what was before. */
  reset(): void;
};

/** An arm that is tried: its number of surface and limb, how it is turned, and how high its elbow is then. */
const swing = new Float64Array(1);
const gap = new Float64Array(1);
const axis = new Float64Array(3);
const straight = new Float64Array(3);
const solution = createTwoBoneSolution();
const options = { straightBend: straight, softness: 1, isHinge: false, keepsSide: true, swivel: 0 };

/** The live form of `swingElbows`; null for a body without elbows whose outside is known. */
export function createLiveElbows(setup: GoalSetup): LiveElbows | null {
  const elbows = bendsOf({ goals: setup }, 'arm');
  if (elbows.length === 0) return null;
  const swings = new Float64Array(elbows.length);
  const speeds = new Float64Array(elbows.length);
  const ways = new Float64Array(elbows.length);
  const wanted = new Float64Array(1);
  return {
    update(of) {
      for (let e = 0; e < elbows.length; e++) {
        const elbow = elbows[e]!;
        findSwing(wanted, ways, e, setup, of, elbow);
        if (wanted[0] === 0 && swings[e] === 0) continue;
        const rate = Math.abs(swings[e]!) < Math.abs(wanted[0]!) ? SWINGS_OUT : SWINGS_BACK;
        swings[e] = swings[e]! - wanted[0]!;
        springToZero(swings, speeds, e, rate, of.seconds);
        swings[e] = swings[e]! + wanted[0]!;
        // A swing that is as good as none is over, and the next one may go the other way.
        if (wanted[0] === 0 && Math.abs(swings[e]!) < 1e-4) {
          swings[e] = 0;
          speeds[e] = 0;
          ways[e] = 0;
        }
        of.swivels[elbow.n] = of.swivels[elbow.n]! + swings[e]!;
      }
    },
    reset() {
      swings.fill(0);
      speeds.fill(0);
      ways.fill(0);
    },
  };
}

/**
 * wanted = the least turn that takes an elbow out of the floor, or most of the way; 0 where it is out.
 * @param ways Which way each elbow swings, kept while it does.
 */
function findSwing(
  wanted: Float64Array,
  ways: Float64Array,
  e: number,
  setup: GoalSetup,
  of: Goals,
  elbow: Bend,
): void {
  wanted[0] = 0;
  const rest = of.rests[elbow.s]!;
  if (!(of.weights[elbow.n]! > 0) || isFarUp(setup, of, elbow)) return;
  const { hipHeight } = setup;
  // Where the hand is in the air its elbow need only be out of the floor.
  const clear = of.carried[elbow.n]! > 0 ? (1 - rest) * ELBOW_CLEARS * hipHeight : 0;
  swing[0] = 0;
  readGap(setup, of, elbow);
  let before = gap[0]!;
  if (before >= clear - rest * LIES_DEEP * hipHeight) return;
  if (ways[e] === 0) {
    swing[0] = LARGEST_SWING / 2;
    readGap(setup, of, elbow);
    const one = gap[0]!;
    swing[0] = -LARGEST_SWING / 2;
    readGap(setup, of, elbow);
    ways[e] = gap[0]! > one ? -1 : 1;
  }
  const way = ways[e]!;
  let highest = before;
  for (let i = 1; i * SWING_STEP <= LARGEST_SWING + 1e-9; i++) {
    swing[0] = way * i * SWING_STEP;
    readGap(setup, of, elbow);
    const now = gap[0]!;
    if (now >= clear) {
      wanted[0] = way * SWING_STEP * (i - (now - clear) / (now - before));
      return;
    }
    if (now > highest) {
      highest = now;
      wanted[0] = swing[0]!;
    }
    before = now;
  }
}

/** Whether an elbow cannot come near the floor, as it hangs on the shoulder. */
function isFarUp(
  { limbs, hipHeight, floor }: GoalSetup,
  { target: { matrices } }: Goals,
  { n }: Bend,
): boolean {
  const { target, length } = limbs[n]!;
  return matrices[16 * target.upper + 13]! - floor > length + ELBOW_CLEARS * hipHeight;
}

/** gap = how high the skin of an elbow is over the floor when its arm is solved and turned by `swing`; see `bendGap`. */
function readGap(setup: GoalSetup, { target, places, swivels }: Goals, { s, n }: Bend): void {
  const { matrices, rotations } = target;
  const limb = setup.limbs[n]!;
  const { surface } = setup.surfaces[s]!;
  const { upper, middle, end } = limb.target;
  const [u, m, e] = [16 * upper + 12, 16 * middle + 12, 16 * end + 12];
  const x = matrices[e]! - matrices[u]!;
  const y = matrices[e + 1]! - matrices[u + 1]!;
  const z = matrices[e + 2]! - matrices[u + 2]!;
  options.softness = reachOf(Math.sqrt(x * x + y * y + z * z), limb.length) / limb.length;
  options.swivel = swivels[n]! + swing[0]!;
  rotateVector(straight, 0, rotations, 4 * upper, limb.bend, 0);
  solveTwoBone(solution, matrices, u, matrices, m, matrices, e, places, 3 * n, options);
  let lowest = Number.POSITIVE_INFINITY;
  for (let j = 0; j < surface.joints.length; j++) {
    const joint = surface.joints[j]!;
    const isUpper = joint === upper;
    const turn = isUpper ? solution.upperTurn : solution.lowerTurn;
    readHeights(matrices, joint, turn);
    const up = isUpper ? matrices[u + 1]! : solution.mid[1]!;
    const skin = surface.places[j]!;
    for (let i = 0; i < skin.length; i += 3) {
      const height = up + axis[0]! * skin[i]! + axis[1]! * skin[i + 1]! + axis[2]! * skin[i + 2]!;
      if (height < lowest) lowest = height;
    }
  }
  gap[0] = lowest - surface.thickness - setup.floor;
}

const column = new Float64Array(3);

/** axis = the heights of a joint's axes when it is turned. */
function readHeights(matrices: Float64Array, joint: number, turn: Float64Array): void {
  for (let i = 0; i < 3; i++) {
    for (let c = 0; c < 3; c++) column[c] = matrices[16 * joint + 4 * i + c]!;
    rotateVector(column, 0, turn, 0, column, 0);
    axis[i] = column[1]!;
  }
}
