import type { Constraint, ConstraintTimes, Layer } from '@stuntdouble/core/engine';
import { NAMES, type Span, timeOf, xOf } from './lanes.js';
import type { TimelineColors } from './timeline-colors.js';

/** The four times of a constraint, in seconds: eased in, held, eased out. */
export type RampTimes = { in: number; start: number; end: number; out: number };

/** Which of them is taken hold of; `middle` is all four. */
export type RampPart = keyof RampTimes | 'middle';

/** A constraint on the timeline, by its place in the recipe's list. */
export type Ramp = RampTimes & { index: number; row: number; title: string; muted: boolean };

/** A time at which a layer has keys; by the layer's place in the recipe's list. */
export type KeyMark = { layer: number; time: number; row: number };

/** A lane of what a person did by hand. */
export type EditLane = {
  name: 'Constraints' | 'Layers';
  top: number;
  height: number;
  /** How high each of its rows is. */
  rowHeight: number;
  ramps: Ramp[];
  keys: KeyMark[];
  titles: { row: number; time: number; text: string; muted: boolean }[];
};

/** Seconds of the source at the start of the result, and how many go by in one of the result's. */
export type Timing = { offset: number; rate: number };

/** What an empty lane says: how something gets there. */
const EMPTY_WORDS: Readonly<Record<EditLane['name'], string>> = {
  Constraints: 'H, or a double click, holds the selected joint here',
  Layers: 'I keys the selected joint here',
};
/** Pixels that a row of ramps or keys takes. */
const ROW_HEIGHT = 22;
/** Frames a second that times in frames are counted in, where nothing else is known. */
const RATE = 30;

/** What a constraint is about, in a few words. */
export function constraintTitle({ name, joint, kind, goal }: Constraint): string {
  if (name) return name;
  const words = (joint ?? 'body').replace(/([A-Z])/g, ' $1').toLowerCase();
  return `${words} → ${goal?.joint ?? goal?.source ?? goal?.node ?? kind}`;
}

/** The times of a constraint in the result, in order; what is left out is the clip's begin or end. */
export function rampTimes(
  { times = {} }: Constraint,
  duration: number,
  { offset, rate }: Timing,
  frameRate = RATE,
): RampTimes {
  const seconds = (time: ConstraintTimes['in'], otherwise: number): number => {
    if (time === undefined) return otherwise;
    if (typeof time === 'number') return (time - offset) / rate;
    return 'frame' in time ? (time.frame / frameRate - offset) / rate : seconds(time.near, otherwise);
  };
  const start = seconds(times.start, seconds(times.in, 0));
  const end = Math.max(start, seconds(times.end, seconds(times.out, duration)));
  return {
    in: Math.min(start, seconds(times.in, start)),
    start,
    end,
    out: Math.max(end, seconds(times.out, end)),
  };
}

/** Times of the result as a constraint keeps them: in seconds of the source's clip. */
export function toldTimes(times: RampTimes, { offset, rate }: Timing): RampTimes {
  const told = (time: number) => Number((offset + time * rate).toFixed(6));
  return { in: told(times.in), start: told(times.start), end: told(times.end), out: told(times.out) };
}

/** The times at which a layer has keys, in the result, each once. */
export function layerTimes({ joints = {}, hips = [] }: Layer, { offset, rate }: Timing): number[] {
  const all = [...Object.values(joints).flat(), ...hips].map(({ time }) => (time - offset) / rate);
  return [...new Set(all)].sort((a, b) => a - b);
}

/** Lays out what a person did by hand, under the other lanes: constraints that overlap under each other, a row a layer. */
export function layOutEdits(
  { constraints = [], layers = [] }: { constraints?: readonly Constraint[]; layers?: readonly Layer[] },
  clip: string | null,
  top: number,
  duration: number,
  timing: Timing,
  rowHeight = ROW_HEIGHT,
): EditLane[] {
  const isMeant = (one: { clip?: string }) => one.clip === undefined || one.clip === clip;
  const ends: number[] = [];
  const ramps = constraints.flatMap((constraint, index): Ramp[] => {
    if (!isMeant(constraint)) return [];
    const times = rampTimes(constraint, duration, timing);
    let row = ends.findIndex((end) => end <= times.in);
    if (row < 0) row = ends.length;
    ends[row] = times.out;
    return [{ ...times, index, row, title: constraintTitle(constraint), muted: constraint.muted === true }];
  });
  const shown = layers.flatMap((layer, n) => (isMeant(layer) ? [{ layer, n }] : []));
  const first = { top, height: rowHeight * Math.max(1, ends.length), rowHeight };
  return [
    { name: 'Constraints', ...first, ramps, keys: [], titles: [] },
    {
      name: 'Layers',
      top: first.top + first.height,
      height: rowHeight * Math.max(1, shown.length),
      rowHeight,
      ramps: [],
      keys: shown.flatMap(({ layer, n }, row) =>
        layerTimes(layer, timing).map((time) => ({ layer: n, time, row })),
      ),
      titles: shown.map(({ layer, n }, row) => ({
        row,
        time: layerTimes(layer, timing)[0] ?? 0,
        text: layer.name ?? `layer ${n + 1}`,
        muted: layer.muted === true,
      })),
    },
  ];
}

/** What is under a point of these lanes. */
export type EditHit =
  | { kind: 'ramp'; ramp: Ramp; part: RampPart; time: number }
  | { kind: 'key'; key: KeyMark; time: number }
  | { kind: 'edit lane'; name: EditLane['name']; time: number };

/** Pixels around a handle that take hold of it. */
const GRIP = 6;

/** Finds what is under a point, in pixels from the timeline's top left; null where that is no such lane. */
export function hitEdit(lanes: readonly EditLane[], span: Span, x: number, y: number): EditHit | null {
  const lane = lanes.find(({ top, height }) => y >= top && y < top + height);
  if (!lane) return null;
  const time = timeOf(span, x);
  const row = Math.floor((y - lane.top) / lane.rowHeight);
  for (const ramp of lane.ramps) {
    if (ramp.row !== row || x < xOf(span, ramp.in) - GRIP || x > xOf(span, ramp.out) + GRIP) continue;
    // Outer handles are at the foot of the ramp, inner ones on top: where two fall together, height decides.
    const order: RampPart[] =
      y - lane.top - row * lane.rowHeight > lane.rowHeight / 2
        ? ['in', 'out', 'start', 'end']
        : ['start', 'end', 'in', 'out'];
    const part = order.find((name) => name !== 'middle' && Math.abs(xOf(span, ramp[name]) - x) <= GRIP);
    return { kind: 'ramp', ramp, part: part ?? 'middle', time };
  }
  const key = lane.keys.find((mark) => mark.row === row && Math.abs(xOf(span, mark.time) - x) <= GRIP);
  return key ? { kind: 'key', key, time } : { kind: 'edit lane', name: lane.name, time };
}

/** The times of a constraint after one of its handles, or all of it, was dragged: always in order, never before the start. */
export function dragRamp(
  times: RampTimes,
  part: RampPart,
  delta: number,
  snap: (time: number) => number,
): RampTimes {
  if (part === 'middle') {
    const way = Math.max(-times.in, snap(times.start + delta) - times.start);
    return {
      in: times.in + way,
      start: times.start + way,
      end: times.end + way,
      out: times.out + way,
    };
  }
  const order = ['in', 'start', 'end', 'out'] as const;
  const at = order.indexOf(part);
  const least = at === 0 ? 0 : times[order[at - 1]!];
  const most = at === 3 ? Number.POSITIVE_INFINITY : times[order[at + 1]!];
  return { ...times, [part]: Math.max(least, Math.min(most, snap(times[part] + delta))) };
}

/** A layer with all keys of one time at another, the keys of each curve in order. */
export function moveKeys(layer: Layer, from: number, to: number): Layer {
  const move = <K extends { time: number }>(keys: readonly K[]): K[] => {
    const moved = keys.map((key) => (Math.abs(key.time - from) < 1e-6 ? { ...key, time: to } : key));
    // A key that is dragged onto another takes its place.
    return moved
      .filter(
        (key, n) => !moved.some((other, k) => k !== n && other.time === key.time && keys[k]!.time === from),
      )
      .sort((a, b) => a.time - b.time);
  };
  return {
    ...layer,
    ...(layer.joints && {
      joints: Object.fromEntries(Object.entries(layer.joints).map(([name, keys]) => [name, move(keys)])),
    }),
    ...(layer.hips && { hips: move(layer.hips) }),
  };
}

/** A layer without the keys of one time; null where none is left. */
export function withoutKeys(layer: Layer, time: number): Layer | null {
  const others = <K extends { time: number }>(keys: readonly K[]) =>
    keys.filter((key) => Math.abs(key.time - time) > 1e-6);
  const joints = Object.fromEntries(
    Object.entries(layer.joints ?? {}).flatMap(([name, keys]) => {
      const left = others(keys);
      return left.length > 0 ? [[name, left]] : [];
    }),
  );
  const { hips: before, joints: _, ...rest } = layer;
  const hips = others(before ?? []);
  if (Object.keys(joints).length === 0 && hips.length === 0) return null;
  return { ...rest, ...(Object.keys(joints).length > 0 && { joints }), ...(hips.length > 0 && { hips }) };
}

/** What is chosen among the edits. */
export type EditChoice = { constraint: number; layer: number; key: number | null };

/** Draws the lanes of edits. */
export function drawEdits(
  context: CanvasRenderingContext2D,
  lanes: readonly EditLane[],
  span: Span,
  colors: TimelineColors,
  chosen: EditChoice,
): void {
  for (const lane of lanes) {
    if (lane.ramps.length + lane.titles.length === 0) {
      context.fillStyle = colors.muted;
      context.textBaseline = 'middle';
      context.fillText(EMPTY_WORDS[lane.name], NAMES + 10, lane.top + lane.rowHeight / 2);
    }
    for (const ramp of lane.ramps)
      drawRamp(context, lane, ramp, span, colors, chosen.constraint === ramp.index);
    for (const key of lane.keys) {
      const isChosen =
        chosen.layer === key.layer && chosen.key !== null && Math.abs(chosen.key - key.time) < 1e-6;
      const [x, y] = [xOf(span, key.time), lane.top + (key.row + 0.5) * lane.rowHeight];
      context.fillStyle = isChosen ? colors.accent : colors.muted;
      context.beginPath();
      context.moveTo(x, y - 5);
      context.lineTo(x + 5, y);
      context.lineTo(x, y + 5);
      context.lineTo(x - 5, y);
      context.fill();
    }
    context.fillStyle = colors.text;
    context.textBaseline = 'middle';
    for (const { row, time, text, muted } of lane.titles) {
      context.globalAlpha = muted ? 0.5 : 1;
      context.fillText(text, xOf(span, time) + 10, lane.top + (row + 0.5) * lane.rowHeight);
      context.globalAlpha = 1;
    }
  }
}

function drawRamp(
  context: CanvasRenderingContext2D,
  { top, rowHeight }: EditLane,
  ramp: Ramp,
  span: Span,
  colors: TimelineColors,
  isChosen: boolean,
): void {
  // In a low row a ramp takes what there is, so that its title stands clear of its edges.
  const edge = rowHeight < ROW_HEIGHT ? 2.5 : 4;
  const [high, low] = [top + ramp.row * rowHeight + edge, top + (ramp.row + 1) * rowHeight - edge];
  const corners = [
    [xOf(span, ramp.in), low],
    [xOf(span, ramp.start), high],
    [xOf(span, ramp.end), high],
    [xOf(span, ramp.out), low],
  ] as const;
  context.globalAlpha = ramp.muted ? 0.4 : 1;
  context.beginPath();
  for (const [x, y] of corners) context.lineTo(x, y);
  context.closePath();
  context.fillStyle = colors.accentGround;
  context.fill();
  context.strokeStyle = isChosen ? colors.text : colors.accent;
  context.lineWidth = 1.5;
  context.stroke();
  for (const [x, y] of corners) {
    context.beginPath();
    context.arc(x, y, edge < 4 ? 2.5 : 3.5, 0, 2 * Math.PI);
    context.fillStyle = colors.panel;
    context.fill();
    context.stroke();
  }
  const room = corners[2][0] - corners[1][0] - 12;
  context.fillStyle = colors.text;
  context.textBaseline = 'middle';
  if (context.measureText(ramp.title).width < room)
    context.fillText(ramp.title, corners[1][0] + 8, (high + low) / 2 + 0.5);
  context.globalAlpha = 1;
}
