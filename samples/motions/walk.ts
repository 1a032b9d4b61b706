import type { Side } from '@stuntdouble/core/engine';
import { guyBody } from '../characters/mixamo-guy.js';
import { wave } from '../curves.js';
import { type Footfall, footAt } from '../footfalls.js';
import { armTurns, headTurns, trunkTurns } from '../puppet.js';
import type { SampleMotion } from '../sample-motion.js';
import { pitch, roll, turnBy, yaw } from '../vector.js';

const FRAME = 1 / 30;
const CYCLE = 32 * FRAME; // seconds for two steps; feet touch and leave on frames
const STRIDE = 1.26; // metres in that time
const AHEAD = 0.44; // metres from the hips to the toes' joint at heel strike

/** The left foot strikes at whole cycles, the right one half a cycle later. */
function footfalls(side: Side): Footfall[] {
  const late = side === 'left' ? 0 : 0.5;
  return [-2, -1, 0, 1, 2, 3].map((n) => {
    const cycle = n + late;
    return {
      strike: cycle * CYCLE,
      flat: (cycle + 4 / 32) * CYCLE,
      heelOff: (cycle + 12 / 32) * CYCLE,
      off: (cycle + 20 / 32) * CYCLE,
      at: [(side === 'left' ? 1 : -1) * 0.085, cycle * STRIDE + AHEAD],
      yawDegrees: side === 'left' ? 5 : -5,
      strikePitch: -20,
      offPitch: 52,
    };
  });
}

const falls = { left: footfalls('left'), right: footfalls('right') };
const swing = { lift: 0.03, kick: 4, sharpness: 2, departure: 0, arrival: 0.25 } as const;

/** Two cycles of a walk, travelling forward; the last pose is the first one, further on. */
export const walk: SampleMotion = {
  name: 'walk',
  title: 'Walk, two cycles, travelling',
  duration: 2 * CYCLE,
  frameRate: 30,
  keys: 'dense',
  loops: true,
  actAt: (t) => {
    const c = t / CYCLE;
    // Everything that goes with the step (left or right) has one wave a cycle, what goes with every step two.
    const step = wave(c);
    const turn = -6 * step;
    const drop = 3 * wave(c, 0.3);
    const bob = wave(2 * c, 0.62);
    const chestTurn = 13 * step;
    const lean = -0.8 * drop;
    const armSwing = (side: Side) => (side === 'left' ? -1 : 1) * 24 * wave(c, 0.04) + 3;
    const arm = (side: Side) => {
      const forward = armSwing(side);
      return armTurns(side, {
        down: 76,
        swing: forward,
        elbow: 24 + 0.55 * Math.max(forward, -12),
        twist: -8,
        curl: 20,
      });
    };
    return {
      hips: [0.022 * wave(c, 0.31), 0.929 + 0.017 * bob, (STRIDE * t) / CYCLE + 0.008 * wave(2 * c, 0.9)],
      hipsTurn: turnBy(yaw(turn), roll(-drop), pitch(2)),
      turns: {
        ...trunkTurns(3 + 1.2 * bob, chestTurn, lean + drop),
        ...headTurns(-4 - 1.2 * bob, -chestTurn - turn, -lean * 0.6),
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
