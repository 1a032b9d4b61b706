import { CONTACT_RATE } from '../contacts/track-points.js';
import type { Contact } from '../options/contact.js';
import { compareArms } from './arms/compare-arms.js';
import { armsAloneCurve } from './arms/measure-arms-alone.js';
import { carriedHandsCurve } from './arms/measure-carried-hands.js';
import type { PenetrationCurves } from './arms/measure-penetration.js';
import { selfContactCurve } from './arms/measure-self-contact.js';
import type { Comparison } from './comparison.js';
import { jointDepths } from './measure-ground.js';
import { type MeasureHeat, measureHeat } from './measure-heat.js';
import { offSupport } from './measure-heights.js';
import { measureLoopSeam } from './measure-loop-seam.js';
import { findPops } from './measure-pops.js';
import type { SkinCurves } from './measure-skin.js';
import { eachSoleContact, speedWithin } from './measure-slide.js';
import { carryingGaps } from './measure-support.js';

/** What is measured at each instant, for curves: at 60 Hz, the worst of all points. */
export type MeasureCurves = {
  /** Instants a second. */
  rate: number;
  count: number;
  /** Seconds into the source's clip where the result begins; from its start if left out. */
  sourceStart?: number;
  /** %/s of the hip height; NaN where the source's feet do not stand. */
  slide: number[];
  /** % of the hip height; NaN likewise. */
  float: number[];
  sink: number[];
  /** How deep the deepest joint is under the floor, in % of the hip height. */
  ground: number[];
  /** How high the lowest of the body is over the floor, in % of the hip height; NaN where the source lies on nothing. */
  support: number[];
  /** The largest pop of any joint, degrees a frame and frame; 0 where none pops. */
  pops: number[];
  /** How far the worst touch of a hand is off, in % of the arm; NaN where nothing touches in the source. */
  selfContact: number[];
  /** How much farther than the plain copy's arms are from the source's that nothing is a reason to turn, in degrees; NaN where something is. */
  armsAlone: number[];
  /** How far hands that carry something are from their mean distance, in %; NaN where they carry nothing. */
  carriedHands: number[];
  /** How high the hips are over the floor, in hip heights: source and result. */
  sourceHips: number[];
  resultHips: number[];
  /** How far skin on joints without a driver is stretched; left out where no mesh was given. */
  skin?: SkinCurves;
  /** How deep the deepest vertex of the arms is in the body; left out where no mesh was given. */
  penetration?: PenetrationCurves;
  /** Where on the body it is bad, and its worst moments; left out where that was not asked for. */
  heat?: MeasureHeat;
  sourceContacts: Contact[];
  resultContacts: Contact[];
};

/** Gives the curves behind the figures: where in a clip a result is bad. */
export function measureOverTime(comparison: Comparison, withHeat = false): MeasureCurves {
  const { source, result, count, points } = comparison;
  const empty = () => new Array<number>(count).fill(Number.NaN);
  const [slide, float, sink] = [empty(), empty(), empty()];
  const raise = (curve: number[], k: number, value: number) => {
    if (!(curve[k]! >= value)) curve[k] = value;
  };
  eachSoleContact(comparison, (n, k, first, last) => {
    const off = offSupport(result, n, k, source.supports[points.length * k + n]!);
    raise(slide, k, 100 * speedWithin(result, n, k, first, last));
    raise(float, k, 100 * Math.max(0, off));
    raise(sink, k, 100 * Math.max(0, -off));
  });
  const arms = compareArms(comparison);
  const pops = new Array<number>(count).fill(0);
  for (const { k, change } of findPops(comparison)) raise(pops, k, change);
  const hipsOf = ({ roles, positions, joints, floor, hipHeight }: Comparison['source']) => {
    const { hips } = roles;
    if (hips === undefined) return empty();
    return Array.from(
      { length: count },
      (_, k) => (positions[3 * (joints * k + hips) + 1]! - floor) / hipHeight,
    );
  };
  return {
    rate: CONTACT_RATE,
    count,
    slide,
    float,
    sink,
    ground: Array.from(jointDepths(result), (depth) => 100 * depth),
    support: Array.from(carryingGaps(comparison), (gap) => 100 * gap),
    pops,
    selfContact: arms ? selfContactCurve(arms) : empty(),
    armsAlone: arms ? armsAloneCurve(arms, measureLoopSeam(comparison) !== null) : empty(),
    carriedHands: arms ? carriedHandsCurve(arms) : empty(),
    sourceHips: hipsOf(source),
    resultHips: hipsOf(result),
    ...(withHeat && { heat: measureHeat(comparison) }),
    // Copies: what is kept for the next measurement is nobody's to change.
    sourceContacts: source.contacts.map((contact) => ({ ...contact })),
    resultContacts: result.contacts.map((contact) => ({ ...contact })),
  };
}
