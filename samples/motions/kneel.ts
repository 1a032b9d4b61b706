import { guyBody } from '../characters/mixamo-guy.js';
import { curve, ease, progress, wave } from '../curves.js';
import { carryFoot, type FootState, standAt } from '../footfalls.js';
import { armTurns, headTurns, trunkTurns } from '../puppet.js';
import type { HandState } from '../reach-hand.js';
import type { SampleMotion } from '../sample-motion.js';
import { pitch, turnBy, yaw } from '../vector.js';

const STEP = 0.3; // seconds: the left foot leaves
const STEPPED = 0.9; // and stands ahead
const KNELT = 1.7; // the right knee is down
const RISE = 3.4;
const UP = 4.2; // the knee has left, the left foot goes back
const BACK = 4.8; // and stands beside the other
const END = 5.2;

const AHEAD = 0.84; // metres of the step
const KNEE_PITCH = 76; // degrees of the right foot while its knee is down

const height = curve([
  [STEP - 0.1, 0.946],
  [STEPPED, 0.775, -0.5],
  [KNELT, 0.512],
  [RISE, 0.512],
  [UP, 0.775, 0.5],
  [BACK + 0.1, 0.946],
]);
const travel = curve([
  [STEP - 0.1, 0],
  [STEPPED, 0.39, 0.2],
  [KNELT, 0.442],
  [RISE, 0.442],
  [UP, 0.38, -0.35],
  [BACK + 0.1, 0],
]);
/** Degrees by which the right heel is up. */
const heel = curve([
  [STEP, 0],
  [STEPPED, 38, 60],
  [KNELT - 0.1, KNEE_PITCH],
  [RISE + 0.1, KNEE_PITCH],
  [UP, 38, -60],
  [BACK, 0],
]);
const bow = curve([
  [KNELT - 0.3, 0],
  [KNELT + 0.4, 1],
  [RISE - 0.3, 1],
  [RISE + 0.4, 0],
]);

const beside: FootState = standAt(guyBody, 'left', [0.11, 0.105], 6);
const before: FootState = standAt(guyBody, 'left', [0.12, 0.105 + AHEAD], 4);

function leftFootAt(t: number): FootState {
  if (t < KNELT) return carryFoot(beside, before, progress(t, STEP, STEPPED), 0.09);
  return carryFoot(before, beside, progress(t, UP, BACK), 0.09);
}

function rightFootAt(t: number): FootState {
  const up = heel(t);
  const standing = standAt(guyBody, 'right', [-0.11, 0.105], -6);
  return up === 0
    ? standing
    : {
        ...standing,
        contact: 'ball',
        pitchDegrees: up,
        bendDegrees: -up,
        kneels: t > KNELT && t < RISE,
      };
}

/** Going down on one knee like a knight, bowing the head, getting up again. */
export const kneel: SampleMotion = {
  name: 'kneel',
  title: 'Kneel on one knee and get up',
  duration: END,
  frameRate: 60,
  keys: 'dense',
  actAt: (t) => {
    const low = ease(progress(t, STEP, KNELT)) * (1 - ease(progress(t, RISE, BACK)));
    const bowed = bow(t);
    const breath = wave(0.4 * t);
    const resting: HandState = {
      contact: false,
      wrist: [0.13, 0.605, 0.71],
      fingers: [-0.35, -0.12, 1],
      palm: [0, -1, -0.1],
      elbow: [0.9, -0.3, -0.5],
      weight: ease(progress(t, KNELT - 0.5, KNELT + 0.1)) * (1 - ease(progress(t, RISE, RISE + 0.5))),
    };
    return {
      hips: [0.01 * low, height(t), travel(t)],
      hipsTurn: turnBy(yaw(-4 * low), pitch(5 * low)),
      turns: {
        ...trunkTurns(3 + 7 * low + 12 * bowed + breath, 4 * low, 0),
        ...headTurns(-5 * low + 24 * bowed, 0, 0),
        ...armTurns('left', { down: 74, swing: 8 + 14 * low, elbow: 20 + 20 * low, twist: -8, curl: 18 }),
        ...armTurns('right', { down: 74, swing: 4 + 6 * low, elbow: 18 + 14 * low, twist: -8, curl: 30 }),
      },
      feet: { left: leftFootAt(t), right: rightFootAt(t) },
      hands: { left: resting },
    };
  },
};
