import { hypot } from '@stuntdouble/core/engine';
import { blendPixel, type Image, type Rgb } from './image.js';
import { CAP_HEIGHT, LETTER_SPACE, MISSING_STROKES, STROKES } from './stroke-font.js';

/** How text is drawn. */
export type TextStyle = {
  /** Height of capitals, pixels. */
  size: number;
  color: Rgb;
  /** Width of the pen as a share of the size; bold is about 0.19. */
  weight?: number;
  align?: 'left' | 'center' | 'right';
  /** Text that is wider, in pixels, is cut and ends in an ellipsis. */
  maxWidth?: number;
};

/** The pen of ordinary text, as a share of its size. */
const WEIGHT = 0.135;
/** A circle's quarter as a cubic: how far the control points stand towards the corner. */
const ROUND = 0.5523;
/** Straight pieces of a bend: at caption sizes the corners are far below a pixel. */
const PIECES = 7;

type Glyph = { width: number; strokes: number[][] };

const glyphs = new Map<string, Glyph>();

/** A letter's strokes as polylines, x and y in turn, in the font's units. */
function glyphOf(character: string): Glyph {
  const known = glyphs.get(character);
  if (known) return known;
  const [width, path] = STROKES[character] ?? MISSING_STROKES;
  const strokes: number[][] = [];
  for (const stroke of path.split('|')) {
    const line: number[] = [];
    let corner: [number, number] | null = null;
    for (const token of stroke.trim().split(/\s+/)) {
      if (token === '') continue;
      const bent = token.startsWith('~');
      const [x, y] = (bent ? token.slice(1) : token).split(',').map(Number) as [number, number];
      if (bent) {
        corner = [x, y];
        continue;
      }
      if (corner) {
        const x0 = line[line.length - 2]!;
        const y0 = line[line.length - 1]!;
        const cx0 = x0 + (corner[0] - x0) * ROUND;
        const cy0 = y0 + (corner[1] - y0) * ROUND;
        const cx1 = x + (corner[0] - x) * ROUND;
        const cy1 = y + (corner[1] - y) * ROUND;
        for (let k = 1; k < PIECES; k++) {
          const t = k / PIECES;
          const s = 1 - t;
          line.push(
            s * s * s * x0 + 3 * s * s * t * cx0 + 3 * s * t * t * cx1 + t * t * t * x,
            s * s * s * y0 + 3 * s * s * t * cy0 + 3 * s * t * t * cy1 + t * t * t * y,
          );
        }
        corner = null;
      }
      line.push(x, y);
    }
    if (line.length > 0) strokes.push(line);
  }
  const glyph = { width, strokes };
  glyphs.set(character, glyph);
  return glyph;
}

/** The width of a line of text in pixels. */
export function measureText(text: string, size: number): number {
  let width = 0;
  for (const character of text) width += glyphOf(character).width + LETTER_SPACE;
  return Math.max(0, ((width - LETTER_SPACE) * size) / CAP_HEIGHT);
}

/** The text, or as much of it as fits with an ellipsis. */
function cutText(text: string, size: number, maxWidth: number): string {
  if (measureText(text, size) <= maxWidth) return text;
  const characters = [...text];
  while (characters.length > 0 && measureText(`${characters.join('').trimEnd()}…`, size) > maxWidth)
    characters.pop();
  return characters.length > 0 ? `${characters.join('').trimEnd()}…` : '';
}

/**
 * Writes one line of text; `x` is its left end, middle or right end by `align`, `y` the baseline.
 * Characters that the font does not have are drawn as a box.
 */
export function drawText(image: Image, text: string, x: number, y: number, style: TextStyle): void {
  const { size, color, align = 'left', weight = WEIGHT } = style;
  if (!(size > 0)) return;
  const line = cutText(text, size, style.maxWidth ?? Infinity);
  const width = measureText(line, size);
  const scale = size / CAP_HEIGHT;
  // A pen thinner than a pixel turns grey instead of thin.
  const radius = Math.max(0.5, (weight * size) / 2);
  let left = align === 'left' ? x : align === 'center' ? x - width / 2 : x - width;
  for (const character of line) {
    const glyph = glyphOf(character);
    drawGlyph(image, glyph, left, y, scale, radius, color);
    left += (glyph.width + LETTER_SPACE) * scale;
  }
}

/** One coverage a pixel from the distance to the nearest stroke, so that crossings do not darken. */
function drawGlyph(
  image: Image,
  glyph: Glyph,
  left: number,
  baseline: number,
  scale: number,
  radius: number,
  color: Rgb,
): void {
  const dot = (0.3 * radius) / scale;
  const x0 = Math.floor(left - scale - radius - 1);
  const x1 = Math.ceil(left + (glyph.width + 1) * scale + radius + 1);
  const y0 = Math.floor(baseline - 8 * scale - radius - 1);
  const y1 = Math.ceil(baseline + 2.2 * scale + radius + 1);
  for (let y = Math.max(0, y0); y <= Math.min(image.height - 1, y1); y++)
    for (let x = Math.max(0, x0); x <= Math.min(image.width - 1, x1); x++) {
      const px = (x + 0.5 - left) / scale;
      const py = (baseline - y - 0.5) / scale;
      let nearest = Infinity;
      for (const stroke of glyph.strokes)
        for (let i = 0; i < stroke.length; i += 2) {
          const ax = stroke[i]!;
          const ay = stroke[i + 1]!;
          const bx = stroke[i + 2] ?? ax;
          const by = stroke[i + 3] ?? ay;
          const dx = bx - ax;
          const dy = by - ay;
          const square = dx * dx + dy * dy;
          const t = square > 0 ? Math.min(1, Math.max(0, ((px - ax) * dx + (py - ay) * dy) / square)) : 0;
          const distance = hypot(px - ax - t * dx, py - ay - t * dy);
          // Dots are a little fatter than the pen, or they drown.
          nearest = Math.min(nearest, stroke.length === 2 ? distance - dot : distance);
        }
      blendPixel(image, x, y, color, radius + 0.5 - nearest * scale);
    }
}
