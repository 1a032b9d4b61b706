import { expect, it } from 'vitest';
import { scalesInWords } from './in-words.js';

it('scales have two decimals, and small ones their figures: no body travels × 0.00', () => {
  expect(scalesInWords({ horizontal: 0.8765, vertical: 1.9 })).toBe('× 0.88 across, × 1.90 up');
  expect(scalesInWords({ horizontal: 0.00461, vertical: 0.0123 })).toBe('× 0.0046 across, × 0.012 up');
});
