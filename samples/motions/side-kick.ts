import { guyBody } from '../characters/mixamo-guy.js';
import { curve, progress, wave } from '../curves.js';
import { carryFoot, type FootState, standAt } from '../footfalls.js';
import { armTurns, headTurns, trunkTurns } from '../puppet.js';
import type { SampleMotion } from '../sample-motion.js';
import { pitch, roll, turnBy, yaw } from '../vector.js';

const LIFT = 0.45; // seconds: the right foot leaves the floor
const DRAWN = 0.95; // the knee is up
const HIT = 1.2; // the leg is straight
const BACK = 1.5; // the knee is up again
const DOWN = 2.05; // the foot stands

/** 0 standing on both feet, 1 on the left one. */
const shift = curve([
  [0.1, 0],
  [LIFT, 0.85, 0.5],
  [DRAWN, 1],
  [BACK, 1],
  [DOWN, 0.85, -0.5],
  [DOWN + 0.4, 0],
]);
/** 0 upright, 1 leaning away from the kick. */
const lean = curve([
  [LIFT, 0],
  [DRAWN, 0.45, 1.2],
  [HIT, 1],
  [BACK, 0.5, -1.6],
  [DOWN, 0],
]);

const floor: FootState = standAt(guyBody, 'right', [-0.11, 0.105], -8);
const drawn: FootState = {
  contact: 'none',
  toes: [-0.15, 0.6, 0.16],
  yawDegrees: -8,
  pitchDegrees: 12,
  rollDegrees: -25,
  bendDegrees: 0,
};
const kicked: FootState = {
  contact: 'none',
  toes: [-0.76, 1.02, 0.1],
  yawDegrees: -4,
  pitchDegrees: -12,
  rollDegrees: -88,
  bendDegrees: -20,
};

function rightFootAt(t: number): FootState {
  if (t < DRAWN) return carryFoot(floor, drawn, progress(t, LIFT, DRAWN), 0);
  if (t < HIT) return carryFoot(drawn, kicked, progress(t, DRAWN, HIT), 0);
  if (t < BACK) return carryFoot(kicked, drawn, progress(t, HIT, BACK), 0);
  return carryFoot(drawn, floor, progress(t, BACK, DOWN), 0);
}

/** A kick to the right on the left leg: the knee is drawn up, the leg snaps out and back. */
export const sideKick: SampleMotion = {
  name: 'side-kick',
  title: 'Side kick with the right leg',
  duration: DOWN + 0.6,
  frameRate: 60,
  keys: 'dense',
  actAt: (t) => {
    const w = shift(t);
    const k = lean(t);
    const breath = wave(0.5 * t);
    return {
      hips: [0.085 * w, 0.944 - 0.018 * w, -0.004],
      hipsTurn: turnBy(yaw(6 * w), roll(-24 * k), pitch(2)),
      turns: {
        ...trunkTurns(3 + breath, -10 * k, -22 * k),
        ...headTurns(-3, -48 * Math.min(1, w), 26 * k),
        ...armTurns('left', {
          down: 70 - 6 * w,
          swing: 10 + 34 * w,
          elbow: 20 + 78 * w,
          twist: 8 * w,
          curl: 48,
        }),
        ...armTurns('right', {
          down: 70 - 14 * k,
          swing: 10 + 22 * w - 34 * k,
          elbow: 20 + 62 * w - 50 * k,
          curl: 48,
        }),
      },
      feet: { left: standAt(guyBody, 'left', [0.11, 0.105], 14), right: rightFootAt(t) },
    };
  },
};
