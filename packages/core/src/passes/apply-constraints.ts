import { didWork } from '../base/watch-work.js';
import { checkConstraints } from '../edits/constraints/check-constraints.js';
import { compileConstraints } from '../edits/constraints/compile-constraints.js';
import type { ConstraintData } from '../edits/constraints/compiled-constraint.js';
import { type ConstraintReport, createConstraintReport } from '../edits/constraints/constraint-report.js';
import { createConstraintStep } from '../edits/constraints/constraint-step.js';
import type { ConstraintCourse, CourseWatch } from '../edits/constraints/course/constraint-course.js';
import { resolveWeights } from '../edits/constraints/joint-weights.js';
import { COURSE_RATE, snapTimes } from '../edits/constraints/snap-times.js';
import { type ClipWork, createClipWork } from '../edits/constraints/solve/clip-work.js';
import type { EditWarning } from '../edits/edit-warnings.js';
import type { EditedBody } from '../edits/edited-body.js';
import { constraintsOfPart, weightsOfPart } from '../edits/edits-of-part.js';
import { isPlannable } from '../goals/plan/plan-goals.js';
import type { Constraint } from '../options/constraint.js';
import type { JointWeights } from '../options/limb-rules.js';
import { frameRateOf } from '../scene/clip.js';
import { forwardJoints, withAncestors } from '../scene/forward-joints.js';
import { copyPose, createModelPose, type Pose } from '../scene/pose.js';
import { prepareFollowing } from './follow-skin.js';
import { placeGoals } from './goals/place-goals.js';
import { limitJoints } from './limit-joints.js';
import { createDetachedKeeper } from './parts/detached-joints.js';
import { createFrameKeeper, editedBodyOf, editedPartOf, standsOf } from './parts/edited-target.js';
import { createLiveStands, liveStandsOf } from './parts/live-stands.js';
import {
  createOutsideReader,
  missingOutside,
  type OutsideView,
  outsideViewOf,
} from './parts/outside-places.js';
import {
  type ClipView,
  compiledOf,
  definePass,
  type Frame,
  foundOf,
  type Run,
  type Setup,
  type Step,
} from './pass.js';

/** Constraints for two rigs. */
export type ConstraintSetup = {
  body: EditedBody;
  constraints: readonly Constraint[];
  hold: 'contacts' | 'none';
  weights: JointWeights;
  outside: OutsideView;
  /** Compiled for all clips and without an end, as live use has them. */
  live: ConstraintData;
};

/** The constraints of one clip. */
export type ConstraintRun = {
  /** The clip's name. */
  clip: string;
  data: ConstraintData;
  /** The poses that must be shown before the first frame, and where the things outside were. */
  shown: { time: number; pose: Pose; places: Float64Array }[];
  /** What all loops that are built for the clip may take together. */
  work: ClipWork;
  /** What every loop that was built for the clip says of its frames; see {@link constraintResults}. */
  reports: { frames: number; report: ConstraintReport }[];
  /** What the first loop saw of its frames; whether it was looked back at them; and what was found, null for nothing. */
  watch: CourseWatch | null;
  isSeen: boolean;
  course: ConstraintCourse | null;
};

/** Products of a solve that take as long as one joint in one frame, by which work is counted. */
const PRODUCTS_A_JOINT = 200;
/** Frames a second that frames of a live motion are counted by. */
const LIVE_RATE = 60;

/**
 * Changes poses so that constraints hold while they count, as little as possible: see `createConstraintStep`. It comes
 * after all corrections, so that what it stays near is the finished pose, and looks at each frame for itself: only
 * what stands, and where a joint was when it was locked, is found by looking at the whole clip. Live what stands is what
 * touches the ground by now, and a lock takes the place that its joint has when its time comes.
 */
export const applyConstraints = definePass<'applyConstraints', ConstraintSetup, ConstraintRun>({
  name: 'applyConstraints',
  summary: 'changes the finished pose as little as possible so that constraints hold while they count',
  options: ['constraints', 'hold', 'jointWeights', 'goalPlaces'],
  compile(context) {
    const { options, pair } = context;
    if (options.constraints === undefined) return null;
    const constraints = checkConstraints(options.constraints);
    if (!constraints.some(({ muted }) => !muted)) return null;
    const limits = compiledOf(context, limitJoints);
    const body = { ...editedBodyOf(context), ...(limits && { limits }) };
    const outside = outsideViewOf(pair, options.root, options.goalPlaces ?? null);
    const weights = options.jointWeights ?? {};
    const ignored: EditWarning[] = [];
    const weighed = { ...body, weights: resolveWeights(body, weights, ignored) };
    const live = compileConstraints(weighed, constraints.map(givingWay), {
      duration: Number.POSITIVE_INFINITY,
      frameRate: LIVE_RATE,
      hold: options.hold ?? 'contacts',
      stands: liveStandsOf(compiledOf(context, placeGoals)),
      missing: (goal) => missingOutside(outside, goal),
    });
    // Where a clip ends is told with the clip.
    for (const warning of [...ignored, ...live.warnings])
      if (warning.code === 'constraint-ignored') context.warn(warning);
    return { body, constraints, hold: options.hold ?? 'contacts', weights, outside, live };
  },
  isAskedFor: true,
  needsFrames: () => 'constraints are met frame by frame',
  writes(setup, { plan, found }) {
    const data = plan === null ? setup.live : found?.data;
    if (!data || data.constraints.length === 0) return {};
    const { joints, hips } = data.plan;
    const beside = (setup.body.detached ?? []).filter(({ turns }) => turns).map(({ joint }) => joint);
    return {
      turnsOn: [...new Set([...joints, ...beside])],
      movesOn: [...(hips >= 0 ? [joints[hips]!] : []), ...beside],
    };
  },
  plan: planConstraints,
  lookBack,
  prepare(constraints, run) {
    const data = run.plan === null ? constraints.live : run.found?.data;
    if (!data || data.constraints.length === 0) return () => {};
    return prepareConstraints(constraints, data, run);
  },
});

/** A ramp as the paper has it must know the pose in which it ends, which nobody does live. */
function givingWay(constraint: Constraint): Constraint {
  return constraint.ramp === 'paper' ? { ...constraint, ramp: 'give' } : constraint;
}

function planConstraints(setup: ConstraintSetup, view: ClipView): ConstraintRun | null {
  const { clip, part, passes, contacts, plan } = view;
  if (!passes.includes('applyConstraints')) return null;
  const edited = editedPartOf(clip, part);
  const warnings: EditWarning[] = [];
  const stands = standsOf(setup.body, foundOf(plan, placeGoals)?.contacts ?? contacts);
  const frameRate = frameRateOf(clip);
  const list = snapTimes(
    constraintsOfPart(setup.constraints, edited),
    { body: setup.body, frameRate, stands, coursesOf: (joints) => coursesOf(view, joints) },
    warnings,
  );
  const weights = resolveWeights(setup.body, weightsOfPart(setup.weights, edited), []);
  const data = compileConstraints({ ...setup.body, weights }, list, {
    duration: clip.duration,
    frameRate,
    clip: clip.name,
    stands,
    hold: setup.hold,
    missing: (goal) => missingOutside(setup.outside, goal),
  });
  data.warnings.push(...warnings);
  if (data.constraints.length === 0 && data.warnings.length === 0) return null;
  const shown: ConstraintRun['shown'] = [];
  const read = createOutsideReader(setup.outside, data.outside, clip.name);
  const follow = followBeside(view.setup);
  view.playAt(data.looks, (frame) => {
    follow(frame);
    const places = new Float64Array(3 * data.outside.length);
    read(places, frame);
    shown.push({ time: frame.time, pose: copyPose(frame.target), places });
  });
  const keys = clip.tracks.reduce((most, { times }) => Math.max(most, times.length), 0);
  const work = createClipWork(keys, clip.duration);
  return { clip: clip.name, data, shown, work, reports: [], watch: null, isSeen: false, course: null };
}

/**
 * Every frame was solved for itself. Where the motion jumps for that, because the answer of one frame is another than
 * that of the next, all are baked once more, by the course that was found; with as much work as the first time, so that
 * frames that keep their answer keep every bit of it. A clip that has used up its work is left as it is.
 */
function lookBack(run: ConstraintRun): boolean {
  const { watch, work } = run;
  run.watch = null;
  const course = !run.isSeen && watch && work.left > 0 ? watch.finish() : null;
  run.isSeen = course === null;
  if (!course) return false;
  run.course = course;
  run.reports.length = 0;
  work.left = work.all;
  return true;
}

/** Where joints of the target are, 60 times a second, before constraints. */
function coursesOf({ setup, clip, play }: ClipView, joints: readonly number[]): Float64Array[] {
  const { skeleton } = setup.target;
  // Of a clip that is too long to be looked at the first instant must do: no event is found in it.
  const count = isPlannable(clip) ? Math.floor(clip.duration * COURSE_RATE) + 1 : 1;
  const courses = joints.map(() => new Float64Array(3 * count));
  const path = withAncestors(skeleton, joints);
  const model = createModelPose(skeleton.names.length);
  const follow = followBeside(setup);
  play(count, (frame, k) => {
    follow(frame);
    forwardJoints(model, skeleton, frame.target, path);
    joints.forEach((joint, n) => {
      for (let c = 0; c < 3; c++) courses[n]![3 * k + c] = model.matrices[16 * joint + 12 + c]!;
    });
  });
  return courses;
}

/** Puts paws on handles and the like where `followSkin` will have them: what is asked of them counts from there. */
function followBeside({ target, alignment }: Setup): Step {
  const beside = alignment.followers.filter(({ above }) => !above);
  return beside.length > 0 ? prepareFollowing(target.skeleton, beside) : () => {};
}

function prepareConstraints(
  { outside, body }: ConstraintSetup,
  data: ConstraintData,
  { setup, found, place }: Run<ConstraintRun>,
): Step {
  let step = createConstraintStep(data, found?.work, found?.course);
  for (const { time, pose, places } of found?.shown ?? []) step.look(pose, time, places);
  if (found && !found.isSeen) found.watch = step.watch();
  const log = { frames: 0, report: createConstraintReport(data, step) };
  found?.reports.push(log);
  const read = createOutsideReader(outside, data.outside, found?.clip ?? '');
  const places = new Float64Array(3 * data.outside.length);
  const stands = found ? null : createLiveStands(compiledOf(setup, placeGoals), data);
  const detached = body.detached ?? [];
  const keeper = createFrameKeeper(setup, [...data.plan.joints, ...detached.map(({ joint }) => joint)]);
  const follow = followBeside(setup);
  const held = createDetachedKeeper(setup.target.skeleton, detached);
  let next = found ? data.looks.length : 0;
  const run = (frame: Frame) => {
    follow(frame);
    keeper.note(frame);
    held.note(frame);
    if (places.length > 0) read(places, frame);
    while (next < data.looks.length && frame.time >= data.looks[next]! - 1e-6)
      step.look(frame.target, data.looks[next++]!, places);
    step(frame.target, frame.time, places, stands?.read(frame));
    didWork(step.work() / PRODUCTS_A_JOINT);
    held.refresh(frame);
    keeper.refresh(frame);
    place?.(frame);
    if (!found) return;
    log.frames++;
    log.report.note(frame.time);
  };
  if (found) return run;
  return Object.assign(run, {
    reset() {
      step = createConstraintStep(data);
      next = 0;
      stands?.reset();
    },
  });
}

/** How the constraints of a clip came out, by the loop that saw most of its frames: the one that was baked. */
export function constraintResults(run: ConstraintRun | null): ReturnType<ConstraintReport['finish']> | null {
  if (!run) return null;
  const baked = run.reports.reduce<ConstraintRun['reports'][number] | null>(
    (most, log) => (most && most.frames >= log.frames ? most : log),
    null,
  );
  const { results, warnings } = baked?.report.finish() ?? { results: [], warnings: [] };
  // A file of many clips says of which.
  const told = warnings.map((each) => ({ ...each, message: `"${run.clip}": ${each.message}` }));
  return { results, warnings: [...run.data.warnings, ...told] };
}
