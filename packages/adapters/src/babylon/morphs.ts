import type { AnimationGroup } from '@babylonjs/core/Animations/animationGroup.js';
import type { MorphTarget } from '@babylonjs/core/Morph/morphTarget.js';
import { type MorphMap, type MorphTrack, matchMorphs, partnersByName } from '@stuntdouble/core/engine';
import type { Avatar } from './read/avatar.js';
import type { Body } from './read/body.js';
import type { ReadGroup } from './read/read-group.js';
import type { BabylonWarning } from './warnings.js';

/** Morph targets by `meshName_morphTargetName`, as an avatar's `mapMorphTargetNameToMorphTarget` tells them. */
export type ToldMorphs = ReadonlyMap<string, MorphTarget> | null;

/** The morph targets that an avatar names itself, as Babylon's class does; null where it does not. */
export function toldMorphsOf(avatar: Avatar): ToldMorphs {
  const told: unknown =
    'mapMorphTargetNameToMorphTarget' in avatar ? avatar.mapMorphTargetNameToMorphTarget : null;
  return told instanceof Map ? told : null;
}

/** How morph targets are paired. */
type MorphRules = {
  map?: MorphMap | undefined;
  told: ToldMorphs;
  /** Whether a morph target of another mesh does not serve: Babylon's way. */
  sameMeshOnly: boolean;
};

/**
 * Gives morph animations to the avatar's targets that are called alike (B4); see {@link pairMorphs}.
 * @param rules `mirror`: whether what is left in a name becomes right, where the source has both.
 */
export function writeMorphs(
  group: AnimationGroup,
  read: ReadGroup,
  source: Body['scene'],
  target: Body,
  rules: MorphRules & { mirror: boolean },
  warnings: BabylonWarning[],
): void {
  if (read.morphs.length === 0) return;
  const all = listMorphs(source.meshes);
  const meshOf = new Map(all.map(({ mesh, morph }) => [morph, mesh]));
  const meshes = new Set(read.morphs.map(({ target: morph }) => meshOf.get(morph as MorphTarget)));
  const others = rules.mirror
    ? partnersByName(all.filter(({ mesh }) => meshes.has(mesh)).map(({ name }) => name))
    : new Map<string, string>();
  const moved = read.morphs.map(({ target }): NamedMorph => {
    const morph = target as MorphTarget;
    const name = others.get(morph.name) ?? morph.name;
    return { mesh: meshOf.get(morph) ?? '?', name, morph };
  });
  const pairs = pairMorphs(moved, target, rules, warnings);
  for (const { animation, target: morph } of read.morphs)
    for (const to of pairs.get(morph as MorphTarget) ?? [])
      group.addTargetedAnimation(animation.clone(true), to);
  for (const { mesh, name, morph } of moved)
    if (!pairs.has(morph))
      warnings.push({
        code: 'morph-not-found',
        message: `"${target.name}" has no morph target "${name}" of mesh "${mesh}"; its animation was left out`,
      });
}

/** A morph target, the name of its mesh and the one that it goes by. */
type NamedMorph = { mesh: string; name: string; morph: MorphTarget };

/**
 * Pairs morph targets: as the avatar itself tells, then as clips of files are: by the user's map, by mesh and name, by
 * name alone, by names that mean the same. A name that several meshes of the avatar share moves all of them. One that the map leaves out has no
 * partners; one without a counterpart is not in the result.
 */
function pairMorphs(
  sources: readonly NamedMorph[],
  target: Body,
  { map, told, sameMeshOnly }: MorphRules,
  warnings: BabylonWarning[],
): Map<MorphTarget, MorphTarget[]> {
  const own = listMorphs(target.meshes);
  const meshes = [...new Set(own.map(({ mesh }) => mesh))];
  const tracks = sources.map(
    ({ mesh, name }): MorphTrack => ({
      mesh,
      morph: name,
      interpolation: 'linear',
      times: new Float32Array(0),
      values: new Float32Array(0),
    }),
  );
  const matched = matchMorphs(
    tracks,
    {
      name: target.name,
      morphs: meshes.map((mesh) => ({
        mesh,
        names: [...new Set(own.filter((one) => one.mesh === mesh).map(({ name }) => name))],
      })),
    },
    target.name,
    map,
  );
  warnings.push(...matched.warnings.filter(({ code }) => code !== 'morph-dropped'));
  const pairs = new Map<MorphTarget, MorphTarget[]>();
  tracks.forEach(({ times, mesh, morph }, n) => {
    // A match keeps the very keys of its track.
    const places = matched.tracks.filter((track) => track.times === times);
    const source = sources[n]!.morph;
    const named = told?.get(`${mesh}_${morph}`);
    if (named) {
      pairs.set(source, [named]);
      return;
    }
    const wanted = map?.[`${mesh}/${morph}`] ?? map?.[morph];
    const found = own.filter(
      (one) =>
        places.some((place) => place.mesh === one.mesh && place.morph === one.name) &&
        (!sameMeshOnly || wanted !== undefined || one.mesh === mesh),
    );
    if (found.length > 0 || wanted === '')
      pairs.set(
        source,
        found.map((one) => one.morph),
      );
    if (wanted !== undefined || found.length === 0 || found.some((one) => one.mesh === mesh)) return;
    warnings.push({
      code: 'morph-of-other-mesh',
      message: `"${target.name}" has no morph target "${morph}" of mesh "${mesh}"; ${found.map((one) => `"${one.name}" of mesh "${one.mesh}"`).join(' and ')} moves instead`,
    });
  });
  return pairs;
}

function listMorphs(meshes: Body['meshes']): NamedMorph[] {
  return meshes.flatMap(({ name, morphTargetManager: manager }) =>
    manager
      ? Array.from({ length: manager.numTargets }, (_, i) => {
          const morph = manager.getTarget(i);
          return { mesh: name, name: morph.name, morph };
        })
      : [],
  );
}

/** Influences that follow other influences, and what they were before. */
export type MorphCopies = { from: MorphTarget[]; to: MorphTarget[]; before: number[] };

/** Pairs the morph targets of two bodies, for copying their influence from frame to frame. */
export function createMorphCopies(source: Body, target: Body, map: MorphMap | undefined): MorphCopies {
  const copies: MorphCopies = { from: [], to: [], before: [] };
  const rules = { map, told: null, sameMeshOnly: false };
  for (const [from, all] of pairMorphs(listMorphs(source.meshes), target, rules, []))
    for (const to of all) {
      copies.from.push(from);
      copies.to.push(to);
      copies.before.push(to.influence);
    }
  return copies;
}

/** Gives every paired morph target of the avatar the source's present influence; one that is no number leaves it. */
export function copyMorphs({ from, to }: MorphCopies): void {
  for (let n = 0; n < from.length; n++) {
    const { influence } = from[n]!;
    if (Number.isFinite(influence)) to[n]!.influence = influence;
  }
}

/** Gives every paired morph target of the avatar the influence it had before. */
export function restoreMorphs({ to, before }: MorphCopies): void {
  for (let n = 0; n < to.length; n++) to[n]!.influence = before[n]!;
}
