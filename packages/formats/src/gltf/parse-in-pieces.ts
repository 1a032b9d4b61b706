import { didWork } from '@stuntdouble/core/engine';

/** Letters that are parsed in one go: some twenty milliseconds. */
const AT_ONCE = 2_000_000;
/** Lists and objects are taken apart so deep at most; what is still long there is parsed in one go. */
const DEEPEST_CUT = 8;
/** Letters that are looked through as long as one joint in one frame takes. */
const LETTERS_OF_WORK = 50;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;

/**
 * What JSON says, parsed piece by piece where it is long: the built-in parser runs through without a pause, 15 MB in a
 * sixth of a second, and whoever wants to stop would have to wait for it. Long lists and objects are cut between
 * their members, and members that are short are parsed together.
 * @throws SyntaxError as `JSON.parse` does.
 */
export function parseInPieces(text: string, atOnce = AT_ONCE): unknown {
  if (text.length <= atOnce) return JSON.parse(text);
  try {
    return parsePiece(text, 0, text.length, { atOnce, depth: 0 });
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    // The message says where in the whole text.
    return JSON.parse(text);
  }
}

type Cut = { atOnce: number; depth: number };

function parsePiece(text: string, start: number, end: number, { atOnce, depth }: Cut): unknown {
  const piece = () => {
    didWork((end - start) / LETTERS_OF_WORK);
    return JSON.parse(text.slice(start, end)) as unknown;
  };
  if (end - start <= atOnce || depth >= DEEPEST_CUT) return piece();
  let [from, to] = [start, end];
  while (from < to && isBlank(text.charCodeAt(from))) from++;
  while (to > from && isBlank(text.charCodeAt(to - 1))) to--;
  const braces = `${text[from]}${text[to - 1]}`;
  if (braces !== '[]' && braces !== '{}') return piece();
  const parts = braces === '[]' ? ([] as unknown[]) : new Map<string, unknown>();
  const members = memberEnds(text, from + 1, to - 1);
  // Members that are short are parsed together, up to what is parsed at once.
  for (let n = 0, first = from + 1; n < members.length; ) {
    let last = members[n]!;
    n++;
    while (n < members.length && members[n]! - first <= atOnce) last = members[n++]!;
    // By itself the parser would take it for an empty list.
    if (members.length > 1 && isBlankBetween(text, first, last)) throw new SyntaxError('a comma too many');
    if (parts instanceof Map) addMembers(parts, text, first, last, { atOnce, depth });
    else if (last - first <= atOnce) for (const item of parseList(text, first, last)) parts.push(item);
    else parts.push(parsePiece(text, first, last, { atOnce, depth: depth + 1 }));
    first = last + 1;
  }
  // As the parser does, the last of two members of one name counts, and `__proto__` is a name like any other.
  return parts instanceof Map ? Object.fromEntries(parts) : parts;
}

function parseList(text: string, start: number, end: number): unknown[] {
  didWork((end - start) / LETTERS_OF_WORK);
  return JSON.parse(`[${text.slice(start, end)}]`) as unknown[];
}

/** Members of an object: several that are short, or a long one alone. */
function addMembers(
  parts: Map<string, unknown>,
  text: string,
  start: number,
  end: number,
  { atOnce, depth }: Cut,
): void {
  if (end - start <= atOnce) {
    didWork((end - start) / LETTERS_OF_WORK);
    const few = JSON.parse(`{${text.slice(start, end)}}`) as Record<string, unknown>;
    for (const [name, value] of Object.entries(few)) parts.set(name, value);
    return;
  }
  const colon = endOfName(text, start, end);
  const name: unknown = JSON.parse(text.slice(start, colon));
  if (typeof name !== 'string') throw new SyntaxError('a member without a name');
  parts.set(name, parsePiece(text, colon + 1, end, { atOnce, depth: depth + 1 }));
}

/** Where the name of the member that begins at `start` ends: at its colon. */
function endOfName(text: string, start: number, end: number): number {
  let isText = false;
  for (let i = start; i < end; i++) {
    const letter = text.charCodeAt(i);
    if (isText && letter === BACKSLASH) i++;
    else if (letter === QUOTE) isText = !isText;
    else if (letter === COLON && !isText) return i;
  }
  throw new SyntaxError('a member without a value');
}

/** Where each member between two places ends: at its comma, or at the end. */
function memberEnds(text: string, start: number, end: number): number[] {
  const ends: number[] = [];
  let depth = 0;
  for (let i = start; i < end; i++) {
    const letter = text.charCodeAt(i);
    if (letter === QUOTE) {
      i = endOfText(text, i + 1, end);
      continue;
    }
    if ((i & 0xffff) === 0) didWork(0x10000 / LETTERS_OF_WORK);
    if (letter === 0x5b || letter === 0x7b) depth++;
    else if (letter === 0x5d || letter === 0x7d) depth--;
    else if (letter === COMMA && depth === 0) ends.push(i);
  }
  ends.push(end);
  return ends;
}

/** Where the text that began before `start` ends: at the quote that no backslash stands before. */
function endOfText(text: string, start: number, end: number): number {
  for (let at = start; ; ) {
    const quote = text.indexOf('"', at);
    if (quote < 0 || quote >= end) throw new SyntaxError('a text without an end');
    let before = quote;
    while (before > at && text.charCodeAt(before - 1) === BACKSLASH) before--;
    if ((quote - before) % 2 === 0) return quote;
    at = quote + 1;
  }
}

function isBlankBetween(text: string, start: number, end: number): boolean {
  for (let i = start; i < end; i++) if (!isBlank(text.charCodeAt(i))) return false;
  return true;
}

function isBlank(letter: number): boolean {
  return letter === 0x20 || letter === 0x09 || letter === 0x0a || letter === 0x0d;
}
