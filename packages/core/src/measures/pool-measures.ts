import { f1Of } from './measure-agreement.js';
import type { MotionMeasures } from './measure-motion.js';
import { type PartSupport, SUPPORT_PARTS, type SupportMeasure } from './measure-support.js';
import type { Summary } from './summary.js';

/** The figures of several clips as one; each null where no clip has it. */
export type PooledMeasures = {
  /** Mean slide in %/s over all instants of contact, of results and of sources; the worst 99th percentile. */
  slide: { mean: number; p99: number; source: number } | null;
  /** Mean float and sink during contacts, in % of the hip height. */
  float: number | null;
  sink: number | null;
  /** The share of instants with a sunk foot, in %. */
  sunk: number | null;
  /** F1 of all contacts together. */
  agreement: number | null;
  /** What carries, part by part and all together, and how many instants have something on the floor, and nothing. */
  support: SupportMeasure | null;
  /** In % of the arm's length: results, and plain copies. */
  selfContact: { mean: number; copied: number | null } | null;
  /** Arms that nothing is a reason to turn: degrees off the source's, and the share of clips' instants that this is. */
  armsAlone: { mean: number; worst: number; share: number } | null;
  /** Mean and worst change of distance of hands that carry, and how far the worst stretch is from scale × source: %. */
  carriedHands: { mean: number; worst: number; scaled: number } | null;
  /** Mean depth of the deepest joint, and of the deepest skin, beyond the source's own, in % of the hip height. */
  ground: number | null;
  groundSkin: number | null;
  /** The middle of the clips' jerk ratios. */
  jerkRatio: number | null;
  kneePops: number;
  /** Pops of all joints. */
  pops: number;
  bendFlips: number;
};

/** Pools the measures of several clips: by their counts, so that a long clip counts for more than a short one. */
export function poolMeasures(clips: readonly MotionMeasures[]): PooledMeasures {
  const counts = { sourceFrames: 0, sourceMatched: 0, resultFrames: 0, resultMatched: 0 };
  let agreed = false;
  for (const { agreement } of clips) {
    if (!agreement) continue;
    agreed = true;
    counts.sourceFrames += agreement.sourceFrames;
    counts.sourceMatched += agreement.sourceMatched;
    counts.resultFrames += agreement.resultFrames;
    counts.resultMatched += agreement.resultMatched;
  }
  const slides = clips.flatMap(({ slide }) => (slide ? [slide] : []));
  const heights = clips.flatMap((clip) => (clip.heights ? [clip.heights] : []));
  const touches = clips.flatMap(({ selfContact }) => (selfContact ? [selfContact] : []));
  const ratios = clips.flatMap(({ smoothness }) => smoothness?.jerkRatio ?? []).sort((a, b) => a - b);
  const slide = pooledMean(slides.map(({ result }) => result));
  const selfContact = pooledMean(touches.map(({ result }) => result));
  const frames = heights.reduce((sum, each) => sum + each.frames, 0);
  const sum = (of: (clip: MotionMeasures) => number | undefined) =>
    clips.reduce((total, clip) => total + (of(clip) ?? 0), 0);
  return {
    slide:
      slide === null
        ? null
        : {
            mean: slide,
            p99: Math.max(...slides.map(({ result }) => result.p99)),
            source: pooledMean(slides.map(({ source }) => source))!,
          },
    float: pooledMean(heights.map(({ float }) => float)),
    sink: pooledMean(heights.map(({ sink }) => sink)),
    sunk: frames === 0 ? null : (100 * heights.reduce((all, each) => all + each.sunkFrames, 0)) / frames,
    agreement: agreed ? f1Of(counts) : null,
    support: poolSupport(clips.flatMap(({ support }) => support ?? [])),
    selfContact:
      selfContact === null
        ? null
        : {
            mean: selfContact,
            copied: pooledMean(touches.flatMap(({ copied }) => (copied ? [copied] : []))),
          },
    armsAlone: poolArms(clips),
    carriedHands: poolCarried(clips),
    ground: pooledMean(clips.flatMap(({ ground }) => (ground ? [ground.deeper.joints] : []))),
    groundSkin: pooledMean(clips.flatMap(({ ground }) => ground?.deeper.skin ?? [])),
    jerkRatio: ratios[ratios.length >> 1] ?? null,
    pops: sum(({ pops }) => pops?.count),
    kneePops: sum(({ smoothness }) => smoothness?.kneePops),
    bendFlips: sum(({ smoothness }) => smoothness?.bendFlips),
  };
}

function poolArms(clips: readonly MotionMeasures[]): PooledMeasures['armsAlone'] {
  const alone = clips.flatMap(({ armsAlone }) => armsAlone ?? []);
  const mean = pooledMean(alone.map(({ result }) => result));
  if (mean === null) return null;
  const share = alone.reduce((sum, each) => sum + each.share, 0) / clips.length;
  return { mean, worst: Math.max(...alone.map(({ result }) => result.worst)), share };
}

function poolCarried(clips: readonly MotionMeasures[]): PooledMeasures['carriedHands'] {
  const carried = clips.flatMap(({ carriedHands }) => carriedHands ?? []);
  const mean = pooledMean(carried.map(({ result }) => result));
  if (mean === null) return null;
  return {
    mean,
    worst: Math.max(...carried.map(({ result }) => result.worst)),
    scaled: Math.max(...carried.map(({ scaled }) => scaled.worst)),
  };
}

function pooledMean(summaries: readonly Summary[]): number | null {
  const count = summaries.reduce((sum, each) => sum + each.count, 0);
  return count === 0 ? null : summaries.reduce((sum, each) => sum + each.mean * each.count, 0) / count;
}

function poolSupport(clips: readonly SupportMeasure[]): SupportMeasure | null {
  if (clips.length === 0) return null;
  const add = (all: readonly PartSupport[]): PartSupport => {
    const sum = (of: keyof PartSupport) => all.reduce((total, each) => total + each[of], 0);
    const counts = {
      sourceFrames: sum('sourceFrames'),
      sourceMatched: sum('sourceMatched'),
      resultFrames: sum('resultFrames'),
      resultMatched: sum('resultMatched'),
    };
    return { f1: f1Of(counts), ...counts };
  };
  const parts: SupportMeasure['parts'] = {};
  for (const part of SUPPORT_PARTS) {
    const own = clips.flatMap((clip) => clip.parts[part] ?? []);
    if (own.length > 0) parts[part] = add(own);
  }
  return {
    f1: add(Object.values(parts)).f1,
    parts,
    carried: clips.reduce((sum, each) => sum + each.carried, 0),
    empty: clips.reduce((sum, each) => sum + each.empty, 0),
  };
}
