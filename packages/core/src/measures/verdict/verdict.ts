import { isSameData } from '../../base/copy-data.js';
import { directionOf, subtractVectors, type Vec3, vectorAngle, vectorAt } from '../../base/math/vector.js';
import { createMemory, remember } from '../../base/remember.js';
import { isNote, type Warning } from '../../base/warnings.js';
import { REQUIRED_ROLES, type Role } from '../../body/roles.js';
import { isFiniteStore } from '../../clips/edit-clip.js';
import { STAYS_AS_ASKED } from '../../map/leave-out.js';
import type { JointPair } from '../../map/rig-map.js';
import type { Setup } from '../../passes/pass.js';
import type { Clip } from '../../scene/clip.js';
import { isSameSkeleton } from '../../scene/skeleton.js';
import { partOfSkeleton, type SkeletonPart, showPart, standPart } from '../../scene/skeleton-part.js';
import { leftAlone } from '../comparison.js';
import type { CoverageMeasure } from '../measure-coverage.js';
import { type SkinMeasure, TORN } from '../measure-skin.js';
import type { ClipMeasures } from '../report/report.js';
import type { ResultVerdict, VerdictReason } from './result-verdict.js';

/** What a verdict goes by. Measures that were not taken say nothing. */
export type VerdictFacts = {
  setup: Setup;
  /** Clips of the source as they were moved, and what became of them. */
  clips: readonly { source: Clip; result: Clip }[];
  measures: readonly ClipMeasures[];
  coverage: CoverageMeasure | null;
  /** Per clip how far skin comes along, where meshes were at hand. */
  skin?: readonly (SkinMeasure | null)[];
  warnings: readonly Warning<string>[];
};

/** Less of the skin than this is no body. */
const LEAST_DRIVEN = 0.6;
/** A map that is less sure than this on average is to be looked at. */
const LEAST_CONFIDENCE = 0.7;
/** A body that leans further from the source's than this does not stand as it does, in radians. */
const MOST_LEAN = Math.PI / 4;
/** Joints that carry less of the skin than this carry none of it. */
const LEAST_SKIN = 0.01;
/** Slide beyond the source's own that nobody sees: a millimetre a second on a grown body, in % of the hip height. */
const UNSEEN_SLIDE = 0.1;
/** Instants of a clip at which bodies are compared for how they stand. */
const INSTANTS = 8;

/**
 * What measures may be at most for a result to be good: what is asked of the engine over steps, with room for a single
 * clip where that was asked over many.
 */
const LIMITS: readonly {
  code: string;
  says: (value: number) => string;
  beyond: (measures: ClipMeasures) => number | null;
}[] = [
  {
    code: 'slide',
    says: (value) => `feet slide ${value.toFixed(2)} % of the hip height a second while they stand`,
    beyond: ({ motion: { slide } }) =>
      slide && slide.result.mean > Math.max(0.5, slide.source.mean + UNSEEN_SLIDE) ? slide.result.mean : null,
  },
  {
    code: 'sunk',
    says: (value) => `a foot is in the floor in ${value === 1 ? 'one frame' : `${value} frames`}`,
    beyond: ({ motion: { heights } }) => (heights && heights.sunkFrames > 0 ? heights.sunkFrames : null),
  },
  {
    code: 'agreement',
    says: (value) => `feet and hands stand when the source's do in ${Math.round(100 * value)} %`,
    beyond: ({ motion: { agreement } }) => (agreement && agreement.f1 < 0.95 ? agreement.f1 : null),
  },
  {
    code: 'jerk',
    says: (value) => `the result shakes ${value.toFixed(2)} times as much as the plain copy`,
    beyond: ({ motion: { smoothness } }) =>
      (smoothness?.jerkRatio ?? 1) > 1.25 ? smoothness!.jerkRatio : null,
  },
  {
    code: 'knee-pops',
    says: (value) => `a knee snaps ${timesOf(value)}`,
    beyond: ({ motion: { smoothness } }) =>
      smoothness && smoothness.kneePops > 0 ? smoothness.kneePops : null,
  },
  {
    code: 'bend-flips',
    says: (value) => `a knee or elbow turns over ${timesOf(value)}`,
    beyond: ({ motion: { smoothness } }) =>
      smoothness && smoothness.bendFlips > 0 ? smoothness.bendFlips : null,
  },
  {
    code: 'loop-seam',
    says: (value) => `the seam of the loop is ${value.toFixed(2)}°`,
    beyond: ({ motion: { loopSeam } }) =>
      loopSeam && loopSeam.result > 0.05 + Math.max(loopSeam.source, 0.1) ? loopSeam.result : null,
  },
];

/** How often something happens, in words. */
function timesOf(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}

/** Judges a result by what is known of it; see docs/measures.md for the table. */
export function judgeResult(facts: VerdictFacts): ResultVerdict {
  const reasons = [
    ...judgeMap(facts),
    ...judgeSkin(facts),
    ...facts.clips.flatMap((clip) => judgeClip(facts.setup, clip)),
    ...facts.measures.flatMap(judgeMeasures),
    ...facts.warnings.flatMap(judgeWarning),
  ];
  return verdictOf(reasons);
}

/** The verdict on a result of which nothing but warnings is known. */
export function judgeWarnings(warnings: readonly Warning<string>[]): ResultVerdict {
  return verdictOf(warnings.flatMap(judgeWarning));
}

/** The verdict that reasons come to, the worst of them first. */
export function verdictOf(reasons: readonly VerdictReason[]): ResultVerdict {
  const broken = reasons.filter(({ verdict }) => verdict === 'broken');
  const look = reasons.filter(({ verdict }) => verdict === 'look');
  return {
    verdict: broken.length > 0 ? 'broken' : look.length > 0 ? 'look' : 'good',
    reasons: [...broken, ...look],
  };
}

/** The verdict on one clip of several. */
export function verdictOfClip({ reasons }: ResultVerdict, name: string): ResultVerdict {
  return verdictOf(reasons.filter(({ clip }) => clip === undefined || clip === name));
}

function judgeMap({ setup, clips, coverage }: VerdictFacts): VerdictReason[] {
  const tracked = new Uint8Array(setup.source.skeleton.names.length);
  for (const { source } of clips) for (const { joint } of source.tracks) tracked[joint] = 1;
  // Reports are their readers' own: what is remembered is copied.
  const reasons = remember(knownLosses, setup, tracked, lossesOf).map((reason) => ({ ...reason }));
  if (coverage && coverage.confidence < LEAST_CONFIDENCE)
    reasons.push({
      verdict: 'look',
      code: 'map-unsure',
      message: `the map is ${Math.round(100 * coverage.confidence)} % sure on average`,
    });
  return reasons;
}

/** By setup, and the joints that clips have tracks for. */
const knownLosses = createMemory<Uint8Array, VerdictReason[]>(isSameData);

/** What of the clips' joints moves nothing on the target though it should. */
function lossesOf(tracked: Uint8Array, setup: Setup): VerdictReason[] {
  const reasons: VerdictReason[] = [];
  const driven = new Set(setup.map.joints.flatMap(({ role }) => role ?? []));
  const asked = new Set(
    setup.map.unmapped.target.flatMap(({ joint, reason }) => (reason === STAYS_AS_ASKED ? [joint] : [])),
  );
  const lost = REQUIRED_ROLES.filter((role) => {
    const [from, to] = [setup.source.joints[role], setup.target.joints[role]];
    if (from === undefined || !tracked[from] || driven.has(role)) return false;
    // What a person told to stay, or to follow goals alone, is as it should be.
    return to === undefined || !asked.has(to);
  });
  // A body whose limbs end before their hands or feet do, as toys and robots are built, is whole all the same.
  const short = lost.filter((role) => /Hand|Foot/.test(role) && setup.target.joints[role] === undefined);
  const left = lost.filter((role) => !short.includes(role));
  // A body of another kind, which has next to none of them, is mapped by its chains.
  if (driven.size > 0 && left.length > 0)
    reasons.push({
      verdict: 'broken',
      code: 'role-undriven',
      message: `the source moves ${left.join(', ')}, and nothing on the target follows`,
    });
  else if (driven.size > 0 && short.length > 0)
    reasons.push({
      verdict: 'look',
      code: 'role-undriven',
      message: `the source moves ${short.join(', ')}, and the target has no joint for that`,
    });
  const gap = findGap(driven);
  if (gap)
    reasons.push({
      verdict: 'look',
      code: 'limb-gap',
      message: `${gap.below} is driven and ${gap.above} above it is not`,
    });
  return reasons;
}

/** A part of a limb that is driven below one that is not. */
function findGap(driven: ReadonlySet<Role>): { below: Role; above: Role } | null {
  for (const side of ['left', 'right'] as const)
    for (const [upper, lower, end] of [
      ['UpperArm', 'LowerArm', 'Hand'],
      ['UpperLeg', 'LowerLeg', 'Foot'],
    ] as const) {
      const [a, b, c] = [`${side}${upper}`, `${side}${lower}`, `${side}${end}`] as [Role, Role, Role];
      if ((driven.has(b) || driven.has(c)) && !driven.has(a))
        return { below: driven.has(b) ? b : c, above: a };
      if (driven.has(c) && !driven.has(b)) return { below: c, above: b };
    }
  return null;
}

function judgeSkin({ setup, coverage, skin = [] }: VerdictFacts): VerdictReason[] {
  const reasons: VerdictReason[] = [];
  const { bonds, names } = setup.target.skeleton;
  if (bonds) {
    const all = bonds.weights.reduce((sum, weight) => sum + weight, 0);
    const carrying = names.filter((_, joint) => bonds.weights[joint]! > LEAST_SKIN * all);
    if (all > 0 && carrying.length <= 2)
      reasons.push({
        verdict: 'broken',
        code: 'not-skinned',
        message: `all of the skin hangs on ${carrying.map((name) => `"${name}"`).join(' and ')}: it is not skinned yet`,
      });
  }
  if (coverage?.driven !== null && coverage !== null && coverage.driven < LEAST_DRIVEN)
    reasons.push({
      verdict: 'broken',
      code: 'skin-undriven',
      message: `${Math.round(100 * coverage.driven)} % of the skin is driven; left are ${coverage.left.map((name) => `"${name}"`).join(', ')}`,
    });
  return [...reasons, ...judgeTornSkin(skin)];
}

/** What skin that stays behind comes to: the place where measures of meshes come in, which core itself does not read. */
export function judgeTornSkin(skin: readonly (SkinMeasure | null)[]): VerdictReason[] {
  const reasons: VerdictReason[] = [];
  for (const each of skin)
    if (each && each.stretch !== null && each.stretch > TORN) {
      reasons.push({
        verdict: 'broken',
        code: 'skin-torn',
        message: `skin is stretched to ${each.stretch.toFixed(1)} times its length where ${each.torn.map((name) => `"${name}"`).join(', ')} stay behind`,
      });
      break;
    }
  return reasons;
}

function judgeClip(setup: Setup, { source, result }: VerdictFacts['clips'][number]): VerdictReason[] {
  const { name } = result;
  // Tracks mostly share their times.
  const stores = new Set(result.tracks.flatMap(({ values, times }) => [values, times]));
  const isSound = [...stores].every(isFiniteStore);
  if (!isSound)
    return [
      {
        verdict: 'broken',
        code: 'not-finite',
        clip: name,
        message: 'the result holds numbers that are none',
      },
    ];
  const lean = leanOf(setup, source, result);
  if (lean === null) return [];
  return [
    {
      verdict: 'broken',
      code: 'up-differs',
      clip: name,
      message: `the body stands ${Math.round((lean * 180) / Math.PI)}° off the source's`,
    },
  ];
}

/** What of two bodies shows how they lean: from the hips to the highest part of the trunk that both have. */
type LeanPair = { source: LeanLine; target: LeanLine; pairs: JointPair[] };

/** The trunk of one body: the joints that show it, and the places of its two ends among them. */
type LeanLine = { part: SkeletonPart; hips: number; top: number };

const knownLeans = createMemory<null, LeanPair | null>();

function leanPairOf(_: null, { source, target, map }: Setup): LeanPair | null {
  const top: Role | undefined = (['head', 'neck', 'upperChest', 'chest', 'spine'] as const).find(
    (role) => source.joints[role] !== undefined && target.joints[role] !== undefined,
  );
  if (!top) return null;
  const [from, to] = [source, target].map(({ skeleton, joints }): LeanLine | null => {
    const { hips, [top]: end } = joints;
    if (hips === undefined || end === undefined) return null;
    const part = partOfSkeleton(skeleton, [hips, end]);
    return { part, hips: part.places[hips]!, top: part.places[end]! };
  });
  if (!from || !to) return null;
  return { source: from, target: to, pairs: map.joints.filter((pair) => to.part.places[pair.target]! >= 0) };
}

/**
 * How far a result leans from the source, from the hips to the head, in radians: the middle of some instants. Null where
 * that is no further than it may be; so many that stand as they should need no others looked at.
 */
function leanOf(setup: Setup, sourceClip: Clip, resultClip: Clip): number | null {
  const lines = remember(knownLeans, setup, null, leanPairOf);
  if (!lines) return null;
  const { source, target, pairs } = lines;
  const { skeleton } = setup.target;
  standPart(source.part, setup.source.skeleton.rest, source.part.all);
  standPart(target.part, skeleton.rest, target.part.all);
  if (!isSameSkeleton(setup.source.skeleton, skeleton)) {
    const left = leftAlone(setup, sourceClip, resultClip, pairs);
    const places = left.map((joint) => target.part.places[joint]!);
    standPart(target.part, setup.alignment.pose, places);
  }
  const before = trunkIn(source, sourceClip);
  const after = trunkIn(target, resultClip);
  const leans: number[] = [];
  let upright = 0;
  for (let k = 0; k < INSTANTS; k++) {
    const part = k / (INSTANTS - 1);
    const a = before(part * sourceClip.duration);
    const b = after(part * resultClip.duration);
    if (!a || !b) continue;
    leans.push(vectorAngle(a, b));
    if (leans.at(-1)! <= MOST_LEAN && ++upright > INSTANTS / 2) return null;
  }
  const middle = leans.sort((a, b) => a - b)[leans.length >> 1] ?? 0;
  return middle > MOST_LEAN ? middle : null;
}

/** Where the trunk points at an instant of a clip, from the hips to its top. */
function trunkIn({ part, hips, top }: LeanLine, clip: Clip): (time: number) => Vec3 | null {
  const show = showPart(part, clip);
  return (time) => {
    const { matrices } = show(time);
    return directionOf(
      subtractVectors(vectorAt(matrices, 16 * top + 12), vectorAt(matrices, 16 * hips + 12)),
    );
  };
}

function judgeMeasures(measures: ClipMeasures): VerdictReason[] {
  return LIMITS.flatMap(({ code, says, beyond }) => {
    const value = beyond(measures);
    return value === null
      ? []
      : [{ verdict: 'look' as const, code, clip: measures.name, message: says(value) }];
  });
}

function judgeWarning(warning: Warning<string>): VerdictReason[] {
  if (isNote(warning)) return [];
  // A capture that never stands is understood by guess.
  const verdict = warning.code === 'reference-odd' ? 'broken' : 'look';
  return [{ verdict, code: warning.code, message: warning.message }];
}
