/*
 * Whether memory stays flat over thousands of cells: our captures on our characters, over and over, in threads of one
 * process. By hand:
 *
 *     npm run build && node --expose-gc bench/batch/soak.mjs            5,000 cells in one thread
 *     node --expose-gc bench/batch/soak.mjs --cells 500 --threads 2
 *
 * The table of the last run stands in results.md.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createThreadRunner, hashFile } from '@stuntdouble/jobs/node';

const argv = process.argv.slice(2);
const numberOf = (flag, otherwise) =>
  argv.includes(flag) ? Number(argv[argv.indexOf(flag) + 1]) : otherwise;
const [count, threads] = [numberOf('--cells', 5000), numberOf('--threads', 1)];
const base = fileURLToPath(new URL('../../samples/files/', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'soak-'));
const listed = (name) => readdirSync(join(base, name)).map((each) => `${name}/${each}`);
const pairs = listed('captures').flatMap((source) => listed('characters').map((target) => [source, target]));
const hashes = new Map(pairs.flat().map((path) => [path, hashFile(join(base, path), {}).sha256]));

/** Megabytes of this process that are in memory, its threads among them. */
const resident = () => Math.round(Number(readFileSync('/proc/self/statm', 'utf8').split(' ')[1]) / 256);

const module = new URL('../../packages/cli/dist/command-thread.js', import.meta.url);
const before = resident();
const runner = createThreadRunner({ threads, timeLimit: 600_000, module });
const every = Math.max(1, Math.floor(count / 20));
const seen = [];
let [begun, done, failed, cpu] = [0, 0, 0, 0];
console.log(`${threads} thread(s), ${pairs.length} pairs over and over; ${before} MB before the first cell`);
console.log('| cells | MB in memory | processor ms a cell since the last row |\n|---|---|---|');
const goOn = async () => {
  while (begun < count) {
    const n = begun++;
    const [source, target] = pairs[n % pairs.length];
    const entry = await runner.run({
      cell: {
        ...{ key: 'a'.repeat(64), source, target, family: [], recipe: null },
        hashes: [hashes.get(source), hashes.get(target)],
        output: `${n % pairs.length}.glb`,
      },
      ...{ folder, base, settings: { animationOnly: true }, read: {}, makes: 'files' },
      ...{ worker: 'soak', version: '0' },
    });
    if (entry.state !== 'done') failed++;
    cpu += entry.cpuMs ?? 0;
    if (++done % every !== 0) continue;
    seen.push(resident());
    console.log(`| ${done} | ${seen.at(-1)} | ${Math.round(cpu / every)} |`);
    cpu = 0;
  }
};
await Promise.all(Array.from({ length: threads }, goOn));
await runner.close();
rmSync(folder, { recursive: true, force: true });
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
const quarter = Math.max(1, Math.floor(seen.length / 4));
const [early, late] = [mean(seen.slice(quarter, 2 * quarter)), mean(seen.slice(-quarter))];
console.log(
  `\n${done} cells, ${failed} failed; ${Math.round(early)} MB in the second quarter, ${Math.round(late)} MB in the last; most ${Math.max(...seen)} MB`,
);
process.exit(failed === 0 && late < 1.15 * early ? 0 : 1);
