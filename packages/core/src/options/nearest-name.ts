/** So many letters may be wrong, of a name that is long enough. */
const MOST_WRONG = 3;

/**
 * The name that was probably meant: the nearest by letters that are wrong, missing, too many or exchanged with their
 * neighbour; null for none.
 */
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

/** What is added to a message about a name that is not there: the one that was probably meant, or nothing. */
export function meantName(given: string, names: readonly string[]): string {
  const meant = nearestName(given, names);
  return meant === null ? '' : ` (did you mean "${meant}"?)`;
}

/**
 * How many letters must be changed, put in, taken out or exchanged with their neighbour to get from one word to the other
 * (Damerau 1964): hands that type fast exchange them.
 */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      next[j] = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        next[j] = Math.min(next[j]!, before[j - 2]! + 1);
    }
    before = row;
    row = next;
  }
  return row[b.length]!;
}
