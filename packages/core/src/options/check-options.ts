import { fieldsOf } from '../base/plain-data.js';
import { checkShape } from './check-shape.js';
import { listOptions, SETUP_OPTIONS } from './list.js';
import type { ListedOptions } from './retarget-options.js';
import type { SetupOptions } from './setup-options.js';
import type { ShapeData } from './shape.js';

/*
 * What types say and JavaScript does not check: a misspelt word would silently be the default, and a number that
 * is none would go through to the last key. What depends on files is looked at where it is used.
 */

type Shapes = ReadonlyMap<string, { shape: ShapeData; place: number }>;

/** Shapes of options by name, with their places in the list: what is given is looked up, as there are many. */
const shapesOf = (isMeant: (name: string) => boolean): Shapes =>
  new Map(
    listOptions().flatMap(([name, { shape }], place) => (isMeant(name) ? [[name, { shape, place }]] : [])),
  );
const SETUP_SHAPES = shapesOf((name) => name in SETUP_OPTIONS);
const OTHER_SHAPES = shapesOf((name) => !(name in SETUP_OPTIONS));

/** Makes sure that the options of `retarget` can be meant, but for those of its setup. @throws UsageError that names the option. */
export function checkRetargetOptions(options: ListedOptions): void {
  check(fieldsOf(options, 'options'), OTHER_SHAPES);
}

/** Makes sure that the options of a setup can be meant. @throws UsageError that names the option. */
export function checkSetupOptions(options: SetupOptions): void {
  check(options, SETUP_SHAPES);
}

function check(options: Readonly<Record<string, unknown>>, shapes: Shapes): void {
  const given: string[] = [];
  // What is inherited counts, as it does where options are read.
  for (const name in options) if (options[name] !== undefined && shapes.has(name)) given.push(name);
  // Of several that are wrong the first of the list is named.
  if (given.length > 1) given.sort((a, b) => shapes.get(a)!.place - shapes.get(b)!.place);
  for (const name of given) {
    const value = options[name];
    // The ground is switched off by null, too.
    if (value === null && name === 'ground') continue;
    checkShape(shapes.get(name)!.shape, value, name);
  }
}
