import type { Mesh } from '@stuntdouble/core/engine';
import { cbrt, pow } from '@stuntdouble/core/engine';
import type { Rgb } from './image.js';

/** Linear RGB, 0 to 1. */
export type LinearColor = readonly [number, number, number];

/** The colours of sheets and strips, sRGB. */
export const PALETTE = {
  page: [243, 242, 238],
  card: [252, 251, 249],
  tileLight: [245, 243, 239],
  tileDark: [232, 229, 222],
  text: [47, 51, 58],
  quiet: [122, 127, 135],
} as const satisfies Record<string, Rgb>;

/** One colour a character, where its own materials say nothing. sRGB. */
export const ACCENTS: readonly Rgb[] = [
  [92, 128, 168],
  [206, 124, 92],
  [118, 160, 116],
  [214, 168, 84],
  [146, 116, 166],
  [78, 156, 154],
  [200, 128, 144],
  [128, 134, 142],
];

/** One sRGB byte as linear light, 0 to 1 (IEC 61966-2-1). */
export function toLinear(byte: number): number {
  const s = byte / 255;
  return s <= 0.04045 ? s / 12.92 : pow((s + 0.055) / 1.055, 2.4);
}

/** An sRGB colour as linear light. */
export function toLinearColor(color: Rgb): LinearColor {
  return [toLinear(color[0]), toLinear(color[1]), toLinear(color[2])];
}

/** Linear light, 0 to 1, as an sRGB byte; finer steps than a byte can show. */
const BYTES = Uint8Array.from({ length: 4097 }, (_, i) => {
  const l = i / 4096;
  return Math.round(255 * (l <= 0.0031308 ? 12.92 * l : 1.055 * pow(l, 1 / 2.4) - 0.055));
});

/** Linear light as an sRGB byte; more than 1 is white, less than 0 and NaN black. */
export function toByte(light: number): number {
  return light > 0 ? BYTES[Math.min(4096, Math.round(light * 4096))]! : 0;
}

/** A material whose channels differ by less than this is grey: it tells characters apart no better than white. */
const GREY = 0.06;

/** How far the materials' own colours are drawn towards grey. */
const MUTE = 0.2;

/**
 * Colours for the meshes of one character: the materials' own where at least one of them has a hue, else
 * shades of an accent, lighter where the material is lighter.
 * @param isPainted whether some have a picture: then their own colours say enough, grey or not.
 */
export function colorMeshes(meshes: readonly Mesh[], accent: Rgb, isPainted = false): LinearColor[] {
  const own = meshes.map(({ color }) => color.map((c) => (c >= 0 ? Math.min(c, 1) : 0)));
  const hued = isPainted || own.some((color) => Math.max(...color) - Math.min(...color) > GREY);
  if (hued) {
    return own.map(([r, g, b]): LinearColor => {
      // Rec. 709 luminance. A fifth towards grey, since screens full of raw material colours are loud; and
      // off pure black and white, which show no form.
      const grey = 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
      const mute = (c: number) => 0.02 + 0.8 * (c + MUTE * (grey - c));
      return [mute(r!), mute(g!), mute(b!)];
    });
  }
  const lightness = own.map((color) => cbrt(Math.max(...color)));
  const lightest = Math.max(...lightness);
  const [r, g, b] = toLinearColor(accent);
  return lightness.map((value): LinearColor => {
    const k = lightest > 0 ? 0.45 + (0.55 * value) / lightest : 1;
    return [r * k, g * k, b * k];
  });
}
