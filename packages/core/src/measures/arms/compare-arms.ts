import { didWork } from '../../base/watch-work.js';
import { CONTACT_RATE } from '../../contacts/track-points.js';
import {
  type ArmRecord,
  createArmRecord,
  findHandContacts,
  recordSource,
} from '../../goals/arms/arm-record.js';
import { TOUCHED } from '../../goals/arms/body-shape.js';
import type { GapCourse } from '../../goals/arms/find-touches.js';
import type { HandContacts } from '../../goals/arms/hand-contacts.js';
import type { Setup } from '../../passes/pass.js';
import { modelPoseOf } from '../../scene/pose.js';
import type { ComparedSide, Comparison } from '../comparison.js';
import { type ArmReader, createArmReader } from './arm-course.js';
import { armsInFloor } from './arms-in-floor.js';

/** A comparison with what its hands touch and carry: read once for all measures of arms. */
export type ArmComparison = HandContacts & {
  comparison: Comparison;
  source: ArmReader;
  target: ArmReader;
  /** Of the source. */
  course: GapCourse;
  /** Per instant and hand 1 where the copied arm is in its body by shape, more than 1 % of the arm beyond the source's. */
  pierces: Uint8Array;
  /** The same where it would be in the floor, see {@link armsInFloor}. */
  inFloor: Uint8Array;
};

/** An arm that is deeper than this in its body, in arm lengths, beyond the source's, goes through it. */
const PIERCES = 0.01;

const known = new WeakMap<Comparison, ArmComparison | null>();

/** What hands touch and carry in the source, read once for a comparison; null where one of the bodies has no arms. */
export function compareArms(comparison: Comparison): ArmComparison | null {
  if (!known.has(comparison)) known.set(comparison, readArms(comparison));
  return known.get(comparison)!;
}

const readers = new WeakMap<Setup, { from: ArmReader | null; to: ArmReader | null }>();

/** Both bodies of a comparison, made ready once for a setup: hulls do not change while somebody tunes. */
function readersOf({ setup, source, result }: Comparison): { from: ArmReader | null; to: ArmReader | null } {
  const known = readers.get(setup);
  if (known) return known;
  const reference = modelPoseOf(setup.source.skeleton, setup.source.reference.pose);
  const made = {
    from: createArmReader(setup.source, source.roles, reference),
    to: createArmReader(setup.target, result.roles, setup.alignment.model),
  };
  readers.set(setup, made);
  return made;
}

function readArms(comparison: Comparison): ArmComparison | null {
  const { from, to } = readersOf(comparison);
  if (!from || !to) return null;
  const reading = readMotions(comparison, from, to);
  return { comparison, source: from, target: to, inFloor: armsInFloor(comparison), ...reading };
}

/** What arms of the source and of the plain copy do, whatever the result. */
type Reading = HandContacts & Pick<ArmComparison, 'course' | 'pierces'>;

/** While somebody tunes, source and copy are the same ones, see `KeptMotions`: a third of a measurement. */
const readings = new WeakMap<ComparedSide, { of: Pick<Comparison, 'setup' | 'copied'>; reading: Reading }>();

function readMotions({ setup, source, copied, count }: Comparison, from: ArmReader, to: ArmReader): Reading {
  const known = readings.get(source);
  if (known && known.of.setup === setup && known.of.copied === copied) return known.reading;
  const record = createArmRecord(from.shape, { count, rate: CONTACT_RATE }, false);
  const pierces = new Uint8Array(2 * count);
  for (let k = 0; k < count; k++) {
    recordSource(record, from.shape, from.depths, from.pose(source, k), k);
    if (copied) {
      to.read(copied, k, 0);
      for (let hand = 0; hand < 2; hand++) {
        const own = from.shape.isSkin ? sourceDepth(record, k, hand) : 0;
        pierces[2 * k + hand] = to.depthOf(hand) - own > PIERCES ? 1 : 0;
      }
    }
    didWork(30);
  }
  const reading = { course: record.course, pierces, ...findHandContacts(record) };
  readings.set(source, { of: { setup, copied }, reading });
  return reading;
}

/** How deep an arm of the source is in its own body, in arm lengths. */
function sourceDepth({ course, depths }: ArmRecord, k: number, hand: number): number {
  let deepest = 0;
  for (let t = 0; t < TOUCHED.length; t++) {
    const g = TOUCHED.length * (2 * k + hand) + t;
    deepest = Math.max(deepest, depths[g]!, -course.gaps[g]!);
  }
  return deepest;
}
