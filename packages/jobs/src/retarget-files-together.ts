import { type Scene, togetherOptions, UsageError } from '@stuntdouble/core/engine';
import { parseDocument } from './documents/parse-document.js';
import { readCharacterEdits } from './documents/read-edits.js';
import { Failure } from './failure.js';
import { fileName, fileStem, nameBeside } from './output-paths.js';
import { partOf } from './progress.js';
import { readScene } from './read-scene.js';
import { retargetFiles } from './retarget-files.js';
import type { JobFile, JobReport, MadeFile, RetargetJob } from './retarget-job.js';

/** Several characters that move in one space. */
export type TogetherJob = Omit<
  RetargetJob,
  'recipe' | 'map' | 'contacts' | 'saveRecipe' | 'newBind' | 'clips'
> & {
  /** The others: the file of the motion, and that of the character. */
  others: readonly { source: JobFile; target: JobFile }[];
  /** Files of things that goals follow, called by the name of the file without its extension. */
  props?: readonly JobFile[];
};

/**
 * Moves clips of several files onto several characters in one space; see `retargetTogether`. Constraints stand in one
 * document, by character. The others' files are called as the first one's, with the name of the character behind.
 * @throws as `retargetFiles`.
 */
export async function retargetFilesTogether(
  job: TogetherJob,
): Promise<{ name: string; files: MadeFile[]; report: JobReport }[]> {
  const { others, props = [], constraints, ...first } = job;
  const jobs = [{ source: job.source, target: job.target }, ...others];
  const edits = constraints ? parseDocument(constraints, 'constraints and layers', readCharacterEdits) : [];
  if (edits.length > jobs.length)
    throw new UsageError(
      `${constraints!.name} is for ${edits.length} characters, and there are files of ${jobs.length}; give a SOURCE and a TARGET for each by --with`,
    );
  const read = await Promise.all(
    jobs.map(async ({ source, target }) => ({ source: await loaded(source), target: await loaded(target) })),
  );
  const names = namesOf(
    jobs.map(({ target }, n) => edits[n]?.name ?? fileStem(target.name)),
    edits.map(({ name }) => name !== undefined),
  );
  const parts = read.map(({ source, target }, n) => ({
    name: names[n]!,
    source: source.content,
    target: target.content,
    options: { ...job.options, ...edits[n]?.edits },
  }));
  const scenes: Record<string, Scene> = {};
  for (const prop of props) scenes[fileStem(prop.name)] = (await loaded(prop)).content;
  const options = togetherOptions(parts, scenes);
  const done: { name: string; files: MadeFile[]; report: JobReport }[] = [];
  for (const [n, { source, target }] of read.entries()) {
    const beside = n === 0 ? (path: string) => path : (path: string) => nameBeside(path, fileName(names[n]!));
    const { files, report } = await retargetFiles({
      ...first,
      source,
      target,
      options: options[n]!,
      ...(typeof job.output === 'string' && { output: beside(job.output) }),
      ...(job.picture !== undefined && { picture: beside(job.picture) }),
      ...(job.card !== undefined && { card: beside(job.card) }),
      ...(job.saveLayer !== undefined && { saveLayer: beside(job.saveLayer) }),
      ...(job.rootMotionFile !== undefined && { rootMotionFile: beside(job.rootMotionFile) }),
      ...(job.onProgress && { onProgress: partOf(job.onProgress, n / read.length, (n + 1) / read.length) }),
    });
    done.push({ name: names[n]!, files, report });
  }
  const made = done.flatMap(({ files }) => files.map(({ name }) => name));
  const twice = made.find((name, k) => made.indexOf(name) !== k);
  if (twice !== undefined)
    throw new Failure(`two characters would be written to ${twice}; give --output, which is for all of them`);
  return done;
}

async function loaded(file: JobFile): Promise<JobFile & { content: Scene }> {
  const { name, content, options } = file;
  const scene =
    typeof content === 'object' && 'characters' in content
      ? content
      : await readScene(name, options, content);
  return { ...file, content: scene };
}

/** Names of characters; those that nobody gave are told apart by a number. */
function namesOf(wanted: readonly string[], given: readonly boolean[]): string[] {
  const names: string[] = [];
  wanted.forEach((name, n) => {
    let unique = name;
    for (let k = 2; !given[n] && names.includes(unique); k++) unique = `${name} ${k}`;
    names.push(unique);
  });
  return names;
}
