import { readFileSync } from 'node:fs';
import {
  optionsOfRecipe,
  type RetargetOptions,
  type RetargetResult,
  readRecipe,
  retarget,
  type Scene,
} from '@stuntdouble/core/engine';
import { read } from '@stuntdouble/formats';
import { findQualityFile } from '../quality-files.js';
import { processorClock } from '../timing/time-contenders.js';

/*
 * Five seconds of the side kick above a mat: what a whole call of `retarget` takes, with its eight constraints and without.
 *
 *   node bench/dist/cases/side-kick-cost.js       prints the table that bench/constraints.md has
 */

/** The sample is 2.65 s long, at 60 Hz: this part of it and the same backwards are five seconds. */
const PART: RetargetOptions = { range: [0.15, 2.65], pingPong: true, measure: false };
const BODIES = ['goblin.glb', 'mixamo-guy.glb', 'vrm-girl.vrm'];
/** Each after a pause of the others, so that a slow second meets everyone. */
const TURNS = 15;

/** The side kick as a motion of five seconds, by its own body. */
async function fiveSeconds(): Promise<Scene> {
  const kick = await read(findQualityFile('samples/motions/side-kick.glb')!);
  const { clips } = retarget(kick, kick, { ...PART, corrections: 'none' });
  return { ...kick, characters: kick.characters.map((each) => ({ ...each, clips })) };
}

function mat(): RetargetOptions {
  const json = readFileSync(
    new URL('../../../examples/constraints/side-kick-above-mat.json', import.meta.url),
    'utf8',
  );
  return optionsOfRecipe(readRecipe(JSON.parse(json)).recipe);
}

/** The rows of the table, printed as they are found. */
export async function timeSideKick(): Promise<string[]> {
  const source = await fiveSeconds();
  const lines = [
    '| body | frames | first call | without | with eight constraints | of it constraints | missed |',
    '|---|---|---|---|---|---|---|',
  ];
  for (const body of BODIES)
    for (const frameRate of [30, 60]) {
      const target = await read(findQualityFile(`samples/characters/${body}`)!);
      const plain: RetargetOptions = { keys: 'bake', frameRate, measure: false };
      const asked = { ...plain, ...mat() };
      const time = (options: RetargetOptions): [number, RetargetResult] => {
        const began = processorClock();
        const result = retarget(source, target, options);
        return [processorClock() - began, result];
      };
      const [first, { report }] = time(asked);
      let [without, all] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
      for (let turn = 0; turn < TURNS; turn++) {
        without = Math.min(without, time(plain)[0]);
        all = Math.min(all, time(asked)[0]);
      }
      const results = report.clips[0]!.constraints!;
      const missed = results.reduce((sum, each) => sum + each.missed, 0);
      const cells = [first, without, all, all - without].map((x) => `${x.toFixed(0)} ms`);
      lines.push(
        `| ${body.replace(/\..*/, '')} | ${results[0]!.frames} at ${frameRate} Hz | ${cells.join(' | ')} | ${missed} |`,
      );
      console.log(lines.at(-1));
    }
  return lines;
}

if (process.argv[1]?.endsWith('side-kick-cost.js')) await timeSideKick();
