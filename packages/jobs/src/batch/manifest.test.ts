import { describe, expect, it } from 'vitest';
import { type ManifestEntry, manifestCsv, NO_MEASURES } from './manifest.js';

describe('manifestCsv', () => {
  it('has a row a cell, text quoted where it must be, and nothing that a spreadsheet takes for a formula', () => {
    const entry: ManifestEntry = {
      ...{
        key: 'k',
        source: '=cmd.bvh',
        family: [],
        target: 'a "b", c.glb',
        clip: [],
        output: ['x.glb'],
        sha256: [''],
      },
      ...{
        bytes: 3,
        state: 'failed',
        attempts: 1,
        worker: '1',
        cpuMs: null,
        frames: 0,
        duration: 0,
        way: [],
      },
      ...{ phases: { read: 0, retarget: 0, encode: 0, write: 0 }, mapped: 0, warnings: ['no-hips'] },
      ...{ verdict: 'look', reasons: ['feet slide', 'a, b'] },
      ...{ measures: { ...NO_MEASURES, slide: 1.5 }, figures: {}, gates: [], version: '1', recipe: null },
      error: { code: 'file', sentence: 'broken' },
    };
    const [heads, row, end] = manifestCsv([entry]).split('\n');
    expect(row).toBe(
      `'=cmd.bvh,,"a ""b"", c.glb",failed,x.glb,3,0,0,0,,1.5,,,,,,,,,look,"feet slide; a, b",no-hips,,broken,,,k`,
    );
    expect(heads!.split(',')).toHaveLength(27);
    expect(end).toBe('');
  });
});
