import type { Side } from '@stuntdouble/core/engine';
import { guyBody } from '../characters/mixamo-guy.js';
import { wave } from '../curves.js';
import { type Footfall, footAt } from '../footfalls.js';
import { armTurns, headTurns, trunkTurns } from '../puppet.js';
import type { HandState } from '../reach-hand.js';
import type { SampleMotion } from '../sample-motion.js';
import { pitch, roll, turnBy, type Vec3, yaw } from '../vector.js';

const FRAME = 1 / 30;
const CYCLE = 36 * FRAME;
const STRIDE = 1.0;
const AHEAD = 0.36;
const HALF = 0.15; // metres: half the width of the box

function footfalls(side: Side): Footfall[] {
  const late = side === 'left' ? 0 : 0.5;
  return [-2, -1, 0, 1, 2, 3].map((n) => {
    const cycle = n + late;
    return {
      strike: cycle * CYCLE,
      flat: (cycle + 4 / 36) * CYCLE,
      heelOff: (cycle + 15 / 36) * CYCLE,
      off: (cycle + 23 / 36) * CYCLE,
      at: [(side === 'left' ? 1 : -1) * 0.1, cycle * STRIDE + AHEAD],
      yawDegrees: side === 'left' ? 8 : -8,
      strikePitch: -14,
      offPitch: 46,
    };
  });
}

const falls = { left: footfalls('left'), right: footfalls('right') };
const swing = { lift: 0.035, kick: 4, sharpness: 2, departure: 0, arrival: 0.25 } as const;

/** Two cycles of a heavy walk with a box before the belly; the hands keep their distance. */
export const carryBox: SampleMotion = {
  name: 'carry-box',
  title: 'Carry a box with both hands, two cycles, loops',
  duration: 2 * CYCLE,
  frameRate: 30,
  keys: 'dense',
  loops: true,
  actAt: (t) => {
    const c = t / CYCLE;
    const step = wave(c);
    const drop = 2.2 * wave(c, 0.3);
    const bob = wave(2 * c, 0.62);
    const hips: Vec3 = [0.026 * wave(c, 0.31), 0.925 + 0.013 * bob, (STRIDE * t) / CYCLE];
    const hand = (side: Side): HandState => {
      const s = side === 'left' ? 1 : -1;
      return {
        contact: false,
        wrist: [(HALF + 0.02) * s + 0.6 * hips[0], hips[1] + 0.1 + 0.004 * bob, hips[2] + 0.3],
        fingers: [-0.12 * s, -0.3, 1],
        palm: [-s, 0.1, -0.1],
        elbow: [0.85 * s, -0.5, -0.6],
      };
    };
    return {
      hips,
      hipsTurn: turnBy(yaw(-5 * step), roll(-drop), pitch(-2)),
      turns: {
        ...trunkTurns(-5 + bob, 5 * step, 0.2 * drop),
        ...headTurns(4 - bob, 0, 0.3 * drop),
        ...armTurns('left', { down: 60, curl: 28 }),
        ...armTurns('right', { down: 60, curl: 28 }),
      },
      feet: {
        left: footAt(guyBody, 'left', falls.left, swing, t),
        right: footAt(guyBody, 'right', falls.right, swing, t),
      },
      hands: { left: hand('left'), right: hand('right') },
    };
  },
};
