import { createGoals } from '../goals/goals.js';
import { copyPose, type Pose, withContainer } from '../scene/pose.js';
import { copyRotations } from './copy-rotations.js';
import { activeGoals } from './goals/place-goals.js';
import { moveRoot } from './move-root.js';
import { preparePlacing } from './parts/carry-joints.js';
import {
  type ClipPlan,
  compiledOf,
  type Frame,
  foundOf,
  type Pass,
  type Run,
  type Setup,
  type Step,
} from './pass.js';
import { PASS_NAMES, PASSES, type PassName } from './pipeline.js';

/** Room for one instant on its way through the passes: source at rest, target in its aligned reference. */
export function createFrame(setup: Setup, plan: ClipPlan | null): Frame {
  const goals = activeGoals({ setup, plan });
  return {
    index: 0,
    source: copyPose(setup.source.skeleton.rest),
    sourceModelRotations: withContainer(setup.source.skeleton, setup.sourceReference.rotations),
    target: copyPose(setup.alignment.pose),
    targetModelRotations: withContainer(setup.target.skeleton, setup.alignment.model.rotations),
    travel: new Float64Array(3),
    rootMotion: new Float64Array(3),
    time: 0,
    seconds: 0,
    goals:
      goals && createGoals(goals, setup.source.skeleton.names.length, setup.target.skeleton.names.length),
  };
}

/** The loops of the passes that have anything to do: one that takes no frame has not. */
export function prepareSteps(setup: Setup, plan: ClipPlan | null, passes: readonly PassName[]): Step[] {
  const runs = runsOf(setup, plan, passes);
  const steps = PASSES.filter(({ name }) => passes.includes(name))
    .flatMap((pass: Pass) => {
      const data = compiledOf(setup, pass);
      return data === null ? [] : [pass.prepare(data, runs(pass))];
    })
    .filter((step) => step.length > 0);
  const restore = restoreJoints(setup, plan, passes);
  return restore ? [restore, ...steps] : steps;
}

/** What the loop of each pass is built for. */
function runsOf(setup: Setup, plan: ClipPlan | null, passes: readonly PassName[]): (pass: Pass) => Run {
  const moved = movedJoints(setup, plan);
  const { placed } = setup.alignment;
  const place = placed.length > 0 ? preparePlacing(setup, moved) : null;
  // What hangs elsewhere than its body part is placed when the root has moved, and not before that too.
  const isPlacedLater =
    placed.length > 0 && passes.includes('moveRoot') && compiledOf(setup, moveRoot) !== null;
  const root = PASS_NAMES.indexOf(moveRoot.name);
  return (pass) => ({
    setup,
    plan,
    found: foundOf(plan, pass),
    moved,
    place: isPlacedLater && (PASS_NAMES as readonly string[]).indexOf(pass.name) < root ? null : place,
  });
}

/** What all passes that have anything to do write. */
function writesOf(setup: Setup, plan: ClipPlan | null, passes: readonly Pass[]) {
  return passes.flatMap((pass) => {
    const data = compiledOf(setup, pass);
    return data === null ? [] : [{ pass, ...pass.writes(data, { setup, plan, found: foundOf(plan, pass) }) }];
  });
}

/** The joints of the target that some pass may move, turn or scale, whether it runs or not; null where any may be. */
export function movedJoints(setup: Setup, plan: ClipPlan | null): ReadonlySet<number> | null {
  const writes = writesOf(setup, plan, PASSES);
  if (writes.some(({ movesAll }) => movesAll)) return null;
  return new Set(
    writes.flatMap(({ turns = [], turnsOn = [], moves = [], movesOn = [], scales = [] }) => [
      ...turns,
      ...turnsOn,
      ...moves,
      ...movesOn,
      ...scales,
    ]),
  );
}

/** The channels of the target that passes write, each joint once, rising. */
export type WrittenChannels = { turned: Int32Array; moved: Int32Array; scaled: Int32Array };

/** The channels that some passes write; without the turns of joints that are moved key by key. */
export function writtenChannels(
  setup: Setup,
  plan: ClipPlan | null,
  passes: readonly PassName[],
): WrittenChannels {
  const turned = new Set<number>();
  const moved = new Set<number>();
  const scaled = new Set<number>();
  const running = PASSES.filter(({ name }) => passes.includes(name));
  for (const { turns = [], turnsOn = [], moves = [], movesOn = [], scales = [], pass } of writesOf(
    setup,
    plan,
    running,
  )) {
    for (const joint of turns)
      if (!(pass.name === copyRotations.name && plan?.keyed?.has(joint))) turned.add(joint);
    for (const joint of turnsOn) turned.add(joint);
    for (const joint of [...moves, ...movesOn]) moved.add(joint);
    for (const joint of scales) scaled.add(joint);
  }
  const sorted = (joints: Set<number>) => Int32Array.from(joints).sort();
  return { turned: sorted(turned), moved: sorted(moved), scaled: sorted(scaled) };
}

/**
 * A step that puts joints which are turned or moved on from where they stand back into the reference where nothing drives them,
 * so that what one frame was given is not added to in the next; null where there are none.
 */
export function restoreJoints(setup: Setup, plan: ClipPlan | null, passes: readonly PassName[]): Step | null {
  const running = PASSES.filter(({ name }) => passes.includes(name));
  const writes = writesOf(setup, plan, running);
  const driven = new Set(
    writes.flatMap(({ pass, turns = [] }) => (pass.name === copyRotations.name ? turns : [])),
  );
  const joints = Int32Array.from(
    writes.flatMap(({ turnsOn = [] }) => turnsOn.filter((joint) => !driven.has(joint))),
  );
  const placed = new Set(writes.flatMap(({ moves = [] }) => moves));
  const moved = Int32Array.from(
    writes.flatMap(({ movesOn = [] }) => movesOn.filter((joint) => !placed.has(joint))),
  );
  if (joints.length === 0 && moved.length === 0) return null;
  const { pose } = setup.alignment;
  return (frame) => restoreFrame(frame, joints, moved, pose);
}

function restoreFrame({ target }: Frame, joints: Int32Array, moved: Int32Array, reference: Pose): void {
  const { rotations, translations } = reference;
  for (let k = 0; k < moved.length; k++)
    for (let c = 3 * moved[k]!; c < 3 * moved[k]! + 3; c++) target.translations[c] = translations[c]!;
  for (let k = 0; k < joints.length; k++) {
    const i = 4 * joints[k]!;
    for (let c = 0; c < 4; c++) target.rotations[i + c] = rotations[i + c]!;
  }
}

/** Whether all passes that have anything to do are of a kind. */
export function onlyRun(
  isOfKind: (pass: Pass) => boolean,
  setup: Setup,
  plan: ClipPlan | null,
  passes: readonly PassName[],
): boolean {
  const runs = runsOf(setup, plan, passes);
  return PASSES.filter(({ name }) => passes.includes(name)).every((pass: Pass) => {
    if (isOfKind(pass)) return true;
    const data = compiledOf(setup, pass);
    return data === null || pass.prepare(data, runs(pass)).length === 0;
  });
}
