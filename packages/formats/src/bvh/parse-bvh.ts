import type { Warning, WarningCode } from '@stuntdouble/core';
import { didWork } from '@stuntdouble/core/engine';
import { FormatError } from '../format-error.js';
import { DEFAULT_LIMITS, type Limits, refuseBeyond } from '../limits.js';

/** What one number of a frame moves: an axis of a joint's position or of its rotation. */
export type BvhChannel =
  | 'Xposition'
  | 'Yposition'
  | 'Zposition'
  | 'Xrotation'
  | 'Yrotation'
  | 'Zrotation'
  /** A number that is read past: a scale, or a name that BVH does not know. */
  | 'ignored';

/** One ROOT, JOINT or End Site as the file has it. */
export type BvhJoint = {
  name: string;
  /** Index of the joint it is nested in, or −1. */
  parent: number;
  offset: [number, number, number];
  /** In the file's order, which is the order in which rotations are multiplied. */
  channels: BvhChannel[];
  /** Whether it is an End Site. */
  end: boolean;
};

/** A BVH file taken apart, nothing interpreted. */
export type BvhDocument = {
  /** In the file's order: parents before children. */
  joints: BvhJoint[];
  /** Seconds from frame to frame. */
  frameTime: number;
  frameCount: number;
  /** How many numbers a frame has. */
  channelCount: number;
  /** Frame after frame, degrees and file units; every number is finite. */
  values: Float64Array;
  warnings: Warning[];
};

// Far beyond any body; what is beyond is a broken or a hostile file.
const DEEPEST = 1024;
// In bytes. A text longer than strings can be ends the process.
const LONGEST_WORD = 2 ** 16;
// Places beyond this overflow float32, and squared lengths soon after: as good as infinite.
const LARGEST = 1e30;
// Beyond these, steps of time collapse in float32 or make no motion.
const SHORTEST_FRAME = 1e-6;
const LONGEST_FRAME = 1e6;
/** The frame time where the file gives none that can be used. */
const FALLBACK_FRAME_TIME = 1 / 30;

const NEWLINE = 10;
const RETURN = 13;
const OPEN = 123;
const CLOSE = 125;

// Exact in a double, so that digits · 10ⁿ and digits / 10ⁿ are rounded once, as the language's own parser does.
const POWERS_OF_TEN = Float64Array.from({ length: 23 }, (_, n) => Number(`1e${n}`));

const CHANNEL_NAMES = new Map<string, BvhChannel>(
  (['Xposition', 'Yposition', 'Zposition', 'Xrotation', 'Yrotation', 'Zrotation'] as const).map((name) => [
    name.toLowerCase(),
    name,
  ]),
);

const KEYWORDS = new Set(['root', 'joint', 'end', 'endsite', 'offset', 'channels', 'motion', '{', '}', '']);

/**
 * Takes a BVH file apart in one pass over its bytes. Whatever can be read around (counts that disagree,
 * numbers that are none, a cut-off motion) becomes a warning.
 * @throws FormatError with the line where the bytes are no BVH or the hierarchy breaks off.
 */
export function parseBvh(bytes: Uint8Array, limits: Pick<Limits, 'joints'> = DEFAULT_LIMITS): BvhDocument {
  const warnings: Warning[] = [];
  /** Says the first of a kind, then counts: a fault that every joint has is one fault. */
  const counts = new Map<string, { warning: Warning; more: number }>();
  const warn = (code: WarningCode, kind: string, message: string) => {
    const earlier = counts.get(kind);
    if (earlier) earlier.more++;
    else {
      const warning = { code, message };
      warnings.push(warning);
      counts.set(kind, { warning, more: 0 });
    }
  };
  const repaired = (message: string) => warn('file-repaired', message, message);
  const length = bytes.length;
  let at = 0;

  const lineAt = (offset: number) => {
    let line = 1;
    for (let i = 0; i < offset; i++) if (bytes[i] === NEWLINE) line++;
    return line;
  };
  const fail = (offset: number, found: string, expected: string): never => {
    throw new FormatError({ format: 'BVH', at: `line ${lineAt(offset)}`, found, expected });
  };
  // Control characters count as blank, a non-breaking byte does not: names may hold any letter above 127.
  const skipBlank = () => {
    while (at < length && bytes[at]! <= 32) at++;
  };
  const quote = (token: string) => (token === '' ? 'the end of the file' : `"${token.slice(0, 40)}"`);
  /** The next word; braces are words of their own. Empty at the end of the file. */
  const nextWord = () => {
    skipBlank();
    const start = at;
    if (at < length && (bytes[at] === OPEN || bytes[at] === CLOSE)) at++;
    else while (at < length && bytes[at]! > 32 && bytes[at] !== OPEN && bytes[at] !== CLOSE) at++;
    return decodeText(bytes, start, at);
  };
  const peekWord = () => {
    const start = at;
    const word = nextWord();
    at = start;
    return word;
  };
  /** What stands on the rest of the line, up to a brace: names may hold spaces. */
  const restOfLine = () => {
    const start = at;
    while (at < length && bytes[at] !== NEWLINE && bytes[at] !== RETURN && bytes[at] !== OPEN) at++;
    return decodeText(bytes, start, at).trim();
  };

  // A byte order mark is not part of the first word.
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) at = 3;
  const first = nextWord();
  if (first.toLowerCase() !== 'hierarchy') {
    const found = first === '' ? 'an empty file' : quote(printable(first));
    fail(at, found, 'HIERARCHY, the first word of every BVH file');
  }

  const joints: (BvhJoint & { hasOffset: boolean })[] = [];
  const open: number[] = [];
  const endCounts: number[] = [];
  let hasMotion = false;
  let isStill = false;
  let oddChannels = 0;
  let joint: (BvhJoint & { hasOffset: boolean }) | undefined;

  const add = (name: string, end: boolean, start: number) => {
    const parent = open.length > 0 ? open[open.length - 1]! : -1;
    if (joints.length >= limits.joints)
      refuseBeyond(limits, 'joints', joints.length + 1, { format: 'BVH', at: `line ${lineAt(start)}` });
    if (open.length >= DEEPEST)
      fail(start, `joints nested more than ${DEEPEST} deep`, `at most ${DEEPEST} levels`);
    joint = { name, parent, offset: [0, 0, 0], channels: [], end, hasOffset: false };
    joints.push(joint);
    endCounts.push(0);
    const brace = nextWord();
    if (brace !== '{') fail(at, quote(brace), `{ after ${end ? 'End Site' : `joint "${name}"`}`);
    open.push(joints.length - 1);
  };

  while (!hasMotion) {
    skipBlank();
    const start = at;
    const word = nextWord();
    switch (word.toLowerCase()) {
      case 'root':
      case 'joint': {
        const isRoot = word.toLowerCase() === 'root';
        const name = restOfLine();
        if (isRoot !== (open.length === 0))
          warn(
            'file-repaired',
            'root',
            `"${name}" is called ${isRoot ? 'ROOT inside another joint' : 'JOINT outside any ROOT'}.`,
          );
        add(name, false, start);
        break;
      }
      case 'end':
      case 'endsite': {
        if (open.length === 0) fail(start, 'an End Site outside any joint', 'ROOT or MOTION');
        restOfLine();
        const parent = open[open.length - 1]!;
        const nth = ++endCounts[parent]!;
        add(`${joints[parent]!.name}_end${nth > 1 ? nth : ''}`, true, start);
        break;
      }
      case 'offset': {
        if (!joint || open.length === 0) return fail(start, 'OFFSET outside any joint', 'ROOT or MOTION');
        for (let axis = 0; axis < 3; axis++) {
          const token = peekWord();
          const value = parseNumber(token);
          if (value === undefined) return fail(at, quote(token), `three numbers after OFFSET`);
          nextWord();
          if (Math.abs(value) <= LARGEST) joint.offset[axis] = value;
          else
            warn('value-not-finite', 'offset', `The OFFSET of "${joint.name}" holds ${token}; 0 was taken.`);
        }
        joint.hasOffset = true;
        break;
      }
      case 'channels': {
        if (!joint || open.length === 0) return fail(start, 'CHANNELS outside any joint', 'ROOT or MOTION');
        const declared = Number(peekWord());
        if (Number.isInteger(declared) && declared >= 0) nextWord();
        else oddChannels++;
        // The names are believed where they disagree with the count: frames are laid out by them.
        for (let n = 0; ; n++) {
          const token = peekWord();
          const channel = CHANNEL_NAMES.get(token.toLowerCase());
          if (!channel && (!(n < declared) || KEYWORDS.has(token.toLowerCase()))) {
            if (Number.isInteger(declared) && n !== declared) oddChannels++;
            break;
          }
          nextWord();
          joint.channels.push(channel ?? 'ignored');
          if (!channel)
            warn(
              'feature-ignored',
              'channel',
              `Channel "${printable(token)}" of "${joint.name}" was read past.`,
            );
        }
        break;
      }
      case '}':
        if (open.length === 0) repaired('There is a } too many.');
        else {
          const closed = joints[open.pop()!]!;
          if (!closed.hasOffset)
            warn('file-repaired', 'offset missing', `"${closed.name}" has no OFFSET; 0 0 0 was taken.`);
          joint = open.length > 0 ? joints[open[open.length - 1]!]! : undefined;
        }
        break;
      case 'motion':
        hasMotion = true;
        break;
      case '':
        if (open.length > 0)
          fail(at, 'the end of the file', `} to close joint "${joints[open[open.length - 1]!]!.name}"`);
        hasMotion = true;
        isStill = true;
        repaired('There is no MOTION; the file holds a skeleton alone.');
        break;
      default:
        fail(start, quote(printable(word)), 'JOINT, End Site, OFFSET, CHANNELS, } or MOTION');
    }
  }
  if (joints.length === 0) fail(at, 'no joints', 'a ROOT with its joints');
  if (open.length > 0) repaired(`${open.length} } before MOTION are missing.`);
  if (oddChannels > 0)
    repaired(`${oddChannels} CHANNELS counts disagree with the channels named; the names were followed.`);

  let channelCount = 0;
  for (const { channels } of joints) channelCount += channels.length;

  if (isStill) return result(FALLBACK_FRAME_TIME, { count: 0, values: new Float64Array(0) });

  const labels = readLabels();
  let frameTime = labels.frameTime;
  if (!(frameTime >= SHORTEST_FRAME && frameTime <= LONGEST_FRAME)) {
    if (at < length || labels.frames > 0)
      repaired(
        `The frame time is ${Number.isNaN(frameTime) ? 'missing' : frameTime}; 1/30 second was taken.`,
      );
    frameTime = FALLBACK_FRAME_TIME;
  }
  const numbers = readNumbers(
    bytes,
    at,
    // Every number takes two bytes at least: a count beyond that is not believed when room is made.
    Math.min(labels.frames * channelCount || 0, (length - at + 1) >> 1),
  );
  if (numbers.stopped >= 0)
    repaired(
      `The motion breaks off at line ${lineAt(numbers.stopped)}: ${quote(printable(decodeText(bytes, numbers.stopped, Math.min(length, numbers.stopped + 40)).split(/\s/)[0]!))} is no number.`,
    );
  if (numbers.commas > 0) repaired('Numbers have decimal commas.');
  const frames = cutFrames(numbers, channelCount, labels.frames, repaired);
  const replaced = replaceNotFinite(frames.values, channelCount);
  if (replaced > 0)
    warnings.push({
      code: 'value-not-finite',
      message: `${replaced} numbers of the motion are not finite; the value before was kept.`,
    });
  return result(frameTime, frames);

  function result(frameTime: number, frames: { count: number; values: Float64Array }): BvhDocument {
    for (const { warning, more } of counts.values())
      if (more > 0) warning.message += ` The same holds for ${more} more.`;
    return {
      joints: joints.map(({ hasOffset: _, ...joint }) => joint),
      frameTime,
      frameCount: frames.count,
      channelCount,
      values: frames.values,
      warnings,
    };
  }

  /** Reads `Frames: n` and `Frame Time: s` in either order and any spacing. */
  function readLabels(): { frames: number; frameTime: number } {
    let count = Number.NaN;
    let seconds = Number.NaN;
    const letters = () => {
      const start = at;
      while (at < length && (bytes[at]! | 32) >= 97 && (bytes[at]! | 32) <= 122) at++;
      return decodeText(bytes, start, at).toLowerCase();
    };
    const value = () => {
      while (at < length && (bytes[at] === 58 || bytes[at]! <= 32) && bytes[at] !== NEWLINE) at++;
      // A label without a value must not take the first number of the motion.
      if (bytes[at] === NEWLINE) return Number.NaN;
      const start = at;
      const number = parseNumber(nextWord());
      if (number !== undefined) return number;
      at = start;
      return Number.NaN;
    };
    for (;;) {
      skipBlank();
      const start = at;
      let label = letters();
      if (label === 'frame') {
        skipBlank();
        label += letters();
      }
      if (label === 'frames' && Number.isNaN(count)) count = value();
      else if (label === 'frametime' && Number.isNaN(seconds)) seconds = value();
      else {
        at = start;
        return { frames: count, frameTime: seconds };
      }
    }
  }
}

/** The bytes as text: UTF-8, or Latin letters where they are not that. */
function decodeText(bytes: Uint8Array, start: number, end: number): string {
  if (end - start > LONGEST_WORD)
    throw new FormatError({
      format: 'BVH',
      at: `byte ${start}`,
      found: `a word of ${end - start} bytes`,
      expected: `at most ${LONGEST_WORD}`,
    });
  let text = '';
  let plain = end - start <= 64;
  for (let i = start; plain && i < end; i++) {
    plain = bytes[i]! < 128;
    text += String.fromCharCode(bytes[i]!);
  }
  if (plain) return text;
  const part = bytes.subarray(start, end);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(part);
  } catch {
    return new TextDecoder('windows-1252').decode(part);
  }
}

/** Text for a message: what cannot be printed becomes a dot. */
function printable(text: string): string {
  return text.slice(0, 40).replace(/[^\x20-\x7e\u00a0-\uffff]/g, '·');
}

/** A number, NaN or infinity as writers spell them; undefined where the token is something else. */
function parseNumber(token: string): number | undefined {
  if (/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(token)) return Number(token);
  // Written under a locale with decimal commas.
  if (/^[+-]?\d*,\d+(e[+-]?\d+)?$/i.test(token)) return Number(token.replace(',', '.'));
  // C runtimes: nan, -nan(ind), inf, 1.#QNAN, -1.#IND00
  if (/^[+-]?(nan|inf(inity)?$|\d\.#)/i.test(token)) return Number.NaN;
  return undefined;
}

type Numbers = {
  values: Float64Array;
  count: number;
  /** How many numbers each line that is not blank has. */
  lines: Uint32Array;
  /** Where something stands that is no number, or −1. */
  stopped: number;
  /** How many decimal commas there were. */
  commas: number;
};

/**
 * Reads numbers to the end of the file. This is where the time goes, so plain decimals are read digit by
 * digit: up to 2⁵³ the digits are an exact integer, and one division by an exact power of ten rounds as the
 * language's own parser does. Anything else is cut out and parsed by that.
 */
function readNumbers(bytes: Uint8Array, start: number, expected: number): Numbers {
  const length = bytes.length;
  // Stores of numbers rather than lists, which end the process where they grow too long.
  let lines = new Uint32Array(1024);
  let lineCount = 0;
  const endLine = (numbers: number) => {
    if (lineCount === lines.length) {
      const more = new Uint32Array(2 * lineCount);
      more.set(lines);
      lines = more;
    }
    lines[lineCount++] = numbers;
  };
  let values = new Float64Array(Math.max(expected, 16));
  let count = 0;
  let lineStart = 0;
  let commas = 0;
  let at = start;
  for (;;) {
    let byte = 0;
    while (at < length) {
      byte = bytes[at]!;
      if (byte > 32) break;
      if (byte === NEWLINE && count > lineStart) {
        endLine(count - lineStart);
        lineStart = count;
      }
      at++;
    }
    if (at >= length) break;
    if ((count & 4095) === 0) didWork(1500);
    const token = at;
    const negative = byte === 45;
    if (negative || byte === 43) at++;
    let digits = 0;
    let digitCount = 0;
    let scale = 0;
    while (at < length) {
      const digit = bytes[at]! - 48;
      if (digit < 0 || digit > 9) break;
      digits = digits * 10 + digit;
      digitCount++;
      at++;
    }
    if (at < length && bytes[at] === 46) {
      at++;
      const point = at;
      while (at < length) {
        const digit = bytes[at]! - 48;
        if (digit < 0 || digit > 9) break;
        digits = digits * 10 + digit;
        at++;
      }
      scale = at - point;
      digitCount += scale;
    }
    let value: number;
    if (
      digitCount > 0 &&
      digits <= Number.MAX_SAFE_INTEGER &&
      scale <= 22 &&
      (at >= length || bytes[at]! <= 32)
    ) {
      value = digits / POWERS_OF_TEN[scale]!;
      if (negative) value = -value;
    } else {
      while (at < length && bytes[at]! > 32 && at - token < 400) at++;
      const text = decodeText(bytes, token, at);
      const parsed = parseNumber(text);
      if (parsed === undefined) {
        if (count > lineStart) endLine(count - lineStart);
        return { values, count, lines: lines.subarray(0, lineCount), stopped: token, commas };
      }
      if (text.includes(',')) commas++;
      value = parsed;
    }
    if (count === values.length) {
      const more = new Float64Array(2 * count);
      more.set(values);
      values = more;
    }
    values[count++] = value;
  }
  if (count > lineStart) endLine(count - lineStart);
  return { values, count, lines: lines.subarray(0, lineCount), stopped: -1, commas };
}

/** How many times its own numbers a motion may be long once short lines repeat the frame before. */
const MOST_REPEATED = 8;

/**
 * Cuts a stream of numbers into frames. Where every line is a frame, or the total is what the file promises,
 * the stream is the frames. Otherwise lines are believed: one that is too short repeats the frame before it,
 * so that time does not slip, one that is too long loses its end, and an unfinished last line is dropped.
 */
function cutFrames(
  numbers: Numbers,
  channels: number,
  declared: number,
  repaired: (message: string) => void,
): { count: number; values: Float64Array } {
  const { values, count, lines } = numbers;
  if (channels === 0) {
    if (count > 0) repaired(`The motion holds ${count} numbers, but no joint has channels.`);
    return { count: 0, values: new Float64Array(0) };
  }
  const whole = Math.floor(count / channels);
  const regular = lines.every((n) => n === channels);
  const right = lines.reduce((sum, n) => sum + (n === channels ? 1 : 0), 0);
  const longer = lines.every((n) => n > channels);
  if (regular || count === declared * channels || (right === 0 && !(longer && lines.length === declared))) {
    if (whole !== declared || count !== whole * channels)
      repaired(
        `The file promises ${Number.isNaN(declared) ? 'no number of' : declared} frames and holds ${whole}${count === whole * channels ? '' : ' and a part of one'}; those were taken.`,
      );
    return { count: whole, values: values.subarray(0, whole * channels) };
  }
  const isCut = lines[lines.length - 1]! < channels;
  const frames = lines.length - (isCut ? 1 : 0);
  // A short line becomes a whole frame: many of them would make a large motion of a small file.
  if (frames * channels > MOST_REPEATED * count + 2 ** 16)
    throw new FormatError({
      format: 'BVH',
      at: 'MOTION',
      found: `${frames} lines of ${count} numbers together`,
      expected: `${channels} numbers, one for each channel, in most lines`,
    });
  const out = new Float64Array(frames * channels);
  let from = 0;
  let wrong = 0;
  for (let k = 0; k < frames; k++) {
    const n = lines[k]!;
    if (n !== channels) wrong++;
    if (n >= channels) out.set(values.subarray(from, from + channels), k * channels);
    else if (k > 0) out.copyWithin(k * channels, (k - 1) * channels, k * channels);
    from += n;
  }
  if (wrong > 0)
    repaired(
      `${wrong} of ${frames} frames have another number of values than the ${channels} channels; they were cut, or repeat the frame before.`,
    );
  if (frames !== declared || isCut)
    repaired(
      `The file promises ${Number.isNaN(declared) ? 'no number of' : declared} frames and holds ${frames}${isCut ? ' and a part of one' : ''}; those were taken.`,
    );
  return { count: frames, values: out };
}

/** Puts the value of the frame before (or 0) where one is not finite; says how many there were. */
function replaceNotFinite(values: Float64Array, channels: number): number {
  let replaced = 0;
  for (let i = 0; i < values.length; i++) {
    if (Math.abs(values[i]!) <= LARGEST) continue;
    values[i] = i >= channels ? values[i - channels]! : 0;
    replaced++;
  }
  return replaced;
}
