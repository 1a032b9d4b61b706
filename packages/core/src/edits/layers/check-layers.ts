import { UsageError } from '../../base/errors.js';
import type { Vec3 } from '../../base/math/vector.js';
import {
  type DataPath,
  fieldsOf,
  knownFieldsOf,
  listAt,
  numberAt,
  numbersAt,
  oneOf,
  switchAt,
  textAt,
} from '../../base/plain-data.js';
import type { Layer, PlaceKey, TurnKey, WeightKey } from '../../options/layer.js';
import { keysAt } from '../keys-at.js';

const LAYER_FIELDS = ['name', 'clip', 'when', 'weight', 'muted', 'joints', 'hips', 'band', 'gain'] as const;

/**
 * Layers of a document, checked and copied.
 * @param at Where the list stands, for messages: `recipe.layers`.
 * @throws UsageError that names the place of the first part that cannot be meant as it stands.
 */
export function checkLayers(value: unknown, at: DataPath = 'layers'): Layer[] {
  return listAt(value, at).map((each, n) => checkLayer(each, `${at}[${n}]`));
}

function checkLayer(value: unknown, at: DataPath): Layer {
  const fields = knownFieldsOf(value, LAYER_FIELDS, at, 'a layer has');
  const layer: Layer = {};
  for (const name of ['name', 'clip'] as const)
    if (fields[name] !== undefined) layer[name] = textAt(fields[name], `${at}.${name}`);
  if (fields.when !== undefined) layer.when = oneOf(fields.when, ['before', 'after'], `${at}.when`);
  if (fields.muted !== undefined) layer.muted = switchAt(fields.muted, `${at}.muted`);
  if (fields.weight !== undefined)
    // What is no list is to be a number: that is what most want.
    layer.weight = !Array.isArray(fields.weight)
      ? numberAt(fields.weight, `${at}.weight`)
      : keysAt(
          fields.weight,
          `${at}.weight`,
          numberAt,
          ['value'],
          (key, where): Pick<WeightKey, 'value'> => ({
            value: numberAt(key.value, `${where}.value`),
          }),
        );
  if (fields.joints !== undefined) {
    // As entries, so that no name reaches a prototype.
    layer.joints = Object.fromEntries(
      Object.entries(fieldsOf(fields.joints, `${at}.joints`)).map(([name, keys]) => [
        name,
        turnsAt(keys, `${at}.joints.${name}`, fields.band !== undefined),
      ]),
    );
  }
  if (fields.hips !== undefined)
    layer.hips = keysAt(
      fields.hips,
      `${at}.hips`,
      numberAt,
      ['place'],
      (key, where): Pick<PlaceKey, 'place'> => ({
        place: numbersAt(key.place, `${where}.place`, 3) as Vec3,
      }),
    );
  if (fields.band !== undefined) {
    const [low, high] = numbersAt(fields.band, `${at}.band`, 2) as [number, number];
    if (!(low >= 0 && high > low))
      throw new UsageError(
        `${at}.band: must be two rising numbers of cycles a second, and is ${low}, ${high}`,
      );
    layer.band = [low, high];
  }
  if (fields.gain !== undefined) layer.gain = numberAt(fields.gain, `${at}.gain`);
  if (layer.gain !== undefined && !layer.band) throw new UsageError(`${at}.gain: needs a band to scale`);
  return layer;
}

/** Keys of a joint; none where a band of its motion is scaled, which they would not be added to. */
function turnsAt(value: unknown, at: DataPath, isOfBand: boolean): TurnKey[] {
  if (isOfBand && listAt(value, at).length > 0)
    throw new UsageError(`${at}: must be empty beside a band; give keys to a layer of their own`);
  return keysAt(
    value,
    at,
    numberAt,
    ['degrees'],
    (key, where): Pick<TurnKey, 'degrees'> => ({
      degrees: numbersAt(key.degrees, `${where}.degrees`, 3) as Vec3,
    }),
    isOfBand,
  );
}
