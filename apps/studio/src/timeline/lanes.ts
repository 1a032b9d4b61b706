import type { Contact } from '@stuntdouble/core/engine';
import type { ChainName } from '../engine/protocol.js';
import { inWords } from '../panels/in-words.js';

/** A bar on the timeline: a contact, by its place in the list it came from. */
export type Bar = {
  index: number;
  start: number;
  end: number;
  chain: ChainName;
  faint: boolean;
  row: number;
};

/** A lane of the timeline. */
export type Lane = {
  name: string;
  kind: 'heat' | 'bars';
  top: number;
  height: number;
  bars: Bar[];
  points: string[];
};

/** The lane of what both hands hold between them. */
export const CARRIED = 'Carried';

/** Which points go on which lane, upper row first. */
const LANES: readonly { name: string; points: readonly string[]; always?: boolean }[] = [
  { name: 'Left foot', points: ['leftToe', 'leftHeel'], always: true },
  { name: 'Right foot', points: ['rightToe', 'rightHeel'], always: true },
  { name: 'Hands', points: ['rightHand', 'leftHand'], always: true },
  { name: CARRIED, points: ['hands'] },
  { name: 'Knees, elbows', points: ['leftKnee', 'rightKnee', 'leftElbow', 'rightElbow'] },
  { name: 'Body', points: ['hips', 'back', 'head'] },
  { name: 'Front feet', points: ['frontLeftFoot', 'frontRightFoot'] },
  { name: 'Hind feet', points: ['hindLeftFoot', 'hindRightFoot'] },
];

/** Pixels that the ruler takes. */
export const RULER = 22;
/** Pixels that the names of lanes take. */
export const NAMES = 118;
const HEAT_HEIGHT = 18;
/** Pixels of a lane: as many as there is room for all of them, within these. */
const LEAST_LANE = 18;
const MOST_LANE = 26;

/** How high each lane below the heat strip is, where so many pixels are there for so many. */
export function laneHeight(room: number, count: number): number {
  return Math.max(LEAST_LANE, Math.min(MOST_LANE, Math.floor((room - RULER - HEAT_HEIGHT - 2) / count)));
}

/** The colour group of a point of the body. */
export function chainOfPoint(point: string): ChainName {
  const side = /left/i.test(point) ? 'left' : /right/i.test(point) ? 'right' : null;
  if (!side) return 'torso';
  return /Heel|Toe|Knee|hind/.test(point) ? `${side}Leg` : `${side}Arm`;
}

/** The lane of a point: of those that have none above legs go by pairs, others by their own name. */
function laneOf({ point }: Contact): string {
  const known = LANES.find(({ points }) => points.includes(point));
  if (known) return known.name;
  const leg = /^leg(\d+)/.exec(point);
  return leg ? `Legs ${leg[1]}` : inWords(point.replace(/^(left|right)(?=[A-Z])/, ''));
}

/** A contact in words: who touches, and what where that is not the ground. */
export function contactWords({ point, on }: Contact): string {
  return on === undefined ? inWords(point) : `${inWords(point)} on ${inWords(on).toLowerCase()}`;
}

/**
 * Lays contacts out in lanes, under the ruler and the heat strip: those that are known in their order, then one for each
 * kind that the engine has besides. Lanes without contacts are left out, but for feet and hands.
 */
export function layOutLanes(contacts: readonly Contact[], height = MOST_LANE): Lane[] {
  const lanes: Lane[] = [
    { name: 'Quality', kind: 'heat', top: RULER, height: HEAT_HEIGHT, bars: [], points: [] },
  ];
  let top = RULER + HEAT_HEIGHT;
  const isAnimal = contacts.some(({ point }) => /^(front|hind)/.test(point));
  const known = new Set(LANES.map(({ name }) => name));
  const others = [...new Set(contacts.map(laneOf))].filter((name) => !known.has(name));
  const all = [
    ...LANES,
    ...others.map((name) => ({
      name,
      points: [...new Set(contacts.filter((one) => laneOf(one) === name).map(({ point }) => point))].sort(),
      always: false,
    })),
  ];
  for (const { name, points, always } of all) {
    const bars = contacts.flatMap((contact, index): Bar[] => {
      if (laneOf(contact) !== name) return [];
      const { point, start, end, on } = contact;
      const place = points.indexOf(point);
      const isPair = points.length === 2 && always === true && name !== 'Hands';
      const row = isPair ? place : place % 2;
      // What touches the own body carries nothing, and is drawn lighter.
      const faint = (isPair && place === 1) || on !== undefined;
      return [{ index, start, end, chain: chainOfPoint(point), faint, row }];
    });
    if (bars.length === 0 && (!always || isAnimal)) continue;
    lanes.push({ name, kind: 'bars', top, height, bars, points: [...points] });
    top += height;
  }
  return lanes;
}

/** What part of time is on the screen: seconds at the left edge, and pixels a second. */
export type Span = { start: number; scale: number };

/** The pixel of an instant. */
export function xOf({ start, scale }: Span, time: number): number {
  return NAMES + (time - start) * scale;
}

/** The instant of a pixel. */
export function timeOf({ start, scale }: Span, x: number): number {
  return start + (x - NAMES) / scale;
}

/** The whole of a clip on so many pixels, with a little room at the end. */
export function wholeSpan(duration: number, width: number): Span {
  return { start: 0, scale: Math.max(1, width - NAMES - 14) / Math.max(1e-3, duration) };
}

/** Steps between the figures of the ruler, in frames: as many as leave some 60 pixels between them. */
export function rulerStep(pixelsPerFrame: number): number {
  const steps = [1, 2, 3, 6, 12, 30, 60, 120, 300, 600, 1800, 3600, 18000];
  return steps.find((step) => step * pixelsPerFrame >= 60) ?? 36000;
}

/** What is under a point of the timeline. */
export type Hit =
  | { kind: 'ruler'; time: number }
  | { kind: 'heat'; time: number }
  | { kind: 'bar'; bar: Bar; part: 'start' | 'middle' | 'end'; time: number }
  | { kind: 'lane'; lane: Lane; time: number };

/** Pixels from the end of a bar that take hold of the end. */
const GRIP = 5;

/** Finds what is under a point, in pixels from the timeline's top left. */
export function hitTest(lanes: readonly Lane[], span: Span, x: number, y: number): Hit {
  const time = timeOf(span, x);
  const lane = lanes.find(({ top, height }) => y >= top && y < top + height);
  if (!lane) return { kind: 'ruler', time };
  if (lane.kind === 'heat') return { kind: 'heat', time };
  const inRow = (bar: Bar) => {
    const { barTop, barHeight } = barPlace(lane, bar);
    return y >= barTop - 2 && y <= barTop + barHeight + 2;
  };
  for (const bar of lane.bars) {
    const [from, to] = [xOf(span, bar.start), xOf(span, bar.end)];
    if (!inRow(bar) || x < from - GRIP || x > to + GRIP) continue;
    const isShort = to - from < 3 * GRIP;
    const part = x < from + (isShort ? 0 : GRIP) ? 'start' : x > to - (isShort ? 0 : GRIP) ? 'end' : 'middle';
    return { kind: 'bar', bar, part, time };
  }
  return { kind: 'lane', lane, time };
}

/** Where a bar is drawn in its lane. */
export function barPlace({ top, height, bars }: Lane, bar: Bar): { barTop: number; barHeight: number } {
  const rows = bars.some(({ row }) => row > 0) ? 2 : 1;
  const barHeight = Math.min(8, Math.floor((height - 4) / 2));
  const gap = Math.max(1, Math.min(2, height - 4 - 2 * barHeight));
  const first = top + (height - rows * barHeight - (rows - 1) * gap) / 2;
  return { barTop: first + (rows === 1 ? 0 : (barHeight + gap) * bar.row), barHeight };
}

/** An instant on the nearest frame, or on the nearest other mark where that is within some pixels. */
export function snapTime(time: number, rate: number, others: readonly number[], span: Span): number {
  const near = others.find((other) => Math.abs(other - time) * span.scale < 6);
  return near ?? Math.round(time * rate) / rate;
}

/** Contacts after one was dragged: moved as a whole, or by an end; never shorter than a frame, never before the start. */
export function dragContact<C extends { start: number; end: number }>(
  contact: C,
  part: 'start' | 'middle' | 'end',
  delta: number,
  { rate, duration, snap }: { rate: number; duration: number; snap: (time: number) => number },
): C {
  const least = 1 / rate;
  if (part === 'start')
    return { ...contact, start: Math.max(0, Math.min(contact.end - least, snap(contact.start + delta))) };
  if (part === 'end')
    return {
      ...contact,
      end: Math.min(duration, Math.max(contact.start + least, snap(contact.end + delta))),
    };
  const length = contact.end - contact.start;
  const start = Math.max(0, Math.min(duration - length, snap(contact.start + delta)));
  return { ...contact, start, end: start + length };
}
