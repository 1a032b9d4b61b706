import { mkdir } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import {
  type Clip,
  chooseCharacter,
  printable,
  type Scene,
  UsageError,
  type Warning,
} from '@stuntdouble/core/engine';
import { EULER_ORDERS, type EulerOrder, writeBytes } from '@stuntdouble/formats';
import {
  extensionOf,
  Failure,
  formatWord,
  listed,
  outputPaths,
  portableStem,
  readOptionsOf,
  readScene,
  sentenceOf,
  systemReasonOf,
} from '@stuntdouble/jobs';
import { checkOutputs, isSameFile, type WriteOptions, writeWhole } from '@stuntdouble/jobs/node';
import { type Command, Option } from 'commander';
import { EXIT_CODES } from '../exit-codes.js';
import { collect } from '../flags/arguments.js';
import type { Terminal } from '../terminal.js';
import { layOut } from '../text/table.js';
import { bytes, counted, heading, seconds, toldJson, toldLines, uniqueWarnings } from '../text/words.js';
import {
  addSharedOptions,
  addWriteOptions,
  answer,
  type Context,
  finish,
  type SharedOptions,
} from './context.js';
import { clipsOf, keysOf } from './inspect.js';

const EXAMPLES = `
Examples:
  $ stuntdouble convert dance.bvh dance.glb
      a capture as glTF: metres, upright, its joints as a skin
  $ stuntdouble convert hero.fbx hero.glb
      the character with its meshes, materials, pictures and clips
  $ stuntdouble convert hero.glb moves.bvh
      every clip as a BVH of its own: moves-CLIP.bvh
  $ stuntdouble convert walk.bvh walk.vrma
      a capture as VRM animation, which plays on every VRM avatar
  $ stuntdouble convert hero.vrm hero.glb --clip walk
      the same file under another name, with one of its clips alone
  $ stuntdouble convert hero.glb clips.glb --animation-only
      the skeleton and its clips without the meshes
  $ stuntdouble convert captures/*.bvh --out-dir converted --to glb
      every file on its own, under its own name in another folder
  $ stuntdouble convert odd.bvh odd.glb --flip-yz --euler ZXY
      a capture whose Z is up and whose angles are not in the order that it names

The motion is not changed: the same joints, in the same poses, at the same times. What the other format cannot
hold is left out with a warning that names it. Between .fbx and .glb or .gltf the character goes along: meshes,
skins, blend shapes, texture coordinates, materials and their pictures (in the file or beside it; TGA and BMP become
PNG). To .bvh and .vrma goes the motion alone: a BVH has no morph weights, a .vrma body parts alone and no joints
between them. Between .gltf, .glb and .vrm everything in the file stays. A .vrm cannot be made of what is none.

What --json prints:
  { format, dialect, output, clips: [{ name, duration, keys }], notes: [{ code, message }], warnings: [{ code, message }] }
  format and dialect are those of IN; output is the path, a list of paths where there are several, null with
  --dry-run; keys are those of IN. With --out-dir: { files: [{ input, … as above }], failed: [{ input, error }] }.
`;

type ConvertOptions = SharedOptions &
  WriteOptions & {
    clip?: string[];
    skeleton?: string;
    animationOnly?: boolean;
    dryRun?: boolean;
    outDir?: string;
    to?: string;
    flipYz?: boolean;
    euler?: EulerOrder;
  };

/** Adds the command `convert IN OUT`, or `convert IN... --out-dir DIR`. */
export function addConvert(program: Command, context: Context): void {
  addWriteOptions(
    addSharedOptions(
      program
        .command('convert')
        .summary('write a file in another format, its motion as it is')
        .description(
          'Writes what is in IN to OUT in the format that the extension of OUT names: the same skeleton and the same motion, all clips, without moving them onto another character.',
        )
        .argument('<IN>', 'the file to read')
        .argument(
          '[OUT...]',
          'the file to write; its extension decides the format. With --out-dir more files to read',
        )
        .option('--out-dir <DIR>', 'convert all files into this folder, each under its own name')
        .option('--to <EXT>', 'the format of files in --out-dir, by its extension; glb if left out')
        .option('--flip-yz', 'of a BVH: what is along Z is up')
        .addOption(
          new Option(
            '--euler <ORDER>',
            'of a BVH: the order of its angles; as the file names them if left out',
          ).choices(EULER_ORDERS),
        )
        .option('--clip <NAME>', 'take this clip alone; repeatable; all clips if left out', collect)
        .option('--skeleton <NAME>', 'take this skeleton, by name or number, where there are several')
        .option('--animation-only', 'write the skeleton and its clips without meshes')
        .option('--dry-run', 'do everything but write'),
    ),
  )
    .addHelpText('after', EXAMPLES)
    .action((input: string, rest: string[], options: ConvertOptions) => {
      if (options.outDir !== undefined) return runMany([input, ...rest], options.outDir, options, context);
      if (rest.length !== 1)
        throw new UsageError(
          rest.length === 0
            ? 'OUT is missing: convert IN OUT, or --out-dir for a folder'
            : `${rest.length + 1} files are named; several go into a folder, with --out-dir`,
        );
      if (options.to !== undefined)
        throw new UsageError('--to is for --out-dir; the extension of OUT decides its format');
      return run(input, rest[0]!, options, context);
    });
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
  context.terminal.progress.update(0, 1, `converting ${basename(input)}`);
  const done = await convert(input, output, options);
  answer(
    context,
    options,
    () => convertJson(done),
    () => convertLines(done, context.terminal),
  );
  finish(context, options, done.warnings);
}

/** Converts files one by one into a folder; one that fails does not keep the others from being done. */
async function runMany(
  inputs: readonly string[],
  folder: string,
  options: ConvertOptions,
  context: Context,
): Promise<void> {
  const extension = extensionOf(`x.${(options.to ?? 'glb').replace(/^\./, '')}`, '--to');
  const outputs = inputs.map((input) =>
    join(folder, `${portableStem(basename(input, extname(input)))}.${extension}`),
  );
  const twice = outputs.find((output, i) => outputs.indexOf(output) !== i);
  if (twice !== undefined) throw new UsageError(`two of the files would become ${twice}; convert them apart`);
  if (!options.dryRun)
    await mkdir(folder, { recursive: true }).catch((error: unknown) => {
      throw new Failure(`cannot make the folder ${folder}: ${systemReasonOf(error) ?? sentenceOf(error)}`);
    });
  // Names that differ by case alone are one file on some systems.
  const taken = new Set<string>();
  const files: Converted[] = [];
  const failed: { input: string; error: string }[] = [];
  for (const [i, input] of inputs.entries()) {
    context.terminal.progress.update(i, inputs.length, basename(input));
    try {
      files.push(await convert(input, outputs[i]!, options, taken));
    } catch (error) {
      if (inputs.length === 1) throw error;
      failed.push({ input, error: sentenceOf(error) });
    }
  }
  const { terminal } = context;
  answer(
    context,
    options,
    () => ({ files: files.map((done) => ({ input: done.input, ...convertJson(done) })), failed }),
    () => files.flatMap((done, i) => [...(i > 0 ? [''] : []), ...convertLines(done, terminal)]),
  );
  for (const { error } of failed) terminal.err(`${terminal.errorColors.red('error:')} ${error}\n`);
  finish(
    context,
    options,
    files.flatMap(({ warnings }) => warnings),
  );
  if (failed.length > 0) context.exitCode = EXIT_CODES.failed;
}

async function convert(
  input: string,
  output: string,
  options: ConvertOptions,
  taken?: Set<string>,
): Promise<Converted> {
  const extension = extensionOf(output, 'OUT');
  if (!options.force && isSameFile(output, input))
    throw new UsageError(`${output} is the file that is read; --force replaces it all the same`);
  const scene = await readScene(input, {
    ...readOptionsOf(options),
    bvh: { ...(options.flipYz && { flipYZ: true }), ...(options.euler && { order: options.euler }) },
  });
  if (scene.format !== 'bvh' && (options.flipYz || options.euler))
    throw new UsageError(
      `${input} is no BVH: ${options.flipYz ? '--flip-yz' : '--euler'} means nothing for it`,
    );
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
    taken,
  );
  if (!options.dryRun)
    checkOutputs(
      plan.map(({ path }) => path),
      options,
    );

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
  if (!options.dryRun) for (const file of made) writeWhole(file.path, file.bytes, options);

  return {
    input,
    scene,
    clips,
    made,
    dryRun: options.dryRun === true,
    warnings: uniqueWarnings(warnings),
  };
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
    ...toldJson(warnings),
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
  if (warnings.length > 0) lines.push('', ...toldLines(warnings, terminal));
  lines.push('');
  if (made.length > 1) lines.push('A BVH file holds one clip, so there is one file a clip:');
  for (const file of made)
    lines.push(
      dryRun
        ? colors.dim(`dry run: ${printable(file.path)} was not written`)
        : `${colors.green('wrote')} ${printable(file.path)} ${colors.dim(`(${bytes(file.bytes.byteLength)})`)}`,
    );
  return lines;
}
