/** How many levels of a tree are drawn by indentation; deeper chains stay in the last column. */
const DEEPEST = 24;

/** What stands before each joint's name where a skeleton is drawn as a tree, in its own order. */
export function treeBranches(parents: ArrayLike<number>): string[] {
  const lastChild = new Map<number, number>();
  for (let i = 0; i < parents.length; i++) lastChild.set(parents[i]!, i);
  // What stands left of a joint's children: a bar where siblings of the joint follow, else a gap.
  const indents: string[] = [];
  const depths: number[] = [];
  const branches: string[] = [];
  for (let i = 0; i < parents.length; i++) {
    const parent = parents[i]!;
    const depth = parent < 0 ? 0 : depths[parent]! + 1;
    depths[i] = depth;
    const isLast = lastChild.get(parent) === i;
    const before = parent < 0 ? '' : indents[parent]!;
    indents[i] = parent < 0 || depth > DEEPEST ? before : before + (isLast ? '  ' : '│ ');
    branches.push(before + (parent < 0 ? '' : isLast ? '└ ' : '├ '));
  }
  return branches;
}
