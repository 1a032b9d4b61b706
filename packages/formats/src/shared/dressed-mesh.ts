import type { Mesh } from '@stuntdouble/core';

/** A picture as its file has it. */
export type Picture = { name: string; extension: string; bytes: Uint8Array };

/** What a surface looks like. */
export type MeshMaterial = {
  name: string;
  /** Linear RGB, 0 to 1. */
  color: [number, number, number];
  /** 0 to 1. */
  opacity: number;
  picture: Picture | null;
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
};
