import { createImage, fillRectangle, type Rgb, writePng } from '@stuntdouble/picture';
import type { SampleCharacter } from '../character-file.js';
import type { BodyPaint } from '../formats/fbx-file.js';

/** Pixels of a colour's column, and of the whole picture's height. */
const COLUMN = 32;
const HEIGHT = 256;
/** Stripes over the height of the picture. */
const STRIPES = 32;

/**
 * Paints a body: a picture with a column per colour, striped across, which the whole height of the body is laid along.
 * Stripes that are level show that the picture lies as it should.
 */
export function paintBody(character: SampleCharacter): BodyPaint {
  const colors = [...new Set(character.skin.map(({ color }) => color))];
  const heights = character.skin.flatMap(({ positions }) => positions.filter((_, i) => i % 3 === 1));
  const top = heights.reduce((a, b) => Math.max(a, b));
  // Sides that are powers of two, as engines like them.
  const columns = 2 ** Math.ceil(Math.log2(colors.length));
  const image = createImage(COLUMN * columns, HEIGHT);
  colors.forEach((color, n) => {
    const plain = rgbOf(color);
    for (let stripe = 0; stripe < STRIPES; stripe++)
      fillRectangle(
        image,
        { x: COLUMN * n, y: (HEIGHT / STRIPES) * stripe, width: COLUMN, height: HEIGHT / STRIPES },
        stripe % 2 === 0 ? plain : darker(plain),
      );
  });
  return {
    picture: writePng(image),
    name: `${character.name}.png`,
    // The middle of a column, so that no neighbour shines in.
    uvOf: (color, [, y]) => [(colors.indexOf(color) + 0.5) / columns, Math.min(1, Math.max(0, y / top))],
  };
}

function rgbOf(color: string): Rgb {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16)) as unknown as Rgb;
}

function darker(color: Rgb): Rgb {
  return color.map((value) => Math.round(0.72 * value)) as unknown as Rgb;
}
