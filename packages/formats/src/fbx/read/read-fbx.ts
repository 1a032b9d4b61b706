import type { Scene, Warning } from '@stuntdouble/core';
import type { ReadOptions } from '../../format.js';
import { completeLimits, refuseBeyond } from '../../limits.js';
import { findHolders, findOwners } from '../../shared/node-owners.js';
import { readObjects } from '../parse/objects.js';
import { type FbxDocument, parseFbx } from '../parse/parse-fbx.js';
import { readSettings } from '../parse/settings.js';
import { readMorphChannels } from './blend-shapes.js';
import { clipsFor, readTracks } from './clips.js';
import { holderOf, isHold, measureHulls } from './hulls.js';
import { mirrorCharacters } from './mirror-space.js';
import { readModelTree } from './model-tree.js';
import type { Sampling } from './resample.js';
import { findSkeletons, readBindPose } from './skeletons.js';
import { readBindPoses, readSkins } from './skins.js';
import { readTakes } from './takes.js';

/**
 * Reads an FBX file, binary or ASCII, of version 7.
 * @throws FormatError where it is broken or older.
 */
export function readFbx(bytes: Uint8Array, options: ReadOptions = {}): Scene {
  const warnings: Warning[] = [];
  const limits = completeLimits(options.limits);
  const document: FbxDocument = {
    ...parseFbx(bytes, limits),
    base: options.base ?? null,
    ...(options.followLinks ? { followLinks: true } : {}),
    mostBytes: limits.bytes,
  };
  const objects = readObjects(document, warnings);
  const modelCount = objects.all.reduce((sum, { type }) => sum + (type === 'Model' ? 1 : 0), 0);
  refuseBeyond(limits, 'joints', modelCount, { format: 'FBX', at: 'Objects' });
  const { declared, frameRate, mirror } = readSettings(objects);
  const tree = readModelTree(objects);
  const skins = readSkins(objects, tree, warnings);
  const takes = readTakes(objects, tree, warnings);
  for (const { name, start, end } of takes)
    refuseBeyond(limits, 'seconds', end - start, { format: 'FBX', at: `the take "${name.slice(0, 80)}"` });
  const channels = readMorphChannels(objects, tree);
  // Minutes of a body on few keys are fine, years are not.
  const added = 300_000 + 2 * bytes.length;
  const sampling: Sampling = {
    added,
    frameRate,
    shared: new Map(),
    keys: 0,
    limits,
    budget: document.budget,
  };
  const tracks = readTracks(takes, tree, channels, sampling, warnings);
  const moved = new Set(tracks.flatMap((take) => take.tracks.map(({ joint }) => joint)));
  const found = findSkeletons(tree, skins, moved, declared, warnings);
  const poses = readBindPoses(objects, tree);
  const owners = findOwners(
    tree.models.length,
    found.map(({ skeleton }) => skeleton),
  );
  const holders = findHolders(tree, owners, (i, model) => isHold(found[i]!, model));
  const meshes = found.map((): number[] => []);
  tree.models.forEach(({ subtype }, model) => {
    if (subtype === 'Mesh') for (const i of holders[model]!) meshes[i]!.push(model);
  });
  const bySkin = new Map<number, number>();
  found.forEach((one, i) => {
    const bind = readBindPose(tree, one, poses);
    if (bind) one.skeleton.bind = bind;
    if (options.skin !== false) measureHulls(objects, tree, one, meshes[i]!, warnings);
    for (const { model } of one.skins) if (!bySkin.has(model)) bySkin.set(model, i);
  });
  const ownerOf = (model: number) =>
    bySkin.get(model) ?? holders[model]!.find((i) => holderOf(tree, found[i]!, model) !== null) ?? 0;
  const clips = clipsFor(tracks, found, owners, ownerOf);
  const morphs = new Map<string, Set<string>>();
  for (const { model, name } of channels) {
    const mesh = tree.names[model]!;
    const names = morphs.get(mesh) ?? new Set();
    morphs.set(mesh, names.add(name));
  }
  const scene: Scene = {
    format: 'fbx',
    name: options.name ?? 'untitled',
    characters: found.map(({ skeleton }, i) => ({ skeleton, clips: clips[i]! })),
    morphs: [...morphs].map(([mesh, names]) => ({ mesh, names: [...names] })),
    document,
    warnings,
  };
  if (mirror !== null) scene.characters = mirrorCharacters(scene.characters, mirror);
  if (found.length === 0) {
    const others = tracks.filter((take) => take.morphs.length > 0);
    if (others.length > 0)
      scene.otherClips = others.map((take) => ({
        name: take.name,
        duration: take.duration,
        tracks: [],
        morphs: take.morphs.map(({ track }) => track),
      }));
  }
  return scene;
}
