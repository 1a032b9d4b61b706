import { RetargetError } from '../base/errors.js';
import type { Warning } from '../base/warnings.js';
import { finiteClip } from '../clips/edit-clip.js';
import { checkMorphMap, matchMorphs } from '../clips/match-morphs.js';
import { ownKeys } from '../clips/own-keys.js';
import { pingPong } from '../clips/ping-pong.js';
import { chooseClips, prepareClip } from '../clips/prepare-clip.js';
import type { RetargetOptions } from '../passes/parts/told-options.js';
import type { Clip } from '../scene/clip.js';
import { createPose } from '../scene/pose.js';
import type { Scene } from '../scene/scene.js';

/**
 * Moves clips of a file that has no skeleton: morph weights alone.
 * @throws RetargetError where none of them is there on the target.
 */
export function moveMorphs(
  source: Scene,
  available: readonly Clip[],
  target: Scene,
  options: RetargetOptions,
): { clips: Clip[]; warnings: Warning[] } {
  const warnings = [...source.warnings, ...target.warnings];
  if (options.morphs) warnings.push(...checkMorphMap(options.morphs, source, available));
  const clips = chooseClips(available, options.clips).map((original): Clip => {
    const { clip: whole } = finiteClip(original);
    const part = prepareClip({ ...whole, tracks: [] }, options, createPose(0), warnings);
    const { name, duration, morphs } = options.pingPong ? pingPong(part) : part;
    const matched = matchMorphs(morphs, target, name, options.morphs);
    warnings.push(...matched.warnings);
    return ownKeys({ name, duration, tracks: [], morphs: matched.tracks }, original);
  });
  if (clips.some(({ morphs }) => morphs.length > 0)) return { clips, warnings };
  const moved = morphNames(available.flatMap(({ morphs }) => morphs.map(({ morph }) => morph)));
  const there = morphNames(target.morphs.flatMap(({ names }) => names));
  throw new RetargetError(
    `"${source.name}" moves morph targets alone (${moved}), and "${target.name}" has ${there === '' ? 'none' : `none that are called like them but ${there}; give a map of morphs`}`,
  );
}

/** The first few of some names, each once. */
function morphNames(names: readonly string[]): string {
  const different = [...new Set(names)].map((name) => `"${name}"`);
  return different.length > 6 ? `${different.slice(0, 6).join(', ')} …` : different.join(', ');
}
