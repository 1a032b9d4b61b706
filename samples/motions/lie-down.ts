import type { Side } from '@stuntdouble/core/engine';
import { guyBody } from '../characters/mixamo-guy.js';
import { curve, ease, progress, wave } from '../curves.js';
import { carryFoot, type FootState, standAt } from '../footfalls.js';
import { armTurns, headTurns, trunkTurns } from '../puppet.js';
import type { HandState } from '../reach-hand.js';
import type { SampleMotion } from '../sample-motion.js';
import { pitch } from '../vector.js';

const SQUAT = 1.1; // seconds: low over the heels
const SAT = 1.8; // sits on the ground, hands behind
const LAIN = 3.0; // lies on the back
const RAISE = 5.2; // begins to sit up
const SITS = 6.3;
const RISE = 7.0; // squats
const UP = 8.1; // stands

/** What happens on the way down happens on the way up, the other way around. */
const thereAndBack = (keys: readonly (readonly [number, number])[]) =>
  curve([...keys, ...[...keys].reverse().map(([t, value]) => [timeBack(t), value] as const)]);
const timeBack = (t: number) =>
  t <= 0.3
    ? UP
    : t <= SQUAT
      ? RISE + ((SQUAT - t) / (SQUAT - 0.3)) * (UP - RISE)
      : t <= SAT
        ? SITS + ((SAT - t) / (SAT - SQUAT)) * (RISE - SITS)
        : RAISE + ((LAIN - t) / (LAIN - SAT)) * (SITS - RAISE);

const height = thereAndBack([
  [0.3, 0.946],
  [SQUAT, 0.37],
  [SAT, 0.135],
  [LAIN, 0.112],
]);
const away = thereAndBack([
  [0.3, 0],
  [SQUAT, -0.27],
  [SAT, -0.52],
  [LAIN, -0.56],
]);
/** Degrees of the hips: forward in the squat, on the back at last. */
const tilt = thereAndBack([
  [0.3, 0],
  [SQUAT, 34],
  [SAT, -30],
  [LAIN, -88],
]);
const bend = thereAndBack([
  [0.3, 2],
  [SQUAT, 34],
  [SAT + 0.05, 8],
  [LAIN - 0.35, 30],
  [LAIN, 0],
]);
const nod = thereAndBack([
  [0.3, 0],
  [SQUAT, -30],
  [SAT, 8],
  [LAIN - 0.35, 26],
  [LAIN, 2],
]);
/** 0: hands free, 1: hands on the ground behind the hips. */
const propped = thereAndBack([
  [SQUAT + 0.15, 0],
  [SAT, 1],
  [SAT + 0.5, 1],
  [LAIN - 0.15, 0],
]);

const floorOf = (side: Side) =>
  standAt(guyBody, side, [side === 'left' ? 0.13 : -0.13, 0.105], side === 'left' ? 9 : -9);
/** The leg stretched out on its heel. */
const stretchedOf = (side: Side): FootState => ({
  contact: 'none',
  toes: [side === 'left' ? 0.15 : -0.15, 0.19, 0.335],
  yawDegrees: side === 'left' ? 14 : -14,
  pitchDegrees: -74,
  bendDegrees: 0,
});

function footAt(side: Side, t: number): FootState {
  const late = side === 'left' ? 0 : 0.35;
  const [floor, stretched] = [floorOf(side), stretchedOf(side)];
  if (t < (LAIN + RAISE) / 2)
    return carryFoot(floor, stretched, progress(t, LAIN - 0.1 + late, LAIN + 0.6 + late), 0.05);
  return carryFoot(stretched, floor, progress(t, RAISE - 0.95 + late, RAISE - 0.3 + late), 0.05);
}

/** From standing to sitting to lying on the back with legs stretched out, and all the way up again. */
export const lieDown: SampleMotion = {
  name: 'lie-down',
  title: 'Lie down on the back and get up again',
  duration: UP + 0.4,
  frameRate: 30,
  keys: 'dense',
  actAt: (t) => {
    const breath = wave(0.35 * t);
    const lying = ease(progress(t, SAT, LAIN)) * (1 - ease(progress(t, RAISE, SITS)));
    const low = ease(progress(t, 0.3, SQUAT)) * (1 - ease(progress(t, RISE, UP)));
    const hand = (side: Side): HandState => {
      const s = side === 'left' ? 1 : -1;
      return {
        contact: propped(t) === 1,
        wrist: [0.24 * s, 0.034, -0.72],
        fingers: [0.5 * s, 0, -1],
        palm: [0, -1, 0],
        elbow: [0.4 * s, 0.3, -1],
        weight: propped(t),
      };
    };
    const arm = (side: Side) =>
      armTurns(side, {
        down: 74 - 16 * lying,
        swing: 5 + 24 * low * (1 - lying) - 3 * lying,
        elbow: 18 - 6 * lying,
        twist: -8,
        curl: 10,
      });
    return {
      hips: [0, height(t), away(t)],
      hipsTurn: pitch(tilt(t)),
      turns: {
        ...trunkTurns(bend(t) + breath, 0, 0),
        ...headTurns(nod(t), 0, 0),
        ...arm('left'),
        ...arm('right'),
      },
      feet: { left: footAt('left', t), right: footAt('right', t) },
      hands: { left: hand('left'), right: hand('right') },
    };
  },
};
