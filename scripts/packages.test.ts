import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const read = (path: string) => readFileSync(fileURLToPath(new URL(`../${path}`, import.meta.url)), 'utf8');
const { workspaces } = JSON.parse(read('package.json')) as { workspaces: string[] };
const published = workspaces.filter((folder) => !JSON.parse(read(`${folder}/package.json`)).private);

describe.each(published)('%s, as it is published', (folder) => {
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

describe('scripts, samples, benches, examples and fuzzing', () => {
  const { devDependencies } = JSON.parse(read('package.json')) as { devDependencies: Record<string, string> };
  const own = workspaces.map((folder) => JSON.parse(read(`${folder}/package.json`)).name as string);

  /** The packages that sources of a folder import by name, and the first file that does. */
  function importsOf(folder: string): Map<string, string> {
    const found = new Map<string, string>();
    for (const file of readdirSync(fileURLToPath(new URL(`../${folder}`, import.meta.url)), {
      recursive: true,
      encoding: 'utf8',
    })) {
      if (!/\.m?ts$|\.mjs$/.test(file) || /(^|[\\/])dist[\\/]|\.test\.ts$/.test(file)) continue;
      for (const [, name] of read(`${folder}/${file}`).matchAll(
        /^(?:import|export|\}) .*?from '((?:@[\w-]+\/)?[\w][\w-]*)(?:\/[^']*)?';$/gm,
      ))
        if (!found.has(name!)) found.set(name!, `${folder}/${file}`);
    }
    return found;
  }

  it.each(['scripts', 'samples', 'bench', 'examples', 'fuzz'])(
    '%s: import what the root declares',
    (folder) => {
      const imports = importsOf(folder);
      expect(imports.size).toBeGreaterThan(0);
      const undeclared = [...imports].filter(([name]) => !own.includes(name) && !(name in devDependencies));
      expect(undeclared).toEqual([]);
    },
  );

  it('the lock agrees, and names no package host', () => {
    const text = read('package-lock.json');
    expect(JSON.parse(text).packages[''].devDependencies).toEqual(devDependencies);
    expect(text).not.toContain('"resolved": "http');
  });
});
