import {
  type Clip,
  convertConstraints,
  type RecipeSide,
  type RetargetOptions,
  type RetargetResult,
  type RigMapDocument,
  rolesOfDocument,
  type Scene,
  UsageError,
  type Warning,
} from '@stuntdouble/core/engine';
import { read, writeBytes } from '@stuntdouble/formats';
import { sha256Of } from './batch/canonical-json.js';
import type { NamedScene } from './choose-clips.js';
import { recipeOfJob } from './documents/recipe-of-job.js';
import { jsonText } from './json-text.js';
import { extensionOf, lastName } from './output-paths.js';
import { hearEvents, type TellProgress } from './progress.js';
import type { JobFile, MadeFile, RetargetJob } from './retarget-job.js';
import { rootMotionBytes } from './root-motion-file.js';

/** A job that is done but for its files. */
export type DoneJob = {
  job: RetargetJob;
  source: NamedScene;
  target: NamedScene;
  /** The clips of the source that were taken. */
  clips: readonly Clip[];
  /** Which of them go to which file. */
  plan: readonly { path: string; clips: readonly number[] }[];
  /** Everything that was asked for, by options and by a recipe. */
  told: RetargetOptions;
  isRebound: boolean;
  result: RetargetResult;
  /** Index of the target's skeleton. */
  character: number;
  /** Which of its joints plays which body part, by the map that was told. */
  roles: ReturnType<typeof rolesOf>;
};

/** Makes every file that a job asks for, in memory, and tells of how far it is from 0.9 on. */
export async function makeFiles(
  done: DoneJob,
  tell: TellProgress,
): Promise<{ files: MadeFile[]; pictured: number | null; warnings: Warning[] }> {
  const { job, plan, result, roles } = done;
  const files: MadeFile[] = [];
  const warnings: Warning[] = [];
  for (const [n, part] of plan.entries()) {
    tell(0.9 + (0.05 * n) / plan.length, 1, `making ${lastName(part.path)}`);
    if (n > 0) await hearEvents(job.signal);
    const written = await writePart(part, result, roles, job);
    warnings.push(...written.warnings);
    files.push({ name: part.path, kind: 'clips', bytes: written.bytes });
  }
  let pictured: number | null = null;
  if (job.picture !== undefined) {
    tell(0.95, 1, `drawing ${lastName(job.picture)}`);
    const drawn = await drawPicture(done, tell);
    pictured = drawn.pictured;
    files.push({ name: job.picture, kind: 'picture', bytes: drawn.bytes });
  }
  if (job.card !== undefined) {
    tell(0.99, 1, `making ${lastName(job.card)}`);
    files.push({ name: job.card, kind: 'card', bytes: await cardBytes(done) });
  }
  if (job.saveRecipe !== undefined) {
    const { isRebound, told } = done;
    const source = { ...done.source, origin: await originOf(job.source, job.origin?.source) };
    const target = { ...done.target, origin: await originOf(job.target, job.origin?.target) };
    const madeWith = job.origin?.madeWith;
    const saved = jsonText(recipeOfJob(source, target, told, { isRebound, madeWith }));
    files.push({ name: job.saveRecipe, kind: 'recipe', bytes: new TextEncoder().encode(saved) });
  }
  if (job.saveLayer !== undefined)
    files.push({ name: job.saveLayer, kind: 'layer', bytes: layerBytes(done) });
  if (job.rootMotionFile !== undefined)
    files.push({ name: job.rootMotionFile, kind: 'root motion', bytes: rootMotionBytes(result) });
  return { files, pictured, warnings };
}

/** What a recipe says of a file: what it was told, and the hash of bytes that are at hand. */
async function originOf({ content }: JobFile, told: RecipeSide = {}): Promise<RecipeSide> {
  const bytes = content instanceof ArrayBuffer ? new Uint8Array(content) : content;
  return { ...(bytes instanceof Uint8Array && { sha256: await sha256Of(bytes) }), ...told };
}

/** What the constraints of a job changed, as a document that `--constraints` takes instead of theirs. */
function layerBytes({ source, target, told }: DoneJob): Uint8Array {
  const { constraints = [], layers = [] } = told;
  if (!constraints.some(({ muted }) => !muted))
    throw new UsageError('--save-layer writes what constraints changed, and there are none');
  const made = convertConstraints(source.scene, target.scene, told);
  const document = {
    constraints: constraints.map((each) => ({ ...each, muted: true })),
    layers: [...layers, ...made],
  };
  return new TextEncoder().encode(jsonText(document));
}

/** The report card of what was moved, with all that is known of how it was made. */
async function cardBytes({ source, target, result, told, isRebound }: DoneJob): Promise<Uint8Array> {
  // Loaded only where a card is asked for.
  const { cellCard } = await import('./batch/cell-card.js');
  const { clips, character, report } = result;
  const card = isRebound ? null : await cellCard(source, target, { clips, character }, told, report.clips);
  if (card === null)
    throw new UsageError(
      '--card lays every frame beside that of the source, which cannot be done with parts of clips, other speeds, mirrored clips, loops or a new bind',
    );
  return new TextEncoder().encode(card);
}

async function drawPicture(done: DoneJob, tell: TellProgress) {
  const { job, source, result, clips, told } = done;
  // Loaded only where a picture is asked for.
  const { MOST_CLIPS, movingPictureOf, pictureOf } = await import('@stuntdouble/picture');
  const isMoving = /\.gif$/i.test(job.picture ?? '');
  const { speed, sourceSkeleton, sourceReference, targetReference } = job.options ?? {};
  const bytes = await (isMoving ? movingPictureOf : pictureOf)({
    source: source.scene,
    result,
    sourceClips: clips,
    timing: { start: told.range?.[0] ?? 0, speed: speed ?? 1 },
    ...(told.map ? { map: told.map } : {}),
    ...(sourceSkeleton === undefined ? {} : { sourceSkeleton }),
    ...(sourceReference === undefined ? {} : { sourceReference }),
    ...(job.options && { space: job.options }),
    ...(targetReference === undefined ? {} : { targetReference }),
    ...(job.camera === undefined ? {} : { camera: job.camera }),
    ...(job.pictureWidth === undefined ? {} : { width: job.pictureWidth }),
    // A body that was bound anew plays the source's own keys: there is nothing to be held against them.
    heat: job.heat !== false && !done.isRebound,
    onFrame: (drawn, of) => tell(0.95 + (0.04 * drawn) / of, 1, `drawing ${lastName(job.picture!)}`),
  });
  return { bytes, pictured: Math.min(isMoving ? 1 : MOST_CLIPS, result.clips.length) };
}

/** Which joint of a target plays which body part, by a map that was told. */
export function rolesOf(map: RigMapDocument | undefined, target: Scene, character: number) {
  const body = target.characters[character];
  return map && body && rolesOfDocument(map, body.skeleton, 'target');
}

/** One file with some of the clips; where their names were taken in it, the report gets those that they have now. */
async function writePart(
  { path, clips: indices }: { path: string; clips: readonly number[] },
  result: RetargetResult,
  roles: ReturnType<typeof rolesOf>,
  { replace, animationOnly, compress = false, signal }: RetargetJob,
): Promise<{ bytes: Uint8Array; warnings: Warning[] }> {
  const written = await writeBytes(
    extensionOf(path),
    {
      scene: result.scene,
      character: result.character,
      clips: indices.map((i) => result.clips[i]!),
      ...(roles ? { roles } : {}),
    },
    { replace: replace === true, meshes: animationOnly !== true, compress, ...(signal && { signal }) },
  );
  if (written.warnings.some(({ code }) => code === 'clip-name-taken'))
    await takeWrittenNames(result, written.bytes, indices);
  return written;
}

/** Gives the report the names that clips have got in the file, where their own were taken. */
async function takeWrittenNames(
  { character, report }: RetargetResult,
  file: Uint8Array,
  indices: readonly number[],
): Promise<void> {
  const { characters } = await read(file, { skin: false });
  // New clips stand at the end, in order.
  const names = (characters[character]?.clips ?? []).slice(-indices.length).map(({ name }) => name);
  indices.forEach((i, n) => {
    const name = names[n];
    if (!name?.startsWith(report.clips[i]!.name)) return;
    report.clips[i]!.name = name;
    const measures = report.measures[i];
    if (measures) measures.name = name;
  });
}
