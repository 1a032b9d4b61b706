import { CHAIN_COLORS } from '../stage/colors.js';
import { drawEdits, type EditChoice, type EditLane } from './edit-lanes.js';
import { type Heat, heatSpans } from './heat.js';
import { barPlace, type Lane, NAMES, RULER, rulerStep, type Span, xOf } from './lanes.js';
import type { TimelineColors } from './timeline-colors.js';

/** What a timeline is drawn from. */
export type Drawing = {
  width: number;
  height: number;
  lanes: readonly Lane[];
  span: Span;
  duration: number;
  rate: number;
  time: number;
  heat: Heat | null;
  /** The contact that is selected, by its place; −1 for none. */
  selected: number;
  /** What was done by hand, and what of it is chosen. */
  edits: readonly EditLane[];
  chosen: EditChoice;
  colors: TimelineColors;
};

const FONT = '12px "Inter Variable", system-ui, sans-serif';

/** Draws the whole timeline. */
export function drawTimeline(context: CanvasRenderingContext2D, drawing: Drawing): void {
  const { width, height, lanes, span, colors } = drawing;
  context.fillStyle = colors.panel;
  context.fillRect(0, 0, width, height);
  context.save();
  context.beginPath();
  context.rect(NAMES, 0, width - NAMES, height);
  context.clip();
  const playhead = playheadOf(context, drawing);
  drawRuler(context, drawing, playhead);
  for (const lane of lanes) {
    if (lane.kind === 'heat') drawHeat(context, lane, drawing);
    else drawBars(context, lane, drawing);
  }
  drawEdits(context, drawing.edits, span, colors, drawing.chosen);
  context.restore();
  context.fillStyle = colors.line;
  const all = [...lanes, ...drawing.edits];
  for (const { top } of all) context.fillRect(0, top - 0.5, width, 1);
  const last = all.at(-1);
  if (last) context.fillRect(0, last.top + last.height - 0.5, width, 1);
  context.fillStyle = colors.line2;
  context.fillRect(NAMES - 1, 0, 1, height);
  if (playhead) drawPlayhead(context, drawing, playhead);
}

/** Where the playhead is, and its label with the frame; null where it is out of sight. */
type Playhead = { x: number; label: string; middle: number; half: number };

function playheadOf(
  context: CanvasRenderingContext2D,
  { width, span, time, rate }: Drawing,
): Playhead | null {
  const x = xOf(span, time);
  if (x < NAMES - 1) return null;
  const label = String(Math.round(time * rate));
  context.font = `600 ${FONT}`;
  const half = Math.max(17, context.measureText(label).width / 2 + 8);
  return { x, label, half, middle: Math.min(width - half - 2, Math.max(NAMES + half - 6, x)) };
}

function drawRuler(
  context: CanvasRenderingContext2D,
  { width, height, span, duration, rate, colors }: Drawing,
  playhead: Playhead | null,
): void {
  const step = rulerStep(span.scale / rate);
  const first = Math.max(0, Math.floor((span.start * rate) / step) * step);
  context.font = FONT;
  context.textBaseline = 'middle';
  for (let frame = first; frame <= duration * rate + 0.01; frame += step) {
    const x = Math.round(xOf(span, frame / rate)) + 0.5;
    context.fillStyle = colors.line;
    context.fillRect(x - 0.5, RULER, 1, height);
    context.fillStyle = colors.muted;
    // A number that would be cut at the end stands before its line.
    const words = String(frame);
    const length = context.measureText(words).width;
    const left = x + 4 + length > width ? x - 4 - length : x + 4;
    // A number of which the playhead's label would leave a piece is left out.
    if (playhead && Math.abs(left + length / 2 - playhead.middle) < length / 2 + playhead.half) continue;
    context.fillText(words, left, RULER / 2);
  }
}

function drawHeat(
  context: CanvasRenderingContext2D,
  lane: Lane,
  { heat, span, duration, colors }: Drawing,
): void {
  const [top, height] = [lane.top + 4, lane.height - 8];
  const end = xOf(span, duration);
  context.fillStyle = colors.line2;
  if (!heat) {
    context.fillRect(xOf(span, 0), top, end - xOf(span, 0), height);
    return;
  }
  for (const { from, to, grade } of heatSpans(heat)) {
    const [start, stop] = [xOf(span, from / heat.rate), Math.min(end, xOf(span, (to + 1) / heat.rate))];
    context.fillStyle = [colors.good, colors.warn, colors.bad][grade]!;
    context.fillRect(start, top, Math.max(1, stop - start), height);
  }
}

function drawBars(context: CanvasRenderingContext2D, lane: Lane, { span, selected, colors }: Drawing): void {
  for (const bar of lane.bars) {
    const { barTop, barHeight } = barPlace(lane, bar);
    const [from, to] = [xOf(span, bar.start), xOf(span, bar.end)];
    context.globalAlpha = bar.faint ? 0.5 : 1;
    context.fillStyle = CHAIN_COLORS[bar.chain];
    context.beginPath();
    context.roundRect(from, barTop, Math.max(3, to - from), barHeight, 2.5);
    context.fill();
    context.globalAlpha = 1;
    if (bar.index !== selected) continue;
    context.strokeStyle = colors.text;
    context.lineWidth = 1.5;
    context.stroke();
  }
}

function drawPlayhead(
  context: CanvasRenderingContext2D,
  { height, colors }: Drawing,
  { x, label, middle, half }: Playhead,
): void {
  context.font = `600 ${FONT}`;
  context.fillStyle = colors.text;
  context.fillRect(Math.round(x) - 0.75, 4, 1.5, height);
  context.beginPath();
  context.roundRect(middle - half, 3, 2 * half, RULER - 6, 5);
  context.fill();
  context.fillStyle = colors.panel;
  context.textBaseline = 'middle';
  context.textAlign = 'center';
  context.fillText(label, middle, RULER / 2 + 0.5);
  context.textAlign = 'start';
}
