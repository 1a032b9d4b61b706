import { readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createFolder } from '../test/folder.js';
import { runCommand } from '../test/run-command.js';
import { stickFigureBvh, stickFigureGltf } from '../test/stick-figure.js';

const folder = createFolder();

/** What a file can put into a name: escapes, line breaks, marks of direction, halves of characters, markup, length. */
const HOSTILE = [
  'a\u001b[2J\u001b]0;owned\u0007',
  'b\nerror: all is well\r\n',
  'c\u202egnp.exe\u2066\u200b\ufeff',
  'd\ud800\udfff\udc00',
  'e"><script>alert(1)</script>&\'',
  `f${'x'.repeat(5000)}`,
  `g${'\u0301'.repeat(500)}`,
  '__proto__',
  '../../h',
  'CON',
];

/** A file in which every joint and clip carries a hostile name in front of its own. */
function hostileGltf(name: (own: string, i: number) => string): string {
  const json = JSON.parse(stickFigureGltf({ clips: HOSTILE, naming: 'vrm' })) as {
    nodes: { name: string }[];
  };
  json.nodes.forEach((node, i) => {
    node.name = name(node.name, i);
  });
  return JSON.stringify(json);
}
const hostileName = (own: string, i: number) => `${own}_${HOSTILE[i % HOSTILE.length]}`;
const source = await folder.put('source.gltf', hostileGltf(hostileName));
const target = await folder.put('target.gltf', stickFigureGltf({ naming: 'mixamo' }));

const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029\u3164\u115f]/u;

/** Every text of a document. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) => [name, ...textsOf(each)]);
}

describe('names of hostile files', () => {
  const commands: [string, string[]][] = [
    ['inspect', ['inspect', source]],
    ['inspect --contacts', ['inspect', source, '--contacts']],
    ['map', ['map', source, target]],
    ['map backwards', ['map', target, source]],
    ['measure', ['measure', source, source]],
    ['convert', ['convert', source, folder.at('out.bvh'), '--dry-run']],
    ['retarget', ['retarget', source, target, '-o', folder.at('out.glb'), '--dry-run']],
    ['an error', ['retarget', source, target, '--clip', HOSTILE[1]!.repeat(20), '--dry-run']],
    ['an unknown option', ['inspect', source, `--${HOSTILE[0]}`]],
    ['a missing file', ['inspect', `${HOSTILE[1]}${'y'.repeat(2000)}.glb`]],
  ];
  it.each(commands)('show nothing but what can be seen: %s', async (_, argv) => {
    const { out, err } = await runCommand(...argv);
    expect(out + err).not.toBe('');
    for (const line of `${out}${err}`.split('\n')) expect(line).not.toMatch(HIDDEN);
    for (const line of err.split('\n')) expect(line.length).toBeLessThanOrEqual(310);
    expect(out).not.toMatch(/^error: all is well/m);
    const json = await runCommand(...argv, '--json');
    if (json.out === '') return;
    expect(json.out.replaceAll('\n', '')).not.toMatch(HIDDEN);
    const document = JSON.parse(json.out) as { warnings?: { message: string }[] };
    for (const text of textsOf(document)) expect(text).not.toMatch(/\p{Cs}/u);
    for (const { message } of document.warnings ?? []) {
      expect(message.length).toBeLessThanOrEqual(300);
      expect(message).not.toMatch(HIDDEN);
    }
  });

  it('are kept in JSON as they are', async () => {
    const { out } = await runCommand('inspect', source, '--json');
    const { clips } = JSON.parse(out) as { clips: { name: string }[] };
    expect(clips.map(({ name }) => name)).toEqual(
      HOSTILE.map((name) => name.replace('d\ud800\udfff\udc00', 'd\u{103ff}\ufffd')),
    );
  });

  it('are escaped in pages and reports', async () => {
    const [html, junit] = [folder.at('card.html'), folder.at('card.xml')];
    const { code } = await runCommand('measure', source, source, '--html', html, '--junit', junit);
    expect(code).toBe(0);
    for (const path of [html, junit]) {
      const text = readFileSync(path, 'utf8');
      expect(text).not.toContain('<script>alert');
      expect(text).toContain('&lt;script&gt;alert');
      expect(text.replace(/[\n\t]/g, '')).not.toMatch(HIDDEN);
    }
  });

  it('become files that every system takes, inside the folder, one a clip', async () => {
    const { code } = await runCommand('convert', source, folder.at('clips', 'o.bvh'));
    expect(code).toBe(1);
    const made = await runCommand(
      'convert',
      source,
      '--out-dir',
      folder.at('clips'),
      '--to',
      'bvh',
      '--json',
    );
    expect(made.code).toBe(0);
    const names = readdirSync(folder.at('clips'));
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(HOSTILE.length);
    for (const name of names) expect(name).toMatch(/^source-[\p{L}\p{N}._-]+\.bvh$/u);
  });
});

describe('names in --out-dir', () => {
  it('do not collide where they differ by case alone', async () => {
    const files = await Promise.all(
      ['Walk.bvh', 'walk.bvh', 'WALK.bvh', 'con.bvh'].map((name) =>
        folder.put(`in/${name}`, stickFigureBvh()),
      ),
    );
    for (const flags of [[], ['--force']]) {
      const { code, out } = await runCommand(
        'convert',
        ...files,
        '--out-dir',
        folder.at('out'),
        '--json',
        ...flags,
      );
      expect(code).toBe(0);
      const { files: done } = JSON.parse(out) as { files: { output: string }[] };
      expect(done.map(({ output }) => output)).toEqual(
        ['Walk.glb', 'walk-2.glb', 'WALK-3.glb', 'con_.glb'].map((name) => folder.at('out', name)),
      );
      expect(readdirSync(folder.at('out')).sort()).toEqual(
        ['Walk.glb', 'walk-2.glb', 'WALK-3.glb', 'con_.glb'].sort(),
      );
      if (flags.length === 0)
        expect((await runCommand('convert', ...files, '--out-dir', folder.at('out'))).code).toBe(1);
    }
  });
});

describe('outputs of one command', () => {
  it('are not one file', async () => {
    const same = folder.at('same.json');
    const twice = [
      ['inspect', source, '--contacts', '-o', same, '--armature', folder.at('SAME.json')],
      [
        ...['retarget', source, target, '-o', folder.at('x.glb'), '--root-motion', 'apart'],
        ...['--save-recipe', same, '--root-motion-file', same],
      ],
      ['measure', source, source, '--html', same, '--junit', same],
    ];
    for (const argv of twice) {
      const { code, err } = await runCommand(...argv);
      expect([code, err]).toEqual([2, expect.stringMatching(/written twice|are one file/)]);
    }
  });

  it('go through a link only where that is asked', async () => {
    await folder.put('links/real.json', 'mine');
    symlinkSync('real.json', folder.at('links', 'map.json'));
    symlinkSync('gone.json', folder.at('links', 'dangling.json'));
    const argv = (name: string, ...flags: string[]) =>
      runCommand('map', target, target, '-o', folder.at('links', name), ...flags);
    for (const name of ['map.json', 'dangling.json']) {
      const { code, err } = await argv(name, '--force');
      expect([code, err]).toEqual([1, expect.stringContaining('--write-through')]);
    }
    expect(readFileSync(folder.at('links', 'real.json'), 'utf8')).toBe('mine');
    expect((await argv('map.json', '--force', '--write-through')).code).toBe(0);
    expect(JSON.parse(readFileSync(folder.at('links', 'real.json'), 'utf8'))).toHaveProperty('version');
    expect(readdirSync(folder.at('links')).sort()).toEqual(['dangling.json', 'map.json', 'real.json']);
  });
});
