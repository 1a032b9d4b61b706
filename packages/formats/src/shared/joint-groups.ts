/** Groups that can be joined (union–find with halved paths). */
export function createGroups(count: number): {
  find(i: number): number;
  join(items: readonly number[]): void;
} {
  const above = Int32Array.from({ length: count }, (_, i) => i);
  const find = (i: number) => {
    let at = i;
    while (above[at] !== at) {
      above[at] = above[above[at]!]!;
      at = above[at]!;
    }
    return at;
  };
  const join = (items: readonly number[]) => {
    for (const item of items) {
      const a = find(items[0]!);
      const b = find(item);
      // The smaller index leads, so that groups come out in the file's order.
      if (a < b) above[b] = a;
      else above[a] = b;
    }
  };
  return { find, join };
}
