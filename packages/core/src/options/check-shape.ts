import { UsageError } from '../base/errors.js';
import {
  type DataPath,
  describeValue,
  fieldsOf,
  listAt,
  numberAt,
  oneOf,
  textAt,
} from '../base/plain-data.js';
import type { NumberShape, ShapeData } from './shape.js';

/** Makes sure that a value is of a shape. @throws UsageError that names the first place that is not. */
export function checkShape(shape: ShapeData, value: unknown, at: DataPath): void {
  switch (shape.kind) {
    case 'number':
      checkNumber(shape, numberAt(value, at), at);
      return;
    case 'switch':
      // A text that reads "true" is none of the two.
      if (typeof value !== 'boolean')
        throw new UsageError(`${at}: must be true or false, and is ${describeValue(value)}`);
      return;
    case 'text':
      textAt(value, at);
      return;
    case 'choice':
      oneOf(value, shape.words, at);
      return;
    case 'list':
      checkList(listAt(value, at), shape, at);
      return;
    case 'record':
      checkRecord(value, shape, at);
      return;
    case 'table':
      for (const [name, each] of Object.entries(fieldsOf(value, at))) {
        if (shape.names) oneOf(name, shape.names, at);
        if (each !== undefined) checkShape(shape.of, each, `${at}.${name}`);
      }
      return;
    case 'curve':
      if (typeof value === 'number') numberAt(value, at);
      else listAt(value, at).forEach((key, k) => void checkShape(CURVE_KEY, key, `${at}[${k}]`));
      return;
    case 'either':
      checkShape(fits(shape.first, value) ? shape.first : shape.second, value, at);
      return;
    case 'data':
      shape.check(value, at);
      return;
    case 'code':
      return;
  }
}

/** A key of a curve: seconds, the value then, and how it goes on from there. */
export const CURVE_KEY: ShapeData = {
  kind: 'record',
  fields: {
    time: { shape: { kind: 'number', unit: 's' }, default: '', summary: 'when', isRequired: true },
    value: { shape: { kind: 'number' }, default: '', summary: 'the value then', isRequired: true },
    easing: {
      shape: { kind: 'choice', words: ['step', 'linear', 'smooth', 'smoother'] },
      default: 'linear',
      summary: 'how it goes on to the next key',
    },
  },
};

/** The bounds of a number in words that follow "it"; empty where there are none. */
export function boundsOf({ least, most, above, isWhole }: NumberShape): string {
  const number = isWhole ? 'a whole number' : 'a number';
  if (above === 0 && most === undefined && !isWhole) return 'must be a positive number';
  if (above !== undefined)
    return `must be ${isWhole ? 'whole, ' : ''}above ${above}${most === undefined ? '' : ` and at most ${most}`}`;
  if (least !== undefined && most !== undefined)
    return isWhole ? `must be ${number} from ${least} to ${most}` : `goes from ${least} to ${most}`;
  if (least !== undefined) return `must be ${number} from ${least} on`;
  if (most !== undefined) return `must be ${number} up to ${most}`;
  return isWhole ? `must be ${number}` : '';
}

function checkNumber(shape: NumberShape, value: number, at: DataPath): void {
  const { least = Number.NEGATIVE_INFINITY, most = Number.POSITIVE_INFINITY, above, isWhole } = shape;
  const isInside = value >= least && value <= most && (above === undefined || value > above);
  if (isInside && (!isWhole || Number.isInteger(value))) return;
  const bounds = boundsOf(shape);
  throw new UsageError(
    isWhole || (above !== undefined && shape.most !== undefined)
      ? `${at}: ${bounds}, and is ${value}`
      : `${at} is ${value}; it ${bounds}`,
  );
}

function checkList(values: unknown[], { of, count }: ShapeData & { kind: 'list' }, at: DataPath): void {
  if (count !== undefined && values.length !== count)
    throw new UsageError(`${at}: must be ${count} values, and is ${values.length}`);
  values.forEach((each, i) => void checkShape(of, each, `${at}[${i}]`));
}

function checkRecord(value: unknown, { fields }: ShapeData & { kind: 'record' }, at: DataPath): void {
  const given = fieldsOf(value, at);
  const names = Object.keys(fields);
  for (const name of Object.keys(given)) oneOf(name, names, at);
  for (const [name, { shape, isRequired }] of Object.entries(fields))
    if (given[name] !== undefined || isRequired) checkShape(shape, given[name], `${at}.${name}`);
}

/** Whether a value is of the sort that a shape speaks of, right or wrong. */
function fits(shape: ShapeData, value: unknown): boolean {
  switch (shape.kind) {
    case 'number':
      return typeof value === 'number';
    case 'switch':
      return typeof value === 'boolean';
    case 'text':
    case 'choice':
      return typeof value === 'string';
    case 'list':
      return Array.isArray(value);
    case 'either':
      return fits(shape.first, value) || fits(shape.second, value);
    default:
      return typeof value === 'object' && value !== null && !Array.isArray(value);
  }
}
