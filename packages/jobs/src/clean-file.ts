import {
  type Clip,
  type ClipMeasures,
  type Contact,
  chooseCharacter,
  type EditedContact,
  measure,
  type ResultVerdict,
  type RetargetOptions,
  retarget,
  type Scene,
  type Warning,
} from '@stuntdouble/core/engine';
import { type ReadOptions, type Source, writeBytes } from '@stuntdouble/formats';
import { clipsNamed } from './choose-clips.js';
import { Failure } from './failure.js';
import { extensionOf, lastName, outputPaths } from './output-paths.js';
import { hearEvents, partOf, type TellProgress } from './progress.js';
import { readScene, requireSkeleton } from './read-scene.js';
import { uniqueWarnings } from './words.js';

/** What is faster than this, in cycles a second, is jitter if nobody says otherwise: bodies move at less than half of it. */
export const CALM_RATE = 10;

/** How a body's own motion is cleaned: as a retarget is told, for one file. */
export type CleanOptions = Pick<RetargetOptions, 'frameRate' | 'loop' | 'reduce' | 'reach' | 'solvers'> & {
  /** Hertz above which jitter is taken out, {@link CALM_RATE} if left out; null takes out none. */
  calm?: number | null;
  up?: RetargetOptions['sourceUp'];
  facing?: RetargetOptions['sourceFacing'];
  unit?: RetargetOptions['sourceUnit'];
  floor?: RetargetOptions['sourceFloor'];
};

/** A file whose motion is to stand. */
export type CleanJob = {
  input: string;
  /** What is read; the file of that name if left out. */
  content?: Source;
  /** What is made; its extension decides the format. A format of one clip a file makes several of it. */
  output: string;
  read?: ReadOptions;
  options?: CleanOptions;
  /** The names of the clips that are cleaned; all if left out. The others stay as they are. */
  clips?: readonly string[];
  /** The skeleton that is cleaned, by name or number. */
  skeleton?: string;
  /** When feet and hands hold, by clip; found if left out. */
  contacts?: Readonly<Record<string, readonly EditedContact[]>>;
  animationOnly?: boolean;
  compress?: boolean;
  /** The paths that are taken already, where several files go into one folder; what is made joins them. */
  taken?: Set<string>;
  /** Told the paths before the work begins; what it throws ends the job. */
  onPlan?: (paths: readonly string[]) => void;
  onProgress?: TellProgress;
  /** An `AbortSignal`, or anything that throws when the job should stop. */
  signal?: { throwIfAborted(): void };
};

/** One clip that was cleaned, measured before and after. */
export type CleanedClip = {
  name: string;
  duration: number;
  frames: number;
  contacts: readonly Contact[];
  before: ClipMeasures;
  after: ClipMeasures;
};

/** What cleaning a file has come to. */
export type Cleaned = {
  input: string;
  scene: Scene;
  clips: CleanedClip[];
  /** The names of clips that were left as they are. */
  left: string[];
  /** The files that it has become, in memory. */
  made: { path: string; bytes: Uint8Array }[];
  verdict: ResultVerdict;
  warnings: Warning[];
};

/**
 * Makes the motion of a file stand on its own body: feet that slide hold, jitter is taken out, the rest stays. Prints
 * nothing and writes nothing.
 * @throws UsageError or Failure that says what the file or the format cannot give.
 */
export async function cleanFile(job: CleanJob): Promise<Cleaned> {
  const { input, output, options = {}, skeleton, signal } = job;
  const tell: TellProgress = (...told) => {
    signal?.throwIfAborted();
    job.onProgress?.(...told);
  };
  const extension = extensionOf(output, 'OUT');
  tell(0, 1, `reading ${lastName(input)}`);
  const scene = await readScene(input, job.read ?? {}, job.content);
  requireSkeleton(input, scene);
  const { character } = chooseCharacter(scene, skeleton);
  const own = scene.characters[character]!.clips;
  if (own.length === 0) throw new Failure(`${input} has no clips: there is nothing to clean`);
  const chosen = clipsNamed(input, own, job.clips);
  const plan = outputPaths(
    output,
    own.map(({ name }) => name),
    job.taken,
  );
  job.onPlan?.(plan.map(({ path }) => path));
  await hearEvents(signal);

  const { calm = CALM_RATE, up, facing, unit, floor, ...rest } = options;
  const space = sidesOf({ up, facing, unit, floor });
  const told: RetargetOptions = {
    ...rest,
    ...space,
    ...(skeleton !== undefined && { sourceSkeleton: skeleton, targetSkeleton: skeleton }),
    ...(job.contacts && { contacts: job.contacts }),
    ...(calm !== null && { calm }),
    // The motion is the file's own, and as long as it was.
    ...{ clean: true, keepCalibration: true },
  };
  const result = retarget(scene, scene, {
    ...told,
    ...(job.clips && { clips: chosen.map(({ name }) => name) }),
    onProgress: partOf(tell, 0.1, 0.7),
    ...(signal && { signal }),
  });
  await hearEvents(signal);
  tell(0.7, 1, `measuring ${lastName(input)}`);
  const before = measure(scene, scene, {
    ...space,
    ...(skeleton !== undefined && { sourceSkeleton: skeleton, targetSkeleton: skeleton }),
    pairs: chosen.map(({ name }) => [name, name] as const),
  });
  await hearEvents(signal);
  const cleaned = new Map(chosen.map((clip, n) => [clip, result.clips[n]!]));
  const made: Cleaned['made'] = [];
  const warnings = [...scene.warnings, ...result.report.warnings, ...result.report.notes];
  for (const [n, { path, clips: indices }] of plan.entries()) {
    tell(0.85 + (0.15 * n) / plan.length, 1, `making ${lastName(path)}`);
    const clips = indices.map((i): Clip => cleaned.get(own[i]!) ?? own[i]!);
    const written = await writeBytes(
      extension,
      { scene, character, clips },
      {
        replace: true,
        meshes: job.animationOnly !== true,
        compress: job.compress === true,
        ...(signal && { signal }),
      },
    );
    warnings.push(...written.warnings);
    made.push({ path, bytes: written.bytes });
  }
  warnings.push(...othersLeftOut(scene, character, input));
  return {
    input,
    scene,
    clips: result.report.clips.map(({ name, duration, frames, contacts }, n) => ({
      ...{ name, duration, frames, contacts: contacts ?? [] },
      before: before.clips[n]!,
      after: result.report.measures[n]!,
    })),
    left: own.filter((clip) => !cleaned.has(clip)).map(({ name }) => name),
    made,
    verdict: result.report.verdict,
    warnings: uniqueWarnings(warnings),
  };
}

/** What is told of the file, told of both sides. */
function sidesOf(space: Pick<CleanOptions, 'up' | 'facing' | 'unit' | 'floor'>): RetargetOptions {
  return Object.fromEntries(
    Object.entries(space).flatMap(([name, value]) => {
      const word = name[0]!.toUpperCase() + name.slice(1);
      return value === undefined
        ? []
        : [
            [`source${word}`, value],
            [`target${word}`, value],
          ];
    }),
  );
}

/** The motion of other skeletons is not in the file that is made. */
function othersLeftOut({ characters }: Scene, character: number, input: string): Warning[] {
  const others = characters.filter((each, n) => n !== character && each.clips.length > 0);
  if (others.length === 0) return [];
  return [
    {
      code: 'clip-left-out',
      message: `${input} moves ${others.length === 1 ? 'another skeleton' : `${others.length} other skeletons`} too (${others.map(({ skeleton }) => `"${skeleton.name}"`).join(', ')}), whose clips are not in what is made`,
    },
  ];
}
