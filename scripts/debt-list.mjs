/*
 * A gate with a written list of what still goes against it, which may only shrink: what is not in it fails, and so does
 * what is in it and no longer there.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Runs a gate from the command line: `[FOLDER] [--write]`, the second of which writes the list as it is now.
 * @param {string} script address of the script, below whose parent folder is looked where no other is named
 * @param {string} list path of the list, relative to the repository
 * @param {(root: string) => { files: number, problems: string[] }} check
 * @param {(files: number, left: number) => string} sayGood what is printed where all is well
 */
export function judgeByDebt(script, list, check, sayGood) {
  const args = process.argv.slice(2);
  const given = args.find((arg) => !arg.startsWith('--'));
  const root = resolve(given ?? fileURLToPath(new URL('..', script)));
  const path = join(root, list);
  const { files, problems } = check(root);
  if (args.includes('--write')) writeFileSync(path, `${JSON.stringify(problems, null, 2)}\n`);
  const known = new Set(existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : []);
  const fresh = problems.filter((problem) => !known.has(problem));
  const gone = [...known].filter((problem) => !problems.includes(problem));
  for (const problem of fresh) console.error(problem);
  for (const problem of gone) console.error(`${list}: no longer so, take it out: ${problem}`);
  if (files === 0) console.error(`no files found below ${root}/packages`);
  if (files === 0 || fresh.length + gone.length > 0) process.exitCode = 1;
  else console.log(sayGood(files, known.size));
}
