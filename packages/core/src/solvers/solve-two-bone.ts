import { atan2, cos, sin } from '../base/math/functions.js';
import { multiplyQuaternions, rotateVector, shortestArc } from '../base/math/quaternion.js';

/** How {@link solveTwoBone} bends and stretches; every part has a default. Read on each call, so it may change. */
export type TwoBoneOptions = {
  /**
   * Where the middle joint shall point, seen from the line between root and goal: a direction in model space,
   * of any length. For a pole, its position less the root's. Left out: as it points in the pose, carried along
   * by the smallest turn from the old line to the new one, so that knees and elbows never flip.
   */
  bend?: Float64Array | null;
  /**
   * Where the middle joint would point if the limb were bent, in the pose as it is; for limbs that are too
   * straight to show it. Direction in model space. Left out: any direction square to the limb.
   */
  straightBend?: Float64Array | null;
  /**
   * Whether the middle joint can point along straightBend only. A copied knee that is hyperextended by a hair counts
   * as hardly bent then, not as bent the other way: with a shorter leg the hair would become twenty degrees.
   */
  isHinge?: boolean;
  /**
   * Whether the middle joint keeps its side however far the limb is folded, and the bones do not spin there: see
   * {@link solveTwoBone}. A goal nearer than the limb can be folded is approached softly then.
   */
  keepsSide?: boolean;
  /** Turns the middle joint about the line from the root to the end, on top of all else: radians, as a right hand turns. */
  swivel?: number;
  /** Whether it is asked only where the joints are: turns of the answer need not be found then, and stay as they were. */
  isPlacesOnly?: boolean;
  /** Share of the full length from which on stretching is softened; 1 for none. See {@link softenReach}. */
  softness?: number;
};

/** The least that may be said to {@link solveTwoBone}: all defaults. */
export const TWO_BONE_DEFAULTS = { softness: 0.97 } as const;

/** The answer of {@link solveTwoBone}, in model space; made once and overwritten by each call. */
export type TwoBoneSolution = {
  /** Where the middle joint is now. */
  mid: Float64Array;
  /** Where the end is now. */
  end: Float64Array;
  /** By how much the root joint, and all between it and the middle, have turned: new = upperTurn · old. */
  upperTurn: Float64Array;
  /** By how much the middle joint, and all between it and the end, have turned: new = lowerTurn · old. */
  lowerTurn: Float64Array;
  /** Unit direction in which the middle joint now points, square to the line from root to end. */
  bend: Float64Array;
  /** How far the end is from the goal: 0 within reach and below the softening. */
  miss: number;
};

/** Room for an answer of {@link solveTwoBone}. */
export function createTwoBoneSolution(): TwoBoneSolution {
  return {
    mid: new Float64Array(3),
    end: new Float64Array(3),
    upperTurn: Float64Array.of(0, 0, 0, 1),
    lowerTurn: Float64Array.of(0, 0, 0, 1),
    bend: new Float64Array(3),
    miss: 0,
  };
}

/**
 * How far a limb of length 1 is stretched for a goal at a distance: the distance itself up to `softness`, from
 * there a parabola that leaves with slope 1 and arrives at 1 with slope 0, at a distance of 2 − softness.
 *
 * The knee's angle goes with √(1 − reach), which has infinite slope at full stretch and so snaps; the root of a
 * parabola is a straight line and does not. An exponential, as is often used, does not either, but misses goals
 * at 98 % of the length by 0.15 % of it, where the parabola misses by 0.08 %.
 */
export function softenReach(distance: number, softness: number): number {
  stretch[0] = distance;
  stretch[1] = softness;
  softenStretch();
  return stretch[0]!;
}

/** A distance, and the softness that it is softened by. */
const stretch = new Float64Array(2);

/** Softens the distance of `stretch`; see {@link softenReach}. */
function softenStretch(): void {
  const distance = stretch[0]!;
  const softness = stretch[1]!;
  if (!(distance > softness)) return;
  const room = 1 - softness;
  const over = distance - softness;
  stretch[0] = distance < 1 + room ? distance - (over * over) / (4 * room) : 1;
}

/** Below this share of the limb's length between the middle joint and the line, straightBend has a say. */
const STRAIGHT = 0.005;
/** A hinge that points less far than this from the line, in shares of the limb's length, points along its way. */
const HINGE_REACH = 0.05;
/** A line that lies nearer to the axis of a hinge than this, as a sine, says little of where the hinge points. */
const ALONG_AXIS = 0.3;
/** A limb that reaches less than the second of these shares of its length is folded, at the first wholly. */
const FOLDED_LIMB = 0.15;
const FOLDING_LIMB = 0.4;
/** How much the hinge says in a fold where the upper bone lies along the line to the goal. */
const HINGE_SHARE = 0.6;
/** Goals this far from the end, in shares of the length, leave it to the hinge; nearer ones to the pose. */
const GOAL_MOVED = 0.05;
/** How softly a limb is folded wholly, in shares of its length, and at least. */
const FOLD_SOFTNESS = 0.05;
const LEAST_SOFTNESS = 0.002;
/** Two directions closer than this sine to one line leave it to the pose where the bend points. */
const NEARLY_ALONG = 0.1;
/** Nothing shorter than this share of the limb's length has a direction: a thousandth of a hair. */
const NO_SHARE = 1e-9;

/*
 * The scratch of a solve. Numbers that go from one function to another stand in it too: one that is an argument, or
 * given back, is made on the heap wherever the compiler does not write the function out, and here are too many.
 * So behind the three numbers of a vector stands its length.
 */

// a: the line from root to end, b: where the middle joint points, u and l: upper and lower bone; before and after.
const a0 = new Float64Array(4);
const b0 = new Float64Array(4);
const n0 = new Float64Array(4);
const u0 = new Float64Array(4);
const l0 = new Float64Array(4);
const a1 = new Float64Array(4);
const b1 = new Float64Array(4);
const n1 = new Float64Array(4);
const u1 = new Float64Array(4);
const l1 = new Float64Array(4);
const carried = new Float64Array(4);
const missed = new Float64Array(4);
const whole = new Float64Array(4);
const part = new Float64Array(4);
// The axis of a hinge, where it points on the new line, and where the limb's plane would be carried by it.
const axis = new Float64Array(4);
const hinge = new Float64Array(4);
const rolled = new Float64Array(4);
/**
 * How far the middle joint is from where the hinge points, as an angle about the line; how far the limb is folded; how
 * far the middle joint is from the line, in lengths of the limb; how far the goal is from the end, 0 to 1; what is eased.
 */
const fold = new Float64Array(5);
const [ANGLE, SHARE, HEIGHT, AWAY, EASED] = [0, 1, 2, 3, 4] as const;

/** What {@link readPlane} has read: along two axes. */
const plane = new Float64Array(2);

/**
 * Brings the end of a limb of two bones to a goal, exactly and at once: the limb is bent or stretched in its own
 * plane, swung by the smallest turn onto the line to the goal, and turned about that line where a bend is asked
 * for. So the middle joint turns as a hinge does and nothing is twisted that need not be.
 *
 * A knee bends about the axis n that is square to the thigh and to where its front points, and about no other: on a line
 * a it points along n × a, at every fold. (The front itself says so only while the knee is bent by less than a right
 * angle and a half; past that it lies on the other side of the line, and knees were turned round.) In a deep fold a
 * small way of the goal is a large turn of the line: there the middle joint stays as near as can be to where it was, and
 * the bones turn the short way instead of rolling with the plane of the limb.
 *
 * Positions are in model space and in any unit, each in its own store, at the offset that follows it, so that
 * matrices of a model pose can be given as they are. Joints between root and middle, or middle and end, come
 * along rigidly. A goal out of reach is approached softly; one at the root folds the limb; a goal that is no
 * number, or a limb without length, leaves all as it is. The answer's arrays may not be the inputs.
 */
export function solveTwoBone(
  out: TwoBoneSolution,
  root: Float64Array,
  r: number,
  mid: Float64Array,
  m: number,
  end: Float64Array,
  e: number,
  goal: Float64Array,
  g: number,
  options: TwoBoneOptions = TWO_BONE_DEFAULTS,
): void {
  difference(u0, mid, m, root, r);
  difference(l0, end, e, mid, m);
  difference(a0, end, e, root, r);
  difference(a1, goal, g, root, r);
  const upper = u0[3]!;
  const lower = l0[3]!;
  const away = a1[3]!;
  const length = upper + lower;
  if (!(length > 1e-150 && length < 1e150 && away < 1e150)) {
    keep(out, mid, m, end, e, goal, g);
    return;
  }
  if (isPlain(options)) {
    solvePlainly(out, root, r, options);
    return;
  }
  const nothing = NO_SHARE * length;
  const lineBefore = a0[3]!;
  // A folded limb has no line to its end: the upper bone stands in for it, or the lower one.
  if (a0[3]! <= nothing) copyVector(a0, upper > nothing ? u0 : l0);
  normalize(a0);
  if (away <= nothing) copyVector(a1, a0);
  normalize(a1);

  // Where the middle joint points in the pose.
  reject(b0, u0, a0);
  normalize(b0);
  const height = b0[3]! / length;
  const asked = options.bend ?? null;
  let isAsked = false;
  shortestArc(whole, 0, a0, 0, a1, 0);
  const keepsSide = options.keepsSide === true && asked === null;
  fold[ANGLE] = 0;
  fold[HEIGHT] = height;
  fold[EASED] = (Math.min(length, lineBefore) / length - FOLDED_LIMB) / (FOLDING_LIMB - FOLDED_LIMB);
  ease();
  fold[SHARE] = keepsSide ? 1 - fold[EASED]! : 0;
  const isHinge = options.isHinge === true && !!options.straightBend && hingeAxis(options.straightBend);
  if (isHinge) turnToHinge();
  else if (height < STRAIGHT) bendHint(asked, options.straightBend ?? null, height);
  cross(n0, a0, b0);

  // Opposite directions have many smallest turns: the one about the bend keeps it.
  readPlane(a0, a1, a1);
  if (plane[0]! < -1 + 1e-12) {
    copyVector(whole, b0);
    whole[3] = 0;
  }
  rotateVector(b1, 0, whole, 0, b0, 0);
  if (fold[SHARE]! > 0) {
    copyVector(rolled, b1);
    difference(missed, end, e, goal, g);
    fold[EASED] = missed[3]! / (GOAL_MOVED * length);
    ease();
    fold[AWAY] = fold[EASED]!;
    nearestBend(isHinge);
    isAsked = true;
  }
  if (asked !== null) {
    copyVector(carried, asked);
    normalize(carried);
    if (carried[3]! > 0) {
      reject(carried, carried, a1);
      normalize(carried);
      const sine = carried[3]!;
      const share = sine < NEARLY_ALONG ? sine / NEARLY_ALONG : 1;
      for (let c = 0; c < 3; c++) carried[c] = share * carried[c]! + (1 - share) * b1[c]!;
      isAsked = rejectUnit(carried, a1);
    }
  }
  isAsked = swivelBend(options, isAsked);
  if (isAsked) {
    cross(n1, a1, b1);
    readPlane(carried, b1, n1);
    const half = atan2(plane[1]!, plane[0]!) / 2;
    for (let c = 0; c < 3; c++) part[c] = sin(half) * a1[c]!;
    part[3] = cos(half);
    multiplyQuaternions(whole, 0, part, 0, whole, 0);
    copyVector(b1, carried);
  }

  // The triangle: law of cosines, with the side to the goal between |upper − lower| and the full length.
  stretch[0] = away;
  a0[3] = lineBefore;
  findReach(options, keepsSide);
  const reach = stretch[0]!;
  const cosine = upper > nothing ? (upper * upper + reach * reach - lower * lower) / (2 * upper * reach) : 1;
  const clamped = cosine < -1 ? -1 : cosine > 1 ? 1 : cosine;
  const sine = Math.sqrt(1 - clamped * clamped);
  for (let c = 0; c < 3; c++) {
    u1[c] = upper * (clamped * a1[c]! + sine * b1[c]!);
    out.mid[c] = root[r + c]! + u1[c]!;
    l1[c] = reach * a1[c]! - u1[c]!;
    out.end[c] = root[r + c]! + reach * a1[c]!;
    out.bend[c] = b1[c]!;
  }
  if (fold[SHARE]! > 0) {
    rollLess(out.upperTurn, u0, u1);
    rollLess(out.lowerTurn, l0, l1);
  } else {
    turnBone(out.upperTurn, u0, u1);
    turnBone(out.lowerTurn, l0, l1);
  }
  difference(missed, out.end, 0, goal, g);
  out.miss = missed[3]!;
}

/**
 * out = what turns a bone in the plane of the limb, then with the whole limb, onto its new direction. It turns as on a
 * hinge, by the difference of its angles from the line, counted towards the bend.
 */
function turnBone(out: Float64Array, from: Float64Array, to: Float64Array): void {
  readPlane(from, a0, b0);
  sides[0] = plane[0]!;
  sides[1] = plane[1]!;
  readPlane(to, a1, b1);
  sides[2] = plane[0]!;
  sides[3] = plane[1]!;
  sides[4] = from[3]!;
  turnInPlane(out);
  // A nearly straight limb need not lie in the plane that it bends in: what is left is turned the short way.
  rotateVector(carried, 0, out, 0, from, 0);
  shortestArc(part, 0, carried, 0, to, 0);
  multiplyQuaternions(out, 0, part, 0, out, 0);
  signTurn(out);
}

/**
 * How far a bone goes along the line and aside from it, towards the bend: before, and after; and its length, in which no
 * square of these is beyond the range of numbers.
 */
const sides = new Float64Array(5);

/** out = what turns a bone in the plane of the limb by the difference of its angles, as `sides` has them, then with `whole`. */
function turnInPlane(out: Float64Array): void {
  const scale = sides[4]! > 0 ? 1 / sides[4]! : 0;
  const along = scale * sides[0]!;
  const aside = scale * sides[1]!;
  const alongNow = scale * sides[2]!;
  const asideNow = scale * sides[3]!;
  // cos d and sin d of the difference d, both times r; (r + r cos d, r sin d) lies at half of it, and so does
  // (|r sin d|, ±(r − r cos d)), which says more where d is large.
  const cosine = along * alongNow + aside * asideNow;
  const sine = along * asideNow - aside * alongNow;
  const r = Math.sqrt(cosine * cosine + sine * sine);
  const isWide = cosine < 0;
  const w = isWide ? Math.abs(sine) : r + cosine;
  const v = isWide ? (sine < 0 ? cosine - r : r - cosine) : sine;
  const length = Math.sqrt(w * w + v * v);
  // A bone without length, or square to the plane, is turned as the plane is.
  const k = length > 1e-15 ? v / length : 0;
  for (let c = 0; c < 3; c++) out[c] = k * n0[c]!;
  out[3] = length > 1e-15 ? w / length : 1;
  multiplyQuaternions(out, 0, whole, 0, out, 0);
}

/** Scales a turn to unit length, with a cosine that is not below 0. */
function signTurn(out: Float64Array): void {
  const k = 1 / Math.sqrt(out[0]! * out[0]! + out[1]! * out[1]! + out[2]! * out[2]! + out[3]! * out[3]!);
  const sign = out[3]! < 0 ? -k : k;
  for (let c = 0; c < 4; c++) out[c] = sign * out[c]!;
}

/** Unit directions from the root to the end and to the goal, and where the middle joint points, of a limb that is plain. */
const lineNow = new Float64Array(3);
const lineTo = new Float64Array(3);
const points = new Float64Array(3);

/**
 * Whether a limb is clearly bent, to its own side and not far, and goes to a line not far off, without anybody asking
 * where it points: nearly all are in nearly all frames. Its lines and its bend are read then, and `sides` of its upper bone.
 */
function isPlain({ bend, isHinge, straightBend }: TwoBoneOptions): boolean {
  const upper = u0[3]!;
  const before = a0[3]!;
  const away = a1[3]!;
  const length = upper + l0[3]!;
  const nothing = 1e-3 * length;
  if (bend || !(before > FOLDING_LIMB * length && away > nothing)) return false;
  if (!(upper > nothing && l0[3]! > nothing)) return false;
  const ax = a0[0]! / before;
  const ay = a0[1]! / before;
  const az = a0[2]! / before;
  const gx = a1[0]! / away;
  const gy = a1[1]! / away;
  const gz = a1[2]! / away;
  if (!(ax * gx + ay * gy + az * gz > -0.9)) return false;
  const ux = u0[0]!;
  const uy = u0[1]!;
  const uz = u0[2]!;
  const along = ux * ax + uy * ay + uz * az;
  const bx = ux - along * ax;
  const by = uy - along * ay;
  const bz = uz - along * az;
  const aside = Math.sqrt(bx * bx + by * by + bz * bz);
  if (isHinge === true && straightBend) {
    if (!(aside > HINGE_REACH * length)) return false;
    // The hinge points along n × a, n being its axis; its length is the sine that the line makes with n, times that of n.
    const nx = uy * straightBend[2]! - uz * straightBend[1]!;
    const ny = uz * straightBend[0]! - ux * straightBend[2]!;
    const nz = ux * straightBend[1]! - uy * straightBend[0]!;
    const hx = ny * az - nz * ay;
    const hy = nz * ax - nx * az;
    const hz = nx * ay - ny * ax;
    const square = nx * nx + ny * ny + nz * nz;
    if (!(square > 1e-6 * upper * upper)) return false;
    if (!(hx * hx + hy * hy + hz * hz > ALONG_AXIS * ALONG_AXIS * square)) return false;
    if (!(hx * bx + hy * by + hz * bz > 0)) return false;
  } else if (!(aside > STRAIGHT * length)) return false;
  lineNow[0] = ax;
  lineNow[1] = ay;
  lineNow[2] = az;
  lineTo[0] = gx;
  lineTo[1] = gy;
  lineTo[2] = gz;
  points[0] = bx / aside;
  points[1] = by / aside;
  points[2] = bz / aside;
  sides[0] = along;
  sides[1] = aside;
  return true;
}

/**
 * Solves a limb that is plain: it gives what the general way gives, in numbers of its own. Nothing of the plane need be
 * found out, and what is turned in the plane ends in it.
 */
function solvePlainly(out: TwoBoneSolution, root: Float64Array, o: number, options: TwoBoneOptions): void {
  const upper = u0[3]!;
  const lower = l0[3]!;
  const away = a1[3]!;
  if (!options.isPlacesOnly) cross(n0, lineNow, points);
  shortestArc(whole, 0, lineNow, 0, lineTo, 0);
  rotateVector(points, 0, whole, 0, points, 0);
  const swivel = options.swivel ?? 0;
  if (swivel !== 0) {
    const s = sin(swivel / 2);
    const c = cos(swivel / 2);
    cross(carried, lineTo, points);
    for (let i = 0; i < 3; i++) {
      points[i] = (1 - 2 * s * s) * points[i]! + 2 * s * c * carried[i]!;
      part[i] = s * lineTo[i]!;
    }
    part[3] = c;
    if (!options.isPlacesOnly) multiplyQuaternions(whole, 0, part, 0, whole, 0);
  }
  stretch[0] = away;
  findReach(options, options.keepsSide === true);
  const reach = stretch[0]!;
  const cosine = (upper * upper + reach * reach - lower * lower) / (2 * upper * reach);
  const clamped = cosine < -1 ? -1 : cosine > 1 ? 1 : cosine;
  const along = upper * clamped;
  const aside = upper * Math.sqrt(1 - clamped * clamped);
  for (let c = 0; c < 3; c++) {
    out.mid[c] = root[o + c]! + (along * lineTo[c]! + aside * points[c]!);
    out.end[c] = root[o + c]! + reach * lineTo[c]!;
    out.bend[c] = points[c]!;
  }
  out.miss = Math.abs(away - reach);
  if (options.isPlacesOnly) return;
  sides[2] = along;
  sides[3] = aside;
  sides[4] = upper;
  turnInPlane(out.upperTurn);
  signTurn(out.upperTurn);
  sides[0] = a0[3]! - sides[0]!;
  sides[1] = -sides[1]!;
  sides[2] = reach - along;
  sides[3] = -aside;
  sides[4] = lower;
  turnInPlane(out.lowerTurn);
  signTurn(out.lowerTurn);
}

/**
 * How far the limb reaches for a goal at the distance that stands in `stretch`, into the same place: softened, and between
 * |upper − lower| and its length.
 */
function findReach(options: TwoBoneOptions, keepsSide: boolean): void {
  const upper = u0[3]!;
  const lower = l0[3]!;
  const length = upper + lower;
  stretch[0] = stretch[0]! / length;
  stretch[1] = options.softness ?? TWO_BONE_DEFAULTS.softness;
  softenStretch();
  const least = Math.max(Math.abs(upper - lower), 1e-6 * length);
  const wanted = length * stretch[0]!;
  // How much longer than wholly folded the limb is: never less than nothing, and softly.
  const soft = Math.max(LEAST_SOFTNESS * length, Math.min(FOLD_SOFTNESS * length, a0[3]! - least));
  const over = Math.max(0, wanted - least + soft);
  const folded = keepsSide && wanted - least < soft ? least + (over * over) / (4 * soft) : wanted;
  stretch[0] = Math.min(Math.max(folded, least), length);
}

/** carried = where the middle joint points, turned on by what is asked for; gives whether anything is asked of it. */
function swivelBend({ swivel = 0 }: TwoBoneOptions, isAsked: boolean): boolean {
  if (swivel === 0) return isAsked;
  if (!isAsked) copyVector(carried, b1);
  fold[ANGLE] = swivel;
  turnByAngle(carried, carried, a1);
  if (fold[SHARE]! > 0) turnByAngle(rolled, rolled, a1);
  return true;
}

/** b0 = where a limb points that is hardly bent at all: as asked, before the limb is swung, or by the caller's word. */
function bendHint(asked: Float64Array | null, straight: Float64Array | null, height: number): void {
  const hint = asked ?? straight;
  if (hint !== null && asked !== null) unrotate(carried, whole, asked);
  else if (hint !== null) copyVector(carried, hint);
  if (hint === null || !rejectUnit(carried, a0)) {
    if (height > NO_SHARE) copyVector(carried, b0);
    else squareTo(carried, a0);
  }
  const share = height > NO_SHARE ? height / STRAIGHT : 0;
  for (let c = 0; c < 3; c++) b0[c] = share * b0[c]! + (1 - share) * carried[c]!;
  if (!rejectUnit(b0, a0)) copyVector(b0, carried);
}

/** axis = the axis about which a limb bends whose front points along a direction; false where it shows none. */
function hingeAxis(front: Float64Array): boolean {
  cross(axis, u0, front);
  normalize(axis);
  return axis[3]! > 1e-6 * u0[3]!;
}

/** out = where the hinge points on a line, of unit length; its fourth number the sine that the line makes with the axis. */
function hingeOn(out: Float64Array, line: Float64Array): void {
  cross(out, axis, line);
  normalize(out);
}

/**
 * b0 = where a hinge points on the line before, turned from there by as much as the pose shows: all of it where the limb
 * is bent, nothing where it is straight, and on the other side as much less as it is further round, so that a knee that
 * is hyperextended by a hair counts as hardly bent and nothing jumps half way round.
 */
function turnToHinge(): void {
  const height = fold[HEIGHT]!;
  hingeOn(hinge, a0);
  fold[EASED] = hinge[3]! / ALONG_AXIS;
  ease();
  const clear = fold[EASED]!;
  let angle = 0;
  fold[EASED] = height / HINGE_REACH;
  ease();
  if (height > NO_SHARE) {
    cross(n0, hinge, b0);
    readPlane(n0, a0, a0);
    const sine = plane[0]!;
    readPlane(b0, hinge, hinge);
    // A limb that is clearly bent, and to its own side, points as it does; in a fold it is asked by how much.
    if (clear === 1 && fold[EASED] === 1 && plane[0]! > 0 && !(fold[SHARE]! > 0)) return;
    angle = atan2(sine, plane[0]!);
  }
  const round = Math.abs(angle) <= Math.PI / 2 ? angle : Math.sign(angle) * Math.PI - angle;
  fold[ANGLE] = clear * fold[EASED]! * round + (1 - clear) * angle;
  if (hinge[3]! > 1e-9) turnByAngle(b0, hinge, a0);
  else if (height <= NO_SHARE) squareTo(b0, a0);
}

/**
 * carried = where the middle joint points on the new line: in a fold as near as can be to where it was, and where the
 * upper bone lies along the line, where the hinge says. `rolled` = where the plane of the limb would be carried by it.
 * Where the goal is at the end, the pose stays as it is.
 */
function nearestBend(isHinge: boolean): void {
  const share = fold[SHARE]!;
  copyVector(missed, u0);
  normalize(missed);
  reject(carried, missed, a1);
  const square = carried[0]! * carried[0]! + carried[1]! * carried[1]! + carried[2]! * carried[2]!;
  if (isHinge) hingeOn(hinge, a1);
  else copyVector(hinge, b1);
  const word = HINGE_SHARE * (1 - square) * (isHinge ? fold[AWAY]! * Math.min(1, hinge[3]!) : 1);
  for (let c = 0; c < 3; c++) carried[c] = carried[c]! + word * hinge[c]!;
  if (!rejectUnit(carried, a1)) copyVector(carried, b1);
  for (let c = 0; c < 3; c++) carried[c] = share * carried[c]! + (1 - share) * b1[c]!;
  if (!rejectUnit(carried, a1)) copyVector(carried, b1);
  if (!isHinge || !(hinge[3]! > 1e-9)) return;
  turnByAngle(hinge, hinge, a1);
  for (let c = 0; c < 3; c++) rolled[c] = share * hinge[c]! + (1 - share) * b1[c]!;
  if (!rejectUnit(rolled, a1)) copyVector(rolled, b1);
}

/** out = what turns a bone the short way onto its new direction, and rolls it with the limb's plane by what is not folded. */
function rollLess(out: Float64Array, from: Float64Array, to: Float64Array): void {
  shortestArc(out, 0, from, 0, to, 0);
  copyVector(missed, to);
  normalize(missed);
  // n0 is square to the plane before, n1 to the one that it is carried to; both seen along the bone.
  rotateVector(carried, 0, out, 0, n0, 0);
  cross(n1, a1, rolled);
  if (rejectUnit(carried, missed) && rejectUnit(n1, missed)) {
    cross(part, carried, n1);
    readPlane(part, missed, missed);
    const sine = plane[0]!;
    readPlane(carried, n1, n1);
    const half = ((1 - fold[SHARE]!) * atan2(sine, plane[0]!)) / 2;
    for (let c = 0; c < 3; c++) part[c] = sin(half) * missed[c]!;
    part[3] = cos(half);
    multiplyQuaternions(out, 0, part, 0, out, 0);
  }
  signTurn(out);
}

/** Eases what stands under `EASED` from 0 to 1, and holds it there. */
function ease(): void {
  const x = fold[EASED]!;
  const u = x < 0 ? 0 : x > 1 ? 1 : x;
  fold[EASED] = u * u * (3 - 2 * u);
}

/** out = v, which is square to a unit axis, turned about it by the angle of `fold`; they may be one. */
function turnByAngle(out: Float64Array, v: Float64Array, about: Float64Array): void {
  cross(part, about, v);
  const cosine = cos(fold[ANGLE]!);
  const sine = sin(fold[ANGLE]!);
  for (let c = 0; c < 3; c++) out[c] = cosine * v[c]! + sine * part[c]!;
}

function keep(
  out: TwoBoneSolution,
  mid: Float64Array,
  m: number,
  end: Float64Array,
  e: number,
  goal: Float64Array,
  g: number,
): void {
  for (let c = 0; c < 3; c++) {
    out.mid[c] = mid[m + c]!;
    out.end[c] = end[e + c]!;
    out.upperTurn[c] = 0;
    out.lowerTurn[c] = 0;
    out.bend[c] = 0;
  }
  out.upperTurn[3] = 1;
  out.lowerTurn[3] = 1;
  difference(missed, end, e, goal, g);
  out.miss = missed[3]! < Number.POSITIVE_INFINITY ? missed[3]! : Number.POSITIVE_INFINITY;
}

/** out = a − b, and its length. */
function difference(out: Float64Array, a: Float64Array, i: number, b: Float64Array, j: number): void {
  const x = a[i]! - b[j]!;
  const y = a[i + 1]! - b[j + 1]!;
  const z = a[i + 2]! - b[j + 2]!;
  out[0] = x;
  out[1] = y;
  out[2] = z;
  out[3] = Math.sqrt(x * x + y * y + z * z);
}

/** Scales to unit length and notes the length there was; 0, and all as it is, where there was no direction. */
function normalize(v: Float64Array): void {
  const x = v[0]!;
  const y = v[1]!;
  const z = v[2]!;
  const length = Math.sqrt(x * x + y * y + z * z);
  const isLong = length > 1e-150 && length < 1e150;
  v[3] = isLong ? length : 0;
  if (!isLong) return;
  v[0] = x / length;
  v[1] = y / length;
  v[2] = z / length;
}

/** out = the part of v square to a unit axis. */
function reject(out: Float64Array, v: Float64Array, axis: Float64Array): void {
  const along = v[0]! * axis[0]! + v[1]! * axis[1]! + v[2]! * axis[2]!;
  out[0] = v[0]! - along * axis[0]!;
  out[1] = v[1]! - along * axis[1]!;
  out[2] = v[2]! - along * axis[2]!;
}

/** plane = how far v goes along two unit axes. */
function readPlane(v: Float64Array, x: Float64Array, y: Float64Array): void {
  plane[0] = v[0]! * x[0]! + v[1]! * x[1]! + v[2]! * x[2]!;
  plane[1] = v[0]! * y[0]! + v[1]! * y[1]! + v[2]! * y[2]!;
}

function cross(out: Float64Array, a: Float64Array, b: Float64Array): void {
  const x = a[1]! * b[2]! - a[2]! * b[1]!;
  const y = a[2]! * b[0]! - a[0]! * b[2]!;
  out[2] = a[0]! * b[1]! - a[1]! * b[0]!;
  out[0] = x;
  out[1] = y;
}

function copyVector(out: Float64Array, v: Float64Array): void {
  out[0] = v[0]!;
  out[1] = v[1]!;
  out[2] = v[2]!;
}

/** Makes v square to a unit axis and of unit length; false where nothing of it is. */
function rejectUnit(v: Float64Array, axis: Float64Array): boolean {
  normalize(v);
  if (v[3] === 0) return false;
  reject(v, v, axis);
  normalize(v);
  if (v[3]! < 1e-6) return false;
  // Once more: after a near cancellation the first time leaves a millionth of the axis in it.
  reject(v, v, axis);
  normalize(v);
  return v[3]! > 0;
}

/** out = some unit direction square to a unit axis. */
function squareTo(out: Float64Array, axis: Float64Array): void {
  const x = Math.abs(axis[0]!);
  const y = Math.abs(axis[1]!);
  const z = Math.abs(axis[2]!);
  out[0] = x <= y && x <= z ? 1 : 0;
  out[1] = out[0] === 0 && y <= z ? 1 : 0;
  out[2] = out[0] === 0 && out[1] === 0 ? 1 : 0;
  rejectUnit(out, axis);
}

function unrotate(out: Float64Array, q: Float64Array, v: Float64Array): void {
  part[0] = -q[0]!;
  part[1] = -q[1]!;
  part[2] = -q[2]!;
  part[3] = q[3]!;
  rotateVector(out, 0, part, 0, v, 0);
}
