import { type Object3D, PropertyBinding } from 'three';

/** What the name of a track says. */
export type ParsedName = {
  nodeName?: string;
  objectName?: string;
  objectIndex?: string;
  propertyName: string;
  propertyIndex?: string;
};

/** So many names are remembered; then all are forgotten, so that no program fills its memory with them. */
const MOST_NAMES = 10_000;

const parsed = new Map<string, ParsedName | null>();

/** What the name of a track says, as three's mixer reads it, each name once; null where it says nothing. */
export function parseTrackName(name: string): ParsedName | null {
  let found = parsed.get(name);
  if (found === undefined) {
    if (parsed.size >= MOST_NAMES) parsed.clear();
    found = parse(name);
    parsed.set(name, found);
  }
  return found;
}

function parse(name: string): ParsedName | null {
  try {
    return PropertyBinding.parseTrackName(name) as ParsedName;
  } catch {
    return null;
  }
}

/**
 * Finds nodes as three's `PropertyBinding.findNode` does, which walks through the scene for every name: here the first
 * node of each name below the root is noted in one walk. Roots, bones of a mesh that is the root, and nodes that are
 * called by their uuid are left to three.js.
 */
export function createNodeFinder(root: Object3D): (name: string) => Object3D | null {
  let named: Map<string, Object3D> | null = null;
  const note = (node: Object3D, into: Map<string, Object3D>) => {
    for (const child of node.children) {
      if (!into.has(child.name)) into.set(child.name, child);
      note(child, into);
    }
    return into;
  };
  return (name) => {
    const isPlain = name !== '' && name !== '.' && name !== root.name && !('skeleton' in root);
    named ??= isPlain ? note(root, new Map()) : null;
    const found = isPlain ? named?.get(name) : undefined;
    return found ?? (PropertyBinding.findNode(root, name) as Object3D | null | undefined) ?? null;
  };
}
