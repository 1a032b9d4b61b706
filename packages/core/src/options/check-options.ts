import { fieldsOf } from '../base/plain-data.js';
import { checkShape } from './check-shape.js';
import { listOptions, SETUP_OPTIONS } from './list.js';
import type { ListedOptions } from './retarget-options.js';
import type { SetupOptions } from './setup-options.js';
import type { ShapeData } from './shape.js';
import { tellsNothing } from './tells-nothing.js';

/*
 * What types say and JavaScript does not check: a misspelt word would silently be the default, and a number that
 * is none would go through to the last key. What depends on files is looked at where it is used.
 */

type Shapes = ReadonlyMap<string, { shape: ShapeData; place: number }>;

/** Shapes of options by name, with their places in the list: what is given is looked up, as there are many. */
function shapesOf(isMeant: (name: string) => boolean): Shapes {
  return new Map(
    listOptions().flatMap(([name, { shape }], place) => (isMeant(name) ? [[name, { shape, place }]] : [])),
  );
}

function listSetupShapes(): Shapes {
  return shapesOf((name) => name in SETUP_OPTIONS);
}

function listOtherShapes(): Shapes {
  return shapesOf((name) => !(name in SETUP_OPTIONS));
}

let setupShapes: Shapes | undefined;
let otherShapes: Shapes | undefined;

/** Makes sure that the options of `retarget` can be meant, but for those of its setup. @throws UsageError that names the option. */
export function checkRetargetOptions(options: ListedOptions): void {
  const given = fieldsOf(options, 'options');
  if (tellsNothing(given)) return;
  otherShapes ??= listOtherShapes();
  check(given, otherShapes);
}

/** Makes sure that the options of a setup can be meant. @throws UsageError that names the option. */
export function checkSetupOptions(options: SetupOptions): void {
  if (tellsNothing(options)) return;
  setupShapes ??= listSetupShapes();
  check(options, setupShapes);
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
