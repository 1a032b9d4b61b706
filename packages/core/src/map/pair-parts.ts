import { type AnimalLeg, legsOfAnimal } from '../body/animal-legs.js';
import type { Rig } from '../body/rig.js';
import { isAncestor } from '../scene/skeleton.js';
import type { JointPair } from './rig-map.js';

/** The limb that a part of a leg belongs to: `hindLeft` of `hindLeftUpperLeg`. */
const LEG = /^((?:front|hind)(?:Left|Right))(Shoulder|Hip|UpperLeg|LowerLeg|Foot|Toes)$/;

// As `driverOf` of the rig map, which is made of these pairs.
const driverOf = ({ sources }: JointPair) => sources[sources.length - 1]!;

/**
 * Corrects pairs of chains by what is known of two animals' parts. Hips carry the body: they drive hips, and
 * not a root that stands still above them. Legs that begin with a shoulder blade on one side only would be off
 * by one joint: thighs drive thighs.
 * @param paired What is paired already and stays as it is.
 * @param found The pairs of chains; they are not changed.
 * @param alignsLegs Whether legs follow their parts; else as they were found.
 * @returns the corrected pairs.
 */
export function pairByParts(
  source: Rig,
  target: Rig,
  paired: readonly JointPair[],
  found: readonly JointPair[],
  alignsLegs = true,
): JointPair[] {
  const [from, to] = [source, target].map(({ body }) => (body && body.kind !== 'humanoid' ? body.parts : []));
  const jointOf = new Map<string, number>();
  from!.forEach(({ part }, joint) => {
    if (part !== null) jointOf.set(part, joint);
  });
  const partOf = (joint: number) => to![joint]?.part ?? null;
  const legOf = (part: string | null | undefined) => LEG.exec(part ?? '')?.[1] ?? null;
  const byPart = (pair: JointPair, driver: number): JointPair => ({
    target: pair.target,
    sources: [driver],
    role: null,
    confidence: pair.confidence,
    reason: `both are ${partOf(pair.target)}`,
  });
  const legs = found.flatMap((pair) => {
    const part = partOf(pair.target);
    const leg = legOf(part);
    if (!alignsLegs || leg === null || legOf(from![driverOf(pair)]?.part) !== leg) return [pair];
    const driver = jointOf.get(part!);
    if (driver !== undefined) return driver === driverOf(pair) ? [pair] : [byPart(pair, driver)];
    // A shoulder blade that the source lacks stays with the trunk: the turns are the upper leg's.
    return /(?:Shoulder|Hip)$/.test(part!) ? [] : [pair];
  });
  const feet = alignsLegs ? pairDetachedFeet(source, target, legs) : legs;
  return pairHips(source, target, paired, feet, jointOf.get('hips'));
}

/**
 * Feet that hang elsewhere than their legs, as of rigs made for inverse kinematics, look like chains of their own, and
 * may be taken for like an arm or whatever else is one joint long. They follow the foot of the leg that theirs follows,
 * or nothing: then they are placed as the ends of their legs.
 */
function pairDetachedFeet(source: Rig, target: Rig, found: readonly JointPair[]): JointPair[] {
  const legs = legsOfAnimal(source);
  let pairs = [...found];
  for (const { joints } of legsOfAnimal(target)) {
    const [above, foot] = [joints.at(-2), joints.at(-1)!];
    if (above === undefined || isAncestor(target.skeleton, above, foot)) continue;
    const pair = pairs.find((each) => each.target === foot);
    const over = pairs.find((each) => each.target === above);
    const leg: AnimalLeg | undefined = over && legs.find((each) => each.joints.includes(driverOf(over)));
    const driver = leg?.joints.at(-1);
    if (legs.length === 0 || !pair || driver === driverOf(pair)) continue;
    pairs = pairs.filter((each) => each !== pair);
    if (driver === undefined || driver === driverOf(over!)) continue;
    const { confidence } = over!;
    pairs.push({ target: foot, sources: [driver], role: null, confidence, reason: 'both are feet' });
  }
  return pairs.sort((a, b) => a.target - b.target);
}

function pairHips(
  source: Rig,
  target: Rig,
  paired: readonly JointPair[],
  found: JointPair[],
  driver: number | undefined,
): JointPair[] {
  const hips =
    target.body?.kind === 'humanoid'
      ? -1
      : (target.body?.parts.findIndex(({ part }) => part === 'hips') ?? -1);
  if (driver === undefined || hips < 0 || found.length === 0) return found;
  if (paired.some((pair) => pair.target === hips || driverOf(pair) === driver)) return found;
  const confidence = Math.min(source.body!.parts[driver]!.confidence, target.body!.parts[hips]!.confidence);
  const isAbove = (rig: Rig, joint: number, other: number) =>
    joint !== other && isAncestor(rig.skeleton, joint, other);
  const others = found
    .filter((pair) => pair.target !== hips && !isAbove(target, pair.target, hips))
    // What was driven from above the hips would stay behind when they turn.
    .map((pair) =>
      isAbove(source, driverOf(pair), driver) && isAncestor(target.skeleton, hips, pair.target)
        ? {
            target: pair.target,
            sources: [driver],
            role: null,
            confidence: pair.confidence,
            reason: pair.reason,
          }
        : pair,
    );
  return [{ target: hips, sources: [driver], role: null, confidence, reason: 'both are hips' }, ...others];
}
