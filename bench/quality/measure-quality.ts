import {
  type Clip,
  type CoverageMeasure,
  clipOfMotion,
  compareMotions,
  copyPose,
  createRetargeter,
  findCalibration,
  frameRateOf,
  frameTimes,
  type Mesh,
  type Motion,
  type MotionMeasures,
  measureCoverage,
  measureMotion,
  measureSkin,
  retargetClip,
  type Scene,
  type Setup,
  type SkinMeasure,
  sampleClip,
  setUpScenes,
  trimClip,
  withoutCorrections,
} from '@stuntdouble/core/engine';
import type { MotionKind, QualityMotion } from '../quality-files.js';

/** Ways to move a clip: rotations and root alone, with corrections looking ahead, and pose by pose. */
export const WAYS = ['copied', 'offline', 'live'] as const;

/** One of {@link WAYS}. */
export type Way = (typeof WAYS)[number];

/** The measures of one clip on one body, per way. */
export type QualityRow = {
  motion: string;
  kind: MotionKind;
  clip: string;
  body: string;
  measures: Record<Way, MotionMeasures>;
  /** Whether all of the body's skin comes along offline, and how much of it is driven at all. */
  skin: Pick<SkinMeasure, 'stretch' | 'drift'>;
  coverage: CoverageMeasure | null;
};

/** Moves the clips of one scene that count onto the body of another in every way, and measures the results. */
export function measureQuality(
  source: Scene,
  target: Scene,
  { file, kind, clips, range }: QualityMotion,
  body: string,
  meshes: readonly Mesh[] = [],
): QualityRow[] {
  const { setup, sourceIndex, targetIndex } = setUpScenes(source, target, { corrections: 'auto' });
  const own = meshes.filter(({ character }) => character === targetIndex);
  const coverage = measureCoverage(setup);
  return source.characters[sourceIndex]!.clips.filter(({ name }) => clips?.test(name) ?? true).map(
    (original) => {
      const clip = movedPart(setup, original, range);
      const moved = Object.fromEntries(WAYS.map((way) => [way, move(setup, clip, way)])) as Record<Way, Clip>;
      const measures = Object.fromEntries(
        WAYS.map((way) => [way, measureMotion(compareMotions(setup, clip, moved[way]))]),
      ) as Record<Way, MotionMeasures>;
      const { stretch, drift } = measureSkin(setup, moved.offline, own);
      return { motion: file, kind, clip: clip.name, body, measures, skin: { stretch, drift }, coverage };
    },
  );
}

/** What of a clip is moved and measured: from some seconds to some, and as always without a pose for calibration. */
export function movedPart(
  { source }: Setup,
  clip: Clip,
  [from, to]: readonly [number, number] = [0, Number.POSITIVE_INFINITY],
): Clip {
  const begins = Math.max(from, findCalibration(source, clip));
  return begins > 0 || to < clip.duration ? trimClip(clip, begins, Math.min(to, clip.duration)) : clip;
}

function move(setup: Setup, clip: Clip, way: Way): Clip {
  if (way === 'live') return playLive(setup, clip);
  // The map as told: a body's own clips go through the passes too.
  return retargetClip(way === 'copied' ? withoutCorrections(setup) : setup, clip, { mapIsTold: true }).clip;
}

/** Plays a clip pose by pose at its own rate, 60 to 120 a second, and records what comes out. */
export function playLive(setup: Setup, clip: Clip): Clip {
  const { skeleton } = setup.target;
  const retargeter = createRetargeter(setup);
  const frameRate = Math.max(60, Math.min(120, frameRateOf(clip)));
  const times = frameTimes(clip.duration, frameRate);
  const joints = skeleton.names.length;
  const motion: Motion = {
    skeleton,
    frameRate,
    frameCount: times.length,
    translations: new Float32Array(3 * joints * times.length),
    rotations: new Float32Array(4 * joints * times.length),
    scales: new Float32Array(3 * joints * times.length),
  };
  const pose = copyPose(setup.source.skeleton.rest);
  times.forEach((time, k) => {
    sampleClip(pose, clip, time);
    const { translations, rotations, scales } = retargeter.update(pose, 1 / frameRate);
    motion.translations.set(translations, 3 * joints * k);
    motion.rotations.set(rotations, 4 * joints * k);
    motion.scales.set(scales, 3 * joints * k);
  });
  return clipOfMotion(clip.name, motion);
}
