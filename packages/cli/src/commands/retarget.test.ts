import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { read } from '@stuntdouble/formats';
import { FILE_KINDS, WRITTEN_EXTENSIONS } from '@stuntdouble/formats/kinds';
import { decode } from 'fast-png';
import { beforeAll, describe, expect, it } from 'vitest';
import { createFolder, pathOf, present } from '../../test/folder.js';
import { runCommand } from '../../test/run-command.js';
import { retargetSchema } from '../../test/schemas.js';
import { stickFigureBvh, stickFigureGltf } from '../../test/stick-figure.js';

const folder = createFolder();
let source: string;
let capture: string;
let target: string;
beforeAll(async () => {
  source = await folder.put('moves.gltf', stickFigureGltf({ naming: 'mixamo', clips: ['walk', 'run'] }));
  capture = await folder.put('capture.bvh', stickFigureBvh());
  target = await folder.put('hero.gltf', stickFigureGltf({ clips: ['idle', 'walk'], height: 1.2 }));
});

async function retargetJson(...argv: string[]) {
  const run = await runCommand('retarget', ...argv, '--json');
  expect(run.err).toBe('');
  return { ...run, json: retargetSchema.parse(JSON.parse(run.out)) };
}

const clipNames = async (path: string) => (await read(path)).characters[0]!.clips.map(({ name }) => name);

describe('retarget', () => {
  it('W25: a clip of one track gives one, and --whole-body holds the rest', async () => {
    const document = JSON.parse(await readFile(source, 'utf8'));
    const [animation] = document.animations;
    const arm = document.nodes.findIndex(({ name }: { name?: string }) => /LeftArm$/.test(name ?? ''));
    animation.channels = animation.channels.filter(
      ({ target: { node, path } }: { target: { node: number; path: string } }) =>
        node === arm && path === 'rotation',
    );
    const one = await folder.put('one.gltf', JSON.stringify({ ...document, animations: [animation] }));
    const tracksOf = async (...words: string[]) => {
      const out = folder.at(`one-${words.length}.glb`);
      const goblin = fileURLToPath(
        new URL('../../../../samples/files/characters/goblin.glb', import.meta.url),
      );
      expect((await runCommand('retarget', one, goblin, '-o', out, ...words)).code).toBe(0);
      return (await read(out)).characters[0]!.clips.at(-1)!.tracks;
    };
    expect(await tracksOf()).toHaveLength(1);
    expect((await tracksOf('--whole-body')).length).toBeGreaterThan(5);
  });

  it('adds clips to the target and prints one JSON document of the promised shape', async () => {
    const out = folder.at('all.glb');
    const { json, code } = await retargetJson(source, target, '-o', out);
    expect(code).toBe(0);
    expect(json.output).toBe(out);
    expect(json.mapped).toBe(21);
    expect(json.clips.map(({ duration }) => duration)).toEqual([1, 1]);
    expect(json.clips.map(({ name }) => name)).toEqual(['walk (2)', 'run']);
    expect(json.measures.map(({ name }) => name)).toEqual(['walk (2)', 'run']);
    expect(json.notes.map(({ code: each }) => each)).toContain('clip-name-taken');
    expect(json.measures).toHaveLength(2);
    for (const { direction } of json.measures) expect(direction.worst).toBeLessThan(0.1);
    expect(await clipNames(out)).toEqual(['idle', 'walk', 'walk (2)', 'run']);
  });

  it('tells a person what was understood, what came out, and where it is', async () => {
    const out = folder.at('said.glb');
    const run = await runCommand('retarget', source, target, '-o', out, '--clip', 'run');
    expect([run.code, run.err]).toEqual([0, '']);
    for (const text of [
      'moves.gltf',
      'glTF',
      '21 joints',
      'rest pose',
      '21 of 21 joints driven',
      'direction',
      `wrote ${out}`,
    ])
      expect(run.out).toContain(text);
  });

  it('takes the clips that are named, and names what is there where one is not', async () => {
    const out = folder.at('one.glb');
    const { json } = await retargetJson(source, target, '-o', out, '--clip', 'run', '--replace');
    expect(json.clips.map(({ name }) => name)).toEqual(['run']);
    expect(await clipNames(out)).toEqual(['run']);
    const wrong = await runCommand('retarget', source, target, '-o', folder.at('no.glb'), '--clip', 'jog');
    expect([wrong.code, wrong.out]).toEqual([2, '']);
    expect(wrong.err).toMatch(/--clip jog: .*no such clip; it has "walk", "run"\n$/);
    expect(existsSync(folder.at('no.glb'))).toBe(false);
  });

  it('keeps keys or bakes, cuts and speeds up', async () => {
    const frames = async (...argv: string[]) => {
      const { json } = await retargetJson(
        source,
        target,
        '-o',
        folder.at('x.glb'),
        '--dry-run',
        '--clip',
        'walk',
        ...argv,
      );
      return json.clips[0]!;
    };
    expect(await frames('--keys')).toMatchObject({ frames: 11, way: 'keys' });
    expect(await frames('--fps', '30')).toMatchObject({ frames: 31, way: 'frames' });
    expect((await frames('--range', '0.2:0.7', '--fps', '20')).duration).toBeCloseTo(0.5, 5);
    expect((await frames('--range', '2f:7f', '--fps', '20')).duration).toBeCloseTo(0.5, 5);
    expect((await frames('--speed', '2', '--fps', '20')).duration).toBeCloseTo(0.5, 5);
    for (const argv of [
      ['--keys', '--fps', '30'],
      ['--range', '0.7:0.2'],
      ['--range', '3:4'],
      ['--fps', '0'],
      ['--speed', 'fast'],
      ['--passes', 'everything'],
      ['--align', 'leftArm=sideways'],
      ['--root-motion', 'away'],
      ['--picture', 'sheet.jpg'],
    ]) {
      const run = await runCommand('retarget', source, target, '-o', folder.at('x.glb'), ...argv);
      expect([run.code, run.out], argv.join(' ')).toEqual([2, '']);
      expect(run.err, argv.join(' ')).toMatch(/^error: /);
    }
    expect(existsSync(folder.at('x.glb'))).toBe(false);
  });

  it('takes every option that steers the result', async () => {
    const { json, code } = await retargetJson(
      ...[
        source,
        target,
        '-o',
        folder.at('steered.glb'),
        '--clip',
        'walk',
        '--passes',
        'copyRotations,moveRoot',
      ],
      ...[
        '--reference-source',
        'rest',
        '--reference-target',
        'walk@0',
        '--skeleton',
        '0',
        '--source-skeleton',
        '0',
      ],
      ...['--root-scale', '0.8,0.9', '--align', 'arms=keep', '--align', 'legs=bones', '--no-measure'],
    );
    expect(code).toBe(0);
    expect(json.measures).toEqual([]);
    const moved = await retargetJson(
      source,
      target,
      '-o',
      folder.at('placed.glb'),
      '--root-motion',
      'in-place',
    );
    expect(moved.code).toBe(0);
  });

  it('says that a verdict goes by no measures where none were made', async () => {
    const told = await runCommand('retarget', source, target, '-o', folder.at('bare.glb'), '--no-measure');
    expect(told.out).toMatch(/^verdict: good, as far as is known, since nothing was measured$/m);
  });

  it('gives the same result with the map it found as without, byte for byte', async () => {
    const map = folder.at('map.json');
    await runCommand('map', source, target, '-o', map);
    await retargetJson(source, target, '-o', folder.at('found.glb'));
    await retargetJson(source, target, '-o', folder.at('given.glb'), '--map', map);
    expect((await readFile(folder.at('given.glb'))).equals(await readFile(folder.at('found.glb')))).toBe(
      true,
    );
  });

  it('changes one joint of the result where one line of the map is changed', async () => {
    const map = folder.at('line.json');
    await runCommand('map', source, target, '-o', map);
    const options = ['--clip', 'run', '--replace', '--fps', '30', '--corrections', 'none'];
    await retargetJson(source, target, '-o', folder.at('line-before.glb'), '--map', map, ...options);
    const lines = (await readFile(map, 'utf8')).split('\n');
    const edited = lines.map((line) =>
      line.includes('"target": "leftToes"') ? line.replace('LeftToeBase', 'RightLeg') : line,
    );
    expect(edited.filter((line, i) => line !== lines[i])).toHaveLength(1);
    await folder.put('line.json', edited.join('\n'));
    await retargetJson(source, target, '-o', folder.at('line-after.glb'), '--map', map, ...options);
    const tracksOf = async (path: string) => {
      const { skeleton, clips } = (await read(path)).characters[0]!;
      return new Map(
        clips[0]!.tracks.map(({ joint, channel, values }) => [
          `${skeleton.names[joint]} ${channel}`,
          values.join(),
        ]),
      );
    };
    const before = await tracksOf(folder.at('line-before.glb'));
    const after = await tracksOf(folder.at('line-after.glb'));
    const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
      (key) => before.get(key) !== after.get(key),
    );
    expect(changed).toEqual(['leftToes rotation']);
  });

  it('writes every format that it names, and takes the target’s own without -o', async () => {
    for (const extension of WRITTEN_EXTENSIONS) {
      if (FILE_KINDS[extension].written === 'from its own') continue;
      const out = folder.at(`kind.${extension}`);
      const { json } = await retargetJson(source, target, '-o', out, '--clip', 'run');
      expect(json.output).toBe(out);
      expect((await read(out)).format).toBe(extension);
    }
    const animationOnly = folder.at('clip.glb');
    await retargetJson(source, target, '-o', animationOnly, '--clip', 'run', '--animation-only');
    expect(await clipNames(animationOnly)).toEqual(['run']);
    const before = process.cwd();
    await mkdir(folder.at('here'));
    process.chdir(folder.at('here'));
    try {
      expect((await retargetJson(source, target)).json.output).toBe('hero-moves.glb');
    } finally {
      process.chdir(before);
    }
    expect(await readdir(folder.at('here'))).toEqual(['hero-moves.glb']);
    const wrong = await runCommand('retarget', source, target, '-o', folder.at('x.obj'));
    expect([wrong.code, wrong.out]).toEqual([2, '']);
    expect(wrong.err).toContain(`supported are .${WRITTEN_EXTENSIONS.join(', .')}\n`);
  });

  it('writes one BVH a clip, and says so', async () => {
    const out = folder.at('many.bvh');
    const { json } = await retargetJson(source, target, '-o', out);
    expect(json.output).toEqual([folder.at('many-walk.bvh'), folder.at('many-run.bvh')]);
    for (const path of json.output as string[]) expect((await read(path)).format).toBe('bvh');
    const said = await runCommand('retarget', source, target, '-o', out, '--force');
    expect(said.out).toContain('A BVH file holds one clip, so there is one file a clip:');
    expect(existsSync(out)).toBe(false);
  });

  it('writes nothing on a dry run', async () => {
    const { json } = await retargetJson(source, target, '-o', folder.at('dry.glb'), '--dry-run');
    expect(json.output).toBeNull();
    expect(json.clips).toHaveLength(2);
    const said = await runCommand('retarget', source, target, '-o', folder.at('dry.glb'), '--dry-run');
    expect(said.out).toContain('was not written');
    expect(existsSync(folder.at('dry.glb'))).toBe(false);
  });

  it('ends with 3 under --strict where there are warnings, the work done all the same', async () => {
    const out = folder.at('strict.glb');
    const lost = ['--morph', 'nothing=there', '--strict'];
    expect((await runCommand('retarget', source, target, '-o', out, ...lost)).code).toBe(3);
    expect(existsSync(out)).toBe(true);
    // A name that was taken is a note, and no reason to fail.
    const clean = await retargetJson(source, target, '-o', folder.at('clean.glb'), '--strict');
    expect(clean.json.warnings).toEqual([]);
    expect(clean.json.notes).not.toEqual([]);
    expect(clean.code).toBe(0);
  });

  it('draws source and result side by side', async () => {
    const picture = folder.at('sheet.png');
    const run = await runCommand(
      'retarget',
      capture,
      target,
      '-o',
      folder.at('drawn.glb'),
      '--picture',
      picture,
    );
    expect([run.err, run.code]).toEqual(['', 0]);
    expect(run.out).toContain(`wrote ${picture}`);
    const image = decode(await readFile(picture));
    expect(image.width).toBeGreaterThan(400);
    expect(new Set(image.data).size).toBeGreaterThan(20);
  });

  it('draws them in motion, seen by the camera that is asked for', async () => {
    const draw = async (camera: string) => {
      const picture = folder.at(`${camera}.gif`);
      const { err, code } = await runCommand(
        ...['retarget', capture, target, '-o', folder.at(`${camera}.glb`), '--range', '0:0.2'],
        ...['--picture', picture, '--camera', camera],
      );
      expect([err, code]).toEqual(['', 0]);
      return readFile(picture);
    };
    const [front, side] = [await draw('front'), await draw('side')];
    for (const gif of [front, side]) expect(gif.toString('latin1', 0, 6)).toBe('GIF89a');
    expect(front.equals(side)).toBe(false);
    const alone = await runCommand('retarget', capture, target, '--camera', 'front', '--dry-run');
    expect(alone.err).toContain('--camera is for --picture');
  });

  it('W18: a saved recipe does the same again, byte for byte, and what is given besides has the last word', async () => {
    const recipe = folder.at('hero.json');
    const [first, again, other] = ['first', 'again', 'other'].map((name) => folder.at(`recipe-${name}.glb`));
    await retargetJson(
      ...[source, target, '-o', first!, '--clip', 'run', '--save-recipe', recipe],
      ...['--mirror', '--root-scale', '0.5,0.9', '--align', 'arms=keep', '--reference-target', 'rest'],
    );
    await retargetJson(source, target, '-o', again!, '--clip', 'run', '--recipe', recipe);
    expect(await readFile(again!)).toEqual(await readFile(first!));
    await retargetJson(source, target, '-o', other!, '--clip', 'run', '--recipe', recipe, '--speed', '2');
    expect(await readFile(other!)).not.toEqual(await readFile(first!));
    expect(JSON.parse(await readFile(recipe, 'utf8'))).toMatchObject({
      version: 1,
      source: { file: relative(folder.path, source) },
      settings: { mirror: true },
    });
    const broken = await folder.put('broken.json', '{ "version": 99 }');
    const run = await runCommand('retarget', source, target, '--recipe', broken, '--dry-run');
    expect(run.code).toBe(1);
    expect(run.err).toContain('99 is newer');
  });

  it('passes every rule of the engine on, and says which word was wrong', async () => {
    const out = folder.at('rules.glb');
    const { code, json } = await retargetJson(
      ...[source, target, '-o', out, '--clip', 'run', '--root', 'rotation', '--check-hierarchy'],
      ...['--imitate', 'keep', '--imitate', 'arms=direction', '--translations', 'length-scaled'],
      ...['--scales', 'copied', '--corrections', 'auto', '--root-motion', 'extract'],
    );
    // All but the arms was asked to stay as it is: nothing is lost by that.
    expect([code, json.verdict]).toEqual([0, 'look']);
    expect(json.measures[0]!.direction.limbs.leftArm!.worst).toBeLessThan(0.1);
    const plain = folder.at('no-rules.glb');
    await retargetJson(source, target, '-o', plain, '--clip', 'run');
    expect(await readFile(out)).not.toEqual(await readFile(plain));
    for (const [flag, word] of [
      ['--imitate', 'arms=dance'],
      ['--imitate', '=turn'],
      ['--translations', 'far'],
      ['--scales', 'big'],
      ['--root', 'left'],
      ['--corrections', 'some'],
    ] as const) {
      const run = await runCommand('retarget', source, target, flag, word);
      expect([run.code, run.err.includes(flag)], `${flag} ${word}`).toEqual([2, true]);
    }
    expect(
      (await runCommand('retarget', source, target, '-o', folder.at('x.glb'), '--imitate', 'wing=turn')).code,
    ).toBe(2);
  });

  it('mirrors, closes, reduces, repairs and keeps the ground on request', async () => {
    const plain = folder.at('plain.glb');
    await retargetJson(source, target, '-o', plain, '--clip', 'run');
    for (const flags of [
      ['--mirror'],
      ['--loop'],
      ['--loop', '0.1'],
      ['--reduce'],
      ['--reduce', '5,1'],
      ['--repair-keys'],
      ['--ground'],
      ['--ground', 'lowest'],
    ]) {
      const out = folder.at(`${flags.join('')}.glb`);
      const { code, json } = await retargetJson(source, target, '-o', out, '--clip', 'run', ...flags);
      expect(code, flags.join(' ')).toBe(0);
      if (flags[0] === '--mirror') {
        expect(await readFile(out)).not.toEqual(await readFile(plain));
        expect(json.measures[0]!.direction.worst).toBeLessThan(0.1);
      }
    }
    const said = await runCommand('retarget', source, target, '-o', folder.at('few.glb'), '--reduce', '5,1');
    expect(said.out).toMatch(/keys reduced from \d+ to \d+/);
    for (const wrong of [
      ['--reduce', 'x'],
      ['--loop', '0'],
      ['--reduce', '1,2,3'],
    ])
      expect((await runCommand('retarget', source, target, ...wrong)).code).toBe(2);
    const missing = await runCommand(
      'retarget',
      source,
      target,
      '-o',
      folder.at('no.glb'),
      '--ground',
      'Wing',
    );
    expect([missing.code, existsSync(folder.at('no.glb'))]).toEqual([2, false]);
    expect(missing.err).toContain('"Wing"');
  });
});

describe('retarget leaves files alone', () => {
  it('that are there already, unless --force is given', async () => {
    const out = await folder.put('taken.glb', 'precious');
    const refused = await runCommand('retarget', source, target, '-o', out);
    expect([refused.code, refused.out]).toEqual([1, '']);
    expect(refused.err).toMatch(
      /^error: cannot write .*taken\.glb: it is there already \(--force replaces it\)\n$/,
    );
    expect(await readFile(out, 'utf8')).toBe('precious');
    expect((await runCommand('retarget', source, target, '-o', out, '--force')).code).toBe(0);
    expect((await read(out)).format).toBe('glb');
  });

  it('that it reads, unless --force is given', async () => {
    const copy = await folder.put('own.gltf', stickFigureGltf());
    const refused = await runCommand('retarget', source, copy, '-o', copy);
    expect([refused.code, refused.out]).toEqual([2, '']);
    expect(refused.err).toMatch(/own\.gltf is one of the files that are read/);
    expect(await readFile(copy, 'utf8')).toBe(stickFigureGltf());
    expect((await runCommand('retarget', source, copy, '-o', copy, '--force')).code).toBe(0);
    expect(await clipNames(copy)).toEqual(['walk', 'run']);
  });

  it('when it fails: no part of a file, and none when a second cannot be written', async () => {
    await mkdir(folder.at('clean'));
    const picture = await folder.put('clean/sheet.png', 'precious');
    const run = await runCommand(
      'retarget',
      source,
      target,
      '-o',
      folder.at('clean/out.glb'),
      '--picture',
      picture,
    );
    expect(run.code).toBe(1);
    await folder.put('clean/x-run.bvh', 'precious');
    expect((await runCommand('retarget', source, target, '-o', folder.at('clean/x.bvh'))).code).toBe(1);
    expect((await readdir(folder.at('clean'))).sort()).toEqual(['sheet.png', 'x-run.bvh']);
  });
});

describe('retarget says in one sentence why it cannot', () => {
  const cases: [title: string, argv: () => Promise<string[]>, code: number, message: RegExp][] = [
    ['a missing file', async () => [folder.at('none.glb'), target], 1, /none\.glb"?: there is no such file/],
    ['a folder', async () => [folder.path, target], 1, /it is a folder/],
    [
      'an empty file',
      async () => [await folder.put('empty.glb', ''), target],
      1,
      /empty\.glb: .*(empty|0 bytes|nothing)/i,
    ],
    [
      'a truncated GLB',
      async () => [await folder.put('cut.glb', (await readFile(await made())).subarray(0, 700)), target],
      1,
      /cut\.glb: /,
    ],
    [
      'a truncated BVH',
      async () => [await folder.put('cut.bvh', stickFigureBvh().slice(0, 900)), target],
      1,
      /cut\.bvh: /,
    ],
    ['something else', async () => [await folder.put('text.glb', 'Dear diary'), target], 1, /text\.glb: /],
    [
      'another program’s format',
      async () => [await folder.put('x.fbx', 'Kaydara FBX Binary  \0'), target],
      1,
      /FBX/,
    ],
    [
      'a source without a skeleton',
      async () => [await folder.put('bare.gltf', '{"asset":{"version":"2.0"}}'), target],
      1,
      /bare\.gltf has no skeleton/,
    ],
    [
      'a target without a skeleton',
      async () => [source, await folder.put('bare2.gltf', '{"asset":{"version":"2.0"}}')],
      1,
      /bare2\.gltf has no skeleton/,
    ],
    [
      'swapped files',
      async () => [await folder.put('still.gltf', stickFigureGltf()), source],
      1,
      /still\.gltf has no clips but .*moves\.gltf has 2: are the two files swapped\?/,
    ],
    [
      'no motion at all',
      async () => [
        await folder.put('still2.gltf', stickFigureGltf()),
        await folder.put('still3.gltf', stickFigureGltf()),
      ],
      1,
      /still2\.gltf has no clips: there is no motion in it/,
    ],
    [
      'a missing folder for the output',
      async () => [source, target, '-o', folder.at('no', 'where', 'x.glb')],
      1,
      /its folder is not there/,
    ],
    [
      'a folder as the output',
      async () => [source, target, '-o', await directory('dir.glb')],
      1,
      /dir\.glb: it is a folder/,
    ],
    ['an unknown skeleton', async () => [source, target, '--skeleton', 'nobody'], 2, /no skeleton "nobody"/],
    [
      'a reference clip that is not there',
      async () => [source, target, '--reference-source', 'sit@1'],
      2,
      /"sit"/,
    ],
    [
      'a map that is none',
      async () => [source, target, '--map', await folder.put('bad.json', '[]')],
      1,
      /bad\.json as a map/,
    ],
    [
      'a missing map',
      async () => [source, target, '--map', folder.at('none.json')],
      1,
      /none\.json: there is no such file/,
    ],
    [
      'a clip of a million years',
      async () => [await folder.put('long.gltf', stickFigureGltf({ clips: ['age'], seconds: 1e13 })), target],
      1,
      /found 9999999827968 seconds; expected at most 1000000/,
    ],
    ['one argument', async () => [source], 2, /missing required argument 'TARGET'/],
    ['an unknown option', async () => [source, target, '--clips', 'x'], 2, /unknown option '--clips'/],
  ];
  const made = async () => {
    const path = folder.at('whole.glb');
    if (!existsSync(path)) await runCommand('retarget', source, target, '-o', path);
    return path;
  };
  const directory = async (name: string) => {
    await mkdir(folder.at(name), { recursive: true });
    return folder.at(name);
  };

  it.each(cases)('%s', async (_title, argv, code, message) => {
    const args = await argv();
    const before = (await readdir(folder.path)).sort();
    const run = await runCommand(
      'retarget',
      ...args,
      ...(args.includes('-o') ? [] : ['-o', folder.at('never.glb')]),
      '--json',
    );
    expect([run.code, run.out]).toEqual([code, '']);
    expect(run.err).toMatch(message);
    // One sentence, perhaps followed by what may have been meant and where to find help, never a stack.
    expect(run.err.trimEnd().split('\n').length).toBeLessThanOrEqual(code === 2 ? 3 : 1);
    expect(run.err).not.toMatch(/\n {4}at /);
    expect((await readdir(folder.path)).sort()).toEqual(before);
  });

  it('names no joints, and two skeletons: what can be done is done', async () => {
    const nameless = await folder.put('nameless.gltf', stickFigureGltf({ naming: 'none', clips: ['x'] }));
    const run = await runCommand('retarget', nameless, target, '-o', folder.at('nameless.glb'));
    expect([0, 1]).toContain(run.code);
    if (run.code === 1) expect(run.err).toMatch(/^error: .+\n$/);
    const two = await folder.put('two.gltf', stickFigureGltf({ bodies: 2 }));
    const { json } = await retargetJson(source, two, '-o', folder.at('two.glb'));
    expect(json.notes.map(({ code }) => code)).toContain('several-skeletons');
    const second = await retargetJson(source, two, '-o', folder.at('two-1.glb'), '--skeleton', '1');
    expect(second.json.notes.map(({ code }) => code)).not.toContain('several-skeletons');
  });

  it('a folder that is closed (skipped for root, who may write everywhere)', async ({ skip }) => {
    const closed = await directory('closed');
    await chmod(closed, 0o555);
    if (process.getuid?.() === 0) skip();
    const run = await runCommand('retarget', source, target, '-o', join(closed, 'x.glb'));
    expect([run.code, run.out]).toEqual([1, '']);
    expect(run.err).toMatch(/permission denied/);
    expect((await stat(closed)).isDirectory()).toBe(true);
  });
});

describe('retarget on the samples', () => {
  const samples = fileURLToPath(new URL('../../../../samples/', import.meta.url));

  it.each([
    ['mixamo-guy.glb'],
    ['vrm-girl.vrm'],
    ['unreal-mannequin.glb'],
    ['goblin.glb'],
    ['child.glb'],
    ['robot.glb', '--map', join(samples, 'maps/robot.json')],
  ])('the walk on %s, limbs where they should point', async (character, ...options) => {
    const files = [
      join(samples, 'files/motions/walk.glb'),
      join(samples, 'files/characters', character),
    ] as const;
    const turned = folder.at(`walk-turned-${character}`);
    const plain = await retargetJson(...files, '-o', turned, '--corrections', 'none', ...options);
    expect(plain.json.mapped).toBeGreaterThan(20);
    for (const { direction, rotation } of plain.json.measures)
      expect(Math.max(direction.worst, rotation.worst)).toBeLessThan(0.1);
    // Without a word, feet hold where the source's stand.
    const out = folder.at(`walk-${character}`);
    const { json, code } = await retargetJson(...files, '-o', out, ...options);
    expect(code).toBe(0);
    const slide = json.measures[0]!.motion.slide!;
    // On the body that the walk was made for it is taken over as it is.
    if (json.clips[0]!.way === 'copy') expect(slide.result.mean).toBeCloseTo(slide.source.mean, 5);
    // Toes stand; heels that rise within their contacts move ahead about as the source's do.
    else expect(slide.result.mean).toBeLessThan(1.1 * slide.source.mean);
    expect(await clipNames(out)).toEqual(json.clips.map(({ name }) => name));
  });
});

describe('retarget to a VRM animation', () => {
  const samples = fileURLToPath(new URL('../../../../samples/', import.meta.url));

  it('takes body parts from the map where names mean nothing', async () => {
    const out = folder.at('robot.vrma');
    const { code } = await retargetJson(
      join(samples, 'files/motions/walk.glb'),
      join(samples, 'files/characters/robot.glb'),
      '-o',
      out,
      '--map',
      join(samples, 'maps/robot.json'),
    );
    expect(code).toBe(0);
    const { format, characters } = await read(out);
    expect(format).toBe('vrma');
    expect(Object.keys(characters[0]!.skeleton.metadataRoles!).length).toBeGreaterThan(15);
  });
});

describe('retarget on our files, and on real ones where they are', () => {
  it.each(
    present([
      ['samples/captures/walk-cmu.bvh', 'samples/characters/vrm0-sister.vrm', 'vrm'],
      ['samples/formats/guy-walk.fbx', 'samples/characters/knight.glb', 'glb'],
      ['samples/formats/wave.vrma', 'samples/characters/vrm1-sister.vrm', 'vrm'],
      ['samples/captures/kneel-lafan1.bvh', 'samples/captures/walk-smpl.bvh', 'bvh'],
      ['samples/captures/crawl-cmu.bvh', 'samples/formats/child-greeting.fbx', 'fbx'],
      ['samples/animals/dog.glb', 'samples/animals/dog.glb', 'glb'],
      ['cmu/12_01.bvh', 'vrm/basic_armature_vrm1.vrm', 'vrm'],
      ['misc/viverse_walk.glb', 'mesh2motion/human-female.glb', 'glb'],
      ['vrm/test.vrma', '100avatars/100Avatars_003_Jimmy.vrm', 'vrm'],
      ['misc/performs_mixamorig_Idle.bvh', 'cmu/02_01.bvh', 'bvh'],
      ['mesh2motion/fox-animations.glb', 'mesh2motion/fox-cat.glb', 'glb'],
    ] as const),
  )('%s onto %s', async (from, to, extension) => {
    const out = folder.at(`${from}-${to}`.replace(/\W/g, '_').concat('.', extension));
    const { json, code } = await retargetJson(pathOf(from), pathOf(to), '-o', out);
    expect(code).toBe(0);
    expect(json.mapped).toBeGreaterThan(10);
    const first = Array.isArray(json.output) ? json.output[0]! : json.output!;
    expect((await read(first)).format).toBe(extension);
  });
});
