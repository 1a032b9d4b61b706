import { UsageError } from '../../base/errors.js';
import { CURVE_EASES, type CurveEase } from '../../base/math/easing.js';
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
    layer.weight =
      typeof fields.weight === 'number'
        ? numberAt(fields.weight, `${at}.weight`)
        : keysAt(
            fields.weight,
            `${at}.weight`,
            (key, where): Pick<WeightKey, 'value'> => ({
              value: numberAt(key.value, `${where}.value`),
            }),
          );
  if (fields.joints !== undefined) {
    // As entries, so that no name reaches a prototype.
    layer.joints = Object.fromEntries(
      Object.entries(fieldsOf(fields.joints, `${at}.joints`)).map(([name, keys]) => [
        name,
        keysAt(
          keys,
          `${at}.joints.${name}`,
          (key, where): Pick<TurnKey, 'degrees'> => ({
            degrees: numbersAt(key.degrees, `${where}.degrees`, 3) as Vec3,
          }),
          fields.band !== undefined,
        ),
      ]),
    );
  }
  if (fields.hips !== undefined)
    layer.hips = keysAt(
      fields.hips,
      `${at}.hips`,
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

/** Keys in rising order of time. */
function keysAt<T extends object>(
  value: unknown,
  at: DataPath,
  read: (fields: Record<string, unknown>, at: DataPath) => T,
  allowNone = false,
): (T & { time: number; ease?: CurveEase })[] {
  const list = listAt(value, at);
  if (list.length === 0 && !allowNone) throw new UsageError(`${at}: must hold a key, and is empty`);
  let last = Number.NEGATIVE_INFINITY;
  return list.map((each, n) => {
    const where = `${at}[${n}]`;
    const fields = fieldsOf(each, where);
    const time = numberAt(fields.time, `${where}.time`);
    if (time < last) throw new UsageError(`${where}.time: must not be before ${last} s, and is ${time}`);
    last = time;
    const key = { time, ...read(fields, where) };
    return fields.ease === undefined
      ? key
      : { ...key, ease: oneOf(fields.ease, CURVE_EASES, `${where}.ease`) };
  });
}
