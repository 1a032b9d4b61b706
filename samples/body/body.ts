import type { Role, Side } from '@stuntdouble/core/engine';
import {
  add,
  mirror,
  NO_TURN,
  type Placement,
  place,
  type Quat,
  rotate,
  scale,
  subtract,
  turnBy,
  type Vec3,
  yaw,
} from '../vector.js';

/** A part of a body that plays no role: hair, skirts, tails, what a hand holds. */
export type Extra = `+${string}`;

/** Any part of a sample body. */
export type BodyPart = Role | Extra;

/** The points of a body in T-pose, in body space, by body part; and where each part's bone ends. */
export type Body = {
  joints: Partial<Record<BodyPart, Vec3>>;
  tips: Partial<Record<BodyPart, Vec3>>;
  /** Parts, parents before children. */
  order: readonly BodyPart[];
  parents: Partial<Record<BodyPart, BodyPart>>;
};

/** Where a body's joints are, in metres; sides are given for the left and mirrored. */
export type BodyPlan = {
  hips: Vec3;
  spine: Vec3;
  chest: Vec3;
  upperChest: Vec3;
  neck: Vec3;
  head: Vec3;
  headTop: Vec3;
  eye: Vec3;
  shoulder: Vec3;
  upperArm: Vec3;
  lowerArm: Vec3;
  hand: Vec3;
  upperLeg: Vec3;
  lowerLeg: Vec3;
  foot: Vec3;
  toes: Vec3;
  toeTip: Vec3;
  /** Size of the hand, 1 for an adult. */
  handSize: number;
  /** Fingers without the thumb. */
  fingers: readonly Finger[];
};

/** A finger by its VRM name. */
export type Finger = 'Index' | 'Middle' | 'Ring' | 'Little';

/** All four fingers. */
export const ALL_FINGERS: readonly Finger[] = ['Index', 'Middle', 'Ring', 'Little'];

// Of an adult's hand in metres, fingers along +X, thumb towards +Z: knuckle, degrees of fan, phalanges.
const FINGER_SHAPES: Readonly<Record<Finger, { knuckle: Vec3; fan: number; lengths: Vec3 }>> = {
  Index: { knuckle: [0.092, 0.002, 0.032], fan: 7, lengths: [0.04, 0.026, 0.023] },
  Middle: { knuckle: [0.096, 0.004, 0.0105], fan: 2, lengths: [0.045, 0.029, 0.024] },
  Ring: { knuckle: [0.091, 0.002, -0.011], fan: -4, lengths: [0.041, 0.027, 0.023] },
  Little: { knuckle: [0.083, -0.002, -0.031], fan: -11, lengths: [0.033, 0.021, 0.02] },
};
const THUMB_POINTS: readonly Vec3[] = [
  [0.018, -0.006, 0.024],
  [0.046, -0.016, 0.05],
  [0.073, -0.022, 0.066],
  [0.1, -0.026, 0.078],
];

const CENTRE_PARENTS: readonly (readonly [Role, Role | null])[] = [
  ['hips', null],
  ['spine', 'hips'],
  ['chest', 'spine'],
  ['upperChest', 'chest'],
  ['neck', 'upperChest'],
  ['head', 'neck'],
];

/** Makes a body in T-pose from a plan. */
export function createBody(plan: BodyPlan): Body {
  const body: Body = { joints: {}, tips: {}, order: [], parents: {} };
  const order: Role[] = [];
  const put = (role: Role, parent: Role | null, at: Vec3, tip: Vec3) => {
    body.joints[role] = at;
    body.tips[role] = tip;
    if (parent) body.parents[role] = parent;
    order.push(role);
  };
  const tips: Vec3[] = [plan.spine, plan.chest, plan.upperChest, plan.neck, plan.head, plan.headTop];
  CENTRE_PARENTS.forEach(([role, parent], i) => {
    put(role, parent, plan[role as 'hips'], tips[i]!);
  });
  for (const side of ['left', 'right'] as const) {
    const on = (p: Vec3) => (side === 'left' ? p : mirror(p));
    put(`${side}Eye`, 'head', on(plan.eye), on(add(plan.eye, [0, 0, 0.03])));
    put(`${side}Shoulder`, 'upperChest', on(plan.shoulder), on(plan.upperArm));
    put(`${side}UpperArm`, `${side}Shoulder`, on(plan.upperArm), on(plan.lowerArm));
    put(`${side}LowerArm`, `${side}UpperArm`, on(plan.lowerArm), on(plan.hand));
    putHand(put, side, on, plan);
    put(`${side}UpperLeg`, 'hips', on(plan.upperLeg), on(plan.lowerLeg));
    put(`${side}LowerLeg`, `${side}UpperLeg`, on(plan.lowerLeg), on(plan.foot));
    put(`${side}Foot`, `${side}LowerLeg`, on(plan.foot), on(plan.toes));
    put(`${side}Toes`, `${side}Foot`, on(plan.toes), on(plan.toeTip));
  }
  return { ...body, order };
}

/** A part to add to a body, where it stands in T-pose. */
export type ExtraPart = { name: Extra; parent: BodyPart; at: Vec3; tip: Vec3 };

/** A body with more parts; parents before children. */
export function addParts(body: Body, parts: readonly ExtraPart[]): Body {
  const more = { joints: { ...body.joints }, tips: { ...body.tips }, parents: { ...body.parents } };
  for (const { name, parent, at, tip } of parts) {
    more.joints[name] = at;
    more.tips[name] = tip;
    more.parents[name] = parent;
  }
  return { ...more, order: [...body.order, ...parts.map(({ name }) => name)] };
}

function putHand(
  put: (role: Role, parent: Role, at: Vec3, tip: Vec3) => void,
  side: Side,
  on: (point: Vec3) => Vec3,
  plan: BodyPlan,
): void {
  const of = (p: Vec3) => on(add(plan.hand, scale(p, plan.handSize)));
  put(`${side}Hand`, `${side}LowerArm`, on(plan.hand), of(FINGER_SHAPES.Middle.knuckle));
  const thumbs = ['Metacarpal', 'Proximal', 'Distal'] as const;
  thumbs.forEach((part, i) => {
    const parent: Role = i === 0 ? `${side}Hand` : `${side}Thumb${thumbs[i - 1]!}`;
    put(`${side}Thumb${part}`, parent, of(THUMB_POINTS[i]!), of(THUMB_POINTS[i + 1]!));
  });
  const phalanges = ['Proximal', 'Intermediate', 'Distal'] as const;
  for (const finger of plan.fingers) {
    const { knuckle, fan, lengths } = FINGER_SHAPES[finger];
    const along = rotate(yaw(-fan), [1, -0.03, 0]);
    let at = knuckle;
    phalanges.forEach((phalanx, i) => {
      const parent: Role = i === 0 ? `${side}Hand` : `${side}${finger}${phalanges[i - 1]!}`;
      const tip = add(at, scale(along, lengths[i]!));
      put(`${side}${finger}${phalanx}`, parent, of(at), of(tip));
      at = tip;
    });
  }
}

/** Turns of body parts from the T-pose, each in its parent's turned space, in body axes; and the hips' shift. */
export type BodyPose = { turns: Partial<Record<BodyPart, Quat>>; hips: Vec3 };

/** Where each body part is in a pose: `rotation` is its turn from the T-pose, `translation` its joint. */
export type BodyPlacements = Partial<Record<BodyPart, Placement>>;

/** Forward kinematics of a body: joints and turns in body space. `hips` is where the hips stand. */
export function placeBody(body: Body, pose: BodyPose): BodyPlacements {
  const placements: BodyPlacements = {};
  for (const role of body.order) {
    const turn = pose.turns[role] ?? NO_TURN;
    const parent = body.parents[role];
    if (!parent) placements[role] = { rotation: turn, translation: pose.hips };
    else {
      const above = placements[parent]!;
      placements[role] = {
        rotation: turnBy(above.rotation, turn),
        translation: place(above, subtract(body.joints[role]!, body.joints[parent]!)),
      };
    }
  }
  return placements;
}

/** Where a point that follows a body part goes; `point` is given in the T-pose. */
export function follow(body: Body, placements: BodyPlacements, role: BodyPart, point: Vec3): Vec3 {
  return place(placements[role]!, subtract(point, body.joints[role]!));
}

/** Whether `ancestor` stands above `role` in the body, and how many steps; −1 where it does not. */
export function stepsAbove(body: Body, ancestor: BodyPart, role: BodyPart): number {
  let steps = 0;
  for (let at: BodyPart | undefined = role; at; at = body.parents[at], steps++)
    if (at === ancestor) return steps;
  return -1;
}
