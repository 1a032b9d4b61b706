import {
  type Clip,
  changeSpeed,
  chooseCharacter,
  clipsToUnderstand,
  createRig,
  familyAsSeen,
  heatWords,
  type MeasureHeat,
  type MeasureOptions,
  measure,
  mirrorScene,
  poseAt,
  type ReferenceChoice,
  type RetargetOptions,
  type RetargetResult,
  type RigMapDocument,
  rolesOfDocument,
  type Scene,
  spaceTold,
  trimClip,
  UsageError,
} from '@stuntdouble/core/engine';
import { readDressedMeshes } from '@stuntdouble/formats';
import { type CameraName, viewOf } from './camera.js';
import { contactSheet } from './contact-sheet.js';
import type { PictureRow } from './figures.js';
import { MOST_FRAMES, movingPicture } from './moving-picture.js';
import { ACCENTS } from './palette.js';

/** How many clips a picture shows, each with its source above the result. */
export const MOST_CLIPS = 4;

/** How many instants of a clip a picture shows. */
const COLUMNS = 6;

/** What a picture of a result is drawn from: the same choices that the result was made with. */
export type PictureInput = {
  source: Scene;
  result: RetargetResult;
  /** The source's clips in the order of the result's. */
  sourceClips: readonly Clip[];
  /** The part of the source's clips that was taken, in seconds, and how fast it was played. */
  timing?: { start?: number; speed?: number };
  map?: RigMapDocument;
  sourceSkeleton?: string;
  sourceReference?: ReferenceChoice;
  targetReference?: ReferenceChoice;
  /** How the files were told to be read. */
  space?: RetargetOptions;
  /** From where one looks; three-quarter if left out. */
  camera?: CameraName;
  /** Whether the result shows as heat where it is bad, by the measure that is worst; it does if left out. */
  heat?: boolean;
  /** Pixels that a sheet is wide; as many as its columns like if left out. */
  width?: number;
  /** Is told of each frame of a moving picture that is drawn; what it throws ends the work. */
  onFrame?: (drawn: number, of: number) => void;
};

/** Frames a second of a moving picture, where its clip is short enough for that. */
const RATE = 15;

/**
 * Draws the first clip of a result in motion, beside its source and in step, as the bytes of a GIF. A clip of more
 * than {@link MOST_FRAMES} frames at {@link RATE} a second is shown with fewer a second.
 */
export async function movingPictureOf(input: PictureInput): Promise<Uint8Array> {
  const { source, result, sourceClips, camera, onFrame } = input;
  const { from, to } = await figuresOfBoth(input);
  const clip = result.clips[0];
  if (!clip) throw new UsageError('there is no clip to draw');
  const original = sourceClips[0];
  // A clip that stands still is one frame.
  const rate = Math.min(RATE, Math.max(1, Math.floor((MOST_FRAMES - 1) / Math.max(clip.duration, 1e-3))));
  const count = Math.min(MOST_FRAMES, Math.floor(clip.duration * rate) + 1);
  const times = Array.from({ length: count }, (_, k) => k / rate);
  const rows: PictureRow[] = [];
  if (original)
    rows.push({
      ...from,
      title: source.name,
      accent: ACCENTS[0]!,
      poses: times.map((time) => poseAt(from.skeleton, original, sourceTime(input, 0, time))),
    });
  rows.push({
    ...to,
    title: result.scene.name,
    accent: ACCENTS[1]!,
    poses: times.map((time) => poseAt(to.skeleton, clip, time)),
    ...shownHeat(input, 0, times),
  });
  return movingPicture({ rows, rate, ...(camera ? { camera } : {}), ...(onFrame ? { onFrame } : {}) });
}

/** What of a row shows where a clip of the result, given by its place, is bad: heat and a caption. */
function shownHeat(input: PictureInput, clip: number, times: readonly number[]): Partial<PictureRow> {
  const found = input.heat === false ? null : heatOfResult(input, clip);
  if (!found?.worst) return {};
  const joints = found.heat.length / found.count;
  return {
    caption: `worst: ${heatWords(found.worst)}`,
    heat: times.map((time) => {
      const k = Math.min(found.count - 1, Math.round(time * found.rate));
      return found.heat.subarray(joints * k, joints * (k + 1));
    }),
  };
}

/** What of a job's options a result is measured with, too. */
const TOLD = [
  ...(['sourceFamily', 'alignment'] as const),
  ...(['sourceUp', 'sourceFacing', 'sourceUnit', 'sourceFloor'] as const),
  ...(['targetUp', 'targetFacing', 'targetUnit', 'targetFloor'] as const),
] satisfies (keyof MeasureOptions)[];

/** A name that no clip of a file has. */
const SHOWN = '\u0000shown';

/** Where on the body and when a clip of the result is bad; null where it has no source to be held against. */
function heatOfResult(input: PictureInput, n: number): MeasureHeat | null {
  const { source, result, sourceClips, timing, map, space = {} } = input;
  const [original, clip] = [sourceClips[n], result.clips[n]];
  if (!original || !clip) return null;
  const speed = timing?.speed ?? 1;
  const start = sourceTime(input, n, 0);
  const seen = space.mirror ? mirrorScene(source) : source;
  const from = chooseCharacter(seen, input.sourceSkeleton).character;
  const whole = seen.characters[from]!.clips.find(({ name }) => name === original.name);
  if (!whole) return null;
  // As it was moved: its part, at its speed, in the mirror. What else the file holds stays, since it tells what body it is.
  const part = changeSpeed(trimClip(whole, start, start + clip.duration * speed), speed);
  const { curves } = measure(withClip(seen, from, part), withClip(result.scene, result.character, clip), {
    pairs: [[SHOWN, SHOWN]],
    heat: true,
    ...(map && { map }),
    ...(input.sourceReference !== undefined && { sourceReference: input.sourceReference }),
    ...(input.targetReference !== undefined && { targetReference: input.targetReference }),
    ...Object.fromEntries(TOLD.flatMap((name) => (space[name] === undefined ? [] : [[name, space[name]]]))),
    sourceSkeleton: String(from),
    targetSkeleton: String(result.character),
  });
  return curves[0]?.heat ?? null;
}

function withClip(scene: Scene, character: number, clip: Clip): Scene {
  return {
    ...scene,
    characters: scene.characters.map((each, n) =>
      n === character ? { ...each, clips: [...each.clips, { ...clip, name: SHOWN }] } : each,
    ),
  };
}

/** The time of a source's clip, given by its place, that a time of the result shows. */
function sourceTime({ timing, result }: PictureInput, clip: number, time: number): number {
  const start = result.report.clips[clip]?.start ?? timing?.start ?? 0;
  return start + time * (timing?.speed ?? 1);
}

async function figuresOfBoth({ source, result, ...input }: PictureInput) {
  const sourceCharacter = chooseCharacter(source, input.sourceSkeleton).character;
  return {
    from: await figureOf(source, sourceCharacter, 'source', input, input.sourceReference),
    to: await figureOf(result.scene, result.character, 'target', input, input.targetReference),
  };
}

/**
 * Draws a contact sheet of a result as the bytes of a PNG: for each of the first {@link MOST_CLIPS} clips a
 * row of the source and one of the target at the same instants.
 */
export async function pictureOf(input: PictureInput): Promise<Uint8Array> {
  const { source, result, sourceClips } = input;
  const { from, to } = await figuresOfBoth(input);
  const rows: PictureRow[] = [];
  result.clips.slice(0, MOST_CLIPS).forEach((clip, i) => {
    const original = sourceClips[i];
    const times = Array.from({ length: COLUMNS }, (_, k) => (clip.duration * k) / (COLUMNS - 1));
    if (original)
      rows.push({
        ...from,
        title: `${source.name}: ${original.name}`,
        caption: 'source',
        accent: ACCENTS[0]!,
        poses: times.map((time) => poseAt(from.skeleton, original, sourceTime(input, i, time))),
      });
    const measured = result.report.measures.find(({ name }) => name === clip.name);
    rows.push({
      ...to,
      title: `${result.scene.name}: ${clip.name}`,
      accent: ACCENTS[1]!,
      caption: measured ? `direction: worst ${degrees(measured.direction.worst)}` : 'result',
      poses: times.map((time) => poseAt(to.skeleton, clip, time)),
      ...shownHeat(input, i, times),
    });
  });
  const shown = result.clips.slice(0, MOST_CLIPS);
  const columns = Array.from({ length: COLUMNS }, (_, k) => {
    const part = k / (COLUMNS - 1);
    return shown.length === 1 ? seconds(shown[0]!.duration * part) : `${Math.round(100 * part)} %`;
  });
  return contactSheet({
    ...{ rows, columns },
    ...(input.camera ? { view: viewOf(input.camera) } : {}),
    ...(input.width !== undefined && { size: { width: input.width } }),
  });
}

function seconds(value: number): string {
  return `${value.toFixed(2)} s`;
}

function degrees(angle: number): string {
  return Number.isFinite(angle) ? `${angle.toFixed(3)}°` : '–';
}

/** One of both characters, ready to be drawn. */
export async function figureOf(
  scene: Scene,
  character: number,
  side: 'source' | 'target',
  { map, space = {} }: Pick<PictureInput, 'map' | 'space'>,
  reference: ReferenceChoice | undefined,
): Promise<Pick<PictureRow, 'skeleton' | 'meshes' | 'floor'>> {
  const { skeleton } = scene.characters[character]!;
  const rig = createRig(skeleton, {
    clips: clipsToUnderstand(
      scene.characters[character]!,
      side === 'source' ? familyAsSeen(skeleton, space.sourceFamily) : undefined,
      reference,
    ),
    space: spaceTold(side, space),
    ...(reference === undefined ? {} : { reference }),
    ...(map ? { roles: rolesOfDocument(map, skeleton, side) } : {}),
  });
  const meshes = await readDressedMeshes(scene);
  return {
    skeleton: rig.skeleton,
    meshes: meshes.filter((mesh) => mesh.character === character),
    floor: rig.floor.height,
  };
}
