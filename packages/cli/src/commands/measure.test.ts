import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Track } from '@stuntdouble/core';
import { read, write } from '@stuntdouble/formats';
import { GATES } from '@stuntdouble/jobs';
import { beforeAll, describe, expect, it } from 'vitest';
import { createFolder } from '../../test/folder.js';
import { runCommand } from '../../test/run-command.js';
import { measureSchema } from '../../test/schemas.js';
import { stickFigureBvh, stickFigureGltf } from '../../test/stick-figure.js';

const folder = createFolder();
let source: string;
let target: string;
let result: string;
beforeAll(async () => {
  source = await folder.put('walk.gltf', stickFigureGltf({ naming: 'mixamo', clips: ['walk', 'run'] }));
  target = await folder.put('hero.gltf', stickFigureGltf({ clips: ['idle', 'walk'], height: 1.2 }));
  result = folder.at('out.glb');
  const { code, err } = await runCommand('retarget', source, target, '-o', result);
  expect(err).toBe('');
  expect(code).toBe(0);
});

async function measureJson(...argv: string[]) {
  const run = await runCommand('measure', ...argv, '--json');
  expect(run.err).toBe('');
  return measureSchema.parse(JSON.parse(run.out));
}

describe('measure', () => {
  it('pairs clips by name, also one whose name was taken, and finds its own results true', async () => {
    const { clips } = await measureJson(source, result, '--clip', 'walk=walk (2)', '--clip', 'run');
    expect(clips.map(({ name }) => name)).toEqual(['walk (2)', 'run']);
    for (const clip of clips) {
      expect(clip.direction.worst).toBeLessThan(0.1);
      expect(clip.rotation.worst).toBeLessThan(0.1);
      expect(Object.keys(clip.direction.limbs)).toEqual(
        expect.arrayContaining(['leftArm', 'rightArm', 'leftLeg']),
      );
    }
    expect((await measureJson(source, result)).clips.map(({ name }) => name)).toEqual(['walk (2)', 'run']);
    // The target's own clip of that name is left out, and named.
    expect((await runCommand('measure', source, result)).out).toMatch(
      /did not come from this source: .*walk/,
    );
  });

  it('tells a wrong motion from a right one', async () => {
    const { clips } = await measureJson(source, result, '--clip', 'walk=run');
    expect(clips[0]!.direction.worst).toBeGreaterThan(5);
  });

  it('prints the report card', async () => {
    const { out, code } = await runCommand('measure', source, result);
    expect(code).toBe(0);
    for (const text of [
      'direction',
      'rotation',
      'twist',
      'limb by limb',
      'leftArm',
      'not measured',
      '"idle"',
    ])
      expect(out).toContain(text);
  });

  it('says what it cannot pair, and what has no clips', async () => {
    const other = await runCommand('measure', source, result, '--clip', 'walk=nothing');
    expect([other.code, other.out]).toEqual([2, '']);
    expect(other.err).toMatch(/no clip "nothing"/);
    const still = await folder.put('still.gltf', stickFigureGltf());
    const none = await runCommand('measure', source, still);
    expect([none.code, none.out]).toEqual([1, '']);
    expect(none.err).toMatch(/still\.gltf has no clips/);
  });

  it('measures across formats', async () => {
    const capture = await folder.put('capture.bvh', stickFigureBvh());
    const out = folder.at('capture-out.bvh');
    expect((await runCommand('retarget', capture, target, '-o', out)).code).toBe(0);
    const { clips } = await measureJson(capture, out);
    expect(clips).toHaveLength(1);
    expect(clips[0]!.direction.worst).toBeLessThan(0.2);
  });
});

describe('the report card of feet and body', () => {
  const samples = fileURLToPath(new URL('../../../../samples/files/', import.meta.url));
  const walk = `${samples}motions/walk.glb`;
  let card: string;
  beforeAll(async () => {
    card = folder.at('goblin-walk.glb');
    // Plainly copied, so that the feet have something to tell.
    const { code } = await runCommand(
      'retarget',
      walk,
      `${samples}characters/goblin.glb`,
      '-o',
      card,
      '--passes',
      'copyRotations,moveRoot',
    );
    expect(code).toBe(0);
  });

  it('prints slide, contacts and the rest, and the source’s own beside them', async () => {
    const { out, code } = await runCommand('measure', walk, card);
    expect(code).toBe(0);
    for (const text of ['feet and body', 'slide', 'agree', 'ground', 'jerk']) expect(out).toContain(text);
    const { clips, pooled, limits } = await measureJson(walk, card);
    expect(clips[0]!.motion.slide!.result.mean).toBeGreaterThan(5);
    expect(clips[0]!.motion.slide!.source.mean).toBeLessThan(1);
    expect(pooled.slide!.mean).toBeCloseTo(clips[0]!.motion.slide!.result.mean, 6);
    expect(limits).toEqual([]);
  });

  it('a motion on its own body is without fault', async () => {
    const { pooled, limits } = await measureJson(walk, walk, '--min-agreement', '1', '--max-sunk', '0');
    expect(pooled).toMatchObject({ agreement: 1, sunk: 0, kneePops: 0, bendFlips: 0 });
    expect(limits.map(({ passed }) => passed)).toEqual([true, true]);
  });

  it('limits that are not kept fail the command and are told; kept ones do not', async () => {
    const all = ['--max-twist', '0.1', '--max-limits', '0', '--max-seam', '0.01'];
    const { limits: judged } = await measureJson(walk, walk, ...all);
    expect(judged.map(({ flag, passed }) => [flag, passed])).toEqual([
      ['max-twist', true],
      ['max-limits', true],
      ['max-seam', true],
    ]);
    const kept = await runCommand('measure', walk, card, '--max-direction', '0.1', '--max-slide', '1000');
    expect(kept.code).toBe(0);
    expect(kept.out).toContain('2 limits kept');
    const broken = await runCommand('measure', walk, card, '--max-direction', '0.1', '--max-slide', '1.5');
    expect(broken.code).toBe(4);
    expect(broken.out).toMatch(/failed "walk": [\d.]+ %\/s is more than --max-slide 1\.5/);
    expect(broken.out).not.toMatch(/failed.*max-direction/);
    const json = await runCommand('measure', walk, card, '--min-agreement', '0.99', '--json');
    expect(json.code).toBe(4);
    const { limits } = measureSchema.parse(JSON.parse(json.out));
    expect(limits).toHaveLength(1);
    expect(limits[0]).toMatchObject({ flag: 'min-agreement', clip: null, passed: false });
    expect(json.err).toContain('--min-agreement');
    for (const wrong of ['x', '-1', '']) {
      const run = await runCommand('measure', walk, card, '--max-slide', wrong);
      expect([run.code, run.out]).toEqual([2, '']);
    }
  });

  it('what cannot be measured is no failure, but it is told', async () => {
    const run = await runCommand(
      'measure',
      source,
      result,
      '--clip',
      'walk=walk (2)',
      '--max-self-contact',
      '0',
    );
    const told = measureSchema.parse(
      JSON.parse(
        (
          await runCommand(
            'measure',
            source,
            result,
            '--clip',
            'walk=walk (2)',
            '--max-self-contact',
            '0',
            '--json',
          )
        ).out,
      ),
    ).limits[0]!;
    expect(told.value).toBeNull();
    expect(run.code).toBe(0);
    expect(run.out).toContain('could not be judged');
  });

  it('--html writes a page that needs nothing else, --junit what machines read; neither replaces a file', async () => {
    const html = folder.at('card.html');
    const junit = folder.at('card.xml');
    const argv = [
      'measure',
      walk,
      card,
      '--html',
      html,
      '--junit',
      junit,
      '--max-slide',
      '1.5',
      '--max-tilt',
      '90',
    ];
    expect((await runCommand(...argv)).code).toBe(4);
    const page = await readFile(html, 'utf8');
    expect(page).toMatch(/^<!doctype html>/);
    for (const text of ['<svg', 'leftHeel', 'foot slide', 'contacts', 'bad frames', '--max-slide'])
      expect(page).toContain(text);
    // Nothing is fetched: pictures are in the page itself.
    expect(page.replaceAll(/src="data:image\/png;base64,[A-Za-z0-9+/=]+"/g, '')).not.toMatch(
      /(src|href)=|url\(|@import|<script|NaN/,
    );
    expect(page.indexOf('class="verdict')).toBeLessThan(page.indexOf('<section>'));
    const xml = await readFile(junit, 'utf8');
    expect(xml).toMatch(/tests="2" failures="1"/);
    expect(xml).toMatch(/<testcase classname="walk" name="max-slide"><failure message="[^"]*1\.5/);
    expect(xml).toMatch(/<testcase classname="walk" name="max-tilt"\/>/);
    for (const flag of ['--html', '--junit']) {
      const run = await runCommand('measure', walk, card, flag, card, '--force');
      expect([run.code, run.err]).toEqual([2, expect.stringContaining('is one of the files that are read')]);
    }
    const again = await runCommand(...argv);
    expect([again.code, again.out]).toEqual([1, '']);
    expect(again.err).toContain('--force');
    expect((await runCommand(...argv, '--force')).out).toContain('wrote');
    const same = await runCommand('measure', walk, card, '--html', folder.at('x'), '--junit', folder.at('x'));
    expect([same.code, existsSync(folder.at('x'))]).toEqual([2, false]);
  });

  it('--html says of every figure that it shows what it means', async () => {
    const html = folder.at('legend.html');
    await runCommand('measure', source, source, '--html', html);
    const page = await readFile(html, 'utf8');
    const explained = [...page.matchAll(/<dt>([^<]*)<\/dt><dd>\w/g)].flatMap(([, names]) =>
      names!.split(', '),
    );
    for (const { flag } of GATES) expect(explained).toContain(flag.slice(4));
  });

  it('--html shows the worst moments as pictures, the worst clip first, and says what is off', async () => {
    const scene = await read(`${samples}motions/walk.glb`);
    const { skeleton, clips } = scene.characters[0]!;
    const walks = { ...clips[0]!, name: 'walks' };
    const again = { ...clips[0]!, name: 'again' };
    // Hips lower than they were by 6 % of how high they are: feet that should stand are in the floor.
    const lower = ({ joint, channel, values, ...track }: Track): Track => ({
      ...{ ...track, joint, channel },
      values:
        channel === 'translation' && /hips/i.test(skeleton.names[joint]!)
          ? values.map((value, i) => value - 0.06 * skeleton.rest.translations[3 * joint + (i % 3)]!)
          : values,
    });
    const sunk = { ...again, tracks: again.tracks.map(lower) };
    const [source, result] = [folder.at('two.glb'), folder.at('sunk.glb')];
    await write(source, { scene, character: 0, clips: [walks, again] }, { replace: true });
    await write(result, { scene, character: 0, clips: [walks, sunk] }, { replace: true });
    const html = folder.at('moments.html');
    await runCommand('measure', source, result, '--html', html);
    const page = await readFile(html, 'utf8');
    expect(page.match(/<h2>\w+/g)!.slice(0, 2)).toEqual(['<h2>again', '<h2>walks']);
    expect(page).toMatch(/<li><img alt="[^"]+" src="data:image\/png;base64,iVBOR/);
    expect(page).toMatch(
      /the (left|right) (foot|toes) sinks where it should stand, by [\d.]+ % of the hip height/,
    );
    // The walk that is as it was has no moment to look at.
    expect(page.split('<h2>walks')[1]).not.toContain('<img');
  });

  it('names with markup stay text', async () => {
    const odd = await folder.put('odd.gltf', stickFigureGltf({ naming: 'mixamo', clips: ['<b>"&walk'] }));
    const html = folder.at('odd.html');
    const junit = folder.at('odd.xml');
    expect((await runCommand('measure', odd, odd, '--html', html, '--junit', junit)).code).toBe(0);
    for (const path of [html, junit]) {
      const text = await readFile(path, 'utf8');
      expect(text).toContain('&lt;b&gt;&quot;&amp;walk');
      expect(text).not.toContain('<b>');
    }
  });

  it('retarget sums the feet up in a line', async () => {
    const { out } = await runCommand('retarget', walk, `${samples}characters/child.glb`, '--dry-run');
    expect(out).toMatch(/feet slide [\d.]+ %\/s \(the source's own [\d.]+\), contacts agree to [\d.]+/);
    expect(out).toMatch(/^verdict: good, nothing to mend$/m);
  });
});
