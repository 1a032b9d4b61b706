import { readFileSync } from 'node:fs';
import {
  type Clip,
  copyPose,
  type Pose,
  type Role,
  type Side,
  type Skeleton,
  sampleClip,
} from '@stuntdouble/core/engine';
import { beforeEach, describe, expect, it } from 'vitest';
import { SAMPLE_MOTIONS, samplesFolder } from './catalogue.js';
import { guyBody } from './characters/mixamo-guy.js';
import { type Contact, heelPoint, TIP_AHEAD } from './footfalls.js';
import { MOTIONS } from './make-motions.js';
import { palmPoint } from './reach-hand.js';
import { readClip, readDocument, readSkeleton, worldPositions } from './read-sample.js';
import { footStateAt, poseAt, type SampleMotion } from './sample-motion.js';
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

/** What a function gives, made when it is first asked for. */
function once<Value>(make: () => Value): () => Value {
  let value: { made: Value } | null = null;
  return () => {
    value ??= { made: make() };
    return value.made;
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

/** The points of a side that stand still on something. */
function standingParts({ feet, hands }: ReturnType<SampleMotion['actAt']>, side: Side): string[] {
  return [
    ...STANDING[feet[side].contact],
    ...(feet[side].kneels ? ['knee'] : []),
    ...(hands?.[side]?.contact ? ['palm'] : []),
  ];
}

describe.each(MOTIONS.map(({ name }) => ({ name })))('motion $name', ({ name }) => {
  const { skeleton, clip, motion } = openMotion(name);
  const tracker = createTracker(skeleton, clip);
  // Between keys as well: two to eight looks per frame.
  const times = Array.from({ length: Math.floor(clip.duration * 240) + 1 }, (_, k) => k / 240);
  /** What the tests look at, of every time and side, gone through once. */
  const looks = once(() =>
    times.map((t) => {
      tracker.goTo(t);
      const act = motion.actAt(t);
      const [x, y, z] = guyBody.joints.hips!;
      const hips = tracker.joint('Hips');
      const forward = tracker.point('Hips', [x, y, z + 1]).map((value, c) => value - hips[c]!);
      const sides = SIDES.map((side) => {
        const S = labels[side];
        return {
          side,
          standing: new Set(standingParts(act, side)),
          foot: act.feet[side],
          soles: solePoints(tracker, side),
          hip: tracker.joint(`${S}UpLeg`),
          knee: tracker.joint(`${S}Leg`),
          ankle: tracker.joint(`${S}Foot`),
          palm: tracker.point(`${S}Hand`, palmPoint(guyBody, side, 1.06)),
        };
      });
      return { t, forward, sides };
    }),
  );
  /** What is wrong, as lines to read; an expectation for each of a hundred thousand looks would take most of the time. */
  let wrong: string[] = [];
  beforeEach(() => {
    wrong = [];
  });

  it('keeps planted heels, toes, knees and palms within a millimetre', () => {
    let stays = 0;
    const anchors = new Map<string, Vec3>();
    for (const { t, sides } of looks())
      for (const { side, standing, soles, knee, palm } of sides)
        for (const [part, point] of Object.entries({ ...soles, knee, palm })) {
          const name = `${side} ${part}`;
          const anchor = anchors.get(name);
          if (!standing.has(part)) anchors.delete(name);
          else if (!anchor) anchors.set(name, point);
          else {
            stays++;
            const moved = Math.hypot(...point.map((value, c) => value - anchor[c]!));
            if (!(moved < 0.001)) wrong.push(`${name} at ${t.toFixed(3)} s: ${moved}`);
          }
        }
    expect(wrong).toEqual([]);
    expect(stays).toBeGreaterThan(100);
  });

  it('never sinks into the floor, and stands on it where it says so', () => {
    for (const { t, sides } of looks())
      for (const { side, foot, soles, knee } of sides) {
        const check = (isRight: boolean, what: string) => {
          if (!isRight) wrong.push(`${side} ${what} at ${t.toFixed(3)} s`);
        };
        for (const part of ['heel', 'ball', 'tip'] as const) check(soles[part][1] > -0.005, part);
        for (const part of STANDING[foot.contact])
          check(Math.abs(soles[part][1] - (foot.ground ?? 0)) < 0.001, `standing ${part}`);
        // As thick as the leg is at the knee, with its cloth.
        check(knee[1] > 0.06, 'knee');
        if (foot.kneels) check(knee[1] < 0.075, 'kneeling knee');
      }
    expect(wrong).toEqual([]);
  });

  it('bends knees forward, as the hips look', () => {
    for (const { t, forward, sides } of looks())
      for (const { side, hip, knee, ankle } of sides) {
        const line = ankle.map((value, c) => value - hip[c]!);
        const square = line.reduce((sum, value) => sum + value * value, 0);
        const along = line.reduce((sum, value, c) => sum + value * (knee[c]! - hip[c]!), 0) / square;
        const out = knee.map((value, c) => value - hip[c]! - along * line[c]!);
        const ahead = forward.reduce((sum, value, c) => sum + value * out[c]!, 0);
        if (!(ahead > 0)) wrong.push(`${side} knee at ${t.toFixed(3)} s`);
      }
    expect(wrong).toEqual([]);
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

describe('motions that say they loop', () => {
  const looping = MOTIONS.filter(({ loops }) => loops).map(({ name }) => name);

  it.each(looping)('%s: the last pose is the first one', (name) => {
    const { skeleton, clip } = openMotion(name);
    const [first, last] = [0, clip.duration].map((t) => {
      const pose = copyPose(skeleton.rest);
      sampleClip(pose, clip, t);
      return pose.rotations;
    }) as [Float64Array, Float64Array];
    // Quaternions of either sign are the same turn.
    for (let i = 0; i < first.length; i += 4) {
      const cosine = [0, 1, 2, 3].reduce((sum, c) => sum + first[i + c]! * last[i + c]!, 0);
      expect(1 - Math.abs(cosine), skeleton.names[i / 4]).toBeLessThan(1e-7);
    }
  });

  it.each(looping)('%s: what comes after the end is what comes after the beginning', (name) => {
    const motion = MOTIONS.find((one) => one.name === name)!;
    for (const t of [-1 / 60, 1 / 60, 0.1]) {
      const [first, last] = [poseAt(motion, t).turns, poseAt(motion, t + motion.duration).turns];
      for (const [role, turn] of Object.entries(first)) {
        const cosine = turn!.reduce((sum, value, c) => sum + value * last[role as Role]![c]!, 0);
        expect(1 - Math.abs(cosine), `${role} at ${t}`).toBeLessThan(1e-7);
      }
    }
  });

  it('are at least six', () => {
    expect(looping.length).toBeGreaterThanOrEqual(6);
  });
});

describe('what makes each motion what it is', () => {
  it('the walk travels a stride a cycle', () => {
    const { clip } = openMotion('walk');
    const hips = hipsPath('walk');
    expect(hips(clip.duration)[2] - hips(0)[2]).toBeCloseTo(2.52, 2);
  });

  it('the climb gains four rungs, each of which carries a hand or a foot', () => {
    const { clip } = openMotion('climb');
    const hips = hipsPath('climb');
    expect(hips(clip.duration)[1] - hips(0)[1]).toBeCloseTo(1.2, 2);
  });

  it('who lies has hips and head on the floor, who sits has the hips there', () => {
    const lying = openMotion('lie-down');
    const tracker = createTracker(lying.skeleton, lying.clip);
    tracker.goTo(4.25);
    for (const joint of ['Hips', 'Spine2', 'Head', 'LeftHand'])
      expect(tracker.joint(joint)[1], joint).toBeLessThan(0.2);
    expect(hipsPath('sit-on-ground')(1)[1]).toBeLessThan(0.16);
    expect(hipsPath('sit-down')(2.4)[1]).toBeCloseTo(0.555, 2);
  });

  it.each([
    ['carry-box', 0, 2.4],
    ['pick-up', 1.4, 4.4],
  ] as const)('%s: the hands keep their distance while they hold', (name, from, to) => {
    const { skeleton, clip } = openMotion(name);
    const tracker = createTracker(skeleton, clip);
    const gaps: number[] = [];
    for (let t = from; t <= to; t += 1 / 60) {
      tracker.goTo(t);
      const [left, right] = [tracker.joint('LeftHand'), tracker.joint('RightHand')];
      gaps.push(Math.hypot(...left.map((value, c) => value - right[c]!)));
    }
    expect(Math.max(...gaps) - Math.min(...gaps)).toBeLessThan(0.002);
    expect(gaps[0]).toBeCloseTo(0.34, 2);
  });

  it('the clap brings palms together four times', () => {
    const { skeleton, clip } = openMotion('clap');
    const tracker = createTracker(skeleton, clip);
    const gaps = Array.from({ length: 481 }, (_, k) => {
      tracker.goTo((k / 480) * clip.duration);
      const [left, right] = SIDES.map((side) =>
        tracker.point(`${labels[side]}Hand`, palmPoint(guyBody, side, 1.06)),
      ) as [Vec3, Vec3];
      return Math.hypot(...left.map((value, c) => value - right[c]!));
    });
    const met = gaps.filter((gap, k) => gap <= Math.min(gaps[k - 1] ?? 9, gaps[k + 1] ?? 9));
    expect(met.filter((gap) => gap < 0.02).length).toBeGreaterThanOrEqual(4);
    expect(Math.max(...gaps)).toBeGreaterThan(0.2);
  });

  it('the side kick reaches out to the right at the height of the hips', () => {
    const { skeleton, clip } = openMotion('side-kick');
    const tracker = createTracker(skeleton, clip);
    tracker.goTo(1.2);
    const [foot, hips] = [tracker.joint('RightFoot'), tracker.joint('Hips')];
    expect(hips[0] - foot[0]).toBeGreaterThan(0.7);
    expect(foot[1]).toBeGreaterThan(0.85);
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

  it('the strafe goes to the left, looks ahead, and its feet never cross', () => {
    const { skeleton, clip } = openMotion('strafe');
    const tracker = createTracker(skeleton, clip);
    const gaps: number[] = [];
    for (let t = 0; t <= clip.duration; t += 1 / 60) {
      tracker.goTo(t);
      const hips = tracker.joint('Hips');
      const [x, y, z] = guyBody.joints.hips!;
      const ahead = tracker.point('Hips', [x, y, z + 1]).map((value, c) => value - hips[c]!);
      expect(ahead[2]).toBeGreaterThan(0.95);
      gaps.push(tracker.joint('LeftToeBase')[0] - tracker.joint('RightToeBase')[0]);
    }
    expect(Math.min(...gaps)).toBeGreaterThan(0.08);
    const hips = hipsPath('strafe');
    expect(hips(clip.duration)[0] - hips(0)[0]).toBeCloseTo(1.5, 2);
    expect(hips(clip.duration)[2] - hips(0)[2]).toBeCloseTo(0, 6);
  });

  it('the handstand is upside down on both hands, with legs apart', () => {
    const { skeleton, clip, motion } = openMotion('handstand-freeze');
    const tracker = createTracker(skeleton, clip);
    for (const t of [2.2, 2.8, 3.5]) {
      tracker.goTo(t);
      const [head, hips] = [tracker.joint('Head'), tracker.joint('Hips')];
      const feet = [tracker.joint('LeftFoot'), tracker.joint('RightFoot')] as const;
      expect(hips[1]).toBeGreaterThan(head[1] + 0.4);
      for (const foot of feet) expect(foot[1]).toBeGreaterThan(hips[1] + 0.2);
      expect(Math.abs(feet[0][2] - feet[1][2])).toBeGreaterThan(0.4);
      for (const side of SIDES) expect(motion.actAt(t).hands![side]!.contact).toBe(true);
      // The crown is off the floor: hands alone carry.
      expect(tracker.point('Head', [0, 1.79, 0])[1]).toBeGreaterThan(0.04);
    }
  });

  it('the kip-up lies, stands on its shoulders, flies freely and lands', () => {
    const hips = hipsPath('kip-up');
    const { skeleton, clip } = openMotion('kip-up');
    const tracker = createTracker(skeleton, clip);
    tracker.goTo(0);
    for (const joint of ['Hips', 'Spine2', 'Head']) expect(tracker.joint(joint)[1], joint).toBeLessThan(0.16);
    tracker.goTo(1.15);
    expect(tracker.joint('Hips')[1]).toBeGreaterThan(tracker.joint('LeftArm')[1] + 0.2);
    const [from, to] = [1.52, 1.88];
    const span = (to - from) / 2;
    const acceleration = (hips(from)[1] - 2 * hips(from + span)[1] + hips(to)[1]) / (span * span);
    expect(acceleration).toBeCloseTo(-9.81, 0);
    tracker.goTo(1.7);
    for (const joint of ['LeftFoot', 'RightFoot', 'LeftHand', 'Spine2'])
      expect(tracker.joint(joint)[1], joint).toBeGreaterThan(0.15);
    expect(hips(clip.duration)[1]).toBeCloseTo(0.946, 2);
  });

  it('the keeper’s hands meet the ball low, a ball’s width apart, and bring it to the chest', () => {
    const { skeleton, clip } = openMotion('keeper-block');
    const tracker = createTracker(skeleton, clip);
    const apart = (t: number) => {
      tracker.goTo(t);
      const [left, right] = [tracker.joint('LeftHand'), tracker.joint('RightHand')];
      expect(left[1]).toBeCloseTo(right[1], 2);
      return { gap: left[0] - right[0], height: left[1], chest: tracker.joint('Spine2')[1] };
    };
    expect(apart(1.55).height).toBeLessThan(0.3);
    for (const t of [1.55, 2, 2.5, 3, 4]) expect(apart(t).gap).toBeCloseTo(0.22, 2);
    expect(Math.abs(apart(4).height - apart(4).chest)).toBeLessThan(0.2);
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
