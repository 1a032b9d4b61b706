import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
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

  it('are let be where a folder cannot be looked at', () => {
    sweepTemporaryFiles(folder.at('none'));
  });
});
