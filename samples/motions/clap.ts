import type { Side } from '@stuntdouble/core/engine';
import { guyBody } from '../characters/mixamo-guy.js';
import { wave } from '../curves.js';
import { standAt } from '../footfalls.js';
import { armTurns, headTurns, trunkTurns } from '../puppet.js';
import type { HandState } from '../reach-hand.js';
import type { SampleMotion } from '../sample-motion.js';
import { pitch } from '../vector.js';

const BEAT = 0.5; // seconds from clap to clap
const BEATS = 4;
const TOUCH = 0.021; // metres from the middle to a wrist when the palms meet
const APART = 0.15; // metres more at the widest

/** Half the gap between the hands: quick together, slower apart. */
function gapAt(t: number): number {
  const phase = t / BEAT - 0.3 * (Math.sin((2 * Math.PI * t) / BEAT) / (2 * Math.PI));
  return TOUCH + (APART * (1 - wave(phase))) / 2;
}

/** Clapping in front of the chest, palms flat on each other. Loops. */
export const clap: SampleMotion = {
  name: 'clap',
  title: 'Clap: palms meet in front of the chest, loops',
  duration: BEAT * BEATS,
  frameRate: 60,
  keys: 'dense',
  loops: true,
  actAt: (t) => {
    const c = t / (BEAT * BEATS);
    const nod = wave(4 * c, 0.06);
    const sway = wave(c, 0.25);
    const gap = gapAt(t);
    const hips = [0.012 * sway, 0.944 + 0.003 * wave(4 * c), -0.004] as const;
    const hand = (side: Side): HandState => {
      const s = side === 'left' ? 1 : -1;
      return {
        contact: false,
        wrist: [hips[0] + s * gap, 1.2 + 0.012 * nod, 0.27],
        fingers: [-0.06 * s, 0.82, 0.57],
        palm: [-s, 0, 0],
        elbow: [0.8 * s, -0.75, -0.1],
      };
    };
    return {
      hips,
      hipsTurn: pitch(1),
      turns: {
        ...trunkTurns(2 + nod, 0, -2 * sway),
        ...headTurns(1 + 3 * nod, 4 * sway, 4 * sway),
        ...armTurns('left', { down: 60, curl: 4 }),
        ...armTurns('right', { down: 60, curl: 4 }),
      },
      feet: {
        left: standAt(guyBody, 'left', [0.125, 0.105], 9),
        right: standAt(guyBody, 'right', [-0.125, 0.105], -9),
      },
      hands: { left: hand('left'), right: hand('right') },
    };
  },
};
