import {
  type Clip,
  createModelPose,
  createSkeleton,
  durationOf,
  localToModel,
  type ModelPose,
  type Pose,
  type Skeleton,
  type Track,
} from '@stuntdouble/core';

/*
 * Reads back what the samples' own writer wrote, for the samples' own checks: independent of the project's
 * readers, and good for these files only.
 */

/** The parts of a sample's JSON that the checks look at. */
export type SampleJson = {
  scenes: { nodes: number[] }[];
  nodes: {
    name: string;
    translation?: number[];
    rotation?: number[];
    scale?: number[];
    children?: number[];
  }[];
  skins?: { joints: number[]; inverseBindMatrices: number }[];
  meshes?: { primitives: { attributes: Record<string, number>; indices: number }[] }[];
  animations?: {
    name: string;
    channels: { sampler: number; target: { node: number; path: Track['channel'] } }[];
    samplers: { input: number; output: number; interpolation: 'STEP' | 'LINEAR' | 'CUBICSPLINE' }[];
  }[];
  accessors: { bufferView: number; componentType: number; count: number; type: string }[];
  bufferViews: { byteOffset: number; byteLength: number }[];
  extensions?: {
    VRMC_vrm?: {
      specVersion: string;
      meta: { licenseUrl: string; authors: string[] };
      humanoid: { humanBones: Record<string, { node: number }> };
    };
  };
};

/** A sample file taken apart: its JSON, and its accessors' numbers. */
export type SampleDocument = {
  json: SampleJson;
  read: (accessor: number) => Float32Array | Uint16Array | Uint8Array;
};

/** Takes a sample's GLB apart. */
export function readDocument(bytes: Uint8Array): SampleDocument {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const textLength = view.getUint32(12, true);
  const json = JSON.parse(new TextDecoder().decode(bytes.subarray(20, 20 + textLength))) as SampleJson;
  return {
    json,
    read: (accessor) => {
      const { bufferView, componentType } = json.accessors[accessor]!;
      const { byteOffset, byteLength } = json.bufferViews[bufferView]!;
      const from = bytes.byteOffset + 28 + textLength + byteOffset;
      const copy = bytes.buffer.slice(from, from + byteLength) as ArrayBuffer;
      if (componentType === 5126) return new Float32Array(copy);
      return componentType === 5123 ? new Uint16Array(copy) : new Uint8Array(copy);
    },
  };
}

/** The nodes of a sample as a skeleton, and the joint of each node. */
export function readSkeleton(document: SampleDocument): { skeleton: Skeleton; nodes: Map<number, number> } {
  const { nodes } = document.json;
  const parents = new Map<number, number>();
  nodes.forEach(({ children = [] }, i) => {
    for (const child of children) parents.set(child, i);
  });
  const { skeleton, order } = createSkeleton(
    'sample',
    nodes.map(({ name, translation, rotation, scale }, i) => ({
      name,
      parent: parents.get(i) ?? -1,
      ...(translation ? { translation } : {}),
      ...(rotation ? { rotation } : {}),
      ...(scale ? { scale } : {}),
    })),
  );
  return { skeleton, nodes: new Map(nodes.map((_, i) => [i, order[i]!])) };
}

/** The clip of a sample motion. */
export function readClip(document: SampleDocument, nodes: ReadonlyMap<number, number>): Clip {
  const { name, channels, samplers } = document.json.animations![0]!;
  const ways = { STEP: 'step', LINEAR: 'linear', CUBICSPLINE: 'cubic' } as const;
  const tracks = channels.map(({ sampler, target }): Track => {
    const { input, output, interpolation } = samplers[sampler]!;
    return {
      joint: nodes.get(target.node)!,
      channel: target.path,
      interpolation: ways[interpolation],
      times: document.read(input) as Float32Array,
      values: document.read(output) as Float32Array,
    };
  });
  return { name, duration: durationOf({ tracks, morphs: [] }), tracks, morphs: [] };
}

/** Where a skeleton's joints are in the scene. */
export function worldPositions(skeleton: Skeleton, pose: Pose): ModelPose {
  const out = createModelPose(skeleton.names.length);
  localToModel(out, skeleton, pose);
  return out;
}
