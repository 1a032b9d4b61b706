import {
  driverOf,
  jointLabel,
  lengthOf,
  modelPoseOf,
  type RetargetOptions,
  type Setup,
  type SetupOptions,
} from '@stuntdouble/core/engine';
import type { RootOptions } from './options.js';
import { type Body, findJointByName } from './read/body.js';
import type { BabylonWarning } from './warnings.js';

/** A joint of the source and the one of the avatar that stands for it. */
export type NamedPair = { source: number; target: number };

/** What Babylon's options for root and ground come to. */
export type RootRules = {
  rules: Pick<RetargetOptions, 'rootScales' | 'ground'>;
  /** The joint above the hips that was named as the root, and by how much its travel is scaled; null where none was. */
  carrier: (NamedPair & { scale: number }) | null;
};

/**
 * What Babylon's options for root and ground mean to the engine. A named ground reference gives the scale of
 * travel as Babylon measures it (B10): the target's distance from root to ground reference over the source's,
 * along the vertical axis, in the reference poses. Without a name the engine measures (BP3), which is more exact.
 * A root that is named is what the distance is measured from; where it stands above the hips it carries the body too.
 */
export function rootRules(
  setUp: () => Setup,
  source: Body,
  target: Body,
  options: RootOptions,
  warnings: BabylonWarning[],
): RootRules {
  const { groundReferenceNodeName, rootNodeName } = options;
  const rules: Pick<SetupOptions, 'rootScales' | 'ground'> = {};
  const setup = groundReferenceNodeName || rootNodeName ? setUp() : null;
  const ground = setup && groundReferenceNodeName ? pairOf(setup, groundReferenceNodeName) : null;
  const root = setup && rootNodeName ? pairOf(setup, rootNodeName) : null;
  const fixesRoot = options.fixRootPosition !== false;
  let scale = 1;
  if (!fixesRoot) rules.rootScales = { horizontal: 1, vertical: 1 };
  else if (setup && ground) {
    scale = groundScale(setup, source, root ?? setup.travel, ground, options.groundReferenceVerticalAxis);
    rules.rootScales = { horizontal: scale, vertical: scale };
  } else if (setup) scale = setup.rootScales.horizontal;
  if (options.fixGroundReference)
    rules.ground = {
      ...(ground && { joint: jointLabel(target.skeleton, ground.target) }),
      dynamic: options.fixGroundReferenceDynamicRefNode === true,
      mode: options.groundMode ?? 'scaled',
    };
  else if (options.fixGroundReferenceDynamicRefNode) warnOfDynamic(warnings);
  return { rules, carrier: setup && root && fixesRoot ? carrierOf(setup, root) : null };

  /** The pair of joints that a name means: a source's name, what it is mapped to, or a target's (B16). */
  function pairOf({ map }: Setup, name: string): NamedPair | null {
    const from = findJointByName(source, name);
    const to = findJointByName(target, options.mapNodeNames?.get(name) ?? name);
    const found = map.joints.find((pair) => driverOf(pair) === from || pair.target === to);
    if (found) return { source: driverOf(found), target: found.target };
    // What nothing drives may be meant all the same: an armature or a root above the hips.
    if (from >= 0 && to >= 0) return { source: from, target: to };
    warnings.push({
      code: 'node-not-found',
      joint: name,
      message:
        from < 0 && to < 0
          ? `"${name}" is a node of neither the animation nor the avatar; another was found by itself`
          : `"${name}" has no counterpart on ${from < 0 ? 'the animation' : 'the avatar'}; another was found by itself`,
    });
    return null;
  }

  function carrierOf({ travel, target: rig }: Setup, pair: NamedPair): RootRules['carrier'] {
    if (!travel || pair.target === travel.target) return null;
    const { parents, names } = rig.skeleton;
    for (let at = parents[travel.target]!; at >= 0; at = parents[at]!)
      if (at === pair.target) return { ...pair, scale };
    warnings.push({
      code: 'option-without-effect',
      joint: names[pair.target]!,
      message: `rootNodeName is "${rootNodeName}", which is not above "${names[travel.target]}": travel is measured from it, but "${names[travel.target]}" carries the body`,
    });
    return null;
  }
}

/** Says that the dynamic option alone does nothing (B6). */
export function warnOfDynamic(warnings: BabylonWarning[]): void {
  warnings.push({
    code: 'option-without-effect',
    message: 'fixGroundReferenceDynamicRefNode has no effect without fixGroundReference',
  });
}

/** The target's distance from root to ground reference over the source's, along the vertical; 1 where there is none. */
function groundScale(
  { sourceReference, source, target }: Setup,
  body: Body,
  root: NamedPair | null,
  ground: NamedPair,
  axis: RootOptions['groundReferenceVerticalAxis'],
): number {
  if (!root) return 1;
  const up = axis ? modelAxis(source.skeleton.container, body, 'XYZ'.indexOf(axis)) : [0, 1, 0];
  const along = (matrices: Float64Array, a: number, b: number) => {
    let sum = 0;
    for (let c = 0; c < 3; c++) sum += up[c]! * (matrices[16 * a + 12 + c]! - matrices[16 * b + 12 + c]!);
    return sum;
  };
  // One space for both rigs, and lengths without a sign (BP4).
  const from = Math.abs(along(sourceReference.matrices, root.source, ground.source));
  const standing = modelPoseOf(target.skeleton, target.reference.pose).matrices;
  const to = Math.abs(along(standing, root.target, ground.target));
  const scale = to / from;
  return from > 1e-9 && Number.isFinite(scale) && scale > 0 ? scale : 1;
}

/** A world axis of the source in model space. */
function modelAxis(container: Float64Array, { world }: Body, axis: number): number[] {
  const local = [0, 1, 2].map((i) => (world ? world.m[4 * i + axis]! : i === axis ? 1 : 0));
  const model = [0, 1, 2].map(
    (c) => container[c]! * local[0]! + container[4 + c]! * local[1]! + container[8 + c]! * local[2]!,
  );
  const length = lengthOf(model) || 1;
  return model.map((value) => value / length);
}
