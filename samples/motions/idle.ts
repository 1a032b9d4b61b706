import { guyBody } from '../characters/mixamo-guy.js';
import { wave } from '../curves.js';
import { standAt } from '../footfalls.js';
import { armTurns, headTurns, trunkTurns } from '../puppet.js';
import type { SampleMotion } from '../sample-motion.js';
import { roll, turnBy, yaw } from '../vector.js';

const SPAN = 4; // seconds: one shift of the weight, two breaths

/** Standing about: breathing, shifting the weight, looking around a little. Loops. */
export const idle: SampleMotion = {
  name: 'idle',
  title: 'Idle: breathing and shifting weight, loops',
  duration: SPAN,
  frameRate: 30,
  keys: 'dense',
  loops: true,
  actAt: (t) => {
    const c = t / SPAN;
    const shift = wave(c, 0.3);
    const breath = wave(2 * c, 0.1);
    const look = wave(c, 0.55);
    return {
      hips: [0.024 * shift, 0.944 + 0.003 * breath, -0.006 + 0.004 * wave(c, 0.8)],
      hipsTurn: turnBy(yaw(2 * shift), roll(-1.8 * shift)),
      turns: {
        ...trunkTurns(2 + 1.4 * breath, -2 * shift, 1.6 * shift),
        ...headTurns(-2 - 0.8 * breath + 1.5 * look, 11 * look, -1.5 * shift),
        ...armTurns('left', { down: 77 + 0.8 * breath, swing: 4 + shift, elbow: 18, twist: -8, curl: 20 }),
        ...armTurns('right', { down: 77 + 0.8 * breath, swing: 4 - shift, elbow: 16, twist: -8, curl: 22 }),
      },
      feet: {
        left: standAt(guyBody, 'left', [0.12, 0.12], 9),
        right: standAt(guyBody, 'right', [-0.12, 0.09], -11),
      },
    };
  },
};
