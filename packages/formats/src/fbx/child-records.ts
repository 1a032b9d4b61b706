import type { FbxNode, FbxValue } from './fbx-node.js';
import { createHead, readHead, readName, readRecord, readValue } from './packed-records.js';

const NO_NODES: readonly FbxNode[] = [];

/** All records inside another. They are kept once they were asked for. */
export function childrenOf(node: FbxNode | undefined): readonly FbxNode[] {
  const block = node?.block;
  if (!block) return NO_NODES;
  const { store, end } = block;
  if (block.nodes || !store) return block.nodes ?? NO_NODES;
  const nodes: FbxNode[] = [];
  const head = createHead();
  for (let at = block.start; at < end && readHead(head, store, at, end); at = head.end)
    nodes.push(readRecord(store, head));
  block.nodes = nodes;
  return nodes;
}

/** The first record of a name inside another, or undefined. Those beside it stay packed. */
export function childOf(node: FbxNode | undefined, name: string): FbxNode | undefined {
  const block = node?.block;
  if (!block) return undefined;
  const { nodes, store, end } = block;
  if (nodes) {
    for (let i = 0; i < nodes.length; i++) if (nodes[i]!.name === name) return nodes[i];
    return undefined;
  }
  if (!store) return undefined;
  for (let at = block.start; at < end && readHead(head, store, at, end); at = head.end)
    if (readName(store, head) === name) return readRecord(store, head);
  return undefined;
}

const head = createHead();

/** All records of a name inside another. */
export function childrenNamed(node: FbxNode | undefined, name: string): FbxNode[] {
  return childrenOf(node).filter((child) => child.name === name);
}

/** The first value of the first record of a name inside another: what most records have, and all that is asked of them. */
export function firstValueOf(node: FbxNode | undefined, name: string): FbxValue | undefined {
  const block = node?.block;
  const store = block?.store;
  if (!block || block.nodes || !store) return childOf(node, name)?.values[0];
  const { end } = block;
  for (let at = block.start; at < end && readHead(head, store, at, end); at = head.end)
    if (readName(store, head) === name)
      return head.valueCount > 0 ? readValue(store, head.values) : undefined;
  return undefined;
}
