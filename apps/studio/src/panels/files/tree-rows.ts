/** A joint in a tree that is shown as a list. */
export type TreeRow = { joint: number; depth: number; hasChildren: boolean };

/** The joints of a skeleton, each below its parent, without those below closed ones. */
export function treeRows(parents: ArrayLike<number>, closed: ReadonlySet<number>): TreeRow[] {
  const children = Array.from(parents, (): number[] => []);
  const roots: number[] = [];
  for (let joint = 0; joint < parents.length; joint++) (children[parents[joint]!] ?? roots).push(joint);
  const rows: TreeRow[] = [];
  const open = roots.map((joint) => ({ joint, depth: 0 })).reverse();
  for (let row = open.pop(); row; row = open.pop()) {
    const below = children[row.joint]!;
    rows.push({ ...row, hasChildren: below.length > 0 });
    if (closed.has(row.joint)) continue;
    for (const joint of [...below].reverse()) open.push({ joint, depth: row.depth + 1 });
  }
  return rows;
}
