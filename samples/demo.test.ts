import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { read, readMeshes } from '@stuntdouble/formats';
import pc from 'picocolors';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SAMPLE_CHARACTERS, SAMPLE_MOTIONS } from './catalogue.js';
import { type DemoOptions, type DemoOutcome, runDemo } from './demo.js';

const folder = mkdtempSync(join(tmpdir(), 'stuntdouble-demo-'));
afterAll(() => rmSync(folder, { recursive: true }));

const pick = <T extends { name: string }>(entries: readonly T[], ...names: string[]): T[] =>
  names.map((name) => entries.find((entry) => entry.name === name)!);

/** Three bodies, two motions, a small sheet. */
const REDUCED: DemoOptions = {
  folder,
  characters: pick(SAMPLE_CHARACTERS, 'mixamo-guy', 'goblin', 'robot'),
  motions: pick(SAMPLE_MOTIONS, 'walk', 'wave-on-one-leg'),
  width: 500,
};

async function demo(options: DemoOptions): Promise<DemoOutcome & { text: string }> {
  const said: string[] = [];
  const terminal = { out: (text: string) => void said.push(text), colors: pc.createColors(false) };
  return { ...(await runDemo(terminal, options)), text: said.join('') };
}

describe('the demo', () => {
  let outcome: Awaited<ReturnType<typeof demo>>;
  beforeAll(async () => {
    outcome = await demo(REDUCED);
  });

  it('finds every direction within 0.1°, from each character to each', () => {
    expect(outcome.worst).toBeLessThanOrEqual(0.1);
    expect(outcome.passed).toBe(true);
    // Two motions on three characters, and one from each of them to each.
    expect(outcome.text).toContain('15 retargets');
  });

  it('says how the characters differ, and how true each motion is on each', () => {
    const lines = outcome.text.split('\n');
    expect(lines.filter((line) => line.trim().startsWith('Goblin'))).toHaveLength(3);
    expect(outcome.text).toMatch(/Goblin +50 +1\.\d\d m +38° down +59° bent +1\.40 +0\.0254 m +−Z/);
    expect(outcome.text).toMatch(/Mixamo-style guy +\d+ +1\.8\d m +0° down +\d+° bent +0\.60 +0\.01 m +\+Z/);
    expect(outcome.text).toMatch(/Robot +(0\.\d{5}° +){3}– +42 of 43 +keys kept/);
  });

  it('writes one file a character that holds its meshes and all motions', async () => {
    expect(outcome.files.map((file) => basename(file))).toEqual([
      'mixamo-guy.glb',
      'goblin.glb',
      'robot.glb',
      'sheet.png',
    ]);
    for (const file of outcome.files.slice(0, 3)) {
      const scene = await read(file);
      expect(scene.characters[0]!.clips.map(({ name }) => name)).toEqual(['walk', 'wave-on-one-leg']);
      expect((await readMeshes(scene)).length).toBeGreaterThan(0);
    }
  });

  it('draws a sheet as wide as asked for', () => {
    const png = readFileSync(join(folder, 'sheet.png'));
    expect(png.subarray(1, 4).toString()).toBe('PNG');
    expect(png.readUInt32BE(16)).toBe(500);
    expect(outcome.text).toContain('sheet.png');
  });

  it('does not pass where a direction is further off than allowed', async () => {
    const strict = await demo({ ...REDUCED, motions: pick(SAMPLE_MOTIONS, 'walk-bvh'), limit: -1 });
    expect(strict.passed).toBe(false);
    expect(strict.text).toContain('more than the -1° that are allowed');
    expect(existsSync(join(folder, 'goblin.glb'))).toBe(true);
  });
});
