import type { Mesh } from '@stuntdouble/core/engine';

/** A picture as a file holds it. */
export type Picture = { name: string; extension: string; bytes: Uint8Array };

/** What a surface looks like. */
export type MeshMaterial = {
  name: string;
  /** Linear RGB, 0 to 1; where there is a picture, what it is multiplied by. */
  color: [number, number, number];
  /** 0 to 1. */
  opacity: number;
  /** What the alpha of the picture and the opacity do: nothing, cut out below `cutoff`, or let through. */
  alpha: 'opaque' | 'mask' | 'blend';
  /** Of a mask: alpha below this is not there. */
  cutoff: number;
  /** Whether triangles are seen from behind as well. */
  isDoubleSided: boolean;
  /** 0 is a mirror, 1 is chalk. */
  roughness: number;
  /** 0 to 1. */
  metalness: number;
  /** Light that it gives off, linear RGB. */
  emissive: [number, number, number];
  /** Of the base colour. */
  picture: Picture | null;
  /** Of the normals, in the space of the texture coordinates, green upwards. */
  normalPicture: Picture | null;
  emissivePicture: Picture | null;
  /** Whether the base colour's picture ends at its edges, along u and v, instead of being repeated. */
  clamps: [boolean, boolean];
};

/** A morph target: how far each vertex moves at full weight, xyz per vertex. */
export type MeshMorph = {
  name: string;
  positions: Float32Array;
  normals: Float32Array | null;
  /** The weight that it has where nothing moves it. */
  weight: number;
};

/** A mesh with all that a program shows of it. */
export type DressedMesh = Mesh & {
  /** Two numbers per vertex, v upwards; null where there are none. */
  uvs: Float32Array | null;
  /** Meshes of one material have the same object. */
  material: MeshMaterial | null;
  morphs: MeshMorph[];
  /** Meshes of one number are parts of one mesh of the file, each with its own material and the same morph targets. */
  whole: number;
};

/** The parts of each mesh, in the order of their first. */
export function wholesOf(meshes: readonly DressedMesh[]): DressedMesh[][] {
  const wholes = new Map<number, DressedMesh[]>();
  for (const mesh of meshes) {
    const parts = wholes.get(mesh.whole);
    if (parts) parts.push(mesh);
    else wholes.set(mesh.whole, [mesh]);
  }
  return [...wholes.values()];
}
