import { describe, expect, it } from 'vitest';
import { jsonString, jsonText } from './json-text.js';

describe('jsonText', () => {
  it('gives back what was put in, hidden characters too, and shows none of them', () => {
    const document = { 'a\u202eb': ['\u001b[2J', '\u200b\u009b\u2028\ufeff\u{e0041}', '左腕 🦴 é', 1, null] };
    const text = jsonText(document);
    expect(JSON.parse(text)).toEqual(document);
    expect(text).toMatch(/^[\n -~左腕🦴é]+$/u);
    expect(text.endsWith('}\n')).toBe(true);
  });

  it('holds no halves of characters, neither in names nor in values', () => {
    const text = jsonText({ 'a\ud800': { b: ['\udc00x', 'ok 🦴'] } });
    expect(JSON.parse(text)).toEqual({ 'a\ufffd': { b: ['\ufffdx', 'ok 🦴'] } });
    expect(text).not.toMatch(/\\ud[89a-f]/i);
    expect(jsonString('\ud800')).toBe('"\ufffd"');
  });
});
