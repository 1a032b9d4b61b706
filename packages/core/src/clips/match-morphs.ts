import type { Warning } from '../base/warnings.js';
import type { MorphMap } from '../options/clip-rules.js';
import type { Clip, MorphTrack } from '../scene/clip.js';
import type { Scene } from '../scene/scene.js';

/**
 * Names of one and the same expression, folded: VRM 1.0 first, then VRM 0.x, ARKit and the visemes of Oculus.
 * Only what means the same: ARKit's `jawOpen` is a part of saying "aa", not the same.
 */
const ALIASES: readonly (readonly string[])[] = [
  ['happy', 'joy'],
  ['sad', 'sorrow'],
  ['relaxed', 'fun'],
  ['aa', 'a', 'visemeaa'],
  ['ih', 'i', 'visemei'],
  ['ou', 'u', 'visemeu'],
  ['ee', 'e', 'visemee'],
  ['oh', 'o', 'visemeo'],
  ['blinkleft', 'blinkl', 'eyeblinkleft', 'eyeblinkl'],
  ['blinkright', 'blinkr', 'eyeblinkright', 'eyeblinkr'],
];

const firstAlias = new Map(ALIASES.flatMap((names) => names.map((name) => [name, names[0]!])));

/** A name without case and separators. */
function fold(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

function meaningOf(name: string): string {
  const folded = fold(name);
  return firstAlias.get(folded) ?? folded;
}

type Place = { mesh: string; morph: string };

/** How sure two morphs are the same, surest first; a way gives the places on the target that it finds. */
const MORPH_MATCHES: readonly ((track: Place, places: readonly Place[]) => Place[])[] = [
  // B4: mesh and name.
  (track, places) => places.filter(({ mesh, morph }) => mesh === track.mesh && morph === track.morph),
  (track, places) => places.filter(({ morph }) => morph === track.morph),
  (track, places) => places.filter(({ morph }) => fold(morph) !== '' && fold(morph) === fold(track.morph)),
  (track, places) =>
    places.filter(({ morph }) => meaningOf(morph) !== '' && meaningOf(morph) === meaningOf(track.morph)),
];

/**
 * Puts morph tracks onto the morph targets of another scene: by the user's map, by mesh and name (B4), by name
 * alone, by name without case and separators, by what the standards call the same expression. Keys, times
 * and interpolation stay as they are. A name that several meshes of a face share moves all of them, and a
 * place that two tracks could take goes to the surer one. Expressions of a whole face (mesh '') serve where no
 * mesh has the name.
 */
export function matchMorphs(
  tracks: readonly MorphTrack[],
  target: Pick<Scene, 'name' | 'morphs'>,
  clip: string,
  map: MorphMap = {},
): { tracks: MorphTrack[]; warnings: Warning[] } {
  const places = target.morphs.flatMap(({ mesh, names }) => names.map((morph): Place => ({ mesh, morph })));
  const told = new Map(Object.entries(map));
  const warnings: Warning[] = [];
  const found = new Map<MorphTrack, Place[]>();
  const taken = new Set<string>();
  const take = (track: MorphTrack, wanted: readonly Place[]) => {
    const free = wanted.filter(({ mesh, morph }) => !taken.has(`${mesh}\n${morph}`));
    const onMeshes = free.filter(({ mesh }) => mesh !== '');
    const chosen = onMeshes.length > 0 && track.mesh !== '' ? onMeshes : preferWhole(free);
    if (chosen.length === 0) return;
    found.set(track, chosen);
    for (const { mesh, morph } of chosen) taken.add(`${mesh}\n${morph}`);
  };
  for (const track of tracks) {
    const wanted = told.get(`${track.mesh}/${track.morph}`) ?? told.get(track.morph);
    if (wanted === undefined) continue;
    found.set(track, []);
    if (wanted === '') continue;
    const named = places.filter(({ mesh, morph }) => morph === wanted || `${mesh}/${morph}` === wanted);
    if (named.length === 0)
      warnings.push({
        code: 'map-entry-ignored',
        message: `the map puts morph "${track.morph}" onto "${wanted}", which "${target.name}" does not have; it was left out`,
      });
    take(track, named);
  }
  for (const way of MORPH_MATCHES)
    for (const track of tracks) if (!found.has(track)) take(track, way(track, places));
  const lost = tracks.filter((track) => !found.has(track));
  if (lost.length > 0)
    warnings.push({
      code: 'morph-dropped',
      message: `"${clip}": ${lost.length} morph track${lost.length > 1 ? 's have' : ' has'} no counterpart on "${target.name}": ${namesOf(lost)}`,
    });
  return {
    tracks: tracks.flatMap((track) => (found.get(track) ?? []).map((place) => ({ ...track, ...place }))),
    warnings,
  };
}

/**
 * Warns of entries of a map that name nothing on their left: no morph of the source's meshes and none that a clip of it
 * moves. Whatever they were meant for, it goes its way without them.
 */
export function checkMorphMap(
  map: MorphMap,
  source: Pick<Scene, 'name' | 'morphs'>,
  clips: readonly Pick<Clip, 'morphs'>[],
): Warning[] {
  const known = new Set<string>();
  const add = (mesh: string, morph: string) => known.add(morph).add(`${mesh}/${morph}`);
  for (const { mesh, names } of source.morphs) for (const morph of names) add(mesh, morph);
  for (const { morphs } of clips) for (const { mesh, morph } of morphs) add(mesh, morph);
  return Object.keys(map)
    .filter((name) => !known.has(name))
    .map((name) => ({
      code: 'map-entry-ignored',
      message: `the map names morph "${name}", which "${source.name}" does not have; the entry was left out`,
    }));
}

/** The expression of the whole face where there is one: it moves its meshes itself. */
function preferWhole(places: readonly Place[]): Place[] {
  const whole = places.filter(({ mesh }) => mesh === '');
  return whole.length > 0 ? whole.slice(0, 1) : [...places];
}

function namesOf(tracks: readonly MorphTrack[]): string {
  const names = [...new Set(tracks.map(({ morph }) => `"${morph}"`))];
  return names.length > 6 ? `${names.slice(0, 6).join(', ')} and ${names.length - 6} more` : names.join(', ');
}
