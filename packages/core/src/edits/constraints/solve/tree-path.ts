/** Whether `above` is `joint` or stands above it, where parents stand before their children. */
export function isAncestorInTree(parents: Int32Array, above: number, joint: number): boolean {
  let at = joint;
  while (at > above) at = parents[at]!;
  return at === above;
}

/**
 * The columns of a tree of joints, three each, from leaves to root, every limb by itself; then those of the hips' place, which
 * moves them all.
 * @param parents Where each joint's parent stands in the list, before it; −1 for none.
 */
export function columnsFromLeaves(parents: ArrayLike<number>): Int32Array {
  const count = parents.length;
  const order = new Int32Array(3 * count + 3);
  let at = 0;
  const add = (i: number): void => {
    for (let c = 3 * i; c < 3 * i + 3; c++) order[at++] = c;
  };
  const addBelow = (joint: number): void => {
    for (let i = joint + 1; i < count; i++)
      if (parents[i] === joint) {
        addBelow(i);
        add(i);
      }
  };
  addBelow(-1);
  add(count);
  return order;
}
