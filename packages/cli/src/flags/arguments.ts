/*
 * What people type, turned into what the library takes. Every function throws commander's
 * InvalidArgumentError, which names the option and the text that was given.
 */
import {
  type AlignmentMode,
  type Axis,
  type JointEdit,
  LIMBS,
  type Limb,
  type LookRule,
  type MorphMap,
  multiplyQuaternions,
  PASS_NAMES,
  type PassName,
  quaternionFromAxisAngle,
  type ReferenceChoice,
  type RigMapDocument,
  type RootRule,
  type TwistRule,
  UNIT_METRES,
  type UnitName,
} from '@stuntdouble/core/engine';
import { DEFAULT_LIMITS, type Limits } from '@stuntdouble/formats';
import type { ClipPoint, ClipRange } from '@stuntdouble/jobs';
import { InvalidArgumentError } from 'commander';

/** Reads a number greater than 0, such as `--fps 30`. */
export function parsePositive(text: string): number {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (!(value > 0) || !Number.isFinite(value))
    throw new InvalidArgumentError('It must be a number greater than 0.');
  return value;
}

/** Reads one of the limits of reading, `joints=20000`, and adds it to those that were given before. */
export function parseLimit(text: string, given: Partial<Limits> = {}): Partial<Limits> {
  const [name = '', number = ''] = text.split('=').map((part) => part.trim());
  const value = number === '' ? Number.NaN : Number(number);
  if (!Object.hasOwn(DEFAULT_LIMITS, name) || !(value > 0))
    throw new InvalidArgumentError(
      `It must be NAME=N, where N is a number above 0 and NAME one of ${Object.keys(DEFAULT_LIMITS).join(', ')}.`,
    );
  return { ...given, [name]: value };
}

/**
 * Reads what drives one joint of the target, `TARGET=SOURCE`, `TARGET=SOURCE+SOURCE` (parents first) or `TARGET=none`,
 * onto what was read before.
 */
export function parsePair(
  text: string,
  before: NonNullable<RigMapDocument['changes']> = [],
): NonNullable<RigMapDocument['changes']> {
  const at = text.indexOf('=');
  const target = text.slice(0, at).trim();
  const sources = text
    .slice(at + 1)
    .split('+')
    .map((name) => name.trim());
  if (at < 1 || target === '' || sources.some((name) => name === ''))
    throw new InvalidArgumentError('It must be TARGET=SOURCE, TARGET=SOURCE+SOURCE or TARGET=none.');
  return [...before, sources.join('+') === 'none' ? { target, none: true } : { target, sources }];
}

/**
 * Reads `--edit-target JOINT=X,Y,Z[/PLACE[/SCALE]]`: degrees by which a joint of the reference is turned on, about y,
 * then x, then z of its parent, as SpireMiniEngine's tool types them; then a place and a scale.
 */
export function parseEdit(text: string, before: readonly JointEdit[] = []): readonly JointEdit[] {
  const at = text.lastIndexOf('=');
  const [angles, place, size, ...rest] = text
    .slice(at + 1)
    .split('/')
    .map((part) =>
      part.trim() === '' ? null : part.split(',').map((x) => (x.trim() === '' ? Number.NaN : Number(x))),
    );
  const isWrong = [angles, place, size].some(
    (part) => part && (part.length !== 3 || !part.every(Number.isFinite)),
  );
  if (at < 1 || rest.length > 0 || isWrong || !(angles || place || size))
    throw new InvalidArgumentError(
      'It must be JOINT=X,Y,Z, degrees, and where wanted /X,Y,Z, a place, and /X,Y,Z, a scale.',
    );
  const vector = (part: readonly number[]) => part as unknown as [number, number, number];
  const edit: JointEdit = {
    name: text.slice(0, at).trim(),
    ...(angles && { turn: turnOfAngles(vector(angles)) }),
    ...(place && { translation: vector(place) }),
    ...(size && { scale: vector(size) }),
  };
  return [...before, edit];
}

/** Turns about y, then x, then z, in degrees. */
function turnOfAngles(degrees: readonly [number, number, number]): [number, number, number, number] {
  const all = Float64Array.of(0, 0, 0, 1);
  const one = new Float64Array(4);
  for (const axis of [1, 0, 2] as const) {
    const along = Float64Array.from([0, 1, 2], (c) => Number(c === axis));
    quaternionFromAxisAngle(one, 0, along, 0, (degrees[axis] * Math.PI) / 180);
    multiplyQuaternions(all, 0, one, 0, all, 0);
  }
  return [...all] as [number, number, number, number];
}

/** Reads an axis: `y`, `+Z`, `-x`. */
export function parseAxis(text: string): Axis {
  const match = /^([+-]?)([xyz])$/i.exec(text.trim());
  if (!match) throw new InvalidArgumentError('It must be x, y, z, -x, -y or -z.');
  return `${match[1] === '-' ? '-' : '+'}${match[2]!.toUpperCase()}` as Axis;
}

/** Reads a unit of length by its name, or as so many metres. */
export function parseUnit(text: string): UnitName | number {
  const name = text.trim().toLowerCase();
  if (Object.hasOwn(UNIT_METRES, name)) return name as UnitName;
  const metres = name === '' ? Number.NaN : Number(name);
  if (!(metres > 0) || !Number.isFinite(metres))
    throw new InvalidArgumentError(
      `It must be one of ${Object.keys(UNIT_METRES).join(', ')}, or how many metres a unit is.`,
    );
  return metres;
}

function parsePoint(text: string): ClipPoint {
  const match = /^(\d+(?:\.\d*)?|\.\d+)(s|f)?$/.exec(text);
  if (!match) throw new InvalidArgumentError(`"${text}" is neither seconds (1.5) nor a frame (45f).`);
  const value = Number(match[1]);
  if (match[2] !== 'f') return { seconds: value };
  if (!Number.isInteger(value)) throw new InvalidArgumentError(`"${text}" is not a whole frame.`);
  return { frame: value };
}

/** Reads `START:END`, each in seconds or as a frame with `f`, either side may be left out. */
export function parseRange(text: string): ClipRange {
  const sides = text.split(':').map((side) => side.trim());
  if (sides.length !== 2 || (sides[0] === '' && sides[1] === ''))
    throw new InvalidArgumentError('It must be START:END, in seconds (0.5:2) or frames (10f:40f).');
  const range: ClipRange = {};
  if (sides[0] !== '') range.start = parsePoint(sides[0]!);
  if (sides[1] !== '') range.end = parsePoint(sides[1]!);
  return range;
}

/** Reads a choice of reference pose: `auto`, `rest`, `bind`, `frame:K`, `CLIP@SECONDS` or `CLIP@Kf`. */
export function parseReference(text: string): ReferenceChoice {
  if (text === 'auto' || text === 'rest' || text === 'bind') return text;
  const frame = /^frame:(\d+)$/.exec(text);
  if (frame) return { frame: Number(frame[1]) };
  // The last @: clip names may hold one.
  const at = text.lastIndexOf('@');
  if (at > 0) {
    const point = parsePoint(text.slice(at + 1));
    const clip = text.slice(0, at);
    return 'frame' in point ? { clip, frame: point.frame } : { clip, time: point.seconds };
  }
  throw new InvalidArgumentError('It must be auto, rest, bind, frame:K or CLIP@SECONDS.');
}

/** Words that stand for several limbs in `--align`. */
const LIMB_GROUPS: Readonly<Record<string, readonly Limb[]>> = {
  arms: ['leftArm', 'rightArm'],
  legs: ['leftLeg', 'rightLeg'],
  fingers: LIMBS.filter((limb) => /(Thumb|Index|Middle|Ring|Little)$/.test(limb)),
};

const ALIGNMENT_MODES: readonly AlignmentMode[] = ['keep', 'line', 'bones'];

/** Reads `LIMB=MODE` onto what was read before; `arms`, `legs` and `fingers` stand for several limbs. */
export function parseAlignment(
  text: string,
  before: Partial<Record<Limb, AlignmentMode>> = {},
): Partial<Record<Limb, AlignmentMode>> {
  const [name = '', mode = ''] = text.split('=').map((side) => side.trim());
  const limbs = LIMB_GROUPS[name] ?? LIMBS.filter((limb) => limb === name);
  if (limbs.length === 0)
    throw new InvalidArgumentError(
      `There is no limb "${name}"; the limbs are arms, legs, fingers, ${LIMBS.join(', ')}.`,
    );
  if (!ALIGNMENT_MODES.includes(mode as AlignmentMode))
    throw new InvalidArgumentError(`"${mode}" is no mode; the modes are ${ALIGNMENT_MODES.join(', ')}.`);
  const after = { ...before };
  for (const limb of limbs) after[limb] = mode as AlignmentMode;
  return after;
}

/**
 * Reads `H`, `H,V` or `X,Y,Z`: how far the travel is stretched along the floor and up, one number for both; or aside, up
 * and ahead.
 */
export function parseRootScale(
  text: string,
): { horizontal: number; vertical: number } | { x: number; vertical: number; z: number } {
  const sides = text.split(',');
  if (sides.length > 3)
    throw new InvalidArgumentError('It must be H, H,V or X,Y,Z, such as 0.9 or 0.9,1 or 2,1,3.');
  if (sides.length === 3) {
    const [x, vertical, z] = sides.map(parsePositive) as [number, number, number];
    return { x, vertical, z };
  }
  const horizontal = parsePositive(sides[0]!);
  return { horizontal, vertical: sides.length === 2 ? parsePositive(sides[1]!) : horizontal };
}

/**
 * Reads `MODE` or `NAME=MODE` onto what was read before: a mode for all, or for one limb, chain or joint of that
 * name; `arms`, `legs` and `fingers` stand for several limbs.
 */
export function parseModes<T extends string>(
  modes: readonly T[],
): (text: string, before?: Record<string, T>) => Record<string, T> {
  return (text, before = {}) => {
    // The last sign: names of joints may hold one.
    const at = text.lastIndexOf('=');
    const name = at < 0 ? '*' : text.slice(0, at).trim();
    const mode = text.slice(at + 1).trim();
    if (name === '' || !modes.includes(mode as T))
      throw new InvalidArgumentError(
        `"${text}" is neither MODE nor NAME=MODE; the modes are ${modes.join(', ')}.`,
      );
    return {
      ...before,
      ...Object.fromEntries((LIMB_GROUPS[name] ?? [name]).map((each) => [each, mode as T])),
    };
  };
}

/** Reads a word, or `JOINT=SHARE` onto what was read before: who shares the twist of limbs. */
export function parseTwist(text: string, before?: TwistRule): TwistRule {
  if (text === 'joints' || text === 'limbs' || text === 'none') return text;
  const at = text.lastIndexOf('=');
  const share = at < 1 ? Number.NaN : Number(text.slice(at + 1).trim() || Number.NaN);
  if (!(share >= 0 && share <= 1))
    throw new InvalidArgumentError(
      `"${text}" is neither joints, limbs, none nor JOINT=SHARE with a share from 0 to 1.`,
    );
  return { ...(typeof before === 'object' ? before : {}), [text.slice(0, at).trim()]: share };
}

/** Reads `FROM=TO` onto what was read before: which morph target goes onto which; nothing after the sign leaves one out. */
export function parseMorphs(text: string, before: MorphMap = {}): MorphMap {
  const at = text.indexOf('=');
  if (at < 1) throw new InvalidArgumentError('It must be FROM=TO, such as smile=happy.');
  return { ...before, [text.slice(0, at).trim()]: text.slice(at + 1).trim() };
}

/** Reads `ARMS` or `ARMS,LEGS`: how far limbs are spread, from -1 to 1. */
export function parseSpacing(text: string): { arms: number; legs: number } {
  const shares = text.split(',').map((share) => (share.trim() === '' ? Number.NaN : Number(share)));
  if (shares.length > 2 || !shares.every((share) => share >= -1 && share <= 1))
    throw new InvalidArgumentError('It must be ARMS or ARMS,LEGS from -1 to 1, such as 0.2 or 0.2,0.1.');
  return { arms: shares[0]!, legs: shares[1] ?? 0 };
}

/** Reads `X,Y,Z` or the name of a joint or body part: what is looked at. */
export function parseLook(text: string): LookRule {
  const numbers = text.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
  if (numbers.length === 3 && numbers.every(Number.isFinite)) return { point: numbers };
  if (text.trim() === '') throw new InvalidArgumentError('It must be X,Y,Z in metres, or a joint.');
  return { joint: text };
}

/** Reads `--loop` or `--loop SECONDS`: how long the seam is eased. */
export function parseLoop(text: string): { seconds: number } {
  return { seconds: parsePositive(text) };
}

/** Reads `--reduce MM[,DEGREES]`: how far a joint may be off for keys to be left out. */
export function parseTolerance(text: string): { position: number; angleDegrees?: number } {
  const sides = text.split(',');
  if (sides.length > 2)
    throw new InvalidArgumentError('It must be millimetres, or millimetres,degrees: 0.5 or 0.5,0.2.');
  return {
    position: parsePositive(sides[0]!) / 1000,
    ...(sides.length === 2 && { angleDegrees: parsePositive(sides[1]!) }),
  };
}

/** Reads `--ground` or `--ground JOINT`, with `,pin` after it or not; `lowest` is the lowest joint of each frame. */
export function parseGround(text: string): { joint?: string; dynamic?: boolean; mode?: 'pin' } {
  const isPinned = text.endsWith(',pin');
  const joint = isPinned ? text.slice(0, -',pin'.length) : text;
  return { ...(joint === 'lowest' ? { dynamic: true } : { joint }), ...(isPinned && { mode: 'pin' }) };
}

/** Reads names of passes with commas between them. */
export function parsePasses(text: string): PassName[] {
  const names = text.split(',').map((name) => name.trim());
  for (const name of names)
    if (!PASS_NAMES.includes(name as PassName))
      throw new InvalidArgumentError(`There is no pass "${name}"; the passes are ${PASS_NAMES.join(', ')}.`);
  return names as PassName[];
}

/** Reads one of a few words. */
export function parseChoice<T extends string>(choices: readonly T[]): (text: string) => T {
  return (text) => {
    if (!choices.includes(text as T))
      throw new InvalidArgumentError(`It must be one of ${choices.join(', ')}.`);
    return text as T;
  };
}

/** Adds a text to those given before, for options that may be repeated. */
export function collect(text: string, before: readonly string[] = []): string[] {
  return [...before, text];
}

const ROOT_PARTS = ['both', 'position', 'rotation', 'none'];

/** Reads what the hips take over, and where told how far their way is scaled: `both`, `rotation`, `both,0.5`. */
export function parseRoot(text: string): RootRule {
  const [parts = '', scale, ...more] = text.split(',').map((part) => part.trim());
  const positionScale = scale === undefined ? 1 : scale === '' ? Number.NaN : Number(scale);
  if (!ROOT_PARTS.includes(parts) || more.length > 0 || !(positionScale >= 0 && positionScale <= 1))
    throw new InvalidArgumentError(
      `It must be one of ${ROOT_PARTS.join(', ')}, and may end in a number from 0 to 1, such as both,0.5.`,
    );
  const copyPosition = parts === 'both' || parts === 'position';
  if (scale !== undefined && !copyPosition)
    throw new InvalidArgumentError(`With ${parts} the hips go nowhere: there is nothing to scale.`);
  return {
    copyPosition,
    copyRotation: parts === 'both' || parts === 'rotation',
    ...(scale !== undefined && { positionScale }),
  };
}

/** A limit to a measure: a number, 0 or more. */
export function parseMeasureLimit(text: string): number {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (!(value >= 0) || !Number.isFinite(value))
    throw new InvalidArgumentError('It must be a number, 0 or more.');
  return value;
}

/** Reads `A=B`, or `A` where both carry the same name, onto what was read before. */
export function parseClipPair(text: string, before: readonly string[] = []): string[] {
  if (text === '' || text.startsWith('=') || text.endsWith('='))
    throw new InvalidArgumentError('It must be SOURCE_CLIP=RESULT_CLIP, or one name for both.');
  return [...before, text];
}
