import type { Side } from '@stuntdouble/core/engine';
import { guyBody } from '../characters/mixamo-guy.js';
import { curve, wave } from '../curves.js';
import { standAt } from '../footfalls.js';
import { armTurns, headTurns, trunkTurns } from '../puppet.js';
import type { HandState } from '../reach-hand.js';
import type { SampleMotion } from '../sample-motion.js';
import { pitch } from '../vector.js';

const DOWN = 0.3; // seconds: begins to go down
const SAT = 1.5; // sits
const RISE = 3.3; // begins to get up
const UP = 4.5; // stands
const SEAT = 0.555; // metres: the hips' height on a chair of 0.45
const BACK = -0.42; // metres from standing to sitting

const height = curve([
  [DOWN, 0.946],
  [SAT, SEAT],
  [RISE, SEAT],
  [UP, 0.946],
]);
const away = curve([
  [DOWN, 0],
  [SAT - 0.1, BACK],
  [RISE + 0.15, BACK],
  [UP, 0],
]);
const bend = curve([
  [DOWN - 0.1, 2],
  [DOWN + 0.65, 52],
  [SAT + 0.25, 4],
  [RISE - 0.15, 4],
  [RISE + 0.5, 52],
  [UP, 2],
]);
/** 0: hands free, 1: hands on the thighs. */
const rested = curve([
  [SAT - 0.45, 0],
  [SAT + 0.25, 1],
  [RISE - 0.1, 1],
  [RISE + 0.6, 0],
]);

/** Sitting down on a chair, resting there, getting up again; feet stay where they stand. */
export const sitDown: SampleMotion = {
  name: 'sit-down',
  title: 'Sit down on a chair and get up again',
  duration: UP + 0.4,
  frameRate: 60,
  keys: 'dense',
  actAt: (t) => {
    const lean = bend(t);
    const hips = [0, height(t), away(t)] as const;
    const breath = wave(0.4 * t);
    const reach = 18 * Math.min(1, Math.max(0, (lean - 4) / 48));
    const hand = (side: Side): HandState => {
      const s = side === 'left' ? 1 : -1;
      return {
        contact: false,
        wrist: [0.125 * s, SEAT + 0.095, BACK + 0.235],
        fingers: [-0.18 * s, -0.1, 1],
        palm: [-0.1 * s, -1, -0.05],
        elbow: [s, -0.3, -0.6],
        weight: rested(t),
      };
    };
    const arm = (side: Side) =>
      armTurns(side, { down: 74, swing: 6 + reach, elbow: 18 + reach, twist: -8, curl: 18 });
    return {
      hips,
      hipsTurn: pitch(0.5 * lean - 6 * rested(t)),
      turns: {
        ...trunkTurns(0.5 * lean + breath, 0, 0),
        ...headTurns(-0.55 * lean - 2, 7 * rested(t) * wave(0.45 * (t - SAT), 0.5), 0),
        ...arm('left'),
        ...arm('right'),
      },
      feet: {
        left: standAt(guyBody, 'left', [0.13, 0.105], 8),
        right: standAt(guyBody, 'right', [-0.13, 0.105], -8),
      },
      hands: { left: hand('left'), right: hand('right') },
    };
  },
};
