import { execFile, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { createFolder } from '../test/folder.js';
import { runCommand, runInColumns } from '../test/run-command.js';
import { inspectSchema, retargetSchema } from '../test/schemas.js';
import { stickFigureBvh, stickFigureGltf } from '../test/stick-figure.js';

const repository = fileURLToPath(new URL('../../../', import.meta.url));
const bin = join(repository, 'packages/cli/bin/stuntdouble.js');
const COMMANDS = ['retarget', 'inspect', 'map', 'measure', 'convert'];

describe('help', () => {
  it('teaches: every command has a summary, examples, and what --json prints', async () => {
    const all = await runCommand('--help');
    expect([all.code, all.err]).toEqual([0, '']);
    for (const command of COMMANDS) {
      expect(all.out).toContain(command);
      const one = await runCommand(command, '--help', 'all');
      expect([one.code, one.err], command).toEqual([0, '']);
      expect(one.out).toContain('Examples:');
      expect(one.out).toContain(`$ stuntdouble ${command} `);
      expect(one.out).toContain('What --json prints:');
    }
    expect(all.out).toMatch(/Exit codes: 0 done, 1 .*, 2 wrong use, 3 done with warnings under --strict/);
  });

  it('names every option in the help that the command takes', async () => {
    const { out } = await runCommand('retarget', '--help', 'all');
    for (const option of [
      ...['--output', '--clip', '--keys', '--fps', '--range', '--speed', '--map', '--reference-source'],
      ...[
        '--reference-target',
        '--passes',
        '--skeleton',
        '--source-skeleton',
        '--replace',
        '--force',
        '--dry-run',
      ],
      ...['--strict', '--picture', '--root-motion', '--align', '--root-scale', '--animation-only', '--json'],
    ])
      expect(out).toContain(option);
  });

  it('shows the ten options that most people need, the groups, and where the rest is', async () => {
    const { out, code } = await runCommand('retarget', '--help');
    expect(code).toBe(0);
    const explained = [...out.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)(?: [<[]\S+)? {2,}\S/gm)].map(
      ([, flag]) => flag,
    );
    expect(explained.sort()).toEqual(
      [
        ...['--output', '--clip', '--range', '--fps', '--loop', '--root-motion', '--map', '--picture'],
        ...['--dry-run', '--force', '--help'],
      ].sort(),
    );
    expect(out).toContain('stuntdouble retarget --help all');
    expect(out).toMatch(/Turns: how limbs and joints follow\n +--.*--align/);
    const all = await runCommand('retarget', '--help', 'all');
    expect(all.out.length).toBeGreaterThan(2 * out.length);
  });

  it.each([80, 100])(
    'is wrapped to a terminal of %s letters; commands to be typed stay whole',
    async (columns) => {
      for (const words of [['--help'], ['retarget', '--help'], ['retarget', '--help', 'all']]) {
        const { out } = await runInColumns(columns, ...words);
        const long = out.split('\n').filter((line) => line.length > columns && !/^\s*\$ /.test(line));
        // A word that is longer than what is left of a line cannot be broken.
        expect(long.filter((line) => line.trim().includes(' ') && !/\S{25,}/.test(line))).toEqual([]);
      }
    },
  );

  it.each([
    ['--in-place', '--root-motion in-place'],
    ['--inPlace', '--root-motion in-place'],
    ['--no-feet', '--corrections none'],
    ['--scale', '--root-scale'],
    ['--rang', '--range'],
    ['--frame-rate', '--fps'],
    ['--out', '--output'],
    ['--pitcure', '--picture'],
  ])('%s is answered by a question for %s', async (typed, meant) => {
    const { err, code } = await runCommand('retarget', 'a.glb', 'b.glb', typed);
    expect(code).toBe(2);
    expect(err).toContain(`unknown option '${typed}'\n(Did you mean ${meant}?)`);
  });

  it('arguments that are too many are named, and the flags beside them that take no value', async () => {
    const { err, code } = await runCommand('inspect', 'walk.glb', '--contacts', 'contacts.json');
    expect(code).toBe(2);
    expect(err).toContain(
      "error: 'inspect' takes 1 argument, and got 2: walk.glb, contacts.json; --contacts takes no value\n",
    );
  });

  it.each(['--replac', '--forc', '--new-bin', '--write-throug', '--nonsense'])(
    'nothing is proposed for %s: what removes something is typed on purpose',
    async (typed) => {
      const { err } = await runCommand('retarget', 'a.glb', 'b.glb', typed);
      expect(err).toContain(`unknown option '${typed}'`);
      expect(err).not.toContain('Did you mean');
    },
  );

  it.each(['bash', 'zsh', 'fish'])('completes in %s: commands, options and their words', async (shell) => {
    const { out, code } = await runCommand('completion', shell);
    expect(code).toBe(0);
    for (const word of ['retarget', 'inspect', 'root-motion', 'in-place', 'picture'])
      expect(out).toContain(word);
  });

  it('- is standard input and standard output', () => {
    const samples = join(repository, 'samples/files');
    const words = ['retarget', '-', join(samples, 'characters/child.glb'), '-o', '-', '--range', '0:0.2'];
    const input = readFileSync(join(samples, 'motions/walk.bvh'));
    const { stdout, stderr, status } = spawnSync(process.execPath, [bin, ...words], { input });
    expect([status, stdout.toString('latin1', 0, 4)]).toEqual([0, 'glTF']);
    expect(stdout.readUInt32LE(8)).toBe(stdout.length);
    expect(stderr.toString()).toMatch(/joints driven/);
    const bvh = spawnSync(process.execPath, [bin, ...words.slice(0, 4), '-.bvh'], { input });
    expect(bvh.stdout.toString()).toMatch(/^HIERARCHY/);
    const empty = spawnSync(process.execPath, [bin, ...words], { input: '' });
    expect([empty.status, empty.stderr.toString()]).toEqual([
      2,
      'error: standard input is empty; "-" reads a file from there\n',
    ]);
  });

  it('files that seem to be swapped are noticed, also where both have clips', async () => {
    const sample = (path: string) => join(repository, 'samples/files', path);
    const dog = sample('animals/dog.glb');
    const words = (a: string, b: string) => ['retarget', a, b, '--dry-run', '--no-measure'];
    const swapped = await runCommand(...words(sample('formats/guy-walk.fbx'), sample('motions/walk.bvh')));
    expect(swapped.out).toMatch(/files-swapped[\s\S]*exchange the two; the motion comes first/);
    for (const [from, to] of [
      [sample('motions/walk.bvh'), sample('formats/guy-walk.fbx')],
      [dog, dog],
    ])
      expect((await runCommand(...words(from!, to!))).out).not.toContain('files-swapped');
  });

  it('completion knows three shells', async () => {
    const { err, code } = await runCommand('completion', 'tcsh');
    expect([code, err]).toEqual([2, 'error: completion knows bash, zsh and fish, not "tcsh"\n']);
  });

  it('the script for bash runs, and completes', () => {
    const { stdout: script } = spawnSync(process.execPath, [bin, 'completion', 'bash'], { encoding: 'utf8' });
    const ask = (...words: string[]) =>
      spawnSync(
        'bash',
        [
          '-c',
          `${script}\nCOMP_WORDS=(stuntdouble ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}; _stuntdouble; echo "\${COMPREPLY[@]}"`,
        ],
        { encoding: 'utf8' },
      ).stdout.trim();
    expect(ask('ret')).toBe('retarget');
    expect(ask('retarget', '--root-mo')).toBe('--root-motion-file --root-motion --root-motion-joint');
    expect(ask('retarget', '--root-motion', 'in')).toBe('in-place');
  });

  it('is what wrong use leads to', async () => {
    const nothing = await runCommand();
    expect([nothing.code, nothing.out]).toEqual([2, '']);
    const typo = await runCommand('retraget', 'a', 'b');
    expect([typo.code, typo.out]).toEqual([2, '']);
    expect(typo.err).toMatch(/unknown command 'retraget'[\s\S]*retarget/);
    expect((await runCommand('inspect', 'a', 'b')).code).toBe(2);
  });

  it('knows its version', async () => {
    const { version } = JSON.parse(await readFile(join(repository, 'packages/cli/package.json'), 'utf8')) as {
      version: string;
    };
    expect(await runCommand('--version')).toEqual({ code: 0, out: `${version}\n`, err: '' });
  });
});

describe('the built command', () => {
  const folder = createFolder();
  let walk: string;
  let hero: string;
  beforeAll(async () => {
    expect(existsSync(join(repository, 'packages/cli/dist/main.js')), 'npm run build comes first').toBe(true);
    walk = await folder.put('walk.bvh', stickFigureBvh());
    hero = await folder.put('hero.gltf', stickFigureGltf());
  });

  const run = async (argv: string[], env: Record<string, string> = {}) => {
    try {
      const { stdout, stderr } = await promisify(execFile)(process.execPath, [bin, ...argv], {
        cwd: folder.path,
        env: { PATH: process.env.PATH ?? '', ...env },
      });
      return { code: 0, out: stdout, err: stderr };
    } catch (error) {
      const failed = error as { code: number; stdout: string; stderr: string };
      return { code: failed.code, out: failed.stdout, err: failed.stderr };
    }
  };

  it('inspects, retargets and measures, in a pipe without colours or progress', async () => {
    const inspected = await run(['inspect', walk, '--json']);
    expect([inspected.code, inspected.err]).toEqual([0, '']);
    expect(inspectSchema.parse(JSON.parse(inspected.out)).format).toBe('bvh');
    const made = await run(['retarget', walk, hero, '-o', 'out.glb', '--json']);
    expect([made.code, made.err]).toEqual([0, '']);
    expect(retargetSchema.parse(JSON.parse(made.out)).output).toBe('out.glb');
    const measured = await run(['measure', walk, 'out.glb']);
    expect([measured.code, measured.err]).toEqual([0, '']);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the escape that starts a colour.
    expect(inspected.out + made.out + measured.out).not.toMatch(/\u001b/);
  });

  it('paints only where it may', async () => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the escape that starts a colour.
    const paint = /\u001b\[/;
    expect((await run(['inspect', hero], { FORCE_COLOR: '1' })).out).toMatch(paint);
    expect((await run(['inspect', hero], { FORCE_COLOR: '1', NO_COLOR: '1' })).out).not.toMatch(paint);
    expect((await run(['inspect', hero, '--json'], { FORCE_COLOR: '1' })).out).not.toMatch(paint);
  });

  it('ends with each of its exit codes', async () => {
    expect((await run(['inspect', hero])).code).toBe(0);
    const failed = await run(['inspect', 'none.glb']);
    expect(failed).toMatchObject({ code: 1, out: '' });
    expect(failed.err).toMatch(/^error: [^\n]+\n$/);
    expect(await run(['inspect'])).toMatchObject({ code: 2, out: '' });
    const dog = join(repository, 'samples/files/animals/dog.glb');
    expect((await run(['inspect', dog, '--strict'])).code).toBe(3);
    // What was chosen is a note, and no warning.
    expect((await run(['inspect', walk, '--strict'])).code).toBe(0);
    const limits = ['measure', walk, walk, '--max-jerk', '0'];
    expect((await run(limits)).code).toBe(4);
  });

  it('takes it calmly when nobody reads on', async () => {
    const child = execFile('sh', [
      '-c',
      `"${process.execPath}" "${bin}" inspect "${walk}" --json | head -c 10`,
    ]);
    let err = '';
    child.stderr?.on('data', (text: string) => {
      err += text;
    });
    await new Promise((done) => child.on('close', done));
    expect(err).toBe('');
  });
});
