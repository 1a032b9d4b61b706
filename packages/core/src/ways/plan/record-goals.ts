import { borrow } from '../../base/lend-room.js';
import { didWork } from '../../base/watch-work.js';
import { lowestOfSurface } from '../../contacts/body-surfaces.js';
import { createArmRecord, recordArms } from '../../goals/arms/arm-record.js';
import type { GoalRecord, Laying, LoopTurn, PlanningGrid } from '../../goals/goal-record.js';
import { type GoalSetup, sourceJointsOf } from '../../goals/goal-setup.js';
import type { Goals } from '../../goals/goals.js';
import { copyAxes, copyFrames } from '../../goals/limb-frames.js';
import { lowestPoint } from '../../goals/parts/skin-points.js';
import { lowestOfTrunk } from '../../goals/parts/trunk.js';
import { placeGoals } from '../../passes/goals/place-goals.js';
import { matchGround } from '../../passes/match-ground.js';
import { type ClipPlan, compiledOf, type Setup, type Step } from '../../passes/pass.js';
import { PASS_NAMES, type PassName } from '../../passes/pipeline.js';
import { prepareSteps } from '../../passes/run-passes.js';
import { type Clip, sampleClip } from '../../scene/clip.js';
import {
  BLOCK,
  type Block,
  createBlock,
  createSampler,
  type Sampler,
  sampleFrames,
  sampleStill,
} from '../frames/sample-frames.js';

/**
 * Copies a clip on the planning grid and records what goals are planned from. Only what goals depend on is read and
 * turned: fingers and faces carry nothing.
 * @param plan What was found in the clip before: bones that bend, joints that move.
 * @param passes Those that run; of them the ones that come before the goals.
 * @param grid The planning grid.
 * @param about How what lies is laid on the floor; the turn that the clip's own times are those of, where it is an unrolled
 *   loop; and whether somebody has told what hands touch, be that near or not.
 */
export function recordGoals(
  setup: Setup,
  plan: ClipPlan,
  clip: Clip,
  passes: readonly PassName[],
  grid: PlanningGrid,
  {
    laying = null,
    turn = null,
    touchesAreTold = false,
  }: { laying?: Laying | null; turn?: LoopTurn | null; touchesAreTold?: boolean } = {},
): GoalRecord {
  const { count, rate } = grid;
  const goals = compiledOf(setup, placeGoals)!;
  const record = createRecord(goals, grid);
  if (goals.arms) record.arms = createArmRecord(goals.arms.source, grid, touchesAreTold);
  const matters = sourceJointsOf(setup, goals);
  const tracks = clip.tracks.filter(({ joint }) => matters.has(joint));
  const times = new Float32Array(count);
  for (let k = 0; k < count; k++) times[k] = k / rate;
  didWork(10 * count);
  const sampler = createSampler(tracks, times);
  didWork(10 * count);
  // Tracks are read at the grid's times as they are, not at the nearest ones of a float32.
  const searched: Clip = { ...clip, tracks: sampler.searched };
  sampler.searched = [];
  const block = createBlock(setup, plan, Math.min(BLOCK, count));
  sampleStill(sampler, block);
  didWork(20 * setup.map.joints.length);
  const steps = stepsToGoals(setup, plan, goals, passes);
  didWork(20 * setup.map.joints.length);
  recordFrames(
    record,
    goals,
    setup.target.skeleton.parents,
    steps,
    { sampler, searched, laying, turn },
    block,
  );
  return record;
}

function createRecord(
  {
    points: { length: points },
    limbs: { length: limbs },
    surfaces: { length: surfaces },
    laid: { length: laid },
  }: GoalSetup,
  { count, rate, pace }: PlanningGrid,
) {
  return {
    count,
    rate,
    pace,
    source: borrow(3 * points * count),
    copied: borrow(3 * points * count),
    places: borrow(3 * limbs * count),
    uppers: borrow(3 * limbs * count),
    middles: borrow(3 * limbs * count),
    shins: borrow(9 * limbs * count),
    thighs: borrow(9 * limbs * count),
    turned: borrow(16 * limbs * count),
    unlaid: null,
    surfaces: borrow(surfaces * count),
    lays: borrow(3 * laid * count),
    ends: borrow(3 * limbs * count),
    arms: null,
    lows: borrow(limbs * count),
    frames: borrow(24 * limbs * count),
    heights: new Float64Array(0),
    treading: new Uint8Array(0),
    ground: [0, 0],
    trunk: borrow(count),
    sourceTrunk: borrow(count),
    lying: borrow(count),
  } satisfies GoalRecord as GoalRecord;
}

/** Everything that comes before the goals, and they; without the joints that these do not hang on. */
function stepsToGoals(setup: Setup, plan: ClipPlan, goals: GoalSetup, passes: readonly PassName[]): Step[] {
  // Ground is matched by any joint, and placed joints are carried by others.
  const isWhole = compiledOf(setup, matchGround) !== null || setup.alignment.placed.length > 0;
  const needed = new Set(goals.targetJoints);
  const others = setup.map.joints.flatMap(({ target }) => (needed.has(target) ? [] : [target]));
  const until = PASS_NAMES.slice(0, PASS_NAMES.indexOf(placeGoals.name) + 1);
  return prepareSteps(
    setup,
    { ...plan, keyed: isWhole ? plan.keyed : new Set(others) },
    until.filter((name) => passes.includes(name) || name === placeGoals.name),
  );
}

/** The loop over all frames; apart from what prepares it, as that of the bake. */
function recordFrames(
  record: GoalRecord,
  goals: GoalSetup,
  parents: ArrayLike<number>,
  steps: readonly Step[],
  {
    sampler,
    searched,
    laying,
    turn,
  }: { sampler: Sampler; searched: Clip; laying: Laying | null; turn: LoopTurn | null },
  block: Block,
): void {
  const { count, rate } = record;
  const hints = new Int32Array(searched.tracks.length);
  for (let from = 0; from < count; from += BLOCK) {
    const some = Math.min(BLOCK, count - from);
    sampleFrames(sampler, block, from, some);
    for (let b = 0; b < some; b++) {
      const frame = block.frames[b]!;
      frame.index = from + b;
      const time = (from + b) / rate;
      sampleClip(frame.source, searched, time, hints);
      frame.time = turn ? timeInTurn(from + b, turn, rate) : time;
      layFrame(frame.goals!, laying, from + b);
      for (let n = 0; n < steps.length; n++) steps[n]!(frame);
      recordFrame(record, goals, parents, frame.goals!, from + b);
    }
    didWork((some * (block.sources.length + block.targets.length)) / (4 * block.frames.length));
  }
}

/** Tells the goals of a frame how its parts are laid on the floor. */
function layFrame({ rests, lays }: Goals, laying: Laying | null, k: number): void {
  rests.fill(0);
  lays.fill(0);
  if (!laying) return;
  const [out, curve] = 'rests' in laying ? [rests, laying.rests] : [lays, laying.lays];
  for (let n = 0; n < out.length; n++) out[n] = curve[out.length * k + n]!;
}

/** The time in a loop of a frame of the unrolled one. */
function timeInTurn(k: number, { lead, duration, speed }: LoopTurn, rate: number): number {
  const time = (k - lead) / rate;
  const isInside = time >= 0 && time <= duration + 1e-6;
  return speed * (isInside ? time : time - duration * Math.floor(time / duration));
}

/** Hip heights over its floor under which it matters how low the source's trunk is. */
const NEAR_FLOOR = 0.4;

/** Hip heights over the floor above which no part of the target is looked at point by point: none rests from there. */
const LOOKED_AT = 0.6;

function recordFrame(
  record: GoalRecord,
  goals: GoalSetup,
  parents: ArrayLike<number>,
  from: Goals,
  k: number,
): void {
  const { limbs } = goals;
  const width = limbs.length;
  const m = from.target.matrices;
  const highest = goals.sourceFloor + NEAR_FLOOR * goals.sourceHipHeight;
  copyInto(record.source, from.raw, k);
  copyInto(record.copied, from.copied, k);
  if (record.arms) recordArms(record.arms, goals.arms!, from.source.matrices, m, k);
  copyInto(record.places, from.places, k);
  copyInto(record.lays, from.lays, k);
  const { source, target } = goals.trunks;
  lowestOfTrunk(record.trunk, k, target.trunk, m);
  lowestOfTrunk(record.sourceTrunk, k, source.trunk, from.source.matrices, highest);
  record.lying[k] = record.trunk[k]!;
  if (record.sourceTrunk[k]! <= highest) {
    lowestOfTrunk(record.lying, k, target.limbs, m);
    record.lying[k] = Math.min(record.trunk[k]!, record.lying[k]!);
  }
  const { surfaces } = goals;
  const low = goals.floor + LOOKED_AT * goals.hipHeight;
  for (let n = 0; n < surfaces.length; n++)
    lowestOfSurface(record.surfaces, surfaces.length * k + n, surfaces[n]!.surface, m, low);
  for (let n = 0; n < width; n++) {
    const limb = limbs[n]!;
    const { upper, middle, end } = limb.target;
    const i = width * k + n;
    copyPlace(record.uppers, 3 * i, m, upper);
    copyPlace(record.middles, 3 * i, m, middle);
    copyPlace(record.ends, 3 * i, m, end);
    if (limb.kind === 'arm') record.lows[i] = lowestPoint(m, end, limb.skin) - m[16 * end + 13]!;
    copyAxes(record.thighs, 9 * i, m, 16 * upper);
    copyAxes(record.shins, 9 * i, m, 16 * middle);
    const { rotations } = from.target;
    copyTurn(record.turned, 16 * i, rotations, parents[upper]!);
    copyTurn(record.turned, 16 * i + 4, rotations, upper);
    copyTurn(record.turned, 16 * i + 8, rotations, middle);
    copyTurn(record.turned, 16 * i + 12, rotations, end);
    copyFrames(record.frames, 24 * i, m, limb);
  }
}

/** Stores the numbers of a frame behind those of the frames before. */
function copyInto(out: Float64Array, numbers: Float64Array, k: number): void {
  const o = numbers.length * k;
  for (let i = 0; i < numbers.length; i++) out[o + i] = numbers[i]!;
}

function copyPlace(out: Float64Array, o: number, matrices: Float64Array, joint: number): void {
  const i = 16 * joint + 12;
  out[o] = matrices[i]!;
  out[o + 1] = matrices[i + 1]!;
  out[o + 2] = matrices[i + 2]!;
}

function copyTurn(out: Float64Array, o: number, rotations: Float64Array, joint: number): void {
  const i = 4 * joint;
  out[o] = rotations[i]!;
  out[o + 1] = rotations[i + 1]!;
  out[o + 2] = rotations[i + 2]!;
  out[o + 3] = rotations[i + 3]!;
}
