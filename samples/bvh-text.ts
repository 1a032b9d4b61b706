import type { Role } from '@stuntdouble/core';
import { type Body, placeBody } from './body.js';
import { poseAt, type SampleMotion } from './sample-motion.js';
import { inverse, type Quat, rotate, subtract, turnBy, type Vec3 } from './vector.js';

/** A joint of the classic BVH body: its name, the body part it takes its place and turn from, its children. */
type BvhJoint = { name: string; role: Role; children: readonly BvhJoint[] };

const side = (side: 'left' | 'right'): { arm: BvhJoint; leg: BvhJoint } => {
  const S = side === 'left' ? 'Left' : 'Right';
  const chain = (names: readonly (readonly [string, Role])[]): BvhJoint => {
    const [[name, role], ...rest] = names as [readonly [string, Role], ...(readonly [string, Role])[]];
    return { name: `${S}${name}`, role, children: rest.length > 0 ? [chain(rest)] : [] };
  };
  return {
    arm: chain([
      ['Collar', `${side}Shoulder`],
      ['Shoulder', `${side}UpperArm`],
      ['Elbow', `${side}LowerArm`],
      ['Wrist', `${side}Hand`],
    ]),
    leg: chain([
      ['Hip', `${side}UpperLeg`],
      ['Knee', `${side}LowerLeg`],
      ['Ankle', `${side}Foot`],
      ['Toe', `${side}Toes`],
    ]),
  };
};

/** The classic hierarchy: Chest to Chest3 for the trunk, Hip, Knee and Ankle for a leg. */
const ROOT: BvhJoint = {
  name: 'Hips',
  role: 'hips',
  children: [
    {
      name: 'Chest',
      role: 'spine',
      children: [
        {
          name: 'Chest2',
          role: 'chest',
          children: [
            {
              name: 'Chest3',
              role: 'upperChest',
              children: [
                { name: 'Neck', role: 'neck', children: [{ name: 'Head', role: 'head', children: [] }] },
                side('left').arm,
                side('right').arm,
              ],
            },
          ],
        },
      ],
    },
    side('left').leg,
    side('right').leg,
  ],
};

const number = (value: number) => {
  const text = value.toFixed(5);
  return /^-0\.0+$/.test(text) ? text.slice(1) : text;
};
const centimetres = (v: Vec3) => v.map((value) => number(100 * value)).join(' ');

/**
 * The angles of q = Z · X · Y in degrees, in that order. From R = Rz Rx Ry: R(2,1) = sin x,
 * R(0,1)/R(1,1) = −tan z, R(2,0)/R(2,2) = −tan y.
 */
export function anglesZxy(q: Quat): Vec3 {
  const x = rotate(q, [1, 0, 0]);
  const y = rotate(q, [0, 1, 0]);
  const z = rotate(q, [0, 0, 1]);
  const degrees = 180 / Math.PI;
  return [
    Math.atan2(-y[0], y[1]) * degrees,
    Math.asin(Math.max(-1, Math.min(1, y[2]))) * degrees,
    Math.atan2(-x[2], z[2]) * degrees,
  ];
}

/** Writes a motion as BVH text: classic names, centimetres, the T-pose as first frame, then the motion. */
export function writeBvh(body: Body, motion: SampleMotion, frameRate = 30): string {
  const lines: string[] = ['HIERARCHY'];
  const order: BvhJoint[] = [];
  const describe = (joint: BvhJoint, from: Vec3, depth: number) => {
    const tab = '\t'.repeat(depth);
    const at = body.joints[joint.role]!;
    order.push(joint);
    lines.push(`${tab}${depth === 0 ? 'ROOT' : 'JOINT'} ${joint.name}`, `${tab}{`);
    lines.push(`${tab}\tOFFSET ${centimetres(subtract(at, from))}`);
    lines.push(
      depth === 0
        ? `${tab}\tCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation`
        : `${tab}\tCHANNELS 3 Zrotation Xrotation Yrotation`,
    );
    for (const child of joint.children) describe(child, at, depth + 1);
    if (joint.children.length === 0) {
      const end = subtract(body.tips[joint.role]!, at);
      lines.push(`${tab}\tEnd Site`, `${tab}\t{`, `${tab}\t\tOFFSET ${centimetres(end)}`, `${tab}\t}`);
    }
    lines.push(`${tab}}`);
  };
  describe(ROOT, body.joints.hips!, 0);

  const frames = Math.round(motion.duration * frameRate) + 1;
  lines.push('MOTION', `Frames: ${frames + 1}`, `Frame Time: ${(1 / frameRate).toFixed(7)}`);
  const tPose = { turns: {}, hips: body.joints.hips! };
  for (let frame = -1; frame < frames; frame++) {
    const pose = frame < 0 ? tPose : poseAt(motion, frame / frameRate);
    const placements = placeBody(body, pose);
    const cells = [centimetres(pose.hips)];
    for (const { role } of order) {
      const parent = body.parents[role];
      const above = parent ? placements[parent]!.rotation : ([0, 0, 0, 1] as const);
      cells.push(
        anglesZxy(turnBy(inverse(above), placements[role]!.rotation))
          .map(number)
          .join(' '),
      );
    }
    lines.push(cells.join(' '));
  }
  return `${lines.join('\n')}\n`;
}
