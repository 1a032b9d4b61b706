import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type Contact, readContacts } from '@stuntdouble/core/engine';
import pc from 'picocolors';
import { describe, expect, it } from 'vitest';
import { createFolder } from '../../test/folder.js';
import { runCommand } from '../../test/run-command.js';
import { inspectSchema } from '../../test/schemas.js';
import type { Terminal } from '../terminal.js';
import { timelineLines } from './contact-timeline.js';

const samples = fileURLToPath(new URL('../../../../samples/files/', import.meta.url));
const walk = `${samples}motions/walk.glb`;
const goblin = `${samples}characters/goblin.glb`;
const folder = createFolder();

const colors = pc.createColors(false);
const terminal: Terminal = {
  out: () => {},
  outBytes: () => {},
  err: () => {},
  colors,
  errorColors: colors,
  columns: 20,
  progress: { update: () => {}, stop: () => {} },
};
const contact = (point: Contact['point'], start: number, end: number, height = 0): Contact => ({
  point,
  start,
  end,
  height,
  position: [0, 0, 0],
});

describe('contacts on a timeline', () => {
  it('a row a point, as wide as fits, with what is stood on', () => {
    const lines = timelineLines(
      { name: 'hop', duration: 1 },
      [contact('rightToe', 0, 0.5), contact('leftHeel', 0.25, 1, 0.2), contact('rightToe', 0.9, 1, -0.2)],
      terminal,
    );
    expect(lines[0]).toBe('hop  1.00 s');
    expect(lines.slice(1, 3)).toEqual(['  leftHeel  ··▀▀▀▀▀▀▀▀', '  rightToe  █████····▄']);
    expect(timelineLines({ name: '', duration: 0 }, [], terminal)[1]).toMatch(/nothing stands still/);
    expect(timelineLines({ name: 'x', duration: 0 }, [contact('hips', 0, 0)], terminal)[1]).toContain('█');
  });

  it('says so where there is no clip that could show any', async () => {
    const still = `${samples}characters/child.glb`;
    const { out, code } = await runCommand('inspect', still, '--contacts');
    expect(code).toBe(0);
    expect(out).toContain('no contacts: there is no clip');
  });

  it('inspect shows and writes them, retarget takes them as edited', async () => {
    const path = folder.at('steps.json');
    const shown = await runCommand('inspect', walk, '--contacts', '-o', path);
    expect(shown.code).toBe(0);
    expect(shown.out).toMatch(/leftToe {4}·+█+·+█+·+\n/);
    const { clips } = readContacts(JSON.parse(await readFile(path, 'utf8')));
    const { contacts } = inspectSchema.parse(
      JSON.parse((await runCommand('inspect', walk, '--contacts', '--json')).out),
    );
    expect(contacts!.walk!.length).toBeGreaterThan(6);
    // Written in order of time.
    expect(clips.walk!.length).toBe(contacts!.walk!.length);
    const found = await slide();
    const held = await slide('--contacts', path);
    expect(held).toBeCloseTo(found, 2);
    // One foot only: the toes of the other slide as the source's do.
    const left = clips.walk!.filter(({ point }) => point.startsWith('left'));
    const half = await folder.put('half.json', JSON.stringify({ version: 1, clips: { walk: left } }));
    expect(await slide('--contacts', half)).toBeGreaterThan(1.5 * found);

    async function slide(...more: string[]): Promise<number> {
      const out = folder.at('goblin-walk.glb');
      const run = await runCommand(
        'retarget',
        walk,
        goblin,
        '-o',
        out,
        '--force',
        '--json',
        ...more,
        '--corrections',
        'auto',
      );
      expect(run.err).toBe('');
      return JSON.parse(run.out).measures[0].motion.slide.result.mean;
    }
  });

  it('says what is wrong with a file of contacts, and where', async () => {
    const broken = await folder.put('broken.json', '{"version":1,"clips":{"walk":[{"point":"tail"}]}}');
    const run = await runCommand('retarget', walk, goblin, '--dry-run', '--contacts', broken);
    expect(run.code).toBe(1);
    expect(run.err).toContain('contacts.clips.walk[0].point');
    const text = await folder.put('text.json', 'no');
    expect((await runCommand('retarget', walk, goblin, '--dry-run', '--contacts', text)).err).toContain(
      'no JSON',
    );
    const unasked = await runCommand('inspect', walk, '-o', folder.at('x.json'));
    expect([unasked.code, unasked.err]).toEqual([2, expect.stringContaining('--contacts')]);
  });
});
