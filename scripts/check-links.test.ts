import { rmSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import { runScript, writeTree } from './run-script.js';

const folders: string[] = [];
const check = (files: Record<string, string>) => {
  const root = writeTree(files);
  folders.push(root);
  return runScript('check-links.mjs', root);
};
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

describe('check-links', () => {
  test('follows links to files, folders and headings, and lets code and other sites be', () => {
    const files = {
      'README.md':
        '[a](docs/a.md) [folder](docs) [below](#it-works-well) [site](https://x.org/a)\n`[code](none)`\n```\n[code](none)\n```\n## It works, `well`\n',
      'docs/a.md': '# copyRotations\n[up](../README.md#it-works-well) [here](#copyrotations)\n',
      'node_modules/other/README.md': '[gone](gone.md)',
    };
    expect(check(files)).toEqual({ code: 0, lines: ['links: all 5 lead somewhere'] });
  });

  test('fails with page and line of each link that leads nowhere', () => {
    const { code, lines } = check({
      'README.md': '# A\n\n![picture](docs/gone.png)\n[b](docs/a.md#b)\n[out](../elsewhere.md)\n',
      'docs/a.md': '# A\n',
    });
    expect(code).toBe(1);
    expect(lines).toEqual([
      'README.md:3 links to docs/gone.png, which is not there',
      'README.md:4 links to #b, which docs/a.md has no heading for',
      'README.md:5 leaves the repository by ../elsewhere.md',
      '3 of 3 links lead nowhere',
    ]);
  });
});
