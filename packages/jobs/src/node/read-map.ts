import { type RigMapDocument, rolesOfDocument, type Skeleton } from '@stuntdouble/core/engine';
import { readJson } from './read-json.js';

/**
 * Reads a map file, as `stuntdouble map -o` writes it or as a person does.
 * @throws Failure that names the file and what is wrong with it.
 */
export async function readRigMap(path: string): Promise<RigMapDocument> {
  // What checks a map is loaded only where there is one.
  const { parseRigMap } = await import('../documents/rig-map-schema.js');
  return readJson(path, 'a map', parseRigMap);
}

/**
 * Reads the roles that a map file gives to joints.
 * @returns the roles of a skeleton: those of the side of the map that has its joints.
 */
export async function readRoles(
  path: string,
): Promise<(skeleton: Skeleton) => ReturnType<typeof rolesOfDocument>> {
  const document = await readRigMap(path);
  return (skeleton) => {
    const asTarget = rolesOfDocument(document, skeleton, 'target');
    const asSource = rolesOfDocument(document, skeleton, 'source');
    return Object.keys(asTarget).length >= Object.keys(asSource).length ? asTarget : asSource;
  };
}
