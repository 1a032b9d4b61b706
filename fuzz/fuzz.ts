/*
 * Tries inputs that nobody would make on purpose, or that somebody would:
 *
 *   npm run fuzz -- [--what files|documents|skeletons|memory] [--format NAME] [--cases N] [--seed 1] [--from 0]
 *                   [--jobs 1] [--keep FOLDER] [--shrink] [--record]
 *
 * Only results, FormatErrors, RetargetErrors and UsageErrors may come of them; every number of a result is finite and
 * every rotation of length 1; none takes over two seconds of the processor. Cases are tried in child processes, which
 * are watched and replaced where one hangs or dies. Faults of one kind are told once, with their number and the first
 * case; --seed and --from with --cases 1 repeat it, --keep writes what was tried to a file, --shrink takes away from
 * it what does not matter. `memory` reads bombs and some mutated files each in a process of its own, which may take
 * twenty times the file, or what its deflated parts unpack to, and 64 MB. A full run writes its row of results.md; --record does so for any run.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { signatureOf } from './attempt.js';
import { memoryText, type Row, recordResults, rowText } from './record-results.js';
import { type Errand, type Message, runCases } from './run-cases.js';
import { KINDS, SUBJECTS, type Subject, subjectName } from './subjects.js';
import { isSound, tryMemory } from './try-memory.js';
import { watchChild } from './watch-child.js';

/** Milliseconds of the processor that one case may take. */
const LONGEST = 2000;

type Settings = {
  withMemory: boolean;
  subjects: readonly Subject[];
  cases: number | null;
  seed: number;
  from: number;
  jobs: number;
  keep: string | null;
  shrink: boolean;
  record: boolean;
};

function readSettings(): Settings {
  const { values } = parseArgs({
    options: {
      what: { type: 'string' },
      format: { type: 'string' },
      cases: { type: 'string' },
      seed: { type: 'string', default: '1' },
      from: { type: 'string', default: '0' },
      jobs: { type: 'string', default: '1' },
      keep: { type: 'string' },
      shrink: { type: 'boolean', default: false },
      record: { type: 'boolean', default: false },
    },
  });
  const { what, format } = values;
  if (what !== undefined && !KINDS.some((kind) => kind === what))
    throw new Error(`--what must be one of ${KINDS.join(', ')}`);
  const subjects = SUBJECTS.filter(
    (subject) =>
      (what === undefined || subject.kind === what) && (format === undefined || subject.format === format),
  );
  if (subjects.length === 0 && what !== 'memory') {
    const formats = SUBJECTS.map((subject) => subject.format).filter((name) => name !== '');
    throw new Error(`--format must be one of ${formats.join(', ')}`);
  }
  const number = (text: string, name: string) => {
    if (!(Number.isInteger(Number(text)) && Number(text) >= 0))
      throw new Error(`--${name} must be a whole number`);
    return Number(text);
  };
  return {
    withMemory: what === 'memory' || (what === undefined && format === undefined),
    subjects,
    cases: values.cases === undefined ? null : number(values.cases, 'cases'),
    seed: number(values.seed, 'seed'),
    from: number(values.from, 'from'),
    jobs: Math.max(1, number(values.jobs, 'jobs')),
    keep: values.keep ?? null,
    shrink: values.shrink,
    record: values.record,
  };
}

/** Tries one subject, and tells what happens. */
async function trySubject(subject: Subject, settings: Settings): Promise<Row> {
  const name = subjectName(subject);
  const { seed, from, keep } = settings;
  const end = from + (settings.cases ?? subject.cases);
  const row: Row = { name, seed, cases: 0, results: 0, refused: 0, faulty: 0, slow: 0, slowest: 0 };
  const kinds = new Map<string, { first: string; count: number }>();
  const make = keep === null ? null : await subject.open();
  const keepFile = (index: number) => {
    if (keep === null || !make) return;
    mkdirSync(keep, { recursive: true });
    const { bytes, extension } = make(seed, index).file();
    writeFileSync(join(keep, `${name.replace(' ', '-')}-${seed}-${index}.${extension}`), bytes);
  };
  const tell = (index: number, fault: string, origin: string) => {
    const signature = signatureOf(fault);
    const known = kinds.get(signature);
    if (known) {
      known.count++;
      return;
    }
    const first = `${name}, seed ${seed}, case ${index}: ${fault} (from ${origin})`;
    kinds.set(signature, { first, count: 1 });
    console.log(first);
    keepFile(index);
  };
  const hear = (message: Message) => {
    if (message.kind === 'shrunk') {
      console.log(`  case ${message.index} is as faulty with ${message.from}`);
      if (keep !== null)
        writeFileSync(
          join(keep, `${name.replace(' ', '-')}-${seed}-${message.index}-shrunk`),
          Buffer.from(message.file, 'latin1'),
        );
    }
    if (message.kind !== 'end') return;
    const { index, gave, faults, milliseconds, from: origin } = message;
    row.cases++;
    row.slowest = Math.max(row.slowest, milliseconds);
    const isSlow = milliseconds > LONGEST;
    if (isSlow) {
      row.slow++;
      tell(index, `takes ${Math.round(milliseconds)} ms`, origin);
    }
    for (const fault of faults) tell(index, fault, origin);
    if (faults.length > 0) row.faulty++;
    else if (gave) row.results++;
    else row.refused++;
  };
  const started = performance.now();
  const clock = setInterval(() => {
    const seconds = Math.round((performance.now() - started) / 1000);
    console.log(`  ${rowText(row)} (${seconds} s of ${end - from} cases)`);
  }, 30_000);
  const size = Math.ceil((end - from) / settings.jobs);
  await Promise.all(
    Array.from({ length: settings.jobs }, async (_, job) => {
      const last = Math.min(end, from + (job + 1) * size);
      for (let next = from + job * size; next < last; ) {
        const errand: Errand = { subject: name, seed, from: next, end: last, shrink: settings.shrink };
        const ended = await watchChild(fileURLToPath(import.meta.url), errand, hear);
        next = ended.next;
        if (!ended.lost) continue;
        row.cases++;
        row.faulty++;
        tell(ended.lost.index, ended.lost.why, 'a child process');
      }
    }),
  );
  clearInterval(clock);
  for (const { first, count } of kinds.values()) if (count > 1) console.log(`  ${count} times: ${first}`);
  console.log(rowText(row));
  return row;
}

const errand = process.env.STUNTDOUBLE_FUZZ;
if (errand !== undefined) {
  // Nobody listens any more.
  process.once('disconnect', () => process.exit());
  await runCases(
    JSON.parse(errand) as Errand,
    (message) => new Promise<void>((done) => process.send!(message, () => done())),
  );
  process.disconnect();
} else {
  const settings = readSettings();
  const rows: Row[] = [];
  for (const subject of settings.subjects) rows.push(await trySubject(subject, settings));
  const memory = settings.withMemory
    ? await tryMemory(settings.seed, (row) => console.log(memoryText(row)))
    : [];
  if (settings.record || (settings.cases === null && settings.from === 0)) recordResults(rows, memory);
  const isFaulty = rows.some(({ faulty, slow }) => faulty + slow > 0) || !memory.every(isSound);
  process.exitCode = isFaulty ? 1 : 0;
}
