/** Writes the pages of a repository that are taken from its code, or with `isCheck` says which are stale. */
export function writeDocs(
  root: string,
  options?: { isCheck?: boolean },
): Promise<{ code: number; lines: string[] }>;
