import { composeMatrix, hypot, type Mat4 } from '@stuntdouble/core/engine';
import { childOf, childrenNamed, firstValueOf } from '../parse/child-records.js';
import { type FbxNode, fbxError, textOf } from '../parse/fbx-node.js';
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
 * The polygons of a mesh as fans of triangles, three control points each, for what is bound to what: what cannot be read
 * of it is left out.
 * @returns null where it has none.
 */
export function readPolygons(objects: FbxObjects, geometry: FbxObject): Uint32Array | null {
  const list = firstValueOf(geometry, 'PolygonVertexIndex');
  if (list === undefined) return null;
  const indices = unpackArray(list, objects.document.budget, `Geometry ${geometry.id}.PolygonVertexIndex`);
  const triangles = new Uint32Array(3 * indices.length);
  let count = 0;
  let start = 0;
  for (let i = 0; i < indices.length; i++) {
    const index = indices[i]!;
    // The last corner of a polygon is written as −1 − index.
    const point = index < 0 ? -1 - index : index;
    if (i >= start + 2) {
      triangles[count++] = indices[start]!;
      triangles[count++] = indices[i - 1]!;
      triangles[count++] = point;
    }
    if (index < 0) start = i + 1;
  }
  return triangles.subarray(0, count);
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
    normals: readNormals(layer, points, childOf(geometry, 'LayerElementNormal')),
    materials: readMaterials(layer, childOf(geometry, 'LayerElementMaterial')),
  };
}

type Layer = {
  objects: FbxObjects;
  at: string;
  corners: Uint32Array;
  starts: ArrayLike<number>;
  cornerCount: number;
};

/**
 * Numbers per corner, `size` each, from a layer that has them per corner, per point, per polygon or once for all;
 * null where it maps them in another way.
 */
function readCorners(
  { objects, at, corners, starts, cornerCount }: Layer,
  node: FbxNode,
  name: string,
  indexName: string,
  size: number,
): Float32Array | null {
  const { budget } = objects.document;
  const mapping = textOf(firstValueOf(node, 'MappingInformationType'));
  const isByCorner = mapping === 'ByPolygonVertex';
  const isByPoint = /^ByVert(ice|ex)$/.test(mapping);
  const isByPolygon = mapping === 'ByPolygon';
  if (!isByCorner && !isByPoint && !isByPolygon && mapping !== 'AllSame') return null;
  const data = unpackArray(firstValueOf(node, name), budget, `${at}.${name}`);
  const isIndexed = textOf(firstValueOf(node, 'ReferenceInformationType')).startsWith('Index');
  const list = isIndexed ? firstValueOf(node, indexName) : undefined;
  const indices = list === undefined ? null : unpackArray(list, budget, `${at}.${indexName}`);
  const out = new Float32Array(size * cornerCount);
  let polygon = 0;
  for (let i = 0; i < cornerCount; i++) {
    while (i >= starts[polygon + 1]!) polygon++;
    const place = isByCorner ? i : isByPoint ? corners[i]! : isByPolygon ? polygon : 0;
    const from = indices ? indices[place] : place;
    if (from === undefined || !(from >= 0)) continue;
    for (let c = 0; c < size; c++) {
      const value = data[size * from + c] ?? 0;
      out[size * i + c] = Number.isFinite(Math.fround(value)) ? value : 0;
    }
  }
  return out;
}

/**
 * Unit normals per corner; zero where the file has none that makes sense, and null where they make none at all: some
 * files have them of another order of points, and such a body looks torn to stripes.
 */
function readNormals(
  layer: Layer,
  points: ArrayLike<number>,
  node: FbxNode | undefined,
): Float32Array | null {
  const normals = node ? readCorners(layer, node, 'Normals', 'NormalsIndex', 3) : null;
  if (!normals || areScrambled(layer, points, normals)) return null;
  for (let i = 0; i < normals.length; i += 3) {
    const length = hypot(normals[i]!, normals[i + 1]!, normals[i + 2]!);
    for (let c = i; c < i + 3; c++) normals[c] = length > 0 ? normals[c]! / length : 0;
  }
  return normals;
}

/** Of normals by chance, half lean to either side of their polygon; of a body's own hardly any lean to the other one. */
const FEWEST_AGAINST = 0.25;
/** So few polygons may be anything: a flat card that is seen from both sides has half of its normals to either. */
const FEWEST_POLYGONS = 64;

/** Whether normals lean to either side of their polygons, about as often: then they are not of these points. */
function areScrambled(
  { corners, starts, cornerCount }: Layer,
  points: ArrayLike<number>,
  normals: Float32Array,
): boolean {
  let along = 0;
  let against = 0;
  for (let n = 0; starts[n]! + 2 < cornerCount; n++) {
    const first = starts[n]!;
    const end = Math.min(starts[n + 1] ?? 0, cornerCount);
    if (end - first < 3) continue;
    const a = 3 * corners[first]!;
    const b = 3 * corners[first + 1]!;
    const c = 3 * corners[end - 1]!;
    const ux = points[b]! - points[a]!;
    const uy = points[b + 1]! - points[a + 1]!;
    const uz = points[b + 2]! - points[a + 2]!;
    const vx = points[c]! - points[a]!;
    const vy = points[c + 1]! - points[a + 1]!;
    const vz = points[c + 2]! - points[a + 2]!;
    const i = 3 * first;
    const side =
      (uy * vz - uz * vy) * normals[i]! +
      (uz * vx - ux * vz) * normals[i + 1]! +
      (ux * vy - uy * vx) * normals[i + 2]!;
    if (side > 0) along++;
    else if (side < 0) against++;
  }
  return Math.min(along, against) > FEWEST_AGAINST * (along + against) && along + against >= FEWEST_POLYGONS;
}

/**
 * Texture coordinates per corner, v upwards.
 * @param set the name of the set that is wanted; the first one where it is null or not there.
 * @returns null where the mesh has none.
 */
export function readUvs(
  objects: FbxObjects,
  geometry: FbxObject,
  { corners, starts }: Pick<FbxGeometry, 'corners' | 'starts'>,
  set: string | null,
): Float32Array | null {
  const layers = childrenNamed(geometry, 'LayerElementUV');
  const node = layers.find((one) => textOf(firstValueOf(one, 'Name')) === set) ?? layers[0];
  if (!node) return null;
  const layer = { objects, at: `Geometry ${geometry.id}`, corners, starts, cornerCount: corners.length };
  return readCorners(layer, node, 'UV', 'UVIndex', 2);
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
