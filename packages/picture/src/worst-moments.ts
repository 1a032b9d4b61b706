import { type BadMoment, chooseCharacter, poseAt, type Scene } from '@stuntdouble/core/engine';
import { animationStrip } from './contact-sheet.js';
import { ACCENTS } from './palette.js';
import { figureOf, type PictureInput } from './result-picture.js';

/** A result that was measured, and how the files were told to be read. */
export type MeasuredFiles = Pick<
  PictureInput,
  'source' | 'map' | 'sourceSkeleton' | 'sourceReference' | 'targetReference' | 'space'
> & { result: Scene; resultSkeleton?: string };

/** Draws a moment of a clip: the PNG of the source beside the result, which shows as heat where it is bad. */
export type DrawMoment = (
  clips: readonly [string, string],
  moment: BadMoment,
  sourceStart?: number,
) => Uint8Array;

/** Pixels of such a picture: sharp at twice the width it has in a page. */
const SIZE = { width: 520, height: 360 };

/** Reads both bodies once and gives what draws moments of their clips. */
export async function createMomentDrawer(files: MeasuredFiles): Promise<DrawMoment> {
  const { source, result } = files;
  const from = chooseCharacter(source, files.sourceSkeleton).character;
  const to = chooseCharacter(result, files.resultSkeleton).character;
  const original = await figureOf(source, from, 'source', files, files.sourceReference);
  const moved = await figureOf(result, to, 'target', files, files.targetReference);
  const clipOf = (scene: Scene, character: number, name: string) =>
    scene.characters[character]!.clips.find((clip) => clip.name === name)!;
  return ([a, b], { time, heat }, sourceStart = 0) =>
    animationStrip({
      rows: [
        {
          ...original,
          title: a,
          accent: ACCENTS[0]!,
          poses: [poseAt(original.skeleton, clipOf(source, from, a), sourceStart + time)],
        },
        {
          ...moved,
          title: b,
          accent: ACCENTS[1]!,
          poses: [poseAt(moved.skeleton, clipOf(result, to, b), time)],
          heat: [heat],
        },
      ],
      size: SIZE,
    });
}
