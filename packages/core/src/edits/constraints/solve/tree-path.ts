/** Whether `above` is `joint` or stands above it, where parents stand before their children. */
export function isAncestorInTree(parents: Int32Array, above: number, joint: number): boolean {
  let at = joint;
  while (at > above) at = parents[at]!;
  return at === above;
}
