import type { AlignedPair } from '../align/aligned-pair.js';
import { createMemory, remember } from '../base/remember.js';

type CoveredPair = Pick<AlignedPair, 'target' | 'map' | 'travel' | 'alignment'>;

/** How much of a target is reached by a map. */
export type CoverageMeasure = {
  /** The share of the skin, by vertex weight, that hangs on joints which are driven or go along with one that is; 0 to 1. */
  driven: number | null;
  /** How sure the map is: the mean confidence of its pairs, 0 to 1. */
  confidence: number;
  /** The names of joints that carry skin which nothing moves, those with most of it first; at most eight. */
  left: string[];
};

/** By alignment. */
const known = createMemory<Omit<CoveredPair, 'alignment'>, CoverageMeasure>();

/**
 * Measures which share of the target's skin comes along: by joints that are driven, that hang on one, or that follow
 * one since their skin is bound to it. Null where nothing is mapped.
 */
export function measureCoverage(pair: CoveredPair): CoverageMeasure | null {
  if (pair.map.joints.length === 0) return null;
  const { target, map, travel, alignment } = pair;
  const { left, ...rest } = remember(known, alignment, { target, map, travel }, () => coverageOf(pair));
  return { ...rest, left: [...left] };
}

function coverageOf({ target, map, travel, alignment }: CoveredPair): CoverageMeasure {
  const { names, parents, bonds } = target.skeleton;
  const moved = new Set(map.joints.map((pair) => pair.target));
  if (travel) moved.add(travel.target);
  for (const { joint } of [...alignment.placed, ...alignment.followers]) moved.add(joint);
  const confidence = map.joints.reduce((sum, pair) => sum + pair.confidence, 0) / map.joints.length;
  if (!bonds) return { driven: null, confidence, left: [] };
  // Parents stand before their children.
  const goes = new Uint8Array(names.length);
  const left: { joint: number; weight: number }[] = [];
  let all = 0;
  let driven = 0;
  for (let joint = 0; joint < names.length; joint++) {
    const parent = parents[joint]!;
    goes[joint] = moved.has(joint) || (parent >= 0 && goes[parent]) ? 1 : 0;
    const weight = bonds.weights[joint]!;
    all += weight;
    if (goes[joint]) driven += weight;
    else if (weight > 0) left.push({ joint, weight });
  }
  left.sort((a, b) => b.weight - a.weight);
  return {
    driven: all > 0 ? driven / all : null,
    confidence,
    left: left.slice(0, 8).map(({ joint }) => names[joint]!),
  };
}
