import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const read = (path: string) => readFileSync(fileURLToPath(new URL(`../${path}`, import.meta.url)), 'utf8');
const { workspaces } = JSON.parse(read('package.json')) as { workspaces: string[] };

describe.each(workspaces)('%s, as it is published', (folder) => {
  const { name, version, exports, engines, files } = JSON.parse(read(`${folder}/package.json`));

  it('has the licence with it', () => {
    expect(read(`${folder}/LICENSE`)).toBe(read('LICENSE'));
  });

  it('says what it is, and names every way in', () => {
    const text = read(`${folder}/README.md`);
    expect(text.startsWith(`# ${name}\n`)).toBe(true);
    for (const path of Object.keys(exports))
      if (path !== '.') expect(text, path).toContain(path.replace(/^\./, ''));
  });

  it('has the sources that its maps lead to, without their tests', () => {
    expect(files).toEqual(expect.arrayContaining(['dist', 'src', '!src/**/*.test.ts']));
  });

  it('goes in step with the others', () => {
    const core = JSON.parse(read('packages/core/package.json'));
    expect(version).toBe(core.version);
    expect(engines).toEqual(core.engines);
  });
});
