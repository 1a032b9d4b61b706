import {
  type Clip,
  type Comparison,
  compareMotions,
  findContacts,
  type MotionMeasures,
  measureMotion,
  retargetClip,
  type Scene,
  setUpScenes,
  trimClip,
  withoutCorrections,
} from '@stuntdouble/core/engine';
import { read } from '@stuntdouble/formats';
import { beforeAll, expect, it } from 'vitest';
import { DATA_FOLDER, describeData } from './data-files.js';

type Result = { comparison: Comparison; measures: MotionMeasures };

function correct(source: Scene, target: Scene, name?: string, range?: [number, number]): Result {
  const { setup, sourceIndex } = setUpScenes(source, target, { corrections: 'auto' });
  const clips = source.characters[sourceIndex]!.clips;
  const original = name ? clips.find((clip) => clip.name === name)! : clips[0]!;
  const clip: Clip = range ? trimClip(original, ...range) : original;
  const comparison = compareMotions(setup, clip, retargetClip(setup, clip, { mapIsTold: true }).clip);
  return { comparison, measures: measureMotion(comparison) };
}

/** Angles in degrees between source and result of both bones of both arms, at instants from first to last. */
function armErrors({ source, result }: Comparison, first: number, last: number): number[] {
  const errors: number[] = [];
  for (const side of ['left', 'right'] as const)
    for (const [from, to] of [
      ['UpperArm', 'LowerArm'],
      ['LowerArm', 'Hand'],
    ] as const)
      for (let k = first; k <= last; k++) {
        const [a, b] = [source, result].map(({ positions, joints, roles }) =>
          [0, 1, 2].map(
            (c) =>
              positions[3 * (joints * k + roles[`${side}${to}`]!) + c]! -
              positions[3 * (joints * k + roles[`${side}${from}`]!) + c]!,
          ),
        ) as [number[], number[]];
        const dot = a.reduce((sum, value, c) => sum + value * b[c]!, 0);
        const cosine = dot / (Math.hypot(...a) * Math.hypot(...b));
        errors.push((Math.acos(Math.min(1, cosine)) * 180) / Math.PI);
      }
  return errors;
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

describeData('bodies that are carried by more than feet (needs ../shared/data)', () => {
  let cartwheel: Scene;
  let actions: Scene;
  const bodies = new Map<string, Scene>();
  const body = (name: string) => bodies.get(name)!;
  beforeAll(async () => {
    cartwheel = await read(`${DATA_FOLDER}cmu/49_06.bvh`);
    actions = await read(`${DATA_FOLDER}mesh2motion/human-base-animations.DEF.glb`);
    for (const name of [
      'mesh2motion/human-female.glb',
      'threejs/RobotExpressive.glb',
      'quaternius/Astronaut_FinnTheFrog-transformed.glb',
      'kaykit/mannequin_v2/manny_med_mod.gltf',
    ])
      bodies.set(name, await read(DATA_FOLDER + name));
  });

  it('hands that carry a cartwheel are found, though the capture has them floating and gliding', () => {
    const { setup } = setUpScenes(cartwheel, cartwheel, { corrections: 'auto' });
    const hands = findContacts(setup.source, cartwheel.characters[0]!.clips[0]!).filter(({ point }) =>
      point.endsWith('Hand'),
    );
    expect(hands.map(({ point }) => point)).toEqual(['leftHand', 'rightHand']);
    // One after the other, and together when the body is upside down.
    const [left, right] = hands as [(typeof hands)[0], (typeof hands)[0]];
    expect(right.start).toBeLessThan(left.start);
    expect(right.end).toBeLessThan(left.end);
    expect(right.end - left.start).toBeGreaterThan(0.3);
  });

  it('upside down arms point as the source’s, hands stand still on the floor, and hips follow them', () => {
    const { comparison, measures } = correct(cartwheel, body('mesh2motion/human-female.glb'));
    expect(mean(armErrors(comparison, 118, 140))).toBeLessThan(9);
    const { points, result } = comparison;
    for (const [name, first, last] of [
      ['rightHand', 110, 138],
      ['leftHand', 120, 154],
    ] as const) {
      const n = points.findIndex((point) => point.name === name);
      const at = (k: number) => 3 * (points.length * k + n);
      const { positions } = result.tracks;
      for (let k = first; k < last; k++)
        for (const c of [0, 2])
          expect(Math.abs(positions[at(k) + c]! - positions[at(first) + c]!)).toBeLessThan(
            0.02 * result.hipHeight,
          );
    }
    expect(measures.agreement!.f1).toBeGreaterThan(0.97);
    expect(measures.ground!.deeper.joints.mean).toBeLessThan(0.01);
    expect(measures.ground!.deeper.skin!.mean).toBeLessThan(0.5);
  });

  it('bodies whose hands have no joint keep them out of the floor, and nothing of them sinks in a crouch', () => {
    for (const name of ['threejs/RobotExpressive.glb', 'quaternius/Astronaut_FinnTheFrog-transformed.glb']) {
      const { measures } = correct(actions, body(name), 'Crouch_Idle_Loop');
      expect(measures.ground!.deeper.joints.worst, name).toBeLessThan(1);
      // Skin was 69 and 22 % of the hip height under the floor; the robot's is 6.3 since the middle of its leg roots travels.
      expect(measures.ground!.deeper.skin!.mean, name).toBeLessThan(6.5);
      expect(measures.slide!.result.mean).toBeLessThan(0.5);
      const { selfContact } = correct(actions, body(name), 'Idle_Loop').measures;
      // Hands that hang are near the body and touch nothing: where nothing touches, there is nothing to keep.
      if (selfContact) expect(selfContact.result.mean, name).toBeLessThan(selfContact.copied!.mean);
    }
  });

  it('feet that swing with their toes down are lifted rather than bent the wrong way, on a chunky foot', async () => {
    const walk = await read(`${DATA_FOLDER}cmu/02_01.bvh`);
    const { measures } = correct(walk, body('kaykit/mannequin_v2/manny_med_mod.gltf'), undefined, [0, 3]);
    // Toes were 35 % deep.
    expect(measures.ground!.deeper.skin!.worst).toBeLessThan(9);
    expect(measures.ground!.deeper.skin!.mean).toBeLessThan(1.5);
    expect(measures.agreement!.f1).toBeGreaterThan(0.97);
  });

  it('a run that touches nothing is lifted out of the floor where the source is not in it', async () => {
    const run = await read(`${DATA_FOLDER}misc/viverse_run.glb`);
    const target = body('threejs/RobotExpressive.glb');
    const { setup, sourceIndex } = setUpScenes(run, target, { corrections: 'auto' });
    const clip = run.characters[sourceIndex]!.clips[0]!;
    const plain = measureMotion(
      compareMotions(setup, clip, retargetClip(withoutCorrections(setup), clip, { mapIsTold: true }).clip),
    );
    const { measures } = correct(run, target);
    expect(plain.ground!.deeper.skin!.mean).toBeGreaterThan(3);
    expect(measures.ground!.deeper.skin!.mean).toBeLessThan(plain.ground!.deeper.skin!.mean / 3);
  });

  it('knees of an ordinary body do not snap: not in a dance, a roll or a cartwheel', async () => {
    const dance = await read(`${DATA_FOLDER}cmu/05_11.bvh`);
    const target = body('mesh2motion/human-female.glb');
    const pops = [
      correct(cartwheel, target),
      correct(actions, target, 'Roll_RM'),
      correct(dance, target, undefined, [0, 5]),
    ].map(({ measures }) => measures.smoothness!.kneePops);
    expect(pops).toEqual([0, 0, 0]);
  });

  it('a body that rolls over lies on the floor, though no part of it rests and its legs are longer', async () => {
    const knight = await read(`${DATA_FOLDER}kaykit/Knight.glb`);
    const { comparison } = correct(knight, body('mesh2motion/human-female.glb'), 'Lie_Down');
    const { skinHeights, hipHeight } = comparison.result;
    // From 1.1 s on the knight is on his side; 24 % were in the air.
    for (let k = 66; k < skinHeights.length; k++)
      expect(skinHeights[k]! / hipHeight, `${k}`).toBeLessThan(0.1);
  });
});
