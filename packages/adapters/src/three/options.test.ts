import {
  AnimationClip,
  AnimationMixer,
  type KeyframeTrack,
  Quaternion,
  QuaternionKeyframeTrack,
  Vector3,
  VectorKeyframeTrack,
} from 'three';
import { describe, expect, test } from 'vitest';
import { stickActor } from '../../test/three-actors.js';
import { createLiveRetargeter, type RetargetClipOptions, retargetClips } from './index.js';

const turn = (degrees: number) =>
  new Quaternion().setFromAxisAngle(new Vector3(0, 0, 1), (degrees * Math.PI) / 180).toArray();

/** Sixty frames of an arm that goes up, hips that go ahead, and a chest that breathes. */
function walk(flaw?: number): AnimationClip {
  const times = Array.from({ length: 60 }, (_, k) => k / 30);
  const arm = times.map((time) => turn(30 * time));
  if (flaw !== undefined) arm[flaw] = turn(30 * times[flaw]! + 180);
  return new AnimationClip('walk', -1, [
    new QuaternionKeyframeTrack('LeftUpperArm.quaternion', times, arm.flat()),
    new VectorKeyframeTrack(
      'Hips.position',
      times,
      times.flatMap((time) => [0, 1, time]),
    ),
    new VectorKeyframeTrack(
      'Chest.scale',
      times,
      times.flatMap((time) => [1, 1 + time / 10, 1]),
    ),
    new VectorKeyframeTrack(
      'Head.position',
      times,
      times.flatMap((time) => [0, 0.1 + time / 100, 0]),
    ),
  ]);
}

const target = () => stickActor({ rename: (name) => `rig_${name}`, size: 2 });

function moved(options: RetargetClipOptions, clip = walk()) {
  const result = retargetClips(target().root, stickActor().root, [clip], options);
  const track = (name: string): KeyframeTrack | undefined =>
    result.clips[0]!.tracks.find((one) => one.name === `rig_${name}`);
  const at = (name: string, key: number): number[] => {
    const one = track(name)!;
    const size = one.getValueSize();
    const k = key < 0 ? one.times.length + key : key;
    return [...one.values.subarray(k * size, (k + 1) * size)];
  };
  return {
    ...result,
    track,
    at,
    codes: [...result.report.warnings, ...result.report.notes].map(({ code }) => code),
  };
}

/** How far a joint turns from its first key to its last, in degrees. */
function turned({ track, at }: ReturnType<typeof moved>, name: string): number {
  if (!track(name)) return 0;
  const [a, b] = [0, -1].map((key) => new Quaternion().fromArray(at(name, key)));
  return (a!.angleTo(b!) * 180) / Math.PI;
}

describe('options of the engine, through three.js', () => {
  test('without any, the arm turns, hips travel, the chest grows', () => {
    const plain = moved({});
    expect(turned(plain, 'LeftUpperArm.quaternion')).toBeCloseTo(59, 3);
    expect(plain.at('Hips.position', -1)[2]).toBeCloseTo((2 * 59) / 30, 3);
    expect(plain.at('Chest.scale', -1)[1]).toBeCloseTo(1 + 59 / 300, 4);
    expect(plain.rootMotion).toBeUndefined();
  });

  test('mirror: the other arm', () => {
    const mirrored = moved({ mirror: true });
    expect(turned(mirrored, 'LeftUpperArm.quaternion')).toBeCloseTo(0, 3);
    expect(turned(mirrored, 'RightUpperArm.quaternion')).toBeCloseTo(59, 3);
  });

  test('loop: the last pose is the first', () => {
    expect(moved({ loop: true }).codes).toContain('loop-not-found');
    // A part whose ends are a hand's breadth apart.
    const looped = moved({ loop: true, range: [0, 0.1] });
    const [a, b] = [looped.at('LeftUpperArm.quaternion', 0), looped.at('LeftUpperArm.quaternion', -1)];
    expect(new Quaternion().fromArray(a).angleTo(new Quaternion().fromArray(b))).toBeLessThan(1e-3);
  });

  test('reduce: keys on a line are left out', () => {
    expect(moved({ reduce: true }).track('Hips.position')!.times.length).toBe(2);
  });

  test('repairKeys: a key half a turn off is replaced, and told of', () => {
    const repaired = moved({ repairKeys: true }, walk(20));
    expect(repaired.codes).toContain('keys-repaired');
    expect(repaired.at('LeftUpperArm.quaternion', 20)).not.toEqual(
      moved({}, walk(20)).at('LeftUpperArm.quaternion', 20),
    );
  });

  test('translations, scales: copied, or at rest', () => {
    const rise = (translations: NonNullable<RetargetClipOptions['translations']>) => {
      const head = moved({ translations }).track('Head.position');
      return head ? head.values[head.values.length - 2]! - head.values[1]! : 0;
    };
    expect(rise('rest')).toBe(0);
    expect(rise('copied')).toBeGreaterThan(0.01);
    expect(moved({ scales: 'rest' }).track('Chest.scale')).toBeUndefined();
  });

  test('imitation, root: an arm, or the hips, keep their own', () => {
    expect(turned(moved({ imitation: { leftArm: 'keep' } }), 'LeftUpperArm.quaternion')).toBeCloseTo(0, 3);
    const still = moved({ root: { copyPosition: false } });
    expect(still.track('Hips.position')?.times.length ?? 0).toBeLessThan(3);
  });

  test('rootMotion: apart is given with the clips; rootMotionJoint says whose', () => {
    const apart = moved({ rootMotion: 'apart', rootMotionJoint: 'Hips' });
    expect(apart.rootMotion).toHaveLength(1);
    expect(apart.at('Hips.position', -1)[2]).toBeCloseTo(apart.at('Hips.position', 0)[2]!, 3);
    expect(() => moved({ rootMotion: 'apart', rootMotionJoint: 'Nobody' })).toThrow('Nobody');
  });

  test('checkHierarchy: a joint that hangs elsewhere is left out, and told of', () => {
    const odd = target();
    // The neck hangs on the hips instead of the chest.
    odd.bones.get('Hips')!.attach(odd.bones.get('Neck')!);
    const codesOf = (checkHierarchy: boolean) => {
      const { report } = retargetClips(odd.root, stickActor().root, [walk()], { checkHierarchy });
      return report.warnings.map(({ code }) => code);
    };
    expect(codesOf(true)).toContain('hierarchy-mismatch');
    expect(codesOf(false)).not.toContain('hierarchy-mismatch');
  });

  test('corrections, limbScalings: feet and hands are held frame by frame', () => {
    const corrected = moved({ corrections: 'auto', limbScalings: { leftArm: { limbScale: 0.5 } } });
    expect(corrected.report.clips[0]!.way).toBe('frames');
    for (const { values } of corrected.clips[0]!.tracks)
      expect([...values].every(Number.isFinite)).toBe(true);
    // Who says how a limb reaches its goal wants it to reach one.
    const asked = moved({ limbScalings: { leftArm: { limbScale: 0.5 } } });
    expect(asked.clips[0]!.tracks.map(({ values }) => values)).toEqual(
      corrected.clips[0]!.tracks.map(({ values }) => values),
    );
  });

  test('B6: an option that changes nothing is told of', () => {
    const told = moved({ corrections: 'none', reach: 'together', mirrored: true } as RetargetClipOptions);
    const messages = told.report.warnings.map(({ code, message }) => `${code}: ${message}`);
    for (const name of ['reach', 'mirrored'])
      expect(messages).toContainEqual(
        expect.stringMatching(`option-without-effect: the option ${name} has no effect`),
      );
  });

  test('spacing, lookAt: arms are spread, the head turns to a point', () => {
    const first = (options: RetargetClipOptions, name: string) =>
      new Quaternion().fromArray(moved(options).at(name, 0));
    const arm = 'LeftUpperArm.quaternion';
    expect(first({ spacing: { arms: -0.5 } }, arm).angleTo(first({}, arm))).toBeCloseTo(Math.PI / 8, 3);
    const looking = moved({ lookAt: { point: [3, 3, 3] } });
    const turns = looking.track('Head.quaternion')!;
    expect(new Quaternion().fromArray(turns.values).angleTo(new Quaternion())).toBeGreaterThan(0.1);
  });

  test('live: scales are copied, and given back', () => {
    const [source, to] = [stickActor(), target()];
    const live = createLiveRetargeter(to.root, source.root, { corrections: 'none' });
    const mixer = new AnimationMixer(source.root);
    mixer.clipAction(walk()).play();
    mixer.setTime(1);
    live.update(1 / 60);
    const chest = to.bones.get('Chest')!;
    expect(chest.scale.y).toBeCloseTo(1.1, 5);
    live.dispose();
    expect(chest.scale.y).toBe(1);
  });
});
