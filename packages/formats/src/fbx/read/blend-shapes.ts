import { isMendable } from '../../format-error.js';
import { firstValueOf } from '../parse/child-records.js';
import { numberOf } from '../parse/fbx-node.js';
import type { FbxObject, FbxObjects } from '../parse/objects.js';
import { unpackArray } from '../parse/unpack-array.js';
import type { ModelTree } from './model-tree.js';

/** A morph target of a mesh: a blend shape channel. */
export type MorphChannel = {
  object: FbxObject;
  name: string;
  /** The model of the mesh, and its geometry. */
  model: number;
  geometry: FbxObject;
  /** The percentage at which the channel's last shape is reached, usually 100. */
  fullPercent: number;
  /** The percentage that the file leaves it at. */
  percent: number;
};

/** The blend shape channels of a file's meshes, in the file's order. */
export function readMorphChannels(objects: FbxObjects, tree: ModelTree): MorphChannel[] {
  const channels: MorphChannel[] = [];
  for (const object of objects.all) {
    if (object.type !== 'Deformer' || object.subtype !== 'BlendShapeChannel') continue;
    const deformed = deformedBy(objects, tree, object);
    if (!deformed) continue;
    let fullPercent = 100;
    const weights = firstValueOf(object, 'FullWeights');
    if (weights !== undefined) {
      try {
        const list = unpackArray(weights, objects.document.budget, `Deformer ${object.id}.FullWeights`);
        const last = list[list.length - 1];
        if (last !== undefined && Number.isFinite(last) && last !== 0) fullPercent = last;
      } catch (error) {
        if (!isMendable(error)) throw error;
      }
    }
    // Channels without a name of their own are known by their shape.
    const shape = objects.sourcesOf(object).find((link) => link.object.type === 'Geometry');
    channels.push({
      object,
      name: object.name || shape?.object.name || `morph${channels.length}`,
      ...deformed,
      fullPercent,
      percent: numberOf(
        objects.propertyOf(object, 'DeformPercent')?.[0] ?? firstValueOf(object, 'DeformPercent'),
      ),
    });
  }
  return channels;
}

/** The model and geometry that a channel deforms: channel, blend shape, geometry, model. */
function deformedBy(
  objects: FbxObjects,
  tree: ModelTree,
  channel: FbxObject,
): Pick<MorphChannel, 'model' | 'geometry'> | null {
  const shape = objects.targetsOf(channel).find(({ object }) => object.type === 'Deformer');
  const geometry = shape && objects.targetsOf(shape.object).find(({ object }) => object.type === 'Geometry');
  const link =
    geometry && objects.targetsOf(geometry.object).find(({ object }) => tree.indexOf.has(object.id));
  const model = link && tree.indexOf.get(link.object.id);
  return geometry && model !== undefined ? { model, geometry: geometry.object } : null;
}
