import { DEGREE } from '../../base/math/angles.js';
import { lengthOf } from '../../base/math/functions.js';
import { conjugateQuaternion } from '../../base/math/quaternion.js';
import type { Layer, TurnKey } from '../../options/layer.js';
import { meantName } from '../../options/nearest-name.js';
import { modelPoseOf } from '../../scene/pose.js';
import { findNamed } from '../constraints/find-joints.js';
import type { EditWarning } from '../edit-warnings.js';
import type { EditedBody } from '../edited-body.js';
import { type CurveKey, compileCurve, type VectorCurve } from '../vector-curve.js';
import { compileBand, type SampledTurns } from './band-layer.js';
import { checkLayers } from './check-layers.js';
import type { LayeredJoint } from './layered-joint.js';

/** A layer ready to be added. */
export type CompiledLayer = {
  weight: VectorCurve;
  joints: LayeredJoint[];
  /** Metres, model axes; null for none. */
  hips: VectorCurve | null;
};

/** Layers compiled for a body: plain data that crosses to a worker. */
export type LayerData = {
  layers: CompiledLayer[];
  /** The joint that carries the body, and what it hangs on; −1 for none. */
  travels: number;
  parents: Int32Array;
  container: Float64Array;
  warnings: EditWarning[];
};

/** What layers are compiled for, beside the body. */
export type LayerContext = {
  when: 'before' | 'after';
  /** The clip's name: layers of other clips are left out. */
  clip?: string;
  /** Where the list stands, for messages. */
  at?: string;
  /** The motion under the layers, of which bands are taken; without it layers with a band add nothing. */
  motion?: SampledTurns | null;
};

/**
 * Compiles the layers of one place in the pipeline for a body. A layer means the same on every body: turns are counted
 * in model axes of the aligned reference, and G, the joint's model rotation there, takes them to its own axes; ways
 * are counted in heights of the hips.
 * @throws UsageError that names the place in the document of what cannot be meant. Joints that are not there are left
 * out, with a warning.
 */
export function compileLayers(
  body: EditedBody,
  document: readonly Layer[],
  { when, clip, at = 'layers', motion = null }: LayerContext,
): LayerData {
  const { skeleton } = body;
  const model = modelPoseOf(skeleton, body.reference);
  const warnings: EditWarning[] = [];
  const travels = body.travels ?? body.joints.hips ?? -1;
  const layers = checkLayers(document, at).flatMap((layer, n): CompiledLayer[] => {
    if (layer.muted || (layer.band && !motion) || (layer.when ?? 'before') !== when) return [];
    if (layer.clip !== undefined && clip !== undefined && layer.clip !== clip) return [];
    const joints = Object.entries(layer.joints ?? {}).flatMap(([name, keys]): LayeredJoint[] => {
      const joint = findNamed(body, name);
      if (joint < 0) {
        warnings.push({
          code: 'layer-joint-missing',
          message: `${at}[${n}].joints.${name}: "${skeleton.name}" has no such joint or body part${meantName(name, [...Object.keys(body.joints), ...skeleton.names])}; it was left out`,
        });
        return [];
      }
      if (layer.band) return [];
      const axes = new Float64Array(4);
      conjugateQuaternion(axes, 0, model.rotations, 4 * joint);
      const { curve, turnsFar } = turnCurve(keys);
      if (turnsFar)
        warnings.push({
          code: 'layer-turns-far',
          joint: skeleton.names[joint]!,
          message: `${at}[${n}].joints.${name}: turns by more than 180° from one key to the next; the short way was taken`,
        });
      return [{ joint, curve, axes }];
    });
    const weight = layer.weight ?? 1;
    return [
      {
        weight: compileCurve(
          typeof weight === 'number'
            ? [{ time: 0, values: [weight], ease: 'step' }]
            : weight.map(({ time, value, ease = 'spline' }) => ({ time, values: [value], ease })),
          1,
        ),
        joints: layer.band ? compileBand(body, layer, motion!) : joints,
        hips:
          layer.hips && travels >= 0
            ? compileCurve(
                layer.hips.map(({ time, place, ease = 'spline' }) => ({
                  time,
                  values: place.map((x) => x * body.hipHeight),
                  ease,
                })),
                3,
              )
            : null,
      },
    ];
  });
  return {
    layers,
    travels,
    parents: skeleton.parents,
    container: skeleton.container.slice() as Float64Array,
    warnings,
  };
}

/** A curve of rotation vectors; each key is the one of its turn that is nearest to the key before. */
function turnCurve(keys: readonly TurnKey[]): { curve: VectorCurve; turnsFar: boolean } {
  let turnsFar = false;
  const list: CurveKey[] = [];
  for (const { time, degrees, ease = 'spline' } of keys) {
    let values = degrees.map((x) => x * DEGREE);
    const before = list[list.length - 1]?.values ?? [0, 0, 0];
    const angle = lengthOf(values);
    if (angle > 0) {
      // Turns of 360° more or less about the same axis are the same turn.
      const axis = values.map((x) => x / angle);
      const along = axis.reduce((sum, x, c) => sum + x * before[c]!, 0);
      const nearest = angle + 2 * Math.PI * Math.round((along - angle) / (2 * Math.PI));
      if (Math.abs(nearest - angle) > 1e-9 && list.length > 0) {
        turnsFar = true;
        values = axis.map((x) => x * nearest);
      }
    }
    list.push({ time, values, ease });
  }
  return { curve: compileCurve(list, 3), turnsFar };
}
