import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build, type Metafile } from 'esbuild';
import { AnimationMixer, type Object3D } from 'three';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createStage, loadSample, showAt } from '../bench/adapters-babylon-stage.js';
import { loadGltf, SAMPLES_FOLDER } from '../bench/adapters-three-files.js';
import { createLiveRetargeter as createWholeBabylon } from '../packages/adapters/src/babylon/index.js';
import type * as LiveBabylon from '../packages/adapters/src/babylon/live.js';
import { createLiveRetargeter as createWhole } from '../packages/adapters/src/three/index.js';
import type * as LiveThree from '../packages/adapters/src/three/live.js';
import { fromSources } from './bundle.mjs';
import { bundleLive } from './bundle-live.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * What a page loads before the first frame of a VRM or of Mixamo's names, minified and packed, the engine apart (SCALE:
 * 60 kB); what holds feet and hands is on its way then.
 */
const MOST = { three: 60_000, babylon: 60_000 };

/** Beside what is built, since the files import the engines. */
let folder = '';
const entryOf = (engine: string) => join(folder, engine, 'index.js');
beforeAll(async () => {
  mkdirSync(join(root, 'packages/adapters/dist'), { recursive: true });
  folder = mkdtempSync(join(root, 'packages/adapters/dist/live-test-'));
  await bundleLive(relative(root, folder), fromSources());
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Files that are loaded with an entry, and those that are fetched when they are needed. */
function partOutputs({ outputs }: Metafile): { atOnce: string[]; late: string[] } {
  const atOnce = new Set<string>();
  const follow = (name: string) => {
    if (atOnce.has(name)) return;
    atOnce.add(name);
    for (const { path, kind, external } of outputs[name]!.imports)
      if (!external && kind !== 'dynamic-import') follow(path);
  };
  follow(Object.keys(outputs).find((name) => /\/index\.js$/.test(outputs[name]!.entryPoint ?? ''))!);
  return { atOnce: [...atOnce], late: Object.keys(outputs).filter((name) => !atOnce.has(name)) };
}

test.each(['three', 'babylon'] as const)('what a page loads at once of %s is small', async (engine) => {
  const { metafile, outputFiles } = await build({
    entryPoints: [entryOf(engine)],
    absWorkingDir: root,
    outdir: join(root, 'out'),
    bundle: true,
    minify: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    external: ['three', 'three/*', '@babylonjs/*'],
    metafile: true,
    write: false,
  });
  const { atOnce, late } = partOutputs(metafile!);
  const sizeOf = (name: string) =>
    gzipSync(outputFiles.find(({ path }) => relative(root, path) === name)!.contents).length;
  const size = atOnce.reduce((sum, name) => sum + sizeOf(name), 0);
  expect(size, `${size} bytes`).toBeLessThanOrEqual(MOST[engine]);
  for (const part of ['feet', 'edits', 'shape', 'solvers', 'clips', 'options'])
    expect(late.some((name) => name.includes(`/${part}-`))).toBe(true);
});

/** Turns and places of all below an object, as they stand. */
function stance(root: Object3D): number[] {
  const numbers: number[] = [];
  root.traverse(({ position, quaternion }) => {
    numbers.push(...position.toArray(), ...quaternion.toArray());
  });
  return numbers;
}

/** Fails where a first frame waits for what it should do without: scripts/find-live-first.mjs finds what it calls anew. */
const late = (avatar: string) =>
  wait(60_000, undefined, { ref: false }).then(() => {
    throw new Error(`the first frame of ${avatar} waits for more than scripts/live-first.json has`);
  });

type Live = { update(seconds?: number): void; held?: Promise<void> };

/** How an avatar stands at instants of a motion. */
async function follow(
  motion: string,
  avatar: string,
  create: (target: Object3D, source: Object3D) => Live | Promise<Live>,
): Promise<number[]> {
  const source = await loadGltf(`${SAMPLES_FOLDER}motions/${motion}.glb`);
  const target = await loadGltf(`${SAMPLES_FOLDER}characters/${avatar}`);
  source.scene.animations = source.animations;
  const mixer = new AnimationMixer(source.scene);
  mixer.clipAction(source.animations[0]!).play();
  const live = await create((target.userData.vrm ?? target.scene) as unknown as Object3D, source.scene);
  await live.held;
  const numbers: number[] = [];
  for (let frame = 0; frame < 60; frame++) {
    mixer.update(1 / 30);
    live.update(1 / 30);
    if (frame % 10 === 9) numbers.push(...stance(target.scene));
  }
  return numbers;
}

describe('the live entry of three.js', () => {
  /** The entry as a page loads it, and which of its files were fetched; what holds feet comes when it is let. */
  async function load(feet: Promise<void> = Promise.resolve()) {
    // A copy each time: nothing has been fetched of it.
    const copy = mkdtempSync(join(folder, 'copy-'));
    const fetched: string[] = [];
    (globalThis as { liveParts?: unknown }).liveParts = async (name: string) => {
      fetched.push(name);
      if (name === 'feet') await feet;
    };
    cpSync(join(folder, 'three'), copy, { recursive: true });
    const first = readFileSync(join(copy, 'first.js'), 'utf8');
    writeFileSync(
      join(copy, 'first.js'),
      first.replace(
        /=> import\('\.\/(\w+)\.js'\)/g,
        "=> globalThis.liveParts('$1').then(() => import('./$1.js'))",
      ),
    );
    const entry = pathToFileURL(join(copy, 'index.js')).href;
    return { ...((await import(/* @vite-ignore */ entry)) as typeof LiveThree), fetched };
  }

  test.each(['vrm1-sister.vrm', 'vrm0-sister.vrm', 'vrm-girl.vrm', 'mixamo-guy.glb'])(
    'has all that %s needs, and fetches nothing but what holds its feet',
    async (avatar) => {
      const { createLiveRetargeter, fetched } = await load();
      const alone = await follow('walk', avatar, createLiveRetargeter);
      expect(fetched).toEqual(['feet']);
      expect(alone).toEqual(await follow('walk', avatar, createWhole));
      expect(alone).not.toEqual(
        await follow('walk', avatar, (t, s) => createWhole(t, s, { corrections: 'none' })),
      );
    },
  );

  test.each(['baker.glb', 'alien.glb', 'goblin.glb', 'knight.glb', 'unreal-mannequin.glb', 'child.glb'])(
    'moves %s as the whole adapter does',
    async (avatar) => {
      const { createLiveRetargeter } = await load();
      expect(await follow('jump', avatar, createLiveRetargeter)).toEqual(
        await follow('jump', avatar, createWhole),
      );
    },
  );

  test.each(['vrm1-sister.vrm', 'mixamo-guy.glb'])(
    'copies turns and travel of %s until what holds its feet is there',
    async (avatar) => {
      const { createLiveRetargeter, fetched } = await load(new Promise(() => {}));
      const begun = await follow('walk', avatar, async (target, source) => {
        const made = await Promise.race([createLiveRetargeter(target, source), late(avatar)]);
        const { held, ...live } = made;
        return live;
      });
      expect(fetched).toEqual(['feet']);
      const copied = await follow('walk', avatar, (t, s) => createWhole(t, s, { corrections: 'none' }));
      expect(begun).toEqual(copied);
    },
  );

  test('waits for all of it where names say nothing', async () => {
    let come = () => {};
    const feet = new Promise<void>((resolve) => {
      come = resolve;
    });
    const { createLiveRetargeter } = await load(feet);
    const source = await loadGltf(`${SAMPLES_FOLDER}motions/walk.glb`);
    const { scene } = await loadGltf(`${SAMPLES_FOLDER}characters/alien.glb`);
    const live = createLiveRetargeter(scene, source.scene);
    expect(await Promise.race([live, new Promise((done) => setTimeout(done, 500, 'waits'))])).toBe('waits');
    come();
    expect((await live).setup.map.joints.length).toBeGreaterThan(15);
  });

  test('holds feet though what holds them comes late, when the source plays', async () => {
    let come = () => {};
    const feet = new Promise<void>((resolve) => {
      come = resolve;
    });
    const { createLiveRetargeter } = await load(feet);
    const held = await follow('walk', 'vrm1-sister.vrm', async (target, source) => {
      const live = await Promise.race([createLiveRetargeter(target, source), late('vrm1-sister.vrm')]);
      const mixer = new AnimationMixer(source);
      mixer.clipAction(source.animations[0]!).play();
      for (let frame = 0; frame < 20; frame++) {
        mixer.update(1 / 30);
        live.update(1 / 30);
      }
      come();
      await live.held;
      return live;
    });
    // What was done before plays no part.
    expect(held).toEqual(await follow('walk', 'vrm1-sister.vrm', createWhole));
  });

  test('fetches what options ask for', async () => {
    const { createLiveRetargeter, fetched } = await load();
    const options = {
      solvers: { leftLeg: 'fabrik', rightArm: 'ccd' },
      spacing: { arms: 0.1 },
      lookAt: { point: [0, 1.5, 3] },
    } as const;
    const told = options as unknown as LiveThree.LiveRetargeterOptions;
    const alone = await follow('walk', 'mixamo-guy.glb', (t, s) => createLiveRetargeter(t, s, told));
    expect(fetched).toContain('solvers');
    expect(fetched).toContain('options');
    expect(alone).toEqual(await follow('walk', 'mixamo-guy.glb', (t, s) => createWhole(t, s, told as never)));
  });

  test('says what is wrong as the whole adapter does', async () => {
    const { createLiveRetargeter } = await load();
    const { scene } = await loadGltf(`${SAMPLES_FOLDER}characters/child.glb`);
    await expect(createLiveRetargeter(scene, scene, { solvers: 7 } as never)).rejects.toThrow(/^solvers/);
    await expect(createLiveRetargeter(null as never, scene)).rejects.toThrow(/target/);
  });
});

test('the live entry of Babylon.js moves avatars as the whole adapter does', async () => {
  const { createLiveRetargeter } = (await import(
    /* @vite-ignore */ pathToFileURL(entryOf('babylon')).href
  )) as typeof LiveBabylon;
  for (const avatar of ['vrm1-sister.vrm', 'baker.glb']) {
    const stances = [];
    for (const create of [createLiveRetargeter, createWholeBabylon]) {
      const scene = createStage();
      const source = await loadSample(scene, 'motions/walk.glb');
      const target = await loadSample(scene, `characters/${avatar}`);
      const live: Live = await create(target.root, source.root);
      await live.held;
      for (let frame = 0; frame < 40; frame++) {
        showAt(source.groups[0]!, frame / 40);
        live.update(1 / 30);
      }
      stances.push(
        target.root
          .getChildTransformNodes()
          .flatMap(({ position, rotationQuaternion }) => [
            ...position.asArray(),
            ...(rotationQuaternion?.asArray() ?? []),
          ]),
      );
    }
    expect(stances[0]).toEqual(stances[1]);
  }
});
