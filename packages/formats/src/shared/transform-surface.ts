import { type Mesh, transformPoint } from '@stuntdouble/core/engine';

/** The points of a surface: xyz per vertex. */
export type Surface = Pick<Mesh, 'positions' | 'normals'>;

/** Positions and normals moved by an affine matrix, in new stores. Normals keep their length. */
export function transformSurface({ positions, normals }: Surface, m: Readonly<Float64Array>): Surface {
  const count = positions.length / 3;
  const moved = new Float32Array(positions.length);
  for (let v = 0; v < count; v++) transformPoint(moved, 3 * v, m, 0, positions, 3 * v);
  if (!normals) return { positions: moved, normals: null };
  // Normals turn by the inverse transpose: the cofactors of the matrix, whose columns are cross products.
  const cofactors = [
    [m[5]! * m[10]! - m[6]! * m[9]!, m[6]! * m[8]! - m[4]! * m[10]!, m[4]! * m[9]! - m[5]! * m[8]!],
    [m[9]! * m[2]! - m[10]! * m[1]!, m[10]! * m[0]! - m[8]! * m[2]!, m[8]! * m[1]! - m[9]! * m[0]!],
    [m[1]! * m[6]! - m[2]! * m[5]!, m[2]! * m[4]! - m[0]! * m[6]!, m[0]! * m[5]! - m[1]! * m[4]!],
  ];
  const turned = new Float32Array(normals.length);
  for (let v = 0; v < 3 * count; v += 3) {
    let length = 0;
    for (let r = 0; r < 3; r++) {
      const value =
        cofactors[0]![r]! * normals[v]! +
        cofactors[1]![r]! * normals[v + 1]! +
        cofactors[2]![r]! * normals[v + 2]!;
      turned[v + r] = value;
      length += value * value;
    }
    const scale = length > 0 ? 1 / Math.sqrt(length) : 0;
    for (let r = 0; r < 3; r++) turned[v + r]! *= scale;
  }
  return { positions: moved, normals: turned };
}
