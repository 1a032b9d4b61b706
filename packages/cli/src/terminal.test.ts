import { describe, expect, it } from 'vitest';
import { hasColors } from './terminal.js';

describe('colours', () => {
  it('are for terminals only, unless the user says otherwise', () => {
    expect(hasColors({ isTTY: true }, {})).toBe(true);
    expect(hasColors({ isTTY: false }, {})).toBe(false);
    expect(hasColors({}, {})).toBe(false);
    expect(hasColors({ isTTY: true }, { NO_COLOR: '1' })).toBe(false);
    expect(hasColors({ isTTY: true }, { TERM: 'dumb' })).toBe(false);
    expect(hasColors({ isTTY: false }, { FORCE_COLOR: '1' })).toBe(true);
    expect(hasColors({ isTTY: true }, { FORCE_COLOR: '1', NO_COLOR: '1' })).toBe(false);
    expect(hasColors({ isTTY: true }, { NO_COLOR: '' })).toBe(true);
  });
});
