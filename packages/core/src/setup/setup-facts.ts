import { drivenJoints, drivingJoints } from '../align/driver-constants.js';
import { quaternionAngle } from '../base/math/quaternion.js';
import { createMemory, remember } from '../base/remember.js';
import type { Setup } from '../passes/pass.js';
import type { Channel } from '../scene/clip.js';
import type { Skeleton } from '../scene/skeleton.js';

/** What every clip asks of its setup again: worked out once for all of them. */
export type SetupFacts = {
  /** The source joints that some pair names, and everything above them: a clip without keys for any moves nothing. */
  mapped: ReadonlySet<number>;
  /** Whether a joint that drives, or one that is driven, is mirrored; others may be, as Biped leaves the ends of fingers. */
  isMirrored: boolean;
  /** Where the aligned reference of the target is not its rest, and what it is there. */
  held: readonly HeldChannel[];
};

/** A channel of a target joint that stands in the aligned reference where nothing drives it. */
export type HeldChannel = { joint: number; channel: Channel; values: Float64Array };

type Known = Pick<Setup, 'map' | 'source' | 'target' | 'travel'>;

/** By alignment. */
const known = createMemory<Known, SetupFacts>();

/** The facts of a setup. */
export function factsOfSetup(setup: Setup): SetupFacts {
  const { map, source, target, travel, alignment } = setup;
  return remember(known, alignment, { map, source, target, travel }, () => ({
    mapped: mappedJoints(setup),
    isMirrored:
      hasMirror(source.skeleton, drivingJoints(setup)) || hasMirror(target.skeleton, drivenJoints(setup)),
    held: heldChannels(setup),
  }));
}

function mappedJoints({ map, travel, source }: Setup): Set<number> {
  const mapped = new Set<number>();
  const add = (joint: number) => {
    for (let at = joint; at >= 0 && !mapped.has(at); at = source.skeleton.parents[at]!) mapped.add(at);
  };
  for (const { sources, share } of map.joints) {
    for (const joint of sources) add(joint);
    if (share) add(share.from);
  }
  if (travel) add(travel.source);
  return mapped;
}

function hasMirror({ rest }: Skeleton, joints: ReadonlySet<number>): boolean {
  return rest.scales.some((scale, i) => scale < 0 && joints.has(Math.floor(i / 3)));
}

function heldChannels({ target, alignment: { pose } }: Setup): HeldChannel[] {
  const { rest, names } = target.skeleton;
  const held: HeldChannel[] = [];
  for (let joint = 0; joint < names.length; joint++) {
    if (quaternionAngle(rest.rotations, 4 * joint, pose.rotations, 4 * joint) > 1e-5)
      held.push({ joint, channel: 'rotation', values: pose.rotations.slice(4 * joint, 4 * joint + 4) });
    for (const channel of ['translation', 'scale'] as const) {
      const [from, to] =
        channel === 'translation' ? [rest.translations, pose.translations] : [rest.scales, pose.scales];
      const a = from.subarray(3 * joint, 3 * joint + 3);
      const b = to.slice(3 * joint, 3 * joint + 3);
      const size = a.reduce((most, x) => Math.max(most, Math.abs(x)), 1e-9);
      if (a.some((x, c) => Math.abs(x - b[c]!) > 1e-5 * size)) held.push({ joint, channel, values: b });
    }
  }
  return held;
}
