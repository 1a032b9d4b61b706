import { fileURLToPath } from 'node:url';
import { type ClipMeasures, retarget } from '@stuntdouble/core';
import { read } from '@stuntdouble/formats';
import pc from 'picocolors';
import { describe, expect, it } from 'vitest';
import { motionSummary } from './report-card.js';

const samples = fileURLToPath(new URL('../../../../samples/files/', import.meta.url));
const terminal = { colors: pc.createColors(false) };

async function measured(): Promise<ClipMeasures> {
  const [walk, child] = [
    await read(`${samples}motions/walk.glb`),
    await read(`${samples}characters/child.glb`),
  ];
  return retarget(walk, child, { corrections: 'auto' }).report.measures[0]!;
}

describe('motionSummary', () => {
  it('tells of feet, and of limbs only where they snap', async () => {
    const clip = await measured();
    const smoothness = { ...clip.motion.smoothness!, kneePops: 0, bendFlips: 0 };
    const smooth = { ...clip, motion: { ...clip.motion, smoothness } };
    expect(motionSummary([smooth], terminal)).toEqual([expect.stringMatching(/feet slide .* nothing sunk$/)]);
    const snapping = {
      ...clip,
      motion: { ...clip.motion, smoothness: { ...smoothness, kneePops: 1, bendFlips: 2 } },
    };
    expect(motionSummary([snapping], terminal)[1]).toBe(
      '  knees snap 1 time, knees or elbows turn over 2 times',
    );
    const flying = { ...snapping, motion: { ...snapping.motion, slide: null } };
    expect(motionSummary([flying], terminal)).toHaveLength(1);
    expect(motionSummary([], terminal)).toEqual([]);
  });
});
