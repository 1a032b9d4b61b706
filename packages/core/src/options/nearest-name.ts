/** So many letters may be wrong, of a name that is long enough. */
const MOST_WRONG = 3;

/** The name that was probably meant: the nearest by letters that are wrong, missing or too many; null for none. */
export function nearestName(given: string, names: readonly string[]): string | null {
  const word = given.toLowerCase();
  let nearest: string | null = null;
  let fewest = Math.min(MOST_WRONG, Math.floor(word.length / 3)) + 1;
  for (const name of names) {
    const wrong = editDistance(word, name.toLowerCase());
    if (wrong >= fewest) continue;
    fewest = wrong;
    nearest = name;
  }
  return nearest;
}

/** How many letters must be changed, put in or taken out to get from one word to the other (Levenshtein 1966). */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++)
      next[j] = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1));
    row = next;
  }
  return row[b.length]!;
}
