import type { Mesh } from '@stuntdouble/core/engine';
import { type LinearColor, toLinearColor } from './palette.js';

/** The colours of heat, from what a person hardly sees to what nobody misses. sRGB; the same in the report card. */
export const HEAT_COLORS = [
  [250, 204, 21],
  [249, 115, 22],
  [220, 38, 38],
] as const;

const RAMP: readonly LinearColor[] = HEAT_COLORS.map((color) => toLinearColor(color));

/** Less heat than this is not shown: the body keeps its own colours. */
const COLD = 0.1;
/** How much of its own colour the hottest part loses: form and texture stay visible. */
const COVER = 0.9;

/** Mixes the colour of heat, 0 to 1, into a linear colour of an array. */
export function mixHeat(colors: Float32Array, at: number, heat: number): void {
  if (!(heat > COLD)) return;
  const share = Math.min(1, (heat - COLD) / (1 - COLD));
  const place = share * (RAMP.length - 1);
  const n = Math.min(RAMP.length - 2, Math.floor(place));
  // What is only just warm is tinted; from a third on the colour is there.
  const cover = COVER * Math.min(1, 3 * share);
  for (let c = 0; c < 3; c++) {
    const hot = RAMP[n]![c]! + (place - n) * (RAMP[n + 1]![c]! - RAMP[n]![c]!);
    colors[at + c] = colors[at + c]! + cover * (hot - colors[at + c]!);
  }
}

/** The heat of a mesh's vertices, by the joints that they follow; null where nothing is hot. */
export function heatOfVertices(mesh: Mesh, joints: Float32Array): Float32Array | null {
  const count = mesh.positions.length / 3;
  const heat = new Float32Array(count);
  if (!mesh.skin) heat.fill(mesh.joint === null ? 0 : (joints[mesh.joint] ?? 0));
  else
    for (let v = 0; v < count; v++) {
      let sum = 0;
      let all = 0;
      for (let k = 4 * v; k < 4 * v + 4; k++) {
        const weight = mesh.skin.weights[k]!;
        if (!(weight > 0)) continue;
        all += weight;
        sum += weight * (joints[mesh.skin.joints[k]!] ?? 0);
      }
      if (all > 0) heat[v] = sum / all;
    }
  return heat.some((value) => value > COLD) ? heat : null;
}
