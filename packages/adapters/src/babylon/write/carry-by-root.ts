import {
  type Clip,
  copyPose,
  createMatrix,
  createPath,
  followPath,
  invertMatrix,
  modelPoseOf,
  type Setup,
  sampleClip,
  type Track,
  transformPoint,
} from '@stuntdouble/core/engine';
import type { NamedPair } from '../root-rules.js';

/**
 * Lets a joint above the hips carry the body, as who names it in `rootNodeName` asks for: it moves as its counterpart
 * of the source does, scaled (B10), and the hips keep their place in model space.
 *
 *   p_t = H_t + r · (p_s − H_s)
 *
 * Babylon.js leaves the hips' own keys unscaled and undoes a parent at rest (BP9); here the hips are where the engine
 * has put them, whatever the joints between do.
 * @param clip The result, which is changed.
 */
export function carryByRoot(clip: Clip, from: Clip, setup: Setup, root: NamedPair & { scale: number }): void {
  const { travel, sourceReference, alignment } = setup;
  const [source, target] = [setup.source.skeleton, setup.target.skeleton];
  if (!travel) return;
  const isTravel = ({ joint, channel }: Track) => joint === travel.target && channel === 'translation';
  const isRoot = ({ joint, channel }: Track) => joint === root.target && channel === 'translation';
  const times = unionOf([
    clip.tracks.find(isTravel)?.times,
    from.tracks.find(({ joint, channel }) => joint === root.source && channel === 'translation')?.times,
  ]);
  if (times.length === 0) return;
  const [pathToRoot, pathToHips] = [root.target, travel.target].map((joint) => createPath(target, joint));
  const rootKeys = new Float64Array(3 * times.length);
  const hipKeys = new Float64Array(3 * times.length);
  const above = createMatrix();
  const place = new Float64Array(3);
  times.forEach((time, k) => {
    const sourcePose = copyPose(source.rest);
    const pose = copyPose(target.rest);
    sampleClip(sourcePose, from, time);
    sampleClip(pose, clip, time);
    const hips = modelPoseOf(target, pose).matrices.slice(16 * travel.target + 12, 16 * travel.target + 15);
    const moved = modelPoseOf(source, sourcePose).matrices;
    for (let c = 0; c < 3; c++) {
      const [s, t] = [16 * root.source + 12 + c, 16 * root.target + 12 + c];
      place[c] = alignment.model.matrices[t]! + root.scale * (moved[s]! - sourceReference.matrices[s]!);
    }
    followPath(above, pathToRoot!, target, pose);
    invertMatrix(above, 0, above, 0);
    transformPoint(rootKeys, 3 * k, above, 0, place, 0);
    pose.translations.set(rootKeys.subarray(3 * k, 3 * k + 3), 3 * root.target);
    followPath(above, pathToHips!, target, pose);
    invertMatrix(above, 0, above, 0);
    transformPoint(hipKeys, 3 * k, above, 0, hips, 0);
  });
  const track = (joint: number, values: Float64Array): Track => ({
    joint,
    channel: 'translation',
    interpolation: 'linear',
    times,
    values: Float32Array.from(values),
  });
  const others = clip.tracks.filter((each) => !isTravel(each) && !isRoot(each));
  clip.tracks = [...others, track(root.target, rootKeys), track(travel.target, hipKeys)];
}

/** All the times of several tracks, each once, in order. */
function unionOf(all: readonly (Track['times'] | undefined)[]): Float32Array {
  const times = new Set(all.flatMap((each) => (each ? Array.from(each, Math.fround) : [])));
  return Float32Array.from([...times].sort((a, b) => a - b));
}
