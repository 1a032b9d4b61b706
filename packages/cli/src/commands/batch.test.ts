import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { read } from '@stuntdouble/formats';
import type { ManifestEntry } from '@stuntdouble/jobs';
import {
  createPlainRunner,
  createThreadRunner,
  openBatchFolder,
  planBatch,
  runBatch,
} from '@stuntdouble/jobs/node';
import { describe, expect, it } from 'vitest';
import { createFolder, sampleFolder } from '../../test/folder.js';
import { runCommand, runHeard } from '../../test/run-command.js';
import { stickFigureBvh, stickFigureGltf } from '../../test/stick-figure.js';

const bin = fileURLToPath(new URL('../../bin/stuntdouble.js', import.meta.url));
const folder = createFolder();
const sources = folder.at('sources');
const targets = folder.at('targets');
mkdirSync(sources);
mkdirSync(targets);
writeFileSync(join(sources, 'walk.bvh'), stickFigureBvh());
// Of another size, and so of another family.
writeFileSync(join(sources, 'stroll.bvh'), stickFigureBvh('mixamo', { frames: 41, scale: 90 }));
writeFileSync(join(targets, 'one.gltf'), stickFigureGltf());
writeFileSync(join(targets, 'two.gltf'), stickFigureGltf({ bodies: 1 }));

const batch = async (out: string, ...more: string[]) => {
  const run = await runCommand(
    ...['batch', sources, '--onto', targets, '--out', out, '--workers', '0', '--json', ...more],
  );
  return { ...run, json: run.out === '' ? null : JSON.parse(run.out) };
};
const entriesOf = (out: string): ManifestEntry[] =>
  JSON.parse(readFileSync(join(out, 'manifest.json'), 'utf8')).cells;
const openLooks = (out: string) =>
  JSON.parse(readFileSync(join(out, '.stuntdouble/looks.json'), 'utf8')).files as object;
const resultsOf = (out: string) =>
  readdirSync(out, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(glb|gltf|bin|bvh)$/.test(path))
    .sort();
const hashOf = (out: string) => {
  const hash = createHash('sha256');
  for (const path of resultsOf(out)) hash.update(path).update(readFileSync(join(out, path)));
  return hash.digest('hex');
};

describe('batch', () => {
  it('does every cell, tells of each in the manifest, and nothing again that is up to date', async () => {
    const out = folder.at('plain');
    const first = await batch(out);
    expect(first).toMatchObject({ code: 0, json: { cells: 4, done: 4, upToDate: 0, failed: 0, left: 0 } });
    expect(resultsOf(out)).toEqual(['one/stroll.gltf', 'one/walk.gltf', 'two/stroll.gltf', 'two/walk.gltf']);
    const entries = entriesOf(out);
    expect(entries.map(({ source, target }) => `${source} ${target}`)).toContain(
      'sources/walk.bvh targets/one.gltf',
    );
    for (const { sha256, output, state, measures, mapped } of entries) {
      const bytes = readFileSync(join(out, output[0]!));
      expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256[0]);
      expect(state).toBe('done');
      expect(measures.direction).toBeGreaterThanOrEqual(0);
      expect(mapped).toBeGreaterThan(10);
    }
    expect(readFileSync(join(out, 'manifest.csv'), 'utf8').trim().split('\n')).toHaveLength(5);
    expect((await batch(out)).json).toMatchObject({ done: 0, upToDate: 4 });
    expect(existsSync(join(out, '.stuntdouble/lock'))).toBe(false);

    // What is gone, and what somebody has changed, is done again, to the same bytes.
    const before = hashOf(out);
    rmSync(join(out, 'one/walk.gltf'));
    writeFileSync(join(out, 'two/walk.gltf'), 'mine');
    expect((await batch(out)).json).toMatchObject({ done: 2, upToDate: 2 });
    expect(hashOf(out)).toBe(before);
    // Another option is another result.
    expect((await batch(out, '--mirror')).json).toMatchObject({ done: 4, upToDate: 0 });
    expect(hashOf(out)).not.toBe(before);
  });

  it('does again what hangs on a file that has changed, lists what is left over, and removes it when told to', async () => {
    const out = folder.at('changed');
    const own = folder.at('own');
    cpSync(sources, own, { recursive: true });
    const run = async (...more: string[]) =>
      JSON.parse(
        (await runCommand('batch', own, '--onto', targets, '--out', out, '--workers', '0', '--json', ...more))
          .out,
      );
    await run();
    writeFileSync(join(own, 'walk.bvh'), stickFigureBvh('mixamo', { frames: 21 }));
    expect(await run()).toMatchObject({ done: 2, upToDate: 2, orphans: [] });
    rmSync(join(own, 'stroll.bvh'));
    const left = ['one/stroll.gltf', 'two/stroll.gltf'];
    expect(await run()).toMatchObject({ cells: 2, upToDate: 2, orphans: left });
    expect(resultsOf(out)).toHaveLength(4);
    const argv = ['batch', own, '--onto', targets, '--out', out, '--workers', '0'];
    expect((await runCommand(...argv)).out).toContain('--prune removes them');
    const { out: printed } = await runCommand(...argv, '--prune');
    expect(printed).toContain(
      'removed 2 files of cells that are no part of this any more:\n  one/stroll.gltf',
    );
    expect(resultsOf(out)).toEqual(['one/walk.gltf', 'two/walk.gltf']);
    expect((await runCommand(...argv, '--prune')).out).not.toContain('removed');
  });

  it('does copies of a file once, and says of each where its result is, also when it was moved', async () => {
    const [own, out] = [folder.at('copied'), folder.at('of-copies')];
    for (const day of ['day1', 'day2', 'day3']) mkdirSync(join(own, day), { recursive: true });
    for (const day of ['day1', 'day2']) writeFileSync(join(own, day, 'walk.bvh'), stickFigureBvh());
    const run = async (...more: string[]) => {
      const argv = ['batch', own, '--onto', join(targets, 'one.gltf'), '--out', out, '--workers', '0'];
      return runCommand(...argv, '--json', ...more);
    };
    const walks = () => entriesOf(out).map(({ source, output }) => [source, output[0]]);
    expect(JSON.parse((await run()).out)).toMatchObject({ cells: 2, done: 2, left: 0 });
    expect(walks()).toEqual([
      ['copied/day1/walk.bvh', 'one/walk.gltf'],
      ['copied/day2/walk.bvh', 'one/walk.gltf'],
    ]);
    renameSync(join(own, 'day2/walk.bvh'), join(own, 'day3/walk.bvh'));
    expect(JSON.parse((await run()).out)).toMatchObject({ cells: 2, done: 0, upToDate: 2, orphans: [] });
    expect(walks()[1]).toEqual(['copied/day3/walk.bvh', 'one/walk.gltf']);

    // Other bytes of that name cannot be told apart; what was seen of them is kept for the command that follows.
    writeFileSync(join(own, 'day3/walk.bvh'), stickFigureBvh('mixamo', { frames: 23 }));
    const refused = await run();
    expect(refused.code).toBe(2);
    expect(refused.err).toContain("such as '{target}/{path}/{source}{ext}'");
    expect(Object.keys(openLooks(out))).toHaveLength(2);
    expect(JSON.parse((await run('--name', '{target}/{path}/{source}{ext}')).out).done).toBe(2);
    expect(resultsOf(out).filter((path) => path.startsWith('one'))).toEqual([
      'one/day1/walk.gltf',
      'one/day3/walk.gltf',
      'one/walk.gltf',
    ]);
  });

  it('stays with --watch, does what comes, says so, and removes nothing', async () => {
    const [own, out] = [folder.at('watched-own'), folder.at('watched')];
    cpSync(sources, own, { recursive: true });
    const rounds: string[] = [];
    const { code } = await runHeard(
      (line, stop) => {
        if (!line.includes('waits for changes')) return;
        rounds.push(line);
        if (rounds.length > 1) return stop();
        rmSync(join(own, 'stroll.bvh'));
        writeFileSync(join(own, 'run.bvh'), stickFigureBvh('mixamo', { frames: 22 }));
      },
      ...['batch', own, '--onto', targets, '--out', out, '--workers', '0', '--watch', '--prune'],
    );
    expect(code).toBe(0);
    expect(rounds).toEqual([
      expect.stringMatching(/^done 4 of 4 cells .* Ctrl-C ends it$/),
      expect.stringMatching(/^done 4 of 4 cells .* Ctrl-C ends it$/),
    ]);
    expect(resultsOf(out)).toContain('one/run.gltf');
    expect(resultsOf(out)).toContain('one/stroll.gltf');
  });

  it('says with --watch at once what fails and why, and no second time what failed before', async () => {
    const [own, out] = [folder.at('watched-broken'), folder.at('watched-broken-out')];
    cpSync(sources, own, { recursive: true });
    const rounds: string[] = [];
    await runHeard(
      (line, stop) => {
        if (!line.includes('waits for changes')) return;
        rounds.push(line);
        if (rounds.length === 1) writeFileSync(join(own, 'broken.bvh'), 'HIERARCHY\nROOT');
        else if (rounds.length === 2)
          writeFileSync(join(own, 'run.bvh'), stickFigureBvh('mixamo', { frames: 22 }));
        else stop();
      },
      ...['batch', own, '--onto', targets, '--out', out, '--workers', '0', '--watch'],
    );
    expect(rounds[1]).toMatch(/^done 4 of 6 cells .*\n2 cells failed\n {2}.*broken\.bvh → .*: cannot read/);
    expect(rounds[2]).toMatch(/^done 6 of 8 cells .* Ctrl-C ends it$/);
  });

  it('goes on where a file is broken: that cell fails with its sentence, and only that', async () => {
    const out = folder.at('broken');
    const own = folder.at('with-broken');
    cpSync(sources, own, { recursive: true });
    writeFileSync(join(own, 'broken.bvh'), 'HIERARCHY\nROOT');
    writeFileSync(join(own, 'empty.glb'), '');
    const argv = ['batch', own, '--onto', targets, '--out', out, '--workers', '0'];
    const { code, out: told } = await runCommand(...argv, '--junit', folder.at('r.xml'));
    expect(code).toBe(1);
    expect(told).toMatch(/^done 4 of 8 cells/);
    expect(told).toContain('4 cells failed');
    const failed = entriesOf(out).filter(({ state }) => state === 'failed');
    expect(failed.map(({ source }) => source.replace(/.*\//, '')).sort()).toEqual(
      ['broken.bvh', 'broken.bvh', 'empty.glb', 'empty.glb'].sort(),
    );
    for (const { error } of failed) {
      expect(error!.sentence).toMatch(/^cannot read /);
      expect(error!.sentence).not.toContain(folder.path);
    }
    expect(readFileSync(folder.at('r.xml'), 'utf8')).toContain('tests="8" failures="0" errors="4"');
    // It is not tried again while the file is the same, unless told to.
    const lines = () => readFileSync(join(out, 'manifest.csv'), 'utf8');
    const before = lines();
    expect((await runCommand(...argv)).code).toBe(1);
    expect(lines()).toBe(before);
  });

  it('holds limits against every cell, also of those that were done before, and ends with 4', async () => {
    const out = folder.at('limits');
    await batch(out);
    const { code, json } = await batch(out, '--max-direction', '0', '--junit', folder.at('limits.xml'));
    expect(code).toBe(4);
    expect(json).toMatchObject({ done: 0, upToDate: 4, limitsNotKept: 4 });
    expect(readFileSync(folder.at('limits.xml'), 'utf8')).toContain('tests="4" failures="4" errors="0"');
    expect((await batch(out, '--max-direction', '180')).code).toBe(0);
  });

  it('says what it would do and what room that takes, and writes no result', async () => {
    const out = folder.at('dry');
    const { json, code } = await batch(out, '--dry-run');
    expect(code).toBe(0);
    expect(json).toMatchObject({ cells: 4, done: 0, left: 4 });
    expect(resultsOf(out)).toEqual([]);
  });

  it.each([
    '--format glb --animation-only',
    '--format glb --animation-only --compress',
    '--format gltf --animation-only',
    '--format bvh',
  ])('guesses what room results take from what sources hold: %s', async (typed) => {
    const flags = typed.split(' ');
    const out = folder.at(`room${flags.join('')}`);
    const captures = ['walk-cmu', 'lie-down-cmu', 'walk-mixamo'].map((name) =>
      join(sampleFolder, `captures/${name}.bvh`),
    );
    const argv = ['batch', ...captures, '--onto', join(sampleFolder, 'characters/vrm-girl.vrm')];
    const run = async (...more: string[]) =>
      JSON.parse(
        (await runCommand(...argv, '--out', out, '--workers', '0', '--no-measure', '--json', ...more)).out,
      ).bytes as number;
    const guessed = await run(...flags, '--dry-run');
    const taken = await run(...flags);
    expect(guessed / taken).toBeGreaterThan(0.5);
    expect(guessed / taken).toBeLessThan(2);
  });

  it('never puts a result in the place of a file that it reads, nor takes its results for files to read', async () => {
    const out = folder.at('own-characters');
    cpSync(targets, out, { recursive: true });
    const before = hashOf(out);
    const onto = (...more: string[]) =>
      runCommand('batch', sources, '--onto', out, '--out', out, '--workers', '0', ...more);
    for (const flags of [
      ['--layout', 'character'],
      ['--name', '{target}{ext}'],
    ]) {
      const { code, err } = await onto(...flags);
      expect(code).toBe(2);
      expect(err).toContain('would be one.gltf, in place of a file that the batch reads');
    }
    // By a link it is the same folder.
    symlinkSync(out, folder.at('same'));
    const linked = await runCommand(
      ...['batch', sources, '--onto', folder.at('same'), '--out', out, '--layout', 'character'],
      ...['--workers', '0'],
    );
    expect(linked.err).toContain('in place of a file that the batch reads');
    expect(hashOf(out)).toBe(before);
    expect((await onto()).out).toMatch(/^done 4 of 4 cells .* 0 were up to date/);
    expect((await onto()).out).toMatch(/^done 4 of 4 cells .* 4 were up to date/);
  });

  it('says beforehand which files cannot be read, and which cells failed before', async () => {
    writeFileSync(folder.at('unread.bvh'), '');
    const flags = ['--onto', targets, '--out', folder.at('dry-unread'), '--workers', '0'];
    const whole = ['batch', sources, folder.at('unread.bvh'), ...flags];
    const first = await runCommand(...whole, '--dry-run', '--json');
    expect(JSON.parse(first.out)).toMatchObject({ cells: 6, left: 6, failed: 0, unreadable: ['unread.bvh'] });
    expect((await runCommand(...whole)).code).toBe(1);
    const again = await runCommand(...whole, '--dry-run');
    expect(again.out).toContain('6 cells: 4 up to date, 0 to do');
    expect(again.out).toContain('2 cells failed before by their files (--retry-failed tries them again)');
    expect(again.out).toContain('1 file cannot be read:\n  unread.bvh');
    writeFileSync(folder.at('no-hero.vrm'), '');
    const heroes = ['--onto', targets, folder.at('no-hero.vrm'), '--out', folder.at('dry-no-hero')];
    const dry = await runCommand('batch', sources, ...heroes, '--workers', '0', '--dry-run');
    expect(dry.out).toContain('1 file cannot be read:\n  no-hero.vrm');
  });

  it('makes a page that needs nothing else, with a picture of each of the worst', async () => {
    const out = folder.at('gallery');
    await batch(out, '--gallery', '--no-measure');
    const page = readFileSync(join(out, 'index.html'), 'utf8');
    expect(page.match(/<section>/g)).toHaveLength(4);
    // What was not measured is not called good.
    expect(page.match(/not measured/g)).toHaveLength(4);
    expect(page).not.toContain('<p>good');
    expect(page.match(/src="data:image\/png;base64,iVBOR/g)).toHaveLength(4);
    expect(page).not.toMatch(/(src|href)="https?:/);
    expect(page).toContain('href="one/walk.gltf"');
    // Each has its report card beside it, which needs nothing else either.
    const cards = [...page.matchAll(/href="(\.stuntdouble\/cards\/[\da-f]+\.html)"/g)].map(([, way]) => way!);
    expect(new Set(cards).size).toBe(4);
    for (const way of cards) {
      const card = readFileSync(join(out, way), 'utf8');
      expect(card).toContain('Report card');
      expect(card).toContain('slide');
      expect(card).not.toMatch(/(src|href)="https?:/);
    }
    // A part of a clip is not laid beside the whole.
    const cut = folder.at('gallery-cut');
    await batch(cut, '--gallery', '--no-measure', '--range', '0:0.3');
    expect(readFileSync(join(cut, 'index.html'), 'utf8')).not.toContain('report card');
  });

  it('tells once of cells that fail for one reason, in words and in the page, each by its name', async () => {
    const broken = folder.at('broken.gltf');
    writeFileSync(broken, '{');
    const out = folder.at('one-reason');
    const flags = ['--out', out, '--workers', '0', '--gallery', '--no-measure'];
    const { out: told } = await runCommand('batch', sources, '--onto', broken, ...flags);
    expect(told).toContain('2 cells failed');
    expect(told.match(/cannot read broken\.gltf/g)).toHaveLength(1);
    expect(told).toContain('(the same for 1 more)');
    const page = readFileSync(join(out, 'index.html'), 'utf8');
    expect(page.match(/<section>/g)).toHaveLength(1);
    for (const name of ['stroll', 'walk'])
      expect(page).toContain(`data-name="sources/${name}.bvh broken.gltf `);
  });

  it('writes one file a character with all clips, from cells that are kept, and again only what has changed', async () => {
    const own = folder.at('to-join');
    cpSync(sources, own, { recursive: true });
    const out = folder.at('joined');
    const run = async (...more: string[]) =>
      JSON.parse(
        (
          await runCommand(
            ...['batch', own, '--onto', targets, '--out', out, '--workers', '0', '--json'],
            ...['--layout', 'character', ...more],
          )
        ).out,
      );
    expect(await run()).toMatchObject({ done: 4, failed: 0, characters: ['one.gltf', 'two.gltf'] });
    expect(resultsOf(out)).toEqual(['one.gltf', 'two.gltf']);
    // The clips are those that cells have by themselves, to the last bit.
    const apart = folder.at('apart');
    await runCommand('batch', own, '--onto', targets, '--out', apart, '--workers', '0');
    const joined = (await read(join(out, 'one.gltf'))).characters[0]!.clips;
    expect(joined.map(({ name }) => name)).toEqual(['stroll', 'walk']);
    for (const clip of joined)
      expect((await read(join(apart, `one/${clip.name}.gltf`))).characters[0]!.clips.at(-1)).toEqual(clip);

    const before = hashOf(out);
    const lines = readFileSync(join(out, 'manifest.jsonl'), 'utf8');
    expect(await run()).toMatchObject({ done: 0, upToDate: 4, characters: ['one.gltf', 'two.gltf'] });
    expect(readFileSync(join(out, 'manifest.jsonl'), 'utf8')).toBe(lines);
    writeFileSync(join(out, 'one.gltf'), 'mine');
    expect(await run()).toMatchObject({ done: 0, upToDate: 4 });
    expect(hashOf(out)).toBe(before);
    // A cell that fails is left out of its character, and another file joins it.
    writeFileSync(join(own, 'broken.bvh'), 'HIERARCHY');
    cpSync(join(own, 'walk.bvh'), join(own, 'amble.bvh'));
    expect(await run()).toMatchObject({ done: 2, upToDate: 4, failed: 2, orphans: [] });
    const { characters } = await read(join(out, 'one.gltf'));
    expect(characters[0]!.clips.map(({ name }) => name)).toEqual(['amble', 'stroll', 'walk']);
  });

  it('writes one file a clip where names say so: in the manifest, the reports and the page, and again only what has changed', async () => {
    const own = folder.at('library');
    mkdirSync(own);
    const library = (...clips: string[]) =>
      writeFileSync(join(own, 'moves.gltf'), stickFigureGltf({ naming: 'mixamo', clips }));
    library('Idle', 'Walk: fast');
    writeFileSync(join(own, 'broken.bvh'), 'HIERARCHY');
    const out = folder.at('by-clip');
    const argv = ['batch', own, '--onto', targets, '--out', out, '--workers', '0', '--format', 'glb'];
    const named = [...argv, '--name', '{target}/{clip}{ext}'];
    const dry = await runCommand(...named, '--dry-run');
    expect(dry.out).toContain('6 cells: 0 up to date, 6 to do');
    expect(dry.out).toMatch(/moves\.gltf \(Walk: fast\) → .*one\.gltf: .*one\/Walk_fast\.glb/);
    const run = async (...more: string[]) => JSON.parse((await runCommand(...named, '--json', ...more)).out);
    const xml = folder.at('by-clip.xml');
    expect(await run('--junit', xml, '--gallery')).toMatchObject({ cells: 6, done: 4, failed: 2 });
    expect(resultsOf(out)).toEqual([
      'one/Idle.glb',
      'one/Walk_fast.glb',
      'two/Idle.glb',
      'two/Walk_fast.glb',
    ]);
    const done = entriesOf(out).filter(({ state }) => state === 'done');
    expect(done.map(({ clip, ofClip }) => [clip, ofClip])).toContainEqual([['Walk: fast'], 'Walk: fast']);
    expect(readFileSync(xml, 'utf8')).toMatch(/name="library\/moves\.gltf \(Walk: fast\)"/);
    expect(readFileSync(xml, 'utf8')).toContain('tests="6" failures="0" errors="2"');
    const page = readFileSync(join(out, 'index.html'), 'utf8');
    expect(page).toContain('">library/moves.gltf (Walk: fast) → targets/one.gltf</h2>');
    expect(page.match(/src="data:image\/png/g)).toHaveLength(4);
    expect(page.match(/report card<\/a>/g)).toHaveLength(4);

    // The clips are those of one file with all of them, to the last bit.
    const whole = folder.at('with-all-clips');
    await runCommand('batch', own, '--onto', targets, '--out', whole, '--workers', '0', '--format', 'glb');
    for (const clip of (await read(join(whole, 'one/moves.glb'))).characters[0]!.clips) {
      const name = clip.name.replace(': ', '_');
      expect((await read(join(out, `one/${name}.glb`))).characters[0]!.clips).toEqual([clip]);
    }
    expect(await run()).toMatchObject({ done: 0, upToDate: 4, failed: 2 });
    // One clip alone is the same cell; another name is another file of the same bytes.
    expect(await run('--clip', 'Idle')).toMatchObject({
      cells: 4,
      upToDate: 2,
      orphans: ['one/Walk_fast.glb', 'two/Walk_fast.glb'],
    });
    rmSync(join(out, 'one/Idle.glb'));
    expect(await run()).toMatchObject({ done: 1, upToDate: 3 });
    const flat = JSON.parse((await runCommand(...argv, '--name', '{clip}-{target}{ext}', '--json')).out);
    expect(flat).toMatchObject({ done: 4, upToDate: 0 });
    expect(readFileSync(join(out, 'Idle-one.glb')).equals(readFileSync(join(out, 'one/Idle.glb')))).toBe(
      true,
    );
    // Clips whose files would be one are refused before any work.
    library('Idle', 'idle');
    const { code, err } = await runCommand(...named);
    expect(code).toBe(2);
    expect(err).toMatch(
      /Idle of .*moves\.gltf on .* and idle of .*moves\.gltf on .* would both be one\/idle\.glb/,
    );
  });

  it('does cells that are understood by a file which has gone since, to the same bytes', async () => {
    const own = folder.at('vanishing');
    mkdirSync(own);
    for (const name of ['walk-cmu', 'crawl-cmu'])
      cpSync(`${sampleFolder}captures/${name}.bvh`, join(own, `${name}.bvh`));
    const argv = ['batch', own, '--onto', `${sampleFolder}characters/goblin.glb`, '--animation-only'];
    const there = folder.at('speaker-there');
    await runCommand(...argv, '--out', there, '--workers', '0');
    const out = folder.at('speaker-gone');
    const batch = {
      ...{ sources: [own], targets: [`${sampleFolder}characters/goblin.glb`], folder: openBatchFolder(out) },
      ...{ settings: { animationOnly: true }, recipes: new Map(), read: {}, version: 'x', limits: {} },
    };
    const plan = await planBatch(batch);
    const runner = createPlainRunner();
    const entries = await runBatch(batch, plan, {
      runner: {
        ...runner,
        run(order) {
          rmSync(join(own, 'walk-cmu.bvh'), { force: true });
          return runner.run(order);
        },
      },
    });
    batch.folder.close();
    const [crawl] = entries.filter(({ source }) => source.endsWith('crawl-cmu.bvh'));
    expect(crawl).toMatchObject({ state: 'done', error: null });
    expect(crawl!.family[0]).toMatch(/walk-cmu\.bvh$/);
    const result = (where: string) => readFileSync(join(where, 'goblin/crawl-cmu.glb'));
    expect(result(out).equals(result(there))).toBe(true);
    // What was kept for it goes when nothing is understood by it any more.
    expect(readdirSync(join(out, '.stuntdouble/families'))).toHaveLength(1);
    await runCommand(...argv, '--out', out, '--workers', '0');
    expect(readdirSync(join(out, '.stuntdouble/families'))).toHaveLength(0);
  });

  it('lets the capture that stands best speak for all of its skeleton, and says so', async () => {
    const out = folder.at('family');
    const captures = ['walk-cmu', 'crawl-cmu'].map((name) => `${sampleFolder}captures/${name}.bvh`);
    const onto = ['--onto', `${sampleFolder}characters/goblin.glb`, '--out', out, '--workers', '0'];
    const dry = await runCommand('batch', ...captures, ...onto, '--dry-run');
    expect(dry.out).toContain('walk-cmu.bvh says how 1 other file of its skeleton stands');
    await runCommand('batch', ...captures, ...onto, '--animation-only');
    expect(entriesOf(out).map(({ family }) => family.map((path) => path.split('/').at(-1)))).toEqual([
      ['walk-cmu.bvh'],
      [],
    ]);
    // As `retarget` does it when it is told.
    const alone = folder.at('crawl.glb');
    const recipe = folder.at('crawl.json');
    const told = ['--reference-from', captures[0]!, '--animation-only', '-o', alone];
    await runCommand('retarget', captures[1]!, onto[1]!, ...told, '--save-recipe', recipe);
    const bytes = readFileSync(join(out, 'goblin/crawl-cmu.glb'));
    expect(bytes.equals(readFileSync(alone))).toBe(true);
    // And as its recipe says, which names the files as they lie beside it, and their bytes.
    const saved = JSON.parse(readFileSync(recipe, 'utf8'));
    const sha256 = createHash('sha256').update(readFileSync(captures[1]!)).digest('hex');
    expect(saved.source).toMatchObject({ sha256, family: [relative(folder.path, captures[0]!)] });
    expect(saved.madeWith).toMatch(/^\d+\.\d+\.\d+/);
    await runCommand(
      'retarget',
      captures[1]!,
      onto[1]!,
      '--animation-only',
      '-o',
      alone,
      '--force',
      '--recipe',
      recipe,
    );
    expect(bytes.equals(readFileSync(alone))).toBe(true);
  });

  it('refuses a folder that another batch is writing, and takes over from one that is no more', async () => {
    const out = folder.at('locked');
    mkdirSync(join(out, '.stuntdouble'), { recursive: true });
    const lock = join(out, '.stuntdouble/lock');
    writeFileSync(lock, JSON.stringify({ pid: process.ppid, host: hostname() }));
    const refused = await batch(out);
    expect(refused.code).toBe(1);
    expect(refused.err).toMatch(/is being written by another batch \(process \d+ on /);
    writeFileSync(lock, JSON.stringify({ pid: 2 ** 22 + 12345, host: hostname() }));
    expect((await batch(out)).code).toBe(0);
  });

  it.each([
    [['--recipe', 'a.json', '--recipes', 'b'], /give one/],
    [['--map', 'a.json'], /--map is for one pair of files/],
    [['--name', '{target}{ext}'], /would both be/],
    [['--format', 'usd'], /--format usd/],
    [['--layout', 'heap'], /there are cell and character/],
    [['--layout', 'character', '--format', 'bvh'], /holds one clip/],
    [['--layout', 'character', '--name', '{source}{ext}'], /there is no \{source\}/],
  ])('refuses %j as wrong use', async (argv, message) => {
    const { code, err } = await batch(folder.at('refused'), ...argv);
    expect(code).toBe(2);
    expect(err).toMatch(message);
  });
});

describe('batch in threads', () => {
  const start = (...argv: string[]) => {
    const child = spawn(process.execPath, [bin, 'batch', ...argv], { stdio: ['ignore', 'pipe', 'pipe'] });
    let told = '';
    child.stdout.on('data', (chunk: Buffer) => {
      told += chunk.toString();
    });
    return { child, ended: once(child, 'close').then(([code]) => ({ code: code as number, told })) };
  };
  const many = ['walk-cmu', 'walk-neuron', 'walk-smpl', 'walk-xsens'].map(
    (name) => `${sampleFolder}captures/${name}.bvh`,
  );
  const onto = ['--onto', `${sampleFolder}characters/goblin.glb`];

  it('gives the same bytes as without threads, and after Ctrl-C the same command goes on where it was', async () => {
    const plain = folder.at('no-threads');
    await runCommand('batch', ...many, ...onto, '--out', plain, '--workers', '0');
    const threads = folder.at('threads');
    const { child, ended } = start(...many, ...onto, '--out', threads, '--workers', '1');
    const lines = () =>
      existsSync(join(threads, 'manifest.jsonl'))
        ? readFileSync(join(threads, 'manifest.jsonl'), 'utf8').split('\n').length - 1
        : 0;
    while (lines() === 0 && child.exitCode === null) await new Promise((done) => setTimeout(done, 50));
    child.kill('SIGINT');
    const stopped = await ended;
    const half = lines();
    expect(stopped.code).toBe(130);
    expect(half).toBeGreaterThan(0);
    expect(half).toBeLessThan(many.length);
    expect(resultsOf(threads)).toHaveLength(half);
    const rest = await start(...many, ...onto, '--out', threads, '--workers', '2', '--json').ended;
    expect(JSON.parse(rest.told)).toMatchObject({ done: many.length - half, upToDate: half, failed: 0 });
    expect(hashOf(threads)).toBe(hashOf(plain));
  });

  it('goes on where a file ends or hangs the thread that looks at it, and tells of that file alone', async () => {
    const own = folder.at('poisoned');
    mkdirSync(own);
    const names = ['good', 'poison-exits', 'poison-hangs', 'poison-hangs-too'];
    // The last two have the same bytes.
    for (const [n, name] of names.entries())
      writeFileSync(join(own, `${name}.bvh`), stickFigureBvh('mixamo', { frames: 20 + Math.min(n, 2) }));
    const batch = {
      ...{ sources: [own], targets: [targets], folder: openBatchFolder(folder.at('poisoned-out')) },
      ...{ settings: {}, recipes: new Map(), read: {}, version: 'x', limits: {} },
    };
    const module = new URL('../../test/poison-thread.mjs', import.meta.url);
    const runner = createThreadRunner({ threads: 1, timeLimit: 4000, module });
    const plan = await planBatch(batch, runner);
    expect(plan.cells.map(({ source }) => source)).toEqual(['poisoned/good.bvh', 'poisoned/good.bvh']);
    expect(plan.unread.map(({ source, error }) => [source, error!.sentence])).toEqual([
      ['poisoned/poison-exits.bvh', 'the thread that did it ended before its time'],
      ['poisoned/poison-hangs-too.bvh', 'it took longer than 4 s'],
      ['poisoned/poison-hangs.bvh', 'it took longer than 4 s'],
    ]);
    const entries = await runBatch(batch, plan, { runner });
    await runner.close();
    batch.folder.close();
    expect(entries.map(({ state }) => state)).toEqual(['done', 'done']);
    // What was seen is known, and what was not is looked at again.
    expect(Object.keys(batch.folder.looks.files!)).toHaveLength(1);
  });

  it('ends a cell that takes too long, with a sentence, and nothing unfinished stays', async () => {
    const out = folder.at('slow');
    const argv = [...many.slice(0, 2), ...onto, '--out', out, '--workers', '1', '--time-limit', '0.001s'];
    const { code, told } = await start(...argv).ended;
    expect(code).toBe(1);
    expect(told).toContain('2 cells failed');
    expect(told).toContain('it took longer than 0 s');
    expect(resultsOf(out)).toEqual([]);
  });
});
