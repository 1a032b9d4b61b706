import {
  type Character,
  type Clip,
  copyPose,
  cos,
  createModelPose,
  createSkeleton,
  didWork,
  END,
  JOINT,
  localToModel,
  makeQuaternionsContinuous,
  type Scene,
  type Skeleton,
  sampleClip,
  sin,
  type Track,
} from '@stuntdouble/core/engine';
import { requireHeap } from '../heap-room.js';
import { completeLimits, type Limits, refuseBeyond } from '../limits.js';
import type { EulerOrder } from '../shared/euler.js';
import type { BvhLayout } from './bvh-layout.js';
import { detectDialect } from './detect-dialect.js';
import { type BvhDocument, type BvhJoint, parseBvh } from './parse-bvh.js';

/** How a BVH file is read. */
export type ReadBvhOptions = {
  /** Names the scene, its skeleton and its clip; `motion` if left out. */
  name?: string;
  /** Multiplies rotations in this order, whatever order the file names their channels in; for files that lie. */
  order?: EulerOrder;
  /** Turns the file by a quarter about X so that what was along Z is along Y; for captures with Z up. */
  flipYZ?: boolean;
  /** What the file may ask for; `DEFAULT_LIMITS` where left out. */
  limits?: Partial<Limits>;
};

/**
 * Reads a BVH file: one character for each ROOT, each with one clip of linear keys at the file's frames.
 *
 * The rest pose is the OFFSETs with no rotation. Units and axes are not in the file; `declared` says so, but
 * for the few collections that are recognised and always have the same way up.
 * Rotation channels are multiplied in the order in which the file names them. Whether position channels
 * stand in the place of the OFFSET or are added to it is not the same in all files; see
 * {@link decideRootPositions} and {@link decideJointPositions}.
 * @throws FormatError where the file is no BVH, with the line.
 */
export function readBvh(file: string | Uint8Array, options: ReadBvhOptions = {}): Scene {
  const name = options.name ?? 'motion';
  const limits = completeLimits(options.limits);
  const bytes = typeof file === 'string' ? new TextEncoder().encode(file) : utf8(file, limits);
  const document = parseBvh(bytes, limits);
  refuseLongMotion(document, limits);
  const dialect = detectDialect(document, bytes);
  const { joints, warnings } = document;
  const firstChannels = new Int32Array(joints.length);
  for (let i = 1; i < joints.length; i++)
    firstChannels[i] = firstChannels[i - 1]! + joints[i - 1]!.channels.length;
  const times = Float64Array.from({ length: document.frameCount }, (_, k) => k * document.frameTime);
  const jointsAdded = decideJointPositions(document, firstChannels) === 'add';
  const layout: BvhLayout = {
    kind: 'bvh',
    channels: joints.map((joint) => joint.channels),
    added: joints.map((joint) => joint.parent >= 0 && jointsAdded),
  };

  const characters: Character[] = [];
  for (let root = 0; root < joints.length; ) {
    let end = root + 1;
    while (end < joints.length && joints[end]!.parent >= 0) end++;
    characters.push(readCharacter(root, end));
    root = end;
  }
  const seen = new Set<string>();
  const repeated = joints.find((joint) => seen.size === seen.add(joint.name).size);
  if (repeated)
    warnings.push({
      code: 'name-duplicate',
      message: `Several joints are called "${repeated.name}" or share another name; they are told apart by their index.`,
      joint: repeated.name,
    });
  if (document.frameCount === 0)
    warnings.push({ code: 'clip-empty', message: 'The file holds no whole frame; it has no clip.' });
  if (options.flipYZ) for (const character of characters) flipCharacter(character);
  return {
    format: 'bvh',
    ...(dialect ? { dialect: { name: dialect.name, reason: dialect.reason } } : {}),
    name,
    characters,
    morphs: [],
    document: layout,
    warnings,
  };

  function readCharacter(root: number, end: number): Character {
    const part = joints.slice(root, end);
    const { skeleton } = createSkeleton(
      characters.length === 0 ? name : `${name} ${characters.length + 1}`,
      part.map((joint, i) => ({
        name: joint.name,
        parent: joint.parent < 0 ? -1 : joint.parent - root,
        fileIndex: root + i,
        translation: joint.offset,
        flags: joint.end ? END : JOINT,
      })),
      { declared: { up: dialect?.up ?? null, facing: null, unit: dialect?.unit ?? null, capture: true } },
    );
    if (document.frameCount === 0) return { skeleton, clips: [] };
    const tracks: Track[] = [];
    // Exporters print six digits: bones of a body ten units tall seem to stretch by a millionth of it.
    const limit = 4e-6 * reachOf(joints, root, end);
    part.forEach((joint, i) => {
      const channel = firstChannels[root + i]!;
      const translations = positionsOf(document, joint, channel, layout.added[root + i]!);
      if (translations && (i === 0 || moves(translations, joint.offset, limit)))
        tracks.push({
          joint: i,
          channel: 'translation',
          interpolation: 'linear',
          times,
          values: translations,
        });
      const rotations = rotationsOf(document, joint, channel, options.order);
      if (rotations)
        tracks.push({ joint: i, channel: 'rotation', interpolation: 'linear', times, values: rotations });
    });
    const clip: Clip = { name, duration: times[times.length - 1]!, tracks, morphs: [] };
    const first = tracks[0];
    if (first?.joint === 0 && first.channel === 'translation') {
      layout.added[root] = decideRootPositions(skeleton, clip, first.values) === 'add';
      if (layout.added[root]) first.values.set(positionsOf(document, part[0]!, firstChannels[root]!, true)!);
    }
    return { skeleton, clips: [clip] };
  }
}

const AXES = ['X', 'Y', 'Z'] as const;

/** Refuses a motion of more keys or seconds than there may be, before tracks are made of it. */
function refuseLongMotion({ joints, frameCount, frameTime }: BvhDocument, limits: Limits): void {
  const at = { format: 'BVH', at: 'MOTION' };
  refuseBeyond(limits, 'seconds', Math.max(0, frameCount - 1) * frameTime, at);
  let tracks = 0;
  for (const { channels } of joints)
    for (const kind of ['position', 'rotation'])
      if (channels.some((channel) => channel.endsWith(kind))) tracks++;
  refuseBeyond(limits, 'keys', frameCount * tracks, at);
}

/** The bytes as UTF-8: files saved as UTF-16 say so in their first two. */
function utf8(bytes: Uint8Array, limits: Limits): Uint8Array {
  const encoding =
    bytes[0] === 0xff && bytes[1] === 0xfe
      ? 'utf-16le'
      : bytes[0] === 0xfe && bytes[1] === 0xff
        ? 'utf-16be'
        : null;
  const at = { format: 'BVH', at: 'the file, in UTF-16' };
  if (encoding) refuseBeyond(limits, 'text', bytes.length, at);
  if (encoding) requireHeap(bytes.length, at);
  return encoding ? new TextEncoder().encode(new TextDecoder(encoding).decode(bytes)) : bytes;
}

/**
 * Re-expresses a character in axes turned by a quarter about X: (x, y, z) becomes (x, z, −y). The vector part of
 * a quaternion goes as a vector does, so zero angles stay zero and the OFFSETs still show the rest pose.
 */
function flipCharacter({ skeleton, clips }: Character): void {
  const flip = (values: Float32Array | Float64Array, size: number) => {
    for (let i = 0; i < values.length; i += size) {
      const y = values[i + 1]!;
      values[i + 1] = values[i + 2]!;
      values[i + 2] = -y;
    }
  };
  flip(skeleton.rest.translations, 3);
  for (const { tracks } of clips)
    for (const { values, channel } of tracks) flip(values, channel === 'rotation' ? 4 : 3);
  skeleton.declared.up = '+Y';
}

/** The keys of a joint's position, or null where it has no position channel. Axes without one keep the OFFSET. */
function positionsOf(
  document: BvhDocument,
  joint: BvhJoint,
  firstChannel: number,
  added: boolean,
): Float32Array | null {
  const { values, frameCount, channelCount } = document;
  if (!joint.channels.some((channel) => channel.endsWith('position'))) return null;
  didWork(frameCount);
  const out = new Float32Array(3 * frameCount);
  for (let c = 0; c < 3; c++) {
    const n = joint.channels.indexOf(`${AXES[c]!}position`);
    const offset = joint.offset[c]!;
    const base = added ? offset : 0;
    for (let k = 0; k < frameCount; k++)
      out[3 * k + c] = n < 0 ? offset : base + values[k * channelCount + firstChannel + n]!;
  }
  return out;
}

/** The keys of a joint's rotation, or null where it has no rotation channel. */
function rotationsOf(
  document: BvhDocument,
  joint: BvhJoint,
  firstChannel: number,
  order?: EulerOrder,
): Float32Array | null {
  const { values, frameCount, channelCount } = document;
  const turns = joint.channels.flatMap((channel, n) =>
    channel.endsWith('rotation') ? [{ axis: channel.charAt(0), channel: firstChannel + n }] : [],
  );
  if (order) turns.sort((a, b) => order.indexOf(a.axis) - order.indexOf(b.axis));
  const channels = turns.map(({ channel }) => channel);
  const axes = turns.map(({ axis }) => axis.charCodeAt(0) - 88);
  if (channels.length === 0) return null;
  didWork(2 * frameCount);
  const out = new Float32Array(4 * frameCount);
  const half = Math.PI / 360;
  for (let k = 0; k < frameCount; k++) {
    let x = 0;
    let y = 0;
    let z = 0;
    let w = 1;
    for (let n = 0; n < channels.length; n++) {
      const angle = values[k * channelCount + channels[n]!]!;
      if (angle === 0) continue;
      // q ← q · (turn about the axis), with the turn's only two components written out.
      const sine = sin(angle * half);
      const cosine = cos(angle * half);
      const lastX = x;
      const lastY = y;
      const lastZ = z;
      const lastW = w;
      if (axes[n] === 0) {
        x = lastX * cosine + lastW * sine;
        y = lastY * cosine + lastZ * sine;
        z = lastZ * cosine - lastY * sine;
        w = lastW * cosine - lastX * sine;
      } else if (axes[n] === 1) {
        x = lastX * cosine - lastZ * sine;
        y = lastY * cosine + lastW * sine;
        z = lastZ * cosine + lastX * sine;
        w = lastW * cosine - lastY * sine;
      } else {
        x = lastX * cosine + lastY * sine;
        y = lastY * cosine - lastX * sine;
        z = lastZ * cosine + lastW * sine;
        w = lastW * cosine - lastZ * sine;
      }
    }
    out[4 * k] = x;
    out[4 * k + 1] = y;
    out[4 * k + 2] = z;
    out[4 * k + 3] = w;
  }
  makeQuaternionsContinuous(out, frameCount);
  return out;
}

/** Whether positions ever leave the joint's OFFSET by more than a limit. */
function moves(positions: Float32Array, offset: readonly number[], limit: number): boolean {
  for (let k = 0; k < positions.length; k++)
    if (Math.abs(positions[k]! - offset[k % 3]!) > limit) return true;
  return false;
}

/** How far the farthest joint is from the root when nothing is turned. */
function reachOf(joints: readonly BvhJoint[], root: number, end: number): number {
  const places = new Float64Array(3 * (end - root));
  let reach = 0;
  for (let i = root + 1; i < end; i++) {
    const { parent, offset } = joints[i]!;
    for (let c = 0; c < 3; c++) {
      const place = places[3 * (parent - root) + c]! + offset[c]!;
      places[3 * (i - root) + c] = place;
      reach = Math.max(reach, Math.abs(place));
    }
  }
  return reach;
}

/**
 * Whether the position channels of joints below the roots stand in the place of their OFFSETs or are added
 * to them. Bones hardly change their length, so the numbers are near the OFFSETs in the first case and near
 * zero in the second; all joints of the file have one vote by their length. Both kinds
 * are in the test data: Geno_bind.bvh repeats the OFFSETs in its frames, MakeHuman's tpose.bvh has zeros.
 */
export function decideJointPositions(
  document: BvhDocument,
  firstChannels: ArrayLike<number>,
): 'replace' | 'add' {
  const { joints, values, frameCount, channelCount } = document;
  let fromOffset = 0;
  let fromZero = 0;
  const step = Math.max(1, Math.floor(frameCount / 32));
  joints.forEach((joint, i) => {
    if (joint.parent < 0) return;
    joint.channels.forEach((channel, n) => {
      if (!channel.endsWith('position')) return;
      const offset = joint.offset[channel.charCodeAt(0) - 88]!;
      for (let k = 0; k < frameCount; k += step) {
        const value = values[k * channelCount + firstChannels[i]! + n]!;
        fromOffset += Math.abs(value - offset);
        fromZero += Math.abs(value);
      }
    });
  });
  return fromZero < fromOffset ? 'add' : 'replace';
}

/**
 * Whether the root's position channels stand in the place of its OFFSET or are added to it. Where the OFFSET
 * is zero, as the format's inventors had it, there is no question. Where it is not, most exporters still
 * write absolute positions (their OFFSET is the rest pose's place, or the first frame's, metres away), but
 * some write the way from the rest pose: hips that would be in the floor for the whole take. Added is
 * believed only if
 * - no frame has the OFFSET itself,
 * - the root stays nearer to zero than to its OFFSET along the OFFSET's longest axis, which is up if the
 *   OFFSET is a height, and
 * - adding puts the body's lowest point on the floor; someone who lies there has low hips too.
 * @param positions the root's keys as the file has them.
 */
export function decideRootPositions(
  skeleton: Skeleton,
  clip: Clip,
  positions: ArrayLike<number>,
): 'replace' | 'add' {
  const offset = skeleton.rest.translations;
  let axis = 0;
  for (let c = 1; c < 3; c++) if (Math.abs(offset[c]!) > Math.abs(offset[axis]!)) axis = c;
  const height = offset[axis]!;
  if (height === 0) return 'replace';
  const heights = new Float64Array(positions.length / 3);
  for (let k = 0; k < heights.length; k++) {
    heights[k] = positions[3 * k + axis]!;
    let away = 0;
    for (let c = 0; c < 3; c++) away = Math.max(away, Math.abs(positions[3 * k + c]! - offset[c]!));
    // Six printed digits.
    if (away <= 1e-5 * Math.abs(height)) return 'replace';
  }
  heights.sort();
  if (Math.abs(heights[heights.length >> 1]!) > 0.5 * Math.abs(height)) return 'replace';
  const up = Math.sign(height);
  const pose = copyPose(skeleton.rest);
  const model = createModelPose(skeleton.names.length);
  let lowest = Number.POSITIVE_INFINITY;
  for (let k = 0; k < 16; k++) {
    sampleClip(pose, clip, (clip.duration * k) / 15);
    localToModel(model, skeleton, pose);
    for (let i = 12 + axis; i < model.matrices.length; i += 16)
      lowest = Math.min(lowest, up * model.matrices[i]!);
  }
  // A quarter: soles and toe joints lie lower or higher than the floor that the OFFSET was measured from.
  return Math.abs(lowest + Math.abs(height)) < 0.25 * Math.abs(height) ? 'add' : 'replace';
}
