import type { Side } from '@stuntdouble/core/engine';
import { guyBody } from '../characters/mixamo-guy.js';
import { curve } from '../curves.js';
import { type Footfall, footAt } from '../footfalls.js';
import { armTurns, headTurns, trunkTurns } from '../puppet.js';
import type { SampleMotion } from '../sample-motion.js';
import { pitch } from '../vector.js';

const GRAVITY = 9.81;
const FRAME = 1 / 60; // feet touch and leave on frames
const DOWN = 45 * FRAME; // deepest crouch
const OFF = 62 * FRAME; // toes leave
const FLIGHT = 30 * FRAME;
const LAND = OFF + FLIGHT;
const RISE = 2.2; // metres per second at take-off
const FALL = GRAVITY * FLIGHT - RISE; // and at landing
const TAKE_OFF_HEIGHT = 1.01; // of the hips, on straight legs
const LANDING_HEIGHT = TAKE_OFF_HEIGHT + ((RISE - FALL) / 2) * FLIGHT; // lower: the legs are bent already
const LOW = LAND + 0.22; // deepest after landing
const UP = LAND + 0.95; // stands again
const AWAY = 0.86; // metres jumped
const FORWARD = 1.25; // metres per second in flight

const height = curve([
  [0, 0.952],
  [0.2, 0.952],
  [DOWN, 0.665],
  [OFF, TAKE_OFF_HEIGHT, RISE],
  [LAND, LANDING_HEIGHT, -FALL],
  [LOW, 0.68],
  [UP, 0.952],
]);
const travel = curve([
  [0.2, 0],
  [DOWN, -0.07],
  [OFF, 0.13, FORWARD],
  [LAND, 0.13 + FORWARD * FLIGHT, FORWARD],
  [LOW, AWAY - 0.02, 0.12],
  [UP, AWAY],
]);
/** In flight the hips fall freely. */
const hipsHeight = (t: number) => {
  const flown = t - OFF;
  return flown > 0 && t < LAND ? TAKE_OFF_HEIGHT + RISE * flown - (GRAVITY / 2) * flown * flown : height(t);
};
const bend = curve([
  [0.15, 2],
  [DOWN - 0.05, 38],
  [OFF, -3],
  [OFF + 0.22, 14],
  [LAND, 16],
  [LOW, 34],
  [UP, 2],
]);
const hipsPitch = curve([
  [0.15, 0],
  [DOWN, 30],
  [OFF, 4],
  [LAND, 2],
  [LOW, 30],
  [UP, 0],
]);
const armSwing = curve([
  [0.1, 4],
  [0.32, 22],
  [DOWN - 0.06, -58],
  [OFF + 0.06, 145],
  [LAND - 0.06, 95],
  [LOW, 34],
  [UP - 0.25, -6],
  [UP + 0.1, 4],
]);
const elbow = curve([
  [0, 14],
  [DOWN, 12],
  [OFF, 30],
  [LAND, 30],
  [LOW, 40],
  [UP, 14],
]);
const nod = curve([
  [0.15, 0],
  [DOWN, -44],
  [OFF, -6],
  [LAND, -8],
  [LOW, -44],
  [UP, 0],
]);

function footfalls(side: Side): Footfall[] {
  const x = (side === 'left' ? 1 : -1) * 0.115;
  const yawDegrees = side === 'left' ? 7 : -7;
  const z = guyBody.joints.leftToes![2];
  return [
    {
      strike: -1,
      flat: -0.5,
      heelOff: DOWN + 4 * FRAME,
      off: OFF,
      at: [x, z],
      yawDegrees,
      strikePitch: 0,
      offPitch: 58,
    },
    {
      strike: LAND,
      flat: LAND + 4 * FRAME,
      heelOff: Number.POSITIVE_INFINITY,
      off: Number.POSITIVE_INFINITY,
      at: [x, z + AWAY],
      yawDegrees,
      strikePitch: 24,
      offPitch: 0,
    },
  ];
}

const falls = { left: footfalls('left'), right: footfalls('right') };
const swing = { lift: 0.34, kick: 18, sharpness: 1, departure: 0.9, arrival: 0.9 } as const;

/** A standing jump forward: crouch, take-off, free flight, landing on the balls of the feet, rise. */
export const jump: SampleMotion = {
  name: 'jump',
  title: 'Jump forward from standing',
  duration: UP + 0.25,
  frameRate: 120, // a knee that straightens at take-off needs dense keys for the toes to stand still between them
  keys: 'dense',
  actAt: (t) => {
    const arm = (side: Side) =>
      armTurns(side, {
        down: 74 - 0.06 * Math.max(0, armSwing(t)),
        swing: armSwing(t),
        elbow: elbow(t),
        twist: -6,
        curl: 22,
      });
    return {
      hips: [0, hipsHeight(t), travel(t)],
      hipsTurn: pitch(hipsPitch(t)),
      turns: {
        ...trunkTurns(bend(t), 0, 0),
        ...headTurns(nod(t) * 0.9, 0, 0),
        ...arm('left'),
        ...arm('right'),
      },
      feet: {
        left: footAt(guyBody, 'left', falls.left, swing, t),
        right: footAt(guyBody, 'right', falls.right, swing, t),
      },
    };
  },
};
