import type { Side } from '@stuntdouble/core/engine';
import { guyBody } from '../characters/mixamo-guy.js';
import { wave } from '../curves.js';
import { type Footfall, footAt } from '../footfalls.js';
import { armTurns, headTurns, trunkTurns } from '../puppet.js';
import type { SampleMotion } from '../sample-motion.js';
import { pitch, roll, turnBy, yaw } from '../vector.js';

const FRAME = 1 / 60;
const CYCLE = 48 * FRAME; // seconds for a step of either foot; feet touch and leave on frames
const STRIDE = 0.5; // metres to the left in that time
const WIDE = 0.19; // metres from the hips to where a foot stands, on the mean

/** The left foot goes ahead in the first half of a cycle, the right one closes up in the second. */
function footfalls(side: Side): Footfall[] {
  const late = side === 'left' ? 20 / 48 : 44 / 48;
  // Half of the way under a standing foot is before the foot, half after it.
  const under = (15 / 48) * STRIDE;
  return [-3, -2, -1, 0, 1, 2, 3].map((n) => {
    const cycle = n + late;
    return {
      strike: cycle * CYCLE,
      flat: (cycle + 4 / 48) * CYCLE,
      heelOff: (cycle + 24 / 48) * CYCLE,
      off: (cycle + 30 / 48) * CYCLE,
      at: [
        cycle * STRIDE + under + (side === 'left' ? WIDE : -WIDE),
        0.105 + (side === 'left' ? 0.05 : -0.03),
      ],
      yawDegrees: side === 'left' ? 12 : -12,
      strikePitch: 14,
      offPitch: 26,
    };
  });
}

const falls = { left: footfalls('left'), right: footfalls('right') };
const swing = { lift: 0.045, kick: 4, sharpness: 2, departure: 0.1, arrival: 0.2 } as const;

/** Steps to the left, looking ahead, fists up: feet never cross. */
export const strafe: SampleMotion = {
  name: 'strafe',
  title: 'Strafe to the left, three steps, loops',
  duration: 3 * CYCLE,
  frameRate: 60,
  keys: 'dense',
  loops: true,
  actAt: (t) => {
    const c = t / CYCLE;
    const push = wave(c, 0.1); // the right foot pushes off
    const bob = wave(2 * c, 0.2);
    const arm = (side: Side) =>
      armTurns(side, {
        down: 66,
        swing: (side === 'left' ? 44 : 34) + 5 * push,
        elbow: 98 + 6 * bob,
        twist: 12,
        curl: 52,
      });
    return {
      hips: [STRIDE * c + 0.012 * wave(c, 0.3), 0.885 + 0.014 * bob, 0.012],
      hipsTurn: turnBy(yaw(-5), roll(-3 * push), pitch(9)),
      turns: {
        ...trunkTurns(12 + 1.5 * bob, 8 + 3 * push, -2 - 3 * push),
        ...headTurns(-14, 8 - 3 * push, 3 * push),
        ...arm('left'),
        ...arm('right'),
      },
      feet: {
        left: footAt(guyBody, 'left', falls.left, swing, t),
        right: footAt(guyBody, 'right', falls.right, swing, t),
      },
    };
  },
};
