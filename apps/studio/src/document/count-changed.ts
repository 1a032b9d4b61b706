import type { Plain, Recipe } from '@stuntdouble/core/engine';

/** How many settings of a recipe differ from their defaults, and what was made by hand. Contacts are counted by clip. */
export function countChanged({ settings, passes, constraints = [], layers = [] }: Recipe): number {
  const leaves = (value: Plain): number =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Math.max(
          1,
          Object.values(value).reduce((sum: number, inner) => sum + leaves(inner as Plain), 0),
        )
      : 1;
  return Object.entries(settings ?? {}).reduce(
    (sum, [name, value]) => sum + (name === 'contacts' ? Object.keys(value as object).length : leaves(value)),
    (passes ? 1 : 0) + constraints.length + layers.length,
  );
}
