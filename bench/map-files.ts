import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Character, chooseCharacter, createRig, type Scene } from '@stuntdouble/core';
import { FormatError, read } from '@stuntdouble/formats';
import { type Label, readTruth, type Truth } from './mapping/labels.js';
import type { MappedFile } from './mapping/mapping-table.js';
import { type Answer, judge } from './mapping/score-mapping.js';
import { scrambleSkeleton } from './mapping/scramble-skeleton.js';

/** Files whose every pose at hand is a stride, a jump or a toy: their roles are shown, the goals leave them out. */
const NOT_AT_EASE =
  /dcl_walk|ozz\/walk|f_walk_fast|f_cheer|91_\d\d\.daz|kenney|hips_spine_twisting|rotation_first_root/;

/** What was found in all files, those that could not be read, and the folder of labels if it is not there. */
export type MappedFiles = { results: MappedFile[]; unread: string[]; missing: string | null };

/**
 * Finds the body parts in every labelled rig of ../shared/data, with names kept and with names replaced, and in
 * our samples, with names replaced, and compares them with the labels.
 * @param only a part of a file's name; all files if empty.
 */
export async function mapFiles(only = ''): Promise<MappedFiles> {
  const results: MappedFile[] = [];
  const unread: string[] = [];
  const root = findRoot();
  const dataFolder = fileURLToPath(new URL('../shared/data/', root));
  const hasLabels = existsSync(`${dataFolder}roles.json`);
  const labels = hasLabels
    ? (JSON.parse(readFileSync(`${dataFolder}roles.json`, 'utf8')) as Record<string, Label>)
    : {};
  for (const [file, label] of Object.entries(labels)) {
    if (!file.includes(only)) continue;
    const opened = await open(`${dataFolder}${file}`);
    if (!opened) unread.push(file);
    else {
      const truth = readTruth(label, opened.character.skeleton);
      for (const scrambled of [false, true])
        results.push(mapFile(file, label.kind, opened.milliseconds, opened.character, truth, scrambled));
    }
  }
  const sampleFolder = fileURLToPath(new URL('samples/files/', root));
  for (const folder of ['characters', 'motions'])
    for (const name of readdirSync(`${sampleFolder}${folder}`).sort()) {
      const file = `samples/${folder}/${name}`;
      if (!file.includes(only)) continue;
      const opened = await open(`${sampleFolder}${folder}/${name}`);
      if (!opened) {
        unread.push(file);
        continue;
      }
      const { character } = opened;
      // Our own samples are named by conventions that tests hold to their plans: names are the labels here.
      const joints = new Map<string, number>(Object.entries(createRig(character.skeleton, character).joints));
      const truth = { joints, alternatives: new Set<string>() };
      results.push(mapFile(file, 'humanoid', opened.milliseconds, character, truth, true));
    }
  return { results, unread, missing: hasLabels ? null : dataFolder };
}

/** The repository: this file is in `bench`, or in `bench/dist` once compiled. */
function findRoot(): URL {
  const parent = new URL('../', import.meta.url);
  return existsSync(new URL('samples/files/', parent)) ? parent : new URL('../../', import.meta.url);
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
