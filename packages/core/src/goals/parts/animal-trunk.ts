import { lengthOf } from '../../base/math/functions.js';
import { transformPoint } from '../../base/math/matrix.js';
import { legsOfAnimal } from '../../body/animal-legs.js';
import type { Rig } from '../../body/rig.js';
import type { ModelPose } from '../../scene/pose.js';
import { extremeSkin } from './skin-points.js';
import type { Trunk, TrunkPart } from './trunk.js';

/** The thickness of an animal's trunk without skin, in hip heights. */
const ANIMAL_THICKNESS = 0.2;

/** Skin of the trunk that hangs lower than this share of the hip height belongs to legs, or is fur. */
const LOWEST_BELLY = 0.25;

/**
 * Finds what lies on the floor when an animal does: hips and spine, a spider's abdomen, then its thighs. Neck and head are no part of it,
 * since heads go down to the floor to feed: a longer neck would lift the whole body.
 * @param unit Its hip height in metres.
 * @param travel The joint that carries the body, where no hips are known.
 */
export function animalTrunk(rig: Rig, model: ModelPose, unit: number, travel: number): Trunk {
  const { skeleton, floor, body } = rig;
  const { matrices } = model;
  const joints = (body?.parts ?? []).flatMap(({ part }, joint) =>
    part === 'hips' || part?.startsWith('spine') || (body?.kind === 'spider' && part?.startsWith('tail'))
      ? [joint]
      : [],
  );
  const lowest = floor.height + LOWEST_BELLY * unit;
  const place = new Float64Array(3);
  const trunk = (joints.length > 0 ? joints : [travel]).map((joint): TrunkPart => {
    const skin = [0, 0, 0];
    let girth = 0;
    const hull = skeleton.hulls?.[joint];
    for (let i = 0; hull && i < hull.length; i += 3) {
      transformPoint(place, 0, matrices, 16 * joint, hull, i);
      if (!(place[1]! > lowest)) continue;
      skin.push(hull[i]!, hull[i + 1]!, hull[i + 2]!);
      girth = Math.max(girth, lengthOf([0, 1, 2].map((c) => place[c]! - matrices[16 * joint + 12 + c]!)));
    }
    return { joint, skin: Float64Array.from(skin), girth, thickness: 0 };
  });
  if (trunk.every(({ girth }) => girth === 0))
    for (const part of trunk) part.thickness = ANIMAL_THICKNESS * unit;
  const limbs = legsOfAnimal(rig).map(({ joints: leg }): TrunkPart => {
    const skin = extremeSkin(skeleton, model, leg[0]!, leg[1] ?? -1);
    return { joint: leg[0]!, skin, girth: 0, thickness: 0 };
  });
  return { trunk, limbs };
}
