import {
  type Report,
  RetargetError,
  type RetargetOptions,
  type Scene,
  UsageError,
} from '@stuntdouble/core/engine';
import { Failure } from '../failure.js';
import { measureScenes } from '../measure/measure-scenes.js';
import { measureCard } from '../measure/report-card.js';
import type { MovedClips } from '../retarget-job.js';

/** Options that make another motion of a clip than the source's own, frame against frame. */
const OTHER_MOTION = ['range', 'speed', 'mirror', 'loop', 'pingPong', 'amount'] as const;

/**
 * The report card of a cell, as `measure --html` writes it; null where its clips cannot be laid beside those of the
 * source: a part of them, faster ones, mirrored ones, faces alone.
 * @param told What recipe and options say together.
 * @param done What was told of each clip that was moved.
 */
export async function cellCard(
  source: { name: string; scene: Scene },
  target: { name: string; scene: Scene },
  { clips, character = 0 }: MovedClips,
  told: RetargetOptions,
  done: Report['clips'] = [],
): Promise<string | null> {
  if (OTHER_MOTION.some((name) => told[name] !== undefined && told[name] !== false)) return null;
  const result: Scene = {
    ...target.scene,
    characters: target.scene.characters.map((each, n) =>
      n === character ? { ...each, clips: [...clips] } : each,
    ),
  };
  const job = {
    source,
    result: { name: target.name, scene: result },
    options: { ...measuredBy(told), heat: true },
  };
  try {
    const measured = await measureScenes(job);
    const constraints = measured.clips.map(({ name }) => {
      const index = clips.findIndex((clip) => clip.name === name);
      return done[index]?.constraints ?? [];
    });
    return await measureCard(job, measured, constraints);
  } catch (error) {
    if (error instanceof UsageError || error instanceof RetargetError || error instanceof Failure)
      return null;
    throw error;
  }
}

/** What of the options says which map, references and space a result is measured by. */
function measuredBy(told: RetargetOptions): NonNullable<Parameters<typeof measureScenes>[0]['options']> {
  const names = ['sourceFamily', 'map', 'alignment', 'sourceSkeleton', 'targetSkeleton'] as const;
  const spaces = ['Reference', 'Up', 'Facing', 'Unit', 'Floor'] as const;
  const all = [
    ...names,
    ...(['source', 'target'] as const).flatMap((side) => spaces.map((space) => `${side}${space}` as const)),
  ];
  return Object.fromEntries(all.flatMap((name) => (told[name] === undefined ? [] : [[name, told[name]]])));
}
