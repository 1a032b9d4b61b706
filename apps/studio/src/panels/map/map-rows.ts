import type { Role } from '@stuntdouble/core';
import type { ChainName, FileFacts, Understanding } from '../../engine/protocol.js';
import { shortNames } from '../joint-names.js';

/** A target joint in the list of the map. */
export type MapRow = {
  joint: number;
  name: string;
  chain: ChainName;
  /** The names of its drivers, the last one the driver; empty where nothing drives it. */
  drivers: string[];
  driver: number;
  confidence: number | null;
  reason: string;
  part: string | null;
  /** Whether nothing drives it although the source has such a part. */
  isWanting: boolean;
};

/** Joints of a chain together. */
export type MapGroup = { chain: ChainName; rows: MapRow[]; driven: number; total: number; isUnsure: boolean };

/** Below this a pair is worth a look. */
export const SURE = 0.7;

const ORDER: readonly ChainName[] = [
  'torso',
  'leftArm',
  'rightArm',
  'leftLeg',
  'rightLeg',
  'leftHand',
  'rightHand',
  'none',
];

/**
 * The map as people read it: target joints by chain, with who drives each. Chains with something to look at (a body
 * part that nothing drives, a pair that is unsure) come first, and in them the unsure ones.
 * @param search Words that name, driver, body part or reason must hold.
 */
export function mapGroups(
  source: FileFacts,
  target: FileFacts,
  { map }: Understanding,
  search = '',
): MapGroup[] {
  const rows: MapRow[] = [];
  const [from, to] = [shortNames(source.skeleton?.names ?? []), shortNames(target.skeleton?.names ?? [])];
  const add = (joint: number, drivers: number[], confidence: number | null, reason: string) => {
    const name = to[joint] ?? '';
    rows.push({
      joint,
      name,
      chain: target.chains[joint] ?? 'none',
      drivers: drivers.map((driver) => from[driver] ?? ''),
      driver: drivers.at(-1) ?? -1,
      confidence,
      reason,
      part: target.roles[joint] ?? null,
      isWanting: confidence === null && isPartOf(source, target.roles[joint]),
    });
  };
  for (const { target: joint, sources, confidence, reason } of map.joints)
    add(joint, sources, confidence, reason);
  for (const { joint, reason } of map.unmapped.target) add(joint, [], null, reason);
  const words = search.trim().toLowerCase();
  const found = words
    ? rows.filter(({ name, drivers, reason, part }) =>
        [name, ...drivers, reason, part ?? ''].some((text) => text.toLowerCase().includes(words)),
      )
    : rows;
  const groups = ORDER.map((chain): MapGroup => {
    const own = found
      .filter((row) => row.chain === chain)
      .sort((a, b) => doubt(b) - doubt(a) || a.joint - b.joint);
    const parts = own.filter(({ isWanting, confidence }) => isWanting || confidence !== null);
    return {
      chain,
      rows: own,
      driven: parts.filter(({ confidence }) => confidence !== null).length,
      total: parts.length,
      isUnsure: parts.some((row) => doubt(row) > 0),
    };
  }).filter(({ rows: own }) => own.length > 0);
  return groups.sort(
    (a, b) => Number(b.isUnsure) - Number(a.isUnsure) || ORDER.indexOf(a.chain) - ORDER.indexOf(b.chain),
  );
}

/** Whether a body has a part. */
function isPartOf({ joints }: FileFacts, role: Role | null | undefined): boolean {
  return role !== null && role !== undefined && joints[role] !== undefined;
}

/** How much a row wants to be looked at: a part that the source has and that nothing drives most, then an unsure pair. */
function doubt({ isWanting, confidence }: MapRow): number {
  if (confidence === null) return isWanting ? 2 : 0;
  return confidence < SURE ? 1 : 0;
}
