import { existsSync } from 'node:fs';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { read } from '@stuntdouble/formats';
import { describe, expect, it } from 'vitest';
import { createFolder, pathOf } from '../../test/folder.js';
import { runCommand } from '../../test/run-command.js';
import { cleanSchema } from '../../test/schemas.js';

const folder = createFolder();
const walk = pathOf('samples/motions/walk.bvh');
const jump = pathOf('samples/motions/jump.glb');

describe('stuntdouble clean', () => {
  it('writes a motion that stands, and says what became of it in figures', async () => {
    const out = folder.at('clean.bvh');
    const run = await runCommand('clean', walk, out);
    expect(run.code).toBe(0);
    expect(run.out).toMatch(/1 clip cleaned/);
    expect(run.out).toMatch(/feet slide/);
    expect(run.out).toMatch(/→/);
    expect(run.out).toMatch(/wrote .*clean\.bvh/);
    const [{ skeleton, clips }] = (await read(out)).characters as [{ skeleton: never; clips: never[] }];
    expect(skeleton).toBeDefined();
    expect(clips).toHaveLength(1);
  });

  it('says what to do where feet shake so that nothing is found to stand', async () => {
    const [head, motion] = (await readFile(walk, 'utf8')).split(/(?<=Frame Time: .*\n)/) as [string, string];
    let seed = 1;
    const shaken = motion.replace(/-?\d+(\.\d+)?/g, (text) => {
      seed = (16807 * seed) % 2147483647;
      return (Number(text) + 4 * (seed / 2147483647 - 0.5)).toFixed(4);
    });
    const file = folder.at('shaken.bvh');
    await writeFile(file, head + shaken);
    const run = await runCommand('clean', file, folder.at('calmer.bvh'));
    expect(run.out).toMatch(/nothing was found to stand in "shaken": .*--calm 6/);
    expect((await runCommand('clean', walk, folder.at('as-it-is.bvh'))).out).not.toMatch(/nothing was found/);
  });

  it('prints one JSON document, and nothing is written by a dry run', async () => {
    const out = folder.at('dry.glb');
    const run = await runCommand('clean', jump, out, '--json', '--dry-run', '--no-calm');
    expect(run.err).toBe('');
    const told = cleanSchema.parse(JSON.parse(run.out));
    expect(told.output).toBeNull();
    expect(told.clips[0]!.frames).toBeGreaterThan(10);
    expect(existsSync(out)).toBe(false);
  });

  it('takes what is told of the file: contacts, rate, calm', async () => {
    const contacts = folder.at('contacts.json');
    expect((await runCommand('inspect', jump, '--contacts', '-o', contacts)).code).toBe(0);
    const out = folder.at('told.glb');
    const run = await runCommand(
      'clean',
      jump,
      out,
      '--contacts',
      contacts,
      '--fps',
      '30',
      '--calm',
      '6',
      '--json',
    );
    expect(run.err).toBe('');
    const told = cleanSchema.parse(JSON.parse(run.out));
    expect(told.clips[0]!.frames).toBe(Math.round(30 * told.clips[0]!.duration) + 1);
  });

  it('cleans many files into a folder, and goes on after one that cannot be read', async () => {
    const [first, second, broken] = ['a.bvh', 'b.bvh', 'c.bvh'].map((name) => folder.at(name)) as [
      string,
      string,
      string,
    ];
    await copyFile(walk, first);
    await copyFile(walk, second);
    await copyFile(fileURLToPath(import.meta.url), broken);
    const into = folder.at('many');
    const run = await runCommand('clean', first, second, broken, '--out-dir', into);
    expect(run.code).toBe(1);
    expect(existsSync(`${into}/a.bvh`) && existsSync(`${into}/b.bvh`)).toBe(true);
    expect(run.err).toMatch(/c\.bvh/);
  });

  it('refuses in one sentence what cannot be meant, and leaves files alone', async () => {
    const own = folder.at('own.bvh');
    await copyFile(walk, own);
    const before = await readFile(own);
    for (const [argv, says] of [
      [[own], /OUT is missing/],
      [[own, own], /is the file that is read/],
      [[own, folder.at('x.bvh'), '--calm', 'soon'], /--calm/],
      [[own, folder.at('x.bvh'), '--floor', 'low'], /--floor is a height/],
      [[own, folder.at('x.bvh'), '--clip', 'run'], /has no such clip/],
      [[own, folder.at('x.bvh'), folder.at('y.bvh')], /3 files are named/],
    ] as const) {
      const run = await runCommand('clean', ...argv);
      expect(run.code).toBe(2);
      expect(run.out).toBe('');
      expect(run.err).toMatch(says);
    }
    expect(await readFile(own)).toEqual(before);
    expect(existsSync(folder.at('x.bvh'))).toBe(false);
  });
});
