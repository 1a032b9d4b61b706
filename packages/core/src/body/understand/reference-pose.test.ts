import { describe, expect, it } from 'vitest';
import { stickFigure, turn, turnedPose } from '../../../test/stick-figure.js';
import { UsageError } from '../../base/errors.js';
import { multiplyQuaternions } from '../../base/math/quaternion.js';
import type { Clip } from '../../scene/clip.js';
import { poseAt } from '../../scene/clip.js';
import { copyPose, type Pose } from '../../scene/pose.js';
import { createSkeleton } from '../../scene/skeleton.js';
import { createRig } from './create-rig.js';
import { createReferencePose, guessReferencePose } from './reference-pose.js';

const guess = (figure: ReturnType<typeof stickFigure>, clips: readonly Clip[] = []) =>
  createRig(figure.skeleton, { clips });
const codes = (rig: ReturnType<typeof createRig>) => rig.warnings.map(({ code }) => code);

describe('createReferencePose', () => {
  const figure = stickFigure();
  const { skeleton, clips, jointOf } = figure;

  it('S6: an edit turns a joint on from where it stands, in its parent’s axes, moves it and scales it', () => {
    const figure = stickFigure({ arms: 'A' });
    const joint = figure.jointOf('leftUpperArm');
    const name = figure.skeleton.names[joint]!;
    const R = [0, 0, Math.SQRT1_2, Math.SQRT1_2] as const;
    const edits = [{ name, turn: R, translation: [1, 2, 3] as const, scale: [2, 2, 2] as const }];
    const { pose } = createReferencePose(figure.skeleton, { base: 'rest', edits }, []);
    const expected = new Float64Array(4);
    multiplyQuaternions(expected, 0, Float64Array.from(R), 0, figure.skeleton.rest.rotations, 4 * joint);
    expect([...pose.rotations.slice(4 * joint, 4 * joint + 4)]).toEqual(
      [...expected].map((x) => expect.closeTo(x, 9)),
    );
    expect([...pose.translations.slice(3 * joint, 3 * joint + 3)]).toEqual([1, 2, 3]);
    expect([...pose.scales.slice(3 * joint, 3 * joint + 3)]).toEqual([2, 2, 2]);
    const nothing = [{ name, turn: [0, 0, 0, 0] as const }];
    expect(() => createReferencePose(figure.skeleton, { base: 'rest', edits: nothing }, [])).toThrow(
      'no rotation',
    );
  });

  it('WP2: is a copy: what happens to the skeleton later does not change it', () => {
    const own = stickFigure();
    const reference = createReferencePose(own.skeleton, 'rest', []);
    own.skeleton.rest.rotations.fill(0.5);
    expect([...reference.pose.rotations.slice(0, 4)]).toEqual([0, 0, 0, 1]);
  });

  it('takes a frame by number, by time, by clip', () => {
    const byFrame = createReferencePose(skeleton, { frame: 15 }, clips);
    const byTime = createReferencePose(skeleton, { clip: 'walk', time: 0.5 }, clips);
    expect(byFrame.frame).toEqual({ clip: 'walk', time: 0.5 });
    byFrame.pose.rotations.forEach((value, i) => {
      expect(value).toBeCloseTo(byTime.pose.rotations[i]!, 6);
    });
    expect(createReferencePose(skeleton, {}, clips).frame!.time).toBe(0);
  });

  it('takes a pose of the caller, and edits on top of one, at unit length', () => {
    const pose = poseAt(skeleton, clips[0]!, 0.3);
    expect(createReferencePose(skeleton, { pose }, []).kind).toBe('pose');
    const name = skeleton.names[jointOf('leftUpperArm')]!;
    const edited = createReferencePose(skeleton, { base: 'rest', edits: { [name]: [0, 0, 2, 0] } }, []);
    const at = 4 * jointOf('leftUpperArm');
    expect([...edited.pose.rotations.slice(at, at + 4)]).toEqual([0, 0, 1, 0]);
    expect(edited).toMatchObject({ kind: 'pose', reason: 'rest, edited' });
  });

  it('B27: edits move, turn and scale single joints and leave the rest as it is', () => {
    const joint = jointOf('leftUpperArm');
    const name = skeleton.names[joint]!;
    const { pose } = createReferencePose(
      skeleton,
      {
        base: 'rest',
        edits: [
          { name, translation: [1, 2, 3] },
          { name, rotation: [0, 3, 0, 0], scale: [2, 2, 2] },
        ],
      },
      [],
    );
    expect([...pose.translations.slice(3 * joint, 3 * joint + 3)]).toEqual([1, 2, 3]);
    expect([...pose.rotations.slice(4 * joint, 4 * joint + 4)]).toEqual([0, 1, 0, 0]);
    expect([...pose.scales.slice(3 * joint, 3 * joint + 3)]).toEqual([2, 2, 2]);
    pose.translations.set(skeleton.rest.translations.subarray(3 * joint, 3 * joint + 3), 3 * joint);
    expect(pose.translations).toEqual(skeleton.rest.translations);
    for (const edit of [
      { name, rotation: [0, 0, 0, 0] as const },
      { name, translation: [Number.NaN, 0, 0] as const },
      { name: 'Nose', scale: [1, 1, 1] as const },
    ])
      expect(() => createReferencePose(skeleton, { base: 'rest', edits: [edit] }, [])).toThrow(UsageError);
  });

  it('says in a sentence what is not there', () => {
    expect(() => createReferencePose(skeleton, 'bind', [])).toThrow(/no bind pose/);
    expect(() => createReferencePose(skeleton, { frame: 0 }, [])).toThrow(/no clip/);
    expect(() => createReferencePose(skeleton, { clip: 'run' }, clips)).toThrow(/"run".*"walk"/);
    for (const time of [-1, 7, Number.NaN])
      expect(() => createReferencePose(skeleton, { time }, clips)).toThrow(UsageError);
    expect(() =>
      createReferencePose(skeleton, { pose: stickFigure({ toes: false }).skeleton.rest }, []),
    ).toThrow(/20 joints.*22/);
    expect(() => createReferencePose(skeleton, { base: 'auto', edits: { Nose: [0, 0, 0, 1] } }, [])).toThrow(
      /"Nose"/,
    );
  });
});

describe('guessReferencePose', () => {
  it('takes the rest of what has no body', () => {
    const { skeleton } = createSkeleton('empty', []);
    expect(guessReferencePose(skeleton, {}, [], [0, 1, 0])).toMatchObject({
      reference: { kind: 'rest' },
      warnings: [],
    });
  });

  it.each(['T', 'A', 'down'] as const)('a standing body with arms %s rests well', (arms) => {
    const rig = guess(stickFigure({ arms }));
    expect(rig.reference.kind).toBe('rest');
    expect(codes(rig)).not.toContain('reference-chosen');
  });

  it.each([
    ['a stride', 'rightUpperLeg', turn([1, 0, 0], 50)],
    ['a raised arm', 'leftUpperArm', turn([0, 0, 1], 70)],
  ])('bind pose rather than a rest that is %s, and it is said', (_, part, q) => {
    const figure = stickFigure();
    const { skeleton, jointOf } = figure;
    skeleton.bind = copyPose(skeleton.rest);
    skeleton.rest = turnedPose(skeleton, new Map([[jointOf(part), q]]));
    const rig = guess(figure);
    expect(rig.reference.kind).toBe('bind');
    expect(codes(rig)).toContain('reference-chosen');
  });

  it('bind pose rather than a rest that lies, crouches or hangs', () => {
    const lying = stickFigure();
    lying.skeleton.bind = copyPose(lying.skeleton.rest);
    lying.skeleton.rest = turnedPose(lying.skeleton, new Map([[0, turn([1, 0, 0], 90)]]));
    expect(guess(lying).reference.kind).toBe('bind');
    const crouched = stickFigure();
    crouched.skeleton.bind = copyPose(crouched.skeleton.rest);
    crouched.skeleton.rest = turnedPose(
      crouched.skeleton,
      new Map(['left', 'right'].map((side) => [crouched.jointOf(`${side}LowerLeg`), turn([1, 0, 0], 60)])),
    );
    expect(guess(crouched).reference.kind).toBe('bind');
  });

  it('rest rather than a bind pose that is no body', () => {
    const figure = stickFigure();
    const { skeleton, jointOf } = figure;
    skeleton.bind = turnedPose(skeleton, new Map([[jointOf('leftUpperLeg'), turn([1, 0, 0], 170)]]));
    expect(guess(figure).reference.kind).toBe('rest');
  });

  it("a capture's first frame where that is a T-pose and the zero pose is none", () => {
    const figure = stickFigure({
      arms: 'down',
      declared: { up: '+Y', facing: null, unit: null, capture: true },
    });
    const { skeleton, jointOf } = figure;
    const clip: Clip = {
      name: 'take',
      duration: 1,
      morphs: [],
      tracks: (['left', 'right'] as const).map((side) => ({
        joint: jointOf(`${side}UpperArm`),
        channel: 'rotation',
        interpolation: 'linear',
        times: Float32Array.of(0, 1),
        values: Float32Array.from([...turn([0, 0, 1], side === 'left' ? 85 : -85), 0, 0, 0, 1]),
      })),
    };
    const rig = createRig(skeleton, { clips: [clip] });
    expect(rig.reference).toMatchObject({ kind: 'frame', frame: { clip: 'take', time: 0 } });
  });

  it("a capture's first frame where its zero pose lays all bones along one axis", () => {
    const { skeleton } = stickFigure({
      axes: 'boneY',
      declared: { up: null, facing: null, unit: null, capture: true },
    });
    const clip: Clip = {
      name: 'take',
      duration: 0,
      morphs: [],
      tracks: skeleton.names.map((_, joint) => ({
        joint,
        channel: 'rotation',
        interpolation: 'linear',
        times: Float32Array.of(0),
        values: Float32Array.from(skeleton.rest.rotations.slice(4 * joint, 4 * joint + 4)),
      })),
    };
    skeleton.names.forEach((_, joint) => {
      skeleton.rest.rotations.set([0, 0, 0, 1], 4 * joint);
    });
    const rig = createRig(skeleton, { clips: [clip] });
    expect(rig.reference.kind).toBe('frame');
    expect(rig.space.height).toBeCloseTo(1.63, 6);
    expect(codes(rig)).not.toContain('reference-odd');
  });

  describe('from motion, where rest and bind are no standing body', () => {
    const striding = () => {
      const figure = stickFigure();
      const { skeleton, jointOf } = figure;
      const stride = new Map([
        [jointOf('leftUpperLeg'), turn([1, 0, 0], 45)],
        [jointOf('rightUpperLeg'), turn([1, 0, 0], -45)],
      ]);
      const standing = copyPose(skeleton.rest);
      skeleton.rest = turnedPose(skeleton, stride);
      return { ...figure, standing, stride };
    };

    it('the frame that stands', () => {
      const { skeleton, standing, stride } = striding();
      const clip: Clip = {
        name: 'walk',
        duration: 1,
        morphs: [],
        tracks: [...stride.keys()].map((joint) => {
          const [a, b] = [skeleton.rest, standing].map((pose) =>
            pose.rotations.slice(4 * joint, 4 * joint + 4),
          );
          return {
            joint,
            channel: 'rotation',
            interpolation: 'linear',
            times: Float32Array.of(0, 0.5, 1),
            values: Float32Array.from([...a!, ...b!, ...a!]),
          };
        }),
      };
      const rig = createRig(skeleton, { clips: [clip] });
      expect(rig.reference.kind).toBe('pose');
      expect(rig.reference.reason).toContain('"walk" at 0.5 s');
      expect(codes(rig)).toContain('reference-chosen');
      expect(codes(rig)).not.toContain('reference-odd');
      rig.reference.pose.rotations.forEach((value, i) => {
        expect(value).toBeCloseTo(standing.rotations[i]!, 6);
      });
    });

    it('each leg from where it stands, where one is always bent', () => {
      const { skeleton, jointOf } = stickFigure();
      const straight = copyPose(skeleton.rest);
      const knees = (['left', 'right'] as const).map((side) => jointOf(`${side}LowerLeg`));
      const bent = turnedPose(skeleton, new Map(knees.map((knee) => [knee, turn([1, 0, 0], 70)])));
      const rotationOf = (pose: Pose, joint: number) => pose.rotations.slice(4 * joint, 4 * joint + 4);
      const clip: Clip = {
        name: 'walk',
        duration: 1,
        morphs: [],
        tracks: knees.map((knee, n) => ({
          joint: knee,
          channel: 'rotation',
          interpolation: 'step',
          times: Float32Array.of(0, 0.5),
          values: Float32Array.from(
            (n === 0 ? [straight, bent] : [bent, straight]).flatMap((pose) => [...rotationOf(pose, knee)]),
          ),
        })),
      };
      skeleton.rest.rotations.set(rotationOf(bent, knees[1]!), 4 * knees[1]!);
      const rig = createRig(skeleton, { clips: [clip] });
      expect(rig.reference.reason).toContain('each leg as it stands');
      rig.reference.pose.rotations.forEach((value, i) => {
        expect(value).toBeCloseTo(straight.rotations[i]!, 6);
      });
    });

    it('left and right averaged, where no frame stands', () => {
      const rig = createRig(striding().skeleton);
      expect(rig.reference.kind).toBe('pose');
      expect(rig.reference.reason).toContain('left and right averaged');
      expect(codes(rig)).toContain('reference-chosen');
    });
  });

  it('says so where no pose looks like a body', () => {
    const figure = stickFigure();
    const { skeleton, jointOf } = figure;
    skeleton.rest = turnedPose(skeleton, new Map([[jointOf('leftUpperLeg'), turn([1, 0, 0], 150)]]));
    expect(codes(guess(figure))).toContain('reference-odd');
  });
});
