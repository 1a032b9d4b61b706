import { type Clip, chooseCharacter, type Scene, UsageError, type Warning } from '@stuntdouble/core/engine';
import {
  applySpireRig,
  type EulerOrder,
  FORMATS,
  type ReadOptions,
  readSpireRig,
  type Source,
  type SpireRig,
  writeBytes,
} from '@stuntdouble/formats';
import { FILE_KINDS, type FileKindName } from '@stuntdouble/formats/kinds';
import { clipsNamed } from './choose-clips.js';
import { Failure, sentenceOf } from './failure.js';
import { clipsOf } from './inspect-scene.js';
import { extensionOf, outputPaths } from './output-paths.js';
import { readScene } from './read-scene.js';
import { uniqueWarnings } from './words.js';

/** One file to be written in another format, its motion as it is. */
export type ConvertJob = {
  input: string;
  /** What is read; the file of that name if left out. */
  content?: Source;
  /** What is made; its extension decides the format. A format of one clip a file makes several of it. */
  output: string;
  read?: ReadOptions;
  /** The names of the clips that are taken; all if left out. */
  clips?: readonly string[];
  /** The skeleton that is taken, by name or number. */
  skeleton?: string;
  /** Leaves meshes out. */
  animationOnly?: boolean;
  /** Whether keys are compressed, where the format can: glTF and VRM animations. */
  compress?: boolean;
  /** Of a BVH: what is along Z is up. */
  flipYZ?: boolean;
  /** Of a BVH: the order of its angles. */
  euler?: EulerOrder;
  /** A `.rig` of SpireMiniEngine's converter: names of the model's joints, a scale, a turn. */
  rig?: { name: string; bytes: Uint8Array };
  /** Gives a glTF of a file without meshes a stick figure. */
  stickFigure?: boolean;
  /** The paths that are taken already, where several files go into one folder; what is made joins them. */
  taken?: Set<string>;
  /** Told the paths before anything is made; what it throws ends the job. */
  onPlan?: (paths: readonly string[]) => void;
};

/** What a conversion has come to. */
export type Converted = {
  /** What was read, as it was named. */
  input: string;
  scene: Scene;
  /** The clips that were taken. */
  clips: Clip[];
  /** The files that it has become, in memory. */
  made: { path: string; bytes: Uint8Array }[];
  warnings: Warning[];
};

/**
 * Makes a file of another format out of a file, in memory.
 * @throws UsageError or Failure that says what the file or the format cannot give.
 */
export async function convertFile(job: ConvertJob): Promise<Converted> {
  const { input, output } = job;
  const extension = extensionOf(output, 'OUT');
  const opened = await readScene(
    input,
    {
      ...job.read,
      bvh: { ...(job.flipYZ && { flipYZ: true }), ...(job.euler && { order: job.euler }) },
    },
    job.content,
  );
  const rig = job.rig && readRig(job.rig);
  const rigged = rig ? applySpireRig(opened, rig) : { scene: opened, warnings: [] };
  const { scene } = rigged;
  if (rig && scene.format !== 'bvh')
    throw new UsageError(`${input} is no BVH: a .rig says what the joints of a capture are called`);
  if (job.stickFigure && extension !== 'glb' && extension !== 'gltf')
    throw new UsageError(`a stick figure is made for .glb and .gltf files, not for .${extension}`);
  if (scene.format !== 'bvh' && (job.flipYZ || job.euler))
    throw new UsageError(`${input} is no BVH: ${job.flipYZ ? '--flip-yz' : '--euler'} means nothing for it`);
  const { character, warnings: choiceWarnings } =
    scene.characters.length > 0 ? chooseCharacter(scene, job.skeleton) : { character: 0, warnings: [] };
  const staysWhole = !rig && keepsDocument(scene, extension) && job.animationOnly !== true;
  if (scene.characters.length === 0 && !staysWhole)
    throw new Failure(`${input} has no skeleton: a .${extension} file could hold nothing of it`);
  // A document that stays whole keeps the clips of all its skeletons.
  const available = staysWhole ? clipsOf(scene) : scene.characters[character]!.clips;
  const clips = clipsNamed(input, available, job.clips);
  if (clips.length === 0 && extension === 'vrma' && !staysWhole)
    throw new Failure(`${input} has no clips, and a .vrma is nothing but motion`);
  const plan = outputPaths(
    output,
    clips.map(({ name }) => name),
    job.taken,
  );
  job.onPlan?.(plan.map(({ path }) => path));

  const warnings: Warning[] = [...scene.warnings, ...rigged.warnings, ...choiceWarnings];
  const made: Converted['made'] = [];
  for (const { path, clips: indices } of plan) {
    const chosen = indices.map((i) => clips[i]!);
    const isUntouched = staysWhole && !job.clips && !job.compress && plan.length === 1;
    const written = await writeBytes(
      extension,
      { scene, character, clips: isUntouched ? [] : chosen },
      {
        replace: !isUntouched,
        meshes: job.animationOnly !== true,
        compress: job.compress === true,
        ...(job.stickFigure && { stickFigure: true }),
      },
    ).catch((error: unknown) => {
      // What a format cannot hold is the file's doing, not the command line's.
      throw error instanceof UsageError ? new Failure(`${input}: ${sentenceOf(error)}`) : error;
    });
    warnings.push(...written.warnings);
    made.push({ path, bytes: written.bytes });
  }
  return {
    input,
    scene,
    clips,
    made,
    warnings: uniqueWarnings(warnings),
  };
}

/** What a `.rig` says. @throws Failure that names the file and the line. */
function readRig({ name, bytes }: { name: string; bytes: Uint8Array }): SpireRig {
  try {
    return readSpireRig(new TextDecoder().decode(bytes));
  } catch (error) {
    throw new Failure(`${name}: ${sentenceOf(error)}`);
  }
}

/** Whether nothing of a file is lost: kinds of one format share a document, but motion alone is not the whole of one. */
function keepsDocument({ format }: Scene, extension: FileKindName): boolean {
  if (!FILE_KINDS[extension].meshes && format !== extension) return false;
  return FORMATS.some(({ extensions }) => extensions.includes(format) && extensions.includes(extension));
}
