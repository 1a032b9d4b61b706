/*
 * Mutates files and reads them, without end or to a count:
 *
 *   npm run fuzz -- --format gltf --count 100000 --seed 1 [--from 0] [--deep] [--largest 300000] [--keep FOLDER]
 *
 * Checked are: only scenes or FormatErrors; none takes over two seconds; none needs more memory than twenty
 * times its size and 64 MB. The reading is done in a child process, which is watched and replaced when it
 * hangs or dies. A fault is printed with its index; the same seed and --from INDEX --count 1 repeat it.
 */
import { fork } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { makeCase, type Outcome, tryCase } from './fuzz-case.js';
import { FUZZED_FORMATS, type FuzzedFormat, loadSeeds } from './seeds.js';

/** Milliseconds of the processor that one file may take; by the clock a child is ended after five times that. */
const LONGEST = 2000;
/** Bytes that reading may need beyond twenty times the input. */
const SLACK = 64 * 2 ** 20;

type Settings = {
  format: FuzzedFormat;
  count: number;
  seed: number;
  from: number;
  deep: boolean;
  largest: number;
  keep: string | null;
};

/** What the child says: which case it begins, and how it ended. */
type Message =
  | { kind: 'begin'; index: number }
  | {
      kind: 'end';
      index: number;
      outcome: Outcome;
      milliseconds: number;
      memory: number;
      size: number;
      path: string;
    };

function readSettings(): Settings {
  const { values } = parseArgs({
    options: {
      format: { type: 'string', default: 'gltf' },
      count: { type: 'string', default: 'Infinity' },
      seed: { type: 'string', default: '1' },
      from: { type: 'string', default: '0' },
      deep: { type: 'boolean', default: false },
      largest: { type: 'string', default: '300000' },
      keep: { type: 'string' },
    },
  });
  const format = FUZZED_FORMATS.find((known) => known === values.format);
  if (!format) throw new Error(`--format must be one of ${FUZZED_FORMATS.join(', ')}`);
  const number = (text: string, name: string) => {
    if (!(Number(text) >= 0)) throw new Error(`--${name} must be a number`);
    return Number(text);
  };
  return {
    format,
    count: number(values.count, 'count'),
    seed: number(values.seed, 'seed'),
    from: number(values.from, 'from'),
    deep: values.deep,
    largest: number(values.largest, 'largest'),
    keep: values.keep ?? null,
  };
}

/** The child: reads case after case and says how each ended. */
async function work(settings: Settings): Promise<void> {
  const seeds = loadSeeds(settings.format, settings.largest);
  const say = (message: Message) => new Promise<void>((done) => process.send!(message, () => done()));
  // Decoders are loaded once, and their memory is not the file's.
  for (const seed of seeds.slice(0, 12)) await tryCase({ seed, bytes: seed.bytes }, settings.deep);
  for (let index = settings.from; index < settings.from + settings.count; index++) {
    const { seed, bytes } = makeCase(settings.format, seeds, settings.seed, index);
    await say({ kind: 'begin', index });
    const before = process.memoryUsage.rss();
    const mark = process.resourceUsage().maxRSS;
    // Time of the processor, not of the clock: other programs may keep it busy.
    const start = process.cpuUsage();
    const outcome = await tryCase({ seed, bytes }, settings.deep);
    const { user, system } = process.cpuUsage(start);
    const milliseconds = (user + system) / 1000;
    // The high-water mark of the process, where this case has raised it.
    const peak = process.resourceUsage().maxRSS;
    const memory = peak > mark ? peak * 1024 - before : 0;
    await say({ kind: 'end', index, outcome, milliseconds, memory, size: bytes.length, path: seed.path });
  }
}

/** The parent: watches the child, and counts. */
async function watch(settings: Settings): Promise<number> {
  const counts = { read: 0, refused: 0, fault: 0, slow: 0, memory: 0 };
  let slowest = 0;
  let next = settings.from;
  const end = settings.from + settings.count;
  const faults: string[] = [];
  const report = (index: number, what: string) => {
    const line = `case ${index}: ${what}`;
    faults.push(line);
    console.log(line);
    if (!settings.keep) return;
    mkdirSync(settings.keep, { recursive: true });
    const { bytes } = makeCase(
      settings.format,
      loadSeeds(settings.format, settings.largest),
      settings.seed,
      index,
    );
    writeFileSync(join(settings.keep, `${settings.format}-${settings.seed}-${index}`), bytes);
  };
  const started = Date.now();
  const status = () =>
    console.log(
      `${next - settings.from} ${settings.format} files in ${Math.round((Date.now() - started) / 1000)} s: ${counts.read} read, ${counts.refused} refused, ${counts.fault} faults, ${counts.slow} too slow, ${counts.memory} too large; slowest ${Math.round(slowest)} ms`,
    );
  const clock = setInterval(status, 30_000);
  while (next < end) {
    await new Promise<void>((stopped) => {
      const child = fork(fileURLToPath(import.meta.url), [], {
        env: {
          ...process.env,
          STUNTDOUBLE_FUZZ: JSON.stringify({ ...settings, from: next, count: end - next }),
        },
        execArgv: ['--max-old-space-size=1024'],
      });
      let running = -1;
      let alarm: NodeJS.Timeout | undefined;
      child.on('message', (message: Message) => {
        clearTimeout(alarm);
        if (message.kind === 'begin') {
          running = message.index;
          alarm = setTimeout(() => child.kill('SIGKILL'), 5 * LONGEST);
          return;
        }
        const { index, outcome, milliseconds, memory, size, path } = message;
        running = -1;
        next = index + 1;
        counts[outcome.kind]++;
        slowest = Math.max(slowest, milliseconds);
        if (outcome.kind === 'fault') report(index, `${outcome.error} (from ${path})`);
        if (milliseconds > LONGEST) {
          counts.slow++;
          report(index, `took ${Math.round(milliseconds)} ms (from ${path})`);
        }
        if (memory > 20 * size + SLACK) {
          counts.memory++;
          report(index, `needed ${Math.round(memory / 2 ** 20)} MB for ${size} bytes (from ${path})`);
          // The mark stays high: a new child measures afresh.
          child.kill('SIGKILL');
        }
      });
      child.on('exit', (code, signal) => {
        clearTimeout(alarm);
        if (running >= 0) {
          counts.fault++;
          next = running + 1;
          report(
            running,
            `the reader ${signal === 'SIGKILL' ? 'hung, or ran out of memory' : `died with code ${code}`}`,
          );
        } else if (code !== 0 && signal === null) {
          report(next, `the child ended with code ${code}`);
          next = end;
        }
        stopped();
      });
    });
  }
  clearInterval(clock);
  status();
  return faults.length > 0 ? 1 : 0;
}

const asked = process.env.STUNTDOUBLE_FUZZ;
if (asked !== undefined) {
  await work(
    JSON.parse(asked, (key, value) => (key === 'count' && value === null ? Infinity : value)) as Settings,
  );
  process.disconnect();
} else process.exitCode = await watch(readSettings());
