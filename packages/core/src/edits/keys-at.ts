import { UsageError } from '../base/errors.js';
import { CURVE_EASES, type CurveEase } from '../base/math/easing.js';
import { type DataPath, knownFieldsOf, listAt, oneOf } from '../base/plain-data.js';

/**
 * Keys of a document in rising order of time, checked and copied. Seconds are not compared with frames, which need
 * the clip's rate.
 * @param timeAt Reads a key's time.
 * @param names What a key may hold besides its time and ease.
 * @param valueAt Reads what a key holds besides its time.
 * @throws UsageError that names the first that cannot be meant, or the list where it is empty and may not be.
 */
export function keysAt<Time, Value extends object>(
  value: unknown,
  at: DataPath,
  timeAt: (value: unknown, at: DataPath) => Time,
  names: readonly string[],
  valueAt: (fields: Record<string, unknown>, at: DataPath) => Value,
  allowNone = false,
): (Value & { time: Time; ease?: CurveEase })[] {
  const list = listAt(value, at);
  if (list.length === 0 && !allowNone) throw new UsageError(`${at}: must hold a key, and is empty`);
  let last = Number.NEGATIVE_INFINITY;
  let lastFrame = Number.NEGATIVE_INFINITY;
  return list.map((each, n) => {
    const where = `${at}[${n}]`;
    const fields = knownFieldsOf(each, ['time', ...names, 'ease'], where, 'a key has');
    const time = timeAt(fields.time, `${where}.time`);
    if (typeof time === 'number') {
      if (time < last) throw new UsageError(`${where}.time: must not be before ${last} s, and is ${time}`);
      last = time;
    } else if (isFrame(time)) {
      if (time.frame < lastFrame)
        throw new UsageError(
          `${where}.time.frame: must not be before frame ${lastFrame}, and is ${time.frame}`,
        );
      lastFrame = time.frame;
    }
    const key = { time, ...valueAt(fields, where) };
    return fields.ease === undefined
      ? key
      : { ...key, ease: oneOf(fields.ease, CURVE_EASES, `${where}.ease`) };
  });
}

function isFrame(time: unknown): time is { frame: number } {
  return typeof time === 'object' && time !== null && 'frame' in time;
}
