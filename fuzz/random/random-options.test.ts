import { describe, expect, it } from 'vitest';
import { readBareSample } from '../seeds.js';
import { createRandom } from './random.js';
import { randomOptions, undrawnOptions } from './random-options.js';
import { randomValue } from './random-value.js';

describe('randomOptions', () => {
  it('draws every option, those of the list by their shapes', async () => {
    const scene = await readBareSample('characters/goblin.glb');
    expect(undrawnOptions(scene, scene), 'random-options.ts must say how these are drawn').toEqual([]);
    const drawn = new Set<string>();
    for (let k = 0; k < 400; k++)
      for (const name of Object.keys(randomOptions(createRandom(7, k), scene, scene))) drawn.add(name);
    for (const name of ['mirror', 'spacing', 'contacts', 'map', 'rootScales']) expect(drawn).toContain(name);
  });

  it('stays within bounds nearly always', () => {
    const random = createRandom(3, 1);
    const values = Array.from({ length: 500 }, () =>
      randomValue(random, { kind: 'number', least: -1, most: 1 }),
    ) as number[];
    expect(values.filter((value) => value >= -1 && value <= 1).length).toBeGreaterThan(470);
    expect(randomValue(random, { kind: 'list', of: { kind: 'switch' }, count: 2 })).toHaveLength(2);
  });
});
