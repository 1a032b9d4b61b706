import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPlainSetup, retargetPlainly } from '../test/plainly.js';
import { readHierarchy } from '../test/read-hierarchy.js';
import { DATA_FOLDER } from '../test/real-data.js';
import {
  angleBetween,
  clipOf,
  createRandom,
  DEGREES,
  distance,
  jointOf,
  mapOf,
  modelAt,
  placeAt,
  plainRig,
  type Quat,
  quatAt,
  randomClip,
  randomSkeleton,
  rotationTrack,
  sceneOf,
  skeletonOf,
  tinyHuman,
  translationTrack,
  turn,
} from '../test/tiny-rigs.js';
import { RetargetError, UsageError } from './base/errors.js';
import { NOTE_MEANINGS, WARNING_MEANINGS } from './base/warnings.js';
import { createRig } from './body/understand/create-rig.js';
import { sampleMorph } from './clips/edit-clip.js';
import { createRigMap } from './map/create-rig-map.js';
import { measureClip } from './measures/measure.js';
import type { RigMapDocument } from './options/rig-map-document.js';
import type { SetupOptions } from './options/setup-options.js';
import type { ClipOptions } from './passes/parts/told-options.js';
import type { Setup } from './passes/pass.js';
import { PASS_NAMES } from './passes/pipeline.js';
import { retarget } from './retarget.js';
import type { Clip, MorphTrack, Track } from './scene/clip.js';
import { poseAt } from './scene/clip.js';
import { copyPose } from './scene/pose.js';
import { createSkeleton, type JointDescription, type Skeleton } from './scene/skeleton.js';
import { retargetClip } from './ways/retarget-clip.js';

const hipsOf = (skeleton: Skeleton) => jointOf(skeleton, 'hips');
const everyTime = Array.from({ length: 41 }, (_, n) => n / 20);

function setUp(source: Skeleton, target: Skeleton, options: SetupOptions = {}): Setup {
  const rigs = [createRig(source), createRig(target)] as const;
  return createPlainSetup(rigs[0], rigs[1], createRigMap(rigs[0], rigs[1]).map, options);
}

/** The worst difference of two clips on one skeleton: radians, and units of places and scales. */
function worstDifference(skeleton: Skeleton, a: Clip, b: Clip, instants: readonly number[]) {
  let [angle, length] = [0, 0];
  for (const time of instants) {
    const [p, q] = [poseAt(skeleton, a, time), poseAt(skeleton, b, time)];
    for (let joint = 0; joint < skeleton.names.length; joint++)
      angle = Math.max(angle, angleBetween(quatAt(p.rotations, joint), quatAt(q.rotations, joint)));
    p.translations.forEach((x, i) => {
      length = Math.max(length, Math.abs(x - q.translations[i]!), Math.abs(p.scales[i]! - q.scales[i]!));
    });
  }
  return { angle, length };
}

/** A clip with every kind of channel: turns and travel, a stretching limb, a growing head, a smile. */
function richClip(skeleton: Skeleton, seed: number): Clip {
  const random = createRandom(seed);
  const clip = randomClip(random, skeleton, { travels: hipsOf(skeleton), interpolation: 'cubic' });
  const head = jointOf(skeleton, 'head');
  const arm = jointOf(skeleton, 'leftLowerArm');
  const at = (c: number) => skeleton.rest.translations[3 * arm + c]!;
  const scale: Track = {
    ...translationTrack(
      head,
      [0, 1, 2],
      [
        [1, 1, 1],
        [2, 1.5, 1],
        [1, 1, 1],
      ],
    ),
    channel: 'scale',
  };
  const smile: MorphTrack = {
    mesh: 'face',
    morph: 'smile',
    interpolation: 'linear',
    times: Float32Array.of(0, 2),
    values: Float32Array.of(0, 1),
  };
  return {
    ...clip,
    tracks: [
      ...clip.tracks,
      scale,
      translationTrack(
        arm,
        [0, 2],
        [
          [at(0), at(1), at(2)],
          [at(0) * 1.5, at(1) * 1.5, at(2) * 1.5],
        ],
      ),
    ],
    morphs: [smile],
  };
}

describe('onto itself and back (X4)', () => {
  const random = createRandom(2);
  const human = tinyHuman({ axes: random, root: true });
  const clip = richClip(human, 3);
  const morphs = [{ mesh: 'face', names: ['smile'] }];

  it('X4(ii): onto the same skeleton every joint and channel is the same: turns, places, scales, morphs', () => {
    const result = retargetPlainly(sceneOf(human, [clip], morphs), sceneOf(human, [], morphs));
    expect(result.report.clips[0]!.way).toBe('copy');
    const { angle, length } = worstDifference(human, clip, result.clips[0]!, everyTime);
    expect(angle).toBeLessThan(1e-5);
    expect(length).toBe(0);
    for (const time of everyTime)
      expect(sampleMorph(result.clips[0]!.morphs[0]!, time)).toBe(sampleMorph(clip.morphs[0]!, time));
    expect(result.report.warnings).toEqual([]);
  });

  it('nothing of a result is shared with the source, whichever core made it', () => {
    const plain = tinyHuman({ axes: random });
    const rich: Clip = {
      ...randomClip(createRandom(4), plain, { travels: hipsOf(plain) }),
      morphs: clip.morphs,
      gaze: { interpolation: 'linear', times: Float32Array.of(0), values: Float32Array.of(0, 0, 0, 1) },
    };
    const before = structuredClone(rich);
    const cores = [plain, tinyHuman({ axes: random, arms: 0.7 }), tinyHuman({ spines: 2 })].map((target) => {
      const to = { ...sceneOf(target, [], morphs), name: 'other' };
      const { clips, report } = retargetPlainly(sceneOf(plain, [rich], morphs), to);
      const { tracks, morphs: faces, gaze } = clips[0]!;
      expect(faces).toHaveLength(1);
      for (const { times, values } of [...tracks, ...faces, gaze!]) {
        times.fill(-7);
        values.fill(-7);
      }
      expect(rich).toEqual(before);
      return report.clips[0]!.way;
    });
    expect(cores).toEqual(['copy', 'keys', 'products']);
  });

  it('X4(ii): baked onto the same skeleton every mapped joint is within 1e-5 rad at the frames', () => {
    const calm = randomClip(createRandom(4), human, { travels: hipsOf(human), keys: 12 });
    for (const options of [{ keys: 'bake' }, { frameRate: 50 }] as ClipOptions[]) {
      const { clip: moved, way } = retargetClip(setUp(human, human), calm, options);
      expect(way).toBe('frames');
      // Joint 0 carries the hips, whose travel is moved as a whole; the hips' place in the world is the same.
      const own = { ...calm, tracks: calm.tracks.filter(({ joint }) => joint !== 0) };
      const { clip: again } = retargetClip(setUp(human, human), own, options);
      const frames = [...moved.tracks.find(({ times }) => times.length > 2)!.times];
      const { angle, length } = worstDifference(human, own, again, frames);
      expect(angle).toBeLessThan(1e-5);
      expect(length).toBeLessThan(1e-5);
      for (const time of frames)
        for (let joint = 1; joint < human.names.length; joint++)
          expect(
            distance(placeAt(modelAt(human, calm, time), joint), placeAt(modelAt(human, moved, time), joint)),
          ).toBeLessThan(1e-4);
    }
  });

  it('X4(iv): there and back is within 0.01 degrees on one-to-one maps', () => {
    const other = tinyHuman({ axes: random, root: true, armsDown: 50 * DEGREES, legs: 0.5, arms: 0.8 });
    const dance = randomClip(createRandom(5), human, {
      travels: hipsOf(human),
      joints: human.names.map((_, i) => i).slice(1),
    });
    const there = retargetClip(setUp(human, other), dance);
    const back = retargetClip(setUp(other, human), there.clip);
    expect([there.way, back.way]).toEqual(['keys', 'keys']);
    const { angle, length } = worstDifference(human, dance, back.clip, everyTime);
    expect(angle).toBeLessThan(0.01 * DEGREES);
    expect(length).toBeLessThan(1e-4);
  });

  it('a map of the user’s that names one arm moves that arm alone, even onto the same skeleton', () => {
    const map = {
      version: 1 as const,
      joints: ['leftUpperArm', 'leftLowerArm'].map((name) => ({ target: name, sources: [name], role: name })),
    };
    const result = retargetPlainly(sceneOf(human, [clip]), sceneOf(human), { map, measure: false });
    expect(
      [
        ...new Set(
          result.clips[0]!.tracks.filter(({ channel }) => channel === 'rotation').map(
            ({ joint }) => human.names[joint],
          ),
        ),
      ].sort(),
    ).toEqual(['leftLowerArm', 'leftUpperArm']);
  });
});

describe('order and roots (S10, SP2)', () => {
  it('S10, SP2: joints in any order and several roots give the same motion', () => {
    const source = tinyHuman();
    const joints: JointDescription[] = source.names.map((name, i) => ({
      name,
      parent: source.parents[i]!,
      translation: source.rest.translations.slice(3 * i, 3 * i + 3),
    }));
    // A prop of its own root, and children before their parents.
    joints.push({ name: 'prop', parent: -1, translation: [1, 1, 1] });
    const reversed = joints
      .map((joint) => ({ ...joint, parent: joint.parent < 0 ? -1 : joints.length - 1 - joint.parent }))
      .reverse();
    const { skeleton: target, order } = createSkeleton('reversed', reversed, { declared: source.declared });
    target.parents.forEach((parent, joint) => {
      expect(parent).toBeLessThan(joint);
    });
    target.metadataRoles = Object.fromEntries(
      Object.entries(source.metadataRoles!).map(([role, joint]) => [role, order[joints.length - 1 - joint]!]),
    );
    const clip = randomClip(createRandom(6), source, { travels: hipsOf(source) });
    const { clip: moved } = retargetClip(setUp(source, target), clip);
    for (const time of everyTime)
      for (const name of source.names) {
        const [a, b] = [modelAt(source, clip, time), modelAt(target, moved, time)];
        expect(
          distance(placeAt(a, source.names.indexOf(name)), placeAt(b, target.names.indexOf(name))),
        ).toBeLessThan(1e-5);
      }
  });
});

describe('the source is left alone (W12, W13)', () => {
  const source = tinyHuman({ axes: createRandom(7), spines: 5 });
  const target = tinyHuman({ armsDown: 1, root: true });
  const clip = richClip(source, 8);

  it('W12: neither scene is modified, whichever core runs and whatever is done to the result', () => {
    const scenes = [
      sceneOf(source, [clip]),
      sceneOf(target, [], [{ mesh: 'face', names: ['smile'] }]),
    ] as const;
    const before = structuredClone(scenes);
    for (const options of [
      {},
      { keys: 'bake' },
      { rootMotion: 'extract' },
      { range: [0.2, 1.1], speed: 2 },
    ] as const) {
      const { clips } = retargetPlainly(scenes[0], scenes[1], options);
      for (const track of clips[0]!.tracks) track.values.fill(0.5);
      expect(scenes).toEqual(before);
    }
    const self = retargetPlainly(scenes[0], scenes[0]);
    self.clips[0]!.tracks.pop();
    expect(scenes).toEqual(before);
  });

  it('W13: what was played before does not matter: the same clip gives the same result again', () => {
    const setup = setUp(source, target);
    const first = retargetClip(setup, clip, { keys: 'bake' });
    retargetClip(setup, richClip(source, 99), { keys: 'bake' });
    expect(retargetClip(setup, clip, { keys: 'bake' })).toEqual(first);
  });
});

describe('several humanoids in one file (WP7)', () => {
  it('WP7: each of them gives and takes motion as from a file of its own, by name or number', () => {
    const [a, b] = [tinyHuman({ axes: createRandom(3) }), tinyHuman({ arms: 0.7, legs: 0.5 })];
    a.name = 'first';
    b.name = 'second';
    const clips = [richClip(a, 4), richClip(b, 5)] as const;
    const both = {
      ...sceneOf(a),
      characters: [
        { skeleton: a, clips: [clips[0]] },
        { skeleton: b, clips: [clips[1]] },
      ],
    };
    const other = tinyHuman({ armsDown: 1, root: true });
    for (const [n, skeleton] of [a, b].entries())
      for (const name of [String(n), skeleton.name]) {
        const given = retargetPlainly(both, sceneOf(other), { sourceSkeleton: name });
        expect(given.clips).toEqual(retargetPlainly(sceneOf(skeleton, [clips[n]!]), sceneOf(other)).clips);
        const onto = retargetPlainly(sceneOf(other, [richClip(other, 6)]), both, { targetSkeleton: name });
        const alone = retargetPlainly(sceneOf(other, [richClip(other, 6)]), sceneOf(skeleton));
        expect(onto.clips).toEqual(alone.clips);
        expect(onto.character).toBe(n);
      }
    const { notes } = retargetPlainly(both, sceneOf(other)).report;
    expect(notes.map(({ code }) => code)).toContain('several-skeletons');
  });
});

describe('limbs keep their lengths (WP6)', () => {
  it('WP6: translation tracks of limbs are left out with a note, and bones do not stretch', () => {
    const source = tinyHuman();
    const target = tinyHuman({ axes: createRandom(9), arms: 0.7 });
    const { clip: moved, warnings } = retargetClip(setUp(source, target), richClip(source, 10));
    const moves = moved.tracks.filter(({ channel }) => channel === 'translation');
    expect(moves.map(({ joint }) => joint)).toEqual([hipsOf(target)]);
    expect(warnings.map(({ code }) => code)).toEqual(['lengths-kept']);
    expect(warnings[0]!.message).toMatch('1 translation or scale channel was');
    const [a, b] = [jointOf(target, 'leftUpperArm'), jointOf(target, 'leftLowerArm')];
    for (const time of everyTime) {
      const model = modelAt(target, moved, time);
      expect(distance(placeAt(model, a), placeAt(model, b))).toBeCloseTo(0.35, 5);
    }
  });
});

/** One of each family: names, units, axes and rest poses differ. */
const REAL = [
  'cmu/02_01.bvh',
  '100avatars/100Avatars_003_Jimmy.vrm',
  'makehuman/',
  'quaternius/',
  'mesh2motion/',
  'kaykit/',
  'threejs/',
];

describe.skipIf(!existsSync(join(DATA_FOLDER, 'roles.json')))('real skeletons (needs ../shared/data)', () => {
  const labelled = existsSync(join(DATA_FOLDER, 'roles.json'))
    ? Object.entries(
        JSON.parse(readFileSync(join(DATA_FOLDER, 'roles.json'), 'utf8')) as Record<string, { kind: string }>,
      )
    : [];
  const files = REAL.flatMap((start) => {
    const found = labelled.find(
      ([file, { kind }]) =>
        file.startsWith(start) && kind === 'humanoid' && /\.(glb|gltf|vrm|bvh)$/.test(file),
    );
    return found ? [found[0]] : [];
  });
  const rigs = files.map((file) => createRig(readHierarchy(join(DATA_FOLDER, file))));

  it('is about several families', () => {
    expect(files.length).toBeGreaterThan(3);
  });

  for (const [a, from] of files.entries())
    for (const [b, to] of files.entries())
      it(`X4, M4: ${from} onto ${to} is true to 0.1 degrees, and both cores agree where both are exact`, () => {
        const [source, target] = [rigs[a]!, rigs[b]!];
        const setup = createPlainSetup(source, target, createRigMap(source, target).map);
        expect(setup.map.joints.length).toBeGreaterThan(10);
        const joints = Object.values(source.joints).sort((x, y) => x - y);
        const clip = randomClip(createRandom(7), source.skeleton, {
          joints,
          travels: source.joints.hips!,
          most: 0.5,
        });
        const moved = retargetClip(setup, clip, { keys: 'refine' });
        const { direction, rotation } = measureClip(setup, clip, moved.clip);
        expect(rotation.worst).toBeLessThan(0.1);
        expect(direction.worst).toBeLessThan(0.1);
        if (moved.way !== 'keys') return;
        const baked = retargetClip(setup, clip, { frameRate: 30 }).clip;
        const instants = Array.from({ length: 61 }, (_, n) => n / 30);
        expect(worstDifference(target.skeleton, moved.clip, baked, instants).angle).toBeLessThan(2e-5);
      });
});

describe('bodies without hips', () => {
  const dance = (skeleton: Skeleton, seed: number) =>
    randomClip(createRandom(seed), skeleton, { travels: 0, most: 0.4 });
  const lengthsKeep = (skeleton: Skeleton, moved: Clip) => {
    for (const time of everyTime) {
      const [now, rest] = [poseAt(skeleton, moved, time).translations, skeleton.rest.translations];
      for (let i = 3; i < rest.length; i++) expect(now[i]).toBeCloseTo(rest[i]!, 6);
    }
  };

  it('a body that is one chain travels with its first joint and is not torn apart', () => {
    const chain = (seed: number) =>
      randomSkeleton(createRandom(seed), 10, { parents: Array.from({ length: 10 }, (_, i) => i - 1) });
    const [source, target] = [chain(1), chain(2)];
    const map = mapOf(source.names.map((_, i) => [i, i] as const));
    const setup = createPlainSetup(plainRig(source), plainRig(target), map);
    expect(setup.travel).toEqual({ source: 0, target: 0 });
    lengthsKeep(target, retargetClip(setup, dance(source, 3)).clip);
  });

  it('a body that parts travels with the joint at which it does, many fingers or not', () => {
    // Root, pelvis, two legs of two, a spine with twenty joints above it, and a prop on the root.
    const parents = [
      -1,
      0,
      1,
      2,
      1,
      4,
      1,
      ...Array.from({ length: 20 }, (_, n) => (n < 10 ? 6 : 7 + n - 10)),
      0,
    ];
    const skeleton = randomSkeleton(createRandom(4), parents.length, { parents });
    const map = mapOf(parents.map((_, i) => [i, i] as const));
    expect(createPlainSetup(plainRig(skeleton), plainRig(skeleton), map).travel).toEqual({
      source: 1,
      target: 1,
    });
    const legged = mapOf(parents.map((_, i) => [i, i] as const).filter(([i]) => i < 12));
    expect(createPlainSetup(plainRig(skeleton), plainRig(skeleton), legged).travel).toEqual({
      source: 1,
      target: 1,
    });
  });
});

describe('which core runs', () => {
  const source = tinyHuman({ spines: 3 });
  const same = tinyHuman({ spines: 3, arms: 0.7 });
  const fewer = tinyHuman({ spines: 1 });
  const clip = randomClip(createRandom(11), source, { travels: hipsOf(source), interpolation: 'cubic' });

  it('keys where that is exact, frames elsewhere, and the report says why', () => {
    expect(retargetClip(setUp(source, same), clip)).toMatchObject({ way: 'keys', reason: '', frames: 9 });
    const baked = retargetClip(setUp(source, fewer), clip);
    expect(baked.way).toBe('products');
    expect(baked.reason).toMatch(/takes over the turns of 3 joints/);
    expect(baked.refusals.map(({ way }) => way)).toEqual(['copy', 'keys']);
    expect(retargetClip(setUp(source, same), clip, { keys: 'bake' })).toMatchObject({
      way: 'frames',
      reason: 'a bake was asked for',
    });
    expect(retargetClip(setUp(source, same), clip, { frameRate: 10 }).frames).toBe(21);
  });

  it('to insist on keys where they cannot be exact is a wrong use, said clearly', () => {
    expect(() => retargetClip(setUp(source, fewer), clip, { keys: 'keep' })).toThrow(UsageError);
    expect(() => retargetClip(setUp(source, fewer), clip, { keys: 'keep' })).toThrow(
      /keys of "clip" cannot be kept exactly: "spine" takes over/,
    );
    expect(() => retargetClip(setUp(source, same), clip, { keys: 'keep', frameRate: 30 })).toThrow(
      UsageError,
    );
    expect(retargetClip(setUp(source, same), clip, { keys: 'keep' }).way).toBe('keys');
    const inPlace = setUp(source, same, { rootMotion: 'inPlace' });
    expect(() => retargetClip(inPlace, clip, { keys: 'keep' })).toThrow(
      /root motion is taken out frame by frame/,
    );
  });

  it('a clip is taken over whole only where nothing was asked for that changes it', () => {
    const setup = setUp(source, source);
    const wayOf = (changed: Setup, options: ClipOptions = {}) => retargetClip(changed, clip, options).way;
    expect(wayOf(setup)).toBe('copy');
    expect(wayOf(setup, { keys: 'bake' })).toBe('frames');
    expect(wayOf(setup, { passes: ['copyRotations'] })).toBe('keys');
    expect(wayOf(setUp(source, source, { rootMotion: 'inPlace' }))).toBe('frames');
    expect(wayOf({ ...setup, rootScales: { ...setup.rootScales, horizontal: 2 } })).toBe('keys');
    expect(wayOf(setUp(source, tinyHuman({ spines: 3, legs: 0.8501 })))).toBe('keys');
    const bent = { ...setup.target, reference: { ...setup.target.reference, pose: copyPose(source.rest) } };
    bent.reference.pose.rotations.set(turn([1, 0, 0], 0.1), 4 * jointOf(source, 'head'));
    expect(wayOf({ ...setup, target: bent })).not.toBe('copy');
  });

  it('only the passes asked for run', () => {
    const setup = setUp(source, same);
    const channels = (passes: ClipOptions['passes']) =>
      new Set(retargetClip(setup, clip, { passes: passes! }).clip.tracks.map(({ channel }) => channel));
    expect([...channels(['copyRotations'])]).toEqual(['rotation']);
    expect([...channels(['moveRoot'])]).toEqual(['translation']);
    expect(channels(PASS_NAMES).size).toBe(2);
  });
});

describe('references that are not the rest', () => {
  // The target rests with its arms down; the source's reference is a T-pose.
  const source = tinyHuman();
  const target = tinyHuman({ armsDown: 60 * DEGREES });
  const setup = setUp(source, target);
  const arm = jointOf(target, 'leftUpperArm');
  const still = clipOf([
    rotationTrack(jointOf(source, 'head'), [0, 1], [[0, 0, 0, 1], turn([0, 1, 0], 0.5)]),
  ]);

  it('a driven joint stands where its driver does, and not where it rests', () => {
    const { clip } = retargetClip(setup, still, { wholeBody: true });
    const track = clip.tracks.find(({ joint }) => joint === arm)!;
    expect(angleBetween(quatAt(track.values, 0), quatAt(setup.alignment.pose.rotations, arm))).toBeLessThan(
      1e-6,
    );
    // Two keys hold it over the whole clip.
    expect([...track.times]).toEqual([0, 1]);
  });

  it('a joint that nothing drives holds the aligned reference', () => {
    const map = { ...setup.map, joints: setup.map.joints.filter(({ target: joint }) => joint !== arm) };
    for (const options of [{}, { keys: 'bake' }] as ClipOptions[]) {
      const { clip } = retargetClip({ ...setup, map }, still, { ...options, wholeBody: true });
      expect(
        angleBetween(
          quatAt(poseAt(target, clip, 0.5).rotations, arm),
          quatAt(setup.alignment.pose.rotations, arm),
        ),
      ).toBeLessThan(1e-5);
    }
  });

  it('a joint that is driven to its very rest stays there, though its reference is another', () => {
    const down = clipOf([
      ...still.tracks,
      rotationTrack(
        jointOf(source, 'leftUpperArm'),
        [0, 1],
        [turn([0, 0, 1], -60 * DEGREES), turn([0, 0, 1], -60 * DEGREES)],
      ),
    ]);
    for (const options of [{}, { keys: 'bake' }] as ClipOptions[]) {
      const { clip } = retargetClip(setup, down, options);
      const pose = poseAt(target, clip, 0.5).rotations;
      expect(angleBetween(quatAt(pose, arm), quatAt(target.rest.rotations, arm))).toBeLessThan(1e-5);
    }
  });

  it('tracks that never leave the rest are left out', () => {
    const same = setUp(source, tinyHuman({ arms: 0.7 }));
    const joints = retargetClip(same, still).clip.tracks.map(({ joint }) => joint);
    expect(joints).toEqual([jointOf(source, 'head')]);
  });
});

describe('morphs (B4)', () => {
  const human = tinyHuman();
  const track = (mesh: string, morph: string): MorphTrack => ({
    mesh,
    morph,
    interpolation: 'linear',
    times: Float32Array.of(0, 1),
    values: Float32Array.of(0, 1),
  });
  const clip: Clip = {
    ...randomClip(createRandom(13), human),
    morphs: [track('Head', 'smile'), track('Head', 'blink'), track('Head', 'frown'), track('Head', 'jaw')],
  };

  it('B4: by mesh and name, else by name alone, else left out with a warning', () => {
    const target = {
      ...sceneOf(
        tinyHuman({ arms: 0.6 }),
        [],
        [
          { mesh: 'Head', names: ['smile'] },
          { mesh: 'Lids', names: ['blink', 'smile'] },
          { mesh: 'A', names: ['frown'] },
          { mesh: 'B', names: ['frown'] },
        ],
      ),
      name: 'other',
    };
    const { clips, report } = retargetPlainly(sceneOf(human, [clip]), target);
    expect(clips[0]!.morphs.map(({ mesh, morph }) => `${mesh} ${morph}`)).toEqual([
      'Head smile',
      'Lids blink',
      'A frown',
      'B frown',
    ]);
    const warning = report.warnings.find(({ code }) => code === 'morph-dropped')!;
    expect(warning.message).toBe('"clip": 1 morph track has no counterpart on "other": "jaw"');
  });

  it('a map that names nothing says so once, however many clips there are, and one is heeded onto the same body', () => {
    const scene = sceneOf(human, [clip, { ...clip, name: 'again' }], [{ mesh: 'Head', names: ['smile'] }]);
    const { clips, report } = retargetPlainly(scene, scene, { morphs: { smlie: 'smile', smile: '' } });
    const ignored = report.warnings.filter(({ code }) => code === 'map-entry-ignored');
    expect(ignored.map(({ message }) => message)).toEqual([
      'the map names morph "smlie", which "human" does not have; the entry was left out',
    ]);
    expect(report.clips[0]!.way).toBe('copy');
    expect(clips[0]!.morphs).toEqual([]);
  });

  it('a map of joints that drives nobody is said by the name that is not there', () => {
    const scene = sceneOf(human, [clip]);
    const drive = (joints: RigMapDocument['joints']) => () =>
      retargetPlainly(scene, scene, { map: { version: 1, ...(joints && { joints }) } });
    expect(drive([{ target: 'nobody', sources: ['Hips'] }])).toThrow(
      /^the map drives no joint of "human": the map names "nobody", but/,
    );
    expect(drive([])).toThrow('the map drives no joint of "human", since it holds no entries');
  });
});

describe('bad clips', () => {
  const source = tinyHuman();
  const target = tinyHuman({ arms: 0.7, spines: 2 });
  const twin = tinyHuman({ arms: 0.7 });
  const arm = jointOf(source, 'leftUpperArm');
  const finite = (clip: Clip) =>
    clip.tracks.every(({ times, values }) => times.every(Number.isFinite) && values.every(Number.isFinite));
  const all = [target, twin, source] as const;

  it('empty clips, clips of one key and of no length', () => {
    const empty: Clip = { name: 'empty', duration: 0, tracks: [], morphs: [] };
    const one = clipOf([rotationTrack(arm, [0], [turn([0, 0, 1], 1)])]);
    const late = { ...one, duration: 3 };
    for (const to of all)
      for (const options of [{}, { keys: 'bake' }, { frameRate: 30 }] as ClipOptions[]) {
        const nothing = retargetClip(setUp(source, to), empty, options);
        expect(nothing.clip.duration).toBe(0);
        expect(finite(nothing.clip)).toBe(true);
        if (to !== source || options.keys || options.frameRate)
          expect(nothing.warnings.map(({ code }) => code)).toContain('clip-empty');
        for (const clip of [one, late]) {
          const { clip: moved, warnings } = retargetClip(setUp(source, to), clip, options);
          expect(warnings).toEqual([]);
          const at = poseAt(to, moved, clip.duration).rotations;
          expect(angleBetween(quatAt(at, jointOf(to, 'leftUpperArm')), turn([0, 0, 1], 1))).toBeLessThan(
            1e-5,
          );
        }
      }
  });

  it('no NaN leaves: broken keys are left out with a warning, whichever core runs', () => {
    const clip = randomClip(createRandom(14), source, { travels: hipsOf(source), keys: 12 });
    const broken: Clip = {
      ...clip,
      tracks: clip.tracks.map((track) => ({
        ...track,
        values: track.values.slice(),
        times: track.times.slice(),
      })),
    };
    broken.tracks.forEach((track, n) => {
      track.values[(n * 7) % track.values.length] = [
        Number.NaN,
        Number.POSITIVE_INFINITY,
        Number.NEGATIVE_INFINITY,
      ][n % 3]!;
    });
    broken.tracks[3]!.times[2] = Number.NaN;
    for (const to of all)
      for (const options of [{}, { keys: 'bake' }, { frameRate: 24 }] as ClipOptions[]) {
        const { clip: moved, warnings } = retargetClip(setUp(source, to), broken, options);
        expect(finite(moved)).toBe(true);
        expect(warnings.map(({ code }) => code)).toContain('value-not-finite');
      }
    const { report } = retargetPlainly(sceneOf(source, [broken]), sceneOf(target));
    expect(Number.isFinite(report.measures[0]!.rotation.worst)).toBe(true);
    expect(report.measures[0]!.rotation.worst).toBeLessThan(0.1);
  });

  it('a length that no machine holds is refused in one sentence that names the clip', () => {
    const clip = clipOf(
      [rotationTrack(arm, [0, 1, 1e30], [turn([0, 0, 1], 1), turn([0, 0, 1], 0.5), turn([0, 0, 1], 1)])],
      'eternal',
    );
    for (const options of [{ keys: 'bake' }, { frameRate: 30 }] as ClipOptions[]) {
      expect(() => retargetClip(setUp(source, target), clip, options)).toThrow(RetargetError);
      expect(() => retargetClip(setUp(source, target), clip, options)).toThrow(
        /^clip "eternal" of 1e\+30 s would take more than 1000000 frames/,
      );
    }
    // Key by key there is nothing to allocate.
    expect(retargetClip(setUp(source, twin), clip).way).toBe('keys');
    // A loop whose feet and hands would be held, too.
    const held = { keys: 'bake', corrections: 'auto', measure: false } as const;
    expect(() => retarget(sceneOf(source, [clip]), sceneOf(target), held)).toThrow(
      /^clip "eternal" of 1e\+30 s/,
    );
    const unending = { ...clip, duration: Number.POSITIVE_INFINITY };
    unending.tracks = [rotationTrack(arm, [0, 1], [turn([0, 0, 1], 1), turn([0, 0, 1], 0.5)])];
    const repaired = retargetClip(setUp(source, target), unending);
    expect(repaired.clip.duration).toBe(1);
    expect(repaired.warnings.map(({ code }) => code)).toEqual(['value-not-finite']);
  });

  it('times in no order, equal times, too few values: an answer, and no hang', () => {
    const quats = [0.1, 0.5, 0.9, 0.2].map((angle): Quat => turn([0, 0, 1], angle));
    for (const keys of [
      [0.5, 0, 1, 0.2],
      [0, 0, 0, 0],
      [3, 2, 1, 0],
    ])
      for (const to of all) {
        const clip = { ...clipOf([rotationTrack(arm, keys, quats)]), duration: 1 };
        expect(finite(retargetClip(setUp(source, to), clip, { keys: 'bake' }).clip)).toBe(true);
        const short = { ...clip, tracks: [rotationTrack(arm, keys, quats.slice(0, 2))] };
        expect(finite(retargetClip(setUp(source, to), short).clip)).toBe(true);
      }
  });

  it('keys for joints that nothing is mapped to are an empty clip', () => {
    const tailed = skeletonOf([
      { name: 'a', parent: -1 },
      { name: 'tail', parent: 0 },
    ]);
    const setup = createPlainSetup(plainRig(tailed), plainRig(tailed), mapOf([[0, 0, 'hips']]));
    const clip = clipOf([rotationTrack(1, [0, 1], [turn([0, 0, 1], 1), turn([0, 0, 1], 0.5)])]);
    expect(retargetClip(setup, clip, { keys: 'bake' }).warnings.map(({ code }) => code)).toEqual([
      'clip-empty',
    ]);
  });

  it('every warning given here is in the closed union', () => {
    const { warnings } = retargetClip(setUp(source, target), richClip(source, 15));
    for (const { code } of warnings) expect({ ...NOTE_MEANINGS, ...WARNING_MEANINGS }).toHaveProperty(code);
  });
});

describe('anything goes in', () => {
  it('R11: random rigs, maps and clips never give NaN', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1e6 }),
        fc.integer({ min: 1, max: 8 }),
        fc.integer({ min: 1, max: 8 }),
        fc.constantFrom('keep' as const, 'extract' as const, 'inPlace' as const),
        fc.constantFrom<ClipOptions>({}, { keys: 'bake' }, { frameRate: 20 }),
        (seed, from, to, rootMotion, options) => {
          const random = createRandom(seed);
          const [source, target] = [from, to].map((count, n) => {
            const skeleton = randomSkeleton(random, count, {
              prefix: n === 0 ? 's' : 't',
              scales: true,
              mirrors: true,
            });
            // Coincident joints and flattened nodes happen.
            if (random() < 0.3) skeleton.rest.translations.fill(0, 0, 3 * Math.ceil(random() * count));
            if (random() < 0.2) skeleton.rest.scales.fill(0, 3 * Math.floor(random() * count), 3 * count);
            return skeleton;
          }) as [Skeleton, Skeleton];
          const roles = [
            'hips',
            'spine',
            'head',
            'leftUpperArm',
            'leftLowerArm',
            'leftUpperLeg',
            'leftLowerLeg',
            'leftFoot',
          ] as const;
          const pairs = target.names.flatMap((_, joint) =>
            random() < 0.7
              ? [[Math.floor(random() * from), joint, random() < 0.6 ? roles[joint] : undefined] as const]
              : [],
          );
          const map = mapOf(pairs);
          for (const pair of map.joints)
            if (random() < 0.2) pair.share = { from: Math.floor(random() * from), weight: random() };
          const setup = createPlainSetup(plainRig(source), plainRig(target), map, { rootMotion });
          const clip = randomClip(random, source, {
            interpolation: (['step', 'linear', 'cubic'] as const)[seed % 3]!,
            travels: Math.floor(random() * from),
            most: Math.PI,
            keys: 1 + (seed % 6),
            duration: seed % 7 === 0 ? 0 : 1,
          });
          const { clip: moved } = retargetClip(setup, clip, options);
          for (const { values, times } of moved.tracks) {
            expect(values.every(Number.isFinite)).toBe(true);
            expect(times.every(Number.isFinite)).toBe(true);
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  it('R11: random humans through the front door', () => {
    for (let seed = 1; seed < 12; seed++) {
      const random = createRandom(seed);
      const human = (name: string) =>
        tinyHuman({
          name,
          axes: random,
          armsDown: random(),
          legs: 0.2 + random(),
          arms: 0.2 + random(),
          spines: 1 + Math.floor(5 * random()),
          root: random() < 0.5,
        });
      const [a, b] = [human('a'), human('b')];
      const clip = randomClip(random, a, { travels: hipsOf(a), most: 2 });
      const { clips, report } = retargetPlainly(sceneOf(a, [clip]), sceneOf(b), { keys: 'refine' });
      for (const { values } of clips[0]!.tracks) expect(values.every(Number.isFinite)).toBe(true);
      expect(report.measures[0]!.rotation.worst).toBeLessThan(0.1);
      expect(report.measures[0]!.direction.worst).toBeLessThan(0.1);
    }
  });

  it('scenes without a skeleton, without clips, without a clip of that name say so', () => {
    const human = tinyHuman();
    const clip = randomClip(createRandom(1), human);
    const [full, bare] = [sceneOf(human, [clip]), sceneOf(human)];
    const nobody = { ...bare, characters: [] };
    expect(() => retargetPlainly(nobody, bare)).toThrow(RetargetError);
    expect(() => retargetPlainly(full, nobody)).toThrow(/has no skeleton/);
    expect(() => retargetPlainly(bare, full)).toThrow(/has 1: are the two files swapped\?/);
    expect(() => retargetPlainly(full, bare, { clips: ['run'] })).toThrow(
      /there is no clip "run"; there are "clip"/,
    );
    expect(() => retargetPlainly(full, bare, { range: [5, 6] })).toThrow(UsageError);
    const names = randomSkeleton(createRandom(3), 1, { prefix: 'qq' });
    expect(() => retargetPlainly(full, sceneOf(names))).toThrow(/could be matched/);
  });

  it('a signal stops the work and progress is told from 0 to the end', () => {
    const human = tinyHuman();
    const other = tinyHuman({ spines: 2 });
    const clips = [1, 2].map((seed) => ({ ...randomClip(createRandom(seed), human), name: `c${seed}` }));
    const seen: [number, number][] = [];
    retargetPlainly(sceneOf(human, clips), sceneOf(other), {
      onProgress: (done, total) => seen.push([done, total]),
    });
    expect(seen[0]).toEqual([0, 2]);
    expect(seen[seen.length - 1]).toEqual([2, 2]);
    const stopped = {
      throwIfAborted: () => {
        throw new Error('stopped');
      },
    };
    expect(() => retargetPlainly(sceneOf(human, clips), sceneOf(other), { signal: stopped })).toThrow(
      'stopped',
    );
  });

  it('speed and range reach the result', () => {
    const human = tinyHuman();
    const other = tinyHuman({ arms: 0.8 });
    const clip = randomClip(createRandom(5), human, { most: 0.5 });
    const { clips } = retargetPlainly(sceneOf(human, [clip]), sceneOf(other), {
      range: [0.5, 1.5],
      speed: 2,
    });
    expect(clips[0]!.duration).toBeCloseTo(0.5, 6);
    const head = jointOf(human, 'head');
    for (const t of [0, 0.2, 0.5])
      expect(
        angleBetween(
          quatAt(modelAt(other, clips[0]!, t).rotations, head),
          quatAt(modelAt(human, clip, 0.5 + 2 * t).rotations, head),
        ),
      ).toBeLessThan(1e-4);
  });
});
