import type { Side } from '@stuntdouble/core/engine';
import { guyBody } from '../characters/mixamo-guy.js';
import { curve, ease, progress } from '../curves.js';
import { standAt } from '../footfalls.js';
import { armTurns, headTurns, trunkTurns } from '../puppet.js';
import type { HandState } from '../reach-hand.js';
import type { SampleMotion } from '../sample-motion.js';
import { pitch } from '../vector.js';

const JOIN = 0.8; // seconds: the palms meet
const BOW = 1.3;
const RISE = 2.1;
const PART = 2.4; // and part
const END = 3.2;
const TOUCH = 0.021; // metres from the middle to a wrist when the palms meet

/** 0 upright, 1 bowed. */
const bow = curve([
  [JOIN, 0],
  [BOW, 1],
  [RISE - 0.45, 1],
  [RISE, 0],
]);
/** Half of what the hands are apart, beyond their touch. */
const apart = curve([
  [JOIN - 0.3, 0.07],
  [JOIN, 0],
  [PART, 0],
  [PART + 0.3, 0.07],
]);

/** Praying on one's feet: palms laid on each other before the chest, fingers up, and a bow. */
export const pray: SampleMotion = {
  name: 'pray',
  title: 'Pray: palms laid on each other before the chest, a bow, and hands down again',
  duration: END,
  frameRate: 30,
  keys: 'dense',
  actAt: (t) => {
    const b = bow(t);
    const held = ease(progress(t, 0.1, JOIN - 0.25)) * (1 - ease(progress(t, PART + 0.25, END - 0.1)));
    const hand = (side: Side): HandState => {
      const s = side === 'left' ? 1 : -1;
      return {
        contact: false,
        wrist: [s * (TOUCH + apart(t)), 1.22 - 0.1 * b, 0.23 + 0.13 * b],
        fingers: [0, 1, 0.2 + 0.5 * b],
        palm: [-s, 0, 0],
        elbow: [0.8 * s, -0.75, -0.1],
        weight: held,
      };
    };
    const arm = (side: Side) =>
      armTurns(side, { down: 74, swing: 4, elbow: 14, twist: -8, curl: 20 - 16 * held });
    return {
      hips: [0, 0.944, -0.05 * b],
      hipsTurn: pitch(1 + 9 * b),
      turns: {
        ...trunkTurns(2 + 16 * b, 0, 0),
        ...headTurns(2 + 20 * b, 0, 0),
        ...arm('left'),
        ...arm('right'),
      },
      feet: {
        left: standAt(guyBody, 'left', [0.1, 0.105], 9),
        right: standAt(guyBody, 'right', [-0.1, 0.105], -9),
      },
      hands: { left: hand('left'), right: hand('right') },
    };
  },
};
