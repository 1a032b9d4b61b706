/**
 * How something goes from 0 to 1: straight; with no speed at both ends (`smooth`); with no speed and no acceleration
 * there (`smoother`); or all at once at the end (`step`).
 */
export type Ease = 'linear' | 'smooth' | 'smoother' | 'step';

/** All easings. */
export const EASES: readonly Ease[] = ['linear', 'smooth', 'smoother', 'step'];

/** How a curve goes on from a key to the next: as a smooth line through all of them (`spline`), or by an easing. */
export type CurveEase = 'spline' | Ease;

/** All of them. */
export const CURVE_EASES: readonly CurveEase[] = ['spline', 'linear', 'smooth', 'smoother', 'step'];

/** The share that is done after the share `u` of the time; below 0 and above 1 it stands still. */
export function easeAt(ease: Ease, u: number): number {
  if (!(u > 0)) return 0;
  if (u >= 1) return 1;
  if (ease === 'linear') return u;
  if (ease === 'step') return 0;
  return ease === 'smooth' ? u * u * (3 - 2 * u) : u * u * u * (u * (6 * u - 15) + 10);
}
