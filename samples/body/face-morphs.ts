import { add, scale, type Vec3 } from '../vector.js';
import type { SkinnedSurface } from './skin.js';

/** A shape of a face: where a point of a part of it goes, both in T-pose. */
export type FaceMorph = {
  /** By VRM 1.0's name of the expression. */
  name: string;
  move: (part: string, point: Vec3) => Vec3;
};

/** The positions of a surface that a shape has moved. */
export function moveSurface({ name, positions }: SkinnedSurface, move: FaceMorph['move']): number[] {
  const moved: number[] = [];
  for (let v = 0; v < positions.length; v += 3)
    moved.push(...move(name, positions.slice(v, v + 3) as unknown as Vec3));
  return moved;
}

const EYE_PARTS: ReadonlySet<string> = new Set(['eye white', 'iris', 'pupil', 'eye light']);

/** Shapes of a head that `headParts` made: its size, and the point of its own frame in body space. */
export function faceMorphs(at: (point: Vec3) => Vec3, eye: Vec3, size: number): FaceMorph[] {
  const mouth = at([0, 0.034, 0.1]);
  const middle = at(eye);
  const mouthed =
    (width: number, height: number, drop: number): FaceMorph['move'] =>
    (part, point) => {
      if (part !== 'mouth') return point;
      const [x, y, z] = point;
      return [x * width, mouth[1] + (y - mouth[1]) * height - drop * size, z];
    };
  const blinked =
    (isClosed: (x: number) => boolean): FaceMorph['move'] =>
    (part, point) => {
      if (!EYE_PARTS.has(part) || !isClosed(point[0])) return point;
      // The eye closes to a slit a little below its middle.
      const line = middle[1] - 0.006 * size;
      return [point[0], line + (point[1] - line) * 0.1, point[2]];
    };
  const browed =
    (inner: number, outer: number): FaceMorph['move'] =>
    (part, point) => {
      if (part !== 'brows') return point;
      const u = Math.min(1, Math.max(0, (Math.abs(point[0]) / size - 0.02) / 0.042));
      return add(point, scale([0, inner + (outer - inner) * u, 0], size));
    };
  const smiled: FaceMorph['move'] = (part, point) => {
    if (part !== 'mouth') return point;
    const u = point[0] / size / 0.03;
    return [point[0] * 1.35, point[1] + (0.011 * u * u - 0.003) * size, point[2]];
  };
  const both =
    (...moves: FaceMorph['move'][]): FaceMorph['move'] =>
    (part, point) =>
      moves.reduce((now, move) => move(part, now), point);
  return [
    { name: 'aa', move: mouthed(0.9, 3.2, 0.006) },
    { name: 'ih', move: mouthed(1.25, 1.3, 0) },
    { name: 'ou', move: mouthed(0.5, 2, 0.001) },
    { name: 'ee', move: mouthed(1.1, 1.8, 0.001) },
    { name: 'oh', move: mouthed(0.6, 3, 0.004) },
    { name: 'blink', move: blinked(() => true) },
    { name: 'blinkLeft', move: blinked((x) => x > 0) },
    { name: 'blinkRight', move: blinked((x) => x < 0) },
    { name: 'happy', move: both(smiled, browed(0.006, 0.006)) },
    { name: 'angry', move: both(mouthed(0.8, 0.8, 0), browed(-0.012, 0.004)) },
    { name: 'sad', move: both(mouthed(0.8, -1, 0), browed(0.008, -0.008)) },
  ];
}
