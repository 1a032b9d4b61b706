/**
 * Names of joints as people read them: without a beginning that nearly all share (`mixamorig:`, `Bip01 `), which
 * only pushes what matters out of sight.
 */
export function shortNames(names: readonly string[]): string[] {
  const starts = new Map<string, number>();
  for (const name of names) {
    const start = /^[A-Za-z]+\d*[:_ .|-]+/.exec(name)?.[0];
    if (start && start.length < name.length) starts.set(start, (starts.get(start) ?? 0) + 1);
  }
  const [start, count] = [...starts].sort((a, b) => b[1] - a[1])[0] ?? ['', 0];
  // A beginning that some have and others have not may mean something: left_, spine_.
  if (count < 0.8 * names.length || count < 4) return [...names];
  return names.map((name) => (name.startsWith(start) ? name.slice(start.length) : name));
}
