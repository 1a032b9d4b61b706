import type { Follower, PlacedJoint } from '../../align/align-references.js';
import { turnMatrix } from '../../align/driver-constants.js';
import { type JointChannels, moveJoint, scaleJointLinearly } from '../../align/joint-channels.js';
import type { RootMove } from '../../align/root-move.js';
import { IDENTITY } from '../../base/math/flat-constants.js';
import { createMatrix, invertMatrix, transformPoint } from '../../base/math/matrix.js';
import { createMemory, remember } from '../../base/remember.js';
import { didWork } from '../../base/watch-work.js';
import { carrierOf, driverOf, type JointPair } from '../../map/rig-map.js';
import { copyRotations } from '../../passes/copy-rotations.js';
import { followSkin } from '../../passes/follow-skin.js';
import { moveJoints } from '../../passes/move-joints.js';
import { moveRoot } from '../../passes/move-root.js';
import type { PlacePlan } from '../../passes/parts/carry-joints.js';
import { type ClipPlan, compiledOf, foundOf, type Pass, type Setup } from '../../passes/pass.js';
import { PASSES, type PassName } from '../../passes/pipeline.js';
import { spreadTwist } from '../../passes/spread-twist.js';
import { type Channel, type Clip, sampleClip, type Track } from '../../scene/clip.js';
import { createPath, followPath } from '../../scene/joint-path.js';
import { copyPose, type Pose } from '../../scene/pose.js';
import { isAncestor, type Skeleton } from '../../scene/skeleton.js';
import { isStill } from '../../scene/still-track.js';
import { factsOfSetup } from '../../setup/setup-facts.js';
import { planClip } from '../plan/plan-clip.js';
import {
  factorsOf,
  type ProductPlan,
  type ProductTurn,
  planPlaces,
  planProduct,
  planShared,
  type SharedProduct,
} from './plan-products.js';

/** How the key core moves one source joint's keys onto one target joint. */
export type KeyTurn = {
  target: number;
  /** The source joint whose rotation keys are taken, or −1 where nothing that drives the target moves. */
  source: number;
  /** The result itself, where `source` is −1. */
  still: Float64Array;
  /** Else q' = pre · q · post, as the one 4×4 matrix that this is: see {@link turnMatrix}. */
  matrix: Float64Array;
};

/** How the key core moves the travelling joint's keys: x' = linear · x + offset, in local spaces. */
export type KeyMove = { target: number; source: number; linear: Float64Array; offset: Float64Array };

/** How the key core moves a joint in its parent, or scales it; `source` is −1 where nothing that does so moves. */
export type KeyChannel = KeyMove & { channel: 'translation' | 'scale' };

/** A clip's way through the key core, or why it cannot be exact there. */
export type KeyPlan = { turns: KeyTurn[]; move: KeyMove | null; channels: KeyChannel[] } | { reason: string };

/**
 * Whether a clip can be moved key by key without any loss, and by which constants.
 *
 * With G_t = G_s · K_t (see copyRotations) the local rotation of a target joint t, whose nearest mapped
 * ancestor a is driven by s_a, is
 *
 *   L_t = U⁻¹ · K_a⁻¹ · (G_sa⁻¹ · G_s) · K_t
 *
 * where U are the still joints between a and t. The bracket is the product of the source's locals from below
 * s_a down to s. If at most one of them is animated it is `left · q · right`, so L_t = pre · q · post: two
 * constant factors, X1 in quaternions. That map is linear in q, so slerp, step and cubic tangents go through
 * it unchanged in kind (WP3, BP5: tangents must not be treated as poses; under a linear map they need no
 * special case).
 */
export function planKeys(
  setup: Setup,
  clip: Clip,
  passes: readonly PassName[],
  found: ClipPlan = planClip(setup, clip, passes),
): KeyPlan {
  const { plan, reason } = planSomeKeys(setup, clip, passes, found);
  return reason === null ? plan : { reason };
}

/** What of a clip can be moved key by key. */
export type SomeKeys = {
  plan: Exclude<KeyPlan, { reason: string }>;
  /** Why that is not all; null where it is. */
  reason: string | null;
  /** The passes that need frames for the rest. */
  passes: readonly PassName[];
  /** All the rest where it needs no passes; null where it does. */
  products: ProductPlan | null;
};

/**
 * Plans the keys of all joints that take over one turn each, and of places and scales where all of them can be
 * kept: see {@link planKeys}, which fails where one cannot. Nothing is planned where passes are on that see the
 * whole body.
 */
export function planSomeKeys(
  setup: Setup,
  clip: Clip,
  passes: readonly PassName[],
  found: ClipPlan = planClip(setup, clip, passes),
): SomeKeys {
  const whole = reasonForFrames(setup, found, passes);
  if (whole !== null)
    return { plan: { turns: [], move: null, channels: [] }, reason: whole, passes, products: null };
  const standing = standStill(clip, setup.source.skeleton);
  const asked = { setup, standing, passes: [...passes] };
  return remember(planned, setup.alignment, asked, () => planStanding(setup, found, standing, passes));
}

/** What keys are planned from. */
type PlannedFrom = { setup: Setup; standing: StandingKeys; passes: readonly PassName[] };

/**
 * The last plan for each pair of bodies, by their alignment: clips of one file mostly move the same joints and leave
 * the others in one pose, and planning is a good part of what moving a clip costs.
 */
const planned = createMemory<PlannedFrom, SomeKeys>(isSamePlan);

function isSamePlan(known: PlannedFrom, { setup, standing, passes }: PlannedFrom): boolean {
  const before = known.setup;
  return (
    before.source === setup.source &&
    before.target === setup.target &&
    before.sourceReference === setup.sourceReference &&
    before.map === setup.map &&
    before.travel === setup.travel &&
    compiledOf(before, moveRoot) === compiledOf(setup, moveRoot) &&
    compiledOf(before, moveJoints) === compiledOf(setup, moveJoints) &&
    compiledOf(before, followSkin) === compiledOf(setup, followSkin) &&
    passes.length === known.passes.length &&
    passes.every((pass, n) => pass === known.passes[n]) &&
    isSameStanding(known.standing, standing)
  );
}

function isSameStanding(a: StandingKeys, b: StandingKeys): boolean {
  return (
    areSameNumbers(a.channels, b.channels) &&
    areSameNumbers(a.pose.rotations, b.pose.rotations) &&
    areSameNumbers(a.pose.translations, b.pose.translations) &&
    areSameNumbers(a.pose.scales, b.pose.scales)
  );
}

function areSameNumbers(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** {@link StandingKeys} as plans are made of it. */
type MovingPose = { pose: Pose; moving: Record<Channel | 'unevenly', ReadonlySet<number>> };

function planStanding(
  setup: Setup,
  found: ClipPlan,
  stands: StandingKeys,
  passes: readonly PassName[],
): SomeKeys {
  const standing: MovingPose = { pose: stands.pose, moving: movingJoints(stands) };
  const plan: SomeKeys['plan'] = { turns: [], move: null, channels: [] };
  const byTarget = new Map(setup.map.joints.map((pair) => [pair.target, pair]));
  const { skeleton } = setup.target;
  const placed = placedIn(setup, passes);
  const isPlacing = placed.length > 0;
  const reasons = isPlacing ? [`"${skeleton.names[placed[0]!.joint]}" is placed frame by frame`] : [];
  const left = new Set(passes);
  // Beside keys that are moved as they are twist is shared when they have been: see `twistTracks`.
  left.delete(spreadTwist.name);
  const products: (ProductTurn | SharedProduct)[] = [];
  if (passes.includes(copyRotations.name))
    for (const pair of [...setup.map.joints, ...followerPairs(setup, byTarget, passes)]) {
      didWork(20);
      const turn = planTurn(setup, standing, byTarget, pair);
      if ('reason' in turn) {
        reasons.push(turn.reason);
        products.push(turn.product);
      } else plan.turns.push(turn);
    }
  const { travel } = setup;
  const rootMove = compiledOf(setup, moveRoot);
  const move =
    travel && rootMove && passes.includes(moveRoot.name)
      ? planMove(setup, standing, byTarget, travel, rootMove)
      : null;
  const channels = passes.includes(moveJoints.name)
    ? planChannels(setup, foundOf(found, moveJoints), standing)
    : [];
  /** Frames must know where these are. */
  const known = placingJoints(setup, placed);
  const leaves = (channel: KeyChannel) => known.has(channel.target) && leavesReference(setup, channel);
  if (
    reasons.length > 0 &&
    !(move && 'reason' in move) &&
    !('reason' in channels) &&
    !channels.some(leaves)
  ) {
    const places = isPlacing ? planPlaces(setup, placed) : [];
    if (places)
      return {
        plan: { turns: [...plan.turns, ...products.flatMap(stillTurn)], move, channels },
        reason: reasons[0]!,
        passes: [],
        products: joinProducts(products, places, { ...plan, move }),
      };
  }
  if (move !== null && 'reason' in move) {
    reasons.push(move.reason);
    for (let at = skeleton.parents[travel!.target]!; at >= 0; at = skeleton.parents[at]!) known.add(at);
  } else if (!isPlacing || move === null || !known.has(move.target)) {
    plan.move = move;
    left.delete(moveRoot.name);
  }
  plan.turns = plan.turns.filter(({ target }) => !known.has(target));
  if ('reason' in channels) reasons.push(channels.reason);
  else if (!channels.some(leaves)) {
    plan.channels = channels;
    left.delete(moveJoints.name);
  }
  return { plan, reason: reasons[0] ?? null, passes: [...left], products: null };
}

/** A product without factors as the constant that it is. */
function stillTurn(product: ProductTurn | SharedProduct): KeyTurn[] {
  if (!('factors' in product) || product.factors.length > 0) return [];
  return [{ target: product.target, source: -1, still: product.pre, matrix: NO_MATRIX }];
}

function joinProducts(
  products: readonly (ProductTurn | SharedProduct)[],
  places: PlacePlan[],
  { turns: moved, move }: SomeKeys['plan'],
): ProductPlan {
  const turns = products.filter((product) => stillTurn(product).length === 0);
  const sources = [...new Set(turns.flatMap(factorsOf))];
  const above = new Set(places.flatMap(({ path }) => [...path]));
  const carrying = moved.flatMap(({ target, source }) => (above.has(target) ? [source] : []));
  return {
    turns: turns.sort((a, b) => a.target - b.target),
    sources,
    places,
    matters: new Set([...sources, ...carrying, ...(move && above.has(move.target) ? [move.source] : [])]),
  };
}

/** The joints that some passes place: those that hang elsewhere than their body part, and what follows by its skin. */
function placedIn(setup: Setup, passes: readonly PassName[]): PlacedJoint[] {
  return [
    ...(passes.includes(copyRotations.name) ? setup.alignment.placed : []),
    ...followersIn(setup, passes),
  ];
}

function followersIn(setup: Setup, passes: readonly PassName[]): Follower[] {
  return passes.includes(followSkin.name) ? (compiledOf(setup, followSkin)?.followers ?? []) : [];
}

/** What follows a carrier turns as what drives that, or what it hangs on, where nothing turns it by itself. */
function followerPairs(
  setup: Setup,
  byTarget: ReadonlyMap<number, JointPair>,
  passes: readonly PassName[],
): JointPair[] {
  return followersIn(setup, passes).flatMap(({ joint, carrier, turn }) => {
    if (turn === null) return [];
    const pair = byTarget.get(carrier) ?? carrierOf(setup, byTarget, carrier);
    return pair ? [{ ...pair, target: joint, role: null }] : [];
  });
}

/** The placed joints, and all that says where they are: what carries them, what they hang on, and all above. */
function placingJoints({ target }: Setup, placed: readonly PlacedJoint[]): Set<number> {
  const { parents } = target.skeleton;
  const joints = new Set<number>();
  for (const { joint, carrier } of placed)
    for (const from of [joint, carrier])
      for (let at = from; at >= 0 && !joints.has(at); at = parents[at]!) joints.add(at);
  return joints;
}

/**
 * Whether a channel is anything but the aligned reference, which frames have anyway: by more than a hundred-thousandth,
 * which float32 keys of several joints lose in a product.
 */
function leavesReference({ alignment }: Setup, { target, source, channel, offset }: KeyChannel): boolean {
  if (source >= 0) return true;
  const { translations, scales } = alignment.pose;
  const store = channel === 'translation' ? translations : scales;
  return offset.some((value, c) => {
    const reference = store[3 * target + c]!;
    return !(Math.abs(value - reference) <= 1e-5 * (Math.abs(reference) + 1e-3));
  });
}

/**
 * Why a whole clip must be baked, whatever its joints do; null where it need not. Corrections are left aside: they are
 * planned for each clip, and where there are any the key way refuses by itself.
 */
function reasonForFrames(setup: Setup, found: ClipPlan, passes: readonly PassName[]): string | null {
  for (const pass of PASSES as readonly Pass[]) {
    const data = (passes as readonly string[]).includes(pass.name) ? compiledOf(setup, pass) : null;
    if (data === null || pass.corrects) continue;
    const reason = whyFrames(pass, data);
    if (reason !== null) return reason;
  }
  if (factsOfSetup(setup).isMirrored) return 'a joint is mirrored by a negative scale';
  const bending = foundOf(found, copyRotations)?.[0];
  return bending ? `the bone of "${setup.source.skeleton.names[bending.start]}" bends` : null;
}

function whyFrames(pass: Pass, data: unknown): string | null {
  if (pass.needsFrames) return pass.needsFrames(data);
  return pass.byKeys ? null : `${pass.name} works frame by frame`;
}

function planTurn(
  setup: Setup,
  { pose, moving }: MovingPose,
  byTarget: ReadonlyMap<number, JointPair>,
  pair: JointPair,
): KeyTurn | { reason: string; product: ProductTurn | SharedProduct } {
  const { source, target } = setup;
  const names = target.skeleton.names;
  const t = pair.target;
  const s = driverOf(pair);
  const carrier = carrierOf(setup, byTarget, t);
  const from = carrier ? driverOf(carrier) : -1;
  const standing = { pose, turning: moving.rotation };
  const shared = pair.share ? pair : carrier?.share ? carrier : null;
  if (shared)
    return {
      reason: `"${names[shared.target]}" shares a turn with its neighbours`,
      product: planShared(setup, standing, byTarget, pair),
    };
  const product = planProduct(setup, standing, byTarget, pair);
  if (from >= 0 && !isAncestor(source.skeleton, from, s))
    return {
      reason: `"${source.skeleton.names[s]}" does not hang on "${source.skeleton.names[from]}", which drives what "${names[t]}" hangs on`,
      product,
    };
  const { pre, factors } = product;
  if (factors.length > 1)
    return {
      reason: `"${names[t]}" takes over the turns of ${factors.length} joints (${factors.map((factor) => `"${source.skeleton.names[factor.source]}"`).join(', ')})`,
      product,
    };
  const [factor] = factors;
  const matrix = factor ? turnMatrix(pre, factor.after ?? IDENTITY) : NO_MATRIX;
  return { target: t, source: factor?.source ?? -1, still: pre, matrix };
}

const NO_MATRIX = new Float64Array(0);

function planChannels(
  setup: Setup,
  found: JointChannels | null,
  { pose, moving }: MovingPose,
): KeyChannel[] | { reason: string } {
  const { skeleton } = setup.source;
  const names = setup.target.skeleton.names;
  const { moves, scalings } = found ?? { moves: [], scalings: [] };
  const channels: KeyChannel[] = [];
  /** Both are linear in what moves: read off at the origin and the three unit points. */
  const readOff = (
    channel: KeyChannel['channel'],
    target: number,
    sources: readonly number[],
    read: (out: Float64Array) => void,
  ) => {
    const source = sources[0] ?? -1;
    if (source < 0) {
      const offset = new Float64Array(3);
      read(offset);
      channels.push({ channel, target, source, linear: new Float64Array(9), offset });
      return;
    }
    const store = channel === 'translation' ? pose.translations : pose.scales;
    const before = store.slice(3 * source, 3 * source + 3);
    const points = [0, 1, 2, 3].map((n) => {
      for (let c = 0; c < 3; c++) store[3 * source + c] = c === n - 1 ? 1 : 0;
      const p = new Float64Array(3);
      read(p);
      return p;
    });
    store.set(before, 3 * source);
    const linear = new Float64Array(9);
    for (let n = 0; n < 3; n++)
      for (let c = 0; c < 3; c++) linear[3 * n + c] = points[n + 1]![c]! - points[0]![c]!;
    channels.push({ channel, target, source, linear, offset: points[0]! });
  };
  for (const move of moves) {
    didWork(10);
    const { path, target } = move;
    const sources = [...path].filter((joint) => moving.translation.has(joint));
    const turning = path.find(
      (joint, n) => n < path.length - 1 && (moving.rotation.has(joint) || moving.scale.has(joint)),
    );
    if (turning !== undefined)
      return { reason: `"${names[target]}" is moved by the turns of "${skeleton.names[turning]}"` };
    if (sources.length > 1)
      return { reason: `"${names[target]}" is moved by ${sources.length} joints of the source` };
    readOff('translation', target, sources, (out) => moveJoint(out, 0, move, pose));
  }
  for (const scaling of scalings) {
    didWork(10);
    const { path, target } = scaling;
    const sources = [...path].filter((joint) => moving.scale.has(joint));
    if (sources.length > 1)
      return { reason: `"${names[target]}" is scaled by ${sources.length} joints of the source` };
    const uneven = sources.find((joint) => moving.unevenly.has(joint));
    if (uneven !== undefined && scaling.isTilted)
      return { reason: `"${names[target]}" is scaled along axes that are not its own` };
    readOff('scale', target, sources, (out) => scaleJointLinearly(out, 0, scaling, pose));
  }
  return channels;
}

function planMove(
  setup: Setup,
  standing: MovingPose,
  byTarget: ReadonlyMap<number, JointPair>,
  travel: NonNullable<Setup['travel']>,
  { from, to, scale }: RootMove,
): KeyMove | { reason: string } {
  const { source, target, alignment } = setup;
  const sourcePath = createPath(source.skeleton, travel.source);
  const targetPath = createPath(target.skeleton, travel.target);
  for (const channel of ['translation', 'rotation', 'scale'] as const) {
    const above = sourcePath.find((joint) => standing.moving[channel].has(joint));
    if (above !== undefined)
      return { reason: `"${source.skeleton.names[above]}", above the hips, is animated` };
  }
  const driven = targetPath.find((joint) => byTarget.has(joint));
  if (driven !== undefined)
    return { reason: `"${target.skeleton.names[driven]}", above the hips, is driven` };
  const into = createMatrix();
  followPath(into, sourcePath, source.skeleton, standing.pose);
  const out = createMatrix();
  followPath(out, targetPath, target.skeleton, alignment.pose);
  invertMatrix(out, 0, out, 0);
  // x' = M_t⁻¹ · (H_t + S · (M_s · x − H_s)), read off at the origin and the three unit points.
  const points = [0, 1, 2, 3].map((n) => {
    const p = new Float64Array(3);
    if (n > 0) p[n - 1] = 1;
    transformPoint(p, 0, into, 0, p, 0);
    for (let c = 0; c < 3; c++) p[c] = to[c]! + scale[c]! * (p[c]! - from[c]!);
    transformPoint(p, 0, out, 0, p, 0);
    return p;
  });
  const linear = new Float64Array(9);
  for (let n = 0; n < 3; n++)
    for (let c = 0; c < 3; c++) linear[3 * n + c] = points[n + 1]![c]! - points[0]![c]!;
  return { target: travel.target, source: travel.source, linear, offset: points[0]! };
}

/** What of a clip moves, and the pose in which all the rest of the skeleton stands while it plays. */
type StandingKeys = {
  pose: Pose;
  /** Per joint {@link KEYED} bits of the channels that have keys, and {@link MOVING} bits of those that move. */
  channels: Uint8Array;
};

/** Bits, of translation, rotation and scale: written by every clip, so sets would be a good part of its time. */
const KEYED: Readonly<Record<Channel, number>> = { translation: 1, rotation: 2, scale: 4 };
const MOVING: Readonly<Record<Channel, number>> = { translation: 8, rotation: 16, scale: 32 };
/** The bit of scales that do not grow alike along all three axes. */
const UNEVENLY_MOVING = 64;

function standStill(clip: Clip, skeleton: Skeleton): StandingKeys {
  const channels = new Uint8Array(skeleton.parents.length);
  const still: Track[] = [];
  for (const track of clip.tracks) {
    const { joint, channel, times } = track;
    if (times.length === 0) continue;
    const isMoving = !isStill(track);
    didWork(5 + 0.1 * times.length);
    if (!isMoving) still.push(track);
    channels[joint] = channels[joint]! | KEYED[channel] | (isMoving ? MOVING[channel] : 0);
    if (isMoving && channel === 'scale' && !isEven(track, skeleton.rest.scales))
      channels[joint]! |= UNEVENLY_MOVING;
  }
  const pose = copyPose(skeleton.rest);
  sampleClip(pose, { ...clip, tracks: still }, 0);
  return { pose, channels };
}

/** Whether a joint grows alike along its three axes, beside its rest. */
function isEven({ joint, values }: Track, rest: Readonly<Float64Array>): boolean {
  const [x, y, z] = [rest[3 * joint]!, rest[3 * joint + 1]!, rest[3 * joint + 2]!];
  for (let i = 0; i < values.length; i += 3) {
    const [a, b, c] = [values[i]! * y * z, values[i + 1]! * x * z, values[i + 2]! * x * y];
    if (Math.abs(a - b) > 1e-6 * Math.abs(a) || Math.abs(a - c) > 1e-6 * Math.abs(a)) return false;
  }
  return true;
}

/** The joints that move in each channel, and those that grow unevenly. */
function movingJoints({ channels }: StandingKeys): MovingPose['moving'] {
  const of = (bit: number) => new Set([...channels.keys()].filter((joint) => channels[joint]! & bit));
  return {
    translation: of(MOVING.translation),
    rotation: of(MOVING.rotation),
    scale: of(MOVING.scale),
    unevenly: of(UNEVENLY_MOVING),
  };
}
