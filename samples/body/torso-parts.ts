import type { Side } from '@stuntdouble/core/engine';
import { add, mix, type Vec3 } from '../vector.js';
import type { Body } from './body.js';
import { limb } from './body-parts.js';
import { type Blob, bothSides, capsule } from './shape.js';

/** Half width of the row of flesh at a height of the torso, and its radius, in metres. */
export type Girth = readonly [halfWidth: number, radius: number];

/** How thick a torso is. */
export type TorsoPlan = {
  hips: Girth;
  waist: Girth;
  chest: Girth;
  upperChest: Girth;
  /** Radius of the shoulders and of the neck's foot. */
  shoulder: number;
  neck: number;
  /** Depth from front to back as a share of the radius; 0.88 if left out. */
  depth?: number;
};

/** The torso from hips to neck with the shoulders; the hips come first. */
export function torsoBlobs(body: Body, plan: TorsoPlan): Blob[] {
  const depth = plan.depth ?? 0.88;
  const { hips, spine, chest, upperChest, neck } = body.joints as Record<string, Vec3>;
  const row = (role: 'hips' | 'spine' | 'chest' | 'upperChest', at: Vec3, [half, radius]: Girth) =>
    capsule(role, add(at, [-half, 0, 0]), add(at, [half, 0, 0]), radius, radius, {
      stretch: [1, 1, depth],
      blend: 0.6 * radius,
    });
  return [
    row('hips', add(hips!, [0, -0.01, 0]), plan.hips),
    row('spine', mix(spine!, chest!, 0.2), plan.waist),
    row('chest', mix(chest!, upperChest!, 0.25), plan.chest),
    row('upperChest', mix(upperChest!, neck!, 0.17), plan.upperChest),
    ...bothSides((side) => {
      const from = body.joints[`${side}Shoulder`]!;
      const to = body.joints[`${side}UpperArm`]!;
      return capsule(`${side}Shoulder`, from, mix(from, to, 0.8), plan.shoulder, plan.shoulder, {
        blend: 0.8 * plan.shoulder,
        softness: 0.02,
      });
    }),
    capsule(
      'neck',
      add(neck!, [0, -0.6 * plan.neck, 0]),
      add(neck!, [0, 0.4 * plan.neck, 0]),
      plan.neck,
      0.85 * plan.neck,
      {
        blend: 0.05,
        softness: 0.02,
      },
    ),
  ];
}

/** Radii of a limb's bone: where it begins, where it is thickest, where it ends. */
export type LimbRadii = readonly [number, number, number];

/** The upper arm of a side. */
export function upperArmBlobs(body: Body, side: Side, radii: LimbRadii): Blob[] {
  return limb(body, `${side}UpperArm`, radii, { softness: 0.02, blend: 0.6 * radii[0] });
}

/** The forearm of a side. */
export function lowerArmBlobs(body: Body, side: Side, radii: LimbRadii): Blob[] {
  return limb(body, `${side}LowerArm`, radii, { swellAt: 0.25 });
}

/** Thighs and shins of both sides. */
export function legBlobs(body: Body, upper: LimbRadii, lower: LimbRadii): Blob[] {
  return bothSides((side) => [
    ...limb(body, `${side}UpperLeg`, upper, { softness: 0.016, blend: 0.5 * upper[0] }),
    ...limb(body, `${side}LowerLeg`, lower, { swellAt: 0.3 }),
  ]).flat();
}

/**
 * Shoes or feet of both sides, three blobs a side: ankle, foot and toes; `size` 1 for an adult. They reach below the floor, so
 * that a cut at the floor makes flat soles.
 */
export function footBlobs(body: Body, size: number): Blob[] {
  return bothSides((side) => {
    const foot = body.joints[`${side}Foot`]!;
    const toes = body.joints[`${side}Toes`]!;
    const tip = body.tips[`${side}Toes`]!;
    const level = (point: Vec3, height: number, z: number): Vec3 => [
      point[0],
      height * size,
      point[2] + z * size,
    ];
    return [
      capsule(
        `${side}Foot`,
        add(foot, [0, 0.01 * size, -0.002]),
        level(foot, 0.05, -0.01),
        0.044 * size,
        0.046 * size,
        {
          blend: 0.02 * size,
        },
      ),
      capsule(
        `${side}Foot`,
        level(foot, 0.04, -0.02),
        level(toes, 0.036, -0.02),
        0.047 * size,
        0.048 * size,
        {
          blend: 0.04 * size,
        },
      ),
      capsule(`${side}Toes`, level(toes, 0.032, 0.01), level(tip, 0.03, -0.02), 0.048 * size, 0.042 * size, {
        blend: 0.04 * size,
      }),
    ];
  }).flat();
}
