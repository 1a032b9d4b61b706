import { UsageError } from '../base/errors.js';
import { atan2, cos, sin } from '../base/math/functions.js';
import { multiplyQuaternions } from '../base/math/quaternion.js';
import type { Vec3 } from '../base/math/vector.js';
import { isRole } from '../body/roles.js';
import type { TwistRule } from '../options/joint-rules.js';
import { findJoint } from '../scene/joint-names.js';
import { addFinalLayers } from './add-final-layers.js';
import { addPoseLayers } from './add-pose-layers.js';
import { findTwists, type TwistBone, type TwistJoint } from './parts/find-twists.js';
import { layerWrites } from './parts/layer-setup.js';
import { type CompileContext, compiledOf, definePass } from './pass.js';

/**
 * Shares the twist of arms and shins among the joints that are there for it, so that skin is wrung along the bone and not
 * at its ends. With u the bone in the bind pose, L the local rotation of its own joint, P the product of those from it to
 * the bone's end, and B and C the same in the bind pose,
 *
 *   φ = twist_u(B⁻¹ · L),   ψ = twist_u(P · C⁻¹),   L_k = T(u, a_k · φ + b_k · ψ) · B_k
 *
 * where a and b follow from where the skin of the twist joint k lies along the bone; see {@link findTwists}. All of it is
 * local, so that it may be done to finished keys as well. The bone's own joint keeps its turn unless it is told to
 * share: what the source tells it stays exact, there and back. Where a motion is corrected anyway an upper arm shares
 * whose twist joints would have nothing to take else, since their skin lies beyond its own; where it points stays exact.
 * Of what turns limbs it is the last.
 */
export const spreadTwist = definePass<'spreadTwist', TwistBone[]>({
  name: 'spreadTwist',
  summary: 'shares the twist of arms and shins among their twist joints, by the place of their skin',
  options: ['twist'],
  byKeys: true,
  restsOnOwnBody: true,
  standsAlone: true,
  readsDrivers: true,
  compile(context) {
    const { pair, options } = context;
    const rule: TwistRule = options.twist ?? 'joints';
    const told = typeof rule === 'string' ? new Map<number, number>() : toldShares(context, rule);
    const layered = new Set(
      [addPoseLayers, addFinalLayers].flatMap((pass) => {
        const layers = compiledOf(context, pass);
        return layers ? (layerWrites(layers, { plan: null, found: null }).turnsOn ?? []) : [];
      }),
    );
    const bones = findTwists(pair, rule, told, (joint) => layered.has(joint), context.corrects);
    for (const joint of told.keys())
      if (!bones.some(({ start, joints }) => start === joint || joints.some((each) => each.joint === joint)))
        context.warn({
          code: 'option-without-effect',
          message: `the option twist has no effect on "${pair.target.skeleton.names[joint]}": it hangs on no arm or leg that is moved, or is moved itself`,
        });
    return bones.length > 0 ? bones : null;
  },
  needsFrames: (bones) =>
    bones.some(({ own, kept }) => own !== null || kept.length > 0)
      ? 'limbs share their twist frame by frame'
      : null,
  writes: (bones) => ({
    turns: bones.flatMap(({ joints }) => joints.map(({ joint }) => joint)),
    turnsOn: bones.flatMap(({ start, own, kept }) => [
      ...(own ? [start] : []),
      ...kept.map(({ joint }) => joint),
    ]),
  }),
  prepare: (bones) => {
    const room = roomFor(bones);
    return ({ target }) => {
      for (let n = 0; n < bones.length; n++) spreadBone(target.rotations, bones[n]!, room);
    };
  },
});

/** The shares that are told, by joint. @throws UsageError where a name is neither a joint nor a body part. */
function toldShares(
  { pair: { target } }: CompileContext,
  rule: Readonly<Record<string, number>>,
): Map<number, number> {
  const shares = new Map<number, number>();
  for (const [name, share] of Object.entries(rule)) {
    const joint = findJoint(target.skeleton, name) ?? (isRole(name) ? target.joints[name] : undefined);
    if (joint !== undefined) shares.set(joint, share);
    else if (!isRole(name))
      throw new UsageError(
        `twist names "${name}", which is no joint of "${target.skeleton.name}" and no body part (VRM names, such as leftUpperArm)`,
      );
  }
  return shares;
}

const turn = new Float64Array(8);

/** Room for what the joints of a bone add to its turn, in radians; the bone's own joint stands first. */
export function roomFor(bones: readonly TwistBone[]): Float64Array {
  return new Float64Array(1 + Math.max(0, ...bones.map(({ joints }) => joints.length)));
}

/**
 * Shares the twist of one bone.
 * @param rotations Local rotations of all joints; written.
 * @param added Room, see {@link roomFor}.
 */
export function spreadBone(
  rotations: Float64Array,
  { start, axis, unbind, path, unbindPath, own, joints, kept }: TwistBone,
  added: Float64Array,
): void {
  multiplyQuaternions(turn, 0, unbind, 0, rotations, 4 * start);
  const first = tameTwist(turn, axis);
  let last = 0;
  if (path.length > 0) {
    turn[0] = 0;
    turn[1] = 0;
    turn[2] = 0;
    turn[3] = 1;
    for (let k = 0; k < path.length; k++) multiplyQuaternions(turn, 0, turn, 0, rotations, 4 * path[k]!);
    multiplyQuaternions(turn, 0, turn, 0, unbindPath, 0);
    last = tameTwist(turn, axis);
  }
  added[0] = own === null ? 0 : own.ofStart * first + own.ofEnd * last;
  if (own !== null) {
    turnAbout(turn, axis, added[0]!);
    multiplyQuaternions(rotations, 4 * start, rotations, 4 * start, turn, 0);
  }
  for (let k = 0; k < joints.length; k++) {
    const joint = joints[k]!;
    added[k + 1] = joint.ofStart * first + joint.ofEnd * last;
    turnJoint(rotations, joint, added[k + 1]! - added[joint.above + 1]!);
  }
  for (let k = 0; k < kept.length; k++) turnJoint(rotations, kept[k]!, -added[kept[k]!.above + 1]!);
}

function turnJoint(rotations: Float64Array, { joint, axis, bind }: TwistJoint, angle: number): void {
  turnAbout(turn, axis, angle);
  if (bind === null) multiplyQuaternions(rotations, 4 * joint, turn, 0, rotations, 4 * joint);
  else multiplyQuaternions(rotations, 4 * joint, turn, 0, bind, 0);
}

function turnAbout(out: Float64Array, axis: Vec3, angle: number): void {
  const s = sin(angle / 2);
  out[0] = axis[0] * s;
  out[1] = axis[1] * s;
  out[2] = axis[2] * s;
  out[3] = cos(angle / 2);
}

/** Beyond this a twist is on its way to its opposite, where it may as well be counted the other way round. */
const FAR = (2 / 3) * Math.PI;
/** Where a bone has swung nearly to its opposite (cosines of half the swing: 140 and 170 degrees) its twist means little. */
const SWUNG = 0.34;
const OPPOSITE = 0.09;

/**
 * The twist of a turn about an axis, in radians, so that no turn has one that jumps: fading as the swing comes near a
 * half turn, where twist is anything, and going back to 0 where the twist itself does.
 */
function tameTwist(q: Float64Array, axis: Vec3): number {
  const along = q[0]! * axis[0] + q[1]! * axis[1] + q[2]! * axis[2];
  const upright = Math.sqrt(along * along + q[3]! * q[3]!);
  if (upright <= OPPOSITE) return 0;
  const x = Math.min(1, (upright - OPPOSITE) / (SWUNG - OPPOSITE));
  // Of q and −q, which are one turn, the one whose twist is at most a half turn.
  const angle = 2 * atan2(q[3]! < 0 ? -along : along, Math.abs(q[3]!));
  const size = Math.abs(angle);
  const tamed = size <= FAR ? size : (FAR * (Math.PI - size)) / (Math.PI - FAR);
  return Math.sign(angle) * tamed * x * x * (3 - 2 * x);
}

/** The local rotations of the target that a bone's twist is read from. */
export function readByTwist({ start, path }: TwistBone): number[] {
  return [start, ...path];
}
