import { describe, expect, it } from 'vitest';
import { isNote, NOTE_MEANINGS, partNotes, WARNING_MEANINGS, type Warning } from './warnings.js';

describe('notes and warnings', () => {
  it('are two things: no code is both', () => {
    expect(Object.keys(NOTE_MEANINGS).filter((code) => code in WARNING_MEANINGS)).toEqual([]);
  });

  it('are parted in their order: choices that were made, and what was lost or is doubtful', () => {
    const told: Warning[] = [
      { code: 'no-hips', message: 'a' },
      { code: 'unit-guessed', message: 'b' },
      { code: 'morph-dropped', message: 'c' },
      { code: 'reference-chosen', message: 'd' },
    ];
    const { notes, warnings } = partNotes(told);
    expect(notes.map(({ message }) => message)).toEqual(['b', 'd']);
    expect(warnings.map(({ message }) => message)).toEqual(['a', 'c']);
    expect(isNote({ code: 'toString', message: '' })).toBe(false);
  });
});
