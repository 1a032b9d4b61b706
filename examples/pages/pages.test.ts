import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin, type PreviewServer, preview } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPage } from '../../scripts/browser.mjs';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** What each page is asked from outside: arms of the source and of the hero at one instant, as directions. */
const PROBES: Record<string, string> = {
  'three-vrm.ts': `
    const own = new AnimationMixer(walk.scene);
    own.clipAction(walk.animations[0]).play();
    globalThis.arms = () => {
      own.setTime(mixer.time);
      const at = (node) => (node.updateWorldMatrix(true, false), node.matrixWorld.elements.slice(12, 15));
      const bone = (name) => vrm.humanoid.getRawBoneNode(name);
      const named = (name) => walk.scene.getObjectByName('mixamorig' + name);
      return [['LeftArm', 'LeftForeArm', 'leftUpperArm', 'leftLowerArm'], ['RightArm', 'RightForeArm', 'rightUpperArm', 'rightLowerArm']]
        .map(([a, b, c, d]) => [[at(named(a)), at(named(b))], [at(bone(c)), at(bone(d))]]);
    };`,
  'three-fbx.ts': `
    const own = new AnimationMixer(walk);
    own.clipAction(walk.animations[0]).play();
    globalThis.arms = () => {
      own.setTime(mixer.time);
      const at = (root, name) => {
        const node = root.getObjectByName(name);
        node.updateWorldMatrix(true, false);
        return node.matrixWorld.elements.slice(12, 15);
      };
      return [['LeftArm', 'LeftForeArm', 'DEF-upper_armL', 'DEF-forearmL'], ['RightArm', 'RightForeArm', 'DEF-upper_armR', 'DEF-forearmR']]
        .map(([a, b, c, d]) => [[at(walk, 'mixamorig' + a), at(walk, 'mixamorig' + b)], [at(hero, c), at(hero, d)]]);
    };`,
  'babylon.ts': `
    walk.animationGroups[0].start(false);
    globalThis.arms = () => {
      const [own, played] = [walk.animationGroups[0], scene.animationGroups.at(-1)];
      const part = (played.animatables[0].masterFrame - played.from) / (played.to - played.from);
      own.pause();
      own.goToFrame(own.from + part * (own.to - own.from));
      for (const file of [walk, hero])
        for (const node of [file.meshes[0], ...file.meshes[0].getDescendants(false)]) node.computeWorldMatrix?.(true);
      const at = (file, name) =>
        file.meshes[0].getDescendants(false).find((one) => one.name === name).getAbsolutePosition().asArray();
      return [['LeftArm', 'LeftForeArm', 'DEF-upper_arm.L', 'DEF-forearm.L'], ['RightArm', 'RightForeArm', 'DEF-upper_arm.R', 'DEF-forearm.R']]
        .map(([a, b, c, d]) => [[at(walk, 'mixamorig:' + a), at(walk, 'mixamorig:' + b)], [at(hero, c), at(hero, d)]]);
    };`,
};

/** Adds the question to a page, whose own lines stay as they are. */
const probe: Plugin = {
  name: 'probe',
  enforce: 'pre',
  transform(code, id) {
    const added = PROBES[id.replace(/.*\//, '')];
    return added && id.startsWith(here('.')) ? code + added : null;
  },
};

/** The angle in degrees between the ways from a to b, and from c to d. */
function apart([[a, b], [c, d]]: number[][][]): number {
  const way = (from: number[], to: number[]) => to.map((x, i) => x - from[i]!);
  const [u, v] = [way(a!, b!), way(c!, d!)];
  const dot = u.reduce((sum, x, i) => sum + x * v[i]!, 0);
  return (Math.acos(Math.min(1, dot / (Math.hypot(...u) * Math.hypot(...v)))) * 180) / Math.PI;
}

describe('pages of a stranger, of twenty lines or so each', () => {
  let outDir = '';
  let server: PreviewServer;
  beforeAll(async () => {
    outDir = mkdtempSync(join(tmpdir(), 'stuntdouble-pages-'));
    const shared = { configFile: here('./vite.config.ts'), logLevel: 'error' } as const;
    await build({ ...shared, plugins: [probe], build: { outDir, emptyOutDir: true, minify: false } });
    server = await preview({ ...shared, preview: { host: '127.0.0.1', port: 0 }, build: { outDir } });
  });
  afterAll(async () => {
    await server.close();
    rmSync(outDir, { recursive: true, force: true });
  });

  it.each(['three-vrm', 'three-fbx', 'babylon'])('%s plays: arms swing with the source’s', async (name) => {
    const lines = readFileSync(here(`./${name}.ts`), 'utf8').split('\n');
    expect(lines.filter((line) => line.trim() !== '').length).toBeLessThanOrEqual(25);
    const { page, problems, close } = await openPage(`${server.resolvedUrls!.local[0]}${name}.html`);
    try {
      await page.waitForFunction(() => 'arms' in globalThis);
      const heights: number[] = [];
      for (let n = 0; n < 4; n++) {
        await page.waitForTimeout(300);
        const arms = (await page.evaluate('arms()')) as number[][][][];
        // Arms come out of a body that is broader than the source's, which turns them by up to 30 degrees; one that
        // rests in its T-pose is 70 and more off.
        for (const arm of arms) expect(apart(arm)).toBeLessThan(35);
        heights.push(arms[0]![1]![1]![2]! - arms[0]![1]![0]![2]!);
      }
      // They swing.
      expect(Math.max(...heights) - Math.min(...heights)).toBeGreaterThan(0.01);
      expect(problems).toEqual([]);
      if (process.env.STUNTDOUBLE_PICTURE)
        await page.screenshot({ path: `${process.env.STUNTDOUBLE_PICTURE}-${name}.png` });
    } finally {
      await close();
    }
  });
});
