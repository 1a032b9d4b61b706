import {
  armatureOfRig,
  bodyPoints,
  changeSpeed,
  chooseCharacter,
  createKeptMotions,
  createRig,
  findJoint,
  hipHeightOf,
  type KeptMotions,
  measureAgain,
  mirrorScene,
  optionsOfRecipe,
  PASS_NAMES,
  previewFrame,
  type Recipe,
  RetargetError,
  type RetargetOptions,
  type Rig,
  readRecipe,
  retarget,
  rolesOfDocument,
  type Scene,
  setUpScenes,
  stancePose,
  trimClip,
  type VerdictReason,
  verdictOf,
  verdictOfClip,
  watchWork,
  writeArmature,
} from '@stuntdouble/core/engine';
import {
  bindFace,
  type DressedMesh,
  gltf,
  read,
  readDressedMeshes,
  readMeshes,
  writeBytes,
} from '@stuntdouble/formats';
import { chainsOf } from './chain-of.js';
import type {
  AnswerOf,
  FileFacts,
  FileId,
  Job,
  Judged,
  OpenFile,
  Question,
  Solved,
  Understanding,
} from './protocol.js';
import { hashOfId, skeletonOfId } from './protocol.js';

/*
 * Every call of the engine stands in this file: names that change in core or formats change here alone.
 */

/** Whoever watches work: told how far it has come, 0 to 1, and what is done now, and asked whether to go on. */
export type Watch = {
  progress: (part: number, words: string) => void;
  signal?: { throwIfAborted(): void };
};

/** What a worker knows: files by hash, the results it may be asked about again, and what it measured last. */
export type Memory = { files: Map<FileId, KnownFile>; results: Map<string, Result>; kept: KeptMotions };

/** A file that was opened, and what was read of it; null where that was let go, and is read again when it is asked for. */
type KnownFile = { file: OpenFile; scene: Promise<Scene> | null };

/** The target with a clip on it, and why solving it gave cause to look, or to mend. */
type Result = { scene: Scene; reasons: readonly VerdictReason[] };

/** A memory that knows nothing. */
export function createMemory(): Memory {
  return { files: new Map(), results: new Map(), kept: createKeptMotions() };
}

/** Files whose content is kept, those used last: whoever tries a hundred characters shall not hold them all. */
export const MOST_SCENES = 12;

/** Results that are kept for measuring and writing; the oldest is dropped beyond that. */
const MOST_RESULTS = 12;

/** Answers one question. Files must have been opened before they are asked about. */
export async function answerQuestion<Q extends Question>(
  memory: Memory,
  question: Q,
  watch: Watch,
): Promise<AnswerOf[Q['type']]> {
  const answer = await answerAny(memory, question, watch);
  return answer as AnswerOf[Q['type']];
}

async function answerAny(
  memory: Memory,
  question: Question,
  watch: Watch,
): Promise<AnswerOf[keyof AnswerOf]> {
  if (question.type === 'open') return factsOf(question.file, await holdFile(memory, question.file));
  if (question.type === 'hold')
    return { characters: (await holdFile(memory, question.file)).characters.length };
  if (question.type === 'readRecipe') return readRecipe(question.json);
  const { job } = question;
  const [source, target] = await Promise.all([sceneOf(memory, job.source), sceneOf(memory, job.target)]);
  if (question.type === 'understand') return understand(source, target, job);
  const options = optionsOf(source, target, job.recipe);
  switch (question.type) {
    case 'preview': {
      const begun = performance.now();
      const { clip, start } = previewFrame(
        source,
        target,
        options,
        question.clip,
        question.time,
        question.contacts,
      );
      return {
        clip: bindFace(target, clip),
        start,
        source: question.clip,
        milliseconds: performance.now() - begun,
      };
    }
    case 'solve':
      return solve(memory, { source, target, job, options }, question.clips, watch);
    case 'judge':
      return judge(memory, { source, target, job, options }, question.clip, watch);
    case 'stance': {
      const { setup } = setUpScenes(source, target, options);
      if (question.stance === 'source') return { pose: setup.alignment.pose };
      const rig = question.side === 'source' ? setup.source : setup.target;
      return { pose: stancePose(rig, rig.reference.pose, question.stance) };
    }
    case 'armature': {
      const rig = setUpScenes(source, target, options).setup[question.side];
      return { armature: writeArmature(armatureOfRig(rig), rig.skeleton) };
    }
    case 'recipe':
      return { recipe: applicableRecipe(source, target, job.recipe) };
    case 'export':
      return exportFile(source, target, options, question, watch);
  }
}

function sceneOf({ files }: Memory, id: FileId): Promise<Scene> {
  const known = files.get(id);
  if (!known) throw new Error('a file was asked about before it was opened');
  known.scene ??= readFile(known.file);
  files.delete(id);
  files.set(id, known);
  let left = MOST_SCENES;
  for (const other of [...files.values()].reverse()) if (other.scene && left-- <= 0) other.scene = null;
  return known.scene;
}

async function readFile({ name, file, ...more }: OpenFile): Promise<Scene> {
  return read(new Uint8Array(await file.arrayBuffer()), {
    name: name.replace(/(?<=.)\.[^.]*$/, ''),
    resolve: (uri) => findBeside({ name, file, ...more }, uri),
  });
}

/** Reads a file, which can be asked about from then on. */
async function holdFile(memory: Memory, file: OpenFile): Promise<Scene> {
  // Several skeletons of one file are of one scene.
  const known = memory.files.get(file.id) ?? memory.files.get(hashOfId(file.id));
  memory.files.set(file.id, { file, scene: known?.scene ?? null });
  try {
    return await sceneOf(memory, file.id);
  } catch (error) {
    // A file that cannot be read is not remembered: the next attempt may bring what is missing.
    memory.files.delete(file.id);
    throw error;
  }
}

/** Whether a file's meshes are packed by Draco, which the page has no decoder for. */
async function isPacked({ file }: OpenFile): Promise<boolean> {
  // The JSON of a GLB stands at its start, and the list of extensions within.
  return (await file.slice(0, 4_000_000).text()).includes('KHR_draco_mesh_compression');
}

async function findBeside({ name, beside }: OpenFile, uri: string): Promise<Uint8Array> {
  const wanted = decodeURIComponent(uri).split(/[/\\]/).pop();
  const found = beside.find((other) => other.name === wanted);
  if (!found) throw new RetargetError(`"${name}" needs "${wanted}": drop both files together`);
  return new Uint8Array(await found.file.arrayBuffer());
}

async function factsOf(file: OpenFile, scene: Scene): Promise<FileFacts> {
  const { id } = file;
  const { format, name, characters, warnings } = scene;
  const list = characters.map(({ skeleton, clips }) => ({
    name: skeleton.name,
    joints: skeleton.names.length,
    clips: clips.length,
  }));
  const isGltf = gltf.extensions.includes(format);
  const base = { id, name, format, characters: list, warnings };
  if (characters.length === 0)
    return {
      ...base,
      character: 0,
      family: 'no skeleton',
      skeleton: null,
      roles: [],
      joints: {},
      chains: [],
      points: {},
      reference: null,
      floor: 0,
      height: 1,
      hipHeight: 1,
      clips: scene.otherClips ?? [],
      meshes: null,
      hasMeshes: isGltf,
    };
  const { character } = chooseCharacter(scene, skeletonOfId(id));
  const { skeleton, clips: all } = characters[character]!;
  // A take without keys is what programs leave behind that have nothing to play.
  const clips = all.filter(({ tracks, morphs }) => tracks.length > 0 || morphs.length > 0);
  const rig = createRig(skeleton, { clips });
  // Meshes that the page has no loader for come with their materials and pictures; of others only whether there are some.
  const isBuilt = !isGltf || (await isPacked(file));
  const meshes: DressedMesh[] = isBuilt
    ? await readDressedMeshes(scene, { resolve: (uri) => findBeside(file, uri) }).catch(() => [])
    : [];
  const own = meshes.filter((mesh) => mesh.character === character);
  const hasMeshes = isBuilt
    ? own.length > 0
    : (await readMeshes(scene).catch(() => [])).some((mesh) => mesh.character === character);
  const { hulls: _, ...plain } = rig.skeleton;
  return {
    ...base,
    character,
    family: familyOf(scene, rig),
    skeleton: plain,
    roles: rig.guesses.map(({ role }) => role),
    joints: rig.joints,
    chains: chainsOf(rig),
    reference: { kind: rig.reference.kind, reason: rig.reference.reason, pose: rig.reference.pose },
    points: Object.fromEntries(
      bodyPoints(rig).map(({ name, joint, offset }) => [name, { joint, offset: Float64Array.from(offset) }]),
    ),
    floor: rig.floor.height,
    height: Math.max(1e-6, rig.space.height),
    hipHeight: hipHeightOf(rig),
    clips: clips.map((clip) => bindFace(scene, clip)),
    meshes: isBuilt ? own : null,
    hasMeshes,
  };
}

/** Where body parts are known from, for people. */
function familyOf({ format, dialect }: Scene, { guesses, body }: Rig): string {
  if (format === 'vrm') return 'VRM';
  if (format === 'vrma') return 'VRM animation';
  const reasons = guesses.filter(({ role }) => role !== null).map(({ reason }) => reason);
  if (dialect) return dialect.name;
  if (reasons.length === 0)
    return body && body.kind !== 'unknown' ? `${body.kind}, by shape` : 'unknown body';
  const named = reasons.map(
    (reason) => /\b(Mixamo|Unreal|Rigify|VRM|Biped|Unity|Daz|MakeHuman)\b/i.exec(reason)?.[1],
  );
  const family = named.find((word) => word !== undefined);
  if (family) return `${family} names`;
  return reasons.filter((reason) => /shape/i.test(reason)).length > reasons.length / 2
    ? 'by shape'
    : 'by names';
}

/** A recipe without the changes to the map that speak of joints which are not there: those were made for another source. */
function applicableRecipe(source: Scene, target: Scene, recipe: Recipe): Recipe {
  const { map, ...rest } = recipe;
  if (!map?.changes) return recipe;
  const { changes, ...told } = map;
  const skeletonOf = (scene: Scene, choice?: string) =>
    scene.characters[chooseCharacter(scene, choice).character]!.skeleton;
  const from = skeletonOf(source, recipe.source?.skeleton);
  const to = skeletonOf(target, recipe.target?.skeleton);
  const known = changes.filter(
    (change) =>
      findJoint(to, change.target) !== null &&
      (change.sources ?? []).every((name) => findJoint(from, name) !== null),
  );
  if (known.length > 0) return { ...rest, map: { ...told, changes: known } };
  return told.joints || told.roles ? { ...rest, map: told } : rest;
}

function optionsOf(source: Scene, target: Scene, recipe: Recipe): RetargetOptions {
  return optionsOfRecipe(applicableRecipe(source, target, recipe));
}

function understand(source: Scene, target: Scene, { recipe }: Job): Understanding {
  try {
    const { setup, warnings } = setUpScenes(source, target, optionsOf(source, target, recipe));
    const side = ({ reference: { kind, reason, frame, pose } }: Rig) => ({
      kind,
      reason,
      pose,
      ...(frame && { frame }),
    });
    return {
      map: setup.map,
      failure: null,
      source: side(setup.source),
      target: side(setup.target),
      aligned: setup.alignment.pose,
      alignment: setup.alignment.limbs,
      rootScales: setup.rootScales,
      passes: PASS_NAMES.map((name) => ({ name, does: (setup.compiled[name] ?? null) !== null })),
      warnings,
    };
  } catch (error) {
    if (!(error instanceof RetargetError)) throw error;
    // The last words are for who has no map to click in.
    return withoutMap(source, target, recipe, error.message.replace(/; give a map$/, ''));
  }
}

/** Two characters of which nothing could be matched: all joints are there to be paired by hand. */
function withoutMap(source: Scene, target: Scene, recipe: Recipe, failure: string): Understanding {
  const rigOf = (scene: Scene, choice?: string) => {
    const { skeleton, clips } = scene.characters[chooseCharacter(scene, choice).character]!;
    return createRig(skeleton, { clips });
  };
  const [from, to] = [rigOf(source, recipe.source?.skeleton), rigOf(target, recipe.target?.skeleton)];
  const unmapped = (rig: Rig) =>
    rig.skeleton.names.map((_, joint) => ({
      joint,
      reason: rig.guesses[joint]!.reason || 'nothing was matched',
    }));
  return {
    map: { joints: [], unmapped: { source: unmapped(from), target: unmapped(to) } },
    failure,
    source: from.reference,
    target: to.reference,
    aligned: to.reference.pose,
    alignment: {},
    rootScales: { horizontal: 1, vertical: 1, reason: '' },
    passes: [],
    warnings: [],
  };
}

function keyOf({ source, target, recipe }: Job, clip: string): string {
  return JSON.stringify([source, target, recipe, clip]);
}

/** A job with its files, and what its recipe comes to. */
type Work = { source: Scene; target: Scene; job: Job; options: RetargetOptions };

function solve(
  memory: Memory,
  { source, target, job, options }: Work,
  clips: string[],
  { progress, signal }: Watch,
): Solved {
  const begun = performance.now();
  const result = retarget(source, target, {
    ...options,
    clips,
    measure: false,
    onProgress: (done, total, name) => progress(done / Math.max(1, total), name),
    ...(signal && { signal }),
  });
  result.clips.forEach((clip, n) => {
    remember(memory, keyOf(job, clips[n]!), {
      scene: {
        ...target,
        characters: target.characters.map((character, i) =>
          i === result.character ? { ...character, clips: [clip] } : character,
        ),
      },
      reasons: verdictOfClip(result.report.verdict, clip.name).reasons,
    });
  });
  return {
    clips: result.clips.map((clip, n) => {
      const { frames, way, reason, start = 0, contacts = [] } = result.report.clips[n]!;
      // As it is written: the page shows what a file would.
      return { source: clips[n]!, clip: bindFace(target, clip), frames, way, reason, start, contacts };
    }),
    warnings: [...result.report.warnings, ...result.report.notes],
    milliseconds: performance.now() - begun,
  };
}

function remember({ results }: Memory, key: string, result: Result): void {
  results.delete(key);
  results.set(key, result);
  for (const oldest of results.keys()) {
    if (results.size <= MOST_RESULTS) break;
    results.delete(oldest);
  }
}

async function judge(memory: Memory, work: Work, clip: string, watch: Watch): Promise<Judged> {
  const { source, target, job, options } = work;
  if (!memory.results.has(keyOf(job, clip))) solve(memory, work, [clip], watch);
  const { scene: result, reasons } = memory.results.get(keyOf(job, clip))!;
  // Skin beside the body is looked at where some of it stays behind, as the command does.
  const isLoose = reasons.some(({ code }) => code === 'skin-left-behind');
  const meshes = isLoose ? await readMeshes(target).catch(() => []) : [];
  const begun = performance.now();
  const { map, sourceReference, targetReference, sourceSkeleton, targetSkeleton, alignment } = options;
  const name = result.characters.flatMap(({ clips }) => clips)[0]!.name;
  const { signal } = watch;
  const { clips, curves, verdict } = watchWork(signal ? () => signal.throwIfAborted() : null, 1, () =>
    measureAgain(
      preparedSource(source, options, clip),
      result,
      {
        pairs: [[clip, name]],
        curves: true,
        meshes,
        ...(map && { map }),
        ...(sourceReference !== undefined && { sourceReference }),
        ...(targetReference !== undefined && { targetReference }),
        ...(sourceSkeleton !== undefined && { sourceSkeleton }),
        ...(targetSkeleton !== undefined && { targetSkeleton }),
        ...(alignment && { alignment }),
      },
      memory.kept,
    ),
  );
  const known = new Set(reasons.map(({ message }) => message));
  const more = verdict.reasons.filter(({ message }) => !known.has(message));
  return {
    measures: clips[0]!,
    curves: curves[0]!,
    verdict: verdictOf([...reasons, ...more]),
    milliseconds: performance.now() - begun,
  };
}

/** The source with a clip as it was moved: its part, at its speed, in the mirror. */
function preparedSource(given: Scene, { mirror, range, speed }: RetargetOptions, name: string): Scene {
  if (!mirror && !range && (speed ?? 1) === 1) return given;
  const source = mirror ? mirrorScene(given) : given;
  return {
    ...source,
    characters: source.characters.map(({ skeleton, clips }) => ({
      skeleton,
      clips: clips.map((clip) =>
        clip.name === name ? changeSpeed(range ? trimClip(clip, ...range) : clip, speed ?? 1) : clip,
      ),
    })),
  };
}

async function exportFile(
  source: Scene,
  target: Scene,
  options: RetargetOptions,
  { clips, extension, meshes, replace, newBind }: Extract<Question, { type: 'export' }>,
  { progress }: Watch,
): Promise<AnswerOf['export']> {
  const watched: RetargetOptions = {
    ...options,
    clips,
    measure: false,
    onProgress: (done, total, name) => progress((0.9 * done) / Math.max(1, total), name),
  };
  const {
    scene,
    character,
    clips: moved,
    report,
  } = newBind
    ? await (await import('./rebind.js')).rebind(source, target, { ...watched, corrections: 'none' })
    : retarget(source, target, watched);
  progress(0.9, `writing .${extension}`);
  const body = scene.characters[character];
  const roles = options.map && body && rolesOfDocument(options.map, body.skeleton, 'target');
  const { bytes, warnings } = await writeBytes(
    extension,
    { scene, character, clips: moved, ...(roles && { roles }) },
    { meshes, replace },
  );
  return { bytes, warnings: [...report.warnings, ...report.notes, ...warnings] };
}
