import { quaternionAngle } from '../base/math/quaternion.js';
import { areTurns } from '../clips/sound-turns.js';
import { compiledOf, type Pass } from '../passes/pass.js';
import { PASS_NAMES, PASSES } from '../passes/pipeline.js';
import { isSameSkeleton } from '../scene/skeleton.js';
import { BAKE_ASKED, type ClipJob, type Way } from './clip-way.js';

/** Takes a clip over as it is, every joint and channel: for a motion that comes back to its own body. */
export const copyWhole: Way = {
  name: 'copy',
  summary: 'takes the clip over whole, where both skeletons are one and nothing else was asked for',
  refuses(job) {
    const { keys, passes } = job;
    if (keys === 'bake') return BAKE_ASKED;
    if (passes.length !== PASS_NAMES.length) return 'some passes are left out';
    return whyOtherBody(job) ?? whyOtherMap(job);
  },
  move({ clip }) {
    return {
      clip: { ...clip, tracks: [...clip.tracks] },
      frames: clip.tracks.reduce((most, { times }) => Math.max(most, times.length), 0),
      finite: clip.tracks.every((track) => track.channel !== 'rotation' || areTurns(track)),
      mended: [],
      rootMotion: null,
      contacts: null,
    };
  },
};

/** Why a motion changes on its way, whatever the map: another body, another stance, or something was asked for. */
function whyOtherBody({ setup }: ClipJob): string | null {
  const { source, target, rootScales, asked } = setup;
  if (!isSameSkeleton(source.skeleton, target.skeleton)) return 'the skeletons are not one';
  if (asked) return 'something was asked for that changes the motion';
  const busy = (PASSES as readonly Pass[]).find(
    (pass) => !pass.restsOnOwnBody && compiledOf(setup, pass) !== null,
  );
  if (busy) return `${busy.name} changes the motion`;
  if (Math.abs(rootScales.horizontal - 1) > 1e-6 || Math.abs(rootScales.vertical - 1) > 1e-6)
    return 'travel is stretched';
  const a = source.reference.pose.rotations;
  const b = target.reference.pose.rotations;
  for (let i = 0; i < a.length; i += 4)
    if (quaternionAngle(a, i, b, i) > 1e-6) return 'the reference poses differ';
  return null;
}

/** Why the map does not give every joint its own motion. */
function whyOtherMap({ setup: { map }, clip, mapIsTold }: ClipJob): string | null {
  const isOwn = map.joints.every(
    (pair) => pair.sources.length > 0 && pair.sources[pair.sources.length - 1] === pair.target,
  );
  if (!isOwn) return 'the map gives a joint the motion of another';
  const mapped = new Set(map.joints.map((pair) => pair.target));
  if (mapIsTold && !clip.tracks.every(({ joint }) => mapped.has(joint)))
    return 'the map leaves out joints that move';
  return null;
}
