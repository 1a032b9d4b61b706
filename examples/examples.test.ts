import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { read } from 'stuntdouble';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

const samples = fileURLToPath(new URL('../samples/', import.meta.url));
const at = (path: string) => samples + path;

/** Two joints that are no body. */
const STRANGER = `HIERARCHY
ROOT lever
{
  OFFSET 0 0 0
  CHANNELS 3 Zrotation Xrotation Yrotation
  JOINT knob
  {
    OFFSET 0 1 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 0 1 0
    }
  }
}
MOTION
Frames: 1
Frame Time: 0.04
0 0 0 0 0 0
`;

let folder = '';
const before = { folder: process.cwd(), words: process.argv };

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stuntdouble-examples-'));
  process.chdir(folder);
});

afterEach(() => {
  process.chdir(before.folder);
  process.argv = before.words;
  process.exitCode = undefined;
  rmSync(folder, { recursive: true });
  vi.restoreAllMocks();
});

/** Runs an example as a user would, and gives the lines that it printed and its exit code. */
async function run(name: string, ...words: string[]): Promise<{ lines: string[]; exitCode: unknown }> {
  const lines: string[] = [];
  vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line));
  process.argv = ['node', name, ...words];
  vi.resetModules();
  await import(/* @vite-ignore */ new URL(`./${name}.ts`, import.meta.url).href);
  return { lines, exitCode: process.exitCode };
}

describe('the examples', () => {
  it('first: writes the walk into the hero', async () => {
    cpSync(at('files/motions/walk.bvh'), 'walk.bvh');
    cpSync(at('files/characters/vrm-girl.vrm'), 'hero.vrm');
    await run('first');
    const written = await read('hero-walk.vrm');
    expect(written.format).toBe('vrm');
    expect(written.characters[0]!.clips.map(({ name }) => name)).toEqual(['walk']);
  });

  it('batch: writes every character that it can, and says why not', async () => {
    cpSync(at('files/characters'), 'in', { recursive: true });
    // A file is known by its bytes, whatever it is called.
    writeFileSync('in/stranger.glb', STRANGER);
    const { lines } = await run('batch', at('files/motions/walk.bvh'), 'in', 'out');
    // All characters, and the stranger.
    const { length } = readdirSync(at('files/characters'));
    expect(lines).toHaveLength(length + 1);
    expect(lines.filter((line) => /: \d+ joints, feet slide 0\.\d\d % of/.test(line))).toHaveLength(length);
    expect(lines.find((line) => line.startsWith('stranger.glb'))).toMatch(/left out, .*give a map/);
    expect(existsSync('out/goblin.glb')).toBe(true);
    expect(existsSync('out/stranger.glb')).toBe(false);
    expect((await read('out/vrm-girl.vrm')).characters[0]!.clips).toHaveLength(1);
  });

  it('batch: goes on after a broken file', async () => {
    mkdirSync('in');
    cpSync(at('files/characters/child.glb'), 'in/child.glb');
    cpSync(at('maps/robot.json'), 'in/broken.glb');
    const { lines } = await run('batch', at('files/motions/walk.bvh'), 'in', 'out');
    expect(lines[0]).toMatch(/^broken\.glb: left out, /);
    expect(lines[1]).toMatch(/^child\.glb: \d+ joints/);
  });

  it('with-a-map: takes the map, the references and the frame rate as told', async () => {
    const words = ['files/motions/wave-on-one-leg.glb', 'files/characters/robot.glb', 'maps/robot.json'];
    const { lines } = await run('with-a-map', ...words.map(at), 'robot-wave.glb');
    expect(lines[0]).toBe('turns are counted from: frame and rest');
    expect(lines[1]).toMatch(/^wave.*: 145 frames$/);
    expect((await read('robot-wave.glb')).characters[0]!.clips).toHaveLength(1);
  });

  it('check-results: is content with a good pair, and neither with a strange joint nor with a stranger', async () => {
    const motion = at('files/motions/walk.bvh');
    const good = await run('check-results', motion, at('files/characters/goblin.glb'));
    expect(good.lines).toEqual(['22 joints driven, nothing to doubt']);
    expect(good.exitCode).toBeUndefined();
    writeFileSync('odd.bvh', readFileSync(motion, 'utf8').replace('LeftShoulder', 'Widget'));
    const odd = await run('check-results', 'odd.bvh', at('files/characters/goblin.glb'));
    expect(odd.lines.at(-1)).toMatch(/^doubts: [1-9]/);
    expect(odd.exitCode).toBe(1);
    writeFileSync('stranger.bvh', STRANGER);
    await expect(run('check-results', motion, 'stranger.bvh')).rejects.toThrow(/give a map/);
  });

  it('live: one motion, pose by pose, on several characters', async () => {
    const words = ['motions/walk.bvh', 'characters/vrm-girl.vrm', 'characters/goblin.glb'];
    const { lines } = await run('live', ...words.map((path) => at(`files/${path}`)));
    expect(lines).toHaveLength(2);
    for (const line of lines)
      expect(line).toMatch(/: 22 joints follow, the lowest -?[01] cm over the floor$/);
  });

  it('X5: retargeted-bind: the unchanged animation drives the mesh to where the usual way puts it', async () => {
    const words = ['motions/walk.glb', 'characters/goblin.glb'];
    const { lines } = await run('retargeted-bind', ...words.map((path) => at(`files/${path}`)));
    expect(lines.length).toBeGreaterThan(1);
    for (const line of lines) expect(Number(/at most (\S+) apart$/.exec(line)![1])).toBeLessThan(1e-9);
  });
});
