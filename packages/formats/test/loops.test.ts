import { fileURLToPath } from 'node:url';
import {
  type Clip,
  type ComparedSide,
  type Contact,
  compareMotions,
  createRig,
  findLoopContacts,
  frameRateOf,
  goalsOf,
  measure,
  PASS_NAMES,
  PLANNED_CONTACTS,
  type PlanningGrid,
  planClip,
  planGoals,
  planLoopingGoals,
  poseAt,
  quaternionAngle,
  type RetargetOptions,
  recordGoals,
  retarget,
  retargetClip,
  type Scene,
  SOLE_POINTS,
  setUpScenes,
  withoutCorrections,
} from '@stuntdouble/core/engine';
import { read } from '@stuntdouble/formats';
import { describe, expect, it } from 'vitest';
import { DATA_FOLDER, hasData } from './data-files.js';

const samples = fileURLToPath(new URL('../../../samples/files/', import.meta.url));

function seamOf(source: Scene, target: Scene, options: RetargetOptions = {}) {
  const { report } = retarget(source, target, options);
  const { loopSeam, slide, agreement } = report.measures[0]!.motion;
  return { ...loopSeam!, slide: slide!.result.mean, agreement: agreement!.f1, clip: report.clips[0]! };
}

/** How high the lowest sole is over the floor, per instant, in % of the hip height. */
function lowestSoles({ tracks, places, hipHeight, floor, count }: ComparedSide): number[] {
  const { points } = tracks;
  return Array.from({ length: count }, (_, k) =>
    Math.min(
      ...points.map(({ name, standing }, n) =>
        SOLE_POINTS.includes(name)
          ? 100 * ((places[3 * (points.length * k + n) + 1]! - floor) / hipHeight - standing)
          : Number.POSITIVE_INFINITY,
      ),
    ),
  );
}

describe('loops', () => {
  it.each(['child.glb', 'goblin.glb'])(
    'a turn that takes no whole number of frames ends as it begins, on %s',
    async (body) => {
      const motion = await read(`${samples}motions/walk.glb`);
      const target = await read(`${samples}characters/${body}`);
      const [clip] = motion.characters[0]!.clips;
      const frames = Math.round(60 * clip!.duration) - 0.5;
      const { clips } = retarget(motion, target, {
        speed: (60 * clip!.duration) / frames,
        measure: false,
      });
      const { skeleton } = target.characters[0]!;
      const [first, last] = [0, clips[0]!.duration].map((time) => poseAt(skeleton, clips[0]!, time));
      const seam = Math.max(
        ...skeleton.names.map((_, joint) =>
          quaternionAngle(first!.rotations, 4 * joint, last!.rotations, 4 * joint),
        ),
      );
      expect((180 / Math.PI) * seam).toBeLessThan(0.1);
    },
  );

  it.each(['child.glb', 'goblin.glb'])(
    'a walk that goes on and loops does so on %s, feet held',
    async (body) => {
      const target = await read(`${samples}characters/${body}`);
      const { source, result, slide, clip } = seamOf(await read(`${samples}motions/walk.glb`), target);
      expect(clip.way).toBe('frames');
      expect(result).toBeLessThan(source + 0.01);
      expect(slide).toBeLessThan(1);
      // The foot that stands at the seam does so at both ends.
      const { contacts } = clip;
      const last = contacts!.filter(({ end }) => end > clip.duration - 0.01).map(({ point }) => point);
      const first = contacts!.filter(({ start }) => start < 0.01).map(({ point }) => point);
      expect(first).toEqual(last);
    },
  );

  it('contacts that are given back as they were found give the same loop', async () => {
    const [walk, body] = [
      await read(`${samples}motions/walk.glb`),
      await read(`${samples}characters/goblin.glb`),
    ];
    const found = retarget(walk, body, { measure: false });
    const { name, contacts } = found.report.clips[0]!;
    const { skeleton: asRead, clips: moves } = walk.characters[0]!;
    // As whoever looks at the file alone finds them.
    const alone = findLoopContacts(createRig(asRead, { clips: moves }), moves[0]!, PLANNED_CONTACTS);
    const when = (list: readonly Contact[]) => list.map(({ point, start, end }) => [point, start, end]);
    expect(when(alone)).toEqual(when(contacts!));
    const told = retarget(walk, body, { contacts: { [name]: contacts! } });
    const { loopSeam } = told.report.measures[0]!.motion;
    expect(loopSeam!.result).toBeLessThan(loopSeam!.source + 0.01);
    const { skeleton } = body.characters[0]!;
    const clips = [found.clips[0]!, told.clips[0]!];
    const angles: number[] = [];
    for (let time = 0; time <= clips[0]!.duration; time += 0.05) {
      const [a, b] = clips.map((clip) => poseAt(skeleton, clip, time).rotations);
      for (let i = 0; i < a!.length; i += 4) angles.push(quaternionAngle(a!, i, b!, i));
    }
    // Toes that swing bend a little otherwise, as contacts of the turns around are cut off elsewhere.
    expect(Math.max(...angles)).toBeLessThan(0.06);
    expect(angles.reduce((sum, angle) => sum + angle, 0) / angles.length).toBeLessThan(0.001);
  });

  it('a walk whose travel was taken out stands, in its measures, on the ground that its feet show', async () => {
    const [walk, body] = [
      await read(`${samples}motions/walk.glb`),
      await read(`${samples}characters/child.glb`),
    ];
    const { clips } = retarget(walk, body, { rootMotion: 'inPlace', measure: false });
    const result: Scene = { ...body, characters: [{ ...body.characters[0]!, clips }] };
    const { slide, agreement } = measure(walk, result).clips[0]!.motion;
    expect(agreement!.f1).toBeGreaterThan(0.98);
    expect(slide!.result.mean).toBeLessThan(6);
  });

  it('what does not loop, or changes over time, is planned as it is', async () => {
    const [jump, walk] = [
      await read(`${samples}motions/run-turn.glb`),
      await read(`${samples}motions/walk.glb`),
    ];
    const target = await read(`${samples}characters/child.glb`);
    const plans = (source: Scene, options: RetargetOptions) => {
      const { setup } = setUpScenes(source, target, options);
      const clip = source.characters[0]!.clips[0]!;
      const view = {
        ...setup,
        goals: goalsOf(setup)!,
        contacts: null,
        keepsSolved: false,
        frameRate: 60,
        record: (of: Clip, grid: PlanningGrid) =>
          recordGoals(setup, planClip(withoutCorrections(setup), of, PASS_NAMES), of, PASS_NAMES, grid, {
            laying: null,
          }),
      };
      return [
        planLoopingGoals(view, clip),
        planGoals({ ...view, grid: { rate: 60, pace: Math.min(1, frameRateOf(clip) / 60) } }, clip),
      ];
    };
    const curve = [
      { time: 0, value: 0 },
      { time: 1, value: 1 },
    ];
    for (const [looping, plain] of [
      plans(jump, {}),
      plans(walk, { limbScalings: { leftArm: { limbScale: curve } } }),
    ])
      expect(looping).toEqual(plain);
    const [looping, plain] = plans(walk, {});
    expect(looping).not.toEqual(plain);
  });

  it.skipIf(!hasData).each([
    ['Walk_Loop', 'goblin.glb'],
    ['Crouch_Fwd_Loop', 'goblin.glb'],
    ['Swim_Idle_Loop', 'unreal-mannequin.glb'],
  ])('%s on the spot on %s closes as the source does, needs ../shared/data', async (clip, body) => {
    const source = await read(`${DATA_FOLDER}mesh2motion/human-base-animations.DEF.glb`);
    const target = await read(`${samples}characters/${body}`);
    const options = { clips: [clip] };
    const looped = seamOf(source, target, options);
    expect(looped.result).toBeLessThan(looped.source + 0.02);
    const straight = seamOf(source, target, { ...options, corrections: 'none' });
    expect(looped.slide).toBeLessThan(straight.slide);
  });

  it.skipIf(!hasData).each([
    ['mesh2motion/human-base-animations.DEF.glb', 'Jog_Fwd_Loop', 'goblin.glb'],
    ['mesh2motion/human-base-animations.DEF.glb', 'Sprint_Loop', 'goblin.glb'],
    ['quaternius/Astronaut_FinnTheFrog-transformed.glb', 'Run', 'unreal-mannequin.glb'],
    ['quaternius/Astronaut_FinnTheFrog-transformed.glb', 'Walk', 'goblin.glb'],
  ])(
    'feet that never stand still tread on the floor as the source’s do: %s %s on %s, needs ../shared/data',
    async (file, name, body) => {
      const [source, target] = [
        await read(`${DATA_FOLDER}${file}`),
        await read(`${samples}characters/${body}`),
      ];
      const { setup, sourceIndex } = setUpScenes(source, target, {});
      const clip = source.characters[sourceIndex]!.clips.find((one) => one.name === name)!;
      const off = [setup, withoutCorrections(setup)].map((how) => {
        const result = retargetClip(how, clip, { mapIsTold: true }).clip;
        const { source: from, result: to } = compareMotions(setup, clip, result);
        const [a, b] = [lowestSoles(from), lowestSoles(to)];
        const low = a.flatMap((height, k) => (height < 4 ? [b[k]! - Math.max(0, height)] : []));
        return low.reduce((sum, value) => sum + value, 0) / low.length;
      });
      expect(Math.abs(off[1]!)).toBeGreaterThan(3);
      expect(Math.abs(off[0]!)).toBeLessThan(2.5);
      const { loopSeam } = retarget(source, target, { clips: [name] }).report.measures[0]!.motion;
      expect(loopSeam!.result).toBeLessThan(loopSeam!.source + 0.5);
    },
  );

  it.skipIf(!hasData)(
    'a slow push on the spot stands on ground that moves, needs ../shared/data',
    async () => {
      const source = await read(`${DATA_FOLDER}mesh2motion/human-base-animations.DEF.glb`);
      const target = await read(`${samples}characters/goblin.glb`);
      const { slide, agreement } = seamOf(source, target, { clips: ['Push_Loop'] });
      expect(slide).toBeLessThan(0.6);
      expect(agreement).toBeGreaterThan(0.95);
    },
  );
});
