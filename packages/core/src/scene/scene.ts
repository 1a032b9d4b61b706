import type { Warning } from '../base/warnings.js';
import type { Clip } from './clip.js';
import type { Skeleton } from './skeleton.js';

/** A file in memory: its characters with their clips, and the document it came from, kept whole for writing. */
export type Scene = {
  /** Which format the bytes were in, found by looking at them. */
  format: 'gltf' | 'glb' | 'vrm' | 'vrma' | 'bvh' | 'fbx';
  /** Which program or collection a file is from, where its layout shows that, and by what. */
  dialect?: { name: string; reason: string };
  /** The file's name without folder and extension, or what the caller said. */
  name: string;
  /** One per connected skeleton; none where the file has no body. */
  characters: Character[];
  /** The clips of a file that has no skeleton: morph weights alone. Left out where there are none. */
  otherClips?: Clip[];
  /** The morph targets of the file's meshes, by mesh; expressions of the whole face (VRM) have the mesh ''. */
  morphs: { mesh: string; names: string[] }[];
  /** What the format needs in order to write the file back; only the format that made it looks inside. */
  document: unknown;
  warnings: Warning[];
};

/** One skeleton of a file with the clips that move it. */
export type Character = {
  skeleton: Skeleton;
  /** In the file's order. Clips of the file that do not touch this skeleton are left out. */
  clips: Clip[];
};

/** A triangle mesh that follows a character, for pictures and for measuring the skin. */
export type Mesh = {
  name: string;
  /** xyz per vertex, in mesh space. */
  positions: Float32Array;
  /** Unit normals, xyz per vertex; null where the file has none. */
  normals: Float32Array | null;
  /** Three vertex indices a triangle. */
  triangles: Uint32Array;
  /** Linear RGB of the material, 0 to 1. */
  color: [number, number, number];
  /** Index of the character in its scene. */
  character: number;
  /** Set where vertices follow joints by weight. */
  skin: MeshSkin | null;
  /** Set where the whole mesh hangs rigidly on one joint of the skeleton. */
  joint: number | null;
};

/** The binding of a mesh's vertices to joints. */
export type MeshSkin = {
  /** Four joint indices (of the character's skeleton) a vertex. */
  joints: Uint16Array;
  /** Four weights a vertex that sum to one. */
  weights: Float32Array;
  /** Mesh space to joint space in the bind pose: 16 numbers per joint of the skeleton, column-major; all zero where the skin does not use the joint. */
  inverseBinds: Float64Array;
};
