import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { read } from '@stuntdouble/formats';
import { beforeAll, describe, expect, it } from 'vitest';
import { Failure } from './failure.js';
import { retargetFiles } from './retarget-files.js';
import type { JobFile, JobPlan } from './retarget-job.js';

const sample = async (path: string): Promise<Uint8Array> =>
  new Uint8Array(await readFile(fileURLToPath(new URL(`../../../samples/files/${path}`, import.meta.url))));

let source: JobFile;
let target: JobFile;
beforeAll(async () => {
  source = { name: 'walk.glb', content: await sample('motions/walk.glb'), options: { name: 'walk' } };
  target = {
    name: 'goblin.glb',
    content: await sample('characters/goblin.glb'),
    options: { name: 'goblin' },
  };
});

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const document = (name: string, json: unknown) => ({
  name,
  bytes: new TextEncoder().encode(JSON.stringify(json)),
});

describe('retargetFiles', () => {
  it('makes bytes of bytes: clips, picture, recipe and root motion, each under its name', async () => {
    const { files, report } = await retargetFiles({
      source,
      target,
      options: { rootMotion: 'apart' },
      output: 'out/goblin-walk.glb',
      picture: 'sheet.png',
      saveRecipe: 'recipe.json',
      rootMotionFile: 'way.json',
    });
    expect(files.map(({ name, kind }) => [name, kind])).toEqual([
      ['out/goblin-walk.glb', 'clips'],
      ['sheet.png', 'picture'],
      ['recipe.json', 'recipe'],
      ['way.json', 'root motion'],
    ]);
    const [clips, picture, recipe, way] = files.map(({ bytes }) => bytes) as [
      Uint8Array,
      Uint8Array,
      Uint8Array,
      Uint8Array,
    ];
    const written = await read(clips);
    expect(written.characters[0]!.clips.at(-1)!.name).toBe(report.retarget.clips[0]!.name);
    expect([...picture.subarray(1, 4)]).toEqual([...new TextEncoder().encode('PNG')]);
    expect(JSON.parse(text(recipe))).toMatchObject({
      source: { file: 'walk.glb' },
      target: { file: 'goblin.glb' },
    });
    expect(JSON.parse(text(way)).clips).toEqual(report.rootMotion);
    expect(report.pictured).toBe(1);
    expect(report.target.joints).toBe(written.characters[0]!.skeleton.names.length);
  });

  it('does again what a recipe says, from bytes, and what is asked for besides has the last word', async () => {
    const first = await retargetFiles({ source, target, options: { mirror: true }, saveRecipe: 'r.json' });
    const recipe = { name: 'r.json', bytes: first.files[1]!.bytes };
    const again = await retargetFiles({ source, target, recipe });
    expect(again.files[0]!.bytes).toEqual(first.files[0]!.bytes);
    const other = await retargetFiles({ source, target, recipe, options: { mirror: false } });
    expect(other.files[0]!.bytes).not.toEqual(first.files[0]!.bytes);
  });

  it('gives the same for scenes that were read before, and proposes a name where none is given', async () => {
    const scenes = await Promise.all(
      [source, target].map(({ content, options }) => read(content as Uint8Array, options)),
    );
    const fromBytes = await retargetFiles({ source, target });
    const fromScenes = await retargetFiles({
      source: { name: source.name, content: scenes[0]! },
      target: { name: target.name, content: scenes[1]! },
    });
    expect(fromScenes).toEqual(fromBytes);
    expect(fromBytes.files.map(({ name }) => name)).toEqual(['goblin-walk.glb']);
  });

  it('gives a report that threads can hand to each other', async () => {
    const { report } = await retargetFiles({ source, target });
    expect(structuredClone(report)).toEqual(report);
  });

  it('tells what it will make before it begins, and ends where it is told to', async () => {
    const plans: JobPlan[] = [];
    const told: string[] = [];
    const refused = retargetFiles({
      source,
      target,
      options: { mirror: true },
      output: 'x.bvh',
      picture: 'p.png',
      onProgress: (_done, _total, what) => told.push(what),
      onPlan: (plan) => {
        plans.push(plan);
        throw new Failure('no room');
      },
    });
    await expect(refused).rejects.toThrow('no room');
    expect(plans).toEqual([{ files: ['x.bvh', 'p.png'], options: { mirror: true } }]);
    expect(told).toEqual(['reading walk.glb', 'reading goblin.glb']);
  });

  it('goes from nothing to all, and stops when its signal says so', async () => {
    const shares: number[] = [];
    const stop = new AbortController();
    const job = { source, target, signal: stop.signal };
    await retargetFiles({ ...job, onProgress: (done, total) => shares.push(done / total) });
    expect(shares[0]).toBe(0);
    expect([...shares].sort((a, b) => a - b)).toEqual(shares);
    expect(shares.at(-1)).toBeLessThanOrEqual(1);
    const stopped = retargetFiles({
      ...job,
      onProgress: (done) => {
        if (done >= 0.5) stop.abort(new Error('enough'));
      },
    });
    await expect(stopped).rejects.toThrow('enough');
  });

  it('hears a signal that an event sets, between one step and the next, and says what it was stopped by', async () => {
    // In the first step the file is read from bytes, without a pause in which an event could be heard.
    const told: string[] = [];
    const stop = new AbortController();
    const stopped = retargetFiles({
      source,
      target,
      signal: stop.signal,
      onProgress: (_done, _total, what) => {
        if (told.push(what) === 1) setTimeout(() => stop.abort(new Error('closed')), 0);
      },
    });
    await expect(stopped).rejects.toThrow(/^closed$/);
    expect(told.at(-1)).not.toMatch(/making/);
  });

  it('asks its signal while files are read and written, and lets what it throws through', async () => {
    // Between two steps it is asked twice; what is asked more often is asked within one.
    for (const [phase, between] of [
      ['reading walk', 2],
      ['making', 0],
    ] as const) {
      let now = '';
      let asked = 0;
      const signal = {
        throwIfAborted: () => {
          if (now.startsWith(phase) && ++asked > between) throw new RangeError('the clock');
        },
      };
      const stopped = retargetFiles({
        source,
        target,
        signal,
        onProgress: (_done, _total, what) => {
          now = what;
        },
      });
      await expect(stopped, phase).rejects.toThrow(RangeError);
    }
  });

  it('carries out constraints of a document, and refuses one that holds none', async () => {
    const told = { joint: 'leftHand', kind: 'point', goal: { place: [0.2, 1.2, 0.3] } };
    const { report } = await retargetFiles({ source, target, constraints: document('c.json', [told]) });
    expect(report.retarget.clips[0]!.constraints).toHaveLength(1);
    const none = retargetFiles({ source, target, constraints: document('c.json', { settings: {} }) });
    await expect(none).rejects.toThrow(
      /^cannot read c\.json as constraints and layers: it holds neither constraints nor layers/,
    );
    const empty = retargetFiles({ source, target, constraints: document('c.json', []) });
    await expect(empty).rejects.toThrow('it holds neither constraints nor layers');
    const text = retargetFiles({ source, target, constraints: document('c.json', 'constraints') });
    await expect(text).rejects.toThrow('it must be a list of constraints, or {');
    const misspelt = { constraints: [told], layer: [] };
    await expect(
      retargetFiles({ source, target, constraints: document('c.json', misspelt) }),
    ).rejects.toThrow(/recipe\.layer is nothing that this version knows.*did you mean "layers"/);
  });

  it('names the document that is wrong, in one sentence', async () => {
    const broken = { name: 'm.json', bytes: new TextEncoder().encode('{') };
    await expect(retargetFiles({ source, target, map: broken })).rejects.toThrow(
      /^cannot read m\.json: it is no JSON/,
    );
    await expect(retargetFiles({ source, target, map: document('m.json', { version: 7 }) })).rejects.toThrow(
      /^cannot read m\.json as a map: version: /,
    );
    await expect(
      retargetFiles({ source: { name: 'odd.glb', content: new Uint8Array(20) }, target }),
    ).rejects.toThrow(/^cannot read odd\.glb: /);
  });
});
