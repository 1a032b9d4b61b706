import {
  type Clip,
  createRig,
  createSkeleton,
  type JointDescription,
  type MorphTrack,
  REQUIRED_ROLES,
  type Skeleton,
  type Track,
  UsageError,
  type Warning,
} from '@stuntdouble/core';
import type { WriteInput, WriteOptions, Written } from '../format.js';
import { writeGlb } from '../gltf/glb.js';
import type { GltfJson } from '../gltf/gltf-json.js';
import { type EncodedClips, encodeGltfClips } from '../gltf/write/clip-encoder.js';
import { compressClips, MESHOPT } from '../gltf/write/compress-clips.js';
import { createHumanoidClip, type HumanoidClip } from './humanoid-clip.js';
import { createTPose, type TPose } from './t-pose.js';

/**
 * The expressions that VRM 1.0 knows by name and an animation may hold; all others are custom. The four of
 * the gaze (`lookUp` and so on) are not for animations: those say where the eyes look instead.
 */
export const PRESET_EXPRESSIONS: ReadonlySet<string> = new Set(
  'happy angry sad relaxed surprised aa ih ou ee oh blink blinkLeft blinkRight neutral'.split(' '),
);

/** The expressions that are the gaze's business. */
const GAZE_EXPRESSIONS = new Set(['lookUp', 'lookDown', 'lookLeft', 'lookRight']);

/**
 * Writes clips of any humanoid as a VRM animation: body parts alone in a T-pose, metres, facing +Z, turns
 * relative to it, hips that travel, morph weights as expressions, eyes as a gaze. Plays on every VRM.
 * @throws UsageError where the target has no hips or there is no clip.
 */
export async function writeVrma(
  { scene, character, clips, roles }: WriteInput,
  options: WriteOptions = {},
): Promise<Written> {
  const target = scene.characters[character];
  if (!target)
    throw new UsageError(
      `a .vrma holds a humanoid, and "${scene.name}" has no skeleton; write its morph weights as .glb`,
    );
  if (clips.length === 0)
    throw new UsageError(`a .vrma is nothing but motion, and "${scene.name}" has no clips to write`);
  const warnings: Warning[] = [];
  const rig = createRig(target.skeleton, {
    clips: target.clips.length > 0 ? target.clips : clips,
    ...(roles ? { roles } : {}),
  });
  const pose = createTPose(rig);
  if (!pose)
    throw new UsageError(
      `a .vrma holds a humanoid, and no joint of "${target.skeleton.name}" plays the hips: name it in a map`,
    );
  const missing = REQUIRED_ROLES.filter((role) => !pose.roles.includes(role));
  if (missing.length > 0)
    warnings.push({
      code: 'required-role-missing',
      message: `The VRM animation lacks body parts that the format asks for: ${missing.join(', ')}.`,
    });
  const moved = clips.map((clip) => createHumanoidClip(rig, pose, clip));
  const expressions = findExpressions(clips, warnings);
  const hasGaze = moved.some(({ gaze }) => gaze !== null);

  const nodes = describeNodes(pose, expressions, hasGaze);
  const { skeleton, order } = createSkeleton(scene.name, nodes.list);
  const tracksOf = (clip: HumanoidClip, n: number): Track[] => [
    ...humanoidTracks(clip, nodes.ofRole),
    ...expressions.flatMap((name, i) => expressionTrack(clips[n]!.morphs, name, nodes.firstExpression + i)),
    ...(clip.gaze ? [{ joint: nodes.gaze, channel: 'rotation' as const, ...clip.gaze }] : []),
  ];
  const written = moved.map((clip, n): Clip => {
    const tracks = tracksOf(clip, n).map((track) => ({ ...track, joint: order[track.joint]! }));
    return { name: clip.name, duration: clips[n]!.duration, tracks, morphs: [] };
  });
  const encoded = encodeGltfClips(uniqueNames(written), skeleton, (joint) => joint, new Map(), 0);
  warnings.push(...encoded.warnings);

  const node = (place: number) => ({ node: order[place]! });
  const humanBones = Object.fromEntries(
    pose.roles.flatMap((role, i) => (nodes.ofRole[i]! < 0 ? [] : [[role, node(nodes.ofRole[i]!)]])),
  );
  const named = (isPreset: boolean) =>
    Object.fromEntries(
      expressions.flatMap((name, i) =>
        PRESET_EXPRESSIONS.has(name) === isPreset ? [[name, node(nodes.firstExpression + i)]] : [],
      ),
    );
  const keys = options.compress ? await compressed(encoded, skeleton) : plain(encoded);
  const json: GltfJson = {
    asset: { version: '2.0', generator: 'Stuntdouble' },
    extensionsUsed: ['VRMC_vrm_animation', ...(options.compress ? [MESHOPT] : [])],
    ...(options.compress && { extensionsRequired: [MESHOPT] }),
    extensions: {
      VRMC_vrm_animation: {
        specVersion: '1.0',
        humanoid: { humanBones },
        ...(expressions.length > 0 ? { expressions: { preset: named(true), custom: named(false) } } : {}),
        ...(hasGaze ? { lookAt: { ...node(nodes.gaze), offsetFromHeadBone: eyesFromHead(pose) } } : {}),
      },
    },
    scene: 0,
    scenes: [{ nodes: [] }],
    nodes: skeleton.names.map((name, i) => {
      const translation = [...skeleton.rest.translations.subarray(3 * i, 3 * i + 3)];
      return { name, ...(translation.some((value) => value !== 0) ? { translation } : {}) };
    }),
    animations: encoded.animations,
    accessors: keys.accessors,
    bufferViews: keys.views,
    buffers: keys.buffers,
  };
  skeleton.parents.forEach((parent, i) => {
    if (parent < 0) json.scenes![0]!.nodes!.push(i);
    else json.nodes![parent]!.children = [...(json.nodes![parent]!.children ?? []), i];
  });
  const bytes = writeGlb({
    json: new TextEncoder().encode(JSON.stringify(json)),
    bin: keys.pieces,
    others: [],
  });
  return { bytes, warnings };
}

/** The keys of a file that holds nothing else, and where they stand. */
type KeysInFile = Required<Pick<GltfJson, 'accessors' | 'buffers'>> & {
  views: NonNullable<GltfJson['bufferViews']>;
  pieces: Uint8Array[];
};

function plain({ accessors, pieces, byteLength }: EncodedClips): KeysInFile {
  return {
    accessors: accessors.map((accessor) => ({ bufferView: 0, ...accessor })),
    views: [{ buffer: 0, byteOffset: 0, byteLength }],
    buffers: [{ byteLength }],
    pieces,
  };
}

async function compressed(encoded: EncodedClips, skeleton: Skeleton): Promise<KeysInFile> {
  const { accessors, views, pieces, byteLength, unpackedLength } = await compressClips(
    encoded,
    { byteOffset: 0, firstView: 0, firstAccessor: 0, placeholder: 1 },
    { skeleton, jointOf: (node) => node },
  );
  const placeholder = { byteLength: unpackedLength, extensions: { [MESHOPT]: { fallback: true } } };
  return { accessors, views, buffers: [{ byteLength }, placeholder], pieces };
}

/** The nodes to write: body parts but the eyes, then one per expression, then the gaze. */
function describeNodes(
  pose: TPose,
  expressions: readonly string[],
  hasGaze: boolean,
): { list: JointDescription[]; ofRole: number[]; firstExpression: number; gaze: number } {
  const list: JointDescription[] = [];
  const ofRole = pose.roles.map(() => -1);
  pose.roles.forEach((role, i) => {
    // The format has no eyes: they follow the gaze.
    if (role.endsWith('Eye')) return;
    const parent = pose.parents[i]!;
    const translation = [0, 1, 2].map(
      (c) => pose.positions[3 * i + c]! - (parent < 0 ? 0 : pose.positions[3 * parent + c]!),
    );
    ofRole[i] = list.length;
    list.push({ name: role, parent: parent < 0 ? -1 : ofRole[parent]!, translation });
  });
  const firstExpression = list.length;
  for (const name of expressions) list.push({ name: `expression ${name}`, parent: -1 });
  if (hasGaze) list.push({ name: 'lookAt', parent: -1 });
  return { list, ofRole, firstExpression, gaze: list.length - 1 };
}

function humanoidTracks(clip: HumanoidClip, ofRole: readonly number[]): Track[] {
  const { times, rotations, hips } = clip;
  const tracks: Track[] = [
    { joint: 0, channel: 'translation', interpolation: 'linear', times, values: hips },
  ];
  rotations.forEach((values, i) => {
    if (values && ofRole[i]! >= 0)
      tracks.push({ joint: ofRole[i]!, channel: 'rotation', interpolation: 'linear', times, values });
  });
  return tracks;
}

/**
 * The names of the expressions that clips move: expressions of a VRM by their own name, morph targets of any
 * mesh by theirs, which is how faces with the shapes of ARKit are driven.
 */
function findExpressions(clips: readonly Clip[], warnings: Warning[]): string[] {
  const names = new Map<string, Set<string>>();
  for (const { morphs } of clips)
    for (const { mesh, morph } of morphs) {
      if (GAZE_EXPRESSIONS.has(morph)) continue;
      names.set(morph, (names.get(morph) ?? new Set()).add(mesh));
    }
  const shared = [...names].filter(([, meshes]) => meshes.size > 1).map(([name]) => name);
  if (shared.length > 0)
    warnings.push({
      code: 'morph-dropped',
      message: `An expression has one weight for all meshes: of ${shared.length} morph targets that several meshes have, the first was taken (${shared.slice(0, 5).join(', ')}).`,
    });
  return [...names.keys()];
}

/** An expression's weights as the X of a translation, within 0 and 1. */
function expressionTrack(morphs: readonly MorphTrack[], name: string, joint: number): Track[] {
  const track =
    morphs.find(({ mesh, morph }) => morph === name && mesh === '') ??
    morphs.find(({ morph }) => morph === name);
  if (!track || track.times.length === 0) return [];
  const { times, interpolation } = track;
  const isCubic = interpolation === 'cubic';
  const values = new Float32Array(3 * track.values.length);
  track.values.forEach((value, i) => {
    values[3 * i] = isCubic && i % 3 !== 1 ? value : Math.min(1, Math.max(0, value));
  });
  return [{ joint, channel: 'translation', interpolation, times, values }];
}

/** From the head to the middle of the eyes in the T-pose; where there are none, where they usually are. */
function eyesFromHead(pose: TPose): number[] {
  const head = pose.roles.indexOf('head');
  const eyes = (['leftEye', 'rightEye'] as const)
    .map((role) => pose.roles.indexOf(role))
    .filter((i) => i >= 0);
  if (head < 0 || eyes.length === 0) return [0, 0.06, 0];
  return [0, 1, 2].map(
    (c) =>
      eyes.reduce((sum, i) => sum + pose.positions[3 * i + c]!, 0) / eyes.length -
      pose.positions[3 * head + c]!,
  );
}

function uniqueNames(clips: readonly Clip[]): Clip[] {
  const taken = new Set<string>();
  return clips.map((clip) => {
    let { name } = clip;
    for (let n = 2; taken.has(name); n++) name = `${clip.name} (${n})`;
    taken.add(name);
    return { ...clip, name };
  });
}
