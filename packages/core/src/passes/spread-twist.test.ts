import { describe, expect, it } from 'vitest';
import { over, sceneOf, stickFigure, times, turn } from '../../test/stick-figure.js';
import { type Strand, withStrands } from '../../test/strands.js';
import { vectorAt } from '../base/math/vector.js';
import { retarget } from '../retarget.js';
import { createRetargeter } from '../retargeter.js';
import type { Clip, Track } from '../scene/clip.js';
import { sampleClip } from '../scene/clip.js';
import { copyPose, modelPoseOf, type Pose } from '../scene/pose.js';
import type { Character } from '../scene/scene.js';
import { setUpScenes } from '../setup/set-up-scenes.js';
import { compiledOf } from './pass.js';
import { PASS_NAMES } from './pipeline.js';
import { roomFor, spreadBone, spreadTwist } from './spread-twist.js';

type Asked = NonNullable<Parameters<typeof retarget>[2]>;

const mover = stickFigure({ arms: 'T' });
const INSTANTS = Float32Array.from({ length: 13 }, (_, k) => k / 12);

function turning(part: string, axis: [number, number, number], degrees: number): Track {
  const joint = mover.jointOf(part);
  const rest = mover.skeleton.rest.rotations.slice(4 * joint, 4 * joint + 4);
  const keys = Array.from(INSTANTS, (t) => [...times(turn(axis, degrees * t), rest)]);
  return {
    joint,
    channel: 'rotation',
    interpolation: 'linear',
    times: INSTANTS,
    values: Float32Array.from(keys.flat()),
  };
}

const clipOf = (tracks: Track[], name = 'twist'): Clip => ({ name, duration: 1, morphs: [], tracks });
/** The left arm points along +x: a hand turned by 80 degrees about it, and an upper arm by 60. */
const TWISTS = clipOf([
  turning('leftHand', [1, 0, 0], 80),
  turning('leftUpperArm', [1, 0, 0], 60),
  turning('leftFoot', [0, 1, 0], 40),
  turning('leftUpperLeg', [0, 1, 0], 30),
]);
const source = sceneOf({ ...mover, clips: [TWISTS] }, 'source');

/** Twist joints along bones of a body in a T-pose, at shares of their length. */
function body(shares: Readonly<Record<string, [from: string, to: string, share: number]>>, own = 0.5) {
  const figure = stickFigure({ names: 'unreal', arms: 'T' });
  const { skeleton } = figure;
  const { matrices } = modelPoseOf(skeleton, skeleton.rest);
  const at = (part: string) => vectorAt(matrices, 16 * figure.jointOf(part) + 12);
  const strands = Object.entries(shares).map(([name, [from, to, share]]): Strand => {
    const way = at(to).map((value, c) => (value - at(from)[c]!) * share);
    return { name, parent: skeleton.names[figure.jointOf(from)]!, at: way as [number, number, number] };
  });
  const character = withStrands(figure, strands);
  // The skin of every limb lies at a share of its bone, that of a twist joint around itself.
  for (const [from, to] of [
    ['leftUpperArm', 'leftLowerArm'],
    ['leftLowerArm', 'leftHand'],
    ['leftLowerLeg', 'leftFoot'],
  ] as const) {
    const way = at(to).map((value, c) => (value - at(from)[c]!) * own);
    character.skeleton.bonds!.centres.set(way, 3 * figure.jointOf(from));
  }
  const scene = sceneOf(character, 'target');
  return { scene, skeleton: character.skeleton, jointOf: (part: string) => figure.jointOf(part) };
}

const ARM = {
  upperarm_twist_01_l: ['leftUpperArm', 'leftLowerArm', 0.25],
  lowerarm_twist_01_l: ['leftLowerArm', 'leftHand', 0.75],
  thigh_twist_01_l: ['leftUpperLeg', 'leftLowerLeg', 0.5],
  calf_twist_01_l: ['leftLowerLeg', 'leftFoot', 0.75],
} as const;
const armed = () => body(ARM as unknown as Parameters<typeof body>[0]);

function poseAt(character: Pick<Character, 'skeleton'>, clip: Clip, time: number): Pose {
  const pose = copyPose(character.skeleton.rest);
  sampleClip(pose, clip, time);
  return pose;
}

/** By how many degrees a joint is turned about an axis of its own against the rest. */
function turnOf({ skeleton }: Pick<Character, 'skeleton'>, name: string, pose: Pose, axis: number): number {
  const joint = skeleton.names.indexOf(name);
  const own = (of: Pose) => of.rotations.slice(4 * joint, 4 * joint + 4);
  const q = over(own(skeleton.rest), own(pose));
  return (360 / Math.PI) * Math.atan2(q[axis]! * Math.sign(q[3]!), Math.abs(q[3]!));
}

function turnsAtEnd(options: Asked, target = armed()) {
  const { clips, report } = retarget(source, target.scene, { measure: false, ...options });
  const pose = poseAt(target, clips[0]!, 1);
  return {
    report,
    upper: turnOf(target, 'upperarm_twist_01_l', pose, 0),
    lower: turnOf(target, 'lowerarm_twist_01_l', pose, 0),
    thigh: turnOf(target, 'thigh_twist_01_l', pose, 1),
    calf: turnOf(target, 'calf_twist_01_l', pose, 1),
    foot: turnOf(target, target.skeleton.names[target.jointOf('leftFoot')]!, pose, 1),
  };
}

describe('the twist of limbs', () => {
  it.each<[string, Asked]>([
    ['keys', { corrections: 'none' }],
    ['frames, copied', { corrections: 'none', keys: 'bake' }],
    ['frames, corrected', { keys: 'bake' }],
  ])('M8: is shared by the place of the skin along the bone: %s', (_, options) => {
    const { upper, lower, thigh, calf, foot } = turnsAtEnd(options);
    // Skin of the limbs lies half way: from there to the shoulder 60 degrees are undone, to the wrist 80 are added.
    expect(upper).toBeCloseTo(-30, 2);
    expect(lower).toBeCloseTo(40, 2);
    // A foot that stands is turned less, and the shin follows what it is turned.
    expect(foot).toBeGreaterThan(15);
    expect(calf).toBeCloseTo(foot / 2, 1);
    // Not on thighs.
    expect(thigh).toBeCloseTo(0, 4);
  });

  it('is shared live, too', () => {
    const target = armed();
    const { setup } = setUpScenes(source, target.scene, { corrections: 'none' });
    const pose = createRetargeter(setup).update(poseAt(mover, TWISTS, 1));
    expect(turnOf(target, 'upperarm_twist_01_l', pose, 0)).toBeCloseTo(-30, 3);
    expect(turnOf(target, 'lowerarm_twist_01_l', pose, 0)).toBeCloseTo(40, 3);
  });

  it('M7: limbs keep the turns that the source tells them, whether it is shared or not', () => {
    const shared = retarget(source, armed().scene, { corrections: 'none', measure: false });
    const plain = retarget(source, armed().scene, { corrections: 'none', measure: false, twist: 'none' });
    const isTwist = ({ joint }: Track) => armed().skeleton.names[joint]!.includes('twist');
    expect(shared.clips[0]!.tracks.filter((track) => !isTwist(track))).toEqual(plain.clips[0]!.tracks);
    expect(shared.report.clips[0]!.way).toBe('keys');
    // There and back.
    const there = sceneOf({ ...armed().scene.characters[0]!, clips: shared.clips }, 'there');
    const back = retarget(there, sceneOf({ ...mover, clips: [] }, 'back'), {
      corrections: 'none',
      measure: false,
    });
    for (const part of ['leftUpperArm', 'leftHand']) {
      const joint = mover.jointOf(part);
      const own = (pose: Pose) => pose.rotations.slice(4 * joint, 4 * joint + 4);
      const dot = own(poseAt(mover, TWISTS, 1)).reduce(
        (sum, value, c) => sum + value * own(poseAt(mover, back.clips[0]!, 1))[c]!,
        0,
      );
      expect(Math.abs(dot)).toBeGreaterThan(1 - 1e-9);
    }
  });

  it('M7: told shares come first, for limbs and thighs too, and whole limbs share where asked to', () => {
    const told = turnsAtEnd({ corrections: 'none', twist: { lowerarm_twist_01_l: 1, thigh_twist_01_l: 0 } });
    expect(told.lower).toBeCloseTo(80, 2);
    expect(told.thigh).toBeCloseTo(-30, 2);
    expect(told.upper).toBeCloseTo(-30, 2);
    const target = armed();
    const { clips } = retarget(source, target.scene, {
      corrections: 'none',
      measure: false,
      twist: 'limbs',
    });
    const pose = poseAt(target, clips[0]!, 1);
    const { rotations } = modelPoseOf(target.skeleton, pose);
    const plain = retarget(source, armed().scene, { corrections: 'none', measure: false, twist: 'none' });
    const before = modelPoseOf(target.skeleton, poseAt(target, plain.clips[0]!, 1)).rotations;
    // The upper arm's skin is half way along it, and its twist joint's a quarter.
    expect(turnOf(target, target.skeleton.names[target.jointOf('leftUpperArm')]!, pose, 0)).toBeCloseTo(
      30,
      2,
    );
    expect(turnOf(target, 'upperarm_twist_01_l', pose, 0)).toBeCloseTo(-15, 2);
    for (const part of ['leftHand', 'leftFoot']) {
      const i = 4 * target.jointOf(part);
      const dot = [0, 1, 2, 3].reduce((sum, c) => sum + rotations[i + c]! * before[i + c]!, 0);
      expect(Math.abs(dot)).toBeGreaterThan(1 - 1e-9);
    }
    expect(() => retarget(source, armed().scene, { twist: { nobody: 0.5 } })).toThrow(/twist names "nobody"/);
  });

  it('M7: an upper arm whose twist joints lie beyond its own skin shares its turn where it is corrected', () => {
    // Half of the twist is left at the shoulder: the arm's own skin is a quarter along, its twist joint's three quarters.
    const target = body({ upperarm_twist_01_l: ['leftUpperArm', 'leftLowerArm', 0.75] }, 0.25);
    const at = (options: Asked) => {
      const { clips } = retarget(source, target.scene, { measure: false, keys: 'bake', ...options });
      return poseAt(target, clips[0]!, 1);
    };
    const arm = target.skeleton.names[target.jointOf('leftUpperArm')]!;
    const shared = at({});
    expect(turnOf(target, arm, shared, 0)).toBeCloseTo(15, 1);
    expect(turnOf(target, 'upperarm_twist_01_l', shared, 0)).toBeCloseTo(30, 1);
    // Where nothing is corrected what the source tells the arm stays exact.
    const exact = at({ corrections: 'none' });
    expect(turnOf(target, arm, exact, 0)).toBeCloseTo(60, 1);
    expect(turnOf(target, 'upperarm_twist_01_l', exact, 0)).toBeCloseTo(0, 3);
    // The forearm is turned as before either way.
    const [a, b] = [shared, exact].map((pose) => modelPoseOf(target.skeleton, pose).rotations);
    const i = 4 * target.jointOf('leftLowerArm');
    const dot = [0, 1, 2, 3].reduce((sum, c) => sum + a![i + c]! * b![i + c]!, 0);
    expect(Math.abs(dot)).toBeGreaterThan(1 - 1e-5);
  });

  it('where keys are kept a warning names the joints that stay still', () => {
    const { report, lower } = turnsAtEnd({ corrections: 'none', keys: 'keep' });
    expect(lower).toBeCloseTo(0, 5);
    const [warning] = report.warnings.filter(({ code }) => code === 'twist-left-out');
    for (const name of ['upperarm_twist_01_l', 'lowerarm_twist_01_l', 'calf_twist_01_l'])
      expect(warning!.message).toContain(name);
    expect(warning!.message).not.toContain('thigh');
  });

  it('a limb that the clip does not move gives its twist joints no tracks', () => {
    const legs = sceneOf({ ...mover, clips: [clipOf([turning('leftFoot', [0, 1, 0], 40)])] }, 'legs');
    const target = armed();
    const { clips } = retarget(legs, target.scene, { corrections: 'none', measure: false });
    const names = clips[0]!.tracks.map(({ joint }) => target.skeleton.names[joint]!);
    expect(names.filter((name) => name.includes('twist'))).toEqual(['calf_twist_01_l']);
  });

  it('rests on its own body, and where a joint is driven', () => {
    const target = armed();
    const own = setUpScenes(target.scene, target.scene, {});
    expect(compiledOf(own.setup, spreadTwist)).toBeNull();
    expect(compiledOf(setUpScenes(source, armed().scene, { twist: 'none' }).setup, spreadTwist)).toBeNull();
    expect(PASS_NAMES.indexOf('spreadTwist')).toBeGreaterThan(PASS_NAMES.indexOf('addFinalLayers'));
  });

  it('no turn makes it jump: past a half turn, and where the limb is folded to its opposite', () => {
    const { setup } = setUpScenes(source, armed().scene, { corrections: 'none' });
    const bones = compiledOf(setup, spreadTwist)!;
    const bone = bones.find(({ joints }) =>
      joints.some(({ joint }) => setup.target.skeleton.names[joint] === 'lowerarm_twist_01_l'),
    )!;
    const { joint } = bone.joints[0]!;
    const rotations = setup.alignment.pose.rotations.slice();
    const hand = bone.path[bone.path.length - 1]!;
    const rest = rotations.slice(4 * hand, 4 * hand + 4);
    let before: Float64Array | null = null;
    let most = 0;
    for (let k = 0; k <= 720; k++) {
      rotations.set(times(times(turn([0, 1, 0], k), turn([1, 0, 0], 2 * k)), rest), 4 * hand);
      spreadBone(rotations, bone, roomFor([bone]));
      const now = rotations.slice(4 * joint, 4 * joint + 4);
      expect(now.every(Number.isFinite)).toBe(true);
      if (before) most = Math.max(most, 1 - Math.abs(now.reduce((sum, x, c) => sum + x * before![c]!, 0)));
      before = now;
    }
    // Half of twice two degrees a step where it goes back, and what the fold takes away.
    expect((360 / Math.PI) * Math.acos(1 - most)).toBeLessThan(12);
  });
});
