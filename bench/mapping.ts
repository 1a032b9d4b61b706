import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Character, chooseCharacter, createRig, type Scene } from '@stuntdouble/core';
import { FormatError, read } from '@stuntdouble/formats';
import { type Label, readTruth, type Truth } from './labels.js';
import { formatMapping, type MappedFile } from './mapping-table.js';
import { type Answer, judge } from './score-mapping.js';
import { scrambleSkeleton } from './scramble-skeleton.js';

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

const root = new URL('../../', import.meta.url);
const dataFolder = fileURLToPath(new URL('../shared/data/', root));
const sampleFolder = fileURLToPath(new URL('samples/files/', root));

/** Files whose every pose at hand is a stride, a jump or a toy: their roles are shown, the goals leave them out. */
const NOT_AT_EASE =
  /dcl_walk|ozz\/walk|f_walk_fast|f_cheer|91_\d\d\.daz|kenney|hips_spine_twisting|rotation_first_root/;

const results: MappedFile[] = [];
const unread: string[] = [];
if (existsSync(`${dataFolder}roles.json`)) {
  const labels = JSON.parse(readFileSync(`${dataFolder}roles.json`, 'utf8')) as Record<string, Label>;
  for (const [file, label] of Object.entries(labels)) {
    if (only && !file.includes(only)) continue;
    const opened = await open(`${dataFolder}${file}`);
    if (!opened) unread.push(file);
    else {
      const { character } = opened;
      const truth = readTruth(label, character.skeleton);
      for (const scrambled of [false, true])
        results.push(mapFile(file, label.kind, opened.milliseconds, character, truth, scrambled));
    }
  }
} else console.error(`${dataFolder} is missing: only our samples are measured`);

for (const folder of ['characters', 'motions'])
  for (const name of readdirSync(`${sampleFolder}${folder}`).sort()) {
    const file = `samples/${folder}/${name}`;
    if (only && !file.includes(only)) continue;
    const opened = await open(`${sampleFolder}${folder}/${name}`);
    if (!opened) {
      unread.push(file);
      continue;
    }
    const { character } = opened;
    // Our own samples are named by conventions that tests hold to their plans: names are the labels here.
    const joints = new Map<string, number>(Object.entries(createRig(character.skeleton, character).joints));
    results.push(
      mapFile(file, 'humanoid', opened.milliseconds, character, { joints, alternatives: new Set() }, true),
    );
  }

const lines = formatMapping(results, unread, { date: new Date().toISOString().slice(0, 10) });
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
  writeFileSync(new URL('bench/mapping.md', root), `${lines.join('\n')}\n`);
  console.log('saved in bench/mapping.md');
}

async function open(path: string): Promise<{ character: Character; milliseconds: number } | null> {
  const start = performance.now();
  let scene: Scene;
  try {
    scene = await read(path);
  } catch (error) {
    if (error instanceof FormatError) return null;
    throw error;
  }
  const milliseconds = performance.now() - start;
  if (scene.characters.length === 0) return null;
  return { character: scene.characters[chooseCharacter(scene).character]!, milliseconds };
}

function mapFile(
  file: string,
  kind: string,
  readMilliseconds: number,
  character: Character,
  truth: Truth,
  scrambled: boolean,
): MappedFile {
  const { skeleton } = character;
  // The file's own length seeds the shuffle: the same on every run, another for every file.
  const used = scrambled ? scrambleSkeleton(skeleton, character.clips, file.length) : null;
  const start = performance.now();
  const rig = createRig(used?.skeleton ?? skeleton, { clips: used?.clips ?? character.clips });
  const milliseconds = performance.now() - start;
  const isAnimal = kind !== 'humanoid' && kind !== 'hand' && kind !== 'other';
  const answers: Answer[] = skeleton.names.map((_, joint) => {
    const { part, confidence } = rig.body!.parts[used ? used.order[joint]! : joint]!;
    return { part, confidence };
  });
  return {
    file,
    kind,
    atEase: !NOT_AT_EASE.test(file),
    scrambled,
    joints: skeleton.names.length,
    readMilliseconds,
    milliseconds,
    verdicts: judge(answers, truth, skeleton.names, isAnimal),
  };
}
