import type { ShapeData } from '@stuntdouble/core/engine';
import type { Random } from './random.js';
import { hostileName } from './random-names.js';

/** A number that may be given by mistake. */
export function oddNumber(random: Random): number {
  return random.pick([Number.NaN, Number.POSITIVE_INFINITY, -1, 0, 1e-300, 1e300, 1e9, -1e9]);
}

/** A number from `low` to `high`; rarely one that is none of these. */
export function randomNumber(random: Random, low: number, high: number): number {
  return random.chance(0.02) ? oddNumber(random) : low + random.unit() * (high - low);
}

/** Values over time as a curve has them, or one for all of it. */
export function randomCurve(random: Random): unknown {
  return random.chance(0.5)
    ? randomNumber(random, 0, 1.5)
    : Array.from({ length: random.below(4) }, (_, k) => ({
        time: k * 0.3,
        value: randomNumber(random, 0, 1),
        ...(random.chance(0.5) && { easing: random.pick(['step', 'linear', 'smooth']) }),
      }));
}

/** Whether a shape says all that a value must be; what has its own check, or is a program's, does not. */
export function isPlainShape(shape: ShapeData): boolean {
  switch (shape.kind) {
    case 'data':
    case 'code':
      return false;
    case 'list':
    case 'table':
      return isPlainShape(shape.of);
    case 'record':
      return Object.values(shape.fields).every((field) => isPlainShape(field.shape));
    case 'either':
      return isPlainShape(shape.first) && isPlainShape(shape.second);
    default:
      return true;
  }
}

/** A value of a plain shape: usually one that can be meant, now and then a number that cannot. */
export function randomValue(random: Random, shape: ShapeData): unknown {
  const some = () => random.below(4);
  switch (shape.kind) {
    case 'number': {
      const low = shape.least ?? shape.above ?? -3;
      const value = randomNumber(random, low, shape.most ?? low + 6);
      return shape.isWhole ? Math.round(value) : value;
    }
    case 'switch':
      return random.chance(0.5);
    case 'text':
      return hostileName(random);
    case 'choice':
      return random.pick(shape.words);
    case 'list':
      return Array.from({ length: shape.count ?? some() }, () => randomValue(random, shape.of));
    case 'record':
      return Object.fromEntries(
        Object.entries(shape.fields).flatMap(([name, field]) =>
          field.isRequired || random.chance(0.5) ? [[name, randomValue(random, field.shape)]] : [],
        ),
      );
    case 'table': {
      const names = shape.names?.filter(() => random.chance(0.5));
      const all = names ?? Array.from({ length: some() }, () => hostileName(random));
      return Object.fromEntries(all.map((name) => [name, randomValue(random, shape.of)]));
    }
    case 'curve':
      return randomCurve(random);
    case 'either':
      return randomValue(random, random.chance(0.5) ? shape.first : shape.second);
    default:
      throw new Error(`a value that is ${shape.says} cannot be drawn from its shape`);
  }
}
