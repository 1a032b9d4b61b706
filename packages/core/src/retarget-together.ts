import { UsageError } from './base/errors.js';
import { exp, log } from './base/math/functions.js';
import type { Rig } from './body/rig.js';
import { isRole } from './body/roles.js';
import { createRig } from './body/understand/create-rig.js';
import type { Constraint, GoalPlaces, OutsideGoal } from './options/constraint.js';
import { meantName } from './options/nearest-name.js';
import { lackOf, namesOf } from './passes/parts/outside-places.js';
import type { RetargetOptions } from './passes/parts/told-options.js';
import { type RetargetResult, retarget } from './retarget.js';
import { type Clip, sampleClip } from './scene/clip.js';
import { forwardJoints, withAncestors } from './scene/forward-joints.js';
import { copyPose, createModelPose, type ModelPose, type Pose } from './scene/pose.js';
import type { Scene } from './scene/scene.js';
import { setUpScenes } from './setup/set-up-scenes.js';

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
 * together by their order, the first with the first. What lies between them is stretched for all alike: by the mean of
 * what suits each, unless `rootScales` says otherwise.
 * @param props Things of other files that goals follow too, by name: `{ "character": "sword", "joint": "Handle" }`
 * is the node of that name, as the prop's clips move it.
 * @throws UsageError where two have one name; and all that `retarget` throws.
 */
export function retargetTogether(
  parts: readonly TogetherPart[],
  props: Readonly<Record<string, Scene>> = {},
): RetargetResult[] {
  const options = togetherOptions(parts, props);
  return parts.map(({ source, target }, n) => retarget(source, target, options[n]!));
}

/** The options by which `retarget` moves each of several characters as {@link retargetTogether} does. */
export function togetherOptions(
  parts: readonly TogetherPart[],
  props: Readonly<Record<string, Scene>> = {},
): RetargetOptions[] {
  const names = parts.map(({ name, target }) => name ?? target.name);
  names.forEach((name, n) => {
    if (names.indexOf(name) !== n || name in props)
      throw new UsageError(`parts[${n}].name: "${name}" is taken; give each character a name of its own`);
  });
  const told = shareScale(parts);
  const mentioned = told.map((options) => mentions(options));
  const views = new Map<string, View>();
  const viewOf = (name: string): View | null => {
    const known = views.get(name);
    if (known) return known;
    const n = names.indexOf(name);
    const prop = props[name];
    if (n < 0 && !prop) return null;
    const view = n >= 0 ? viewOfPart(parts[n]!, told[n]!) : viewOfProp(name, prop!);
    views.set(name, view);
    return view;
  };
  return told.map((options, n) =>
    mentioned[n]! ? { ...options, goalPlaces: placesFor(n, options.goalPlaces) } : options,
  );

  /** Where the others are while a clip of one of them plays. */
  function placesFor(own: number, given: GoalPlaces | undefined): GoalPlaces {
    const other = new Float64Array(3);
    const isOurs = (goal: OutsideGoal): goal is OutsideGoal & { type: 'character' } =>
      goal.type === 'character' && (names.includes(goal.character) || goal.character in props);
    return {
      has(goal) {
        if (!isOurs(goal)) return given?.has(goal) ?? false;
        return jointOf(viewOf(goal.character)!.rig, goal.joint) >= 0;
      },
      missing(goal) {
        if (goal.type !== 'character') return given?.missing?.(goal) ?? null;
        const { character, joint } = goal;
        const others = [...names.filter((_, n) => n !== own), ...Object.keys(props)];
        if (!isOurs(goal))
          return `there is no character or prop "${character}"${meantName(character, others)}; there are ${others.map((name) => `"${name}"`).join(', ') || 'none'}`;
        const { rig } = viewOf(character)!;
        return jointOf(rig, joint) >= 0 ? null : lackOf(`"${character}"`, 'joint', joint, namesOf(rig));
      },
      place(out, i, goal, time, clip) {
        if (!isOurs(goal)) {
          given?.place(out, i, goal, time, clip);
          return;
        }
        const ownView = viewOf(names[own]!)!;
        const at = Math.max(0, ownView.names.indexOf(clip));
        placeAt(out, i, viewOf(goal.character)!, at, goal.joint, time);
        const back = answering(own, goal);
        if (back === null) return;
        placeAt(other, 0, ownView, at, back, time);
        for (let c = 0; c < 3; c++) out[i + c] = (out[i + c]! + other[c]!) / 2;
      },
    };
  }

  /** The own joint that the other's joint goes to in turn; null where it does not. */
  function answering(own: number, goal: OutsideGoal & { type: 'character' }): string | null {
    const theirs = parts[names.indexOf(goal.character)]?.options?.constraints ?? [];
    const ours = parts[own]!.options?.constraints ?? [];
    const joints = ours.filter((each) => follows(each, goal.character, goal.joint)).map(({ joint }) => joint);
    const found = theirs.find(
      (each) => each.joint === goal.joint && joints.some((joint) => follows(each, names[own]!, joint)),
    );
    return found?.goal?.joint ?? null;
  }
}

/** Options in which the way between characters is stretched alike. */
function shareScale(parts: readonly TogetherPart[]): RetargetOptions[] {
  const scales = parts.flatMap(({ source, target, options = {} }) =>
    parts.length < 2 || options.rootScales?.horizontal !== undefined || source.characters.length === 0
      ? []
      : [setUpScenes(source, target, options).setup.rootScales.horizontal],
  );
  const mean = exp(scales.reduce((sum, scale) => sum + log(scale), 0) / scales.length);
  return parts.map(({ options = {} }) =>
    scales.length < 2 || options.rootScales?.horizontal !== undefined || !(mean > 0)
      ? options
      : { ...options, rootScales: { ...options.rootScales, horizontal: mean } },
  );
}

function follows({ kind, goal, muted }: Constraint, character: string, joint: string | undefined): boolean {
  return kind === 'point' && !muted && goal?.character === character && goal.joint === joint;
}

function mentions({ constraints }: RetargetOptions): boolean {
  return constraints?.some(({ goal }) => goal?.character !== undefined) ?? false;
}

/** A character as it moves without constraints, or a prop. */
type View = {
  rig: Rig;
  clips: Clip[];
  /** What its clips are called in the source. */
  names: string[];
  pose: Pose;
  model: ModelPose;
};

function viewOfPart({ source, target }: TogetherPart, options: RetargetOptions): View {
  const { constraints, hold, goalPlaces, rootMotion, loop, reduce, ...rest } = options;
  const layers = options.layers?.filter(({ when }) => when !== 'after');
  const { clips, character } = retarget(source, target, {
    ...rest,
    ...(layers && { layers }),
    ...{ keys: 'bake', frameRate: LOOK_RATE, measure: false },
  });
  const { skeleton, clips: own } = target.characters[character]!;
  const rig = createRig(skeleton, { clips: own });
  return viewWith(
    rig,
    clips,
    clips.map(({ name }) => name),
  );
}

function viewOfProp(name: string, { characters }: Scene): View {
  const [first] = characters;
  if (!first)
    throw new UsageError(
      `props.${name}: the file has no skeleton and no clips, so that no node of it can be followed; give a place instead`,
    );
  return viewWith(createRig(first.skeleton, { clips: first.clips }), [...first.clips], []);
}

function viewWith(rig: Rig, clips: Clip[], names: string[]): View {
  const { skeleton } = rig;
  return { rig, clips, names, pose: copyPose(skeleton.rest), model: createModelPose(skeleton.names.length) };
}

function jointOf({ joints, skeleton }: Rig, name: string): number {
  return (isRole(name) ? joints[name] : undefined) ?? skeleton.names.indexOf(name);
}

function placeAt(out: Float64Array, i: number, view: View, clip: number, name: string, time: number): void {
  const { rig, clips, pose, model } = view;
  const joint = jointOf(rig, name);
  const playing = clips[Math.min(clip, clips.length - 1)];
  if (joint < 0) {
    out.fill(Number.NaN, i, i + 3);
    return;
  }
  if (playing) sampleClip(pose, playing, time);
  forwardJoints(model, rig.skeleton, pose, withAncestors(rig.skeleton, [joint]), false);
  for (let c = 0; c < 3; c++) out[i + c] = model.matrices[16 * joint + 12 + c]!;
}
