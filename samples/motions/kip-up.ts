import type { Side } from '@stuntdouble/core/engine';
import { footInAir, hipsUnderShoulders, type LegHold } from '../body/tumble.js';
import { guyBody } from '../characters/mixamo-guy.js';
import { curve, ease, progress } from '../curves.js';
import { carryFoot, type FootState, standAt } from '../footfalls.js';
import { armTurns, headTurns, trunkTurns } from '../puppet.js';
import type { HandState } from '../reach-hand.js';
import type { SampleMotion } from '../sample-motion.js';
import { pitch, type Vec3 } from '../vector.js';

const GRAVITY = 9.81;
const FRAME = 1 / 60; // shoulders leave and feet touch on frames
const ROLL = 24 * FRAME; // hips leave the floor
const FOLDED = 66 * FRAME; // on the shoulders, knees over the face, hands beside the head
const KICK = 76 * FRAME; // legs begin to shoot out
const OFF = 90 * FRAME; // hands and shoulders leave
const FLIGHT = 24 * FRAME;
const LAND = OFF + FLIGHT;
const LOW = LAND + 0.24;
const UP = LAND + 1;

const SHOULDERS: Vec3 = [0, 0.118, -0.6]; // between them, on the floor
const OFF_PITCH = -104; // degrees of the hips when the shoulders leave
const LANDING_HEIGHT = 0.53;
const LANDING_AWAY = -0.06;

/** Degrees of the hips: −90 lies on the back, −180 stands on the head, 0 stands. */
const tilt = curve([
  [ROLL, -88],
  [FOLDED, -158],
  [KICK, -158],
  [OFF, OFF_PITCH, 330],
  [LAND, 14, 120],
  [LOW, 34],
  [UP, 0],
]);
const bend = curve([
  [ROLL, 0],
  [FOLDED, 46],
  [KICK, 46],
  [OFF, -14, -120],
  [OFF + 0.14, -22],
  [LAND, 20, 80],
  [LOW, 32],
  [UP, 2],
]);
const nod = curve([
  [ROLL, 2],
  [FOLDED, 38],
  [KICK, 38],
  [OFF, 20],
  [LAND, -16],
  [LOW, -38],
  [UP, 0],
]);

/** Trunk, neck and arms; hands that push are put where they stand afterwards. */
function turnsAt(t: number) {
  const pushing = ease(progress(t, ROLL, FOLDED)) * (1 - ease(progress(t, OFF, LAND)));
  const flying = ease(progress(t, KICK, LAND)) * (1 - ease(progress(t, LAND, UP)));
  const arm = (side: Side) =>
    armTurns(side, {
      down: 62 - 40 * pushing,
      swing: 4 + 150 * pushing + 40 * flying,
      elbow: 16 + 70 * pushing,
      twist: -8,
      curl: 12,
    });
  return { ...trunkTurns(bend(t), 0, 0), ...headTurns(nod(t), 0, 0), ...arm('left'), ...arm('right') };
}

const hungAt = (t: number): Vec3 => {
  // The shoulders are pushed up by the hands in the last instants.
  const lift = 0.2 * ease(progress(t, KICK, OFF + 4 * FRAME));
  const ahead = 0.06 * ease(progress(t, KICK, OFF + 4 * FRAME));
  return hipsUnderShoulders([0, SHOULDERS[1] + lift, SHOULDERS[2] + ahead], pitch(tilt(t)), turnsAt(t));
};

const takeOff = hungAt(OFF);
/** Speeds that bring the hips from where the shoulders leave to where the feet land, falling freely. */
const RISE = (LANDING_HEIGHT - takeOff[1]) / FLIGHT + (GRAVITY / 2) * FLIGHT;
const FORWARD = (LANDING_AWAY - takeOff[2]) / FLIGHT;

const height = curve([
  [LAND, LANDING_HEIGHT, RISE - GRAVITY * FLIGHT],
  [LOW, 0.43],
  [UP, 0.946],
]);
const travel = curve([
  [LAND, LANDING_AWAY, FORWARD],
  [LOW, -0.02, 0.1],
  [UP, 0],
]);

function hipsAt(t: number): Vec3 {
  if (t <= OFF) return hungAt(t);
  if (t >= LAND) return [0, height(t), travel(t)];
  const flown = t - OFF;
  return [0, takeOff[1] + RISE * flown - (GRAVITY / 2) * flown * flown, takeOff[2] + FORWARD * flown];
}

function legAt(t: number): LegHold {
  const along = (lying: number, folded: number, kicked: number, landing: number) =>
    curve([
      [ROLL - 0.2, lying],
      [FOLDED, folded],
      [KICK, folded],
      [OFF, kicked],
      [LAND, landing],
    ])(t);
  return {
    flex: along(4, 128, 24, 74),
    knee: along(4, 70, 6, 92),
    point: along(20, 30, 36, 4),
    aside: along(0.04, 0.02, 0.04, 0.08),
  };
}

function footAt(side: Side, t: number, hips: Vec3): FootState {
  const s = side === 'left' ? 1 : -1;
  const floor = standAt(guyBody, side, [0.16 * s, 0.105], 12 * s);
  if (t >= LAND) return floor;
  const air = footInAir(side, hips, tilt(t), legAt(t));
  const foot = carryFoot(air, floor, progress(t, OFF + 0.04, LAND), 0.09);
  return air.bend ? { ...foot, bend: air.bend } : foot;
}

/** Rolling back onto the shoulders, both legs kicking up, a flight, and landing on the feet. */
export const kipUp: SampleMotion = {
  name: 'kip-up',
  title: 'Kip up from lying on the back: a double kick, a flight, a landing',
  duration: UP + 0.25,
  frameRate: 120, // legs shoot out within a quarter second
  keys: 'dense',
  actAt: (t) => {
    const hips = hipsAt(t);
    const hand = (side: Side): HandState => {
      const s = side === 'left' ? 1 : -1;
      return {
        contact: t >= FOLDED && t <= OFF,
        wrist: [0.25 * s, 0.034, SHOULDERS[2] - 0.2],
        fingers: [-0.25 * s, 0, 1],
        palm: [0, -1, 0],
        elbow: [0.4 * s, 1, 0.1],
        weight: ease(progress(t, ROLL, FOLDED)) * (1 - ease(progress(t, OFF, OFF + 0.25))),
      };
    };
    return {
      hips,
      hipsTurn: pitch(tilt(t)),
      turns: turnsAt(t),
      feet: { left: footAt('left', t, hips), right: footAt('right', t, hips) },
      hands: { left: hand('left'), right: hand('right') },
    };
  },
};
