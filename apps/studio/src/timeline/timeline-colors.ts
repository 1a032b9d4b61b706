/** Colours of the theme, as they stand in the style sheet. */
export type TimelineColors = Record<
  'panel' | 'line' | 'line2' | 'text' | 'muted' | 'accent' | 'accentGround' | 'good' | 'warn' | 'bad',
  string
>;

/** Reads the colours of the theme that is on. */
export function readColors(): TimelineColors {
  const style = getComputedStyle(document.documentElement);
  const of = (name: string) => style.getPropertyValue(`--${name}`).trim();
  return {
    panel: of('panel'),
    line: of('line'),
    line2: of('line2'),
    text: of('text'),
    muted: of('muted'),
    accent: of('accent'),
    accentGround: of('accent-ground'),
    good: of('good-ground'),
    warn: of('warn-ground'),
    bad: of('bad-ground'),
  };
}
