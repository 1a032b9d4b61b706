import { readFileSync } from 'node:fs';
import {
  createRig,
  type Mesh,
  type Rig,
  type RigMapDocument,
  rolesOfDocument,
  type Scene,
} from '@stuntdouble/core/engine';
import { read, readMeshes } from '@stuntdouble/formats';
import { mapsFolder, type SampleEntry, samplesFolder } from './catalogue.js';

/** A sample character that is read and understood. */
export type CastMember = {
  entry: SampleEntry;
  scene: Scene;
  rig: Rig;
  meshes: Mesh[];
  /** Where its joints' names mean nothing. */
  map?: RigMapDocument;
};

/** Reads a sample character, with the map that is saved for it. */
export async function readCastMember(entry: SampleEntry): Promise<CastMember> {
  const scene = await read(samplesFolder + entry.file);
  const { skeleton } = scene.characters[0]!;
  const map = entry.map === undefined ? undefined : readMap(mapsFolder + entry.map);
  const rig = createRig(skeleton, map ? { roles: rolesOfDocument(map, skeleton, 'target') } : {});
  return { entry, scene, rig, meshes: await readMeshes(scene), ...(map ? { map } : {}) };
}

/** Reads a map that came with the samples. */
function readMap(path: string): RigMapDocument {
  return JSON.parse(readFileSync(path, 'utf8')) as RigMapDocument;
}
