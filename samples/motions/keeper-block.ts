import type { Side } from '@stuntdouble/core/engine';
import { placeBody } from '../body/body.js';
import { guyBody } from '../characters/mixamo-guy.js';
import { curve, ease, progress } from '../curves.js';
import { carryFoot, type FootState, standAt } from '../footfalls.js';
import { type Act, armTurns, headTurns, solveAct, trunkTurns } from '../puppet.js';
import type { HandState } from '../reach-hand.js';
import type { SampleMotion } from '../sample-motion.js';
import { mix, pitch, turnBy, type Vec3, yaw } from '../vector.js';

const STEP = 0.35; // seconds: the right foot leaves
const STEPPED = 0.75; // and stands aside
const DRAG = 0.7; // the left foot leaves
const DRAGGED = 1.1; // its ball stands behind
const BLOCKED = 1.5; // the left knee is down, the ball is at the hands
const HUGGED = 2.2; // the ball is at the chest
const RISE = 2.6;
const CLOSE = 3.2; // the left foot leaves again
const CLOSED = 3.7; // and stands beside the right one

const KNEE = 0.068; // metres over the floor, as thick as the shin is there
const KNELT: Vec3 = [-0.24, 0, 0.3]; // under the hips on the knee
const STANDS: Vec3 = [-0.38, 0.946, 0.12]; // the hips at the end

const aside: FootState = standAt(guyBody, 'right', [-0.55, 0.22], -28);
const ready = (side: Side): FootState => {
  const s = side === 'left' ? 1 : -1;
  return standAt(guyBody, side, [0.17 * s, 0.105], 12 * s);
};
/** The left foot on its ball, heel up, turned in. */
const behind: FootState = {
  ...standAt(guyBody, 'left', [0.02, -0.02], -34),
  contact: 'ball',
  pitchDegrees: 76,
  bendDegrees: -76,
};
const beside: FootState = standAt(guyBody, 'left', [-0.23, 0.14], 10);

function feetAt(t: number): Act['feet'] {
  const right = carryFoot(ready('right'), aside, progress(t, STEP, STEPPED), 0.06);
  if (t > BLOCKED && t < RISE) return { right, left: { ...behind, kneels: true } };
  const left =
    t < RISE
      ? carryFoot(ready('left'), behind, progress(t, DRAG, DRAGGED), 0.03)
      : carryFoot(behind, beside, progress(t, CLOSE, CLOSED), 0.06);
  return { right, left };
}

/** How low the body is: 0 stands, 1 kneels. */
const low = curve([
  [0.05, 0.12],
  [STEPPED, 0.5, 0.9],
  [BLOCKED, 1],
  [RISE, 1],
  [CLOSE, 0.45, -1.1],
  [CLOSED + 0.25, 0],
]);
/** How far the trunk is bent over the ball. */
const bow = curve([
  [0.1, 0.25],
  [BLOCKED, 1],
  [BLOCKED + 0.2, 1],
  [HUGGED, 0.5],
  [RISE, 0.4],
  [CLOSED + 0.25, 0],
]);

const hipsTurn = (t: number) => turnBy(yaw(-24 * low(t)), pitch(6 + 16 * low(t)));

/** The height of the hips over the kneeling knee: bisection, as the knee sinks with them. */
const kneltHeight = (() => {
  let [under, over] = [0.3, 0.6];
  for (let n = 0; n < 50; n++) {
    const middle = (under + over) / 2;
    const hips: Vec3 = [KNELT[0], middle, KNELT[2]];
    const act: Act = { hips, hipsTurn: hipsTurn(BLOCKED), turns: {}, feet: { left: behind, right: aside } };
    const knee = placeBody(guyBody, solveAct(guyBody, act)).leftLowerLeg!.translation;
    if (knee[1] < KNEE) under = middle;
    else over = middle;
  }
  return under;
})();

const HALF = 0.11; // metres: half of the ball
/** Between the wrists: low before the knee, then at the chest with the ball. */
const REACHED_AT: Vec3 = [-0.33, 0.26, 0.53];
const HUGGED_AT: Vec3 = [-0.31, 0.66, 0.52];
const HELD_AT: Vec3 = [-0.38, 1.13, 0.36];

/** A keeper's block of a low ball: a step aside, a knee behind the hands, the ball drawn to the chest. */
export const keeperBlock: SampleMotion = {
  name: 'keeper-block',
  title: 'Goalkeeper block: a step aside, one knee down, the ball drawn to the chest',
  duration: CLOSED + 0.5,
  frameRate: 60,
  keys: 'dense',
  actAt: (t) => {
    const q = low(t);
    const stood = mix([0, 0.946, 0], STANDS, ease(progress(t, RISE, CLOSED)));
    const knelt: Vec3 = [KNELT[0], kneltHeight, KNELT[2]];
    const drawn = ease(progress(t, BLOCKED + 0.15, HUGGED));
    const up = ease(progress(t, RISE, CLOSED + 0.2));
    const ball = mix(mix(REACHED_AT, HUGGED_AT, drawn), HELD_AT, up);
    const hand = (side: Side): HandState => {
      const s = side === 'left' ? 1 : -1;
      return {
        contact: false,
        wrist: [ball[0] + HALF * s, ball[1], ball[2]],
        fingers: [-0.15 * s, -0.9 + 0.7 * drawn, 0.55],
        palm: [-0.75 * s, 0.1, 0.5 - 0.9 * drawn],
        elbow: [0.9 * s, -0.2, -0.5],
        weight: ease(progress(t, 0.5, BLOCKED - 0.05)),
      };
    };
    const arm = (side: Side) => armTurns(side, { down: 58, swing: 22, elbow: 58, twist: 6, curl: 8 });
    return {
      hips: mix(stood, knelt, q),
      hipsTurn: hipsTurn(t),
      turns: {
        ...trunkTurns(6 + 68 * bow(t), 0, 0),
        ...headTurns(-8 - 38 * bow(t), 0, 0),
        ...arm('left'),
        ...arm('right'),
      },
      feet: feetAt(t),
      hands: { left: hand('left'), right: hand('right') },
    };
  },
};
