import {
  driverOf,
  JOINT,
  jointLabel,
  type RigMapDocument,
  type Setup,
  writeRigMapDocument,
} from '@stuntdouble/core';
import { type Body, findJointByName } from './read/body.js';
import type { BabylonWarning } from './warnings.js';

type Entry = NonNullable<RigMapDocument['joints']>[number];

/** Both bodies and the names by which a user pairs their joints. */
export type NamePairing = {
  source: Body;
  target: Body;
  /** Source node names to target bone names. */
  names: ReadonlyMap<string, string>;
  /** Source joints that are animated; only these are matched by name. */
  moved: ReadonlySet<number>;
};

/**
 * Babylon's way to pair: every animated node by its mapped name, else by its own, with the bone whose node has
 * that name, else with the bone that has it (B3). Two nodes for one bone: the last one (BP14), with a warning.
 */
export function pairByNames(pairing: NamePairing, warnings: BabylonWarning[]): Map<number, number> {
  const { source, target, names, moved } = pairing;
  const sourceOf = new Map<number, number>();
  source.skeleton.names.forEach((name, joint) => {
    if (!moved.has(joint)) return;
    const found = findJointByName(target, names.get(name) ?? name);
    if (found < 0) return;
    if (sourceOf.has(found))
      warnings.push({
        code: 'several-sources',
        joint: target.skeleton.names[found]!,
        message: `"${target.skeleton.names[found]}" is matched by "${source.skeleton.names[sourceOf.get(found)!]}" and "${name}"; the last one was used`,
      });
    sourceOf.set(found, joint);
  });
  return sourceOf;
}

/**
 * The map that a user's names ask for, over the one that was found: entries of `names` replace what was found
 * for their joints. With `namesOnly` nothing but names counts, as in Babylon.js.
 * @returns null where the names change nothing.
 */
export function mapOfNames(
  setup: Setup,
  pairing: NamePairing,
  namesOnly: boolean,
  warnings: BabylonWarning[],
): RigMapDocument | null {
  const { source, target, names } = pairing;
  const found = writeRigMapDocument(setup.map, setup.source, setup.target).joints ?? [];
  const entryFor = (joint: number, from: number): Entry => {
    const role = setup.target.guesses[joint]?.role ?? setup.source.guesses[from]?.role;
    return {
      target: jointLabel(target.skeleton, joint),
      sources: [jointLabel(source.skeleton, from)],
      ...(role && { role }),
    };
  };
  if (namesOnly) {
    const pairs = [...pairByNames(pairing, warnings)];
    return { version: 1, joints: pairs.map(([joint, from]) => entryFor(joint, from)) };
  }
  const told = new Map<number, number>();
  for (const [from, to] of names) {
    const joint = findJointByName(target, to);
    const driver = findJointByName(source, from);
    if (joint < 0 || driver < 0) {
      warnings.push({
        code: 'node-not-found',
        joint: joint < 0 ? to : from,
        message: `mapNodeNames pairs "${from}" with "${to}", but ${driver < 0 ? `the animation has no "${from}"` : `the avatar has no "${to}"`}`,
      });
      continue;
    }
    if (told.has(joint))
      warnings.push({
        code: 'several-sources',
        joint: to,
        message: `mapNodeNames gives "${to}" two sources; the last one, "${from}", was used`,
      });
    told.set(joint, driver);
  }
  const drivers = new Set(told.values());
  let changed = false;
  const joints = setup.map.joints.flatMap((pair, n) => {
    const asked = told.get(pair.target);
    if (asked !== undefined) {
      told.delete(pair.target);
      if (driverOf(pair) === asked && !pair.share) return [found[n]!];
      changed = true;
      return [entryFor(pair.target, asked)];
    }
    if (!drivers.has(driverOf(pair)) || pair.share) return [found[n]!];
    // Its driver was given to another joint.
    changed = true;
    return [];
  });
  for (const [joint, driver] of told) joints.push(entryFor(joint, driver));
  return changed || told.size > 0 ? { version: 1, joints } : null;
}

/**
 * Leaves out joints whose ancestors do not correspond one to one: Babylon's `checkHierarchy` (B15), on pairs
 * instead of names, from the joint to the root and the root included (BP10).
 */
export function checkHierarchy(
  setup: Setup,
  pairing: Pick<NamePairing, 'source' | 'target' | 'names'>,
  warnings: BabylonWarning[],
): RigMapDocument {
  const { source, target, map } = setup;
  const driven = new Map(map.joints.map((pair) => [pair.target, driverOf(pair)]));
  // What nothing animates is not paired by names, but hangs between others all the same.
  pairing.source.skeleton.names.forEach((name, joint) => {
    const found = findJointByName(pairing.target, pairing.names.get(name) ?? name);
    if (found >= 0 && !driven.has(found)) driven.set(found, joint);
  });
  const drivers = new Set(driven.values());
  /**
   * The next joint above one. A node that nothing animates is one if it is mapped, as a still hand of a file that
   * holds only a motion; what carries all that is mapped, an armature or a root, is not looked at.
   */
  const jointAbove = (
    { skeleton }: Setup['source'],
    mapped: { has(joint: number): boolean },
    joint: number,
  ) => {
    let found = -1;
    for (let at = skeleton.parents[joint]!; at >= 0; at = skeleton.parents[at]!) {
      if (found < 0 && ((skeleton.flags[at]! & JOINT) !== 0 || mapped.has(at))) found = at;
      if (mapped.has(at)) return found;
    }
    return -1;
  };
  const agrees = (joint: number): boolean => {
    let from = driven.get(joint)!;
    for (let at = joint; ; ) {
      at = jointAbove(target, driven, at);
      from = jointAbove(source, drivers, from);
      if (at < 0 || from < 0) return at < 0 && from < 0;
      if (driven.get(at) !== from) return false;
    }
  };
  const joints = (writeRigMapDocument(map, source, target).joints ?? []).filter((entry, n) => {
    const { target: joint } = map.joints[n]!;
    if (agrees(joint)) return true;
    warnings.push({
      code: 'hierarchy-differs',
      joint: target.skeleton.names[joint]!,
      message: `what "${entry.target}" hangs on is not driven by what "${entry.sources.at(-1)}" hangs on; it is not driven`,
    });
    return false;
  });
  return { version: 1, joints };
}
