import type { Random } from '../random/random.js';

/** Values that stand where another kind of value is expected, or out of every range. */
const ODD_VALUES: readonly unknown[] = [
  ...[null, true, false, '', 'constructor', '__proto__', 'VEC4', 'SCALAR', 'CUBICSPLINE', [], {}, [[]]],
  ...[-1, 0, 1, 2, 3, 4, 5120, 5121, 5123, 5125, 5126, 0.5, 1e-30, 1e30, -1e30, 1e308, 2 ** 31, 2 ** 53],
];

type Place = { holder: Record<string, unknown>; key: string };

/**
 * Changes one member of a document: dropped, doubled, of another kind, out of range, nested.
 * @param worthwhile Members of the document among which nine of ten changes are made; all if left out.
 */
export function changeJson(
  random: Random,
  json: Record<string, unknown>,
  worthwhile: readonly string[] = Object.keys(json),
): void {
  const place = choosePlace(random, json, worthwhile);
  if (!place) return;
  const { holder, key } = place;
  const value = holder[key];
  switch (random.below(9)) {
    case 0:
      if (Array.isArray(holder)) holder.splice(Number(key), 1);
      else delete holder[key];
      break;
    case 1:
      if (Array.isArray(holder)) holder.push(value);
      else holder[`${key}_`] = value;
      break;
    case 2:
      holder[key] = structuredClone(random.pick(ODD_VALUES));
      break;
    case 3: {
      // Something that stands elsewhere: indices of another list, nodes as skins.
      const other = choosePlace(random, json, worthwhile)?.holder ?? {};
      // Only what the file holds: an array has a member `filter` too.
      holder[key] = Object.hasOwn(other, key) ? copyOf(other[key]) : random.below(64);
      break;
    }
    case 4:
      if (typeof value === 'number')
        holder[key] = random.pick([value + 1, value - 1, -value, value * 1000, value / 3, random.below(100)]);
      else if (typeof value === 'string')
        holder[key] = random.pick([`${value}x`, value.slice(1), value.repeat(20)]);
      else holder[key] = random.below(64);
      break;
    case 5:
      if (Array.isArray(value) && value.length > 0)
        for (let n = random.below(40); n >= 0; n--) value.push(value[random.below(value.length)]);
      else holder[key] = [value, value];
      break;
    case 6:
      if (Array.isArray(value)) value.reverse();
      else holder[key] = { [key]: value };
      break;
    case 7:
      holder[key] = nested(random.pick([3, 50, 2000]));
      break;
    default:
      if (Array.isArray(value)) value.length = random.below(value.length + 1);
      else if (typeof value === 'number') holder[key] = random.pick([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  }
}

function nested(depth: number): unknown {
  let value: unknown = 0;
  for (let i = 0; i < depth; i++) value = i % 2 === 0 ? [value] : { a: value };
  return value;
}

function choosePlace(
  random: Random,
  json: Record<string, unknown>,
  worthwhile: readonly string[],
): Place | null {
  const keys = worthwhile.filter((key) => json[key] !== undefined);
  let holder = json;
  let key = random.chance(0.9) && keys.length > 0 ? random.pick(keys) : random.pick(Object.keys(json));
  if (key === undefined) return null;
  // Down at random: most places are deep inside.
  for (let depth = 0; depth < 8; depth++) {
    const value = holder[key];
    if (typeof value !== 'object' || value === null || random.chance(0.12)) break;
    const below = Object.keys(value);
    if (below.length === 0) break;
    holder = value as Record<string, unknown>;
    key = random.pick(below);
  }
  return { holder, key };
}

/** A copy of a value; null of one that is nested too deep to be copied, which an earlier change has put there. */
function copyOf(value: unknown): unknown {
  try {
    return structuredClone(value);
  } catch {
    return null;
  }
}
