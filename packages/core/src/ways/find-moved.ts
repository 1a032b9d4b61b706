import { carrierOf, driverOf } from '../map/rig-map.js';
import { compiledOf, type Pass, type Setup } from '../passes/pass.js';
import { PASSES, type PassName } from '../passes/pipeline.js';
import { goalsOf } from '../passes/place-goals.js';
import { spreadTwist } from '../passes/spread-twist.js';
import type { Clip, Track } from '../scene/clip.js';
import { isSameSkeleton } from '../scene/skeleton.js';
import { isStill } from '../scene/still-track.js';

/** What of the target a clip moves (W25). */
export type MovedJoints = {
  /** Joints whose turns come of tracks that the clip has. */
  turned: ReadonlySet<number>;
  /** Whether it moves the hips, or what carries them. */
  travels: boolean;
  /** Joints of limbs that would be corrected and that the clip does not move. */
  resting: ReadonlySet<number>;
  /** Joints that nothing drives and that carry what the clip moves: it is moved as they stand in the reference. */
  carriers: ReadonlySet<number>;
};

/**
 * The joints of the target that a clip moves: those whose turn comes of a joint that it has a track for, be it still
 * (W25). A capture has tracks for all; a wave has some for an arm.
 */
export function findMovedJoints(setup: Setup, clip: Clip): MovedJoints {
  const { parents } = setup.source.skeleton;
  const tracked = new Set<number>();
  for (const { joint, times } of clip.tracks) if (times.length > 0) tracked.add(joint);
  const byTarget = new Map(setup.map.joints.map((pair) => [pair.target, pair]));
  const turned = new Set<number>();
  for (const pair of setup.map.joints) {
    const carrier = carrierOf(setup, byTarget, pair.target);
    // Parents stand before their children: whichever of the two is behind goes up, until they meet.
    let from = carrier ? driverOf(carrier) : -1;
    let to = driverOf(pair);
    let isMoved = [...pair.sources, pair.share?.from ?? -1].some((joint) => tracked.has(joint));
    while (from !== to && !isMoved)
      if (from > to) {
        isMoved = tracked.has(from);
        from = parents[from]!;
      } else {
        isMoved = tracked.has(to);
        to = parents[to]!;
      }
    if (isMoved) turned.add(pair.target);
  }
  let travels = false;
  for (let at = setup.travel?.source ?? -1; at >= 0; at = parents[at]!) travels ||= tracked.has(at);
  const resting = new Set<number>();
  for (const { target, source, toes } of goalsOf(setup)?.limbs ?? []) {
    const joints = [source.upper, source.middle, source.end];
    if (!joints.some((joint) => tracked.has(joint)))
      for (const joint of [target.upper, target.middle, target.end, toes]) resting.add(joint);
  }
  return { turned, travels, resting, carriers: carriersOf(setup, byTarget, turned, travels) };
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
 * The passes that run on a clip (W25): nothing is corrected where it moves no limb that would be, two of its joints at
 * least, or one where its scale is told. A clip that has a track for an upper arm alone shall come out as that track, and
 * not as a solved arm.
 */
export function passesFor(setup: Setup, { tracks }: Clip, passes: readonly PassName[]): readonly PassName[] {
  const goals = goalsOf(setup);
  // Where both bodies are one, clips are taken over whole.
  if (!goals || isSameSkeleton(setup.source.skeleton, setup.target.skeleton)) return passes;
  const tracked = new Set<number>();
  for (const { joint, times } of tracks) if (times.length > 0) tracked.add(joint);
  const movesLimb = goals.limbs.some(({ scaling, source: { upper, middle, end } }) => {
    const moved = [upper, middle, end].filter((joint) => tracked.has(joint)).length;
    return moved > (scaling ? 0 : 1);
  });
  if (movesLimb) return passes;
  const correcting = new Set<string>(
    (PASSES as readonly Pass[]).filter((pass) => pass.corrects).map(({ name }) => name),
  );
  return passes.filter((name) => !correcting.has(name));
}

/**
 * Takes tracks out of a result that the clip did not ask for: held poses of joints that it does not move, and limbs that
 * were corrected without being moved. What layers and constraints move stays, and all that looks and feet on a ground do.
 */
export function leaveOutUnmoved(setup: Setup, moved: MovedJoints, result: Clip): void {
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
  const asked = askedFor(setup);
  result.tracks = result.tracks.filter((track) => {
    const { joint } = track;
    if (moved.turned.has(joint) || isTravel(track) || isCarried(joint) || asked.has(joint)) return true;
    return !moved.resting.has(joint) && !isStill(track);
  });
}

/** The joints of the target that passes move which do what a person asked for. */
function askedFor(setup: Setup): Set<number> {
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
      plan: null,
      found: null,
    });
    for (const joint of [...turns, ...turnsOn, ...moves, ...movesOn]) joints.add(joint);
  }
  return joints;
}
