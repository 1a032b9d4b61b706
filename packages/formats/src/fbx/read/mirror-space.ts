import {
  type Clip,
  type Mesh,
  mirrorBonds,
  type Pose,
  type Scene,
  type Skeleton,
} from '@stuntdouble/core/engine';
import type { MeshMorph } from '../../shared/dressed-mesh.js';

/*
 * FBX may count one axis the other way: its space is left-handed then, and everything in it a mirror image.
 * With M the mirror along that axis, a transform L becomes M · L · M in the other space. For a translation that
 * is one sign; a turn keeps the part of its axis that lies along M and flips the two others; scales stay. The
 * way there is the way back.
 */

/** Mirrors the vectors (xyz) of a list along an axis (0, 1, 2), in place. */
function mirrorVectors(values: Float32Array | Float64Array, axis: number): void {
  for (let i = axis; i < values.length; i += 3) values[i] = -values[i]! + 0;
}

/** Mirrors the turns (xyzw) of a list along an axis, in place. */
function mirrorTurns(values: Float32Array | Float64Array, axis: number): void {
  for (let i = 0; i < values.length; i += 4)
    for (let c = 0; c < 3; c++) if (c !== axis) values[i + c] = -values[i + c]! + 0;
}

/** M · matrix · M for each of a list of 4 × 4 matrices, in place. */
function mirrorMatrices(values: Float64Array, axis: number): void {
  for (let i = 0; i < values.length; i++) {
    const column = (i >> 2) % 4;
    const row = i % 4;
    if ((column === axis) !== (row === axis)) values[i] = -values[i]! + 0;
  }
}

function mirrorPose({ translations, rotations, scales }: Pose, axis: number): Pose {
  const out: Pose = {
    translations: translations.slice(),
    rotations: rotations.slice(),
    scales: scales.slice(),
  };
  mirrorVectors(out.translations, axis);
  mirrorTurns(out.rotations, axis);
  return out;
}

/** The skeleton seen in a mirror across an axis. */
export function mirrorSkeleton(skeleton: Skeleton, axis: number): Skeleton {
  const out: Skeleton = { ...skeleton, rest: mirrorPose(skeleton.rest, axis) };
  if (skeleton.bind) out.bind = mirrorPose(skeleton.bind, axis);
  if (skeleton.hulls)
    out.hulls = skeleton.hulls.map((points) => {
      if (!points) return null;
      const mirrored = points.slice();
      mirrorVectors(mirrored, axis);
      return mirrored;
    });
  if (skeleton.bonds) out.bonds = mirrorBonds(skeleton.bonds, axis);
  return out;
}

/** The clip of a skeleton seen in a mirror across an axis. */
export function mirrorClip(clip: Clip, axis: number): Clip {
  return {
    ...clip,
    tracks: clip.tracks.map((track) => {
      if (track.channel === 'scale') return track;
      const values = track.values.slice();
      if (track.channel === 'rotation') mirrorTurns(values, axis);
      else mirrorVectors(values, axis);
      return { ...track, values };
    }),
  };
}

/** The mesh of a skeleton seen in a mirror across an axis; triangles still face outwards. */
export function mirrorMesh(mesh: Mesh, axis: number): Mesh {
  const positions = mesh.positions.slice();
  mirrorVectors(positions, axis);
  const normals = mesh.normals?.slice() ?? null;
  if (normals) mirrorVectors(normals, axis);
  const triangles = mesh.triangles.slice();
  for (let i = 0; i + 2 < triangles.length; i += 3) {
    triangles[i + 1] = mesh.triangles[i + 2]!;
    triangles[i + 2] = mesh.triangles[i + 1]!;
  }
  let { skin } = mesh;
  if (skin) {
    const inverseBinds = skin.inverseBinds.slice();
    mirrorMatrices(inverseBinds, axis);
    skin = { ...skin, inverseBinds };
  }
  return { ...mesh, positions, normals, triangles, skin };
}

/** The morph target of a mesh seen in a mirror across an axis. */
export function mirrorMorph(morph: MeshMorph, axis: number): MeshMorph {
  const positions = morph.positions.slice();
  mirrorVectors(positions, axis);
  const normals = morph.normals?.slice() ?? null;
  if (normals) mirrorVectors(normals, axis);
  return { ...morph, positions, normals };
}

/** The characters of a scene seen in a mirror across an axis. */
export function mirrorCharacters(characters: Scene['characters'], axis: number): Scene['characters'] {
  return characters.map(({ skeleton, clips }) => ({
    skeleton: mirrorSkeleton(skeleton, axis),
    clips: clips.map((clip) => mirrorClip(clip, axis)),
  }));
}
