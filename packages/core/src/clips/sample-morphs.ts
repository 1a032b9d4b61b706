import type { Clip } from '../scene/clip.js';
import { sampleMorph } from './edit-clip.js';

/** The weight of one morph at an instant; the mesh is '' for an expression of the whole face. */
export type MorphWeight = { mesh: string; morph: string; weight: number };

/** The weights of all morphs that a clip moves, at a time in seconds; still before the first key and after the last. */
export function sampleMorphs(clip: Pick<Clip, 'morphs'>, time: number): MorphWeight[] {
  return clip.morphs
    .filter(({ times }) => times.length > 0)
    .map((track) => ({ mesh: track.mesh, morph: track.morph, weight: sampleMorph(track, time) }));
}
