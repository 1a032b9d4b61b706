import type { Clip, Scene } from '@stuntdouble/core';
import { messageProblem } from './attempt.js';

/** What is unsound about a scene that was read: what a program that uses it would stumble over; null for nothing. */
export function judgeScene(scene: Scene): string | null {
  for (const { skeleton, clips } of scene.characters) {
    const count = skeleton.names.length;
    for (const [i, parent] of skeleton.parents.entries())
      if (!(parent < i && parent >= -1)) return `a joint has a parent behind it`;
    for (const pose of [skeleton.rest, skeleton.bind]) {
      if (!pose) continue;
      for (const [name, values] of Object.entries(pose))
        if (!values.every(Number.isFinite)) return `${name} of a rest or bind pose are not finite`;
    }
    if (!skeleton.container.every(Number.isFinite)) return 'the container is not finite';
    for (const hull of skeleton.hulls ?? [])
      if (hull && !hull.every(Number.isFinite)) return 'a hull is not finite';
    for (const clip of clips) {
      const problem = judgeKeys(clip, count);
      if (problem) return problem;
    }
  }
  for (const clip of scene.otherClips ?? []) {
    const problem = judgeKeys(clip, 0);
    if (problem) return problem;
  }
  return judgeWarnings(scene.warnings);
}

/** What is wrong with the sentences of warnings; null for nothing. */
export function judgeWarnings(warnings: readonly { code: string; message: string }[]): string | null {
  for (const { code, message } of warnings) {
    const problem = messageProblem(message);
    if (problem) return `message of warning ${code} ${problem}`;
  }
  return null;
}

/** What is unsound about the keys of a clip, for a skeleton of so many joints; null for nothing. */
export function judgeKeys({ duration, tracks, morphs }: Clip, joints: number): string | null {
  if (!Number.isFinite(duration)) return 'the duration of a clip is not finite';
  for (const { joint, channel, interpolation, times, values } of tracks) {
    if (!(joint >= 0 && joint < joints)) return 'a track moves a joint that is not there';
    const width = channel === 'rotation' ? 4 : channel === 'translation' || channel === 'scale' ? 3 : 0;
    if (width === 0) return 'a track moves no channel that there is';
    const problem = judgeNumbers(times, values, width * (interpolation === 'cubic' ? 3 : 1));
    if (problem) return `${channel} track: ${problem}`;
  }
  for (const { interpolation, times, values } of morphs) {
    const problem = judgeNumbers(times, values, interpolation === 'cubic' ? 3 : 1);
    if (problem) return `morph track: ${problem}`;
  }
  return null;
}

function judgeNumbers(times: ArrayLike<number>, values: ArrayLike<number>, width: number): string | null {
  if (values.length !== width * times.length) return `${values.length} numbers for ${times.length} keys`;
  for (let k = 0; k < times.length; k++) {
    if (!Number.isFinite(times[k]!)) return 'a time is not finite';
    if (k > 0 && times[k]! < times[k - 1]!) return 'times do not rise';
  }
  for (let i = 0; i < values.length; i++) if (!Number.isFinite(values[i]!)) return 'a key is not finite';
  return null;
}
