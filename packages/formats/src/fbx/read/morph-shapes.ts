import type { Warning } from '@stuntdouble/core';
import { isMendable } from '../../format-error.js';
import type { MeshMorph } from '../../shared/dressed-mesh.js';
import { firstValueOf } from '../parse/child-records.js';
import type { FbxObject, FbxObjects } from '../parse/objects.js';
import { unpackArray } from '../parse/unpack-array.js';
import { readMorphChannels } from './blend-shapes.js';
import type { FbxGeometry } from './geometry.js';
import type { ModelTree } from './model-tree.js';

/** A blend shape at full weight: how far control points move, those that do. */
export type MorphShape = {
  name: string;
  /** The weight that it has where nothing moves it. */
  weight: number;
  /** Per control point its place among those that move, or −1. */
  places: Int32Array;
  /** xyz per control point that moves. */
  positions: Float64Array;
  normals: Float64Array | null;
};

/** The blend shapes of a geometry. */
export type MorphReader = (geometry: FbxObject, read: FbxGeometry) => MorphShape[];

/**
 * What the morph targets of a file may be unpacked to, a number a coordinate of every vertex: so many bytes, and
 * so many times the file's own. A shape of three points may stand for a mesh of a million, a thousand times.
 */
const UNPACKED_BYTES = 2 ** 25;
const UNPACKED_RATIO = 16;

/** Makes a reader of a file's blend shapes; it stops where they would take very much memory. */
export function createMorphReader(objects: FbxObjects, tree: ModelTree, warnings: Warning[]): MorphReader {
  const channels = readMorphChannels(objects, tree);
  let room = UNPACKED_BYTES + UNPACKED_RATIO * objects.document.size;
  const lost: string[] = [];
  const between: string[] = [];
  let told = 0;
  return (geometry, { points, corners }) => {
    const shapes: MorphShape[] = [];
    for (const { object, name, fullPercent, percent, geometry: of } of channels) {
      if (of !== geometry) continue;
      const links = objects.sourcesOf(object).filter((link) => link.object.type === 'Geometry');
      // In-betweens come first; the last shape is the one at full weight.
      const shape = links[links.length - 1]?.object;
      if (!shape) continue;
      room -= 24 * corners.length;
      if (room < 0) {
        lost.push(name);
        continue;
      }
      if (links.length > 1) between.push(name);
      try {
        shapes.push({ name, weight: percent / fullPercent, ...readShape(objects, shape, points.length / 3) });
      } catch (error) {
        if (!isMendable(error)) throw error;
        lost.push(name);
      }
    }
    if (lost.length + between.length > told) {
      told = lost.length + between.length;
      tellOnce(warnings, lost, 'could not be read or are more than can be held, and were left out');
      tellOnce(warnings, between, 'have shapes in between, which were left out');
    }
    return shapes;
  };
}

/** Keeps one warning of a kind up to date. */
function tellOnce(warnings: Warning[], names: readonly string[], what: string): void {
  if (names.length === 0) return;
  const list = names
    .slice(0, 5)
    .map((name) => name.slice(0, 40))
    .join(', ');
  const message = `Blend shapes ${what}: ${list}${names.length > 5 ? ', \u2026' : ''}.`;
  const before = warnings.findIndex((warning) => warning.message.includes(what));
  const warning: Warning = { code: 'feature-ignored', message };
  if (before >= 0) warnings[before] = warning;
  else warnings.push(warning);
}

function readShape(
  objects: FbxObjects,
  shape: FbxObject,
  count: number,
): Pick<MorphShape, 'places' | 'positions' | 'normals'> {
  const { budget } = objects.document;
  const at = `Geometry ${shape.id}`;
  const indices = unpackArray(firstValueOf(shape, 'Indexes'), budget, `${at}.Indexes`);
  const positions = unpackArray(firstValueOf(shape, 'Vertices'), budget, `${at}.Vertices`);
  const list = firstValueOf(shape, 'Normals');
  const normals = list === undefined ? null : unpackArray(list, budget, `${at}.Normals`);
  const places = new Int32Array(Math.floor(count)).fill(-1);
  for (let i = 0; i < indices.length; i++) {
    const point = indices[i]!;
    if (point >= 0 && point < places.length && 3 * i + 2 < positions.length) places[point] = i;
  }
  return { places, positions, normals: normals && normals.length >= positions.length ? normals : null };
}

/**
 * A blend shape for the vertices of a part.
 * @param vertices the control point of each.
 * @param toJoint takes the part's points to the space of the joint it hangs on; null where it has a skin.
 */
export function pickMorph(
  { name, weight, places, positions, normals }: MorphShape,
  vertices: readonly number[],
  toJoint: Float64Array | null,
): MeshMorph {
  const out = new Float32Array(3 * vertices.length);
  // Normals of a part that hangs on a joint were turned and made of unit length: their way is not known.
  const turns = normals && !toJoint ? new Float32Array(out.length) : null;
  vertices.forEach((point, v) => {
    const from = 3 * places[point]!;
    if (from < 0) return;
    for (let r = 0; r < 3; r++) {
      const way = toJoint
        ? toJoint[r]! * positions[from]! +
          toJoint[4 + r]! * positions[from + 1]! +
          toJoint[8 + r]! * positions[from + 2]!
        : positions[from + r]!;
      out[3 * v + r] = finite(way);
      if (turns) turns[3 * v + r] = finite(normals![from + r]!);
    }
  });
  return { name, positions: out, normals: turns, weight: finite(weight) };
}

function finite(value: number): number {
  return Number.isFinite(Math.fround(value)) ? value : 0;
}
