import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, promises, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { read, write } from '@stuntdouble/formats';
import { describe, expect, it, vi } from 'vitest';
import { createFolder } from '../../../cli/test/folder.js';
import { sweepTemporaryFiles, temporaryName } from './temporary-files.js';

const folder = createFolder();
/** A process that ran and ended. */
const dead = spawnSync(process.execPath, ['--version']).pid;

describe('temporary files', () => {
  it('are removed where their process is dead or they are old, and nothing else is', () => {
    const put = (name: string, age = 0) => {
      const path = folder.at(name);
      writeFileSync(path, 'x');
      const then = Date.now() / 1000 - age;
      utimesSync(path, then, then);
      return path;
    };
    const day = 25 * 60 * 60;
    const elsewhere = (name: string) => name.replace(/-[0-9a-f]{8}-/, '-00000000-');
    const gone = [
      put(temporaryName(dead)),
      put(elsewhere(temporaryName(dead)), day),
      put(temporaryName(process.ppid), day),
    ];
    const kept = [
      put(temporaryName(process.ppid)),
      put(temporaryName()),
      put(elsewhere(temporaryName(dead))),
      put('.stuntdouble-notes.tmp', day),
      put(`x${temporaryName(dead)}`, day),
      put('.out.glb.0123456789ab.tmp', day),
    ];
    const link = folder.at(temporaryName(dead));
    symlinkSync(kept[0]!, link);
    const inner = folder.at(temporaryName(dead));
    mkdirSync(inner);
    sweepTemporaryFiles(folder.path);
    expect(gone.map(existsSync)).toEqual(gone.map(() => false));
    expect([...kept, link, inner].map(existsSync)).toEqual([...kept, link, inner].map(() => true));
  });

  it('of the library are of the same kind: one that a killed process left goes after a day', async () => {
    const open = vi.spyOn(promises, 'open');
    const scene = await read(
      new URL('../../../../samples/files/characters/unreal-mannequin.glb', import.meta.url),
    );
    await write(folder.at('out.glb'), { scene, character: 0, clips: [] });
    const made = open.mock.calls.map(([path]) => String(path)).filter((path) => path.endsWith('.tmp'));
    open.mockRestore();
    expect(made.map(existsSync)).toEqual([false]);
    const [left] = made as [string];
    const own = folder.at('own');
    mkdirSync(own);
    const path = join(own, basename(left));
    writeFileSync(path, 'x');
    const then = Date.now() / 1000 - 25 * 60 * 60;
    utimesSync(path, then, then);
    // As another process sees it, which has another number.
    const pid = vi.spyOn(process, 'pid', 'get').mockReturnValue(process.pid + 1);
    sweepTemporaryFiles(own);
    pid.mockRestore();
    expect(existsSync(path)).toBe(false);
  });

  it('are let be where a folder cannot be looked at', () => {
    sweepTemporaryFiles(folder.at('none'));
  });
});
