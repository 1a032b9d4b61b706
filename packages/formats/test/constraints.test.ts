import { fileURLToPath } from 'node:url';
import {
  type Clip,
  type Constraint,
  convertConstraints,
  copyPose,
  createRetargeter,
  createRig,
  type Layer,
  modelPoseOf,
  optionsOfRecipe,
  poseAt,
  quaternionAngle,
  type RetargetOptions,
  type RetargetResult,
  type Role,
  readRecipe,
  recipeOf,
  retarget,
  retargetTogether,
  type Scene,
  sampleClip,
  setUpScenes,
  type Vec3,
} from '@stuntdouble/core/engine';
import { read } from '@stuntdouble/formats';
import { beforeAll, describe, expect, it } from 'vitest';

const samples = fileURLToPath(new URL('../../../samples/files/', import.meta.url));

let walk: Scene;
let goblin: Scene;
beforeAll(async () => {
  [walk, goblin] = await Promise.all([
    read(`${samples}motions/walk.glb`),
    read(`${samples}characters/goblin.glb`),
  ]);
});

const RATE = 30;
const BAKED: RetargetOptions = { keys: 'bake', frameRate: RATE, measure: false };

/** Where a body part is, in model space, at a time of a result. */
function placeOf({ scene, character, clips }: RetargetResult, role: Role, time: number): Vec3 {
  const { skeleton, joints } = createRig(scene.characters[character]!.skeleton);
  const pose = copyPose(skeleton.rest);
  sampleClip(pose, clips[0]!, time);
  const { matrices } = modelPoseOf(skeleton, pose);
  const m = 16 * joints[role]! + 12;
  return [matrices[m]!, matrices[m + 1]!, matrices[m + 2]!];
}

const distance = (a: Vec3, b: Vec3) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
const heightOf = ({ report }: RetargetResult) => report.target.space.height;

/** The values of all tracks at the frames of a span, exactly. */
function valuesIn({ tracks }: Clip, from: number, to: number): number[][] {
  return tracks.map(({ channel, joint, times, values }) => {
    const size = channel === 'rotation' ? 4 : 3;
    const kept = [joint];
    times.forEach((time, k) => {
      if (time >= from - 1e-6 && time <= to + 1e-6)
        for (let c = 0; c < size; c++) {
          // A turn and its negative are one.
          const sign = size === 4 && values[size * k + 3]! < 0 ? -1 : 1;
          kept.push(sign * values[size * k + c]!);
        }
    });
    return kept;
  });
}

/** Per joint the largest turn between two clips at a time. */
function turnBetween(a: RetargetResult, b: RetargetResult, time: number): number {
  const { skeleton } = a.scene.characters[a.character]!;
  const [one, other] = [copyPose(skeleton.rest), copyPose(skeleton.rest)];
  sampleClip(one, a.clips[0]!, time);
  sampleClip(other, b.clips[0]!, time);
  let most = 0;
  for (let i = 0; i < one.rotations.length; i += 4)
    most = Math.max(most, quaternionAngle(one.rotations, i, other.rotations, i));
  return most;
}

/** A point in front of where the hand is half way. */
function reachFor(plain: RetargetResult, part: Partial<Constraint> = {}): Constraint {
  const place = placeOf(plain, 'rightHand', 40 / RATE / 2);
  const height = heightOf(plain);
  return {
    name: 'reach',
    joint: 'rightHand',
    kind: 'point',
    goal: { place: [place[0], place[1] + 0.06 * height, place[2] + 0.05 * height] },
    ...part,
  };
}

describe('constraints through retarget', () => {
  it('M16 20/30/50/60: no bit differs up to 20 and from 60, and it is met from 30 to 50', async () => {
    const kick = await read(`${samples}motions/side-kick.glb`);
    const plain = retarget(kick, goblin, BAKED);
    expect(plain.clips[0]!.duration).toBeGreaterThan(60 / RATE);
    const constraint = reachFor(plain, {
      times: { in: { frame: 20 }, start: { frame: 30 }, end: { frame: 50 }, out: { frame: 60 } },
    });
    const rate = sourceRate(kick);
    const held = retarget(kick, goblin, { ...BAKED, frameRate: rate, constraints: [constraint] });
    const same = retarget(kick, goblin, { ...BAKED, frameRate: rate });
    const [early, late] = [20 / rate, 60 / rate];
    expect(valuesIn(held.clips[0]!, 0, early)).toEqual(valuesIn(same.clips[0]!, 0, early));
    expect(valuesIn(held.clips[0]!, late, 99)).toEqual(valuesIn(same.clips[0]!, late, 99));
    const goal = constraint.goal!.place!;
    const height = heightOf(held);
    for (let frame = 30; frame <= 50; frame++)
      expect(distance(placeOf(held, 'rightHand', frame / rate), goal)).toBeLessThan(1e-4 * height);
    expect(distance(placeOf(same, 'rightHand', 40 / rate), goal)).toBeGreaterThan(0.01 * height);
    const [result] = held.report.clips[0]!.constraints!;
    expect(result).toMatchObject({ index: 0, name: 'reach', state: 'met', frames: 21, missed: 0 });
  });

  it('M15 live what stands is held too: a hand that pulls takes no foot along, unless it may', () => {
    const reach: Constraint = {
      joint: 'rightHand',
      kind: 'point',
      goal: { place: [0, -0.35, 0.4] },
      space: 'copied',
      unit: 'height',
    };
    const feet = (hold: 'contacts' | 'none', constraints: Constraint[]) => {
      const { setup } = setUpScenes(walk, goblin, { corrections: 'auto', hold, constraints });
      const live = createRetargeter(setup);
      const { skeleton, joints } = setup.target;
      const clip = walk.characters[0]!.clips[0]!;
      // Standing still: both feet touch the ground throughout.
      for (let k = 0; k < 30; k++) live.update(poseAt(setup.source.skeleton, clip, 0), 1 / 60);
      const { matrices } = modelPoseOf(skeleton, live.pose);
      return (['leftFoot', 'rightFoot'] as const).map(
        (role) => Array.from(matrices.slice(16 * joints[role]! + 12, 16 * joints[role]! + 15)) as Vec3,
      );
    };
    const still = feet('none', [{ ...reach, muted: true }]);
    const moved = (now: Vec3[]) => Math.max(...now.map((place, n) => distance(place, still[n]!)));
    expect(moved(feet('contacts', [reach]))).toBeLessThan(0.2 * moved(feet('none', [reach])));
  });

  it('with nothing active no bit of the result differs, and muted ones keep keys', () => {
    const plain = retarget(walk, goblin, BAKED);
    const constraint = reachFor(plain, { times: { start: 90, end: 91 } });
    const idle = retarget(walk, goblin, { ...BAKED, constraints: [constraint] });
    expect(idle.clips).toEqual(plain.clips);
    const muted = retarget(walk, goblin, { measure: false, constraints: [{ ...constraint, muted: true }] });
    const layered = retarget(walk, goblin, {
      ...BAKED,
      layers: [{ weight: 0, hips: [{ time: 0, place: [0, 1, 0] }] }],
    });
    expect(muted.clips).toEqual(retarget(walk, goblin, { measure: false }).clips);
    expect(layered.clips).toEqual(plain.clips);
  });

  it('M15, MP6 live equals offline where both know the same, in any order of frames', () => {
    // Live, nobody knows which joints a clip has tracks for.
    const options: RetargetOptions = { corrections: 'none', wholeBody: true };
    const plain = retarget(walk, goblin, { ...BAKED, ...options });
    // A goal that is passed, not held against the walk: what makes a clip jerk is calmed with all of it in view, which
    // nobody has live.
    const constraints = [reachFor(plain, { times: { in: 0, start: 0.333, end: 0.334, out: 0.8 } })];
    const told = { ...options, constraints, hold: 'none' } as const;
    const offline = retarget(walk, goblin, { ...BAKED, ...told });
    const { setup, sourceIndex } = setUpScenes(walk, goblin, told);
    const clip = walk.characters[sourceIndex]!.clips[0]!;
    const live = createRetargeter(setup);
    const expected = copyPose(setup.target.skeleton.rest);
    for (const frame of [14, 3, 17, 8, 21, 13]) {
      live.reset();
      const time = Math.fround(frame / RATE);
      const pose = live.update(poseAt(setup.source.skeleton, clip, time), time);
      sampleClip(expected, offline.clips[0]!, time);
      for (let i = 0; i < pose.rotations.length; i += 4)
        expect(quaternionAngle(pose.rotations, i, expected.rotations, i)).toBeLessThan(5e-5);
    }
  });

  it('M15: what constraints change does not depend on the part of a clip that is moved', () => {
    const uncorrected: RetargetOptions = { ...BAKED, corrections: 'none' };
    const plain = retarget(walk, goblin, uncorrected);
    const constraints = [reachFor(plain, { times: { in: 0.2, start: 0.4, end: 0.6, out: 0.8 } })];
    const [whole, part] = [{}, { range: [0, 1.2] as const }].map(
      (options) => retarget(walk, goblin, { ...uncorrected, constraints, ...options }).clips[0]!,
    );
    expect(valuesIn(part!, 0, 1)).toEqual(valuesIn(whole!, 0, 1));
    expect(valuesIn(whole!, 0, 1)).not.toEqual(valuesIn(plain.clips[0]!, 0, 1));
  });

  it('range, speed and mirror take constraints along, as they do contacts', () => {
    const plain = retarget(walk, goblin, BAKED);
    const constraints = [reachFor(plain, { times: { in: 0.2, start: 0.5, end: 0.7, out: 0.9 } })];
    const goal = constraints[0]!.goal!.place!;
    const height = heightOf(plain);
    const part = retarget(walk, goblin, { ...BAKED, constraints, range: [0.1, 1], speed: 0.5 });
    expect(distance(placeOf(part, 'rightHand', 1), goal)).toBeLessThan(1e-4 * height);
    expect(part.report.clips[0]!.constraints![0]!.state).toBe('met');
    const mirrored = retarget(walk, goblin, { ...BAKED, constraints, mirror: true });
    expect(distance(placeOf(mirrored, 'leftHand', 0.6), [-goal[0], goal[1], goal[2]])).toBeLessThan(
      1e-4 * height,
    );
  });

  it('a recipe repeats them exactly, and errors name their path', () => {
    const plain = retarget(walk, goblin, BAKED);
    const layers: Layer[] = [{ joints: { head: [{ time: 0, degrees: [-12, 0, 0] }] } }];
    const options: RetargetOptions = { ...BAKED, constraints: [reachFor(plain)], layers, hold: 'none' };
    const { setup } = setUpScenes(walk, goblin, options);
    const saved = JSON.parse(JSON.stringify(recipeOf(setup, options)));
    const { recipe, warnings } = readRecipe(saved);
    expect(warnings).toEqual([]);
    expect(retarget(walk, goblin, optionsOfRecipe(recipe)).clips).toEqual(
      retarget(walk, goblin, options).clips,
    );
    const wrong = reachFor(plain, { times: { in: 0.5, start: 0.2 } });
    expect(() => retarget(walk, goblin, { constraints: [wrong] })).toThrow('constraints[0].times.start');
    expect(() => retarget(walk, goblin, { layers: [{ gain: 2 }] })).toThrow('layers[0].gain');
  });

  it('a joint, node or clip that is not there is told of, and the rest runs', () => {
    const plain = retarget(walk, goblin, BAKED);
    const good = reachFor(plain);
    const result = retarget(walk, goblin, {
      ...BAKED,
      constraints: [
        { ...good, joint: 'third hand' },
        { ...good, goal: { node: 'a glass' } },
        { ...good, clip: 'no such clip' },
        good,
      ],
      layers: [{ joints: { tail: [{ time: 0, degrees: [1, 0, 0] }] } }],
    });
    const codes = result.report.warnings.map(({ code }) => code);
    expect(codes.filter((code) => code === 'constraint-ignored')).toHaveLength(3);
    expect(codes).toContain('layer-joint-missing');
    expect(result.report.clips[0]!.constraints!.map(({ index, state }) => [index, state])).toEqual([
      [3, 'met'],
    ]);
  });

  it('goals follow a joint of the source, a node of the file, and what the caller places', () => {
    const constraint: Constraint = { joint: 'rightHand', kind: 'point' };
    const goals: Constraint['goal'][] = [
      { source: 'rightHand' },
      {
        node: goblin.characters[0]!.skeleton.names[createRig(goblin.characters[0]!.skeleton).joints.head!]!,
        offset: [0, 0, 0.3],
      },
      { character: 'a drone', joint: 'hook' },
    ];
    const states = goals.map((goal) => {
      const { report } = retarget(walk, goblin, {
        ...BAKED,
        constraints: [{ ...constraint, goal: goal! }],
        goalPlaces: {
          has: ({ type }) => type === 'character',
          place(out, i) {
            out.set([-0.2, 0.6, 0.3], i);
          },
        },
      });
      return report.clips[0]!.constraints!.map(({ frames }) => frames > 10);
    });
    expect(states).toEqual([[true], [true], [true]]);
  });

  it('what is taken out as root motion is taken out of goals, too', () => {
    const plain = retarget(walk, goblin, BAKED);
    const options: RetargetOptions = {
      ...BAKED,
      constraints: [reachFor(plain, { times: { in: 0.1, start: 0.3, end: 0.8, out: 1 } })],
    };
    const kept = retarget(walk, goblin, options);
    const taken = retarget(walk, goblin, { ...options, rootMotion: 'apart' });
    const { times, translations, rotations } = taken.rootMotion![0]!;
    times.forEach((time, k) => {
      if (time < 0.2 || time > 0.9) return;
      const [x, y, z] = placeOf(taken, 'rightHand', time);
      // Only about the vertical.
      const angle = 2 * Math.atan2(rotations[4 * k + 1]!, rotations[4 * k + 3]!);
      const back: Vec3 = [
        translations[3 * k]! + Math.cos(angle) * x + Math.sin(angle) * z,
        translations[3 * k + 1]! + y,
        translations[3 * k + 2]! - Math.sin(angle) * x + Math.cos(angle) * z,
      ];
      expect(distance(back, placeOf(kept, 'rightHand', time))).toBeLessThan(1e-4);
    });
  });

  it('a lock holds a hand where it was', () => {
    const plain = retarget(walk, goblin, BAKED);
    const lock: Constraint = {
      joint: 'leftHand',
      kind: 'lock',
      times: { in: 0.2, start: 0.4, end: 0.6, out: 0.9 },
    };
    const held = retarget(walk, goblin, { ...BAKED, constraints: [lock] });
    const place = placeOf(plain, 'leftHand', 0.4);
    for (const time of [12, 14, 16, 18].map((frame) => frame / RATE))
      expect(distance(placeOf(held, 'leftHand', time), place)).toBeLessThan(1e-3 * heightOf(plain));
  });
});

describe('layers through retarget', () => {
  it('M10 a layer before is respected by feet that hold, one after has the last word', () => {
    const plain = retarget(walk, goblin, BAKED);
    const layer: Layer = { hips: [{ time: 0, place: [0, -0.08, 0] }] };
    const before = retarget(walk, goblin, { ...BAKED, layers: [layer] });
    const after = retarget(walk, goblin, { ...BAKED, layers: [{ ...layer, when: 'after' }] });
    const drop = (result: RetargetResult, role: Role, time: number) =>
      placeOf(plain, role, time)[1] - placeOf(result, role, time)[1];
    const stands = plain.report.clips[0]!.contacts!.find(
      ({ point, start, end }) => point === 'leftHeel' && end - start > 0.2,
    )!;
    const time = (stands.start + stands.end) / 2;
    expect(drop(after, 'leftFoot', time)).toBeCloseTo(drop(after, 'hips', time), 4);
    expect(drop(after, 'hips', time)).toBeGreaterThan(0.01);
    expect(drop(before, 'hips', time)).toBeGreaterThan(0.01);
    expect(Math.abs(drop(before, 'leftFoot', time))).toBeLessThan(0.2 * drop(before, 'hips', time));
  });

  it('M11 a one-frame edit is spread: exact at its frame, and no bit outside its span', () => {
    const plain = retarget(walk, goblin, BAKED);
    const edit: Layer = {
      when: 'after',
      joints: {
        head: [
          { time: 0.4, degrees: [0, 0, 0], ease: 'smoother' },
          { time: 0.6, degrees: [0, 30, 0], ease: 'smoother' },
          { time: 0.8, degrees: [0, 0, 0] },
        ],
      },
    };
    const edited = retarget(walk, goblin, { ...BAKED, layers: [edit] });
    expect(turnBetween(plain, edited, 0.6)).toBeCloseTo(Math.PI / 6, 4);
    expect(valuesIn(edited.clips[0]!, 0, 0.4)).toEqual(valuesIn(plain.clips[0]!, 0, 0.4));
    expect(valuesIn(edited.clips[0]!, 0.8, 9)).toEqual(valuesIn(plain.clips[0]!, 0.8, 9));
  });
});

function sourceRate({ characters }: Scene): number {
  const { times } = characters[0]!.clips[0]!.tracks.reduce((a, b) =>
    b.times.length > a.times.length ? b : a,
  );
  return Math.round((times.length - 1) / (times[times.length - 1]! - times[0]!));
}

it('M11 a band of the motion is taken out, left alone or doubled, on some joints or on all', () => {
  const plain = retarget(walk, goblin, BAKED);
  const banded = (gain: number, part: object = {}) =>
    retarget(walk, goblin, { ...BAKED, layers: [{ band: [1.5, 30], gain, when: 'after', ...part }] });
  // How fast joints turn on average: what swings quickly is most of it.
  const speed = (result: RetargetResult) => {
    let sum = 0;
    for (let k = 1; k < 30; k++) sum += meanTurn(result, k / RATE, (k - 1) / RATE);
    return sum;
  };
  const meanTurn = (result: RetargetResult, a: number, b: number) => {
    const { skeleton } = result.scene.characters[result.character]!;
    const poses = [a, b].map((time) => {
      const pose = copyPose(skeleton.rest);
      sampleClip(pose, result.clips[0]!, time);
      return pose;
    });
    let sum = 0;
    for (let i = 0; i < 4 * skeleton.names.length; i += 4)
      sum += quaternionAngle(poses[0]!.rotations, i, poses[1]!.rotations, i);
    return sum;
  };
  expect(banded(1).clips).toEqual(plain.clips);
  const [out, twice] = [banded(0), banded(2)].map(speed);
  expect(out).toBeLessThan(0.9 * speed(plain));
  expect(twice).toBeGreaterThan(1.2 * speed(plain));
  const head = banded(0, { joints: { head: [] } });
  expect(turnBetween(head, plain, 0.4)).toBeGreaterThan(1e-4);
  expect(placeOf(head, 'leftFoot', 0.4)).toEqual(placeOf(plain, 'leftFoot', 0.4));
});

describe('retargetTogether', () => {
  it('two hands that follow each other meet in the middle of where they were', async () => {
    const [kick, girl] = await Promise.all([
      read(`${samples}motions/side-kick.glb`),
      read(`${samples}characters/vrm-girl.vrm`),
    ]);
    const times = { in: 0.2, start: 0.5, end: 0.8, out: 1.1 };
    const shake = (character: string): Constraint => ({
      joint: 'rightHand',
      kind: 'point',
      goal: { character, joint: 'rightHand' },
      times,
    });
    const options = (character: string): RetargetOptions => ({ ...BAKED, constraints: [shake(character)] });
    const results = retargetTogether([
      { name: 'goblin', source: kick, target: goblin, options: options('girl') },
      { name: 'girl', source: kick, target: girl, options: options('goblin') },
    ]);
    const plain = [goblin, girl].map((target) => retarget(kick, target, BAKED));
    for (const frame of [15, 18, 24]) {
      const time = frame / RATE;
      const [a, b] = results.map((result) => placeOf(result, 'rightHand', time)) as [Vec3, Vec3];
      const [c, d] = plain.map((result) => placeOf(result, 'rightHand', time)) as [Vec3, Vec3];
      expect(distance(c, d)).toBeGreaterThan(0.1);
      // One of them may be out of reach of the middle: then it is told.
      const met = results.every(({ report }) => report.clips[0]!.constraints![0]!.state === 'met');
      expect(met).toBe(true);
      expect(distance(a, b)).toBeLessThan(1e-3);
      expect(distance(a, [(c[0] + d[0]) / 2, (c[1] + d[1]) / 2, (c[2] + d[2]) / 2])).toBeLessThan(2e-3);
    }
  });

  it('goals follow nodes of a prop, clip by clip, and what lies between characters is stretched alike', async () => {
    const guy = await read(`${samples}characters/mixamo-guy.glb`);
    const follow: Constraint = {
      joint: 'rightHand',
      kind: 'point',
      goal: { character: 'pole', joint: 'rightHand' },
      times: { in: 0.1, start: 0.3, end: 0.6, out: 0.8 },
    };
    // Any file with a skeleton and clips is a prop; the walk's own body is one whose hand moves.
    const options = { ...BAKED, constraints: [follow] };
    const results = retargetTogether(
      [
        { name: 'one', source: walk, target: goblin, options },
        { name: 'two', source: walk, target: guy, options: BAKED },
      ],
      { pole: walk },
    );
    const [one, two] = results.map(({ report }) => report.rootScales.horizontal);
    expect(one).toBeCloseTo(two!, 9);
    expect(results[0]!.report.clips[0]!.constraints![0]!.frames).toBeGreaterThan(5);
    const prop = { ...retarget(walk, walk, { ...BAKED, corrections: 'none' }), character: 0 };
    const [result] = results[0]!.report.clips[0]!.constraints!;
    const awayAt = (time: number) =>
      distance(placeOf(results[0]!, 'rightHand', time), placeOf(prop, 'rightHand', time));
    // What is reported is how far the hand is from the prop's, and in the middle it is there.
    expect(awayAt(result!.worstTime!)).toBeCloseTo(result!.worst, 3);
    expect(awayAt(0.5)).toBeLessThan(1e-3);
    expect(() =>
      retargetTogether([{ name: 'one', source: walk, target: goblin, options }], { one: walk }),
    ).toThrow('parts[0].name: "one" is taken');
    const none = retargetTogether([{ name: 'one', source: walk, target: goblin, options }], {});
    expect(none[0]!.report.warnings.map(({ code }) => code)).toContain('constraint-ignored');
  });

  it('a name that is taken is refused, and a character that is not there is told of', () => {
    const part = { source: walk, target: goblin };
    expect(() => retargetTogether([part, part])).toThrow('parts[1].name');
    const constraints: Constraint[] = [
      { joint: 'rightHand', kind: 'point', goal: { character: 'nobody', joint: 'head' } },
    ];
    const ignoredFor = (goal: NonNullable<Constraint['goal']>) => {
      const options = { ...BAKED, constraints: [{ ...constraints[0]!, goal }] };
      const [{ report }] = retargetTogether(
        [
          { ...part, name: 'Anna', options },
          { ...part, name: 'Ben', options: BAKED },
        ],
        { sword: goblin },
      ) as [RetargetResult, RetargetResult];
      return report.warnings.flatMap(({ code, message }) => (code === 'constraint-ignored' ? [message] : []));
    };
    expect(ignoredFor({ character: 'nobody', joint: 'head' })).toEqual([
      'constraints[0]: there is no character or prop "nobody"; there are "Ben", "sword"',
    ]);
    expect(ignoredFor({ character: 'swrod', joint: 'head' })[0]).toContain('(did you mean "sword"?)');
    expect(ignoredFor({ character: 'Ben', joint: 'rightHnad' })).toEqual([
      'constraints[0]: "Ben" has no joint "rightHnad" (did you mean "rightHand"?)',
    ]);
    expect(ignoredFor({ source: 'leftHnad' })[0]).toMatch(
      /the source ".*" has no joint "leftHnad" \(did you/,
    );
  });
});

describe('times that are events', () => {
  it('M21, MP8: a hand is locked from where it is slowest, a foot from where it is found to begin to stand', async () => {
    const pick = await read(`${samples}motions/pick-up.glb`);
    const asked = (constraints: Constraint[]) => retarget(pick, goblin, { ...BAKED, constraints });
    const near = (time: number) => ({ event: 'still' as const, near: time });
    const { report } = asked([
      { kind: 'lock', joint: 'rightHand', times: { in: 0.9, start: near(1.2), end: 1.6, out: 1.9 } },
    ]);
    const [lock] = report.clips[0]!.constraints!;
    expect(lock!.state).toBe('met');
    expect(lock!.times.start).not.toBe(1.2);
    expect(Math.abs(lock!.times.start - 1.2)).toBeLessThan(0.25);
    // The ramp is as long as it was.
    expect(lock!.times.start - lock!.times.in).toBeCloseTo(0.3, 6);
    const foot = retarget(walk, goblin, {
      ...BAKED,
      constraints: [
        { kind: 'lock', joint: 'leftFoot', times: { start: { event: 'contact', near: 0.5, within: 1 } } },
        { kind: 'lock', joint: 'head', times: { start: { event: 'contact', near: 0.5 } } },
      ],
    });
    expect(foot.report.clips[0]!.constraints![0]!.times.start).not.toBe(0.5);
    expect(foot.report.warnings.map(({ code }) => code)).toContain('constraint-event-missing');
  });
});

it('M21: what constraints changed in a capture that begins with a pose for calibration comes back by keys', async () => {
  const scene = await read(`${samples}captures/walk-cmu.bvh`);
  // At 120 frames a second the pose ends between two frames of the bake that is compared.
  const quick = ({ tracks, duration, ...clip }: Clip): Clip => ({
    ...clip,
    duration: duration / 4,
    tracks: tracks.map((track) => ({ ...track, times: track.times.map((time) => time / 4) })),
  });
  const capture: Scene = {
    ...scene,
    characters: scene.characters.map((each) => ({ ...each, clips: each.clips.map(quick) })),
  };
  const constraints: Constraint[] = [
    {
      ...{
        kind: 'point',
        joint: 'rightHand',
        space: 'copied',
        unit: 'height',
        goal: { place: [0, 0.15, 0.15] },
      },
      times: { in: 0.05, start: 0.15, end: 0.2, out: 0.3 },
    },
  ];
  const options: RetargetOptions = { keys: 'bake', frameRate: 60, measure: false };
  const held = retarget(capture, goblin, { ...options, constraints });
  expect(held.report.clips[0]!.start).toBeGreaterThan(0);
  const layers = convertConstraints(capture, goblin, { ...options, constraints });
  const keyed = retarget(capture, goblin, { ...options, layers });
  const plain = retarget(capture, goblin, options);
  const height = heightOf(held);
  for (let k = 0; k < 60 * held.clips[0]!.duration; k++) {
    const [one, other, before] = [held, keyed, plain].map((result) => placeOf(result, 'rightHand', k / 60));
    expect(distance(one!, other!)).toBeLessThan(1.1e-3 * height);
    if (k === 10) expect(distance(one!, before!)).toBeGreaterThan(0.15 * height);
  }
});

describe('a clip that moves arms alone', () => {
  it('stands on its feet where a hand is drawn down, as in the reference', async () => {
    const clap = await read(`${samples}motions/clap.glb`);
    const [character] = clap.characters;
    const [clip] = character!.clips;
    const arms = /Shoulder|Arm|Hand/;
    const waving: Scene = {
      ...clap,
      characters: [
        {
          ...character!,
          clips: [
            {
              ...clip!,
              tracks: clip!.tracks.filter(({ joint }) => arms.test(character!.skeleton.names[joint]!)),
            },
          ],
        },
      ],
    };
    const low: Constraint = {
      kind: 'point',
      joint: 'rightHand',
      goal: { place: [-0.2, 0.3, 0.3] },
      times: { in: 0.2, start: 0.8, end: 1.2, out: 1.8 },
    };
    const moved = retarget(waving, goblin, { ...BAKED, constraints: [low] });
    const plain = retarget(waving, goblin, { ...BAKED });
    expect(moved.report.clips[0]!.constraints![0]!.state).toBe('met');
    expect(distance(placeOf(moved, 'hips', 1), placeOf(plain, 'hips', 1))).toBeGreaterThan(0.03);
    for (const foot of ['leftFoot', 'rightFoot'] as const)
      expect(distance(placeOf(moved, foot, 1), placeOf(moved, foot, 0))).toBeLessThan(0.005);
    // Nothing but arms is moved where nothing pulls.
    const { names } = plain.scene.characters[plain.character]!.skeleton;
    expect(
      plain.clips[0]!.tracks.map(({ joint }) => names[joint]!).filter((name) =>
        /foot|thigh|calf/i.test(name),
      ),
    ).toEqual([]);
  });
});
