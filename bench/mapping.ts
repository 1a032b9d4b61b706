import { writeFileSync } from 'node:fs';
import { mapFiles } from './map-files.js';
import { measureGrowth } from './mapping/mapping-growth.js';
import { formatMapping } from './mapping/mapping-table.js';

/*
 * Body parts found, against labels: every labelled rig of ../shared/data and our samples, with names kept,
 * and with names replaced, joints shuffled and humanoid blocks removed.
 *
 *   npm run bench:mapping                   prints the tables
 *   npm run bench:mapping -- --save         and keeps them in bench/mapping.md
 *   npm run bench:mapping -- --only Fox     one file, with every wrong answer
 */

const words = process.argv.slice(2);
const save = words.includes('--save');
const onlyAt = words.indexOf('--only');
const only = onlyAt < 0 ? '' : (words[onlyAt + 1] ?? '');
const known = words.filter(
  (word, n) => word === '--save' || (onlyAt >= 0 && (n === onlyAt || n === onlyAt + 1)),
);
if (known.length !== words.length || (onlyAt >= 0 && only === '')) {
  console.error('usage: npm run bench:mapping -- [--save] [--only PART_OF_A_NAME]');
  process.exit(2);
}

const { results, unread, missing } = await mapFiles(only);
if (missing) console.error(`${missing} is missing: only our samples are measured`);
const lines = formatMapping(
  results,
  unread,
  { date: new Date().toISOString().slice(0, 10) },
  only ? [] : measureGrowth([21, 66, 131, 261, 521, 841]),
);
if (only)
  for (const { file, scrambled, verdicts } of results) {
    const missing = verdicts.filter(({ outcome }) => outcome === 'abstained').map(({ part }) => part);
    console.log(
      `${file}${scrambled ? ', names replaced' : ''}: no answer on ${missing.join(' ') || 'nothing'}`,
    );
    for (const { outcome, remark, confidence } of verdicts)
      if (outcome === 'wrong') console.log(`  ${remark}, confidence ${confidence.toFixed(2)}`);
  }
else console.log(lines.join('\n'));
if (save) {
  writeFileSync(new URL('../mapping.md', import.meta.url), `${lines.join('\n')}\n`);
  console.log('saved in bench/mapping.md');
}
