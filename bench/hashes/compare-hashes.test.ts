import { describe, expect, it } from 'vitest';
import { compareHashes, formatComparison, type HashFile } from './compare-hashes.js';

const file = (cells: HashFile['cells'], more: Partial<HashFile> = {}): HashFile => ({
  node: 'Node',
  parts: ['samples', 'data'],
  settings: ['defaults', 'loop'],
  cells,
  ...more,
});

const before = file({
  'samples | defaults | a → b': { motion: '1', 'report.clips': '2' },
  'samples | loop | a → b': { motion: '3', 'report.clips': '4' },
  'data | defaults | c → d': { refusal: '5' },
});

describe('compareHashes', () => {
  it('finds nothing where nothing differs', () => {
    const comparison = compareHashes(before, structuredClone(before));
    expect(comparison).toEqual({ compared: 3, differences: [] });
    expect(formatComparison(comparison)).toEqual(['all 3 cells are the same']);
  });

  it('names the setting, the pair and the hashes that differ: a report apart from a motion', () => {
    const after = structuredClone(before);
    after.cells['samples | loop | a → b']!['report.clips'] = '0';
    after.cells['data | defaults | c → d'] = { motion: '5' };
    const comparison = compareHashes(before, after);
    expect(comparison.differences).toEqual([
      { setting: 'defaults', pair: 'data: c → d', hashes: ['motion', 'refusal'] },
      { setting: 'loop', pair: 'samples: a → b', hashes: ['report.clips'] },
    ]);
    expect(formatComparison(comparison)).toEqual([
      '2 of 3 cells differ: 1 in what is made, 1 in their reports alone',
      '',
      'defaults: motion, refusal (1)',
      '  data: c → d',
      '',
      'loop: report.clips (1)',
      '  samples: a → b',
    ]);
  });

  it('a cell that is gone differs, unless the run was not asked for it', () => {
    const gone = file({ 'samples | defaults | a → b': { motion: '1', 'report.clips': '2' } });
    expect(compareHashes(before, gone).differences.map(({ hashes }) => hashes)).toEqual([
      ['missing'],
      ['missing'],
    ]);
    for (const restricted of [
      { parts: ['samples'], settings: ['defaults'] },
      { parts: ['samples', 'data'], settings: ['defaults'], pair: 'a →' },
    ]) {
      const part = { ...gone, ...restricted };
      expect(compareHashes(before, part)).toEqual({ compared: 1, differences: [] });
      expect(compareHashes(part, before)).toEqual({ compared: 1, differences: [] });
    }
  });

  it('two files without a common cell are not called the same', () => {
    const other = file({ 'samples | loop | a → b': { motion: '3' } }, { settings: ['loop'] });
    const one = file({ 'samples | defaults | a → b': { motion: '3' } }, { settings: ['defaults'] });
    expect(formatComparison(compareHashes(other, one))[0]).toMatch(/no cell in common/);
  });
});
