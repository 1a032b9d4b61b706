import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync, readdirSync, readFileSync, watch } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createFolder } from '../test/folder.js';
import { stickFigureBvh } from '../test/stick-figure.js';

const bin = fileURLToPath(new URL('../bin/stuntdouble.js', import.meta.url));
const folder = createFolder();
const walk = await folder.put('walk.bvh', stickFigureBvh());

/**
 * Stops the thread of the command for ever where its file has been written but has no name yet, and says so by a
 * file.
 */
const stuckBeforeName = await folder.put(
  'stuck.cjs',
  `const { isMainThread } = require('node:worker_threads');
  const fs = require('node:fs');
  if (!isMainThread) {
    fs.fsyncSync = () => {
      fs.writeFileSync(process.env.STUCK, '');
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    };
    require('node:module').syncBuiltinESMExports();
  }`,
);

type Ended = { code: number | null; signal: NodeJS.Signals | null; out: string; err: string };

function start(argv: readonly string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [bin, ...argv], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    err += chunk.toString();
  });
  const ended = once(child, 'close').then(
    ([code, signal]): Ended => ({
      code: code as number | null,
      signal: signal as NodeJS.Signals | null,
      out,
      err,
    }),
  );
  return { child, ended };
}

/** Waits until a file is there; its process must not end before. */
async function appeared(path: string, child: ChildProcess): Promise<void> {
  const watcher = watch(dirname(path));
  try {
    await new Promise<void>((found, failed) => {
      const look = () => existsSync(path) && found();
      watcher.on('change', look);
      child.once('exit', () => failed(new Error(`the command ended before ${path} was there`)));
      look();
    });
  } finally {
    watcher.close();
  }
}

/** Converts into a folder of its own until the file is written but has no name. */
async function stuckConvert(name: string) {
  await mkdir(folder.at(name));
  const marker = folder.at(`${name}.stuck`);
  const run = start(['convert', walk, folder.at(name, 'out.glb')], {
    NODE_OPTIONS: `--require ${JSON.stringify(stuckBeforeName)}`,
    STUCK: marker,
  });
  await appeared(marker, run.child);
  expect(readdirSync(folder.at(name))).toEqual([expect.stringMatching(/^\.stuntdouble-.*\.tmp$/)]);
  return run;
}

describe('a command that is stopped', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('by %s leaves no file, says so and ends with 128 and its number', async (signal, code) => {
    const { child, ended } = await stuckConvert(signal);
    child.kill(signal);
    expect(await ended).toEqual({
      code,
      signal: null,
      out: '',
      err: `stopped by ${signal}; no unfinished file is left\n`,
    });
    expect(readdirSync(folder.at(signal))).toEqual([]);
  });

  it('outright leaves a file that the next one removes', async () => {
    const { child, ended } = await stuckConvert('killed');
    child.kill('SIGKILL');
    expect((await ended).signal).toBe('SIGKILL');
    const left = readdirSync(folder.at('killed'));
    expect(left).toHaveLength(1);
    expect((await start(['convert', walk, folder.at('killed', 'out.glb')]).ended).code).toBe(0);
    expect(readdirSync(folder.at('killed'))).toEqual(['out.glb']);
  });
});

describe('commands at the same time', () => {
  it('write one output once, whole', async () => {
    const out = folder.at('both.glb');
    const runs = await Promise.all([1, 2, 3].map(() => start(['convert', walk, out]).ended));
    expect(runs.map(({ code }) => code).sort()).toEqual([0, 1, 1]);
    for (const { code, err } of runs)
      if (code === 1) expect(err).toMatch(/^error: cannot write .*both\.glb: it is there already .*\n$/);
    expect(readFileSync(out).readUInt32LE(8)).toBe(readFileSync(out).byteLength);
    expect(readdirSync(folder.path).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });
});

describe('standard output that breaks', () => {
  it.runIf(existsSync('/dev/full'))('ends with 1 and a sentence, without a trace', async () => {
    const child = spawn(process.execPath, [bin, 'inspect', walk, '--json'], {
      stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'],
    });
    let err = '';
    child.stderr!.on('data', (chunk: Buffer) => {
      err += chunk.toString();
    });
    const [code] = (await once(child, 'close')) as [number];
    expect([code, err]).toEqual([1, 'error: cannot write to standard output: the disk is full\n']);
  });

  it.skipIf(process.platform === 'win32')('is noticed where a file takes only a part', async () => {
    // A limit of 512 or 1024 bytes stands for the disk that is full; the signal that comes with it is not wanted.
    const command = `trap '' XFSZ; ulimit -f 1; exec "$0" "$1" inspect "$2" --json > "$3"`;
    const child = spawn('sh', ['-c', command, process.execPath, bin, walk, folder.at('part.json')], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let err = '';
    child.stderr!.on('data', (chunk: Buffer) => {
      err += chunk.toString();
    });
    const [code] = (await once(child, 'close')) as [number];
    expect([code, err]).toEqual([1, expect.stringMatching(/^error: cannot write to standard output: .*\n$/)]);
  });

  it('is no failure where the reader has read enough', async () => {
    const { child, ended } = start(['inspect', walk, '--json']);
    child.stdout.destroy();
    const { code, err } = await ended;
    expect([code, err]).toEqual([0, '']);
  });

  it.runIf(existsSync('/dev/full'))('breaks nothing where it is standard error', async () => {
    const child = spawn(process.execPath, [bin, 'inspect', folder.at('none.glb')], {
      stdio: ['ignore', 'pipe', openSync('/dev/full', 'w')],
    });
    child.stdout!.resume();
    const [code] = (await once(child, 'close')) as [number];
    expect(code).toBe(1);
  });
});

describe('memory that runs out', () => {
  it('ends the command with a sentence, not the process with a trace', async () => {
    const hungry = await folder.put(
      'hungry.cjs',
      `const { isMainThread } = require('node:worker_threads');
      if (!isMainThread) {
        const all = [];
        while (true) all.push(Array.from({ length: 1e5 }, (_, i) => ({ i })));
      }`,
    );
    const { code, out, err } = await start(['--version'], {
      NODE_OPTIONS: `--max-old-space-size=64 --require ${JSON.stringify(hungry)}`,
    }).ended;
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(/^error: there is not enough memory for this; .*\n$/);
  });
});
