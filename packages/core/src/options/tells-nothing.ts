/**
 * Whether options say nothing but whether feet and hands are corrected and results measured, as most callers do: then
 * there is no list to look anything up in. A word that cannot be meant is something else.
 */
export function tellsNothing(options: Readonly<Record<string, unknown>>): boolean {
  // What is inherited counts, as it does where options are read.
  for (const name in options) {
    const value = options[name];
    if (value === undefined) continue;
    const isPlain =
      name === 'corrections' ? value === 'auto' || value === 'none' : name === 'measure' && value === !!value;
    if (!isPlain) return false;
  }
  return true;
}
