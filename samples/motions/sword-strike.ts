import type { Side } from '@stuntdouble/core/engine';
import { guyBody } from '../characters/mixamo-guy.js';
import { curve } from '../curves.js';
import { standAt } from '../footfalls.js';
import { armTurns, headTurns, trunkTurns } from '../puppet.js';
import type { HandState } from '../reach-hand.js';
import type { SampleMotion } from '../sample-motion.js';
import { add, pitch, rotate, scale, turnBy, type Vec3, yaw } from '../vector.js';

const RAISED = 0.9; // seconds: over the head
const STRUCK = 1.3;
const END = 2.4;
const HALF = 0.055; // metres: half of what the fists are apart along the grip
const IN_FIST = 0.075; // metres from a wrist to the grip, along the fingers
const UNDER_PALM = 0.03; // and under the palm

/** How far the blade leans ahead from upright, in degrees. */
const lean = curve([
  [0, 42],
  [RAISED, -38],
  [STRUCK, 92],
  [STRUCK + 0.2, 92],
  [END, 42],
]);
/** Height and distance of the middle of the grip. */
const height = curve([
  [0, 1.08],
  [RAISED, 1.74],
  [STRUCK, 1.02],
  [STRUCK + 0.2, 1.02],
  [END, 1.08],
]);
const away = curve([
  [0, 0.36],
  [RAISED, 0.24],
  [STRUCK - 0.15, 0.5],
  [STRUCK, 0.47],
  [STRUCK + 0.2, 0.47],
  [END, 0.36],
]);
/** 0 upright, 1 in the strike. */
const strike = curve([
  [RAISED, 0],
  [STRUCK, 1],
  [STRUCK + 0.2, 1],
  [END, 0],
]);

/** A sword in both fists, the right one over the left one, raised over the head and brought down. Loops. */
export const swordStrike: SampleMotion = {
  name: 'sword-strike',
  title: 'Sword strike: both fists on one grip, over the head and down, loops',
  duration: END,
  frameRate: 30,
  keys: 'dense',
  loops: true,
  actAt: (time) => {
    const t = time - END * Math.floor(time / END);
    const k = strike(t);
    const turn = pitch(lean(t));
    const middle: Vec3 = [0, height(t), away(t)];
    const hand = (side: Side): HandState => {
      const s = side === 'left' ? 1 : -1;
      const fingers = rotate(turnBy(turn, yaw(-12 * s)), [0, 0, 1]);
      const palm = rotate(turnBy(turn, yaw(-12 * s)), [-s, 0, 0]);
      const onGrip = add(middle, rotate(turn, [0, -s * HALF, 0]));
      return {
        contact: false,
        wrist: add(onGrip, add(scale(fingers, -IN_FIST), scale(palm, -UNDER_PALM))),
        fingers,
        palm,
        elbow: [0.7 * s, -0.8, -0.1],
      };
    };
    return {
      hips: [0, 0.93 - 0.06 * k, 0.03 * k],
      hipsTurn: pitch(2 + 6 * k),
      turns: {
        ...trunkTurns(2 + 14 * k, 0, 0),
        ...headTurns(-8 * k, 0, 0),
        ...armTurns('left', { down: 40, curl: 62 }),
        ...armTurns('right', { down: 40, curl: 62 }),
      },
      feet: {
        left: standAt(guyBody, 'left', [0.12, -0.02], 22),
        right: standAt(guyBody, 'right', [-0.12, 0.26], -6),
      },
      hands: { left: hand('left'), right: hand('right') },
    };
  },
};
