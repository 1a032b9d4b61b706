import { printable } from '@stuntdouble/core/engine';
import { type Converted, formatWord, keysOf } from '@stuntdouble/jobs';
import type { Terminal } from '../terminal.js';
import { layOut } from './table.js';
import { bytes, counted, heading, seconds, toldJson, toldLines } from './words.js';

/** A conversion, and whether its files were written. */
export type ConvertedFiles = Converted & { dryRun: boolean };

/** The document that `convert --json` prints. */
export function convertJson({ scene, clips, made, dryRun, warnings }: ConvertedFiles) {
  const paths = made.map(({ path }) => path);
  return {
    format: scene.format,
    dialect: scene.dialect?.name ?? null,
    output: dryRun ? null : paths.length === 1 ? paths[0]! : paths,
    clips: clips.map((clip) => ({ name: clip.name, duration: clip.duration, keys: keysOf(clip) })),
    ...toldJson(warnings),
  };
}

/** What `convert` tells a person of one file. */
export function convertLines(
  { input, scene, clips, made, dryRun, warnings }: ConvertedFiles,
  terminal: Terminal,
): string[] {
  const { colors } = terminal;
  const lines = [`${heading(input, terminal)}  ${formatWord(scene)}, ${counted(clips.length, 'clip')}`];
  const rows = clips.map((clip) => [
    clip.name === '' ? '(no name)' : clip.name,
    seconds(clip.duration),
    counted(keysOf(clip), 'key'),
  ]);
  lines.push(
    ...layOut(rows, [{ most: 48 }, { align: 'right' }, { align: 'right' }]).map((line) => `  ${line}`),
  );
  if (warnings.length > 0) lines.push('', ...toldLines(warnings, terminal));
  lines.push('');
  if (made.length > 1) lines.push('A BVH file holds one clip, so there is one file a clip:');
  for (const file of made)
    lines.push(
      dryRun
        ? colors.dim(`dry run: ${printable(file.path)} was not written`)
        : `${colors.green('wrote')} ${printable(file.path)} ${colors.dim(`(${bytes(file.bytes.byteLength)})`)}`,
    );
  return lines;
}
