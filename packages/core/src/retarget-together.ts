import { UsageError } from './base/errors.js';
import type { Warning } from './base/warnings.js';
import type { Rig } from './body/rig.js';
import { isRole } from './body/roles.js';
import { createRig } from './body/understand/create-rig.js';
import { verdictOf } from './measures/verdict/verdict.js';
import type { Constraint, GoalPlaces, OutsideGoal } from './options/constraint.js';
import type { RetargetOptions } from './passes/told-options.js';
import { type RetargetResult, retarget } from './retarget.js';
import { type Clip, sampleClip } from './scene/clip.js';
import { forwardJoints, withAncestors } from './scene/forward-joints.js';
import { copyPose, createModelPose, type ModelPose, type Pose } from './scene/pose.js';
import type { Scene } from './scene/scene.js';

/** One of several characters that move in one space. */
export type TogetherPart = {
  /** What goals of the others call it: `{ "character": "Anna", "joint": "rightHand" }`; the target's name if left out. */
  name?: string;
  source: Scene;
  target: Scene;
  options?: RetargetOptions;
};

/** Frames a second that the others are looked at. */
const LOOK_RATE = 60;

/**
 * Moves several motions onto several characters that share one space, so that constraints of each may follow joints of
 * the others: a handshake, a weapon that is passed. All are moved without constraints first. A goal then follows where
 * the other's joint was; where that joint has a goal on this one in turn, both go to the middle between them. Clips go
 * together by their order, the first with the first.
 * @throws UsageError where two have one name; and all that `retarget` throws.
 */
export function retargetTogether(parts: readonly TogetherPart[]): RetargetResult[] {
  const names = parts.map(({ name, target }) => name ?? target.name);
  names.forEach((name, n) => {
    if (names.indexOf(name) !== n)
      throw new UsageError(`parts[${n}].name: "${name}" is taken; give each character a name of its own`);
  });
  // Whom nobody follows need not be looked at.
  const followed = new Set(
    parts.flatMap(({ options }) => (options?.constraints ?? []).map(({ goal }) => goal?.character)),
  );
  const views = parts.map(({ source, target, options = {} }, n) =>
    followed.has(names[n]) || mentions(options, names) ? viewOf(source, target, options) : null,
  );
  return parts.map(({ source, target, options = {} }, n) => {
    if (!mentions(options, names)) return retarget(source, target, options);
    const clips = options.clips ?? views[n]!.clips.map((clip) => clip.name);
    const results = clips.map((name, k) =>
      retarget(source, target, { ...options, clips: [name], goalPlaces: placesFor(n, k) }),
    );
    return joinResults(results);
  });

  /** Where the others are while a clip of one of them plays. */
  function placesFor(own: number, clip: number): GoalPlaces {
    const given = parts[own]!.options?.goalPlaces;
    const other = new Float64Array(3);
    const viewFor = (goal: OutsideGoal) =>
      goal.type === 'character' ? (views[names.indexOf(goal.character)] ?? null) : null;
    return {
      has(goal) {
        const view = viewFor(goal);
        if (!view || goal.type !== 'character') return given?.has(goal) ?? false;
        return jointOf(view.rig, goal.joint) >= 0;
      },
      place(out, i, goal, time) {
        const view = viewFor(goal);
        if (!view || goal.type !== 'character') {
          given?.place(out, i, goal, time);
          return;
        }
        placeAt(out, i, view, clip, goal.joint, time);
        const back = answering(own, goal);
        if (back === null) return;
        placeAt(other, 0, views[own]!, clip, back, time);
        for (let c = 0; c < 3; c++) out[i + c] = (out[i + c]! + other[c]!) / 2;
      },
    };
  }

  /** The own joint that the other's joint goes to in turn; null where it does not. */
  function answering(own: number, goal: OutsideGoal & { type: 'character' }): string | null {
    const theirs = parts[names.indexOf(goal.character)]!.options?.constraints ?? [];
    const ours = parts[own]!.options?.constraints ?? [];
    const joints = ours.filter((each) => follows(each, goal.character, goal.joint)).map(({ joint }) => joint);
    const found = theirs.find(
      (each) => each.joint === goal.joint && joints.some((joint) => follows(each, names[own]!, joint)),
    );
    return found?.goal?.joint ?? null;
  }
}

function follows({ kind, goal, muted }: Constraint, character: string, joint: string | undefined): boolean {
  return kind === 'point' && !muted && goal?.character === character && goal.joint === joint;
}

function mentions({ constraints }: RetargetOptions, names: readonly string[]): boolean {
  return (
    constraints?.some(({ goal }) => goal?.character !== undefined && names.includes(goal.character)) ?? false
  );
}

/** A character as it moves without constraints. */
type View = { rig: Rig; clips: Clip[]; pose: Pose; model: ModelPose };

function viewOf(source: Scene, target: Scene, options: RetargetOptions): View {
  const { constraints, hold, goalPlaces, rootMotion, loop, reduce, ...rest } = options;
  const layers = options.layers?.filter(({ when }) => when !== 'after');
  const { clips, character } = retarget(source, target, {
    ...rest,
    ...(layers && { layers }),
    ...{ keys: 'bake', frameRate: LOOK_RATE, measure: false },
  });
  const rig = createRig(target.characters[character]!.skeleton, {
    clips: target.characters[character]!.clips,
  });
  const { skeleton } = rig;
  return { rig, clips, pose: copyPose(skeleton.rest), model: createModelPose(skeleton.names.length) };
}

function jointOf({ joints, skeleton }: Rig, name: string): number {
  return (isRole(name) ? joints[name] : undefined) ?? skeleton.names.indexOf(name);
}

function placeAt(out: Float64Array, i: number, view: View, clip: number, name: string, time: number): void {
  const { rig, clips, pose, model } = view;
  const joint = jointOf(rig, name);
  const playing = clips[Math.min(clip, clips.length - 1)];
  if (joint < 0 || !playing) {
    out.fill(Number.NaN, i, i + 3);
    return;
  }
  sampleClip(pose, playing, time);
  forwardJoints(model, rig.skeleton, pose, withAncestors(rig.skeleton, [joint]), false);
  for (let c = 0; c < 3; c++) out[i + c] = model.matrices[16 * joint + 12 + c]!;
}

/** Results of one clip each as one. */
function joinResults(results: readonly RetargetResult[]): RetargetResult {
  const [first] = results;
  return {
    ...first!,
    clips: results.flatMap(({ clips }) => clips),
    ...(first!.rootMotion && { rootMotion: results.flatMap(({ rootMotion }) => rootMotion ?? []) }),
    report: {
      ...first!.report,
      clips: results.flatMap(({ report }) => report.clips),
      measures: results.flatMap(({ report }) => report.measures),
      verdict: verdictOf(results.flatMap(({ report }) => report.verdict.reasons)),
      notes: once(results.flatMap(({ report }) => report.notes)),
      warnings: once(results.flatMap(({ report }) => report.warnings)),
    },
  };
}

/** What is told, each sentence once. */
function once<Told extends Warning<string>>(told: readonly Told[]): Told[] {
  return told.filter(({ message }, n) => told.findIndex((each) => each.message === message) === n);
}
