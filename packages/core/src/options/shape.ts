import type { DataPath, Plain } from '../base/plain-data.js';

/** A number: its bounds, and what it counts. */
export type NumberShape = {
  kind: 'number';
  /** The least that is allowed. */
  least?: number;
  most?: number;
  /** What it must be more than. */
  above?: number;
  isWhole?: boolean;
  unit?: string;
};

/** A part of an option that is a record. */
export type FieldData = {
  shape: ShapeData;
  /** What holds where it is left out, in words. */
  default: string;
  /** What it does, in a line, without a capital or a full stop. */
  summary: string;
  isRequired?: boolean;
};

/** What a value looks like, as data: from it values are checked, schemas written, and controls made. */
export type ShapeData =
  | NumberShape
  | { kind: 'switch' }
  | { kind: 'text' }
  | { kind: 'choice'; words: readonly string[] }
  | { kind: 'list'; of: ShapeData; count?: number }
  | { kind: 'record'; fields: Readonly<Record<string, FieldData>> }
  /** Values of one shape by name; `names` where there are no others, `by` says in a word what the names are of. */
  | { kind: 'table'; by: string; of: ShapeData; names?: readonly string[] }
  /** A number, or keys of one over time. */
  | { kind: 'curve' }
  /** One shape or the other, told apart by what a value is; what is neither is measured by the second. */
  | { kind: 'either'; first: ShapeData; second: ShapeData }
  /** What has its own check, and its own JSON Schema. */
  | { kind: 'data'; says: string; schema: Schema; check(value: unknown, at: DataPath): void }
  /** What no file can hold: a function or an object of the program. */
  | { kind: 'code'; says: string };

/** A JSON Schema, or a part of one. */
export type Schema = { [name: string]: Plain };

/** What has a type that it says nothing of at run time; invariant, so that a word more or less is another type. */
export type Typed<T> = { readonly value?: (value: T) => T };

/** The type of the values of a shape, or of an option. */
export type ValueOf<Of> = Of extends { readonly value?: (value: infer T) => unknown } ? T : never;

/** {@link ShapeData} whose values have a type. */
export type Shape<T> = ShapeData & Typed<T>;

/** {@link FieldData} whose values have a type. */
export type Field<T> = FieldData & { shape: Shape<T> };

/** A number, within bounds where there are some. */
export function number(bounds: Omit<NumberShape, 'kind'> = {}): Shape<number> {
  return { kind: 'number', ...bounds };
}

/** True or false. */
export function onOff(): Shape<boolean> {
  return { kind: 'switch' };
}

/** Any text. */
export function text(): Shape<string> {
  return { kind: 'text' };
}

/** One of some words. */
export function choice<const Word extends string>(...words: readonly Word[]): Shape<Word> {
  return { kind: 'choice', words };
}

/** Values one after another. */
export function list<T>(of: Shape<T>): Shape<readonly T[]> {
  return { kind: 'list', of };
}

/** Two numbers. */
export function pair(of: Shape<number>): Shape<readonly [number, number]> {
  return { kind: 'list', of, count: 2 };
}

/** Values by names that are known; the compiler sees to it that none of the type's is forgotten. */
export function record<T>(
  fields: {
    readonly [Name in keyof T]-?: Field<Exclude<T[Name], undefined>>;
  },
): Shape<T> {
  return { kind: 'record', fields };
}

/** A part of a record. */
export function field<T>(shape: Shape<T>, otherwise: string, summary: string): Field<T> {
  return { shape, default: otherwise, summary };
}

/** Values of one shape by any name, or by some that are known. */
export function table<T, Name extends string = string>(
  by: string,
  of: Shape<T>,
  names?: readonly Name[],
): Shape<string extends Name ? Record<string, T> : Partial<Record<Name, T>>> {
  return { kind: 'table', by, of, ...(names && { names }) };
}

/** A value of one shape or of another. */
export function either<A, B>(first: Shape<A>, second: Shape<B>): Shape<A | B> {
  return { kind: 'either', first, second };
}

/** What is checked by a function, be it later where files are at hand. */
export function data<T>(
  says: string,
  schema: Schema = {},
  check: (value: unknown, at: DataPath) => void = () => {},
): Shape<T> {
  return { kind: 'data', says, schema, check };
}

/** What no file can hold. */
export function code<T>(says: string): Shape<T> {
  return { kind: 'code', says };
}
