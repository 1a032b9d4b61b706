import { createArray, type FbxBlock, type FbxNode, type FbxValue } from './fbx-node.js';
import {
  createHead,
  hasName,
  readBlock,
  readHead,
  readName,
  readRecord,
  readValue,
  readValuesInto,
} from './packed-records.js';

/** Whatever has records inside it. */
export type BlockHolder = { readonly block: FbxBlock | null };

const NO_NODES: readonly FbxNode[] = [];

/** All records inside another. They are kept once they were asked for. */
export function childrenOf(record: BlockHolder | undefined): readonly FbxNode[] {
  const block = record?.block;
  if (!block) return NO_NODES;
  const { store, end } = block;
  if (block.nodes || !store) return block.nodes ?? NO_NODES;
  const nodes: FbxNode[] = [];
  for (let at = block.start; at < end && readHead(head, store, at, end); at = head.end)
    nodes.push(readRecord(store, head));
  block.nodes = nodes;
  return nodes;
}

const head = createHead();

/** Calls a function with each record inside another. The list of values is the next record's once it returns. */
export function forEachChild(
  record: BlockHolder | undefined,
  visit: (name: string, values: readonly FbxValue[], block: FbxBlock | null) => void,
): void {
  const block = record?.block;
  if (!block) return;
  const { nodes, store, end } = block;
  if (nodes || !store) for (const { name, values, block: own } of nodes ?? NO_NODES) visit(name, values, own);
  else {
    const each = createHead();
    const values: FbxValue[] = [];
    for (let at = block.start; at < end && readHead(each, store, at, end); at = each.end) {
      readValuesInto(values, store, each);
      visit(readName(store, each), values, readBlock(store, each));
    }
  }
}

/** The first record of a name inside another, or undefined. Those beside it stay packed. */
export function childOf(record: BlockHolder | undefined, name: string): FbxNode | undefined {
  const block = record?.block;
  if (!block) return undefined;
  const { nodes, store, end } = block;
  if (nodes) {
    for (let i = 0; i < nodes.length; i++) if (nodes[i]!.name === name) return nodes[i];
    return undefined;
  }
  if (!store) return undefined;
  for (let at = block.start; at < end && readHead(head, store, at, end); at = head.end)
    if (hasName(store, head, name)) return readRecord(store, head);
  return undefined;
}

/** All records of a name inside another. */
export function childrenNamed(record: BlockHolder | undefined, name: string): FbxNode[] {
  return childrenOf(record).filter((child) => child.name === name);
}

/** The first value of a record. Text may have the numbers of an array one by one, as values of their own. */
function firstOf(node: FbxNode | undefined): FbxValue | undefined {
  const values = node?.values;
  if (!values || values.length < 2) return values?.[0];
  const numbers = values.filter((value) => typeof value === 'number');
  if (numbers.length < values.length) return values[0];
  const isWhole = numbers.every((value) => Number.isSafeInteger(value) && !Object.is(value, -0));
  return createArray(isWhole ? 'l' : 'd', numbers);
}

/** The first value of the first record of a name inside another: all that most records have. */
export function firstValueOf(record: BlockHolder | undefined, name: string): FbxValue | undefined {
  const out: (FbxValue | undefined)[] = [undefined];
  readFirstValues(out, record, [name]);
  return out[0];
}

/**
 * out = the first values of the first records of some names inside another, undefined where there are none; in
 * one walk, as the records of curves are many.
 */
export function readFirstValues(
  out: (FbxValue | undefined)[],
  record: BlockHolder | undefined,
  names: readonly string[],
): void {
  const block = record?.block;
  const store = block?.store;
  for (let n = 0; n < names.length; n++) out[n] = undefined;
  if (!block || block.nodes || !store) {
    for (let n = 0; n < names.length; n++) out[n] = firstOf(childOf(record, names[n]!));
    return;
  }
  const { end } = block;
  for (let at = block.start; at < end && readHead(head, store, at, end); at = head.end)
    for (let n = 0; n < names.length; n++)
      if (hasName(store, head, names[n]!)) {
        if (head.valueCount > 0) out[n] ??= readValue(store, head.values);
        break;
      }
}
