import {
  createModelPose,
  localToModel,
  type Mesh,
  type Pose,
  type Skeleton,
  UsageError,
} from '@stuntdouble/core';
import { type Camera, DEFAULT_VIEW, fitCamera, moveCamera, type View } from './camera.js';
import { drawSkeleton } from './draw-skeleton.js';
import { drawText } from './draw-text.js';
import { createImage, fillRectangle, type Image, type Rgb, writePng } from './image.js';
import { ACCENTS, colorMeshes, PALETTE, toLinearColor } from './palette.js';
import type { Shape } from './rasterize.js';
import { renderScene } from './render-scene.js';
import { skinMesh, skinNormals } from './skin-mesh.js';

/** One character in several poses. */
export type PictureRow = {
  /** In bold above the row. */
  title: string;
  /** Smaller, after the title: what was measured, for example. */
  caption?: string;
  /** With a container that leads to model space (metres, +Y up, +Z forward). */
  skeleton: Skeleton;
  /** Of this character alone; without any, the skeleton itself is drawn. */
  meshes: readonly Mesh[];
  /** Local space, one a column. */
  poses: readonly Pose[];
  /** Height of the floor, metres; the lowest point of the shown poses if left out. */
  floor?: number;
  /** Used where the meshes' own colours say nothing; by the row's place if left out. */
  accent?: Rgb;
};

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
/** A cell is never wider than this over its height where no height was asked for. */
const MAX_CELL_WIDTH = 240;

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
  const height = sheet.size?.height ?? Math.round(around + rows.length * cellWidth * CELL_ASPECT);
  const cellHeight = (height - around) / rows.length;
  if (!(cellWidth >= 16 && cellHeight >= 16))
    throw new UsageError(
      `size is ${width} × ${height}; too small for ${rows.length} rows of ${columnCount} columns`,
    );
  const image = createImage(width, height, PALETTE.page);
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
  rows.forEach((row, r) => {
    const top = over + r * (captionHeight + cellHeight + foot + gap);
    const card = { x: page, y: top, width: width - 2 * page, height: captionHeight + cellHeight + foot };
    fillRectangle(image, card, PALETTE.card, 10 * unit);
    const accent = row.accent ?? ACCENTS[r % ACCENTS.length]!;
    drawCaption(image, row, accent, page + foot, top, unit, card.width - 2 * foot);
    const figures = figuresOf(row, accent);
    const frame = frameFigures(figures, { width: cellWidth, height: cellHeight }, view, row.floor);
    figures.forEach((figure, c) => {
      const x0 = Math.round(page + foot + c * cellWidth);
      const x1 = Math.round(page + foot + (c + 1) * cellWidth);
      renderScene(
        image,
        { x: x0, y: top + captionHeight, width: x1 - x0, height: cellHeight },
        {
          shapes: figure.shapes,
          camera: moveCamera(frame.camera, figure.x, figure.z),
          floor: frame.floor,
          tile: frame.tile,
          height: frame.height,
          fade: { x: figure.x, z: figure.z, from: 0.55 * frame.height, to: 2.2 * frame.height },
        },
      );
    });
  });
  return image;
}

/** What a strip shows. */
export type AnimationStrip = {
  row: PictureRow;
  /** One label a pose, under it; may be fewer. */
  labels?: readonly string[];
  /** Pixels; 1600 × 420 if left out. */
  size?: { width?: number; height?: number };
  view?: Partial<View>;
};

/**
 * Draws one character in several poses beside each other on one floor, as the bytes of a PNG: the picture
 * for the top of a page.
 * @throws UsageError where there is no pose to draw.
 */
export function animationStrip(strip: AnimationStrip): Uint8Array {
  const { row, labels = [] } = strip;
  if (row.poses.length === 0) throw new UsageError('an animation strip needs at least one pose');
  const width = strip.size?.width ?? 1600;
  const height = strip.size?.height ?? 420;
  const view = { ...DEFAULT_VIEW, fieldOfViewDegrees: 10, ...strip.view };
  const image = createImage(width, height, PALETTE.card);
  const accent = row.accent ?? ACCENTS[0]!;
  const figures = figuresOf(row, accent);
  const unit = Math.max(0.55, height / 420);
  const head = row.title ? 44 * unit : 12 * unit;
  const foot = labels.length > 0 ? 40 * unit : 14 * unit;
  const cell = { width: width / figures.length, height: height - head - foot };
  const frame = frameFigures(figures, cell, view, row.floor);
  // The camera of the middle, seen by the whole strip; figures stand a cell's width apart in the picture.
  const camera: Camera = {
    ...frame.camera,
    centerX: width / 2,
    centerY: frame.camera.centerY + head,
  };
  const depth = depthOf(camera, 0, frame.floor + frame.height / 2, 0);
  const step = (cell.width / camera.focal) * depth;
  const shapes = figures.flatMap((figure, k) => {
    const along = (k - (figures.length - 1) / 2) * step;
    const dx = along * camera.right[0] - figure.x;
    const dz = along * camera.right[2] - figure.z;
    return figure.shapes.map((shape) => ({ ...shape, positions: moved(shape.positions, dx, dz) }));
  });
  const far = 0.7 * step * figures.length + 2 * frame.height;
  renderScene(
    image,
    { x: 0, y: 0, width, height },
    {
      shapes,
      camera,
      floor: frame.floor,
      tile: frame.tile,
      height: frame.height,
      fade: { x: 0, z: 0, from: 0.5 * far, to: far },
    },
  );
  if (row.title) drawCaption(image, row, accent, 16 * unit, 6 * unit, unit, width - 32 * unit);
  labels.slice(0, figures.length).forEach((label, k) => {
    drawText(image, label, (k + 0.5) * cell.width, height - 14 * unit, {
      size: 10 * unit,
      color: PALETTE.quiet,
      align: 'center',
      maxWidth: cell.width - 8 * unit,
    });
  });
  return writePng(image);
}

function drawCaption(
  image: Image,
  row: PictureRow,
  accent: Rgb,
  left: number,
  top: number,
  unit: number,
  width: number,
): void {
  const size = 12 * unit;
  const base = top + 25 * unit;
  fillRectangle(
    image,
    { x: left + 4 * unit, y: base - size, width: 4 * unit, height: size },
    accent,
    2 * unit,
  );
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

/** A character in one pose: what to draw, and where its middle stands on the floor. */
type Figure = { shapes: Shape[]; x: number; z: number };

function figuresOf(row: PictureRow, accent: Rgb): Figure[] {
  const { skeleton, meshes, poses } = row;
  const colors = colorMeshes(meshes, accent);
  const model = createModelPose(skeleton.names.length);
  return poses.map((pose) => {
    localToModel(model, skeleton, pose);
    let shapes = meshes.map((mesh, m): Shape => {
      const positions = skinMesh(mesh, model);
      const normals = skinNormals(mesh, model, positions);
      return { positions, normals, triangles: mesh.triangles, color: colors[m]! };
    });
    if (!shapes.some(({ triangles }) => triangles.length > 0))
      shapes = [drawSkeleton(skeleton, model, toLinearColor(accent))];
    return { shapes, ...middleOf(shapes) };
  });
}

/** The mean of all vertices on the floor: it stays in the body while arms and legs swing. */
function middleOf(shapes: readonly Shape[]): { x: number; z: number } {
  let x = 0;
  let z = 0;
  let count = 0;
  for (const { positions } of shapes)
    for (let i = 0; i + 2 < positions.length; i += 3) {
      if (!Number.isFinite(positions[i]! + positions[i + 2]!)) continue;
      x += positions[i]!;
      z += positions[i + 2]!;
      count++;
    }
  return count > 0 ? { x: x / count, z: z / count } : { x: 0, z: 0 };
}

function moved(positions: Float32Array, x: number, z: number): Float32Array {
  const out = positions.slice();
  for (let i = 0; i + 2 < out.length; i += 3) {
    out[i] = out[i]! + x;
    out[i + 2] = out[i + 2]! + z;
  }
  return out;
}

function depthOf(camera: Camera, x: number, y: number, z: number): number {
  const { eye, forward } = camera;
  return (x - eye[0]) * forward[0] + (y - eye[1]) * forward[1] + (z - eye[2]) * forward[2];
}

/** One camera for all figures of a row, each seen from its own middle; the floor, and a tile to measure by. */
function frameFigures(
  figures: readonly Figure[],
  cell: { width: number; height: number },
  view: View,
  floorHeight?: number,
): { camera: Camera; floor: number; height: number; tile: number } {
  let low = Infinity;
  let high = -Infinity;
  let reach = 0;
  const points: number[] = [];
  for (const { shapes, x, z } of figures)
    for (const { positions } of shapes)
      for (let i = 0; i + 2 < positions.length; i += 3) {
        const y = positions[i + 1]!;
        if (!Number.isFinite(positions[i]! + y + positions[i + 2]!)) continue;
        points.push(positions[i]! - x, y, positions[i + 2]! - z);
        low = Math.min(low, y);
        high = Math.max(high, y);
        reach = Math.max(reach, Math.hypot(positions[i]! - x, positions[i + 2]! - z));
      }
  if (!(high >= low)) {
    low = 0;
    high = 1;
  }
  const floor = floorHeight ?? low;
  const height = Math.max(high - floor, 0.6 * reach, 1e-3);
  // The place below the body is in the picture even while it is in the air.
  points.push(0, floor, 0);
  const margin = {
    left: 0.05 * cell.width,
    right: 0.05 * cell.width,
    top: 0.03 * cell.height,
    bottom: 0.07 * cell.height,
  };
  const camera = fitCamera(points, cell, view, margin);
  return { camera, floor, height, tile: niceLength(0.3 * height) };
}

/** The nearest of 1, 2 or 5 times a power of ten. */
function niceLength(length: number): number {
  const power = 10 ** Math.floor(Math.log10(length));
  const lead = length / power;
  return power * (lead < 1.5 ? 1 : lead < 3.5 ? 2 : lead < 7.5 ? 5 : 10);
}
