import { type Clip, composeMatrix, createMatrix, invertMatrix } from '@stuntdouble/core/engine';
import { type FaceMorph, moveSurface } from './body/face-morphs.js';
import type { SkinnedSurface } from './body/skin.js';
import {
  addAccessor,
  createDocument,
  type GlbDocument,
  type Json,
  tidy,
  writeGlb,
} from './formats/glb-builder.js';
import { addVrm, type VrmPlan } from './formats/vrm-extension.js';
import { jointWeights, localsOf, quantiseWeights, restSurface, type SampleRig } from './sample-rig.js';
import { inverse, rotate, scale, subtract, turnBy, type Vec3 } from './vector.js';

/** A sample character: a rig and the skin that follows it, in T-pose. */
export type SampleCharacter = {
  name: string;
  /** A few words for people. */
  title: string;
  rig: SampleRig;
  skin: readonly SkinnedSurface[];
  /** Set for VRM: roles are then written as the file's own word. */
  vrm?: VrmPlan;
  /** Shapes of the face, which is then a mesh of its own. */
  morphs?: readonly FaceMorph[];
  /** Clips that are in the character's own file. */
  clips?: readonly Clip[];
  /** The order of the joints among the file's nodes: place of each joint; the rig's own order if left out. */
  nodeOrder?: readonly number[];
};

/** A character's file: nodes, skin, and a mesh with a primitive per colour. */
export function createCharacter(character: SampleCharacter): GlbDocument {
  const document = createDocument();
  const joints = addJoints(document, character.rig, character.nodeOrder);
  addSkin(document, character.rig, joints);
  const { morphs = [] } = character;
  const isFace = ({ name }: SkinnedSurface) => morphs.length > 0 && FACE.has(name);
  const put = (name: string, skin: readonly SkinnedSurface[], shapes: readonly FaceMorph[]) => {
    document.roots.push(document.nodes.length);
    document.nodes.push({ name, mesh: addMesh(document, character.rig, skin, shapes), skin: 0 });
  };
  put(
    `${character.name}-body`,
    character.skin.filter((surface) => !isFace(surface)),
    [],
  );
  if (morphs.length > 0) put(`${character.name}-face`, character.skin.filter(isFace), morphs);
  for (const clip of character.clips ?? []) addAnimation(document, clip, joints);
  if (character.vrm) addVrm(document, character, joints);
  return document;
}

/** The bytes of a character's file. */
export function writeCharacter(character: SampleCharacter): Uint8Array {
  return writeGlb(createCharacter(character));
}

/** The parts that make a face. */
const FACE: ReadonlySet<string> = new Set(['mouth', 'brows', 'eye white', 'iris', 'pupil', 'eye light']);

/** The bytes of a motion's file: the same nodes and skin as the character's, one clip, no mesh. */
export function writeMotion(rig: SampleRig, clip: Clip): Uint8Array {
  const document = createDocument();
  const joints = addJoints(document, rig);
  addSkin(document, rig, joints);
  addAnimation(document, clip, joints);
  return writeGlb(document);
}

/** Adds the container and the joints; gives the node of each joint. */
function addJoints(document: GlbDocument, rig: SampleRig, nodeOrder?: readonly number[]): number[] {
  const { container } = rig;
  const first = document.nodes.length + (container.name === null ? 0 : 1);
  const nodeOf = rig.joints.map((_, i) => first + (nodeOrder?.[i] ?? i));
  const below = (parent: number) =>
    rig.joints.flatMap((joint, i) => (joint.parent === parent ? [nodeOf[i]!] : []));
  if (container.name !== null) {
    document.roots.push(document.nodes.length);
    document.nodes.push({
      name: container.name,
      rotation: container.rotation.map(tidy),
      scale: [container.unit, container.unit, container.unit].map(tidy),
      children: below(-1),
    });
  } else document.roots.push(...below(-1));
  const locals = localsOf(rig, rig.joints);
  const nodes = rig.joints.map((joint, i): Record<string, Json> => {
    const { rotation, translation } = locals[i]!;
    const children = below(i);
    const turned = rotation.some((value, c) => Math.abs(value - (c === 3 ? 1 : 0)) > 1e-9);
    return {
      name: joint.name,
      translation: translation.map(tidy),
      ...(turned ? { rotation: rotation.map(tidy) } : {}),
      ...(children.length > 0 ? { children } : {}),
    };
  });
  nodes.forEach((node, i) => {
    document.nodes[nodeOf[i]!] = node;
  });
  return nodeOf;
}

/** Body space to the space of the container's children. */
function toContainer(rig: SampleRig, point: Vec3): Vec3 {
  const { rotation, unit, facing } = rig.container;
  return scale(rotate(turnBy(inverse(rotation), facing), point), 1 / unit);
}

function addSkin(document: GlbDocument, rig: SampleRig, joints: readonly number[]): void {
  const { rotation, facing } = rig.container;
  const inverseBinds = new Float32Array(16 * rig.joints.length);
  const matrix = createMatrix();
  const one = Float64Array.of(1, 1, 1);
  rig.joints.forEach((joint, i) => {
    const at = Float64Array.from(toContainer(rig, joint.translation));
    const turn = Float64Array.from(turnBy(inverse(rotation), facing, joint.rotation));
    composeMatrix(matrix, 0, at, 0, turn, 0, one, 0);
    invertMatrix(matrix, 0, matrix, 0);
    // The last row must be exactly 0 0 0 1.
    inverseBinds.set(matrix, 16 * i);
  });
  document.skins.push({
    inverseBindMatrices: addAccessor(document, inverseBinds, { type: 'MAT4' }),
    joints: [...joints],
  });
}

function addMesh(
  document: GlbDocument,
  rig: SampleRig,
  skin: readonly SkinnedSurface[],
  morphs: readonly FaceMorph[],
): number {
  const colors = new Map<string, SkinnedSurface[]>();
  for (const surface of skin) {
    const key = `${surface.color} ${surface.shine}`;
    colors.set(key, [...(colors.get(key) ?? []), surface]);
  }
  const { rotation, facing } = rig.container;
  const turn = turnBy(inverse(rotation), facing);
  const primitives = [...colors.values()].map((surfaces): Json => {
    const positions: number[] = [];
    const normals: number[] = [];
    const joints: number[] = [];
    const weights: number[] = [];
    const triangles: number[] = [];
    for (const surface of surfaces) {
      const first = positions.length / 3;
      const rested = restSurface(rig, surface);
      for (const vertex of jointWeights(rig, surface)) {
        const quantised = quantiseWeights(vertex);
        joints.push(...quantised.joints);
        weights.push(...quantised.weights);
      }
      for (let v = 0; v < rested.positions.length; v += 3) {
        positions.push(...toContainer(rig, rested.positions.slice(v, v + 3) as unknown as Vec3));
        normals.push(...rotate(turn, rested.normals.slice(v, v + 3) as unknown as Vec3));
      }
      for (const vertex of surface.triangles) triangles.push(first + vertex);
    }
    const targets = morphs.map(({ move }): Json => {
      const moved = surfaces.flatMap((surface) => {
        const before = restSurface(rig, surface).positions;
        const after = restSurface(rig, { ...surface, positions: moveSurface(surface, move) }).positions;
        const offsets: number[] = [];
        for (let v = 0; v < before.length; v += 3) {
          const at = (from: readonly number[]) => toContainer(rig, from.slice(v, v + 3) as unknown as Vec3);
          offsets.push(...subtract(at(after), at(before)));
        }
        return offsets;
      });
      const use = { type: 'VEC3', target: 'vertices', bounds: true } as const;
      return { POSITION: addAccessor(document, Float32Array.from(moved), use) };
    });
    const { color, shine } = surfaces[0]!;
    document.materials.push({
      name: surfaces[0]!.name,
      pbrMetallicRoughness: {
        baseColorFactor: [...linearColor(color).map(tidy), 1],
        metallicFactor: 0,
        roughnessFactor: tidy(1 - shine),
      },
    });
    return {
      attributes: {
        POSITION: addAccessor(document, Float32Array.from(positions), {
          type: 'VEC3',
          target: 'vertices',
          bounds: true,
        }),
        NORMAL: addAccessor(document, Float32Array.from(normals), { type: 'VEC3', target: 'vertices' }),
        JOINTS_0: addAccessor(document, Uint8Array.from(joints), { type: 'VEC4', target: 'vertices' }),
        WEIGHTS_0: addAccessor(document, Uint8Array.from(weights), {
          type: 'VEC4',
          target: 'vertices',
          normalized: true,
        }),
      },
      indices: addAccessor(document, Uint16Array.from(triangles), { type: 'SCALAR', target: 'indices' }),
      material: document.materials.length - 1,
      ...(targets.length > 0 ? { targets } : {}),
    };
  });
  const names = morphs.map(({ name }) => name);
  document.meshes.push({ primitives, ...(names.length > 0 ? { extras: { targetNames: names } } : {}) });
  return document.meshes.length - 1;
}

/** Linear RGB of an sRGB colour `#rrggbb` (IEC 61966-2-1). */
export function linearColor(color: string): number[] {
  return [1, 3, 5].map((at) => {
    const value = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
}

function addAnimation(document: GlbDocument, clip: Clip, joints: readonly number[]): void {
  const samplers: Json[] = [];
  const channels: Json[] = [];
  const inputs = new Map<string, number>();
  const ways = { step: 'STEP', linear: 'LINEAR', cubic: 'CUBICSPLINE' } as const;
  for (const track of clip.tracks) {
    const times = Float32Array.from(track.times);
    // Tracks with the same times share one accessor.
    const key = times.join();
    const input = inputs.get(key) ?? addAccessor(document, times, { type: 'SCALAR', bounds: true });
    inputs.set(key, input);
    const type = track.channel === 'rotation' ? 'VEC4' : 'VEC3';
    const output = addAccessor(document, Float32Array.from(track.values), { type });
    channels.push({
      sampler: samplers.length,
      target: { node: joints[track.joint]!, path: track.channel },
    });
    samplers.push({ input, interpolation: ways[track.interpolation], output });
  }
  document.animations.push({ name: clip.name, samplers, channels });
}
