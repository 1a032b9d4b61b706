import { hypot, type Mesh, type ModelPose, multiplyMatrices, type Numbers } from '@stuntdouble/core/engine';

/** Joint matrix times inverse bind of every joint that the skin uses; zero for the others. */
function skinMatrices(mesh: Mesh, model: ModelPose): Float64Array {
  const inverseBinds = mesh.skin!.inverseBinds;
  const matrices = new Float64Array(model.matrices.length);
  const count = Math.min(inverseBinds.length, matrices.length) / 16;
  for (let j = 0; j < count; j++)
    if (inverseBinds[16 * j + 15] !== 0)
      multiplyMatrices(matrices, 16 * j, model.matrices, 16 * j, inverseBinds, 16 * j);
  return matrices;
}

/** out = the weighted sum of the matrices that one vertex follows. */
function blendMatrices(out: Float64Array, matrices: Float64Array, mesh: Mesh, vertex: number): void {
  const { joints, weights } = mesh.skin!;
  out.fill(0);
  let sum = 0;
  for (let k = 4 * vertex; k < 4 * vertex + 4; k++) {
    const weight = weights[k]!;
    const m = 16 * joints[k]!;
    // A joint that the skeleton does not have, or whose bind is unknown, cannot pull.
    if (!(weight > 0) || m >= matrices.length || matrices[m + 15] === 0) continue;
    sum += weight;
    for (let c = 0; c < 16; c++) out[c] = out[c]! + weight * matrices[m + c]!;
  }
  if (sum > 0) for (let c = 0; c < 16; c++) out[c] = out[c]! / sum;
}

/** Calls `place` with the matrix that takes each vertex from mesh space to model space. */
function eachVertexMatrix(
  mesh: Mesh,
  model: ModelPose,
  place: (vertex: number, matrix: Readonly<Numbers>, at: number) => void,
): void {
  const vertices = mesh.positions.length / 3;
  if (mesh.skin) {
    const matrices = skinMatrices(mesh, model);
    const blended = new Float64Array(16);
    for (let v = 0; v < vertices; v++) {
      blendMatrices(blended, matrices, mesh, v);
      place(v, blended, 0);
    }
    return;
  }
  const at = mesh.joint === null ? -1 : 16 * mesh.joint;
  const stands = at >= 0 && at + 16 <= model.matrices.length;
  const identity = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1);
  for (let v = 0; v < vertices; v++) place(v, stands ? model.matrices : identity, stands ? at : 0);
}

/**
 * The places of a mesh's vertices in a pose: linear blend skinning, Σ weight · jointMatrix · inverseBind (S2),
 * or the matrix of the one joint that a rigid mesh hangs on. Model space, metres, xyz per vertex.
 * A mesh that follows nothing stays where it is; a vertex whose joints are all unknown goes to the origin.
 */
export function skinMesh(mesh: Mesh, model: ModelPose): Float32Array {
  const { positions } = mesh;
  const out = new Float32Array(positions.length);
  eachVertexMatrix(mesh, model, (v, m, i) => {
    const x = positions[3 * v]!;
    const y = positions[3 * v + 1]!;
    const z = positions[3 * v + 2]!;
    out[3 * v] = m[i]! * x + m[i + 4]! * y + m[i + 8]! * z + m[i + 12]!;
    out[3 * v + 1] = m[i + 1]! * x + m[i + 5]! * y + m[i + 9]! * z + m[i + 13]!;
    out[3 * v + 2] = m[i + 2]! * x + m[i + 6]! * y + m[i + 10]! * z + m[i + 14]!;
  });
  return out;
}

const trusted = new WeakMap<Mesh, boolean>();

/**
 * Whether a file's normals belong to its triangles. Some exporters write them for other corners than they
 * belong to; smooth and mirrored bodies still look to one side of nearly every triangle.
 */
function hasTrueNormals(mesh: Mesh): boolean {
  const known = trusted.get(mesh);
  if (known !== undefined) return known;
  const { positions, triangles, normals } = mesh;
  let outwards = 0;
  let inwards = 0;
  if (normals && normals.length === positions.length) {
    const ofTriangles = normalsOfTriangles(positions, triangles);
    for (let i = 0; i < normals.length; i += 3) {
      const dot =
        normals[i]! * ofTriangles[i]! +
        normals[i + 1]! * ofTriangles[i + 1]! +
        normals[i + 2]! * ofTriangles[i + 2]!;
      if (dot > 0) outwards++;
      else if (dot < 0) inwards++;
    }
  }
  const isTrue = Math.max(outwards, inwards) > 0.75 * (outwards + inwards);
  trusted.set(mesh, isTrue);
  return isTrue;
}

/**
 * The unit normals of a mesh in a pose, model space, xyz per vertex: the file's where it has them and they
 * belong to its triangles, else computed from the triangles as they stand.
 * @param modelPositions what {@link skinMesh} gave for the same pose.
 */
export function skinNormals(mesh: Mesh, model: ModelPose, modelPositions: Float32Array): Float32Array {
  const { normals } = mesh;
  if (!normals || !hasTrueNormals(mesh)) return normalsOfTriangles(modelPositions, mesh.triangles);
  const out = new Float32Array(normals.length);
  eachVertexMatrix(mesh, model, (v, m, i) => {
    const x = normals[3 * v]!;
    const y = normals[3 * v + 1]!;
    const z = normals[3 * v + 2]!;
    // Normals go with the inverse transpose, which is the cofactor matrix but for a positive factor; a
    // mirror's factor is negative, and the sign is of no account since drawing turns normals to the viewer.
    const a = m[i]!;
    const b = m[i + 1]!;
    const c = m[i + 2]!;
    const d = m[i + 4]!;
    const e = m[i + 5]!;
    const f = m[i + 6]!;
    const g = m[i + 8]!;
    const h = m[i + 9]!;
    const k = m[i + 10]!;
    const nx = (e * k - f * h) * x + (h * c - b * k) * y + (b * f - e * c) * z;
    const ny = (g * f - d * k) * x + (a * k - g * c) * y + (d * c - a * f) * z;
    const nz = (d * h - g * e) * x + (g * b - a * h) * y + (a * e - d * b) * z;
    const length = hypot(nx, ny, nz);
    if (length > 0) {
      out[3 * v] = nx / length;
      out[3 * v + 1] = ny / length;
      out[3 * v + 2] = nz / length;
    }
  });
  return out;
}

/** Unit normals of vertices, the mean of their triangles' by area; zero where a vertex has no triangle. */
export function normalsOfTriangles(positions: Float32Array, triangles: Uint32Array): Float32Array {
  const out = new Float32Array(positions.length);
  for (let t = 0; t + 2 < triangles.length; t += 3) {
    const a = 3 * triangles[t]!;
    const b = 3 * triangles[t + 1]!;
    const c = 3 * triangles[t + 2]!;
    if (Math.max(a, b, c) >= positions.length) continue;
    const ux = positions[b]! - positions[a]!;
    const uy = positions[b + 1]! - positions[a + 1]!;
    const uz = positions[b + 2]! - positions[a + 2]!;
    const vx = positions[c]! - positions[a]!;
    const vy = positions[c + 1]! - positions[a + 1]!;
    const vz = positions[c + 2]! - positions[a + 2]!;
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    for (const o of [a, b, c]) {
      out[o] = out[o]! + nx;
      out[o + 1] = out[o + 1]! + ny;
      out[o + 2] = out[o + 2]! + nz;
    }
  }
  for (let i = 0; i < out.length; i += 3) {
    const length = hypot(out[i]!, out[i + 1]!, out[i + 2]!);
    if (!(length > 0)) continue;
    out[i] = out[i]! / length;
    out[i + 1] = out[i + 1]! / length;
    out[i + 2] = out[i + 2]! / length;
  }
  return out;
}
