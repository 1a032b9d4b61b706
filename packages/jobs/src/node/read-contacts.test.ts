import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readContactsFile } from './read-contacts.js';

describe('readContactsFile', () => {
  let folder: string;
  const write = async (json: unknown) => {
    const path = join(folder, 'contacts.json');
    await writeFile(path, JSON.stringify(json));
    return path;
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'contacts-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('reads contacts', async () => {
    const path = await write({ version: 1, clips: { walk: [{ point: 'leftToe', start: 0, end: 1 }] } });
    expect((await readContactsFile(path)).clips.walk).toHaveLength(1);
  });

  it('says of what inspect prints how contacts are written', async () => {
    const path = await write({ format: 'glb', skeletons: [], contacts: {} });
    await expect(readContactsFile(path)).rejects.toThrow(/inspect FILE --contacts -o OUT/);
  });

  it('names the place that is wrong', async () => {
    const path = await write({ version: 1, clips: { walk: [{ point: 'leftToe', start: 0 }] } });
    await expect(readContactsFile(path)).rejects.toThrow(/contacts\.clips\.walk\[0\]\.end/);
  });
});
