import { rolesOfMap } from '../align/align-references.js';
import { directionOf, subtractVectors, type Vec3, vectorAngle, vectorAt } from '../base/math/vector.js';
import { CONTACT_RATE } from '../contacts/track-points.js';
import { limbBones } from '../map/limb-bones.js';
import type { ComparedSide, Comparison } from './comparison.js';
import { jointDepths } from './measure-ground.js';
import { offSupport } from './measure-heights.js';
import { findPops } from './measure-pops.js';
import { eachSoleContact, speedWithin } from './measure-slide.js';

/** A measure that is known joint by joint and instant by instant. */
export type HeatMeasure = 'slide' | 'float' | 'sink' | 'ground' | 'pops' | 'direction';

/**
 * What a person who looks for it begins to notice: slide in % of the hip height a second, float, sink and ground in %
 * of the hip height, pops in degrees a frame and frame, direction in degrees.
 */
export const NOTABLE: Readonly<Record<HeatMeasure, number>> = {
  slide: 5,
  float: 3,
  sink: 2,
  ground: 2,
  pops: 5,
  direction: 15,
};

/** An instant at which a result is bad. */
export type BadMoment = {
  /** Seconds from the start of what was compared. */
  time: number;
  /** By what. */
  measure: HeatMeasure;
  /** Of the joint that is worst, in the measure's own unit, beyond what the source itself does. */
  value: number;
  /** That joint, by its index on the target, and its part of the body in words, or its name. */
  joint: number;
  part: string;
  /** Per joint of the target how bad it is by this measure, 0 to 1: 0.5 is {@link NOTABLE}. */
  heat: Float32Array;
};

/** Where on the body and when a result is bad. */
export type MeasureHeat = {
  /** The measure that is worst over the clip, and where and how much at most; null where nothing is off. */
  worst: Pick<BadMoment, 'measure' | 'value' | 'part'> | null;
  /** Instants a second, and how many. */
  rate: number;
  count: number;
  /** Per joint of the target and instant how bad it is by the worst measure, 0 to 1: 0.5 is {@link NOTABLE}. */
  heat: Float32Array;
  /** At most {@link MOST_MOMENTS}, the worst first. */
  moments: BadMoment[];
};

/** What is off, in words for a person, without a capital or a full stop; beyond what the source itself does. */
export function heatWords({ measure, value, part }: Pick<BadMoment, 'measure' | 'value' | 'part'>): string {
  const figure = value < 10 ? value.toFixed(1) : String(Math.round(value));
  const [s, is, it] = part.endsWith('s') ? ['', 'are', 'they'] : ['s', 'is', 'it'];
  switch (measure) {
    case 'slide':
      return `${part} slide${s} while ${it} stand${s}, by ${figure} % of the hip height a second`;
    case 'float':
      return `${part} float${s} where ${it} should stand, by ${figure} % of the hip height`;
    case 'sink':
      return `${part} sink${s} where ${it} should stand, by ${figure} % of the hip height`;
    case 'ground':
      return `${part} ${is} in the ground, by ${figure} % of the hip height`;
    case 'pops':
      return `${part} snap${s}, by ${figure}° from one frame to the next`;
    case 'direction':
      return `${part} point${s} ${figure}° away from where the source's does`;
  }
}

/** How many moments are picked of a clip. */
const MOST_MOMENTS = 6;
/** How many of those are of one joint and measure: steps are much alike. */
const MOST_ALIKE = 2;
/** Moments are at least this far apart, in seconds. */
const APART = 0.25;
/** What is less than this share of what a person notices is no moment to look at. */
const SMALL = 0.2;

/** One measure over the whole clip. */
type HeatField = {
  measure: HeatMeasure;
  /** Per joint and instant. */
  values: Float32Array;
  /** Per instant the joint that is worst. */
  worstJoints: Int32Array;
  /** The greatest of all. */
  most: number;
  /** The joint that has it. */
  mostJoint: number;
};

/**
 * Finds where on the body and when a result is bad: every measure in shares of what a person notices of it, beyond what
 * the source itself does.
 */
export function measureHeat(comparison: Comparison): MeasureHeat {
  const { count } = comparison;
  const fields = (Object.keys(NOTABLE) as HeatMeasure[]).map((measure) => fieldOf(comparison, measure));
  const share = ({ measure, most }: HeatField) => most / NOTABLE[measure];
  const worst = fields.reduce((a, b) => (share(b) > share(a) ? b : a));
  return {
    worst:
      share(worst) >= SMALL
        ? { measure: worst.measure, value: worst.most, part: partOf(comparison, worst.mostJoint) }
        : null,
    rate: CONTACT_RATE,
    count,
    heat: heatOf(worst, 0, worst.values.length),
    moments: momentsOf(fields, comparison),
  };
}

function fieldOf(comparison: Comparison, measure: HeatMeasure): HeatField {
  const { joints, count } = comparison.result;
  const values = new Float32Array(joints * count);
  const worstJoints = new Int32Array(count);
  let most = 0;
  let mostJoint = 0;
  EACH[measure](comparison, (joint, k, value) => {
    if (!(value > values[joints * k + joint]!)) return;
    values[joints * k + joint] = value;
    if (value > values[joints * k + worstJoints[k]!]! || worstJoints[k] === joint) worstJoints[k] = joint;
    if (!(value > most)) return;
    most = value;
    mostJoint = joint;
  });
  return { measure, values, worstJoints, most, mostJoint };
}

/** A joint as the part of the body that it is: `the left foot`; its name where it is none. */
function partOf({ setup }: Comparison, joint: number): string {
  const role = setup.map.joints.find(({ target }) => target === joint)?.role;
  return role
    ? `the ${role.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}`
    : `"${setup.target.skeleton.names[joint]}"`;
}

/** Values as 0 to 1: full at twice what a person notices. */
function heatOf({ measure, values }: HeatField, from: number, to: number): Float32Array {
  return values.slice(from, to).map((value) => Math.min(1, value / (2 * NOTABLE[measure])));
}

/** The worst instants of all measures, each once. */
function momentsOf(fields: readonly HeatField[], comparison: Comparison): BadMoment[] {
  const { joints, count } = comparison.result;
  const candidates: { field: HeatField; k: number; value: number; share: number }[] = [];
  for (const field of fields)
    for (let k = 0; k < count; k++) {
      const value = field.values[joints * k + field.worstJoints[k]!]!;
      const share = value / NOTABLE[field.measure];
      if (share > SMALL) candidates.push({ field, k, value, share });
    }
  candidates.sort((a, b) => b.share - a.share || a.k - b.k);
  const moments: BadMoment[] = [];
  for (const { field, k, value } of candidates) {
    if (moments.length === MOST_MOMENTS) break;
    const time = k / CONTACT_RATE;
    if (moments.some((other) => Math.abs(other.time - time) < APART)) continue;
    const { measure } = field;
    const joint = field.worstJoints[k]!;
    const alike = moments.filter((other) => other.measure === measure && other.joint === joint);
    if (alike.length >= MOST_ALIKE) continue;
    const heat = heatOf(field, joints * k, joints * (k + 1));
    moments.push({ time, measure, value, joint, part: partOf(comparison, joint), heat });
  }
  return moments;
}

/** Is told of a joint of the target, an instant and how far off it is. */
type Visit = (joint: number, k: number, value: number) => void;

/** How each measure is taken joint by joint. */
const EACH: Readonly<Record<HeatMeasure, (comparison: Comparison, visit: Visit) => void>> = {
  slide: (comparison, visit) =>
    eachSoleContact(comparison, (n, k, first, last) => {
      const own = speedWithin(comparison.source, n, k, first, last);
      const speed = speedWithin(comparison.result, n, k, first, last);
      visit(comparison.points[n]!.joint, k, 100 * (speed - own));
    }),
  float: (comparison, visit) => eachHeight(comparison, 1, visit),
  sink: (comparison, visit) => eachHeight(comparison, -1, visit),
  ground: ({ source, result, count }, visit) => {
    const own = jointDepths(source);
    for (let k = 0; k < count; k++)
      for (const joint of Object.values(result.roles))
        visit(joint, k, 100 * (depthOf(result, joint, k) - own[k]!));
  },
  pops: (comparison, visit) => {
    for (const { joint, k, change } of findPops(comparison)) visit(joint, k, change);
  },
  direction: ({ setup, source, result, count }, visit) => {
    const roles = rolesOfMap(setup.map, setup.source);
    for (const bone of limbBones(roles.source, roles.target))
      for (let k = 0; k < count; k++)
        visit(
          bone.target[0],
          k,
          angleBetween(alongOf(source, bone.source, k), alongOf(result, bone.target, k)),
        );
  },
};

/** How far the result's soles are above (1) or below (−1) what should carry them, less the source's own. */
function eachHeight(comparison: Comparison, sign: 1 | -1, visit: Visit): void {
  const { source, result, points } = comparison;
  eachSoleContact(comparison, (n, k) => {
    const support = source.supports[points.length * k + n]!;
    const off = Math.max(0, sign * offSupport(result, n, k, support));
    const own = Math.max(0, sign * offSupport(source, n, k, support));
    visit(points[n]!.joint, k, 100 * (off - own));
  });
}

/** How deep a joint is under the floor, in hip heights; negative above it. */
function depthOf({ positions, joints, floor, hipHeight }: ComparedSide, joint: number, k: number): number {
  return (floor - positions[3 * (joints * k + joint) + 1]!) / hipHeight;
}

function alongOf(
  { positions, joints }: ComparedSide,
  [from, to]: readonly [number, number],
  k: number,
): Vec3 {
  return subtractVectors(
    vectorAt(positions, 3 * (joints * k + to)),
    vectorAt(positions, 3 * (joints * k + from)),
  );
}

/** In degrees; 0 where one has no length. */
function angleBetween(a: Vec3, b: Vec3): number {
  const [from, to] = [directionOf(a), directionOf(b)];
  return from && to ? (180 / Math.PI) * vectorAngle(from, to) : 0;
}
