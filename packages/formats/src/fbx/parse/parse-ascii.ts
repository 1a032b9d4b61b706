import { didWork } from '@stuntdouble/core/engine';
import { createArray, createNode, type FbxArray, type FbxNode, type FbxValue, fbxError } from './fbx-node.js';

const MAX_DEPTH = 64;

/**
 * A record takes two bytes of text or more and 150 of memory, a value 40, and where that runs out the process
 * ends. Real files have a record or value in 15 to 20 bytes of text, beside their arrays.
 */
const MOST_PARTS = 2 ** 23;

const TAB = 9;
const NEWLINE = 10;
const RETURN = 13;
const SPACE = 32;
const QUOTE = 34;
const STAR = 42;
const COMMA = 44;
const COLON = 58;
const SEMICOLON = 59;
const OPEN = 123;
const CLOSE = 125;

/**
 * Reads the records of an ASCII file: `Name: value, value {` records `}`. Text has no types: whole numbers
 * come as `L`, others as `D`, arrays (`*count { a: … }`, some without the `a:`) as doubles or 64-bit integers.
 */
export function parseAscii(text: string): FbxNode[] {
  let at = 0;

  let parts = 0;
  /** Counts a record or a value. */
  const countPart = () => {
    didWork(5);
    if (++parts > MOST_PARTS)
      throw fbxError(
        place(),
        `more than ${MOST_PARTS} records and values`,
        'a smaller file, or a binary one',
      );
  };

  let line = 1;
  let counted = 0;
  const place = () => {
    for (; counted < at; counted++) if (text.charCodeAt(counted) === NEWLINE) line++;
    return `line ${line}`;
  };
  const fail = (expected: string) => {
    const rest = text
      .slice(at, at + 24)
      .replaceAll(/[^\x20-\x7e]+/g, ' ')
      .trim();
    return fbxError(place(), at >= text.length ? 'the end of the file' : JSON.stringify(rest), expected);
  };

  /** Skips blanks and comments; with `sameLine`, not beyond the end of the line. */
  const skip = (sameLine: boolean) => {
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === SEMICOLON) {
        while (at + 1 < text.length && text.charCodeAt(at + 1) !== NEWLINE) at++;
      } else if (code === NEWLINE) {
        if (sameLine) return;
      } else if (code !== SPACE && code !== TAB && code !== RETURN && code !== 0xfeff && code !== 0) return;
    }
  };

  /** The plain word at `at`: a number, a letter, a name. */
  const readWord = (): string => {
    const start = at;
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (
        code <= SPACE ||
        code === COMMA ||
        code === COLON ||
        code === OPEN ||
        code === CLOSE ||
        code === QUOTE ||
        code === SEMICOLON
      )
        break;
    }
    return text.slice(start, at);
  };

  const readText = (): string => {
    const end = text.indexOf('"', at + 1);
    if (end < 0) throw fail('a text that ends with a quotation mark');
    const value = text.slice(at + 1, end);
    at = end + 1;
    return value.includes('&')
      ? value.replaceAll('&quot;', '"').replaceAll('&cr;', '\r').replaceAll('&lf;', '\n')
      : value;
  };

  const readArray = (): FbxArray => {
    const start = place();
    at++;
    const announced = Number(readWord());
    skip(false);
    if (text.charCodeAt(at) !== OPEN) throw fail('{ after the count of an array');
    at++;
    skip(false);
    const first = at;
    const label = readWord();
    skip(false);
    if (text.charCodeAt(at) === COLON) at++;
    else if (label === '' || parseNumber(label) !== null) at = first;
    else throw fail('a: and the numbers of an array');
    const end = text.indexOf('}', at);
    if (end < 0) throw fail('the } that ends an array');
    // Two letters a number at least: a count beyond that is not believed when room is made.
    const numbers = new Float64Array(Math.min(announced >= 0 ? announced : 0, (end - at + 1) >> 1));
    let count = 0;
    let isWhole = true;
    while (at < end) {
      skip(false);
      if (at >= end) break;
      if (text.charCodeAt(at) === COMMA) {
        at++;
        continue;
      }
      if ((count & 4095) === 0) didWork(4000);
      const word = readWord();
      if (word === '') throw fail('a number');
      const value = parseNumber(word);
      if (value === null) throw fail('a number');
      if (!Number.isSafeInteger(value) || Object.is(value, -0)) isWhole = false;
      if (count < numbers.length) numbers[count] = value;
      count++;
    }
    at = end + 1;
    if (!Number.isSafeInteger(announced) || announced !== count)
      throw fbxError(start, `${count} numbers in an array`, `${announced}`);
    return { ...createArray(isWhole ? 'l' : 'd', numbers), at: start };
  };

  const readNode = (depth: number): FbxNode => {
    countPart();
    const name = readWord();
    skip(false);
    if (name === '' || text.charCodeAt(at) !== COLON) throw fail('a name and a colon');
    if (depth > MAX_DEPTH) throw fbxError(place(), `${depth} records in each other`, `${MAX_DEPTH}`);
    at++;
    let types = '';
    const values: FbxValue[] = [];
    let children: FbxNode[] | null = null;
    for (;;) {
      skip(true);
      let code = text.charCodeAt(at);
      if (code === NEWLINE) {
        // A record goes on where the next line begins with a comma, or with its block.
        const end = at;
        skip(false);
        code = text.charCodeAt(at);
        if (code !== COMMA && code !== OPEN) at = end;
      }
      if (at >= text.length || text.charCodeAt(at) === NEWLINE || code === CLOSE) break;
      if (code === COMMA) {
        // After a comma the values go on, even on the next line.
        at++;
        countPart();
        skip(false);
        continue;
      }
      if (code === OPEN) {
        at++;
        children = [];
        for (;;) {
          skip(false);
          if (at >= text.length) throw fail('the } that ends a record');
          if (text.charCodeAt(at) === CLOSE) break;
          children.push(readNode(depth + 1));
        }
        at++;
        break;
      }
      if (code === QUOTE) {
        types += 'S';
        values.push(readText());
      } else if (code === STAR) {
        const array = readArray();
        types += array.type;
        values.push(array);
        break;
      } else {
        const start = at;
        const word = readWord();
        if (word === '') throw fail('a value');
        const number = parseNumber(word);
        if (number === null) {
          skip(true);
          if (text.charCodeAt(at) === COLON) {
            // Some have the next record on the same line.
            at = start;
            break;
          }
          types += 'C';
          values.push(word);
        } else {
          const isWhole = /^[+-]?\d+$/.test(word);
          types += isWhole ? 'L' : 'D';
          values.push(isWhole && !Number.isSafeInteger(number) ? BigInt.asIntN(64, BigInt(word)) : number);
        }
      }
    }
    return createNode(name, types, values, children);
  };

  const nodes: FbxNode[] = [];
  for (;;) {
    skip(false);
    if (at >= text.length) return nodes;
    nodes.push(readNode(0));
  }
}

/** The number a word says, or null. Writers on Windows have printed what is not finite as `1.#INF`. */
function parseNumber(word: string): number | null {
  const value = Number(word);
  if (!Number.isNaN(value) && !/^[+-]?0[xob]/i.test(word)) return value;
  return /^[+-]?(\d\.#(INF|IND|QNAN|SNAN|NAN)\d*|nan(\(.*\))?|inf(inity)?)$/i.test(word) ? Number.NaN : null;
}
