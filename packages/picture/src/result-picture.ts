import {
  type Clip,
  chooseCharacter,
  createRig,
  familyMembers,
  type Mesh,
  poseAt,
  type ReferenceChoice,
  type RetargetOptions,
  type RetargetResult,
  type RigMapDocument,
  rolesOfDocument,
  type Scene,
  spaceTold,
} from '@stuntdouble/core/engine';
import { readMeshes } from '@stuntdouble/formats';
import { contactSheet, type PictureRow } from './contact-sheet.js';
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
};

/**
 * Draws a contact sheet of a result as the bytes of a PNG: for each of the first {@link MOST_CLIPS} clips a
 * row of the source and one of the target at the same instants.
 */
export async function pictureOf(input: PictureInput): Promise<Uint8Array> {
  const { source, result, sourceClips } = input;
  const sourceCharacter = chooseCharacter(source, input.sourceSkeleton).character;
  const from = await figureOf(source, sourceCharacter, 'source', input, input.sourceReference);
  const to = await figureOf(result.scene, result.character, 'target', input, input.targetReference);
  const speed = input.timing?.speed ?? 1;
  const rows: PictureRow[] = [];
  result.clips.slice(0, MOST_CLIPS).forEach((clip, i) => {
    const original = sourceClips[i];
    const start = result.report.clips[i]?.start ?? input.timing?.start ?? 0;
    const times = Array.from({ length: COLUMNS }, (_, k) => (clip.duration * k) / (COLUMNS - 1));
    if (original)
      rows.push({
        ...from,
        title: `${source.name}: ${original.name}`,
        caption: 'source',
        accent: ACCENTS[0]!,
        poses: times.map((time) => poseAt(from.skeleton, original, start + time * speed)),
      });
    const measured = result.report.measures.find(({ name }) => name === clip.name);
    rows.push({
      ...to,
      title: `${result.scene.name}: ${clip.name}`,
      accent: ACCENTS[1]!,
      caption: measured ? `direction: worst ${degrees(measured.direction.worst)}` : 'result',
      poses: times.map((time) => poseAt(to.skeleton, clip, time)),
    });
  });
  const shown = result.clips.slice(0, MOST_CLIPS);
  const columns = Array.from({ length: COLUMNS }, (_, k) => {
    const part = k / (COLUMNS - 1);
    return shown.length === 1 ? seconds(shown[0]!.duration * part) : `${Math.round(100 * part)} %`;
  });
  return contactSheet({ rows, columns });
}

function seconds(value: number): string {
  return `${value.toFixed(2)} s`;
}

function degrees(angle: number): string {
  return Number.isFinite(angle) ? `${angle.toFixed(3)}°` : '–';
}

async function figureOf(
  scene: Scene,
  character: number,
  side: 'source' | 'target',
  { map, space = {} }: Pick<PictureInput, 'map' | 'space'>,
  reference: ReferenceChoice | undefined,
): Promise<Pick<PictureRow, 'skeleton' | 'meshes' | 'floor'>> {
  const { skeleton, clips } = scene.characters[character]!;
  const rig = createRig(skeleton, {
    clips:
      side === 'source' && space.sourceFamily
        ? [...clips, ...familyMembers(skeleton, space.sourceFamily).flatMap((member) => member.clips)]
        : clips,
    space: spaceTold(side, space),
    ...(reference === undefined ? {} : { reference }),
    ...(map ? { roles: rolesOfDocument(map, skeleton, side) } : {}),
  });
  const meshes: Mesh[] = scene.format === 'bvh' ? [] : await readMeshes(scene);
  return {
    skeleton: rig.skeleton,
    meshes: meshes.filter((mesh) => mesh.character === character),
    floor: rig.floor.height,
  };
}
