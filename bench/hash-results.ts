/*
 * Hashes of results, to show that a big move of the code changes none: every sample on every sample and a spread of
 * the data folder, in every setting of bench/hashes. Only public entry points are used, so that the same program runs
 * before and after.
 *
 *   npm run hashes -- --out before.json              everything, into a file; then move code, and
 *   npm run hashes -- --out after.json
 *   npm run hashes -- --compare before.json after.json    says which cells differ; exit code 1 where any do
 *
 *   --only samples|data   one part; without ../shared/data there is only one
 *   --setting NAME        one setting; may be given several times
 *   --pair TEXT           pairs whose names have the text in them
 *   --fresh               reads files anew for every cell, so that nothing that is remembered of them is of use
 *   --no-memory           with the engine's memory switched off
 *   --show                prints what is hashed, for `diff`
 *
 * A quick check of half a minute: `--only samples --setting defaults --setting live-60 --setting three`. Two files are
 * compared in what both have, so a quick one may be held against a whole one.
 *
 * Hashes are of bits. How far results have moved where they differ is told by hashes/moved-results.mjs.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { switchMemory } from '@stuntdouble/core/engine';
import { read } from '@stuntdouble/formats';
import { BABYLON_SETTINGS } from './hashes/babylon-settings.js';
import { compareHashes, formatComparison, type HashFile } from './hashes/compare-hashes.js';
import { CORE_SETTINGS } from './hashes/core-settings.js';
import { CELL_SEPARATOR, hashCells } from './hashes/hash-cells.js';
import { dataPairs, HASHED_PARTS, pairName, samplePairs } from './hashes/hash-pairs.js';
import { createFileReader } from './hashes/open-pair.js';
import { THREE_SETTINGS } from './hashes/three-settings.js';

/** What a whole run may take of one processor, in seconds; LONGEST_PART and the list of pairs keep it there. */
const BUDGET = 360;

const SETTINGS = [...CORE_SETTINGS, ...THREE_SETTINGS, ...BABYLON_SETTINGS];

const { values: options, positionals } = readArguments();
if (options['no-memory']) switchMemory(false);
if (options.compare) comparePair(positionals);
else await run();

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        out: { type: 'string' },
        compare: { type: 'boolean' },
        only: { type: 'string' },
        setting: { type: 'string', multiple: true },
        pair: { type: 'string' },
        fresh: { type: 'boolean' },
        show: { type: 'boolean' },
        'no-memory': { type: 'boolean' },
      },
    });
  } catch (error) {
    return refuse((error as Error).message);
  }
}

function refuse(sentence: string): never {
  console.error(
    `${sentence}\nusage: npm run hashes -- --out FILE [--only samples|data] [--setting NAME]… [--pair TEXT] [--fresh] [--no-memory] [--show]\n       npm run hashes -- --compare OLD NEW`,
  );
  process.exit(2);
}

function comparePair(files: readonly string[]): void {
  if (files.length !== 2) refuse(`--compare takes two files; ${files.length} given`);
  const [before, after] = files.map(readHashFile) as [HashFile, HashFile];
  if (before.node !== after.node)
    console.log(`made by ${before.node} and ${after.node}: differences may be theirs`);
  const comparison = compareHashes(before, after);
  console.log(formatComparison(comparison).join('\n'));
  if (comparison.differences.length > 0 || comparison.compared === 0) process.exitCode = 1;
}

function readHashFile(path: string): HashFile {
  let file: Partial<HashFile> | null;
  try {
    file = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    return refuse(`"${path}" cannot be read: ${(error as Error).message}`);
  }
  if (!file?.cells || !file.parts || !file.settings)
    return refuse(`"${path}" holds no hashes; write some with --out`);
  return file as HashFile;
}

async function run(): Promise<void> {
  const { out, only, setting: wanted, pair: text = '', fresh = false, show = false } = options;
  if (positionals.length > 0) refuse(`"${positionals[0]}" is no option`);
  if (out === undefined && !show) refuse('--out says where the hashes go');
  if (only !== undefined && !HASHED_PARTS.some((part) => part === only))
    refuse(`--only is "${only}"; there are ${HASHED_PARTS.join(' and ')}`);
  for (const name of wanted ?? [])
    if (!SETTINGS.some((setting) => setting.name === name))
      refuse(`--setting is "${name}"; there are ${SETTINGS.map((known) => known.name).join(', ')}`);
  const settings = SETTINGS.filter(({ name }) => wanted?.includes(name) ?? true);
  const { pairs: data, missing } = dataPairs();
  if (missing.length > 0 && only !== 'samples')
    console.error(
      data.length === 0
        ? 'there is no ../shared/data: samples alone are hashed'
        : `missing in ../shared/data, and left out: ${missing.join(', ')}`,
    );
  const pairs = [...(only === 'data' ? [] : samplePairs()), ...(only === 'samples' ? [] : data)].filter(
    (pair) => pairName(pair).includes(text),
  );
  if (pairs.length === 0) refuse('no pair is left: look at --only and --pair');
  const times = new Map<string, { cells: number; milliseconds: number }>();
  const refusals = new Map<string, number>();
  const cells = await hashCells(pairs, settings, {
    readScene: fresh ? (path) => read(path) : createFileReader(),
    fresh,
    onCell(cell, outcome, milliseconds) {
      const group = cell.split(CELL_SEPARATOR).slice(0, 2).join(' ');
      const before = times.get(group) ?? { cells: 0, milliseconds: 0 };
      times.set(group, { cells: before.cells + 1, milliseconds: before.milliseconds + milliseconds });
      const { name } = (outcome.refusal ?? {}) as { name?: string };
      if (name) refusals.set(name, (refusals.get(name) ?? 0) + 1);
      if (show) console.log(`${cell}\n${JSON.stringify(outcome, plainly, 1)}`);
    },
  });
  if (out !== undefined) {
    const file: HashFile = {
      node: `Node ${process.version} on ${process.arch}`,
      parts: [...new Set(pairs.map(({ part }) => part))],
      settings: settings.map(({ name }) => name),
      ...(text !== '' && { pair: text }),
      cells,
    };
    writeFileSync(out, formatFile(file));
  }
  if (!show) printTimes(times, refusals);
}

/** One cell a line, in order, so that `diff` reads it too. */
function formatFile({ cells, ...head }: HashFile): string {
  const lines = Object.keys(cells)
    .sort()
    .map((cell) => `${JSON.stringify(cell)}: ${JSON.stringify(cells[cell])}`);
  return `${JSON.stringify(head).slice(0, -1)}, "cells": {\n${lines.join(',\n')}\n}}\n`;
}

/** Numbers of typed arrays as lists; bytes of files by their count. */
function plainly(_: string, value: unknown): unknown {
  if (value instanceof Uint8Array) return `${value.length} bytes`;
  return ArrayBuffer.isView(value) ? [...(value as Float32Array)].join(' ') : value;
}

function printTimes(
  times: ReadonlyMap<string, { cells: number; milliseconds: number }>,
  refusals: ReadonlyMap<string, number>,
): void {
  let total = 0;
  let count = 0;
  for (const [group, { cells, milliseconds }] of times) {
    console.log(
      `${group.padEnd(28)} ${String(cells).padStart(5)} cells ${(milliseconds / 1000).toFixed(1).padStart(7)} s`,
    );
    total += milliseconds / 1000;
    count += cells;
  }
  const refused = [...refusals].map(([name, times]) => `${times} ${name}`).join(', ');
  console.log(`${count} cells in ${total.toFixed(1)} s of one processor; refusals: ${refused || 'none'}`);
  if (total > BUDGET)
    console.log(`that is more than the budget of ${BUDGET} s: shorten LONGEST_PART or the list of pairs`);
}
