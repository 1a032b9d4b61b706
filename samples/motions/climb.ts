import type { Side } from '@stuntdouble/core/engine';
import { guyBody } from '../characters/mixamo-guy.js';
import { easeSoftly, wave } from '../curves.js';
import type { FootState } from '../footfalls.js';
import { armTurns, headTurns, trunkTurns } from '../puppet.js';
import type { HandState } from '../reach-hand.js';
import type { SampleMotion } from '../sample-motion.js';
import { pitch, roll, turnBy, yaw } from '../vector.js';

const RUNG = 0.3; // metres from rung to rung
const CYCLE = 1.6; // seconds in which every hand and foot goes up two rungs
const CYCLES = 2;
const LADDER = 0.34; // metres from the body's middle to the ladder
const MOVES = 0.34; // share of the cycle in which a hand or foot is on its way

/** The rung of a limb and its way to the one two higher: limbs that start `late` in the cycle. */
function rungAt(t: number, late: number, first: number): { height: number; way: number; at: number } {
  const c = t / CYCLE - late;
  const n = Math.floor(c);
  const u = (c - n) / MOVES;
  const at = (first + 2 * n) * RUNG;
  if (u >= 1) return { height: at + 2 * RUNG, way: 1, at: at + 2 * RUNG };
  return { height: at + 2 * RUNG * easeSoftly(u), way: u, at };
}

/** A left hand moves with the right foot, half a cycle before the right hand and the left foot. */
const lateOf = (side: Side, limb: 'hand' | 'foot') => ((side === 'left') === (limb === 'hand') ? 0.02 : 0.52);

function footAt(side: Side, t: number): FootState {
  const s = side === 'left' ? 1 : -1;
  const late = lateOf(side, 'foot');
  const { height, way } = rungAt(t, late, side === 'left' ? 2 : 1);
  const free = way < 1;
  const out = free ? Math.sin(Math.PI * way) ** 2 : 0;
  return {
    contact: free ? 'none' : 'ball',
    toes: [s * (0.13 + 0.03 * out), height + guyBody.joints.leftToes![1], LADDER - 0.09 * out],
    yawDegrees: 14 * s,
    pitchDegrees: 6 + 14 * out,
    bendDegrees: -6 + 6 * out,
    ground: height,
  };
}

function handAt(side: Side, t: number): HandState {
  const s = side === 'left' ? 1 : -1;
  const { height, way } = rungAt(t, lateOf(side, 'hand'), side === 'left' ? 5 : 6);
  const free = way < 1;
  const out = free ? Math.sin(Math.PI * way) ** 2 : 0;
  return {
    contact: !free,
    wrist: [s * (0.19 + 0.02 * out), height - 0.065, LADDER - 0.075 - 0.07 * out],
    fingers: [0, 1, 0.35],
    palm: [0, -0.25, 1],
    elbow: [0.7 * s, -0.8, -0.45],
  };
}

/** Climbing a ladder, hand over hand: hands and feet stand still on their rungs. Loops, four rungs higher. */
export const climb: SampleMotion = {
  name: 'climb',
  title: 'Climb a ladder, two cycles, loops',
  duration: CYCLES * CYCLE,
  frameRate: 60,
  keys: 'dense',
  loops: true,
  actAt: (t) => {
    const c = t / CYCLE;
    const step = wave(c, 0.3);
    const push = wave(2 * c, 0.45);
    const hips = [0.03 * step, 1.12 + (2 * RUNG * t) / CYCLE + 0.025 * push, -0.035] as const;
    return {
      hips,
      hipsTurn: turnBy(yaw(-4 * step), roll(-4 * step), pitch(6)),
      turns: {
        ...trunkTurns(2, 6 * step, 6 * step),
        ...headTurns(-16, 3 * step, -2 * step),
        ...armTurns('left', { down: -30, curl: 58 }),
        ...armTurns('right', { down: -30, curl: 58 }),
      },
      feet: { left: footAt('left', t), right: footAt('right', t) },
      hands: { left: handAt('left', t), right: handAt('right', t) },
    };
  },
};
