/*
 * How time grows with joints: bodies of 2,000 and of 8,000 joints are read from glTF, their clip is moved onto a body
 * that is built alike but larger, and the result is written. Every body has a process of its own, and the processor's
 * time counts, so that what else the machine does counts less.
 *
 *   node bench/dist/growth.js [--rounds 3] [--save]
 *
 * Four times the joints may take 4.5 times as long.
 */
import { fork } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { retarget } from '@stuntdouble/core';
import { read, writeBytes } from '@stuntdouble/formats';
import { GROWTH_SHAPES, type GrowthShape, growthFile } from './cases/growth-file.js';

const SIZES = [2000, 8000] as const;
/** How many times as long four times the joints may take. */
const MOST = 4.5;

/** Milliseconds of the processor for each step. */
type Steps = { read: number; retarget: number; write: number };

/** Reads, moves and writes once, in this process. */
async function runOnce(shape: GrowthShape, joints: number): Promise<Steps> {
  const bytes = growthFile(shape, joints, 1);
  const larger = growthFile(shape, joints, 1.3);
  const target = await read(larger);
  const clock = () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  };
  const start = clock();
  const source = await read(bytes);
  const afterRead = clock();
  const result = retarget(source, target);
  const afterMove = clock();
  await writeBytes('glb', result);
  return { read: afterRead - start, retarget: afterMove - afterRead, write: clock() - afterMove };
}

function runInChild(shape: GrowthShape, joints: number): Promise<Steps> {
  return new Promise((resolve, reject) => {
    const child = fork(fileURLToPath(import.meta.url), [], {
      env: { ...process.env, GROWTH: JSON.stringify({ shape, joints }) },
    });
    child.once('message', (steps) => {
      resolve(steps as Steps);
    });
    child.once('exit', (code) => {
      reject(new Error(`${shape} of ${joints} joints ended with code ${code}`));
    });
  });
}

const sum = ({ read, retarget, write }: Steps) => read + retarget + write;

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { rounds: { type: 'string' }, save: { type: 'boolean' } } });
  const rounds = Number(values.rounds ?? 3);
  const lines = [
    '| body | 2,000 joints: read, move, write | 8,000 joints | growth | allowed |',
    '|---|---|---|---|---|',
  ];
  const text = (steps: Steps) =>
    `${Math.round(sum(steps))} ms: ${[steps.read, steps.retarget, steps.write].map(Math.round).join(' + ')}`;
  for (const shape of GROWTH_SHAPES) {
    const best: Steps[] = [];
    for (const joints of SIZES) {
      const tries: Steps[] = [];
      for (let n = 0; n < rounds; n++) tries.push(await runInChild(shape, joints));
      best.push(tries.reduce((a, b) => (sum(b) < sum(a) ? b : a)));
    }
    const growth = sum(best[1]!) / sum(best[0]!);
    lines.push(`| ${shape} | ${text(best[0]!)} | ${text(best[1]!)} | ${growth.toFixed(2)} | ${MOST} |`);
    process.stdout.write(`${lines.at(-1)}\n`);
  }
  if (values.save)
    writeFileSync(
      fileURLToPath(new URL('../growth.md', import.meta.url)),
      `# How time grows with joints\n\nWritten by \`node bench/dist/growth.js --save\`; the quickest of ${rounds} runs, each in a process of its own, in milliseconds of the processor.\n\n${lines.join('\n')}\n`,
    );
}

if (process.env.GROWTH) {
  const { shape, joints } = JSON.parse(process.env.GROWTH) as { shape: GrowthShape; joints: number };
  process.send!(await runOnce(shape, joints), () => process.exit(0));
} else await main();
