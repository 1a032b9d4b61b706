import { guyBody } from '../characters/mixamo-guy.js';
import { wave } from '../curves.js';
import { standAt } from '../footfalls.js';
import { armTurns, headTurns, trunkTurns } from '../puppet.js';
import type { SampleMotion } from '../sample-motion.js';
import { pitch, turnBy, yaw } from '../vector.js';

const BREATH = 2.4; // seconds

/** A low lunge, one arm thrust ahead, the other drawn back, held: only breath moves it. Loops. */
export const actionPose: SampleMotion = {
  name: 'action-pose',
  title: 'Action pose: a low lunge with an arm thrust ahead, held, loops',
  duration: BREATH,
  frameRate: 30,
  keys: 'dense',
  loops: true,
  actAt: (t) => {
    const breath = wave(t / BREATH);
    return {
      hips: [0.02, 0.66 + 0.006 * breath, 0.03],
      hipsTurn: turnBy(yaw(-28), pitch(4)),
      turns: {
        ...trunkTurns(8 - 1.5 * breath, -22, 4),
        ...headTurns(-6 + breath, 46, -2),
        ...armTurns('left', { down: 8 - breath, swing: 6, elbow: 8, twist: 10, wrist: -62, curl: 6 }),
        ...armTurns('right', { down: 60 - 2 * breath, swing: -30, elbow: 112, twist: 20, curl: 56 }),
      },
      feet: {
        left: standAt(guyBody, 'left', [0.2, 0.58], 8),
        right: standAt(guyBody, 'right', [-0.17, -0.33], -64),
      },
    };
  },
};
