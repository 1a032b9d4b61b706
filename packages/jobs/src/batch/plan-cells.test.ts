import { describe, expect, it } from 'vitest';
import type { BatchFile } from './cell.js';
import { type BatchInput, planCells } from './plan-cells.js';

const file = (path: string, sha256 = path): BatchFile => ({ path, sha256, bytes: 1 });
const recipe = (name: string, json: unknown) => ({
  name,
  bytes: new TextEncoder().encode(JSON.stringify(json)),
});
const input: BatchInput = {
  sources: [file('a/walk.bvh'), file('a/run.bvh')],
  targets: [file('hero.vrm'), file('ogre.fbx')],
  settings: {},
  version: '1.0.0',
};
const keyOf = async (change: Partial<BatchInput>) => (await planCells({ ...input, ...change }))[0]!.key;

describe('planCells', () => {
  it('lists every source on every character, named after both, as what the character is', async () => {
    const cells = await planCells(input);
    expect(cells.map(({ output }) => output)).toEqual([
      'hero/walk.vrm',
      'hero/run.vrm',
      'ogre/walk.fbx',
      'ogre/run.fbx',
    ]);
    expect(new Set(cells.map(({ key }) => key)).size).toBe(4);
  });

  it('gives another key whenever something changes that the result depends on, and the same otherwise', async () => {
    const plain = await keyOf({});
    const changes: Partial<BatchInput>[] = [
      { sources: [file('a/walk.bvh', 'other')] },
      { sources: [{ ...file('a/walk.bvh'), family: [file('a/stand.bvh')] }] },
      { targets: [file('hero.vrm', 'other')] },
      { settings: { options: { mirror: true } } },
      { settings: { animationOnly: true } },
      { format: 'glb' },
      { version: '1.0.1' },
      { recipes: new Map([['default.json', recipe('default.json', { version: 1 })]]) },
    ];
    const keys = await Promise.all(changes.map(keyOf));
    expect(new Set([plain, ...keys]).size).toBe(changes.length + 1);
    // Other sources, another folder and another order of options change nothing.
    expect(await keyOf({ sources: [file('b/walk.bvh', 'a/walk.bvh')] })).toBe(plain);
    expect(await keyOf({ settings: { options: { speed: 2, mirror: true } } })).toBe(
      await keyOf({ settings: { options: { mirror: true, speed: 2 } } }),
    );
  });

  it('writes clips alone of a VRM as GLB, and says before it begins that they are no VRM', async () => {
    const settings = { animationOnly: true };
    const cells = await planCells({ ...input, targets: [file('hero.vrm')], settings });
    expect(cells.map(({ output }) => output)).toEqual(['hero/walk.glb', 'hero/run.glb']);
    await expect(planCells({ ...input, settings, format: 'vrm' })).rejects.toThrow(
      /clips alone with --format glb/,
    );
  });

  it('tells sources of one name apart by the folder they lie in, those of the same bytes too', async () => {
    const sources = [file('c/run/01.bvh', 'same'), file('c/walk/01.bvh', 'same'), file('01.bvh')];
    const targets = [file('hero.vrm')];
    const cells = await planCells({ ...input, sources, targets, name: '{target}/{folder}/{source}{ext}' });
    expect(cells.map(({ output }) => output)).toEqual(['hero/run/01.vrm', 'hero/walk/01.vrm', 'hero/01.vrm']);
    expect(new Set(cells.map(({ key }) => key)).size).toBe(3);
    const flat = await planCells({ ...input, sources, targets, name: '{folder}-{source}{ext}' });
    expect(flat.map(({ output }) => output)).toEqual(['run-01.vrm', 'walk-01.vrm', '01.vrm']);
    const [above] = await planCells({
      ...input,
      sources: [file('../01.bvh')],
      targets,
      name: '{folder}/x{ext}',
    });
    expect(above!.output).toBe('x.vrm');
    await expect(
      planCells({ ...input, sources, settings: { layout: 'character' }, name: '{folder}{ext}' }),
    ).rejects.toThrow(/there is no \{folder\}/);
  });

  it('tells sources apart by all folders they lie in below what was named', async () => {
    const at = (below: string, sha256: string) => ({ ...file(`c/${below}/body.bvh`, sha256), below });
    const sources = [
      at('day 1/take: 2', 'same'),
      at('day2/take: 2', 'same'),
      { ...file('body.bvh'), below: '' },
    ];
    const targets = [file('hero.vrm')];
    const cells = await planCells({ ...input, sources, targets, name: '{target}/{path}/{source}{ext}' });
    expect(cells.map(({ output }) => output)).toEqual([
      'hero/day_1/take_2/body.vrm',
      'hero/day2/take_2/body.vrm',
      'hero/body.vrm',
    ]);
    expect(new Set(cells.map(({ key }) => key)).size).toBe(3);
  });

  it('has one result for copies of a file that would have one name, told of by the cells of all', async () => {
    const sources = [file('a/walk.bvh', 'same'), file('b/walk.bvh', 'same')];
    const cells = await planCells({ ...input, sources, targets: [file('hero.vrm')] });
    expect(cells.map(({ source, output }) => [source, output])).toEqual([
      ['a/walk.bvh', 'hero/walk.vrm'],
      ['b/walk.bvh', 'hero/walk.vrm'],
    ]);
    expect(cells[0]!.key).toBe(cells[1]!.key);
  });

  it('advises a name that tells two results apart', async () => {
    const sentenceFor = async (change: Partial<BatchInput>) =>
      planCells({ ...input, ...change }).then(
        () => '',
        (error: Error) => error.message,
      );
    const adviceFor = async (...sources: BatchFile[]) =>
      /such as '(.*)'$/.exec(await sentenceFor({ sources }))?.[1];
    expect(await adviceFor(file('a/walk.bvh'), file('b/walk.bvh'))).toBe('{target}/{folder}/{source}{ext}');
    const deep = (below: string) => ({ ...file(`c/${below}/walk.bvh`), below });
    expect(await adviceFor(deep('a/x'), deep('b/x'))).toBe('{target}/{path}/{source}{ext}');
    expect(await adviceFor(file('a/walk.bvh'), file('a/walk.fbx'))).toBe('{target}/{source}-{key}{ext}');
    // The name that was given stays as it is but for that; how often it clashes is said once.
    const sources = ['a b', 'a_b', 'a,b'].map((stem) => ({ ...file(`c/x/${stem}.bvh`), below: 'x' }));
    expect(
      await sentenceFor({ sources, name: '{path}/{target}/{source}{ext}', targets: [file('hero.vrm')] }),
    ).toBe(
      "c/x/a b.bvh on hero.vrm and c/x/a_b.bvh on hero.vrm would both be x/hero/a_b.vrm (and 1 more such); tell them apart with --name, such as '{path}/{target}/{source}-{key}{ext}'",
    );
  });

  it('takes the most special recipe', async () => {
    const names = ['default.json', '@hero.json', 'walk@hero.json'];
    const recipes = new Map(names.map((name) => [name, recipe(name, { version: 1 })]));
    const cells = await planCells({ ...input, recipes });
    expect(cells.map((cell) => cell.recipe)).toEqual([
      'walk@hero.json',
      '@hero.json',
      'default.json',
      'default.json',
    ]);
  });

  it('refuses two results of one name before any work, also where only some file systems take them for one', async () => {
    const twice = [file('a/walk.bvh'), file('b/WALK.bvh', 'other')];
    await expect(planCells({ ...input, sources: twice })).rejects.toThrow(
      /^a\/walk\.bvh on hero\.vrm and b\/WALK\.bvh on hero\.vrm would both be hero\/WALK\.vrm/,
    );
    expect(await planCells({ ...input, sources: twice, name: '{target}-{key}{ext}' })).toHaveLength(4);
  });

  it.each([
    [
      '{joint}{ext}',
      /there is no \{joint\}; there are \{source\}, \{folder\}, \{path\}, \{target\}, \{clip\}, \{key\}, \{ext\}/,
    ],
    ['{clip}{ext}', /names by \{clip\} need the names of the clips in a\/walk\.bvh/],
    ['../{source}{ext}', /leads out of the folder/],
    ['/{source}{ext}', /leads out of the folder/],
    ['{source}.glb', /end it with \{ext\}/],
  ])('refuses the name %s', async (name, message) => {
    await expect(planCells({ ...input, name })).rejects.toThrow(message);
  });

  describe('with {clip} in names', () => {
    const library = { ...file('library.glb'), clips: ['Idle', 'Walk: fast'] };
    const byClip = { ...input, sources: [library], name: '{target}/{clip}{ext}' };
    const targets = [file('hero.vrm')];

    it('makes a cell of every clip, with a key of its own that hangs on no other clip', async () => {
      const cells = await planCells({ ...byClip, targets });
      expect(cells.map(({ clip, output }) => [clip, output])).toEqual([
        ['Idle', 'hero/Idle.vrm'],
        ['Walk: fast', 'hero/Walk_fast.vrm'],
      ]);
      expect(new Set(cells.map(({ key }) => key)).size).toBe(2);
      const [alone, ...rest] = await planCells({ ...byClip, targets, settings: { clips: ['Idle', 'Idle'] } });
      expect(rest).toEqual([]);
      expect(alone!.key).toBe(cells[0]!.key);
      // It is not that of the file as a whole.
      const [whole] = await planCells({ ...byClip, targets, name: '{target}/{source}{ext}' });
      expect(whole).not.toHaveProperty('clip');
      expect(cells.map(({ key }) => key)).not.toContain(whole!.key);
    });

    it('refuses clips whose files would have one name, before any work', async () => {
      const alike = { ...library, clips: ['Walk fast', 'Walk: fast'] };
      await expect(planCells({ ...byClip, targets, sources: [alike] })).rejects.toThrow(
        'Walk fast of library.glb on hero.vrm and Walk: fast of library.glb on hero.vrm would both be hero/Walk_fast.vrm',
      );
      const other = { ...file('other.glb'), clips: ['idle'] };
      await expect(planCells({ ...byClip, targets, sources: [library, other] })).rejects.toThrow(
        'Idle of library.glb on hero.vrm and idle of other.glb on hero.vrm would both be hero/idle.vrm',
      );
      const told = { ...byClip, targets, sources: [library, other], name: '{source}/{clip}{ext}' };
      expect(await planCells(told)).toHaveLength(3);
    });

    it('has one cell for a source without a clip that is known, which will tell why', async () => {
      const cells = await planCells({ ...byClip, targets, sources: [{ ...library, clips: [] }, library] });
      expect(cells.map(({ clip }) => clip)).toEqual([null, 'Idle', 'Walk: fast']);
    });
  });

  it('refuses two results of one name where files hold one clip each', async () => {
    const sources = [
      { ...file('run.glb'), clips: ['fast', 'slow'] },
      { ...file('run-slow.glb'), clips: ['take'] },
    ];
    const one = { ...input, targets: [file('hero.vrm')], sources };
    await expect(planCells({ ...one, format: 'bvh' })).rejects.toThrow(
      /^run\.glb on hero\.vrm and run-slow\.glb on hero\.vrm would both be hero\/run-slow\.bvh/,
    );
    expect(await planCells({ ...one, format: 'glb' })).toHaveLength(2);
  });

  it('refuses a format that is not written', async () => {
    await expect(planCells({ ...input, format: 'usd' })).rejects.toThrow(
      /^--format usd: there are same, glb/,
    );
  });
});
