import { type Clip, chooseCharacter, type Scene, UsageError, type Warning } from '@stuntdouble/core';
import { writeBytes } from '@stuntdouble/formats';
import type { Command } from 'commander';
import { collect } from '../arguments.js';
import { Failure, sentenceOf } from '../failure.js';
import { extensionOf, outputPaths } from '../output-paths.js';
import { listed } from '../pair-clips.js';
import { formatWord, readScene } from '../read-scene.js';
import { layOut } from '../table.js';
import type { Terminal } from '../terminal.js';
import { bytes, counted, heading, seconds, uniqueWarnings, warningJson, warningLines } from '../words.js';
import { checkWritable, isSameFile, writeWhole } from '../write-whole.js';
import { addSharedOptions, answer, type Context, finish, type SharedOptions } from './context.js';
import { clipsOf, keysOf } from './inspect.js';

const EXAMPLES = `
Examples:
  $ stuntdouble convert dance.bvh dance.glb
      a capture as glTF: metres, upright, its joints as a skin
  $ stuntdouble convert hero.glb moves.bvh
      every clip as a BVH of its own: moves-CLIP.bvh
  $ stuntdouble convert walk.bvh walk.vrma
      a capture as VRM animation, which plays on every VRM avatar
  $ stuntdouble convert hero.vrm hero.glb --clip walk
      the same file under another name, with one of its clips alone
  $ stuntdouble convert hero.glb clips.glb --animation-only
      the skeleton and its clips without the meshes

The motion is not changed: the same joints, in the same poses, at the same times. What the other format cannot
hold is left out with a warning: a BVH has no morph weights, a .vrma body parts alone and no joints between
them. Between .gltf, .glb and .vrm everything in the file stays. A .vrm cannot be made of what is none.

What --json prints:
  { format, dialect, output, clips: [{ name, duration, keys }], warnings: [{ code, message }] }
  format and dialect are those of IN; output is the path, a list of paths where there are several, null with
  --dry-run; keys are those of IN.
`;

type ConvertOptions = SharedOptions & {
  clip?: string[];
  skeleton?: string;
  animationOnly?: boolean;
  force?: boolean;
  dryRun?: boolean;
};

/** Adds the command `convert IN OUT`. */
export function addConvert(program: Command, context: Context): void {
  addSharedOptions(
    program
      .command('convert')
      .summary('write a file in another format, its motion as it is')
      .description(
        'Writes what is in IN to OUT in the format that the extension of OUT names: the same skeleton and the same motion, all clips, without moving them onto another character.',
      )
      .argument('<IN>', 'the file to read')
      .argument('<OUT>', 'the file to write; its extension decides the format')
      .option('--clip <NAME>', 'take this clip alone; repeatable; all clips if left out', collect)
      .option('--skeleton <NAME>', 'take this skeleton, by name or number, where there are several')
      .option('--animation-only', 'write the skeleton and its clips without meshes')
      .option('--force', 'replace files that are there already')
      .option('--dry-run', 'do everything but write'),
  )
    .addHelpText('after', EXAMPLES)
    .action((input: string, output: string, options: ConvertOptions) => run(input, output, options, context));
}

/** What a conversion has come to. */
type Converted = {
  input: string;
  scene: Scene;
  clips: Clip[];
  made: { path: string; bytes: Uint8Array }[];
  dryRun: boolean;
  warnings: Warning[];
};

async function run(input: string, output: string, options: ConvertOptions, context: Context): Promise<void> {
  const extension = extensionOf(output, 'OUT');
  if (!options.force && (await isSameFile(output, input)))
    throw new UsageError(`${output} is the file that is read; --force replaces it all the same`);
  const scene = await readScene(input);
  const { character, warnings: choiceWarnings } =
    scene.characters.length > 0 ? chooseCharacter(scene, options.skeleton) : { character: 0, warnings: [] };
  const staysWhole = keepsDocument(scene, extension) && options.animationOnly !== true;
  if (scene.characters.length === 0 && !staysWhole)
    throw new Failure(`${input} has no skeleton: a .${extension} file could hold nothing of it`);
  // A document that stays whole keeps the clips of all its skeletons.
  const available = staysWhole ? clipsOf(scene) : scene.characters[character]!.clips;
  const clips = chooseClips(input, available, options.clip);
  if (clips.length === 0 && extension === 'vrma' && !staysWhole)
    throw new Failure(`${input} has no clips, and a .vrma is nothing but motion`);
  const plan = outputPaths(
    output,
    clips.map(({ name }) => name),
  );
  if (!options.dryRun) for (const { path } of plan) await checkWritable(path, options.force === true);

  const warnings: Warning[] = [...scene.warnings, ...choiceWarnings];
  const made: Converted['made'] = [];
  for (const { path, clips: indices } of plan) {
    const chosen = indices.map((i) => clips[i]!);
    const isUntouched = staysWhole && !options.clip && plan.length === 1;
    const written = await writeBytes(
      extension,
      { scene, character, clips: isUntouched ? [] : chosen },
      { replace: !isUntouched, meshes: options.animationOnly !== true },
    ).catch((error: unknown) => {
      // What a format cannot hold is the file's doing, not the command line's.
      throw error instanceof UsageError ? new Failure(`${input}: ${sentenceOf(error)}`) : error;
    });
    warnings.push(...written.warnings);
    made.push({ path, bytes: written.bytes });
  }
  if (!options.dryRun)
    for (const file of made) await writeWhole(file.path, file.bytes, { force: options.force === true });

  const done: Converted = {
    input,
    scene,
    clips,
    made,
    dryRun: options.dryRun === true,
    warnings: uniqueWarnings(warnings),
  };
  answer(
    context,
    options,
    () => convertJson(done),
    () => convertLines(done, context.terminal),
  );
  finish(context, options, done.warnings);
}

/** The formats that share a document, so that nothing of a file is lost between them. */
const FAMILIES: readonly (readonly string[])[] = [['gltf', 'glb', 'vrm', 'vrma'], ['bvh'], ['fbx']];

function keepsDocument(scene: Scene, extension: string): boolean {
  if (extension === 'vrma' && scene.format !== 'vrma') return false;
  return FAMILIES.some((family) => family.includes(scene.format) && family.includes(extension));
}

function chooseClips(input: string, clips: readonly Clip[], names: readonly string[] | undefined): Clip[] {
  if (!names) return [...clips];
  return [...new Set(names)].map((name) => {
    const clip = clips.find((each) => each.name === name);
    if (clip) return clip;
    const known = clips.length > 0 ? `it has ${listed(clips.map((each) => each.name))}` : 'it has none';
    throw new UsageError(`--clip ${name}: ${input} has no such clip; ${known}`);
  });
}

/** The document that `convert --json` prints. */
export function convertJson({ scene, clips, made, dryRun, warnings }: Converted) {
  const paths = made.map(({ path }) => path);
  return {
    format: scene.format,
    dialect: scene.dialect?.name ?? null,
    output: dryRun ? null : paths.length === 1 ? paths[0]! : paths,
    clips: clips.map((clip) => ({ name: clip.name, duration: clip.duration, keys: keysOf(clip) })),
    warnings: warnings.map(warningJson),
  };
}

function convertLines(
  { input, scene, clips, made, dryRun, warnings }: Converted,
  terminal: Terminal,
): string[] {
  const { colors } = terminal;
  const lines = [`${heading(input, terminal)}  ${formatWord(scene)}, ${counted(clips.length, 'clip')}`];
  const rows = clips.map((clip) => [
    clip.name === '' ? '(no name)' : clip.name,
    seconds(clip.duration),
    counted(keysOf(clip), 'key'),
  ]);
  lines.push(
    ...layOut(rows, [{ most: 48 }, { align: 'right' }, { align: 'right' }]).map((line) => `  ${line}`),
  );
  if (warnings.length > 0) lines.push('', ...warningLines(warnings, terminal));
  lines.push('');
  if (made.length > 1) lines.push('A BVH file holds one clip, so there is one file a clip:');
  for (const file of made)
    lines.push(
      dryRun
        ? colors.dim(`dry run: ${file.path} was not written`)
        : `${colors.green('wrote')} ${file.path} ${colors.dim(`(${bytes(file.bytes.byteLength)})`)}`,
    );
  return lines;
}
