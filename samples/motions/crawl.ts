import type { Side } from '@stuntdouble/core/engine';
import { guyBody } from '../characters/mixamo-guy.js';
import { easeSoftly, hermite, wave } from '../curves.js';
import { type FootState, footTurn } from '../footfalls.js';
import { armTurns, headTurns, trunkTurns } from '../puppet.js';
import type { HandState } from '../reach-hand.js';
import type { SampleMotion } from '../sample-motion.js';
import { add, length, pitch, type Quat, roll, rotate, subtract, turnBy, type Vec3 } from '../vector.js';

/*
 * On hands and knees: a knee and the hand across from it move together. The knees that stand decide how high
 * the hips are: each thigh reaches from its hip joint to its knee exactly.
 */

const CYCLE = 1.4; // seconds
const CYCLES = 2;
const STRIDE = 0.4; // metres a cycle
const STANDS = 0.6; // share of the cycle in which a knee or hand stands
const KNEE = 0.066; // metres over the floor, as thick as the shin is there
const ANKLE = 0.072;
const WIDE = 0.115; // metres from the middle to a knee
const PITCH = 89; // degrees of the trunk
const HIKE = 8.2; // degrees by which the hip over a moving knee is raised

const thigh = length(subtract(guyBody.joints.leftLowerLeg!, guyBody.joints.leftUpperLeg!));
const shin = length(subtract(guyBody.joints.leftFoot!, guyBody.joints.leftLowerLeg!));

const lateOf = (side: Side) => (side === 'left' ? 0 : 0.5);

/** Where along the way a limb stands that comes down `late` in the cycle, or is on its way to (u from 0 to 1). */
function placeAt(t: number, late: number): { z: number; u: number } {
  const c = t / CYCLE - late;
  const n = Math.floor(c);
  const at = (n + late + STANDS / 2) * STRIDE;
  const u = (c - n - STANDS) / (1 - STANDS);
  return u <= 0 ? { z: at, u: 0 } : { z: at + STRIDE * easeSoftly(u), u };
}

const hipsZ = (t: number) => (STRIDE * t) / CYCLE + 0.045;
const turnOf = (rollDegrees: number): Quat => turnBy(roll(rollDegrees), pitch(PITCH));

/** A hip joint seen from the hips. */
function hipFrom(side: Side, rollDegrees: number): Vec3 {
  return rotate(turnOf(rollDegrees), subtract(guyBody.joints[`${side}UpperLeg`]!, guyBody.joints.hips!));
}

/** The height of the hips from which a thigh just reaches a standing knee. */
function heightOver(side: Side, t: number, rollDegrees: number): number {
  const from = hipFrom(side, rollDegrees);
  const away = placeAt(t, lateOf(side)).z - hipsZ(t) - from[2];
  const aside = (side === 'left' ? WIDE : -WIDE) - from[0];
  return KNEE + Math.sqrt(thigh * thigh - away * away - aside * aside) - from[1];
}

/** The roll, in degrees, at which both thighs reach their standing knees: bisection, as it grows with the roll. */
function rollOverBoth(t: number): number {
  let [low, high] = [-12, 12];
  for (let n = 0; n < 50; n++) {
    const middle = (low + high) / 2;
    // Roll to the character's right lowers the right hip, so that the hips must be higher for it.
    if (heightOver('right', t, middle) < heightOver('left', t, middle)) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** Roll of the hips: what two standing knees ask for, and smoothly from one such stretch to the next. */
function rollAt(t: number): number {
  const half = t - Math.floor((2 * t) / CYCLE) * (CYCLE / 2);
  const both = (STANDS - 0.5) * CYCLE;
  if (half <= both) return rollOverBoth(t);
  const start = t - half + both;
  const span = CYCLE / 2 - both;
  const slope = (at: number, step: number) => (rollOverBoth(at + step) - rollOverBoth(at)) / step;
  const u = (t - start) / span;
  const way = hermite(
    rollOverBoth(start),
    slope(start, -1e-4),
    rollOverBoth(start + span),
    slope(start + span, 1e-4),
    span,
    u,
  );
  // The left knee moves in the second half of its cycle.
  const moving: Side = placeAt(start + span / 2, 0).u > 0 ? 'left' : 'right';
  return way + (moving === 'left' ? 1 : -1) * HIKE * Math.sin(Math.PI * u) ** 2;
}

function hipsAt(t: number): { at: Vec3; rollDegrees: number } {
  const rollDegrees = rollAt(t);
  const standing: Side = placeAt(t, lateOf('left')).u === 0 ? 'left' : 'right';
  return { at: [0, heightOver(standing, t, rollDegrees), hipsZ(t)], rollDegrees };
}

function legAt(side: Side, t: number): FootState {
  const { at, rollDegrees } = hipsAt(t);
  const { z, u } = placeAt(t, lateOf(side));
  const hip = add(at, hipFrom(side, rollDegrees));
  const x = side === 'left' ? WIDE : -WIDE;
  const [away, aside] = [z - hip[2], x - hip[0]];
  // A moving knee hangs where the thigh lets it.
  const knee: Vec3 = [x, u === 0 ? KNEE : hip[1] - Math.sqrt(thigh * thigh - away * away - aside * aside), z];
  const lift = Math.sin(Math.PI * Math.min(1, u)) ** 2;
  const drop = ANKLE + 0.012 * lift - knee[1];
  const ankle: Vec3 = [x, knee[1] + drop, knee[2] - Math.sqrt(shin * shin - drop * drop)];
  const state = {
    contact: 'none' as const,
    yawDegrees: 0,
    pitchDegrees: 152,
    bendDegrees: 12,
    knee,
    kneels: u === 0,
  };
  const toAnkle = subtract(guyBody.joints[`${side}Foot`]!, guyBody.joints[`${side}Toes`]!);
  return { ...state, toes: subtract(ankle, rotate(footTurn({ ...state, toes: ankle }), toAnkle)) };
}

function handAt(side: Side, t: number): HandState {
  const s = side === 'left' ? 1 : -1;
  // The left hand goes with the right knee.
  const { z, u } = placeAt(t, lateOf(side === 'left' ? 'right' : 'left') + 0.03);
  const lift = Math.sin(Math.PI * Math.min(1, u)) ** 2;
  return {
    contact: u === 0,
    wrist: [0.185 * s, 0.034 + 0.05 * lift, z + 0.505],
    fingers: [-0.12 * s, -0.55 * lift, 1],
    palm: [0, -1, -0.55 * lift],
    elbow: [0.35 * s, 0, -1],
  };
}

/** Crawling on hands and knees, which stand exactly where they come down. Loops. */
export const crawl: SampleMotion = {
  name: 'crawl',
  title: 'Crawl on hands and knees, two cycles, loops',
  duration: CYCLES * CYCLE,
  frameRate: 60,
  keys: 'dense',
  loops: true,
  actAt: (t) => {
    const c = t / CYCLE;
    const { at, rollDegrees } = hipsAt(t);
    const sway = wave(c, 0.28);
    return {
      hips: at,
      hipsTurn: turnOf(rollDegrees),
      turns: {
        ...trunkTurns(2, 4 * sway, -0.6 * rollDegrees),
        ...headTurns(-46, 5 * sway, 0),
        ...armTurns('left', { down: 10, swing: 80, curl: 4 }),
        ...armTurns('right', { down: 10, swing: 80, curl: 4 }),
      },
      feet: { left: legAt('left', t), right: legAt('right', t) },
      hands: { left: handAt('left', t), right: handAt('right', t) },
    };
  },
};
