import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { buildStudio } from './studio-page.js';

/** What the page and its worker may weigh, packed, before samples. */
const MOST = 700_000;

/** A program and those that it cannot start without: what it imports at once, not what it fetches when needed. */
function programsOf(folder: string, entry: string, found = new Set<string>()): Set<string> {
  if (found.has(entry)) return found;
  found.add(entry);
  const text = readFileSync(join(folder, entry), 'utf8');
  for (const [, name] of text.matchAll(/(?:\bfrom|\bimport)\s*["'`]\.\/([\w.-]+\.js)["'`]/g))
    programsOf(folder, name!, found);
  return found;
}

it('the page and its worker weigh at most 700 KB packed, the font with them; what reads FBX, packed meshes and VRM bodies, and what writes files, comes when it is needed', async () => {
  const folder = await buildStudio();
  const assets = join(folder, 'assets');
  const names = readdirSync(assets);
  const only = (pattern: RegExp) => {
    const found = names.filter((name) => pattern.test(name));
    expect(found, String(pattern)).toHaveLength(1);
    return found[0]!;
  };
  const programs = new Set([
    ...programsOf(assets, only(/^index-.*\.js$/)),
    ...programsOf(assets, only(/^engine-worker-.*\.js$/)),
  ]);
  for (const later of [/^_?draco.*\.js$/, /^three-vrm.*\.js$/, /^read-fbx.*\.js$/, /^write-fbx.*\.js$/])
    expect(programs).not.toContain(only(later));
  const weighed = [
    ...[...programs, ...names.filter((name) => /\.(css|woff2)$/.test(name))].map((name) => ({
      name,
      size: gzipSync(readFileSync(join(assets, name))).length,
    })),
    { name: 'index.html', size: gzipSync(readFileSync(join(folder, 'index.html'))).length },
  ];
  const sum = weighed.reduce((all, { size }) => all + size, 0);
  expect(sum, JSON.stringify(weighed)).toBeLessThanOrEqual(MOST);
});
