/*
 * The adapters beside what three.js and Babylon.js bring along, on the cases of the project's first table of
 * quality, all in one run: how far arms and legs point elsewhere than the source's in the engine's own world
 * space, and how long it takes.
 *
 *   npm run bench:adapters -- [--save]
 *
 * Needs the real characters of ../shared/data. `--save` writes the tables to bench/adapters.md.
 */
import { writeFileSync } from 'node:fs';
import { babylonAccuracyRows, babylonSpeedRows } from './adapters-babylon.js';
import { threeAccuracyRows, threeSpeedRows } from './adapters-three.js';

const args = process.argv.slice(2);
if (args.some((arg) => arg !== '--save')) {
  console.error('usage: npm run bench:adapters -- [--save]');
  process.exit(2);
}

const lines = [
  '# Inside three.js and Babylon.js',
  '',
  `Measured by \`npm run bench:adapters\` in one run; Node ${process.version}, ${new Date().toISOString().slice(0, 10)}. Angles are in degrees, in the engine's own world space, after its own player has posed the character. The engine's own retargeting stands beside ours.`,
  '',
  '## three.js: directions',
  '',
  ...(await threeAccuracyRows()),
  '',
  '## Babylon.js: directions',
  '',
  ...(await babylonAccuracyRows()),
  '',
  '## three.js: speed',
  '',
  ...(await threeSpeedRows()),
  '',
  '## Babylon.js: speed',
  '',
  ...(await babylonSpeedRows()),
  '',
  'Babylon.js keeps a key as two objects. Those of a result are made when somebody looks into them; those of the source are read each time unless they are trusted, since they may be edited in place: that is bound by memory, not by arithmetic. Its times are medians of rounds, in which each works through a row of groups many times as large as what a core’s own cache holds, after the garbage of the one before has been collected. Where a body’s feet hang elsewhere than its legs (T→A), frames are added until lines between keys are true to a fortieth of a degree.',
  '',
];
console.log(lines.join('\n'));
if (args.includes('--save')) writeFileSync(new URL('../adapters.md', import.meta.url), lines.join('\n'));
