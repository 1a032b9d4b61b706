import { type RetargetOptions, type RetargetResult, UsageError } from '@stuntdouble/core';
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

/** The file that `--root-motion-file` writes: one line a list, as it is read by programs. */
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

/**
 * Makes sure that what is taken out of clips goes somewhere, and that a file for it is not left empty.
 * @throws UsageError that says what to give.
 */
export function checkRootMotionFile(
  { rootMotion }: RetargetOptions,
  { rootMotionFile, json, dryRun }: { rootMotionFile?: string; json?: boolean; dryRun?: boolean },
): void {
  if (rootMotionFile !== undefined && !/\.json$/i.test(rootMotionFile))
    throw new UsageError(`--root-motion-file ${rootMotionFile}: root motion is written as .json`);
  if (rootMotion === 'apart' && rootMotionFile === undefined && !json && !dryRun)
    throw new UsageError(
      'root motion that is taken out (apart) would be lost: say where it goes with --root-motion-file FILE, or --json prints it',
    );
  if (rootMotion !== 'apart' && rootMotionFile !== undefined)
    throw new UsageError('--root-motion-file writes what is taken out; give --root-motion apart too');
}

/** As short as float32 allows: what more digits say is rounding. */
function numbers(values: Float32Array): number[] {
  return Array.from(values, (value) => Number(value.toPrecision(7)));
}
