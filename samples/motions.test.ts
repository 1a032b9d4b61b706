import { readFileSync } from 'node:fs';
import { type Clip, copyPose, type Pose, type Side, type Skeleton, sampleClip } from '@stuntdouble/core';
import { describe, expect, it } from 'vitest';
import { SAMPLE_MOTIONS, samplesFolder } from './catalogue.js';
import { guyBody } from './characters/mixamo-guy.js';
import { type Contact, heelPoint, TIP_AHEAD } from './footfalls.js';
import { MOTIONS } from './make-motions.js';
import { readClip, readDocument, readSkeleton, worldPositions } from './read-sample.js';
import { footStateAt } from './sample-motion.js';
import type { Vec3 } from './vector.js';

const SIDES: readonly Side[] = ['left', 'right'];

/** A motion as its file has it, with points of the body at any time, in metres. */
function openMotion(name: string) {
  const { file } = SAMPLE_MOTIONS.find((entry) => entry.name === name)!;
  const document = readDocument(readFileSync(samplesFolder + file));
  const { skeleton, nodes } = readSkeleton(document);
  return { skeleton, clip: readClip(document, nodes), motion: MOTIONS.find((one) => one.name === name)! };
}

function jointNamed(skeleton: Skeleton, name: string): number {
  const joint = skeleton.names.indexOf(`mixamorig:${name}`);
  if (joint < 0) throw new Error(`no joint mixamorig:${name}`);
  return joint;
}

/** Follows points of the sole, given in T-pose in the scene, through a clip. */
function createTracker(skeleton: Skeleton, clip: Clip) {
  const rest = worldPositions(skeleton, skeleton.rest).matrices;
  const pose: Pose = copyPose(skeleton.rest);
  let world = rest;
  const column = (m: Float64Array, joint: number, c: number) =>
    [0, 1, 2].map((r) => m[16 * joint + 4 * c + r]!) as unknown as Vec3;
  return {
    goTo: (t: number) => {
      sampleClip(pose, clip, t);
      world = worldPositions(skeleton, pose).matrices;
    },
    joint: (name: string): Vec3 => column(world, jointNamed(skeleton, name), 3),
    point: (name: string, at: Vec3): Vec3 => {
      const joint = jointNamed(skeleton, name);
      const origin = column(rest, joint, 3);
      const offset = [0, 1, 2].map((c) => at[c]! - origin[c]!);
      const out = [...column(world, joint, 3)] as [number, number, number];
      for (let c = 0; c < 3; c++) {
        const axis = column(rest, joint, c);
        const square = axis.reduce((sum, value) => sum + value * value, 0);
        const along = axis.reduce((sum, value, r) => sum + value * offset[r]!, 0) / square;
        const now = column(world, joint, c);
        for (let r = 0; r < 3; r++) out[r]! += now[r]! * along;
      }
      return out;
    },
  };
}

const labels = { left: 'Left', right: 'Right' } as const;

/** Heel, ball and tip of a sole at the tracker's time. */
function solePoints(
  tracker: ReturnType<typeof createTracker>,
  side: Side,
): Record<'heel' | 'ball' | 'tip', Vec3> {
  const S = labels[side];
  const toes = guyBody.joints[`${side}Toes`]!;
  const tip = guyBody.tips[`${side}Toes`]!;
  return {
    heel: tracker.point(`${S}Foot`, heelPoint(guyBody, side)),
    ball: tracker.point(`${S}ToeBase`, [toes[0], 0, toes[2]]),
    tip: tracker.point(`${S}ToeBase`, [tip[0], 0, tip[2] + TIP_AHEAD]),
  };
}

const STANDING: Record<Contact, readonly ('heel' | 'ball' | 'tip')[]> = {
  none: [],
  heel: ['heel'],
  flat: ['heel', 'ball', 'tip'],
  ball: ['ball', 'tip'],
};

describe.each(MOTIONS.map(({ name }) => ({ name })))('motion $name', ({ name }) => {
  const { skeleton, clip, motion } = openMotion(name);
  const tracker = createTracker(skeleton, clip);
  // Between keys as well: two to eight looks per frame.
  const times = Array.from({ length: Math.floor(clip.duration * 240) + 1 }, (_, k) => k / 240);

  it('keeps planted heels and toes within a millimetre', () => {
    let stays = 0;
    for (const side of SIDES) {
      const anchors = new Map<string, Vec3>();
      for (const t of times) {
        tracker.goTo(t);
        const points = solePoints(tracker, side);
        const standing = STANDING[footStateAt(motion, side, t).contact];
        for (const part of ['heel', 'ball', 'tip'] as const) {
          if (!standing.includes(part)) {
            anchors.delete(part);
            continue;
          }
          const anchor = anchors.get(part);
          if (!anchor) anchors.set(part, points[part]);
          else {
            stays++;
            const moved = Math.hypot(...points[part].map((value, c) => value - anchor[c]!));
            expect(moved, `${side} ${part} at ${t.toFixed(3)} s`).toBeLessThan(0.001);
          }
        }
      }
    }
    expect(stays).toBeGreaterThan(100);
  });

  it('never sinks into the floor, and stands on it where it says so', () => {
    for (const t of times) {
      tracker.goTo(t);
      for (const side of SIDES) {
        const points = solePoints(tracker, side);
        for (const part of ['heel', 'ball', 'tip'] as const)
          expect(points[part][1], `${side} ${part} at ${t.toFixed(3)} s`).toBeGreaterThan(-0.005);
        for (const part of STANDING[footStateAt(motion, side, t).contact])
          expect(points[part][1]).toBeLessThan(0.001);
      }
    }
  });

  it('bends knees forward, as the hips look', () => {
    for (const t of times) {
      tracker.goTo(t);
      const [left, right] = [tracker.joint('LeftUpLeg'), tracker.joint('RightUpLeg')];
      // Left × up, on the floor plane.
      const forward = [-(left[2] - right[2]), 0, left[0] - right[0]];
      for (const side of SIDES) {
        const S = labels[side];
        const [hip, knee, ankle] = [
          tracker.joint(`${S}UpLeg`),
          tracker.joint(`${S}Leg`),
          tracker.joint(`${S}Foot`),
        ];
        const line = ankle.map((value, c) => value - hip[c]!);
        const square = line.reduce((sum, value) => sum + value * value, 0);
        const along = line.reduce((sum, value, c) => sum + value * (knee[c]! - hip[c]!), 0) / square;
        const out = knee.map((value, c) => value - hip[c]! - along * line[c]!);
        const ahead = forward.reduce((sum, value, c) => sum + value * out[c]!, 0);
        expect(ahead, `${side} knee at ${t.toFixed(3)} s`).toBeGreaterThan(0);
      }
    }
  });
});

const hipsPath = (name: string) => {
  const { skeleton, clip } = openMotion(name);
  const tracker = createTracker(skeleton, clip);
  return (t: number) => {
    tracker.goTo(t);
    return tracker.joint('Hips');
  };
};

describe('what makes each motion what it is', () => {
  it('the walk loops: its last pose is its first one, a stride further', () => {
    const { skeleton, clip } = openMotion('walk');
    const [first, last] = [0, clip.duration].map((t) => {
      const pose = copyPose(skeleton.rest);
      sampleClip(pose, clip, t);
      return pose;
    }) as [Pose, Pose];
    first.rotations.forEach((value, i) => {
      expect(Math.abs(value - last.rotations[i]!)).toBeLessThan(1e-4);
    });
    const hips = hipsPath('walk');
    expect(hips(clip.duration)[2] - hips(0)[2]).toBeCloseTo(2.52, 2);
  });

  it('the run turns ninety degrees to the left, with both feet in the air between steps', () => {
    const hips = hipsPath('run-turn');
    const { clip, motion } = openMotion('run-turn');
    const heading = (t: number) => {
      const [a, b] = [hips(t), hips(t + 0.2)];
      return (Math.atan2(b[0] - a[0], b[2] - a[2]) * 180) / Math.PI;
    };
    expect(Math.abs(heading(0))).toBeLessThan(3);
    expect(Math.abs(heading(clip.duration - 0.2) - 90)).toBeLessThan(3);
    const flying = Array.from({ length: 100 }, (_, k) => (k / 100) * clip.duration).filter((t) =>
      SIDES.every((side) => footStateAt(motion, side, t).contact === 'none'),
    );
    expect(flying.length).toBeGreaterThan(15);
  });

  it('the jump falls freely while in the air', () => {
    const hips = hipsPath('jump');
    const { clip, motion } = openMotion('jump');
    const step = 1 / motion.frameRate;
    const air: number[] = [];
    for (let t = 0; t < clip.duration; t += step)
      if (SIDES.every((side) => footStateAt(motion, side, t).contact === 'none')) air.push(t);
    const [from, to] = [air[2]!, air[air.length - 3]!];
    const middle = (from + to) / 2;
    const span = (to - from) / 2;
    // The hips' height on three points of the flight gives its acceleration.
    const acceleration = (hips(from)[1] - 2 * hips(middle)[1] + hips(to)[1]) / (span * span);
    expect(acceleration).toBeCloseTo(-9.81, 0);
  });

  it('the wave has cubic keys, few, at times of their own, and the hand waves over the head', () => {
    const { clip, motion, skeleton } = openMotion('wave-on-one-leg');
    const frames = Math.round(motion.duration * motion.frameRate) + 1;
    expect(clip.tracks.every(({ interpolation }) => interpolation === 'cubic')).toBe(true);
    const keys = clip.tracks.reduce((sum, { times }) => sum + times.length, 0);
    expect(keys).toBeLessThan(0.2 * frames * clip.tracks.length);
    expect(new Set(clip.tracks.map(({ times }) => times.length)).size).toBeGreaterThan(3);
    const tracker = createTracker(skeleton, clip);
    tracker.goTo(2.4);
    expect(tracker.joint('RightHand')[1]).toBeGreaterThan(tracker.joint('Head')[1]);
    expect(tracker.joint('LeftToeBase')[1]).toBeGreaterThan(0.2);
  });
});
