import { RetargetError, UsageError } from '../base/errors.js';
import { fieldsOf, listAt, oneOf, textAt } from '../base/plain-data.js';
import type { Clip } from './clip.js';
import { deferredTurns } from './deferred-turns.js';
import type { Skeleton } from './skeleton.js';

/*
 * Scenes that a program made itself, or put together from parts, may lack what types promise. What is looked at is
 * whether everything is there and of its kind, never the keys themselves: those are looked at where they are read. A
 * place is put into words only where something is wrong, so that a good scene costs a few microseconds.
 */

/**
 * Makes sure that a scene is one.
 * @param isUsed Which clips will be used, and are looked into; all if left out.
 * @throws UsageError that says what it is instead, such as a forgotten `await`, or names the part that is wrong, such
 * as `source.characters[0].clips[2].tracks`.
 */
export function checkScene(scene: unknown, name: string, isUsed: IsUsed = () => true): void {
  if (typeof scene === 'object' && scene !== null) {
    const { characters, otherClips, morphs, warnings } = scene as Record<string, unknown>;
    if (Array.isArray(characters)) {
      for (let i = 0; i < characters.length; i++) checkCharacter(characters[i], name, i, isUsed);
      if (otherClips !== undefined) checkClips(otherClips, `${name}.otherClips`);
      listAt(warnings, `${name}.warnings`);
      listAt(morphs, `${name}.morphs`).forEach((each, i) => {
        const at = `${name}.morphs[${i}]`;
        listAt(fieldsOf(each, at).names, `${at}.names`);
      });
      return;
    }
    if (typeof (scene as { then?: unknown }).then === 'function')
      throw new UsageError(`${name} is a promise; it must be awaited first: await read(…)`);
  }
  throw new UsageError(
    typeof scene === 'string'
      ? `${name} is "${scene.slice(0, 80)}"; it must be a scene: await read("${scene.slice(0, 80)}")`
      : `${name} must be a scene, as read gives it`,
  );
}

/** Whether a clip of that name is. */
type IsUsed = (clip: string) => boolean;

function checkCharacter(character: unknown, name: string, i: number, isUsed: IsUsed): void {
  const at = `${name}.characters[${i}]`;
  const { skeleton, clips } = fieldsOf(character, at);
  checkSkeleton(skeleton, `${at}.skeleton`);
  const { declared } = skeleton as Skeleton;
  // How a capture stands is read from its clips.
  checkClips(clips, `${at}.clips`, declared.capture ? undefined : isUsed);
}

/** So many joints a skeleton has at most: what a skin can name in 16 bits. */
export const MOST_JOINTS = 65_535;

/** Makes sure that a skeleton is one: a pose of as many joints as there are names, parents before their children. */
export function checkSkeleton(skeleton: unknown, at: string): void {
  const { names, parents, fileIndices, flags, rest, bind, container, declared } = fieldsOf(
    skeleton,
    at,
  ) as Partial<Skeleton>;
  const count = listAt(names, `${at}.names`).length;
  if (count > MOST_JOINTS)
    throw new RetargetError(
      `${at} has ${count} joints; at most ${MOST_JOINTS} can be retargeted: leave out those that nothing needs`,
    );
  checkNumbers(parents, count, at, 'parents');
  for (const [name, store] of [
    ['fileIndices', fileIndices],
    ['flags', flags],
  ] as const)
    if (!isNumbers(store))
      throw new UsageError(`${at}.${name}: must be a typed array, and is ${kindOf(store)}`);
  checkNumbers(container, 16, at, 'container');
  fieldsOf(declared, `${at}.declared`);
  for (let i = 0; i < count; i++) {
    const parent = parents![i]!;
    if (!(parent < i && parent >= -1))
      throw new UsageError(
        `${at}.parents[${i}]: must be −1 or a joint before it, and is ${parent}; createSkeleton puts joints in order`,
      );
  }
  checkPose(rest, count, `${at}.rest`);
  if (bind !== undefined) checkPose(bind, count, `${at}.bind`);
}

function checkPose(pose: unknown, count: number, at: string): void {
  const { translations, rotations, scales } = fieldsOf(pose, at);
  checkNumbers(translations, 3 * count, at, 'translations');
  checkNumbers(rotations, 4 * count, at, 'rotations');
  checkNumbers(scales, 3 * count, at, 'scales');
}

/** Makes sure that clips are; those that are not used have a name at least. */
export function checkClips(clips: unknown, at: string, isUsed: IsUsed = () => true): void {
  const list = listAt(clips, at);
  for (let i = 0; i < list.length; i++) checkClip(list[i], at, i, isUsed);
}

function checkClip(clip: unknown, list: string, i: number, isUsed: IsUsed): void {
  const at = () => `${list}[${i}]`;
  if (typeof clip !== 'object' || clip === null) fieldsOf(clip, at());
  const { name, duration, tracks, morphs } = clip as Partial<Clip>;
  if (typeof name !== 'string') textAt(name, `${at()}.name`);
  else if (!isUsed(name)) return;
  if (typeof duration !== 'number')
    throw new UsageError(`${at()}.duration: must be a number of seconds, and is ${typeof duration}`);
  if (!Array.isArray(tracks) || !Array.isArray(morphs)) {
    listAt(tracks, `${at()}.tracks`);
    listAt(morphs, `${at()}.morphs`);
    return;
  }
  for (let t = 0; t < tracks.length; t++) {
    const track = tracks[t]!;
    if (deferredTurns(track) || (isKeys(track) && isChannel(track.channel) && track.joint >= 0)) continue;
    const place = `${at()}.tracks[${t}]`;
    const { joint, channel } = fieldsOf(track, place);
    oneOf(channel, CHANNELS, `${place}.channel`);
    refuseKeys(track, place);
    throw new UsageError(`${place}.joint: must be the number of a joint, and is ${kindOf(joint)}`);
  }
  for (let m = 0; m < morphs.length; m++) {
    const morph = morphs[m]!;
    if (isKeys(morph) && typeof morph.mesh === 'string' && typeof morph.morph === 'string') continue;
    const place = `${at()}.morphs[${m}]`;
    refuseKeys(morph, place);
    textAt(morph.mesh, `${place}.mesh`);
    textAt(morph.morph, `${place}.morph`);
  }
}

const CHANNELS: readonly string[] = ['translation', 'rotation', 'scale'];
const INTERPOLATIONS: readonly string[] = ['step', 'linear', 'cubic'];

type Keys = { interpolation: string; times: unknown; values: unknown };

function isKeys(track: Keys | null | undefined): boolean {
  if (typeof track !== 'object' || track === null) return false;
  const { interpolation, times, values } = track;
  return (
    (interpolation === 'linear' || interpolation === 'cubic' || interpolation === 'step') &&
    (times instanceof Float32Array || isNumbers(times)) &&
    (values instanceof Float32Array || isNumbers(values))
  );
}

function isChannel(channel: unknown): boolean {
  return channel === 'rotation' || channel === 'translation' || channel === 'scale';
}

/** Names what makes keys none, where something does. */
function refuseKeys(track: unknown, at: string): void {
  const { interpolation, times, values } = fieldsOf(track, at);
  oneOf(interpolation, INTERPOLATIONS, `${at}.interpolation`);
  for (const [name, store] of Object.entries({ times, values }))
    if (!isNumbers(store))
      throw new UsageError(`${at}.${name}: must be a Float32Array, and is ${kindOf(store)}`);
}

function checkNumbers(store: unknown, count: number, at: string, name: string): void {
  if (!isNumbers(store))
    throw new UsageError(`${at}.${name}: must be a typed array of ${count} numbers, and is ${kindOf(store)}`);
  if (store.length !== count)
    throw new UsageError(`${at}.${name}: must be ${count} numbers, and is ${store.length}`);
}

/** Whether something is a typed array, of whatever page or worker. */
function isNumbers(store: unknown): store is Float64Array {
  return ArrayBuffer.isView(store) && !(store instanceof DataView);
}

function kindOf(value: unknown): string {
  return value === undefined ? 'left out' : Array.isArray(value) ? 'a list' : String(value).slice(0, 40);
}
