import type { Side } from '@stuntdouble/core/engine';
import { guyBody } from '../characters/mixamo-guy.js';
import { curve, ease, progress } from '../curves.js';
import { standAt } from '../footfalls.js';
import { armTurns, headTurns, trunkTurns } from '../puppet.js';
import type { HandState } from '../reach-hand.js';
import type { SampleMotion } from '../sample-motion.js';
import { pitch } from '../vector.js';

const LOW = 1.1; // seconds: down at the box
const GRASP = 1.4;
const HELD = 2.5; // upright with it
const LOWER = 3.3;
const PUT = 4.4; // down again
const FREE = 4.7; // hands off
const END = 6;

const HALF = 0.15; // metres: half the width of the box
const OPEN = 0.07; // metres that open hands are wider

/** 0 upright, 1 squatting. */
const squat = curve([
  [0.3, 0],
  [LOW, 1],
  [GRASP, 1],
  [HELD, 0],
  [LOWER, 0],
  [PUT, 1],
  [FREE, 1],
  [END - 0.3, 0],
]);
/** Height and distance of the hands while they are at the box. */
const handHeight = curve([
  [LOW, 0.2],
  [GRASP, 0.2],
  [HELD, 1.04],
  [LOWER, 1.04],
  [PUT, 0.2],
]);
const handAway = curve([
  [LOW, 0.34],
  [GRASP, 0.34],
  [GRASP + 0.6, 0.35],
  [HELD, 0.31],
  [LOWER, 0.31],
  [PUT - 0.6, 0.35],
  [PUT, 0.34],
]);

/** Squatting for a box, lifting it with both hands, holding it, putting it down and letting go. */
export const pickUp: SampleMotion = {
  name: 'pick-up',
  title: 'Pick up a box with both hands, put it down, let go',
  duration: END,
  frameRate: 30,
  keys: 'dense',
  actAt: (t) => {
    const q = squat(t);
    const near = ease(progress(t, 0.45, LOW)) * (1 - ease(progress(t, FREE, FREE + 0.55)));
    const open = 1 - ease(progress(t, LOW, GRASP)) + ease(progress(t, PUT, FREE));
    const hand = (side: Side): HandState => {
      const s = side === 'left' ? 1 : -1;
      return {
        contact: false,
        wrist: [(HALF + 0.02 + OPEN * Math.min(1, open)) * s, handHeight(t), handAway(t)],
        fingers: [-0.12 * s, -0.35, 1],
        palm: [-s, 0, -0.1],
        elbow: [0.9 * s, -0.35, -0.5],
        weight: near,
      };
    };
    const arm = (side: Side) =>
      armTurns(side, { down: 74, swing: 6 + 24 * q, elbow: 18 + 6 * q, twist: -8, curl: 22 });
    return {
      hips: [0, 0.945 - 0.53 * q, -0.19 * q],
      hipsTurn: pitch(34 * q),
      turns: {
        ...trunkTurns(2 + 50 * q, 0, 0),
        ...headTurns(-34 * q + 8 * near * (1 - q), 0, 0),
        ...arm('left'),
        ...arm('right'),
      },
      feet: {
        left: standAt(guyBody, 'left', [0.17, 0.105], 14),
        right: standAt(guyBody, 'right', [-0.17, 0.105], -14),
      },
      hands: { left: hand('left'), right: hand('right') },
    };
  },
};
