/*
 * What it costs to start the command: processor time of `stuntdouble --version`, both threads, as one file and as the
 * modules that it is made from. Rounds are interleaved; the least of each counts, since everything else a machine
 * does only adds to it.
 *
 *   node bench/dist/start.js [--rounds 15]
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const url = (path: string) => new URL(`../../${path}`, import.meta.url).href;

/** Says what the process has used when a thread of it ends, the first thread last. */
const HOOK =
  'data:text/javascript,import{writeSync}from"node:fs";' +
  'process.on("exit",()=>{const{user,system}=process.cpuUsage();writeSync(2,"cpu "+(user+system)+";")})';

/** A program that starts the command. */
const starts = (supervise: string) =>
  `const { supervise } = await import('${supervise}'); process.exit(await supervise(['--version'], process));`;

const CONTENDERS = [
  { name: 'as modules', program: starts(url('packages/cli/dist/supervise.js')) },
  { name: 'in one file', program: starts(url('packages/cli/dist/bundle/supervise.js')) },
  { name: 'nothing but Node', program: '' },
];

const folder = mkdtempSync(join(tmpdir(), 'stuntdouble-start-'));

function milliseconds(program: string): number {
  const file = join(folder, 'start.mjs');
  writeFileSync(file, program);
  const { stderr, status } = spawnSync(process.execPath, ['--import', HOOK, file], { encoding: 'utf8' });
  const found = [...stderr.matchAll(/cpu (\d+);/g)].at(-1);
  if (status !== 0 || !found) throw new Error(`the command did not start: ${stderr.slice(0, 300)}`);
  return Number(found[1]) / 1000;
}

const asked = process.argv.indexOf('--rounds');
const rounds = asked < 0 ? 15 : Number(process.argv[asked + 1]);
const least = CONTENDERS.map(() => Number.POSITIVE_INFINITY);
for (let i = 0; i < rounds; i++)
  for (const [k, { program }] of CONTENDERS.entries()) least[k] = Math.min(least[k]!, milliseconds(program));
rmSync(folder, { recursive: true });

for (const [k, { name }] of CONTENDERS.entries())
  console.log(
    `${name.padEnd(18)} ${least[k]!.toFixed(0).padStart(4)} ms   ${(least[k]! / least[0]!).toFixed(2)} of the modules`,
  );
