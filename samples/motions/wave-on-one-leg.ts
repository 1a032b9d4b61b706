import type { Side } from '@stuntdouble/core/engine';
import { guyBody } from '../characters/mixamo-guy.js';
import { curve, ease, wave } from '../curves.js';
import { type Footfall, type FootState, footAt } from '../footfalls.js';
import { armTurns, headTurns, trunkTurns } from '../puppet.js';
import type { SampleMotion } from '../sample-motion.js';
import { pitch, roll, turnBy, yaw } from '../vector.js';

const LIFT = 0.75; // seconds: the left foot leaves the floor
const HIGH = 1.35; // and has come up
const LOWER = 3.55;
const DOWN = 4.15; // and stands again
const END = 4.8;

/** 0 standing on both feet, 1 on the right one. */
const shift = curve([
  [0.15, 0],
  [LIFT, 0.96, 0.15],
  [HIGH, 1],
  [LOWER, 1],
  [DOWN, 0.96, -0.15],
  [END - 0.05, 0],
]);
/** 0 foot down, 1 foot up. */
const raised = curve([
  [LIFT, 0],
  [HIGH, 1],
  [LOWER, 1],
  [DOWN, 0],
]);
/** 0 arm hanging, 1 hand up. */
const greeting = curve([
  [0.5, 0],
  [1.3, 1],
  [3.5, 1],
  [4.3, 0],
]);

function footfalls(side: Side): Footfall[] {
  return [
    {
      strike: -1,
      flat: -0.5,
      heelOff: Number.POSITIVE_INFINITY,
      off: Number.POSITIVE_INFINITY,
      at: [(side === 'left' ? 1 : -1) * 0.1, guyBody.joints.leftToes![2]],
      yawDegrees: side === 'left' ? 8 : -8,
      strikePitch: 0,
      offPitch: 0,
    },
  ];
}

const falls = { left: footfalls('left'), right: footfalls('right') };
const still = { lift: 0, kick: 0, sharpness: 2, departure: 0, arrival: 0 } as const;

/** The left foot goes up beside the other knee and stays there, swaying a little. */
function leftFootAt(t: number): FootState {
  const floor = footAt(guyBody, 'left', falls.left, still, t);
  const up = raised(t);
  if (up === 0) return floor;
  const sway = up * wave(0.45 * t, 0.3);
  return {
    contact: 'none',
    toes: [
      floor.toes[0] + 0.02 * up,
      floor.toes[1] + up * (0.3 + 0.008 * sway),
      floor.toes[2] + up * (0.06 + 0.012 * sway),
    ],
    yawDegrees: floor.yawDegrees + 6 * up,
    pitchDegrees: 38 * ease(up * 1.6) - 14 * up + 3 * sway,
    bendDegrees: 10 * up,
  };
}

/** A wave with the right hand while standing on the right leg, in sparse cubic keys. */
export const waveOnOneLeg: SampleMotion = {
  name: 'wave-on-one-leg',
  title: 'Wave on one leg, sparse cubic keys',
  duration: END,
  frameRate: 60,
  keys: 'sparse',
  actAt: (t) => {
    const w = shift(t);
    const hello = greeting(t);
    const up = raised(t);
    const sway = w * wave(0.55 * t, 0.2);
    const breath = wave(0.35 * t);
    // One wave of the hand each 0.55 s, growing and fading with the greeting.
    const shake =
      hello * Math.sin((2 * Math.PI * (t - 1.2)) / 0.55) * ease((t - 0.95) / 0.5) * ease((3.8 - t) / 0.5);
    const mix = (a: number, b: number) => a + (b - a) * hello;
    const lean = 5 * w + 1.2 * sway;
    return {
      hips: [
        -0.088 * w - 0.005 * sway,
        0.948 - 0.012 * w + 0.002 * breath - 0.012 * up,
        -0.004 + 0.004 * sway,
      ],
      hipsTurn: turnBy(yaw(-4 * up), roll(-4 * up - 0.6 * sway), pitch(-3 * up)),
      turns: {
        ...trunkTurns(2 + 0.8 * breath, 4 * hello + 3 * up, lean + 2 * hello),
        ...headTurns(-2 + 2 * shake * 0.4, -3 * hello + 3 * sway, -lean * 0.5 - 6 * hello),
        ...armTurns('right', {
          down: mix(76, -22 - 3 * breath * 0.4),
          swing: mix(4, 8),
          twist: mix(-8, 84),
          elbow: mix(16, 74 + 20 * shake),
          wrist: mix(0, -6 - 10 * shake),
          curl: mix(18, 3),
        }),
        ...armTurns('left', {
          down: 76 - 34 * up - 4 * sway,
          swing: 4 + 4 * up,
          elbow: 16 + 10 * up,
          twist: -8,
          wrist: -14 * up,
          curl: 18 - 8 * up,
        }),
      },
      feet: { left: leftFootAt(t), right: footAt(guyBody, 'right', falls.right, still, t) },
    };
  },
};
