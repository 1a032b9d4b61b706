import type { Clip } from '../scene/clip.js';

type Store = Float32Array | Float64Array;

/**
 * Gives a clip times and values of its own wherever it shares them with the clip it was made from, so that editing
 * the one leaves the other alone. What several tracks of the clip share they go on sharing.
 */
export function ownKeys(clip: Clip, source: Clip): Clip {
  const theirs = new Set<Store>();
  for (const { times, values } of keysOf(source)) theirs.add(times).add(values);
  if (!keysOf(clip).some(({ times, values }) => theirs.has(times) || theirs.has(values))) return clip;
  const copies = new Map<Store, Store>();
  const own = (store: Store): Store => {
    if (!theirs.has(store)) return store;
    const copy = copies.get(store) ?? store.slice();
    copies.set(store, copy);
    return copy;
  };
  const withOwn = <Keys extends { times: Store; values: Store }>(keys: Keys): Keys => ({
    ...keys,
    times: own(keys.times),
    values: own(keys.values),
  });
  return {
    ...clip,
    tracks: clip.tracks.map(withOwn),
    morphs: clip.morphs.map(withOwn),
    ...(clip.gaze && { gaze: withOwn(clip.gaze) }),
  };
}

/**
 * {@link ownKeys} for a clip whose tracks and values were made anew, in place: only times may be the source's. In files
 * of many tracks that is a good part of the time, as sets of stores are slow.
 */
export function ownTimes(clip: Clip, source: Clip): Clip {
  const copies = new Map<Store, Store | null>();
  let last: Store | null = null;
  for (const { times } of source.tracks) {
    if (times !== last) copies.set(times, null);
    last = times;
  }
  for (const track of clip.tracks) {
    const copy = copies.get(track.times);
    if (copy === undefined) continue;
    const own = copy ?? track.times.slice();
    if (copy === null) copies.set(track.times, own);
    track.times = own;
  }
  return clip;
}

function keysOf({ tracks, morphs, gaze }: Clip): { times: Store; values: Store }[] {
  return gaze ? [...tracks, ...morphs, gaze] : [...tracks, ...morphs];
}
