/**
 * Adds a value to the list that a map keeps for a key, and makes the list where there is none yet. Lists that are copied
 * for each value take a time that grows with the square of their length, which a file may decide.
 */
export function addToList<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}
