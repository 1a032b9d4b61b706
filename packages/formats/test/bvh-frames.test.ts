import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { retarget } from '@stuntdouble/core';
import { bvh, read } from '@stuntdouble/formats';
import { describe, expect, it } from 'vitest';

const SAMPLES = fileURLToPath(new URL('../../../samples/files/', import.meta.url));
const source = await read(`${SAMPLES}motions/walk.bvh`);
const frames = source.characters[0]!.clips[0]!.tracks.find(({ times }) => times.length > 2)!.times.length;

describe('results written as BVH', () => {
  // Corrected limbs have keys between frames, more or fewer on every body; a file of frames has the source's.
  it('have the frames of their source on every body, one for one', async () => {
    for (const name of readdirSync(`${SAMPLES}characters`)) {
      const target = await read(`${SAMPLES}characters/${name}`);
      const { scene, character, clips } = retarget(source, target, { measure: false, keepCalibration: true });
      const { bytes } = await bvh.write!({ scene, character, clips }, { extension: 'bvh' });
      const text = new TextDecoder().decode(bytes);
      expect(/Frames: (\d+)/.exec(text)?.[1], name).toBe(String(frames));
    }
  });
});
