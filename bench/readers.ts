/*
 * Our readers beside three's loaders, in one process: the largest FBX and BVH of the data folder, and two glTF
 * files. Rounds are interleaved, and the quickest of each counts.
 *
 *   node bench/dist/readers.js [--rounds 20] [--save]
 *
 * A first read in a process of its own is measured too: a command reads a file once, before anything is
 * compiled. It takes over twenty times as long as a later one: its loops run in the interpreter until the
 * optimising compiler has them, and what that does on other threads counts (the largest FBX: 118 ms, 88 with
 * --no-opt). Three's loader takes four times as long, as it spends more in the engine's own functions.
 */
import { fork } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { read } from '@stuntdouble/formats';
import { BVHLoader } from 'three/addons/loaders/BVHLoader.js';
import { FBXLoader } from 'three/addons/loaders/FBXLoader.js';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { withoutPictures } from './adapters-three-files.js';

const ROOT = fileURLToPath(new URL(import.meta.url.includes('/dist/') ? '../..' : '..', import.meta.url));
const DATA_FOLDER = join(ROOT, '../shared/data/');

/** What is read, and how many times faster than three it must be; null where nothing is promised. */
export const READ_FILES: readonly { file: string; least: number | null }[] = [
  { file: 'rocketbox/f_cheer_03.max.fbx', least: 5 },
  { file: 'misc/Geno.fbx', least: null },
  { file: 'ozz/walk.fbx', least: null },
  { file: 'cmu/69_08.bvh', least: 5 },
  { file: 'cmu/Boxing_Toes.bvh', least: null },
  { file: 'mesh2motion/human-base-animations.DEF.glb', least: null },
  { file: 'kaykit/Knight.glb', least: null },
];

/** The quickest read of one file by each reader, in milliseconds. */
export type ReadTiming = { file: string; bytes: number; ours: number; three: number };

type Reader = (bytes: Uint8Array) => unknown;

const ours: Reader = (bytes) => read(bytes);

/** Three's loader for a file. It gets what it can read without a browser: glTF has no pictures. */
function readerOfThree(file: string): Reader {
  if (file.endsWith('.bvh')) return (bytes) => new BVHLoader().parse(new TextDecoder().decode(bytes));
  if (file.endsWith('.fbx')) return (bytes) => new FBXLoader().parse(bytes.buffer as ArrayBuffer, '');
  return (bytes) => new GLTFLoader().parseAsync(bytes.buffer as ArrayBuffer, '');
}

/** The bytes that both readers get. */
function bytesOf(file: string): Uint8Array {
  const bytes = new Uint8Array(readFileSync(join(DATA_FOLDER, file)));
  return file.endsWith('.glb') ? new Uint8Array(withoutPictures(bytes)) : bytes;
}

/** Gives three's loaders the few things of a browser that they ask for, and keeps them quiet. */
function pretendBrowser(): void {
  const global = globalThis as { document?: unknown; window?: unknown; self?: unknown };
  const element = () => ({ addEventListener() {}, removeEventListener() {}, style: {}, setAttribute() {} });
  global.document = { createElementNS: element, createElement: element };
  global.window = { URL: { createObjectURL: () => 'data:,', revokeObjectURL() {} } };
  global.self ??= globalThis;
  console.warn = () => {};
  console.error = () => {};
}

/**
 * The time that all threads of the process took together, which a busy machine leaves as it is. Nothing is
 * collected between reads: a full collection throws compiled code away, and both readers become six times
 * slower. The quickest of many rounds pays for none but its own garbage.
 */
async function time(reader: Reader, bytes: Uint8Array): Promise<number> {
  const start = process.cpuUsage();
  await reader(bytes);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

/** How often a reader reads in its turn: the first of them pays for the garbage that the other one left. */
const IN_A_ROW = 4;

/** Times both readers on a file, taking turns. */
export async function timeReaders(file: string, rounds: number): Promise<ReadTiming> {
  pretendBrowser();
  const bytes = bytesOf(file);
  const three = readerOfThree(file);
  const timing: ReadTiming = { file, bytes: bytes.length, ours: Infinity, three: Infinity };
  for (let round = 0; round < rounds; round++) {
    for (let n = 0; n < IN_A_ROW; n++) timing.ours = Math.min(timing.ours, await time(ours, bytes));
    for (let n = 0; n < IN_A_ROW; n++) timing.three = Math.min(timing.three, await time(three, bytes));
  }
  return timing;
}

/** Times the first read of a process, the quickest of some processes. */
async function timeCold(file: string, processes: number): Promise<ReadTiming> {
  const timing: ReadTiming = { file, bytes: 0, ours: Infinity, three: Infinity };
  for (let n = 0; n < processes; n++)
    for (const who of ['ours', 'three'] as const) {
      const child = fork(fileURLToPath(import.meta.url), ['--cold', who, file]);
      const milliseconds = await new Promise<number>((resolve) => {
        child.once('message', (message) => resolve(Number(message)));
      });
      timing[who] = Math.min(timing[who], milliseconds);
    }
  return timing;
}

/** The result as a table in Markdown. */
export function formatReaders(
  timings: readonly { warm: ReadTiming; cold: ReadTiming; least: number | null }[],
  node: string,
): string {
  const number = (value: number) => value.toFixed(value < 10 ? 2 : 1);
  const rows = timings.map(
    ({ warm, cold, least }) =>
      `| ${warm.file} | ${(warm.bytes / 1e6).toFixed(2)} | ${number(warm.ours)} | ${number(warm.three)} | **${number(warm.three / warm.ours)}** | ${number(cold.ours)} | ${number(cold.three)} | ${number(cold.three / cold.ours)} | ${least ?? ''} |`,
  );
  return [
    '# Reading, beside the loaders of three.js',
    '',
    `Written by \`npm run bench:readers -- --save\`, Node ${node}. Milliseconds of processor time: the quickest of all`,
    'rounds, both readers taking turns in one process; "first" is the first read of a new process. Ratios are',
    'three.js / ours. glTF files are read without their pictures, by both. A first read is run by the interpreter',
    'until the optimising compiler has its loops, and the time of its threads counts.',
    '',
    '| file | MB | ours | three.js | ratio | ours, first | three.js, first | ratio, first | ratio to reach |',
    '|---|---|---|---|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

async function main(): Promise<void> {
  const { argv } = process;
  if (argv[2] === '--cold') {
    pretendBrowser();
    const file = argv[4]!;
    const milliseconds = await time(argv[3] === 'ours' ? ours : readerOfThree(file), bytesOf(file));
    process.send?.(milliseconds);
    process.disconnect();
    return;
  }
  if (!existsSync(DATA_FOLDER)) {
    console.log('needs ../shared/data');
    return;
  }
  const asked = argv.indexOf('--rounds');
  const rounds = asked < 0 ? 20 : Number(argv[asked + 1]);
  const timings = [];
  for (const { file, least } of READ_FILES)
    timings.push({ warm: await timeReaders(file, rounds), cold: await timeCold(file, 5), least });
  const table = formatReaders(timings, process.versions.node);
  console.log(table);
  if (argv.includes('--save')) writeFileSync(join(ROOT, 'bench/readers.md'), table);
  for (const { warm, least } of timings)
    if (least !== null && warm.three / warm.ours < least) {
      console.log(`${warm.file} is below ${least}`);
      process.exitCode = 1;
    }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
