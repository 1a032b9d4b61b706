import { childOf, firstValueOf } from './child-records.js';
import { type FbxNode, numberOf } from './fbx-node.js';

/** FBX counts time in parts of a second that all usual frame rates divide. */
export const TICKS_PER_SECOND = 46186158000;

/** What FBX 8 is to count in. Files of version 7.7 can choose it. */
const COARSE_TICKS_PER_SECOND = 141120000;

/**
 * How many parts of a second a file counts in: it says so since FBX 7.7, by a number that is 0 for the coarse ones
 * and 127 for those that all older files have.
 */
export function ticksPerSecondOf(nodes: readonly FbxNode[]): number {
  const header = nodes.find(({ name }) => name === 'FBXHeaderExtension');
  const definition = firstValueOf(childOf(header, 'OtherFlags'), 'TCDefinition');
  const knows = numberOf(firstValueOf(header, 'FBXHeaderVersion')) >= 1004;
  return knows && definition !== undefined && numberOf(definition, 127) === 0
    ? COARSE_TICKS_PER_SECOND
    : TICKS_PER_SECOND;
}
