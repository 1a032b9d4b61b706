import { expect, test } from 'vitest';
import type { ArmSetup } from './arm-setup.js';
import { createArmState, placeAll } from './arm-state.js';
import { type ArmFrame, createArmSystem, createArmWants, gatherArms } from './arm-system.js';
import type { ArmShape, BodyShape, ShapePart } from './body-shape.js';
import { hullFaces } from './hull-faces.js';
import { createNearNotes, notedOf } from './near-notes.js';
import { areNoted, noteNear } from './note-near.js';
import { armAt, rowLength } from './shape-row.js';

/** Numbers from −1 to 1 that look random and are always the same. */
function createNumbers(): () => number {
  let state = 11;
  return () => {
    state = (state * 48271) % 2147483647;
    return (2 * state) / 2147483647 - 1;
  };
}

/** A box of half sizes, of which so many faces lie in other parts. */
function box(touched: number, size: readonly number[], inner = 0): ShapePart {
  const corners = [-1, 1].flatMap((x) =>
    [-1, 1].flatMap((y) => [-1, 1].flatMap((z) => [x * size[0]!, y * size[1]!, z * size[2]!])),
  );
  const faces = hullFaces(corners);
  const ball = Float64Array.of(0, 0, 0, Math.hypot(...size));
  return { joint: 0, touched, faces, outer: faces.length - 4 * inner, ball };
}

const POINTS = [-1, 1].flatMap((x) =>
  [0, 1].flatMap((y) => [-1, 1].flatMap((z) => [x * 0.02, -y * 0.1, z * 0.05])),
);
const armOf = (side: 'left' | 'right'): ArmShape => ({
  ...{ side, upper: 0, middle: 0, end: 0, thick: [0.06, 0.05, 0.03], fingers: [], fingerThick: 0 },
  palm: box(4, [0.03, 0.06, 0.06]),
  points: Float64Array.from(POINTS),
});
const target: BodyShape = {
  arm: 0.6,
  parts: [box(0, [0.2, 0.3, 0.15], 1), box(2, [0.1, 0.25, 0.1], 2), box(1, [0.1, 0.12, 0.1])],
  arms: [armOf('left'), armOf('right')],
  ...{ isSkin: true, chest: 0, ahead: null, up: null },
};
const setup = {
  ...{ source: target, target, limbs: [0, 1], chest: 0, scale: 1 },
  depths: [new Float64Array(99), new Float64Array(99)],
} as unknown as ArmSetup;
const PLACES = [0, 0, 0, 0.12, -0.5, 0, 0, 0.5, 0];

test('until an elbow or a wrist has gone farther than there is room, what was noted is all that can be found', () => {
  const next = createNumbers();
  const row = new Float64Array(rowLength(target));
  for (let n = 0; n < 3; n++)
    for (let c = 0; c < 3; c++) {
      row[12 * n + 4 * c] = 1;
      row[12 * n + 9 + c] = PLACES[3 * n + c]!;
    }
  for (let hand = 0; hand < 2; hand++) for (let c = 0; c < 3; c++) row[armAt(target, hand) + 9 + 4 * c] = 1;
  const states = [createArmState(), createArmState()] as const;
  const frame: ArmFrame = {
    ...{ setup, limbs: [0, 1], row, o: 0, states, slot: 0, near: null },
    ...{ wants: createArmWants(), system: createArmSystem() },
  };
  const place = (hand: number) => {
    const arm = armAt(target, hand);
    placeAll(states[hand]!, target.arms[hand]!, { row, arm, chest: 0, base: new Float64Array(3) });
  };
  let found = 0;
  let noted = 0;
  for (let turn = 0; turn < 400; turn++) {
    const notes = createNearNotes(3, 1);
    expect(areNoted(notes, 0, states, 0.6)).toBe(false);
    frame.wants.weights.fill(turn % 4 === 0 ? 1 : 0);
    for (let hand = 0; hand < 2; hand++) {
      const at = [0.25, 0.2, 0, 0.3, -0.1, 0, 0.15, -0.3, 0.1];
      for (let c = 0; c < 9; c++)
        states[hand]!.joints[c] = (c % 3 === 0 && hand === 1 ? -1 : 1) * at[c]! + 0.2 * next();
      place(hand);
    }
    noteNear(notes, 0, frame);
    for (let hand = 0; hand < 2; hand++) {
      noted += notedOf(notes, 0, hand).toString(2).split('1').length - 1;
      for (let c = 3; c < 9; c++) states[hand]!.joints[c]! += 0.017 * Math.sign(next());
      place(hand);
    }
    expect(areNoted(notes, 0, states, 0.6)).toBe(true);
    gatherArms({ ...frame, near: null });
    const [matrix, right] = [frame.system.matrix.slice(), frame.system.right.slice()];
    if (matrix.some((value) => value !== 0)) found++;
    gatherArms({ ...frame, near: notes });
    expect(frame.system.matrix).toEqual(matrix);
    expect(frame.system.right).toEqual(right);
    states[turn % 2]!.joints[3 + (turn % 6)]! += 0.07;
    expect(areNoted(notes, 0, states, 0.6)).toBe(false);
  }
  expect(found).toBeGreaterThan(200);
  expect(noted / 800).toBeLessThan(12);
});
