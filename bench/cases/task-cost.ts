import {
  type Constraint,
  compileConstraints,
  copyPose,
  createConstraintStep,
  createRetargeter,
  type GoalPlaces,
  poseAt,
  type Role,
  setUpScenes,
} from '@stuntdouble/core/engine';
import { read } from '@stuntdouble/formats';
import { findQualityFile } from '../quality-files.js';
import { timeFrameFloor } from '../timing/floors.js';
import { processorClock } from '../timing/time-contenders.js';
import { BAKE } from '../timing/workload.js';
import { type ConstrainedMotion, prepareMotion, RATE } from './constraint-cases.js';

/*
 * What a frame costs by how many tasks there are, each from a cold start; and what live frames cost while a goal is dragged.
 *
 *   node --expose-gc bench/dist/cases/task-cost.js       prints the tables that bench/constraints.md has
 */

const TURNS = 12;

/** Joints that shall be a little way off, those of a hand or foot first; all twenty contradict each other. */
const JOINTS: readonly Role[] = [
  ...([
    'rightHand',
    'leftHand',
    'head',
    'leftFoot',
    'rightFoot',
    'leftLowerLeg',
    'rightLowerLeg',
    'chest',
  ] as const),
  ...(['rightLowerArm', 'leftLowerArm', 'leftToes', 'rightToes', 'leftUpperArm', 'rightUpperArm'] as const),
  ...(['leftUpperLeg', 'rightUpperLeg', 'neck', 'spine', 'leftShoulder', 'rightShoulder'] as const),
];

const tasks = (count: number): Constraint[] =>
  JOINTS.slice(0, count).map((joint, n) => ({
    kind: 'point',
    joint,
    space: 'copied',
    unit: 'height',
    goal: { place: [0.01, n < 8 ? -0.02 : 0.03, 0.02] },
  }));

/** Microseconds of the processor and steps of the solver for a frame. */
function timeTasks({ body, frames, stands, duration }: ConstrainedMotion, count: number): [number, number] {
  const data = compileConstraints(body, tasks(count), { duration, frameRate: RATE, stands });
  const step = createConstraintStep(data);
  let least = Number.POSITIVE_INFINITY;
  let steps = 0;
  for (let turn = 0; turn < TURNS; turn++) {
    const poses = frames.map(copyPose);
    steps = 0;
    const began = processorClock();
    poses.forEach((pose, k) => {
      step(pose, k / RATE);
      steps += step.steps() / frames.length;
    });
    least = Math.min(least, (1000 * (processorClock() - began)) / frames.length);
  }
  return [least, steps];
}

/** Microseconds for a live frame, all passes, without a goal and while one is dragged to and fro. */
async function timeDrag(): Promise<[number, number]> {
  const source = await read(findQualityFile('samples/motions/walk.glb')!);
  const target = await read(findQualityFile('samples/characters/mixamo-guy.glb')!);
  let frame = 0;
  const hand: GoalPlaces = {
    has: ({ type }) => type === 'character',
    place(out, i) {
      out.set([-0.3 + 0.2 * Math.sin(frame / 9), 1.2 + 0.2 * Math.sin(frame / 7), 0.4], i);
    },
  };
  const constraints: Constraint[] = [
    { kind: 'point', joint: 'rightHand', goal: { character: 'mouse', joint: 'pointer' } },
  ];
  const found: number[] = [];
  for (const options of [{}, { constraints, goalPlaces: hand }]) {
    const { setup, sourceIndex } = setUpScenes(source, target, { corrections: 'auto', ...options });
    const live = createRetargeter(setup);
    const clip = source.characters[sourceIndex]!.clips[0]!;
    const poses = Array.from({ length: 120 }, (_, k) => poseAt(setup.source.skeleton, clip, k / RATE));
    let least = Number.POSITIVE_INFINITY;
    for (let turn = 0; turn < TURNS; turn++) {
      const began = processorClock();
      for (const pose of poses) {
        frame++;
        live.update(pose, 1 / RATE);
      }
      least = Math.min(least, (1000 * (processorClock() - began)) / poses.length);
    }
    found.push(least);
  }
  return found as [number, number];
}

if (process.argv[1]?.endsWith('task-cost.js')) {
  const motion = prepareMotion(
    'walk → guy',
    await read(findQualityFile('samples/motions/walk.glb')!),
    await read(findQualityFile('samples/characters/mixamo-guy.glb')!),
  );
  const floor = 1000 * timeFrameFloor() * BAKE.joints;
  console.log('| tasks | µs a frame | steps | of a floor frame |\n|---|---|---|---|');
  for (const count of [1, 3, 8, 20]) {
    const [time, steps] = timeTasks(motion, count);
    console.log(`| ${count} | ${time.toFixed(0)} | ${steps.toFixed(1)} | ${(time / floor).toFixed(0)}× |`);
  }
  const [without, dragged] = await timeDrag();
  console.log(
    `a live frame, all passes: ${without.toFixed(0)} µs, ${dragged.toFixed(0)} µs while a goal is dragged`,
  );
}
