import type { Clip, Pose, RetargetResult } from '@stuntdouble/core';
import { judgeKeys, judgeWarnings } from './judge-scene.js';

/** How far the length of a rotation may be from 1: a hundred times what rounding to float32 costs. */
const LENGTH_TOLERANCE = 1e-5;

/** What is unsound about a result: numbers that are none, rotations that are none, sentences that cannot be shown. */
export function judgeResult({ scene, character, clips, rootMotion, report }: RetargetResult): string | null {
  const joints = scene.characters[character]?.skeleton.names.length ?? 0;
  for (const clip of clips) {
    const problem = judgeKeys(clip, joints) ?? judgeRotations(clip);
    if (problem) return problem;
  }
  for (const motion of rootMotion ?? []) {
    if (!motion) continue;
    const problem = findUnsound(motion, 'rootMotion') ?? lengthProblem(motion.rotations, 0, 4);
    if (problem) return `root motion: ${problem}`;
  }
  return findUnsound(report, 'report') ?? judgeWarnings(report.warnings);
}

/** What is unsound about the pose of a live update, or its step of root motion; null for nothing. */
export function judgePose(pose: Pose): string | null {
  for (const [name, values] of Object.entries(pose))
    if (!values.every(Number.isFinite)) return `live ${name} are not finite`;
  return lengthProblem(pose.rotations, 0, 4);
}

function judgeRotations({ tracks, gaze }: Clip): string | null {
  for (const { channel, interpolation, values } of [
    ...tracks,
    ...(gaze ? [{ ...gaze, channel: 'rotation' as const }] : []),
  ]) {
    if (channel !== 'rotation') continue;
    // Of a cubic key the value in the middle is a rotation; its slopes are not.
    const problem = interpolation === 'cubic' ? lengthProblem(values, 4, 12) : lengthProblem(values, 0, 4);
    if (problem) return `${interpolation} key: ${problem}`;
  }
  return null;
}

function lengthProblem(values: ArrayLike<number>, first: number, stride: number): string | null {
  for (let i = first; i + 4 <= values.length; i += stride) {
    const length = Math.hypot(values[i]!, values[i + 1]!, values[i + 2]!, values[i + 3]!);
    if (!(Math.abs(length - 1) <= LENGTH_TOLERANCE)) {
      const kind = length === 0 ? 'is zero' : Number.isFinite(length) ? 'is not of length 1' : 'is no number';
      return `a rotation ${kind}`;
    }
  }
  return null;
}

/** Where data holds a number that is not finite; null for nowhere. Lists are told without their index. */
export function findUnsound(data: unknown, at: string): string | null {
  if (typeof data === 'number') return Number.isFinite(data) ? null : `${at} is ${data}`;
  if (typeof data !== 'object' || data === null) return null;
  if (ArrayBuffer.isView(data)) {
    const numbers = data as unknown as ArrayLike<number>;
    for (let i = 0; i < numbers.length; i++)
      if (!Number.isFinite(numbers[i]!)) return `${at}[] is ${numbers[i]}`;
    return null;
  }
  for (const [name, value] of Object.entries(data)) {
    const found = findUnsound(value, Array.isArray(data) ? `${at}[]` : `${at}.${name}`);
    if (found) return found;
  }
  return null;
}
