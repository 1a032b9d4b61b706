import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseRigMap } from '../documents/rig-map-schema.js';
import { readRigMap } from './read-map.js';

describe('map files', () => {
  it('may name roles alone', () => {
    expect(parseRigMap({ version: 1, roles: { hips: 'x' } })).toEqual({ version: 1, roles: { hips: 'x' } });
    expect(parseRigMap({ version: 1 })).toEqual({ version: 1 });
  });

  it('say where they are wrong', () => {
    const entry = { target: 'a', sources: ['b'] };
    for (const [json, place] of [
      [null, /^the document: /],
      [[], /^the document: /],
      [{}, /^version: /],
      [{ version: 2 }, /^version: /],
      [{ version: 1, joint: [] }, /joint/],
      [{ version: 1, joints: [entry, { target: 'a', sources: [] }] }, /^joints\[1\]\.sources: at least one/],
      [{ version: 1, joints: [{ ...entry, target: '' }] }, /^joints\[0\]\.target: /],
      [{ version: 1, joints: [{ ...entry, role: 'elbow' }] }, /^joints\[0\]\.role: "elbow" is no body part/],
      [
        { version: 1, joints: [{ ...entry, share: { from: 'x', weight: 2 } }] },
        /^joints\[0\]\.share\.weight: /,
      ],
      [{ version: 1, roles: { elbow: 'x' } }, /elbow/],
      [{ version: 1, roles: { hips: 3 } }, /^roles\.hips: /],
    ] as const)
      expect(() => parseRigMap(json), JSON.stringify(json)).toThrow(place);
  });

  it('that cannot be read fail in one sentence with their name', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'stuntdouble-'));
    try {
      await writeFile(join(folder, 'broken.json'), '{ "version": 1,');
      await writeFile(join(folder, 'other.json'), '{ "version": 7 }');
      await expect(readRigMap(join(folder, 'none.json'))).rejects.toThrow(
        /none\.json: there is no such file$/,
      );
      await expect(readRigMap(folder)).rejects.toThrow(/it is a folder$/);
      await expect(readRigMap(join(folder, 'broken.json'))).rejects.toThrow(/broken\.json: it is no JSON/);
      await expect(readRigMap(join(folder, 'other.json'))).rejects.toThrow(/other\.json as a map: version: /);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
