import { describe, expect, it } from 'vitest';
import { createRandom, jointOf, randomClip, sceneOf, tinyHuman } from '../../test/tiny-rigs.js';
import { retarget } from '../retarget.js';
import { RetargetError, UsageError } from './errors.js';
import { MOST_OF_A_MESSAGE, oneLine, printable } from './printable.js';

/** What must never be in a message, stated by code point, apart from the code's own way. */
function isHidden(code: number): boolean {
  return (
    code < 0x20 ||
    (code >= 0x7f && code <= 0x9f) ||
    (code >= 0x200b && code <= 0x200f) ||
    (code >= 0x2028 && code <= 0x202e) ||
    (code >= 0x2060 && code <= 0x206f) ||
    (code >= 0xd800 && code <= 0xdfff) ||
    (code >= 0xe0000 && code <= 0xe0fff) ||
    [0xad, 0x61c, 0xfeff, 0x3164].includes(code)
  );
}

describe('a name from a file', () => {
  it('shows nothing that a terminal would obey or a reader not see', () => {
    for (let code = 0; code <= 0xe0fff; code++) {
      const shown = printable(String.fromCodePoint(code));
      if (isHidden(code)) expect(shown, code.toString(16)).toBe('·');
    }
    expect(printable('a\u001b[2J\u202eb\ud800\n')).toBe('a·[2J·b··');
  });

  it('keeps what people write, in any script', () => {
    for (const name of ['mixamorig:LeftArm', '左腕', 'Плечо', 'e\u0301cole', '𝔘𝔭𝔭𝔢𝔯', '🦴', 'ذراع', 'बाँह'])
      expect(printable(name)).toBe(name);
  });

  it('does not pile marks over other lines', () => {
    expect(printable(`a${'\u0301'.repeat(1000)}b`).length).toBeLessThan(10);
  });
});

describe('warnings of a report', () => {
  it('are one line each, whatever the joints are called', () => {
    const skeleton = tinyHuman({ name: 'body' });
    const source = sceneOf(skeleton, [
      randomClip(createRandom(1), skeleton, { travels: jointOf(skeleton, 'hips') }),
    ]);
    const target = sceneOf({
      ...tinyHuman({ name: `\u202ebody\n${'x'.repeat(1000)}`, legs: 0.6 }),
    });
    const options = {
      morphs: { '\u001b[2Jsmile\n': `happy${'y'.repeat(1000)}` },
      contacts: { 'w\u200balk\n': [] },
    };
    const { warnings } = retarget(source, target, { ...options, measure: false }).report;
    expect(warnings.length).toBeGreaterThan(1);
    for (const { message } of warnings) {
      expect(message.length).toBeLessThanOrEqual(MOST_OF_A_MESSAGE);
      expect(
        [...message].some((each) => isHidden(each.codePointAt(0)!)),
        message,
      ).toBe(false);
    }
  });
});

describe('a message', () => {
  it('is one line of at most 300 characters, its beginning and its end kept', () => {
    expect(oneLine('  a\r\n\tb  ')).toBe('a b');
    const long = oneLine(`clip "${'x'.repeat(1_000_000)}" is not there; choose another with --clip`);
    expect(long).toMatch(/^clip "x+…x+" is not there; choose another with --clip$/);
    expect(long.length).toBe(MOST_OF_A_MESSAGE);
  });

  it('is not cut into halves of characters', () => {
    for (let shift = 0; shift < 2; shift++)
      expect(oneLine('a'.repeat(shift) + '🦴'.repeat(400))).not.toMatch(/\p{Cs}/u);
  });

  it('is what errors carry, whatever names they were made of', () => {
    const hostile = `no joint "\u001b]0;x\u0007\u202e${'y'.repeat(5000)}\nerror: all is well"; name another`;
    for (const error of [new UsageError(hostile), new RetargetError(hostile)]) {
      expect(error.message.length).toBeLessThanOrEqual(MOST_OF_A_MESSAGE);
      expect([...error.message].some((each) => isHidden(each.codePointAt(0)!))).toBe(false);
      expect(error.message).toMatch(/^no joint .*; name another$/);
    }
  });
});
