import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { read } from '@stuntdouble/formats';
import { build, type Metafile } from 'esbuild';
import type { AnimationClip } from 'three';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadBvh, loadGltf, SAMPLES_FOLDER } from '../bench/adapters-three-files.js';
import type * as Page from '../packages/adapters/src/page.js';
import type * as ThreeClip from '../packages/adapters/src/three/clip.js';
import {
  type AnimatedObject,
  type RetargetClipOptions,
  retargetClips,
} from '../packages/adapters/src/three/index.js';
import { type RetargetOptions, retarget } from '../packages/core/src/engine.js';
import { fromSources } from './bundle.mjs';
import { bundlePage } from './bundle-page.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Beside what is built, since the files import the engines; two folders down, as the entries are. */
let folder = '';
beforeAll(async () => {
  mkdirSync(join(root, 'packages/adapters/dist'), { recursive: true });
  folder = mkdtempSync(join(root, 'packages/adapters/dist/page-test-'));
  await bundlePage(relative(root, folder), fromSources());
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/**
 * Bytes that a page loads, minified and packed by gzip, the engine apart, for an avatar with the names of VRM or Mixamo:
 * with feet and hands as copied, held, and measured besides (QUALITY: 90 kB for a clip of three.js, 110 kB for core).
 */
const MOST: Record<string, Record<string, number>> = {
  'three-clip': { first: 77_000, feet: 141_000 },
  core: { first: 70_000, feet: 132_000, measures: 146_000 },
};

test.each(Object.keys(MOST))('what a page loads of %s is small', async (name) => {
  const { metafile, outputFiles } = await build({
    entryPoints: [join(folder, name, 'index.js')],
    absWorkingDir: root,
    outdir: join(root, 'out'),
    bundle: true,
    minify: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    external: ['three', 'three/*', '../../three/*', '../../shared/*'],
    metafile: true,
    write: false,
  });
  const sizes = sizesOf(
    metafile!,
    (output) => gzipSync(outputFiles.find(({ path }) => relative(root, path) === output)!.contents).length,
  );
  let sum = sizes.first!;
  expect(sum, `${sum} bytes at once`).toBeLessThanOrEqual(MOST[name]!.first!);
  for (const part of Object.keys(MOST[name]!).slice(1)) {
    sum += sizes[part]!;
    expect(sum, `${sum} bytes with ${part}`).toBeLessThanOrEqual(MOST[name]![part]!);
  }
});

/** Bytes that come at once, and those of each late part with what it shares. */
function sizesOf({ outputs }: Metafile, sizeOf: (output: string) => number): Record<string, number> {
  const sizes: Record<string, number> = { first: 0 };
  const late = (name: string) => /\/(feet|measures)-[^/]*$/.exec(name)?.[1];
  for (const name of Object.keys(outputs)) {
    const part = late(name) ?? 'first';
    sizes[part] = (sizes[part] ?? 0) + sizeOf(name);
  }
  return sizes;
}

/** An entry as a page loads it, and which of its files were fetched. */
async function load<Entry>(name: string): Promise<Entry & { fetched: string[] }> {
  // A copy each time: nothing has been fetched of it.
  const copy = mkdtempSync(join(folder, 'copy-'));
  const fetched: string[] = [];
  (globalThis as { pageParts?: unknown }).pageParts = (part: string) => fetched.push(part);
  cpSync(join(folder, name), copy, { recursive: true });
  const first = readFileSync(join(copy, 'first.js'), 'utf8');
  writeFileSync(
    join(copy, 'first.js'),
    first.replace(
      /import\((['"])([\w./-]+?)(\w[\w-]*)\.js\1\)/g,
      "(globalThis.pageParts('$3'), import('$2$3.js'))",
    ),
  );
  const entry = pathToFileURL(join(copy, 'index.js')).href;
  return { ...((await import(/* @vite-ignore */ entry)) as Entry), fetched };
}

const characters = (name: string) => `${SAMPLES_FOLDER}characters/${name}`;
const motions = (name: string) => `${SAMPLES_FOLDER}motions/${name}.glb`;

describe('the entry for clips of three.js', () => {
  const onto = async (avatar: string, motion: string) => {
    const source = await loadGltf(motions(motion));
    const target = await loadGltf(characters(avatar));
    return [target.userData.vrm ?? target.scene, source, source.animations] as const;
  };
  const told = (result: ReturnType<typeof retargetClips>) => ({
    clips: result.clips.map(({ name, duration, tracks }) => ({
      ...{ name, duration },
      tracks: tracks.map((track) => [track.name, [...track.times], [...track.values]]),
    })),
    report: result.report,
  });
  const compare = async (
    entry: typeof ThreeClip,
    avatar: string,
    motion: string,
    options: RetargetClipOptions = {},
  ) =>
    expect(told(await entry.retargetClips(...(await onto(avatar, motion)), options))).toEqual(
      told(retargetClips(...(await onto(avatar, motion)), options)),
    );

  test.each(['vrm1-sister.vrm', 'vrm0-sister.vrm', 'vrm-girl.vrm', 'mixamo-guy.glb'])(
    'moves clips onto %s as the whole adapter does, and fetches what holds its feet alone',
    async (avatar) => {
      const entry = await load<typeof ThreeClip>('three-clip');
      await compare(entry, avatar, 'walk', { corrections: 'none' });
      expect(entry.fetched).toEqual([]);
      for (const motion of ['walk', 'pick-up']) await compare(entry, avatar, motion);
      expect(entry.fetched).toEqual(['feet']);
    },
  );

  test.each(['vrm1-sister.vrm', 'mixamo-guy.glb'])(
    'takes scenes and loaded files of %s alike, and fetches no more for it',
    async (avatar) => {
      type Given = [AnimatedObject, AnimatedObject, AnimationClip[]];
      const given = async (handed: 'scene' | 'gltf'): Promise<Given> => {
        const [to, from] = [await loadGltf(characters(avatar)), await loadGltf(motions('walk'))];
        return handed === 'scene' ? [to.scene, from.scene, from.animations] : [to, from, from.animations];
      };
      for (const handed of ['scene', 'gltf'] as const) {
        const entry = await load<typeof ThreeClip>('three-clip');
        const whole = told(retargetClips(...(await given(handed))));
        expect(told(await entry.retargetClips(...(await given(handed))))).toEqual(whole);
        expect(entry.fetched).toEqual(['feet']);
      }
    },
  );

  test('says to browsers that all of it is run', () => {
    for (const file of ['first.js', 'feet.js'])
      expect(readFileSync(join(folder, 'three-clip', file), 'utf8')).toMatch(
        /^\/\/# allFunctionsCalledOnLoad\n/,
      );
  });

  test.each(['alien.glb', 'goblin.glb', 'unreal-mannequin.glb', 'child.glb'])(
    'moves a clip onto %s as the whole adapter does, whatever it has to fetch',
    async (avatar) => compare(await load('three-clip'), avatar, 'jump'),
  );

  test('fetches the whole adapter where an option asks for more, and stays with it', async () => {
    const entry = await load<typeof ThreeClip>('three-clip');
    await compare(entry, 'mixamo-guy.glb', 'walk', { solvers: { leftLeg: 'fabrik' } });
    expect(entry.fetched).toContain('retarget-clip');
    const { length } = entry.fetched;
    await compare(entry, 'vrm1-sister.vrm', 'jump');
    expect(entry.fetched).toHaveLength(length);
  });

  test('says what is wrong as the whole adapter does, and tells each warning once', async () => {
    const entry = await load<typeof ThreeClip>('three-clip');
    const given = await onto('mixamo-guy.glb', 'walk');
    await expect(entry.retargetClips(...given, { solvers: 7 } as never)).rejects.toThrow(/^solvers/);
    await expect(entry.retargetClips(null as never, given[1], given[2])).rejects.toThrow(/target/);
    const heard: unknown[] = [];
    const options = { onWarning: (warning: unknown) => void heard.push(warning), lookAt: {} as never };
    const { report } = await entry.retargetClips(...given, options).catch(() => ({ report: null }));
    if (report) expect(heard).toEqual(report.warnings);
  });

  test('takes a capture that its samples do not have', async () => {
    const entry = await load<typeof ThreeClip>('three-clip');
    const capture = () => loadBvh(`${SAMPLES_FOLDER}captures/walk-xsens.bvh`);
    const [a, b] = [capture(), capture()];
    const target = async () => (await loadGltf(characters('vrm1-sister.vrm'))).scene;
    expect(told(await entry.retargetClips(await target(), a.skeleton, [a.clip]))).toEqual(
      told(retargetClips(await target(), b.skeleton, [b.clip])),
    );
  });
});

describe('the entry of the engine for a page', () => {
  const compare = async (entry: typeof Page, avatar: string, motion: string, options: RetargetOptions) => {
    const open = async () => [await read(motion), await read(characters(avatar))] as const;
    const { clips, report } = await entry.retarget(...(await open()), options);
    const whole = retarget(...(await open()), options);
    expect({ clips, report }).toEqual({ clips: whole.clips, report: whole.report });
  };

  test.each(['vrm1-sister.vrm', 'mixamo-guy.glb'])(
    'moves clips onto %s as `retarget` does, and fetches what is asked for alone',
    async (avatar) => {
      const entry = await load<typeof Page>('core');
      await compare(entry, avatar, motions('walk'), { corrections: 'none', measure: false });
      expect(entry.fetched).toEqual([]);
      await compare(entry, avatar, motions('walk'), { measure: false });
      expect(entry.fetched).toEqual(['feet']);
      await compare(entry, avatar, motions('clap'), {});
      expect(entry.fetched).toEqual(['feet', 'measures']);
    },
  );

  test.each(['robot.glb', 'knight.glb'])('moves a capture onto %s as `retarget` does', async (avatar) =>
    compare(await load('core'), avatar, `${SAMPLES_FOLDER}captures/walk-cmu.bvh`, {}),
  );
});
