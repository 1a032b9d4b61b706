import { createModelPose, localToModel, type Pose, UsageError } from '@stuntdouble/core/engine';
import { type CameraName, moveCamera, viewOf } from './camera.js';
import { drawText } from './draw-text.js';
import { type Figure, figuresOf, floorOf, frameFigures, type PictureRow } from './figures.js';
import { writeGif } from './gif.js';
import { createImage, type Image } from './image.js';
import { ACCENTS, PALETTE } from './palette.js';
import { renderScene } from './render-scene.js';

/** Characters that move side by side, all in step. */
export type MovingPicture = {
  /** One a character; poses one a frame, as many in each. */
  rows: readonly PictureRow[];
  /** Frames a second. */
  rate: number;
  camera?: CameraName;
  /** Pixels of the whole picture; 260 × 320 a character if left out. */
  size?: { width?: number; height?: number };
  /** Is told after each frame how many are drawn; what it throws ends the work. */
  onFrame?: (drawn: number, of: number) => void;
};

/** More frames than this are not drawn: ten seconds at the rate that is usual. */
export const MOST_FRAMES = 150;

/** Pixels of a character's part where no size was asked for. */
const WIDTH = 260;
const HEIGHT = 320;

/** So many poses of a character are looked at for where the camera stands. */
const LOOKED_AT = 12;

/** Seconds over which the way of a camera that goes along is smoothed, to each side. */
const SMOOTH = 0.3;

/**
 * Draws characters in motion as the bytes of a GIF that plays for ever. One camera and scale a character; it stands
 * still and sees the whole way, or goes along (`follow`).
 * @throws UsageError where there is nothing to draw, or more than {@link MOST_FRAMES} frames.
 */
export function movingPicture(picture: MovingPicture): Uint8Array {
  return writeGif(drawMovingPicture(picture), picture.rate);
}

/** As {@link movingPicture}, but gives the frames. */
export function drawMovingPicture({ rows, camera = 'three-quarter', size, onFrame }: MovingPicture): Image[] {
  const count = Math.max(0, ...rows.map(({ poses }) => poses.length));
  if (count === 0) throw new UsageError('a moving picture needs at least one row with one pose');
  if (count > MOST_FRAMES)
    throw new UsageError(`a moving picture of ${count} frames; at most ${MOST_FRAMES} are drawn`);
  const width = size?.width ?? WIDTH * rows.length;
  const height = size?.height ?? HEIGHT;
  const view = viewOf(camera);
  const hasCaptions = rows.some(({ caption }) => caption !== undefined);
  const caption = hasCaptions ? 44 : 30;
  const cell = { width: Math.floor(width / rows.length), height: height - caption };
  if (!(cell.width >= 32 && cell.height >= 32))
    throw new UsageError(`size is ${width} × ${height}; too small for ${rows.length} characters`);
  const actors = rows.map((row, r) => {
    const accent = row.accent ?? ACCENTS[r % ACCENTS.length]!;
    const way = camera === 'follow' ? smoothWay(row, SMOOTH) : null;
    const step = Math.max(1, Math.floor(row.poses.length / LOOKED_AT));
    const picked = row.poses.map((_, k) => k).filter((k) => k % step === 0 || k === row.poses.length - 1);
    const figures = figuresOf({ ...row, poses: picked.map((k) => row.poses[k]!) }, accent);
    const floor = floorOf(row, figures);
    const middle = meanOf(figures);
    const placed = figures.map((figure, n) => ({ ...figure, ...(way ? way[picked[n]!]! : middle) }));
    return { row, accent, way, middle, frame: frameFigures(placed, cell, view, floor) };
  });
  return Array.from({ length: count }, (_, k) => {
    const image = createImage(width, height, PALETTE.card);
    actors.forEach(({ row, accent, way, middle, frame }, r) => {
      const n = Math.min(k, row.poses.length - 1);
      const pose = row.poses[n];
      if (!pose) return;
      const [figure] = figuresOf({ ...row, poses: [pose], heat: [row.heat?.[n] ?? null] }, accent);
      const at = way ? way[Math.min(k, way.length - 1)]! : middle;
      const x = r * cell.width;
      renderScene(
        image,
        { x, y: 0, width: cell.width, height: cell.height },
        {
          shapes: figure!.shapes,
          camera: moveCamera(frame.camera, at.x, at.z),
          floor: frame.floor,
          tile: frame.tile,
          height: frame.height,
          fade: { x: at.x, z: at.z, from: 0.8 * frame.height, to: 3 * frame.height },
        },
      );
      const middleX = x + cell.width / 2;
      const within = { align: 'center' as const, maxWidth: cell.width - 12 };
      drawText(image, row.title, middleX, height - (hasCaptions ? 24 : 11), {
        ...within,
        size: 11,
        color: PALETTE.text,
        weight: 0.15,
      });
      if (row.caption)
        drawText(image, row.caption, middleX, height - 9, { ...within, size: 9, color: PALETTE.quiet });
    });
    onFrame?.(k + 1, count);
    return image;
  });
}

function meanOf(figures: readonly Figure[]): { x: number; z: number } {
  const sum = figures.reduce((a, { x, z }) => ({ x: a.x + x, z: a.z + z }), { x: 0, z: 0 });
  return { x: sum.x / figures.length, z: sum.z / figures.length };
}

/** Where the middle of the joints is over the floor, frame by frame, without the sway of steps. */
function smoothWay({ skeleton, poses }: PictureRow, share: number): { x: number; z: number }[] {
  const model = createModelPose(skeleton.names.length);
  const places = poses.map((pose: Pose) => {
    localToModel(model, skeleton, pose);
    let x = 0;
    let z = 0;
    const joints = skeleton.names.length;
    for (let j = 0; j < joints; j++) {
      x += model.matrices[16 * j + 12]! / joints;
      z += model.matrices[16 * j + 14]! / joints;
    }
    return { x, z };
  });
  // A window that is cut alike on both sides at the ends keeps an even walk even.
  const reach = Math.round(share * 15);
  return places.map((_, k) => {
    const side = Math.min(reach, k, places.length - 1 - k);
    const near = places.slice(k - side, k + side + 1);
    return {
      x: near.reduce((sum, { x }) => sum + x, 0) / near.length,
      z: near.reduce((sum, { z }) => sum + z, 0) / near.length,
    };
  });
}
