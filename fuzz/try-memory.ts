import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inflateSync } from 'node:zlib';
import { makeBombs } from './bombs.js';
import { openFiles } from './file-case.js';
import type { Peak } from './measure-peak.js';
import { processorSeconds } from './processor-seconds.js';
import { FUZZED_FORMATS } from './seeds.js';

/** Bytes that a file may need beyond twenty times its size. */
const SLACK = 64 * 2 ** 20;
/** Seconds of the processor, and by the clock, after which a process is ended. */
const LONGEST = 20;
const LONGEST_CLOCK = 240;
/** How many mutated files of each format are measured. */
const SAMPLES = 4;
/** Milliseconds of the processor that a file may take. */
const SLOWEST = 2000;

/** What one file took in a process of its own. */
export type MemoryRow = {
  name: string;
  size: number;
  /** Bytes that it may take, and those it took. */
  allowed: number;
  peak: number;
  milliseconds: number;
  /** `read`, `refused`, or what went wrong. */
  end: string;
};

/** Measures bombs and some mutated files, each in a process of its own. */
export async function tryMemory(seed: number, onRow: (row: MemoryRow) => void): Promise<MemoryRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'stuntdouble-fuzz-'));
  const rows: MemoryRow[] = [];
  const add = async (name: string, bytes: Uint8Array, honest: number) => {
    const path = join(folder, 'file');
    writeFileSync(path, bytes);
    const row = rowOf(name, bytes.length, 20 * Math.max(bytes.length, honest) + SLACK, await measure(path));
    rows.push(row);
    onRow(row);
  };
  try {
    // A bomb is refused, or costs no more than any other file of its size.
    for (const { name, bytes } of await makeBombs()) await add(name, bytes, 0);
    for (const format of FUZZED_FORMATS) {
      const make = await openFiles(format);
      for (let index = 0; index < SAMPLES; index++) {
        const { bytes } = make(seed, index).file();
        await add(`mutated ${format}, case ${index}`, bytes, honestSize(bytes));
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return rows;
}

function rowOf(name: string, size: number, allowed: number, peak: Peak | string): MemoryRow {
  if (typeof peak === 'string')
    return { name, size, allowed, peak: Number.NaN, milliseconds: Number.NaN, end: peak };
  const { bytes, milliseconds, gave, faults } = peak;
  const wrong = [
    ...faults,
    ...(bytes > allowed ? ['takes too much memory'] : []),
    ...(milliseconds > SLOWEST ? ['takes too long'] : []),
  ];
  const end = wrong.length > 0 ? wrong.join('; ') : gave ? 'read' : 'refused';
  return { name, size, allowed, peak: bytes, milliseconds, end };
}

/** Whether a row is as it should be. */
export function isSound({ end }: MemoryRow): boolean {
  return end === 'read' || end === 'refused';
}

/** Reads a file in a fresh process. @returns what that took, or how it died. */
function measure(path: string): Promise<Peak | string> {
  return new Promise((resolve) => {
    const script = fileURLToPath(new URL('./measure-peak.js', import.meta.url));
    const child = spawn(process.execPath, ['--max-old-space-size=2048', script, path], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let out = '';
    let words = '';
    child.stdout.on('data', (data: Buffer) => {
      out += data.toString();
    });
    child.stderr.on('data', (data: Buffer) => {
      words = `${words}${data.toString()}`.slice(-2000);
    });
    const began = performance.now();
    const alarm = setInterval(() => {
      const isLate = performance.now() - began > 1000 * LONGEST_CLOCK;
      if (isLate || processorSeconds(child.pid) > LONGEST) child.kill('SIGKILL');
    }, 500);
    child.on('exit', (code, signal) => {
      clearInterval(alarm);
      try {
        resolve(JSON.parse(out.trim().split('\n').pop() ?? '') as Peak);
      } catch {
        const why = /heap out of memory|[\w ]*Error: .*/.exec(words)?.[0] ?? '';
        if (signal === 'SIGKILL') resolve(`takes over ${LONGEST} s of the processor`);
        else resolve(`ends the process (${signal ?? `code ${code}`}) ${why}`.trim().slice(0, 120));
      }
    });
  });
}

/** Bytes that the deflated parts of a file unpack to; what is broken, or a lie, unpacks to nothing. */
function honestSize(bytes: Uint8Array): number {
  let sum = 0;
  for (let at = 0; at + 2 < bytes.length; at++) {
    // The two bytes that a zlib stream begins with.
    if (bytes[at] !== 0x78 || (0x7800 + bytes[at + 1]!) % 31 !== 0) continue;
    try {
      sum += inflateSync(bytes.subarray(at), { maxOutputLength: 2 ** 28 }).length;
    } catch {
      // No stream begins here.
    }
  }
  return sum;
}
