/*
 * Links that stay within the repository lead somewhere: files that are there, headings that are there.
 *
 *   node scripts/check-links.mjs [FOLDER]
 */
import { existsSync, readFileSync } from 'node:fs';
import { join, posix, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isMain, listFiles } from './source-files.mjs';

/** The name that a heading gets as the target of a link, as GitHub makes it. */
const anchorOf = (heading) =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');

/** The text of a page without its code, which may hold brackets that are no links; lines stay where they are. */
const withoutCode = (text) =>
  text.replace(/^```[\s\S]*?^```/gm, (block) => block.replace(/[^\n]/g, '')).replace(/`[^`\n]*`/g, '');

/**
 * Finds links of Markdown pages that lead nowhere.
 * @param {string} root the repository
 * @returns {{ links: number, problems: string[] }} how many links were followed, and `file:line what` of each
 * that leads nowhere
 */
export function checkLinks(root) {
  const problems = [];
  let count = 0;
  for (const page of listFiles(root, '.', '.md')) {
    const lines = withoutCode(readFileSync(join(root, page), 'utf8')).split('\n');
    lines.forEach((line, n) => {
      for (const [, target] of line.matchAll(/\]\(([^)\s]+)\)/g)) {
        if (/^[a-z]+:/i.test(target)) continue;
        count++;
        const [path, anchor] = target.split('#');
        const to = path === '' ? page : posix.join(posix.dirname(page), decodeURI(path));
        if (to.startsWith('..')) problems.push(`${page}:${n + 1} leaves the repository by ${target}`);
        else if (!existsSync(join(root, to)))
          problems.push(`${page}:${n + 1} links to ${to}, which is not there`);
        else if (anchor && to.endsWith('.md')) {
          const headings = readFileSync(join(root, to), 'utf8').match(/^#+ .*$/gm) ?? [];
          if (!headings.some((heading) => anchorOf(heading.replace(/^#+ /, '')) === anchor))
            problems.push(`${page}:${n + 1} links to #${anchor}, which ${to} has no heading for`);
        }
      }
    });
  }
  return { links: count, problems };
}

if (isMain(import.meta.url)) {
  const root = resolve(process.argv[2] ?? fileURLToPath(new URL('..', import.meta.url)));
  const { links, problems } = checkLinks(root);
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) {
    console.error(`${problems.length} of ${links} links lead nowhere`);
    process.exitCode = 1;
  } else {
    console.log(`links: all ${links} lead somewhere`);
  }
}
