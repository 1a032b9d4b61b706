import { expect, it } from 'vitest';
import type { ArmSetup } from './arm-setup.js';
import { createArmWants } from './arm-system.js';
import { writePalms } from './write-wants.js';

it('a body with one arm is not asked to lay its hands on each other', () => {
  const wants = createArmWants();
  wants.palms[3] = 0.01;
  const oneArmed = {
    source: { arm: 0.6 },
    target: { arm: 0.6, arms: [{ points: new Float64Array(0) }, null] },
  } as unknown as ArmSetup;
  writePalms(wants, oneArmed, [0, 1, 0, 0.1, 1, 0], 0, new Float64Array(200), 0);
  expect(wants.palms[3]).toBe(0);
});
