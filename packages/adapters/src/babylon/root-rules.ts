import type { IRetargetOptions } from '@babylonjs/core/Animations/animatorAvatar.js';
import {
  driverOf,
  type JointPair,
  jointLabel,
  type RetargetOptions,
  type Setup,
  type SetupOptions,
} from '@stuntdouble/core/engine';
import { type Body, findJointByName } from './read/body.js';
import type { BabylonWarning } from './warnings.js';

/**
 * What Babylon's options for root and ground mean to the engine. A named ground reference gives the scale of
 * travel as Babylon measures it (B10): the target's distance from root to ground reference over the source's,
 * along the vertical axis, in the reference poses. Without a name the engine measures (BP3), which is more exact.
 */
export function rootRules(
  setUp: () => Setup,
  source: Body,
  target: Body,
  options: IRetargetOptions,
  warnings: BabylonWarning[],
): Pick<RetargetOptions, 'rootScales' | 'ground'> {
  const { groundReferenceNodeName, rootNodeName } = options;
  const rules: Pick<SetupOptions, 'rootScales' | 'ground'> = {};
  const setup = groundReferenceNodeName || rootNodeName ? setUp() : null;
  const ground = setup && groundReferenceNodeName ? pairOf(groundReferenceNodeName) : null;
  const root = setup && rootNodeName ? pairOf(rootNodeName) : null;
  if (setup?.travel && root && root.target !== setup.travel.target)
    warnings.push({
      code: 'option-without-effect',
      joint: target.skeleton.names[root.target]!,
      message: `rootNodeName is "${rootNodeName}", but the body is carried by "${target.skeleton.names[setup.travel.target]}", which travels as all that is above it does`,
    });
  if (options.fixRootPosition === false) rules.rootScales = { horizontal: 1, vertical: 1 };
  else if (setup && ground) {
    const scale = groundScale(setup, source, ground, options.groundReferenceVerticalAxis);
    rules.rootScales = { horizontal: scale, vertical: scale };
  }
  if (options.fixGroundReference)
    rules.ground = {
      ...(ground && { joint: jointLabel(target.skeleton, ground.target) }),
      dynamic: options.fixGroundReferenceDynamicRefNode === true,
    };
  else if (options.fixGroundReferenceDynamicRefNode)
    warnings.push({
      code: 'option-without-effect',
      message: 'fixGroundReferenceDynamicRefNode has no effect without fixGroundReference',
    });
  return rules;

  /** The pair of joints that a name means: a source's name, what it is mapped to, or a target's (B16). */
  function pairOf(name: string): JointPair | null {
    const from = findJointByName(source, name);
    const to = findJointByName(target, options.mapNodeNames?.get(name) ?? name);
    const found = setup!.map.joints.find((pair) => driverOf(pair) === from || pair.target === to);
    if (found) return found;
    const message =
      from < 0 && to < 0
        ? `"${name}" is a node of neither the animation nor the avatar`
        : `"${name}" is not mapped`;
    warnings.push({
      code: 'node-not-found',
      joint: name,
      message: `${message}; another was found by itself`,
    });
    return null;
  }
}

/** The target's distance from root to ground reference over the source's, along the vertical; 1 where there is none. */
function groundScale(
  { travel, sourceReference, alignment, source }: Setup,
  body: Body,
  ground: JointPair,
  axis: IRetargetOptions['groundReferenceVerticalAxis'],
): number {
  if (!travel) return 1;
  const up = axis ? modelAxis(source.skeleton.container, body, 'XYZ'.indexOf(axis)) : [0, 1, 0];
  const along = (matrices: Float64Array, a: number, b: number) => {
    let sum = 0;
    for (let c = 0; c < 3; c++) sum += up[c]! * (matrices[16 * a + 12 + c]! - matrices[16 * b + 12 + c]!);
    return sum;
  };
  // One space for both rigs, and lengths without a sign (BP4).
  const from = Math.abs(along(sourceReference.matrices, travel.source, driverOf(ground)));
  const to = Math.abs(along(alignment.model.matrices, travel.target, ground.target));
  const scale = to / from;
  return from > 1e-9 && Number.isFinite(scale) && scale > 0 ? scale : 1;
}

/** A world axis of the source in model space. */
function modelAxis(container: Float64Array, { world }: Body, axis: number): number[] {
  const local = [0, 1, 2].map((i) => (world ? world.m[4 * i + axis]! : i === axis ? 1 : 0));
  const model = [0, 1, 2].map(
    (c) => container[c]! * local[0]! + container[4 + c]! * local[1]! + container[8 + c]! * local[2]!,
  );
  const length = Math.hypot(...model) || 1;
  return model.map((value) => value / length);
}
