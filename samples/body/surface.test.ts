import { describe, expect, it } from 'vitest';
import { behind, capsule, ellipsoid, type Part } from './shape.js';
import { createSurface, removeHidden, type Surface } from './surface.js';

const ball: Part = {
  name: 'ball',
  color: '#ffffff',
  blobs: [ellipsoid('head', [0.1, 1, -0.2], [0.1, 0.1, 0.1])],
  cell: [0.02, 0.02, 0.02],
};

/** How often each edge is used, by direction. A closed, well-turned surface uses each once each way. */
function isClosed({ triangles }: Surface): boolean {
  const edges = new Map<string, number>();
  for (let t = 0; t < triangles.length; t += 3)
    for (let c = 0; c < 3; c++) {
      const [a, b] = [triangles[t + c]!, triangles[t + ((c + 1) % 3)]!];
      edges.set(`${a} ${b}`, (edges.get(`${a} ${b}`) ?? 0) + 1);
    }
  return [...edges].every(([edge, count]) => {
    const [a, b] = edge.split(' ');
    return count === 1 && edges.get(`${b} ${a}`) === 1;
  });
}

/** The volume inside, by the divergence theorem; negative where triangles are turned inside out. */
function volumeOf({ positions, triangles }: Surface): number {
  let sum = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [0, 1, 2].map((n) =>
      positions.slice(3 * triangles[t + n]!, 3 * triangles[t + n]! + 3),
    ) as [number[], number[], number[]];
    sum +=
      a[0]! * (b[1]! * c[2]! - b[2]! * c[1]!) +
      a[1]! * (b[2]! * c[0]! - b[0]! * c[2]!) +
      a[2]! * (b[0]! * c[1]! - b[1]! * c[0]!);
  }
  return sum / 6;
}

describe('createSurface', () => {
  it('closes a ball of the right volume, with vertices on it and normals outwards', () => {
    const surface = createSurface(ball);
    expect(isClosed(surface)).toBe(true);
    expect(volumeOf(surface)).toBeGreaterThan(0.95 * (4 / 3) * Math.PI * 1e-3);
    expect(volumeOf(surface)).toBeLessThan((4 / 3) * Math.PI * 1e-3);
    for (let v = 0; v < surface.positions.length; v += 3) {
      const from = [
        surface.positions[v]! - 0.1,
        surface.positions[v + 1]! - 1,
        surface.positions[v + 2]! + 0.2,
      ];
      expect(Math.hypot(...from)).toBeCloseTo(0.1, 6);
      const outwards = from.reduce((sum, value, c) => sum + value * surface.normals[v + c]!, 0) / 0.1;
      expect(outwards).toBeGreaterThan(0.999);
    }
  });

  it('flows blobs together without holes', () => {
    const surface = createSurface({
      ...ball,
      blobs: [
        capsule('spine', [0, 0, 0], [0, 0.5, 0], 0.1, 0.08),
        capsule('leftUpperArm', [0.05, 0.4, 0], [0.5, 0.4, 0], 0.05, 0.04),
        capsule('rightUpperArm', [-0.05, 0.4, 0], [-0.5, 0.4, 0], 0.05, 0.04),
      ],
    });
    expect(isClosed(surface)).toBe(true);
  });

  it('puts the vertices of a sharp cut on the crease', () => {
    const surface = createSurface({ ...ball, keep: [behind([0, 1.03, 0], [0, 1, 0])] });
    const radius = Math.sqrt(0.1 ** 2 - 0.03 ** 2);
    let onCrease = 0;
    for (let v = 0; v < surface.positions.length; v += 3) {
      expect(surface.positions[v + 1]!).toBeLessThan(1.03 + 1e-6);
      const across = Math.hypot(surface.positions[v]! - 0.1, surface.positions[v + 2]! + 0.2);
      if (Math.abs(surface.positions[v + 1]! - 1.03) < 1e-5 && Math.abs(across - radius) < 1e-5) onCrease++;
    }
    // A circle of 0.6 m in cells of 2 cm.
    expect(onCrease).toBeGreaterThan(25);
  });
});

describe('removeHidden', () => {
  it('takes away what is covered, and leaves the rest', () => {
    const surface = createSurface(ball);
    const left = removeHidden(surface, [behind([0.1, 0, 0], [1, 0, 0])], 0.01);
    expect(left.triangles.length).toBeGreaterThan(0.4 * surface.triangles.length);
    expect(left.triangles.length).toBeLessThan(0.75 * surface.triangles.length);
    for (let v = 0; v < left.positions.length; v += 3) expect(left.positions[v]!).toBeGreaterThan(0.05);
    expect(removeHidden(surface, [], 0.01).triangles.length).toBe(surface.triangles.length);
  });
});
