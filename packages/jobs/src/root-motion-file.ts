import type { RetargetResult } from '@stuntdouble/core';
import { jsonString } from './json-text.js';

/** The way of a character over time as it is printed and written, in model space: metres, +Y up. */
export type RootMotionJson = {
  /** The clip that it was taken out of. */
  name: string;
  /** Seconds. */
  times: number[];
  /** xyz per time, from the place of the first. */
  translations: number[];
  /** xyzw per time, about the vertical. */
  rotations: number[];
};

/** What was taken out of the clips, where root motion is given apart; null where it is not. */
export function rootMotionJson({ rootMotion, report }: RetargetResult): RootMotionJson[] | null {
  if (!rootMotion) return null;
  return rootMotion.flatMap((track, n) =>
    track
      ? [
          {
            name: report.clips[n]!.name,
            times: numbers(track.times),
            translations: numbers(track.translations),
            rotations: numbers(track.rotations),
          },
        ]
      : [],
  );
}

/** The file of what was taken out: one line a list, as it is read by programs. */
export function rootMotionBytes(result: RetargetResult): Uint8Array {
  const clips = (rootMotionJson(result) ?? []).map(({ name, ...lists }) =>
    [
      `    { "name": ${jsonString(name)}`,
      ...Object.entries(lists).map(([list, values]) => `      "${list}": ${JSON.stringify(values)}`),
    ].join(',\n'),
  );
  return new TextEncoder().encode(
    `{\n  "version": 1,\n  "clips": [\n${clips.join(' },\n')}${clips.length > 0 ? ' }\n' : ''}  ]\n}\n`,
  );
}

/** As short as float32 allows: what more digits say is rounding. */
function numbers(values: Float32Array): number[] {
  return Array.from(values, (value) => Number(value.toPrecision(7)));
}
