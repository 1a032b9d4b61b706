import { type BlockHolder, childOf } from './child-records.js';
import type { FbxBlock, FbxValue } from './fbx-node.js';
import { createHead, hasName, readFirstText, readHead, readValues } from './packed-records.js';

/** The properties of an object (its `Properties70`): their names, and where each stands. */
export type PropertyList = {
  names: readonly string[];
  /** Per name the place of its record: a byte of the file, or an index where records are not packed. */
  places: readonly number[];
  block: FbxBlock;
};

const NONE: PropertyList = { names: [], places: [], block: { nodes: [], store: null, start: 0, end: 0 } };

/** The values of a property begin after its name, type, label and flags. */
const FIRST_VALUE = 4;

const head = createHead();

/** Finds the properties of a record. Their values are read when they are asked for, as most never are. */
export function listProperties(record: BlockHolder | undefined): PropertyList {
  const block = childOf(record, 'Properties70')?.block;
  if (!block) return NONE;
  const names: string[] = [];
  const places: number[] = [];
  const { nodes, store, end } = block;
  if (nodes)
    nodes.forEach(({ name, values }, i) => {
      if (name !== 'P' || typeof values[0] !== 'string') return;
      names.push(values[0]);
      places.push(i);
    });
  else if (store)
    for (let at = block.start; at < end && readHead(head, store, at, end); at = head.end) {
      const name = hasName(store, head, 'P') ? readFirstText(store, head) : null;
      if (name === null) continue;
      names.push(name);
      places.push(at);
    }
  return { names, places, block };
}

/** The values of a property, or undefined. */
export function valuesIn(
  { names, places, block }: PropertyList,
  name: string,
): readonly FbxValue[] | undefined {
  const n = names.indexOf(name);
  if (n < 0) return undefined;
  const place = places[n]!;
  const { nodes, store, end } = block;
  if (nodes) return nodes[place]!.values.slice(FIRST_VALUE);
  return store && readHead(head, store, place, end) ? readValues(store, head, FIRST_VALUE) : undefined;
}
