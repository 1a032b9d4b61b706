import type { Vec3 } from '../../base/math/vector.js';
import type { Layer, TurnKey } from '../../options/layer.js';

/** What a person did to one frame: turns by role or joint name in degrees, and the way of the hips in hip heights. */
export type FrameEdit = { time: number; joints?: Readonly<Record<string, Vec3>>; hips?: Vec3 };

/**
 * Spreads an edit of one frame over a span around it: a layer that is the edit at its frame, nothing outside the span,
 * and eased so that no acceleration jumps (three keys, `smoother`).
 * @param span Seconds, from and to; where the frame is not inside, it is widened to hold it.
 */
export function spreadEdit(edit: FrameEdit, span: readonly [number, number], name?: string): Layer {
  const times = [Math.min(span[0], edit.time), edit.time, Math.max(span[1], edit.time)] as const;
  const zero = (): Vec3 => [0, 0, 0];
  const spread = <K extends string>(key: K, value: Readonly<Vec3>) =>
    times.map((time, n) => ({ time, [key]: n === 1 ? [...value] : zero(), ease: 'smoother' as const }));
  return {
    ...(name !== undefined && { name }),
    ...(edit.joints && {
      joints: Object.fromEntries(
        Object.entries(edit.joints).map(([joint, degrees]) => [
          joint,
          spread('degrees', degrees) as unknown as TurnKey[],
        ]),
      ),
    }),
    ...(edit.hips && { hips: spread('place', edit.hips) as unknown as NonNullable<Layer['hips']> }),
  };
}
