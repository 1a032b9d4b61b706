import { childOf, childrenOf, firstValueOf } from '../parse/child-records.js';
import { createBlock, createNode, type FbxNode, type FbxValue, numberOf, textOf } from '../parse/fbx-node.js';
import type { EncodedClips } from './encode-clips.js';

/** The kinds of objects that are animation. */
const ANIMATION: ReadonlySet<string> = new Set([
  'AnimationStack',
  'AnimationLayer',
  'AnimationCurveNode',
  'AnimationCurve',
]);

/** The sections of a file in the order in which readers expect them. */
const SECTIONS = ['Definitions', 'Objects', 'Connections', 'Takes'];

/** A file's records without its animation. */
export function dropClips(nodes: readonly FbxNode[]): FbxNode[] {
  const gone = new Set<FbxValue | undefined>();
  for (const object of childrenOf(nodes.find(({ name }) => name === 'Objects')))
    if (ANIMATION.has(object.name)) gone.add(object.values[0]);
  if (gone.size === 0) return [...nodes];
  return nodes.map((node) => {
    if (node.name === 'Objects')
      return withChildren(
        node,
        childrenOf(node).filter(({ name }) => !ANIMATION.has(name)),
      );
    if (node.name === 'Connections')
      return withChildren(
        node,
        childrenOf(node).filter(({ values }) => !gone.has(values[1]) && !gone.has(values[2])),
      );
    if (node.name === 'Takes')
      return withChildren(
        node,
        childrenOf(node).filter(({ name }) => name !== 'Take'),
      );
    if (node.name === 'Definitions')
      return recount(
        withChildren(
          node,
          childrenOf(node).filter(
            ({ name, values }) => name !== 'ObjectType' || !ANIMATION.has(textOf(values[0])),
          ),
        ),
      );
    return node;
  });
}

/** A file's records with clips added to them; all else stays as it is. */
export function addClips(
  nodes: readonly FbxNode[],
  { objects, connections, takes }: EncodedClips,
): FbxNode[] {
  if (objects.length === 0) return [...nodes];
  const out = [...nodes];
  const update = (name: string, change: (node: FbxNode) => FbxNode) => {
    const at = out.findIndex((node) => node.name === name);
    if (at >= 0) out[at] = change(out[at]!);
    else {
      // After the last section that comes before it.
      const before = SECTIONS.slice(0, SECTIONS.indexOf(name));
      let place = out.length;
      for (let i = 0; i < out.length; i++) if (before.includes(out[i]!.name)) place = i + 1;
      out.splice(place, 0, change(createNode(name, '', [], [])));
    }
  };
  update('Objects', (node) => withChildren(node, [...childrenOf(node), ...objects]));
  update('Connections', (node) => withChildren(node, [...childrenOf(node), ...connections]));
  update('Takes', (node) => {
    const first = textOf(takes[0]?.values[0]);
    const head = childOf(node, 'Current') ? [] : [createNode('Current', 'S', [first])];
    return withChildren(node, [...head, ...childrenOf(node), ...takes]);
  });
  update('Definitions', (node) => {
    const counts = new Map<string, number>();
    for (const { name } of objects) counts.set(name, (counts.get(name) ?? 0) + 1);
    const children = childrenOf(node).map((child) => {
      const more = child.name === 'ObjectType' ? counts.get(textOf(child.values[0])) : undefined;
      if (more === undefined) return child;
      counts.delete(textOf(child.values[0]));
      return withChildren(
        child,
        childrenOf(child).map((count) =>
          count.name === 'Count' ? { ...count, values: [numberOf(count.values[0]) + more] } : count,
        ),
      );
    });
    for (const [type, count] of counts)
      children.push(createNode('ObjectType', 'S', [type], [createNode('Count', 'I', [count])]));
    return recount(withChildren(node, children));
  });
  return out;
}

function withChildren(node: FbxNode, children: readonly FbxNode[]): FbxNode {
  return { ...node, block: createBlock(children) };
}

/** The definitions with their total set right. */
function recount(definitions: FbxNode): FbxNode {
  let total = 0;
  for (const child of childrenOf(definitions))
    if (child.name === 'ObjectType') total += numberOf(firstValueOf(child, 'Count'));
  return withChildren(
    definitions,
    childrenOf(definitions).map((child) => (child.name === 'Count' ? { ...child, values: [total] } : child)),
  );
}
