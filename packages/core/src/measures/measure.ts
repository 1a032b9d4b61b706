import { rolesOfMap } from '../align/align-references.js';
import { findBendingBones } from '../align/bending-bones.js';
import { UsageError } from '../base/errors.js';
import { TO_DEGREES } from '../base/math/angles.js';
import {
  conjugateQuaternion,
  multiplyQuaternions,
  quaternionAngle,
  twistAbout,
  twistAngle,
} from '../base/math/quaternion.js';
import { directionOf, subtractVectors, type Vec3, vectorAngle, vectorAt } from '../base/math/vector.js';
import { partNotes, type Warning } from '../base/warnings.js';
import { didWork } from '../base/watch-work.js';
import { type BodyPose, betweenRoles, limbBend } from '../body/body.js';
import type { Limb, Role } from '../body/roles.js';
import { finiteClip, trimClip } from '../clips/edit-clip.js';
import { findCalibration } from '../clips/find-calibration.js';
import { turnsOnly } from '../clips/sound-turns.js';
import { CONTACT_RATE } from '../contacts/track-points.js';
import { limbBones } from '../map/limb-bones.js';
import { driverOf, type JointPair } from '../map/rig-map.js';
import { checkRetargetOptions } from '../options/check-options.js';
import type { RetargetOptions } from '../passes/parts/told-options.js';
import type { Setup } from '../passes/pass.js';
import { checkScene } from '../scene/check-scene.js';
import { type Clip, frameRateOf, sampleClip } from '../scene/clip.js';
import { copyPose, createModelPose, localToModel, type ModelPose, type Pose } from '../scene/pose.js';
import type { Mesh, Scene } from '../scene/scene.js';
import type { Skeleton } from '../scene/skeleton.js';
import { setUpKnown } from '../setup/set-up-scenes.js';
import { measurePenetration } from './arms/measure-penetration.js';
import { boneAngle } from './bone-angle.js';
import { type Comparison, compareMotions, type SampledMotion, standingPose } from './comparison.js';
import type { KeptMotions } from './kept-motions.js';
import { type CoverageMeasure, measureCoverage } from './measure-coverage.js';
import { measureMotion } from './measure-motion.js';
import { type MeasureCurves, measureOverTime } from './measure-over-time.js';
import { measureSkin } from './measure-skin.js';
import type { AngleSummary, ClipMeasures } from './report/report.js';
import { summarise } from './summary.js';
import type { ResultVerdict } from './verdict/result-verdict.js';
import { judgeResult } from './verdict/verdict.js';

/** Everything is compared at 60 instants a second, as QUALITY's measures are. */
const SAMPLE_RATE = 60;
/** Twenty seconds at 60 Hz; of longer clips every second, third … instant is taken. */
const MOST_SAMPLES = 1200;

/** What `measure` may be told: how to find the map again, and which clips belong together. */
export type MeasureOptions = Pick<
  RetargetOptions,
  | 'sourceFamily'
  | `${'source' | 'target'}${'Up' | 'Facing' | 'Unit' | 'Floor'}`
  | 'map'
  | 'sourceReference'
  | 'targetReference'
  | 'sourceSkeleton'
  | 'targetSkeleton'
  | 'alignment'
> & {
  /** Pairs of clip names, source and result; by equal names if left out. */
  pairs?: readonly (readonly [string, string])[];
  /** Whether the curves behind the figures are given too; they are not if left out. */
  curves?: boolean;
  /** Whether the curves say where on the body the result is bad, and have its worst moments; not if left out. */
  heat?: boolean;
  /** The meshes of the result, as formats read them: then its skin is measured, too. */
  meshes?: readonly Mesh[];
  /** At how many instants of a clip the skin is looked at; {@link SKIN_INSTANTS} if left out. */
  skinInstants?: number;
};

/**
 * Measures how true a result is to its source: finds the map as `retarget` does, pairs the clips by name (or
 * as told; two lone clips belong together), and compares them.
 */
export function measure(
  source: Scene,
  result: Scene,
  options: MeasureOptions = {},
): {
  clips: ClipMeasures[];
  curves: MeasureCurves[];
  coverage: CoverageMeasure | null;
  verdict: ResultVerdict;
  warnings: Warning[];
} {
  return measureAgain(source, result, options, null);
}

/** {@link measure} for who measures results of one source again and again: the same figures, sooner. */
export function measureAgain(
  source: Scene,
  result: Scene,
  options: MeasureOptions,
  kept: KeptMotions | null,
): ReturnType<typeof measure> {
  checkScene(source, 'source');
  checkScene(result, 'result');
  const { pairs: told, curves: isDrawn, heat: withHeat, meshes = [], skinInstants, ...rest } = options;
  // What was corrected is measured; nothing is corrected here.
  const asked = { ...rest, corrections: 'none' } as const;
  checkRetargetOptions(asked);
  const { setup, sourceIndex, targetIndex, warnings } = setUpKnown(source, result, asked, {
    sharesFamily: true,
  });
  const from = source.characters[sourceIndex]!.clips;
  const to = result.characters[targetIndex]!.clips;
  const pairs = pairClips(from, to, told);
  if (pairs.length === 0)
    throw new UsageError(
      `no clip of "${source.name}" (${listNames(from)}) has its name on one of "${result.name}" (${listNames(to)}); say which belong together`,
    );
  const clips: ClipMeasures[] = [];
  const curves: MeasureCurves[] = [];
  const compared: { source: Clip; result: Clip }[] = [];
  for (const [a, b] of pairs) {
    const from = withoutCalibration(setup, a, b);
    compared.push({ source: from, result: b });
    const measured = compareClips(setup, from, b, false, kept);
    clips.push(measured.measures);
    const over = isDrawn || withHeat ? measureOverTime(measured.comparison, withHeat) : null;
    if (over && from !== a) over.sourceStart = a.duration - from.duration;
    if (over) curves.push(over);
    const own = meshes.filter(({ character }) => character === targetIndex);
    if (own.length === 0) continue;
    const { curves: stretched, ...skin } = measureSkin(setup, b, own, skinInstants);
    measured.measures.skin = skin;
    if (over) over.skin = stretched;
    const arms = measurePenetration(setup, finiteClip(from).clip, finiteClip(b).clip, own, skinInstants);
    measured.measures.penetration = arms?.measure ?? null;
    if (over && arms) over.penetration = arms.curves;
  }
  const coverage = measureCoverage(setup);
  const verdict = judgeResult({
    setup,
    clips: compared,
    measures: clips,
    coverage,
    skin: clips.map(({ skin }) => skin ?? null),
    warnings: partNotes(warnings).warnings,
  });
  return { clips, curves, coverage, verdict, warnings };
}

/** The source's clip from where the result begins, where a pose for calibration was left out of that. */
function withoutCalibration({ source }: Setup, clip: Clip, result: Clip): Clip {
  const left = clip.duration - result.duration;
  if (!(left > 1e-4)) return clip;
  const begins = findCalibration(source, clip);
  return begins > 0 && Math.abs(left - begins) < 0.5 / frameRateOf(clip)
    ? trimClip(clip, begins, clip.duration)
    : clip;
}

function listNames(clips: readonly Clip[]): string {
  return clips.map(({ name }) => `"${name}"`).join(', ') || 'none';
}

function pairClips(
  from: readonly Clip[],
  to: readonly Clip[],
  pairs: MeasureOptions['pairs'],
): [Clip, Clip][] {
  const find = (clips: readonly Clip[], name: string) => {
    const clip = clips.find((candidate) => candidate.name === name);
    if (!clip) throw new UsageError(`there is no clip "${name}"; there are ${listNames(clips)}`);
    return clip;
  };
  if (pairs) return pairs.map(([a, b]) => [find(from, a), find(to, b)]);
  const byName = from.flatMap((clip): [Clip, Clip][] => {
    const match = to.find(({ name }) => name === clip.name);
    return match ? [[clip, match]] : [];
  });
  if (byName.length === 0 && from.length === 1 && to.length === 1) return [[from[0]!, to[0]!]];
  return byName;
}

/** Instants a second that are compared: the frames of a result that has fewer than 60, since lines between are none. */
function sampleRateOf(result: Clip): number {
  const rate = frameRateOf(result);
  return rate > 23 && rate < SAMPLE_RATE ? rate : SAMPLE_RATE;
}

/** Compares a clip of the source with its result on the target, joint by joint over time. */
export function measureClip(setup: Setup, sourceClip: Clip, resultClip: Clip, isWhole = false): ClipMeasures {
  return compareClips(setup, sourceClip, resultClip, isWhole, null).measures;
}

function compareClips(
  setup: Setup,
  sourceKeys: Clip,
  resultKeys: Clip,
  isWhole: boolean,
  kept: KeptMotions | null,
): { measures: ClipMeasures; comparison: Comparison } {
  const sourceClip = turnsOnly(finiteClip(sourceKeys).clip).clip;
  const resultClip = turnsOnly(finiteClip(resultKeys).clip).clip;
  const { source, target, map, alignment, sourceReference } = setup;
  const roles = rolesOfMap(map, source);
  const shorter = Math.min(sourceClip.duration, resultClip.duration);
  const duration = Number.isFinite(shorter) ? Math.max(0, shorter) : 0;
  // On the 60 Hz grid, so that captures at 60 and 120 Hz are compared on their own frames.
  const rate = sampleRateOf(resultClip);
  const instants = Math.floor(duration * rate + 1e-6) + 1;
  const stride = Math.ceil(instants / MOST_SAMPLES);
  const samples = Math.ceil(instants / stride);
  const bones = limbBones(roles.source, roles.target);
  // Where a bone of the source bends, its direction is followed rather than the turn of its joint.
  const bending = new Set(findBendingBones(setup, sourceClip).map((bone) => bone.target));
  // A detached foot or paw goes with the leg that its skin is bound to, as far as its driver lets it.
  const ends = new Set([
    ...alignment.ends.map(({ target: joint }) => joint),
    ...alignment.followers.map(({ joint }) => joint),
  ]);
  const single = map.joints.filter(
    ({ share, target: joint }) => !share && !bending.has(joint) && !ends.has(joint),
  );
  const perLimb = new Map<Limb, number[]>(bones.map(({ limb }) => [limb, []]));
  const lists = bones.map(({ limb }) => perLimb.get(limb)!);
  // Of all bones at all instants, and of the lines of the legs.
  const legs = legLines(setup, roles.source, roles.target);
  const directions = new Float64Array(samples * bones.length + legs.lines.length);
  let directed = 0;
  const drivers = single.map(driverOf);
  const axes = rollAxes(setup, single, bones);
  const rotations = new Float64Array(samples * single.length);
  const twists = new Float64Array(samples * axes.filter((axis) => axis !== null).length);
  let twisted = 0;
  const a = new Float64Array(4);
  const b = new Float64Array(4);

  // On the grid of the comparison, which samples both bodies anyway, where the rate divides its own.
  const step = (stride * CONTACT_RATE) / rate;
  const onGrid = Number.isInteger(step) && !isWhole;
  const comparison = compareMotions(
    setup,
    { ...sourceClip, duration },
    { ...resultClip, duration },
    onGrid ? step : 0,
    kept,
  );
  const times = Float64Array.from({ length: samples }, (_, k) => (k * stride) / rate);
  const isSampled = onGrid && step * (samples - 1) < comparison.count;
  const every = isSampled ? step : 1;
  const from = isSampled
    ? comparison.source
    : sampleTimes(source.skeleton, copyPose(source.skeleton.rest), sourceClip, times);
  const to = isSampled
    ? comparison.result
    : sampleTimes(target.skeleton, standingPose(setup, sourceClip, resultClip, isWhole), resultClip, times);
  const sourceJoints = source.skeleton.names.length;
  const targetJoints = target.skeleton.names.length;

  for (let k = 0; k < samples; k++) {
    didWork(single.length + bones.length);
    for (let n = 0; n < bones.length; n++) {
      const { source: s, target: t } = bones[n]!;
      const i = sourceJoints * every * k;
      const j = targetJoints * every * k;
      const angle = boneAngle(
        from.positions,
        3 * (i + s[0]),
        3 * (i + s[1]),
        to.positions,
        3 * (j + t[0]),
        3 * (j + t[1]),
      );
      if (Number.isNaN(angle)) continue;
      lists[n]!.push(angle);
      directions[directed++] = angle;
    }
    for (let n = 0; n < single.length; n++) {
      const pair = single[n]!;
      const s = drivers[n]!;
      // Turns from the reference, source and result, in model space.
      conjugateQuaternion(a, 0, sourceReference.rotations, 4 * s);
      multiplyQuaternions(a, 0, from.exactRotations, 4 * (sourceJoints * k + s), a, 0);
      conjugateQuaternion(b, 0, alignment.model.rotations, 4 * pair.target);
      multiplyQuaternions(b, 0, to.exactRotations, 4 * (targetJoints * k + pair.target), b, 0);
      rotations[single.length * k + n] = quaternionAngle(a, 0, b, 0);
      const axis = axes[n];
      if (axis) {
        // The difference b⁻¹·a acts on the reference; its twist about the bone is the roll error.
        conjugateQuaternion(b, 0, b, 0);
        multiplyQuaternions(b, 0, b, 0, a, 0);
        twistAbout(b, 0, b, 0, axis, 0);
        twists[twisted++] = Math.abs(twistAngle(b, 0, axis, 0));
      }
    }
  }

  const measures: ClipMeasures = {
    name: resultClip.name,
    direction: summariseDirections(perLimb, directions, directed, legs.lines),
    rotation: summariseAngles(rotations),
    twist: twists.length > 0 ? summariseAngles(twists) : null,
    kneeBend: legs.kneeBend === null ? null : legs.kneeBend * TO_DEGREES,
    samples,
    motion: measureMotion(comparison),
  };
  return { measures, comparison };
}

/**
 * The summary of the directions of bones, all together and limb by limb; of legs their lines.
 * @param all The first `count` are of all bones; behind them is room for the lines.
 */
function summariseDirections(
  perLimb: ReadonlyMap<Limb, readonly number[]>,
  all: Float64Array,
  count: number,
  lines: readonly [Limb, number][],
): ClipMeasures['direction'] {
  const limbs: Partial<Record<Limb, AngleSummary>> = {};
  for (const [limb, list] of perLimb) if (list.length > 0) limbs[limb] = summariseAngles(list);
  for (const [limb, angle] of lines) limbs[limb] = summariseAngles([angle]);
  all.set(
    lines.map(([, angle]) => angle),
    count,
  );
  return { ...summariseAngles(all.subarray(0, count + lines.length)), limbs };
}

/** Per pair of joints the axis that its twist is about: that of a bone that takes over the roll; null for others. */
function rollAxes(
  { alignment: { rolled, model } }: Setup,
  pairs: readonly JointPair[],
  bones: ReturnType<typeof limbBones>,
): (Float64Array | null)[] {
  const rolling = new Set(rolled);
  return pairs.map(({ target: joint }) => {
    const bone = rolling.has(joint) ? bones.find(({ target: [t] }) => t === joint) : undefined;
    const along = bone && directionOf(between(model, bone.target[0], bone.target[1]));
    return along ? Float64Array.from(along) : null;
  });
}

/** The angle between the leg lines of the two references, and how differently the knees bend in them. */
function legLines(
  setup: Setup,
  source: Partial<Record<Role, number>>,
  target: Partial<Record<Role, number>>,
): { lines: [Limb, number][]; kneeBend: number | null } {
  const body = (model: ModelPose, joints: Partial<Record<Role, number>>, count: number): BodyPose => ({
    positions: Array.from({ length: count }, (_, i) => vectorAt(model.matrices, 16 * i + 12)),
    joints,
  });
  const from = body(setup.sourceReference, source, setup.source.skeleton.names.length);
  const to = body(setup.alignment.model, target, setup.target.skeleton.names.length);
  const lines: [Limb, number][] = [];
  let kneeBend: number | null = null;
  for (const side of ['left', 'right'] as const) {
    // A leg that was aligned bone by bone has no common line: its bones are compared instead.
    const knee: Role[] = setup.alignment.limbs[`${side}Leg`]?.mode === 'bones' ? [`${side}LowerLeg`] : [];
    const along: Role[] = [`${side}UpperLeg`, ...knee, `${side}Foot`];
    const angles: number[] = [];
    for (let n = 1; n < along.length; n++) {
      const [a, b] = [from, to].map((pose) =>
        directionOf(betweenRoles(pose, along[n - 1]!, along[n]!) ?? [0, 0, 0]),
      );
      if (a && b) angles.push(vectorAngle(a, b));
    }
    if (angles.length > 0) lines.push([`${side}Leg`, Math.max(...angles)]);
    const bends = [from, to].map((pose) =>
      limbBend(pose, `${side}UpperLeg`, `${side}LowerLeg`, `${side}Foot`),
    );
    if (bends[0] != null && bends[1] != null)
      kneeBend = Math.max(kneeBend ?? 0, Math.abs(bends[0] - bends[1]));
  }
  return { lines, kneeBend };
}

/** Places and turns of a body's joints at some times, one instant behind another. */
function sampleTimes(
  skeleton: Skeleton,
  pose: Pose,
  clip: Clip,
  times: Float64Array,
): Pick<SampledMotion, 'positions' | 'exactRotations'> {
  const joints = skeleton.names.length;
  const positions = new Float64Array(3 * joints * times.length);
  const exactRotations = new Float64Array(4 * joints * times.length);
  const model = createModelPose(joints);
  const hints = new Int32Array(clip.tracks.length);
  for (let k = 0; k < times.length; k++) {
    sampleClip(pose, clip, times[k]!, hints);
    localToModel(model, skeleton, pose);
    for (let j = 0; j < joints; j++)
      for (let c = 0; c < 3; c++) positions[3 * (joints * k + j) + c] = model.matrices[16 * j + 12 + c]!;
    exactRotations.set(model.rotations, 4 * joints * k);
    didWork(joints);
  }
  return { positions, exactRotations };
}

function between(model: ModelPose, from: number, to: number): Vec3 {
  return subtractVectors(vectorAt(model.matrices, 16 * to + 12), vectorAt(model.matrices, 16 * from + 12));
}

/** A summary of angles in degrees; of none it is 0. */
function summariseAngles(angles: readonly number[] | Float64Array): AngleSummary {
  const { mean, p99, worst } = summarise(angles, TO_DEGREES) ?? NO_ANGLES;
  return { mean, p99, worst };
}

const NO_ANGLES: AngleSummary = { mean: 0, p99: 0, worst: 0 };
