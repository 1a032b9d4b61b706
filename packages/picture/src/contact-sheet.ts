import { hypot, type Mesh, UsageError } from '@stuntdouble/core/engine';
import { type Camera, DEFAULT_VIEW, moveCamera, type View } from './camera.js';
import { drawText } from './draw-text.js';
import { figuresOf, floorOf, frameFigures, moveFigure, type PictureRow } from './figures.js';
import { createImage, fillRectangle, type Image, type Rgb, writePng } from './image.js';
import { ACCENTS, colorMeshes, PALETTE, toByte } from './palette.js';
import { renderScene } from './render-scene.js';

/** What a contact sheet shows. */
export type ContactSheet = {
  rows: readonly PictureRow[];
  /** One label a column, such as a time; may be fewer. */
  columns?: readonly string[];
  /** Above everything. */
  title?: string;
  /** Pixels of the whole sheet; the height follows from the rows if left out. */
  size?: { width?: number; height?: number };
  view?: Partial<View>;
};

/** Pixels of a sheet whose width was not asked for. */
const DEFAULT_WIDTH = 1600;
/** Height of a cell over its width where no height was asked for. */
const CELL_ASPECT = 1.3;
/** Height of the flattest cell over its width where no height was asked for. */
const LEAST_ASPECT = 0.62;
/** Pixels of a cell's width where few columns leave room for more. */
const MAX_CELL_WIDTH = 240;
/** Pixels of the highest strip whose height was not asked for. */
const STRIP_HEIGHT = 440;
/** Pixels below which a cell shows nothing. */
const MIN_CELL = 16;

/**
 * Draws characters in several poses as the bytes of a PNG: one row a character, one column a pose, all with
 * the same scale in a row. The camera goes along with the body; the floor tiles stay, so that travel shows.
 * @throws UsageError where there is no pose to draw or the sheet is too small for its cells.
 */
export function contactSheet(sheet: ContactSheet): Uint8Array {
  return writePng(drawContactSheet(sheet));
}

/** As {@link contactSheet}, but gives the image. */
export function drawContactSheet(sheet: ContactSheet): Image {
  const { rows, columns = [], title = '' } = sheet;
  const columnCount = rows.reduce((most, { poses }) => Math.max(most, poses.length), 0);
  if (columnCount === 0) throw new UsageError('a contact sheet needs at least one row with one pose');
  const view = { ...DEFAULT_VIEW, ...sheet.view };
  const width = sheet.size?.width ?? Math.min(DEFAULT_WIDTH, 2 * 32 + columnCount * MAX_CELL_WIDTH);
  const unit = Math.max(0.55, Math.min(1.4, width / DEFAULT_WIDTH));
  const page = Math.round(24 * unit);
  const gap = Math.round(14 * unit);
  const captionHeight = Math.round(38 * unit);
  const foot = Math.round(10 * unit);
  const titleHeight = title ? Math.round(44 * unit) : 0;
  const labelHeight = columns.length > 0 ? Math.round(26 * unit) : 0;
  const cellWidth = (width - 2 * page - 2 * foot) / columnCount;
  const over = page + titleHeight + labelHeight;
  const around = over + page + (rows.length - 1) * gap + rows.length * (captionHeight + foot);
  const height = sheet.size?.height;
  const most = height === undefined ? cellWidth * CELL_ASPECT : (height - around) / rows.length;
  if (!(cellWidth >= MIN_CELL && most >= MIN_CELL))
    throw new UsageError(
      `size is ${width} × ${height ?? 'any'}; too small for ${rows.length} rows of ${columnCount} columns`,
    );
  const cards = rows.map((row, r) => {
    const accent = row.accent ?? ACCENTS[r % ACCENTS.length]!;
    const figures = figuresOf(row, accent);
    const frame = frameFigures(figures, { width: cellWidth, height: most }, view, floorOf(row, figures));
    // A low, long body leaves room above it: where the height is ours to choose, the row is cut there.
    const free = height === undefined ? Math.min(frame.free, most - LEAST_ASPECT * cellWidth) : 0;
    const cellHeight = Math.floor(most - Math.max(0, free));
    const camera = { ...frame.camera, centerY: frame.camera.centerY - (most - cellHeight) };
    return { row, accent, figures, frame, camera, cellHeight };
  });
  const cells = cards.reduce((sum, { cellHeight }) => sum + cellHeight, 0);
  const image = createImage(width, height ?? around + cells, PALETTE.page);
  if (title)
    drawText(image, title, page + foot, page + 20 * unit, {
      size: 17 * unit,
      color: PALETTE.text,
      weight: 0.17,
      maxWidth: width - 2 * page - 2 * foot,
    });
  columns.slice(0, columnCount).forEach((label, c) => {
    drawText(image, label, page + foot + (c + 0.5) * cellWidth, over - 10 * unit, {
      size: 10 * unit,
      color: PALETTE.quiet,
      align: 'center',
      maxWidth: cellWidth - 8 * unit,
    });
  });
  let top = over;
  for (const { row, accent, figures, frame, camera, cellHeight } of cards) {
    const card = { x: page, y: top, width: width - 2 * page, height: captionHeight + cellHeight + foot };
    fillRectangle(image, card, PALETTE.card, 10 * unit);
    drawCaption(image, row, markOf(row, accent), page + foot, top, unit, card.width - 2 * foot);
    figures.forEach((figure, c) => {
      const x0 = Math.round(page + foot + c * cellWidth);
      const x1 = Math.round(page + foot + (c + 1) * cellWidth);
      renderScene(
        image,
        { x: x0, y: top + captionHeight, width: x1 - x0, height: cellHeight },
        {
          shapes: figure.shapes,
          camera: moveCamera(camera, figure.x, figure.z),
          floor: frame.floor,
          tile: frame.tile,
          height: frame.height,
          fade: { x: figure.x, z: figure.z, from: 0.55 * frame.height, to: 2.2 * frame.height },
        },
      );
    });
    top += card.height + gap;
  }
  return image;
}

/** What a strip shows. */
export type AnimationStrip = {
  /** All poses of all rows stand beside each other: one row in motion, or many bodies in one pose. */
  rows: readonly PictureRow[];
  title?: string;
  /** Smaller, at the other end of the title's line. */
  caption?: string;
  /** One label a pose, under it; may be fewer. */
  labels?: readonly string[];
  /** Pixels; 1600 wide and up to 440 high, as the poses need, if left out. */
  size?: { width?: number; height?: number };
  view?: Partial<View>;
};

/**
 * Draws poses beside each other on one floor and at one scale, as the bytes of a PNG: the picture for the
 * top of a page. The titles of the rows are not written.
 * @throws UsageError where there is no pose to draw or the strip is too small.
 */
export function animationStrip(strip: AnimationStrip): Uint8Array {
  return writePng(drawAnimationStrip(strip));
}

/** As {@link animationStrip}, but gives the image. */
export function drawAnimationStrip(strip: AnimationStrip): Image {
  const { rows, title = '', caption = '', labels = [] } = strip;
  const width = strip.size?.width ?? DEFAULT_WIDTH;
  const most = strip.size?.height ?? STRIP_HEIGHT;
  // A very long lens: figures at the ends are seen almost from the same side as those in the middle.
  const view = { ...DEFAULT_VIEW, fieldOfViewDegrees: 5, ...strip.view };
  const figures = rows.flatMap((row, r) => {
    const standing = figuresOf(row, row.accent ?? ACCENTS[r % ACCENTS.length]!);
    const floor = floorOf(row, standing);
    return standing.map((figure) => moveFigure(figure, -figure.x, -floor, -figure.z));
  });
  if (figures.length === 0) throw new UsageError('an animation strip needs at least one pose');
  const unit = Math.max(0.55, Math.min(1.4, most / STRIP_HEIGHT));
  const head = title || caption ? 40 * unit : 10 * unit;
  const foot = labels.length > 0 ? 30 * unit : 8 * unit;
  const side = 24 * unit;
  const cell = { width: (width - 2 * side) / figures.length, height: most - head - foot };
  if (!(cell.width >= MIN_CELL && cell.height >= MIN_CELL))
    throw new UsageError(`size is ${width} × ${most}; too small for ${figures.length} poses`);
  const frame = frameFigures(figures, cell, view, 0);
  const free = strip.size?.height === undefined ? Math.max(0, Math.floor(frame.free)) : 0;
  const height = most - free;
  const image = createImage(width, height, PALETTE.card);
  // The camera of one cell, seen by the whole strip; figures stand a cell's width apart in the picture.
  const camera: Camera = {
    ...frame.camera,
    centerX: width / 2,
    centerY: frame.camera.centerY + head - free,
  };
  const { eye, forward, right } = camera;
  const depth = -(eye[0] * forward[0] + (eye[1] - frame.height / 2) * forward[1] + eye[2] * forward[2]);
  const step = (cell.width / camera.focal) * depth;
  const shapes = figures.flatMap((figure, k) => {
    const along = (k - (figures.length - 1) / 2) * step;
    return moveFigure(figure, along * right[0], 0, along * right[2]).shapes;
  });
  const far = 0.6 * step * figures.length + 2.5 * frame.height;
  renderScene(
    image,
    { x: 0, y: 0, width, height },
    {
      shapes,
      camera,
      floor: 0,
      tile: frame.tile,
      height: frame.height,
      fade: { x: 0, z: 0, from: 0.5 * far, to: far },
    },
  );
  drawText(image, title, 20 * unit, 30 * unit, {
    size: 14 * unit,
    color: PALETTE.text,
    weight: 0.17,
    maxWidth: caption ? width * 0.5 : width - 40 * unit,
  });
  drawText(image, caption, width - 20 * unit, 30 * unit, {
    size: 10.5 * unit,
    color: PALETTE.quiet,
    align: 'right',
    maxWidth: width * 0.5 - 60 * unit,
  });
  labels.slice(0, figures.length).forEach((label, k) => {
    drawText(image, label, side + (k + 0.5) * cell.width, height - 14 * unit, {
      size: 10 * unit,
      color: PALETTE.quiet,
      align: 'center',
      maxWidth: cell.width - 8 * unit,
    });
  });
  return image;
}

/** The colour that most of a row's body has, for the mark at its title. */
function markOf(row: PictureRow, accent: Rgb): Rgb {
  let mark = accent;
  let most = 0;
  colorMeshes(row.meshes, accent).forEach((color, m) => {
    const area = areaOf(row.meshes[m]!);
    if (!(area > most)) return;
    most = area;
    mark = [toByte(color[0]), toByte(color[1]), toByte(color[2])];
  });
  return mark;
}

/** Twice the area of a mesh's triangles, in its own space. */
function areaOf({ positions, triangles }: Mesh): number {
  let area = 0;
  const edge = (from: number, to: number, c: number) => positions[3 * to + c]! - positions[3 * from + c]!;
  for (let t = 0; t + 2 < triangles.length; t += 3) {
    const a = triangles[t]!;
    const b = triangles[t + 1]!;
    const c = triangles[t + 2]!;
    const x = edge(a, b, 1) * edge(a, c, 2) - edge(a, b, 2) * edge(a, c, 1);
    const y = edge(a, b, 2) * edge(a, c, 0) - edge(a, b, 0) * edge(a, c, 2);
    const z = edge(a, b, 0) * edge(a, c, 1) - edge(a, b, 1) * edge(a, c, 0);
    const twice = hypot(x, y, z);
    if (Number.isFinite(twice)) area += twice;
  }
  return area;
}

function drawCaption(
  image: Image,
  row: PictureRow,
  mark: Rgb,
  left: number,
  top: number,
  unit: number,
  width: number,
): void {
  const size = 12 * unit;
  const base = top + 25 * unit;
  fillRectangle(image, { x: left + 4 * unit, y: base - size, width: 4 * unit, height: size }, mark, 2 * unit);
  const from = left + 17 * unit;
  const title = { size, color: PALETTE.text, weight: 0.175 };
  drawText(image, row.title, from, base, {
    ...title,
    maxWidth: row.caption ? width * 0.5 : width - 20 * unit,
  });
  if (!row.caption) return;
  drawText(image, row.caption, left + width - 6 * unit, base, {
    size: 10.5 * unit,
    color: PALETTE.quiet,
    align: 'right',
    maxWidth: width * 0.5 - 30 * unit,
  });
}
