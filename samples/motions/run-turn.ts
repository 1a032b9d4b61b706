import type { Side } from '@stuntdouble/core/engine';
import { guyBody } from '../characters/mixamo-guy.js';
import { easeSoftly, progress, wave } from '../curves.js';
import { type Footfall, footAt } from '../footfalls.js';
import { armTurns, headTurns, trunkTurns } from '../puppet.js';
import type { SampleMotion } from '../sample-motion.js';
import { add, pitch, roll, rotate, scale, turnBy, type Vec3, yaw } from '../vector.js';

const FRAME = 1 / 60;
const CYCLE = 42 * FRAME; // seconds for two steps; feet touch and leave on frames
const SPEED = 2.85; // metres per second
const CYCLES = 5;
const TURN = 90; // degrees to the left in all
const TURN_FROM = 2.6; // metres run when the turn begins
const TURN_TO = 6.6;
const AHEAD = 0.34; // metres from the hips to the toes' joint at touch-down
const GRAVITY = 9.81;

const headingAt = (s: number) => TURN * easeSoftly(progress(s, TURN_FROM, TURN_TO));

/** Positions along the way by millimetre-fine midpoint sums, so that feet and hips agree on it. */
const way = (() => {
  const step = 0.002;
  const from = -8;
  const points: [number, number][] = [[0, from]];
  for (let s = from; s < CYCLES * CYCLE * SPEED + 8; s += step) {
    const angle = (headingAt(s + step / 2) * Math.PI) / 180;
    const [x, z] = points[points.length - 1]!;
    points.push([x + Math.sin(angle) * step, z + Math.cos(angle) * step]);
  }
  return (s: number): Vec3 => {
    const k = (s - from) / step;
    const i = Math.floor(k);
    const [x0, z0] = points[i]!;
    const [x1, z1] = points[i + 1]!;
    return [x0 + (x1 - x0) * (k - i), 0, z0 + (z1 - z0) * (k - i)];
  };
})();

/** How far the body leans into the turn, in degrees: the slope at which weight and turn balance, eased. */
function leanAt(s: number): number {
  const perMetre = (headingAt(s + 0.25) - headingAt(s - 0.25)) / 0.5;
  const acceleration = ((perMetre * Math.PI) / 180) * SPEED * SPEED;
  return (0.6 * Math.atan(acceleration / GRAVITY) * 180) / Math.PI;
}

function footfalls(side: Side): Footfall[] {
  const late = side === 'left' ? 0 : 0.5;
  return Array.from({ length: CYCLES + 4 }, (_, n) => {
    const cycle = n - 2 + late;
    const s = cycle * CYCLE * SPEED + AHEAD;
    const yawDegrees = headingAt(s);
    const aside = scale(rotate(yaw(yawDegrees), [1, 0, 0]), (side === 'left' ? 1 : -1) * 0.055);
    const [x, , z] = add(way(s), aside);
    return {
      strike: cycle * CYCLE,
      flat: (cycle + 3 / 42) * CYCLE,
      heelOff: (cycle + 6 / 42) * CYCLE,
      off: (cycle + 14 / 42) * CYCLE,
      at: [x, z],
      yawDegrees,
      strikePitch: -10,
      offPitch: 58,
    };
  });
}

const falls = { left: footfalls('left'), right: footfalls('right') };
const swing = { lift: 0.24, kick: 34, sharpness: 2, departure: 0, arrival: 1 } as const;

/** A run that turns ninety degrees to the left, with the travel on the hips. */
export const runTurn: SampleMotion = {
  name: 'run-turn',
  title: 'Run with a turn to the left, root motion',
  duration: CYCLES * CYCLE,
  frameRate: 120,
  keys: 'dense',
  actAt: (t) => {
    const c = t / CYCLE;
    const s = SPEED * t;
    const heading = headingAt(s);
    const lean = leanAt(s);
    const step = wave(c, 0.02);
    const turn = -9 * step;
    const bob = wave(2 * c, 0.82);
    const chestTurn = 21 * step;
    const inwards = scale(rotate(yaw(heading), [1, 0, 0]), 0.55 * Math.sin((lean * Math.PI) / 180));
    const arm = (side: Side) => {
      const forward = (side === 'left' ? -1 : 1) * 40 * wave(c, 0.03) - 8;
      return armTurns(side, { down: 72, swing: forward, elbow: 82 + 0.3 * forward, twist: -14, curl: 42 });
    };
    const hips = add(add(way(s), inwards), [0, 0.888 - 0.0012 * lean + 0.032 * bob, 0]);
    return {
      hips,
      hipsTurn: turnBy(yaw(heading), roll(-lean), yaw(turn), roll(-3 * wave(c, 0.16)), pitch(7)),
      turns: {
        ...trunkTurns(9 + 2 * bob, chestTurn, 0.3 * lean + 3 * wave(c, 0.16)),
        // The head looks where the run will go.
        ...headTurns(-11 - 2 * bob, -chestTurn - turn + 0.35 * (headingAt(s + 0.9) - heading), 0.5 * lean),
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
