import { isSameData } from '../base/copy-data.js';
import { createMemory, remember } from '../base/remember.js';
import { constraintsOfPart } from '../edits/edits-of-part.js';
import type { LimbGoal } from '../goals/goal-setup.js';
import { carrierOf, driverOf } from '../map/rig-map.js';
import { applyConstraints } from '../passes/apply-constraints.js';
import { goalsOf } from '../passes/goals/place-goals.js';
import { withSolvedLimbs } from '../passes/goals/solve-limbs.js';
import { editedPartOf } from '../passes/parts/edited-target.js';
import { type ClipPart, type ClipPlan, compiledOf, foundOf, type Pass, type Setup } from '../passes/pass.js';
import { PASSES, withoutCorrections } from '../passes/pipeline.js';
import { spreadTwist } from '../passes/spread-twist.js';
import { type Clip, channelSize, type Track, trackedJoints } from '../scene/clip.js';
import { isSameSkeleton } from '../scene/skeleton.js';
import { isStill } from '../scene/still-track.js';
import { channelOf, isValueOf } from './pose-channels.js';

/** What of the target a clip moves (W25). */
export type MovedJoints = {
  /** Joints whose turns come of tracks that the clip has. */
  turned: ReadonlySet<number>;
  /** Whether it moves the hips, or what carries them. */
  travels: boolean;
  /** Joints that nothing drives and that carry what the clip moves: it is moved as they stand in the reference. */
  carriers: ReadonlySet<number>;
};

/**
 * The joints of the target that a clip moves: those whose turn comes of a joint that it has a track for, be it still
 * (W25). A capture has tracks for all; a wave has some for an arm.
 */
export function findMovedJoints(setup: Setup, clip: Clip): MovedJoints {
  return remember(known, setup, trackedJoints(clip, setup.source.skeleton.names.length), movedByTracks);
}

/** By setup, and the joints that a clip has tracks for: those of one character mostly have the same. */
const known = createMemory<Uint8Array, MovedJoints>(isSameData, 4);

function movedByTracks(tracked: Uint8Array, setup: Setup): MovedJoints {
  const { parents } = setup.source.skeleton;
  const byTarget = new Map(setup.map.joints.map((pair) => [pair.target, pair]));
  const turned = new Set<number>();
  for (const pair of setup.map.joints) {
    const carrier = carrierOf(setup, byTarget, pair.target);
    // Parents stand before their children: whichever of the two is behind goes up, until they meet.
    let from = carrier ? driverOf(carrier) : -1;
    let to = driverOf(pair);
    let isMoved = [...pair.sources, pair.share?.from ?? -1].some((joint) => tracked[joint]);
    while (from !== to && !isMoved)
      if (from > to) {
        isMoved = tracked[from] === 1;
        from = parents[from]!;
      } else {
        isMoved = tracked[to] === 1;
        to = parents[to]!;
      }
    if (isMoved) turned.add(pair.target);
  }
  let travels = false;
  for (let at = setup.travel?.source ?? -1; at >= 0; at = parents[at]!) travels ||= tracked[at] === 1;
  return { turned, travels, carriers: carriersOf(setup, byTarget, turned, travels) };
}

/** What stands between moved joints and the driven ones above them; above the hips only where they travel. */
function carriersOf(
  { target, travel }: Setup,
  driven: ReadonlyMap<number, unknown>,
  turned: ReadonlySet<number>,
  travels: boolean,
): Set<number> {
  const { parents } = target.skeleton;
  const carriers = new Set<number>();
  const add = (joint: number) => {
    for (let at = parents[joint]!; at >= 0 && !driven.has(at) && !carriers.has(at); at = parents[at]!)
      carriers.add(at);
  };
  for (const joint of turned) if (joint !== travel?.target) add(joint);
  if (travel && travels) add(travel.target);
  return carriers;
}

/**
 * A setup that corrects the limbs that a clip moves, and no others (W25): it has tracks for the hips, or for what carries
 * them, and for two joints of the limb at least, or one where its scale is told. A clip that has a track for an upper arm
 * alone shall come out as that track, and not as a solved arm. Where constraints pull at the body, legs stand too that the
 * clip says nothing of: they do so in the reference, and would go with the hips.
 */
export function correctMovedLimbs(setup: Setup, clip: Clip, part: ClipPart | null): Setup {
  const goals = goalsOf(setup);
  // Where both bodies are one, clips are taken over whole.
  if (!goals || isSameSkeleton(setup.source.skeleton, setup.target.skeleton)) return setup;
  const { parents } = setup.source.skeleton;
  const tracked = trackedJoints(clip, parents.length);
  let movesHips = false;
  for (let at = goals.hips.source; at >= 0; at = parents[at]!) movesHips ||= tracked[at] === 1;
  const pulls = compiledOf(setup, applyConstraints);
  const isPulled =
    pulls?.hold === 'contacts' && constraintsOfPart(pulls.constraints, editedPartOf(clip, part)).length > 0;
  const isMoved = ({ kind, scaling, source: { upper, middle, end } }: LimbGoal) => {
    if (isPulled && kind === 'leg') return true;
    const moved = [upper, middle, end].filter((joint) => tracked[joint]).length;
    return movesHips && moved > (scaling ? 0 : 1);
  };
  return goals.limbs.some(isMoved) ? withSolvedLimbs(setup, isMoved) : withoutCorrections(setup);
}

/** Whether arms alone are corrected: then hands that hang still are beside a body that stands, and carry nobody. */
export function standsOnNothing(setup: Setup): boolean {
  const goals = goalsOf(setup);
  return goals?.limbs.every(({ kind }) => kind === 'arm') ?? false;
}

/**
 * Takes tracks out of a result that the clip did not ask for: held poses of joints that it does not move. What layers and constraints
 * of the clip move stays, and all that looks and feet on a ground do.
 * @param plan What was found of the clip, where frames were made of it.
 */
export function leaveOutUnmoved(setup: Setup, moved: MovedJoints, result: Clip, plan: ClipPlan | null): void {
  const { parents } = setup.target.skeleton;
  const { placed: hung, followers } = setup.alignment;
  const placed = new Map([...hung, ...followers].map(({ joint, carrier }) => [joint, carrier]));
  for (const { start, joints } of compiledOf(setup, spreadTwist) ?? [])
    for (const { joint } of joints) placed.set(joint, start);
  const isCarried = (joint: number) => {
    for (let at = placed.get(joint) ?? -1; at >= 0; at = parents[at]!) if (moved.turned.has(at)) return true;
    return false;
  };
  const isTravel = ({ joint, channel }: Track) =>
    moved.travels && channel === 'translation' && joint === setup.travel?.target;
  const asked = askedFor(setup, plan);
  result.tracks = result.tracks.filter((track) => {
    const { joint } = track;
    if (moved.turned.has(joint) || isTravel(track) || isCarried(joint) || !isStill(track)) return true;
    // What could have been moved for it and never was is left out as well.
    return asked.has(joint) && !isInReference(setup, track);
  });
}

/** Whether a still track holds what the aligned reference has, but for rounding. */
function isInReference(
  { alignment: { pose } }: Setup,
  { joint, channel, interpolation, values }: Track,
): boolean {
  const size = channelSize(channel);
  const first = interpolation === 'cubic' ? size : 0;
  return isValueOf(channelOf(pose, channel), size * joint, values, first, size);
}

/** The joints of the target that passes move which do what a person asked for. */
function askedFor(setup: Setup, plan: ClipPlan | null): Set<number> {
  const joints = new Set<number>();
  for (const pass of PASSES as readonly Pass[]) {
    const data = pass.isAskedFor ? compiledOf(setup, pass) : null;
    if (data === null) continue;
    const {
      turns = [],
      turnsOn = [],
      moves = [],
      movesOn = [],
    } = pass.writes(data, {
      setup,
      plan,
      found: foundOf(plan, pass),
    });
    for (const joint of [...turns, ...turnsOn, ...moves, ...movesOn]) joints.add(joint);
  }
  return joints;
}
