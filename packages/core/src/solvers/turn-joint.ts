import { conjugateQuaternion, multiplyQuaternions } from '../base/math/quaternion.js';

const turn = new Float64Array(4);
const undo = new Float64Array(4);

/**
 * Turns a joint by a turn given in model space, where what it hangs on has been turned too: writes
 * L′ = P⁻¹ · above⁻¹ · own · P · L into its local rotation, with P its parent's model rotation *before*
 * anything was turned.
 *
 * From L′ = (above · P)⁻¹ · own · M and M = P · L. Mirrored scales stand on the right of L and cancel. Leave
 * `above` out (null) where nothing above was turned, `own` where this joint shall keep its model rotation while
 * what is above turns: a foot that stays flat.
 */
export function turnJoint(
  localRotations: Float64Array,
  l: number,
  parentModelRotations: Float64Array,
  p: number,
  above: Float64Array | null,
  own: Float64Array | null,
): void {
  if (above !== null) {
    conjugateQuaternion(turn, 0, above, 0);
    if (own !== null) multiplyQuaternions(turn, 0, turn, 0, own, 0);
  } else if (own !== null) turn.set(own);
  else return;
  conjugateQuaternion(undo, 0, parentModelRotations, p);
  multiplyQuaternions(turn, 0, undo, 0, turn, 0);
  multiplyQuaternions(turn, 0, turn, 0, parentModelRotations, p);
  multiplyQuaternions(localRotations, l, turn, 0, localRotations, l);
}
