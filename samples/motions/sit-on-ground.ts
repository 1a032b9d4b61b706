import type { Side } from '@stuntdouble/core/engine';
import { guyBody } from '../characters/mixamo-guy.js';
import { wave } from '../curves.js';
import { standAt } from '../footfalls.js';
import { armTurns, headTurns, trunkTurns } from '../puppet.js';
import type { HandState } from '../reach-hand.js';
import type { SampleMotion } from '../sample-motion.js';
import { pitch } from '../vector.js';

const SPAN = 4;

/** Sitting on the ground with knees up and hands around the shins, rocking a little. Loops. */
export const sitOnGround: SampleMotion = {
  name: 'sit-on-ground',
  title: 'Sit on the ground, hands around the shins, loops',
  duration: SPAN,
  frameRate: 30,
  keys: 'dense',
  loops: true,
  actAt: (t) => {
    const c = t / SPAN;
    const breath = wave(2 * c, 0.1);
    const look = wave(c, 0.4);
    const rock = wave(c, 0.15);
    const hand = (side: Side): HandState => {
      const s = side === 'left' ? 1 : -1;
      return {
        contact: true,
        wrist: [0.105 * s, side === 'left' ? 0.335 : 0.31, 0.41],
        fingers: [-s, -0.12, 0.12],
        palm: [-0.1 * s, 0.1, -1],
        elbow: [s, -0.5, -0.15],
      };
    };
    return {
      hips: [0, 0.135, 0],
      hipsTurn: pitch(-14 + 1.2 * rock),
      turns: {
        ...trunkTurns(38 + 1.5 * breath + 1.5 * rock, 3 * look, 0),
        ...headTurns(-16 - breath - 2 * rock, 22 * look, -3 * look),
        ...armTurns('left', { down: 62, swing: 40, curl: 26 }),
        ...armTurns('right', { down: 62, swing: 40, curl: 26 }),
      },
      feet: {
        left: standAt(guyBody, 'left', [0.115, 0.57], 6),
        right: standAt(guyBody, 'right', [-0.115, 0.57], -6),
      },
      hands: { left: hand('left'), right: hand('right') },
    };
  },
};
