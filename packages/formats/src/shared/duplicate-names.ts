import type { Skeleton, Warning } from '@stuntdouble/core';

/** Warns of the first name that several joints of a skeleton carry: maps by name must tell them apart. */
export function warnOfDuplicateNames({ names }: Skeleton, warnings: Warning[]): void {
  const seen = new Set<string>();
  const twice = names.find((name) => seen.has(name) || !seen.add(name));
  if (twice !== undefined)
    warnings.push({ code: 'name-duplicate', message: `Several joints are named "${twice}".`, joint: twice });
}
