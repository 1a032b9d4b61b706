import type { Clip, Pose } from '@stuntdouble/core';
import { poseAt } from '@stuntdouble/core';
import {
  createImage,
  drawAnimationStrip,
  drawText,
  fillRectangle,
  type Image,
  PALETTE,
  type PictureRow,
  type View,
} from '@stuntdouble/picture';
import type { CastMember } from './cast.js';

/** One moment of one motion, on every character. */
export type Moment = {
  /** What is seen, in a few words. */
  title: string;
  /** Smaller, at the other end of the line. */
  caption?: string;
  /** One a character, in the cast's order. */
  poses: readonly Pose[];
  view?: Partial<View>;
};

/** The moment of a motion at a time in seconds; one clip a character. */
export function momentAt(
  cast: readonly CastMember[],
  clips: readonly Clip[],
  time: number,
  words: Pick<Moment, 'title' | 'caption' | 'view'>,
): Moment {
  return { ...words, poses: cast.map(({ rig }, i) => poseAt(rig.skeleton, clips[i]!, time)) };
}

/** A lens so long that the first and the last figure are seen from the same side. */
const VIEW: Partial<View> = { fieldOfViewDegrees: 1.5 };

/** Draws all characters beside each other in one moment: on one floor, at one scale, each where its own floor is. */
export function drawMoment(
  cast: readonly CastMember[],
  moment: Moment,
  size: { width: number; height?: number },
  labels: readonly string[] = [],
): Image {
  const { title, caption = '', view = {}, poses } = moment;
  const rows = cast.map(
    ({ entry, rig, meshes }, i): PictureRow => ({
      title: entry.title,
      skeleton: rig.skeleton,
      meshes,
      poses: [poses[i]!],
      floor: rig.floor.height,
    }),
  );
  return drawAnimationStrip({ rows, title, caption, labels, size, view: { ...VIEW, ...view } });
}

/** Pixels of a sheet at its width of 1600. */
const HEAD = 96;
const GAP = 10;
const PAGE = 20;

/**
 * Draws moments under each other: a line is one instant on every character, a column is one character. The
 * first column is the character that the motions were made for.
 */
export function drawSheet(
  cast: readonly CastMember[],
  moments: readonly Moment[],
  { title, width }: { title: string; width: number },
): Image {
  const unit = width / 1600;
  const page = Math.round(PAGE * unit);
  const head = Math.round(HEAD * unit);
  const gap = Math.round(GAP * unit);
  const inner = width - 2 * page;
  const strips = moments.map((moment) =>
    drawMoment(cast, moment, { width: inner, height: Math.round(330 * unit) }),
  );
  const height = head + strips.reduce((sum, strip) => sum + strip.height + gap, 0) + page - gap;
  const sheet = createImage(width, height, PALETTE.page);
  drawText(sheet, title, page + 6 * unit, 44 * unit, { size: 19 * unit, color: PALETTE.text, weight: 0.17 });
  const side = 24 * unit;
  const cell = (inner - 2 * side) / cast.length;
  cast.forEach(({ entry }, i) => {
    const middle = page + side + (i + 0.5) * cell;
    drawText(sheet, entry.title, middle, 78 * unit, {
      size: 11.5 * unit,
      color: i === 0 ? PALETTE.text : PALETTE.quiet,
      weight: i === 0 ? 0.17 : 0.12,
      align: 'center',
      maxWidth: cell,
    });
  });
  let top = head;
  for (const strip of strips) {
    fillRectangle(sheet, { x: page, y: top, width: inner, height: strip.height }, PALETTE.card, 10 * unit);
    pasteImage(sheet, strip, page, top);
    top += strip.height + gap;
  }
  return sheet;
}

/** Puts one image into another that has room for it. */
function pasteImage(onto: Image, image: Image, x: number, y: number): void {
  for (let row = 0; row < image.height; row++)
    onto.data.set(
      image.data.subarray(3 * row * image.width, 3 * (row + 1) * image.width),
      3 * ((y + row) * onto.width + x),
    );
}
