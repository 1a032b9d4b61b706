import { composeMatrix, type Mat4 } from '@stuntdouble/core';
import { childOf, firstValueOf } from '../parse/child-records.js';
import { type FbxNode, fbxError, numberOf, textOf } from '../parse/fbx-node.js';
import { type FbxObject, type FbxObjects, vectorOf } from '../parse/objects.js';
import { unpackArray } from '../parse/unpack-array.js';
import { quaternionFromEuler } from './model-transform.js';

/** A mesh as its file has it: control points, and polygons that refer to them. */
export type FbxGeometry = {
  /** xyz per control point. */
  points: Float64Array;
  /** Per corner of a polygon its control point. */
  corners: Uint32Array;
  /** Per polygon its first corner; one more at the end. */
  starts: Uint32Array;
  /** xyz per corner, or null. */
  normals: Float32Array | null;
  /** Per polygon the place of its material among those of the model; all 0 where there is one. */
  materials: Int32Array;
};

/**
 * The control points of a mesh alone.
 * @returns null where it has none, as shapes of other kinds do.
 */
export function readPoints(objects: FbxObjects, geometry: FbxObject): Float64Array | null {
  const vertices = firstValueOf(geometry, 'Vertices');
  if (vertices === undefined) return null;
  return unpackArray(vertices, objects.document.budget, `Geometry ${geometry.id}.Vertices`);
}

/**
 * Reads a mesh with its polygons.
 * @returns null where it has no polygons.
 * @throws FormatError where polygons refer to points that are not there.
 */
export function readGeometry(objects: FbxObjects, geometry: FbxObject): FbxGeometry | null {
  const at = `Geometry ${geometry.id}`;
  const { budget } = objects.document;
  const points = readPoints(objects, geometry);
  const list = firstValueOf(geometry, 'PolygonVertexIndex');
  if (!points || list === undefined) return null;
  const indices = unpackArray(list, budget, `${at}.PolygonVertexIndex`);
  const pointCount = Math.floor(points.length / 3);
  const corners = new Uint32Array(indices.length);
  const starts: number[] = [0];
  for (let i = 0; i < indices.length; i++) {
    const index = indices[i]!;
    // The last corner of a polygon is written as −1 − index.
    const point = index < 0 ? -1 - index : index;
    if (point >= pointCount)
      throw fbxError(`${at}.PolygonVertexIndex`, `point ${point}`, `below ${pointCount}`);
    corners[i] = point;
    if (index < 0) starts.push(i + 1);
  }
  const polygonCount = starts.length - 1;
  const cornerCount = starts[polygonCount]!;
  if (polygonCount === 0) return null;
  const layer: Layer = { objects, at, corners, starts, cornerCount };
  return {
    points,
    corners: corners.subarray(0, cornerCount),
    starts: Uint32Array.from(starts),
    normals: readNormals(layer, childOf(geometry, 'LayerElementNormal')),
    materials: readMaterials(layer, childOf(geometry, 'LayerElementMaterial')),
  };
}

type Layer = {
  objects: FbxObjects;
  at: string;
  corners: Uint32Array;
  starts: readonly number[];
  cornerCount: number;
};

/** Normals per corner, from a layer that has them per corner or per point; null for other mappings. */
function readNormals(
  { objects, at, corners, cornerCount }: Layer,
  node: FbxNode | undefined,
): Float32Array | null {
  if (!node) return null;
  const { budget } = objects.document;
  const mapping = textOf(firstValueOf(node, 'MappingInformationType'));
  const isByCorner = mapping === 'ByPolygonVertex';
  if (!isByCorner && !/^ByVert(ice|ex)$/.test(mapping)) return null;
  const data = unpackArray(firstValueOf(node, 'Normals'), budget, `${at}.Normals`);
  const isIndexed = textOf(firstValueOf(node, 'ReferenceInformationType')).startsWith('Index');
  const list = isIndexed ? firstValueOf(node, 'NormalsIndex') : undefined;
  const indices = list === undefined ? null : unpackArray(list, budget, `${at}.NormalsIndex`);
  const normals = new Float32Array(3 * cornerCount);
  for (let i = 0; i < cornerCount; i++) {
    const place = isByCorner ? i : corners[i]!;
    const from = indices ? indices[place] : place;
    if (from === undefined || from < 0) continue;
    const x = data[3 * from] ?? 0;
    const y = data[3 * from + 1] ?? 0;
    const z = data[3 * from + 2] ?? 0;
    const length = Math.hypot(x, y, z);
    if (!(length > 0 && length < Number.POSITIVE_INFINITY)) continue;
    normals[3 * i] = x / length;
    normals[3 * i + 1] = y / length;
    normals[3 * i + 2] = z / length;
  }
  return normals;
}

function readMaterials({ objects, at, starts }: Layer, node: FbxNode | undefined): Int32Array {
  const materials = new Int32Array(starts.length - 1);
  const list = firstValueOf(node, 'Materials');
  if (list === undefined) return materials;
  const indices = unpackArray(list, objects.document.budget, `${at}.Materials`);
  const isByPolygon = textOf(firstValueOf(node, 'MappingInformationType')) === 'ByPolygon';
  for (let i = 0; i < materials.length; i++) materials[i] = Math.max(0, indices[isByPolygon ? i : 0] ?? 0);
  return materials;
}

/** Takes a mesh's points to the space of its model: the part of a model's transform that children do not get. */
export function geometricTransform(objects: FbxObjects, model: FbxObject): Mat4 {
  const read = (name: string, fallback: readonly [number, number, number]) =>
    Float64Array.from(vectorOf(objects.propertyOf(model, name), fallback));
  const turn = new Float64Array(4);
  quaternionFromEuler(turn, 0, read('GeometricRotation', [0, 0, 0]), 'ZYX');
  const matrix = new Float64Array(16);
  const translation = read('GeometricTranslation', [0, 0, 0]);
  composeMatrix(matrix, 0, translation, 0, turn, 0, read('GeometricScaling', [1, 1, 1]), 0);
  return matrix;
}

/** The colours of a model's materials, linear RGB, in their order. */
export function materialColors(objects: FbxObjects, model: FbxObject): [number, number, number][] {
  const colors: [number, number, number][] = [];
  for (const { object } of objects.sourcesOf(model)) {
    if (object.type !== 'Material') continue;
    const color = objects.propertyOf(object, 'DiffuseColor') ?? objects.propertyOf(object, 'Diffuse');
    const factor = numberOf(objects.propertyOf(object, 'DiffuseFactor')?.[0], 1);
    // A picture takes the colour's place, which is black then as often as not.
    const hasPicture = objects
      .sourcesOf(object)
      .some((link) => link.object.type === 'Texture' && /^Diffuse/.test(link.property));
    const [r, g, b] = hasPicture ? [0.8, 0.8, 0.8] : vectorOf(color, [0.8, 0.8, 0.8]);
    const part = (value: number) => Math.min(1, Math.max(0, hasPicture ? value : value * factor));
    colors.push([part(r), part(g), part(b)]);
  }
  return colors;
}
