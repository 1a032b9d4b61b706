import type { Side } from '@stuntdouble/core/engine';
import { footInAir, hipsUnderShoulders, type LegHold, leaveFloor } from '../body/tumble.js';
import { guyBody } from '../characters/mixamo-guy.js';
import { curve, ease, progress, wave } from '../curves.js';
import { type FootState, standAt } from '../footfalls.js';
import { armTurns, headTurns, trunkTurns } from '../puppet.js';
import type { HandState } from '../reach-hand.js';
import type { SampleMotion } from '../sample-motion.js';
import { mix, pitch, type Vec3 } from '../vector.js';

const PLANTED = 0.9; // seconds: both hands stand
const KICK = 1.2; // the left foot leaves
const FROZEN = 2.1; // upside down
const THAW = 3.6;
const LANDED = 4.5; // both feet stand again
const FREE = 4.8; // the hands have left
const UP = 5.6;

const LATE = 10 / 60; // seconds that the right leg follows the left

const HANDS: Vec3 = [0.21, 0.034, 0.46]; // the left wrist
const REACH = 0.452; // metres from the wrists up to the shoulders: arms all but straight

/** Degrees by which the body is tipped over its hands. */
const tip = curve([
  [0.2, 0],
  [PLANTED, 62],
  [KICK, 74],
  [FROZEN, 178],
  [THAW, 178],
  [LANDED, 70],
  [FREE, 60],
  [UP, 0],
]);
/** Height of the shoulders and how far they are from over the wrists, while hands carry. */
const shoulderHeight = curve([
  [PLANTED, HANDS[1] + 0.43],
  [KICK, HANDS[1] + 0.43],
  [FROZEN, HANDS[1] + REACH],
  [THAW, HANDS[1] + REACH],
  [LANDED, HANDS[1] + 0.43],
]);
const shoulderAhead = curve([
  [PLANTED, -0.1],
  [KICK, -0.02],
  [FROZEN - 0.3, 0.06],
  [FROZEN, 0.012],
  [THAW, 0.012],
  [THAW + 0.35, 0.06],
  [LANDED, -0.06],
]);
const squat = curve([
  [0.2, 0],
  [PLANTED, 1],
  [FREE, 1],
  [UP, 0],
]);
const bend = curve([
  [0.2, 2],
  [PLANTED, 44],
  [KICK, 40],
  [FROZEN, -8],
  [THAW, -8],
  [LANDED, 42],
  [UP, 2],
]);

/** Angles of a leg from the crouch to the freeze and back; the right one follows the left. */
function legAt(side: Side, t: number): LegHold {
  const late = side === 'left' ? 0 : LATE;
  const along = (crouched: number, kicked: number, frozen: number) =>
    curve([
      [KICK + late - 0.1, crouched],
      [KICK + late + 0.42, kicked],
      [FROZEN + 0.1, frozen],
      [THAW, frozen],
      [LANDED - 0.42 - late, kicked],
      [LANDED - late, crouched],
    ])(t);
  const sway =
    wave(0.9 * t) * ease(progress(t, FROZEN, FROZEN + 0.4)) * (1 - ease(progress(t, THAW - 0.4, THAW)));
  return side === 'left'
    ? {
        flex: along(106, 8, -18) + 2 * sway,
        knee: along(92, 14, 52),
        point: along(0, 40, 46),
        aside: along(0.04, 0.02, 0.05),
      }
    : {
        flex: along(106, 40, 66) - 2 * sway,
        knee: along(92, 30, 96),
        point: along(0, 40, 40),
        aside: along(0.04, 0.02, 0.02),
      };
}

function footAt(side: Side, t: number, hips: Vec3): FootState {
  const s = side === 'left' ? 1 : -1;
  const floor = standAt(guyBody, side, [0.14 * s, 0.105], 10 * s);
  const air = footInAir(side, hips, tip(t), legAt(side, t));
  const late = side === 'left' ? 0 : LATE;
  const u =
    t < FROZEN
      ? progress(t, KICK + late, KICK + late + 0.4)
      : progress(t, LANDED - late, LANDED - late - 0.4);
  return leaveFloor(floor, air, u);
}

/** Down on the hands, up over them, a freeze upside down with split legs, and back onto the feet. */
export const handstandFreeze: SampleMotion = {
  name: 'handstand-freeze',
  title: 'Handstand freeze: upside down on both hands with split legs, and back',
  duration: UP + 0.3,
  frameRate: 60,
  keys: 'dense',
  actAt: (t) => {
    const propped = ease(progress(t, 0.35, PLANTED)) * (1 - ease(progress(t, FREE - 0.25, UP - 0.2)));
    const carries = t >= PLANTED && t <= FREE - 0.25;
    const over = ease(progress(tip(t), 40, 170));
    const hand = (side: Side): HandState => {
      const s = side === 'left' ? 1 : -1;
      return {
        contact: carries,
        wrist: [HANDS[0] * s, HANDS[1], HANDS[2]],
        fingers: [-0.1 * s, 0, 1],
        palm: [0, -1, 0],
        elbow: [0.5 * s, 0, -1],
        weight: propped,
      };
    };
    const arm = (side: Side) =>
      armTurns(side, {
        down: 74 - 34 * squat(t),
        swing: 5 + 35 * squat(t) + 60 * over,
        elbow: 20,
        twist: -8,
        curl: 8,
      });
    const turns = {
      ...trunkTurns(bend(t), 0, 0),
      ...headTurns(-34 * ease(progress(t, 0.3, PLANTED)) * (1 - ease(progress(t, FREE, UP))), 0, 0),
      ...arm('left'),
      ...arm('right'),
    };
    const hipsTurn = pitch(tip(t));
    const hung = hipsUnderShoulders([0, shoulderHeight(t), HANDS[2] + shoulderAhead(t)], hipsTurn, turns);
    const stood: Vec3 = [0, 0.946 - 0.45 * squat(t), -0.1 * squat(t)];
    const hangs = ease(progress(t, 0.35, PLANTED)) * (1 - ease(progress(t, LANDED + 0.05, UP - 0.1)));
    const hips = mix(stood, hung, hangs);
    return {
      hips,
      hipsTurn,
      turns,
      feet: { left: footAt('left', t, hips), right: footAt('right', t, hips) },
      hands: { left: hand('left'), right: hand('right') },
    };
  },
};
