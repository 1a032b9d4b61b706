import {
  createModelPose,
  hypot,
  localToModel,
  type Mesh,
  type Pose,
  type Skeleton,
} from '@stuntdouble/core/engine';
import type { DressedMesh } from '@stuntdouble/formats';
import { type Camera, fitCamera, projectPoints, type View } from './camera.js';
import { drawSkeleton } from './draw-skeleton.js';
import { heatOfVertices } from './heat.js';
import type { Rgb } from './image.js';
import { colorMeshes, toLinearColor } from './palette.js';
import type { Shape, ShapeTexture } from './rasterize.js';
import { skinMesh, skinNormals } from './skin-mesh.js';
import { textureOf } from './texture.js';

/** A mesh, with what of its dress is shown: the picture of the base colour. */
export type PictureMesh = Mesh & Partial<Pick<DressedMesh, 'uvs' | 'material'>>;

/** One character in several poses. */
export type PictureRow = {
  /** In bold above the row. */
  title: string;
  /** Smaller, after the title: what was measured, for example. */
  caption?: string;
  /** With a container that leads to model space (metres, +Y up, +Z forward). */
  skeleton: Skeleton;
  /** Of this character alone; without any, the skeleton itself is drawn. */
  meshes: readonly PictureMesh[];
  /** Local space, one a column. */
  poses: readonly Pose[];
  /** Height of the floor, metres; the lowest point of the shown poses if left out. */
  floor?: number;
  /** Per pose and joint how bad it is there, 0 to 1, shown as heat; null for a pose that is not. */
  heat?: readonly (Float32Array | null)[];
  /** Used where the meshes' own colours say nothing; by the row's place if left out. */
  accent?: Rgb;
};

/** A character in one pose: what to draw, and where its middle stands on the floor. */
export type Figure = { shapes: Shape[]; x: number; z: number };

/** The figures of a row, one a pose. */
export function figuresOf(row: PictureRow, accent: Rgb): Figure[] {
  const { skeleton, meshes, poses } = row;
  const skins = meshes.map(skinOf);
  const colors = colorMeshes(
    meshes,
    accent,
    skins.some((skin) => skin !== null),
  );
  const model = createModelPose(skeleton.names.length);
  return poses.map((pose, k) => {
    const hot = row.heat?.[k] ?? null;
    localToModel(model, skeleton, pose);
    let shapes = meshes.map((mesh, m): Shape => {
      const positions = skinMesh(mesh, model);
      const normals = skinNormals(mesh, model, positions);
      const skin = skins[m];
      const heat = hot && heatOfVertices(mesh, hot);
      return {
        ...{ positions, normals, triangles: mesh.triangles, color: colors[m]! },
        ...(skin && { skin }),
        ...(heat && { heat }),
      };
    });
    if (!shapes.some(({ triangles }) => triangles.length > 0))
      shapes = [drawSkeleton(skeleton, model, toLinearColor(accent), hot)];
    return { shapes, ...middleOf(shapes) };
  });
}

/** The picture of a mesh as it lies on it; null where there is none, or none that can be shown. */
function skinOf({ uvs, material, positions }: PictureMesh): ShapeTexture | null {
  if (!uvs || !material?.picture || 3 * uvs.length !== 2 * positions.length) return null;
  const texture = textureOf(material.picture);
  if (!texture) return null;
  // What is let through in part is shown where most of it is there: samples are drawn or not.
  const cutoff =
    material.alpha === 'opaque' ? 0 : material.alpha === 'mask' ? Math.max(material.cutoff, 1e-6) : 0.5;
  return { texture, uvs, clamps: material.clamps, cutoff };
}

/** The mean of all vertices on the floor: it stays in the body while arms and legs swing. */
function middleOf(shapes: readonly Shape[]): { x: number; z: number } {
  let x = 0;
  let z = 0;
  let count = 0;
  for (const { positions } of shapes)
    for (let i = 0; i + 2 < positions.length; i += 3) {
      if (!Number.isFinite(positions[i]! + positions[i + 2]!)) continue;
      x += positions[i]!;
      z += positions[i + 2]!;
      count++;
    }
  return count > 0 ? { x: x / count, z: z / count } : { x: 0, z: 0 };
}

/** A figure elsewhere, by metres. */
export function moveFigure(figure: Figure, x: number, y: number, z: number): Figure {
  const shapes = figure.shapes.map((shape) => {
    const positions = shape.positions.slice();
    for (let i = 0; i + 2 < positions.length; i += 3) {
      positions[i] = positions[i]! + x;
      positions[i + 1] = positions[i + 1]! + y;
      positions[i + 2] = positions[i + 2]! + z;
    }
    return { ...shape, positions };
  });
  return { shapes, x: figure.x + x, z: figure.z + z };
}

/** The row's floor, or else its lowest point. */
export function floorOf(row: PictureRow, figures: readonly Figure[]): number {
  if (row.floor !== undefined && Number.isFinite(row.floor)) return row.floor;
  let low = Infinity;
  for (const { shapes } of figures)
    for (const { positions } of shapes)
      for (let i = 1; i < positions.length; i += 3)
        if (Number.isFinite(positions[i]!)) low = Math.min(low, positions[i]!);
  return low === Infinity ? 0 : low;
}

/** How figures are seen. */
export type Frame = {
  camera: Camera;
  floor: number;
  /** Metres from the floor to the highest point; at least what gives tiles and shadows a fair measure. */
  height: number;
  /** Metres of a floor tile: 1, 2 or 5 times a power of ten. */
  tile: number;
  /** Pixels above the highest point that nothing needs. */
  free: number;
};

/** One camera for all figures of a row, each seen from its own middle, so that all are at one scale. */
export function frameFigures(
  figures: readonly Figure[],
  cell: { width: number; height: number },
  view: View,
  floor: number,
): Frame {
  const count = figures.reduce((n, { shapes }) => shapes.reduce((m, s) => m + s.positions.length, n), 0);
  const points = new Float32Array(count + 3);
  let high = floor;
  let reach = 0;
  let o = 0;
  for (const { shapes, x, z } of figures)
    for (const { positions } of shapes)
      for (let i = 0; i + 2 < positions.length; i += 3) {
        const dx = positions[i]! - x;
        const dz = positions[i + 2]! - z;
        const y = positions[i + 1]!;
        points[o++] = dx;
        points[o++] = y;
        points[o++] = dz;
        if (!Number.isFinite(dx + y + dz)) continue;
        high = Math.max(high, y);
        reach = Math.max(reach, hypot(dx, dz));
      }
  // The place below the body is in the picture even while it is in the air.
  points[o + 1] = floor;
  const margin = {
    left: 0.05 * cell.width,
    right: 0.05 * cell.width,
    top: 0.03 * cell.height,
    bottom: 0.07 * cell.height,
  };
  const camera = fitCamera(points, cell, view, margin);
  const projected = new Float64Array(points.length);
  projectPoints(projected, camera, points);
  let highest = cell.height - margin.bottom;
  for (let i = 1; i < projected.length; i += 3) if (projected[i]! < highest) highest = projected[i]!;
  const height = Math.max(high - floor, 0.6 * reach, 1e-3);
  return { camera, floor, height, tile: niceLength(0.3 * height), free: highest - margin.top };
}

/** The nearest of 1, 2 or 5 times a power of ten. */
function niceLength(length: number): number {
  const power = Number(`1e${length.toExponential().split('e')[1]}`);
  const lead = length / power;
  return power * (lead < 1.5 ? 1 : lead < 3.5 ? 2 : lead < 7.5 ? 5 : 10);
}
