import { fileURLToPath } from 'node:url';
import {
  type Contact,
  chooseCharacter,
  conjugateQuaternion,
  copyPose,
  createModelPose,
  createRetargeter,
  createRig,
  LEG_JOINT_LIMITS,
  localToModel,
  modelPoseOf,
  optionsOfRecipe,
  type Pose,
  type RetargetOptions,
  type Role,
  readRecipe,
  recipeOf,
  rotateVector,
  type Scene,
  sampleClip,
  type Vec3,
} from '@stuntdouble/core/engine';
import { read } from '@stuntdouble/formats';
import { describe, expect, it } from 'vitest';
import { retargetPlainly, setUpScenesPlainly } from '../../core/test/plainly.js';
import { DATA_FOLDER, describeData } from './data-files.js';

const samples = fileURLToPath(new URL('../../../samples/files/', import.meta.url));
const motion = (name: string) => read(`${samples}motions/${name}.glb`);
const character = (name: string) => read(`${samples}characters/${name}`);

/** The first clip of a retarget, and how to look at it. */
function move(source: Scene, target: Scene, options: RetargetOptions) {
  const result = retargetPlainly(source, target, options);
  const { skeleton } = result.scene.characters[result.character]!;
  const rig = createRig(skeleton, { clips: result.scene.characters[result.character]!.clips });
  const clip = result.clips[0]!;
  const pose = copyPose(skeleton.rest);
  const model = createModelPose(skeleton.names.length);
  const hints = new Int32Array(clip.tracks.length);
  const look = (time: number, role: Role) => {
    sampleClip(pose, clip, time, hints);
    localToModel(model, rig.skeleton, pose);
    const o = 16 * rig.joints[role]! + 12;
    return [model.matrices[o]!, model.matrices[o + 1]!, model.matrices[o + 2]!] as const;
  };
  const turn = (time: number, role: Role) => {
    look(time, role);
    return model.rotations.slice(4 * rig.joints[role]!, 4 * rig.joints[role]! + 4);
  };
  return { ...result, clip, rig, at: look, turn };
}

describe('parts of the engine on our characters', () => {
  it('W20: a goblin walks wider, and its feet hold as well', async () => {
    const [walk, goblin] = [await motion('walk'), await character('goblin.glb')];
    const plain = move(walk, goblin, { corrections: 'auto' });
    const wide = move(walk, goblin, { corrections: 'auto', spacing: { arms: 0.3, legs: 0.3 } });
    const apart = ({ at }: typeof plain, role: 'Hand' | 'Foot') => {
      let sum = 0;
      for (let time = 0; time < 2; time += 0.1)
        sum += at(time, `left${role}`)[0] - at(time, `right${role}`)[0];
      return sum / 20;
    };
    expect(apart(wide, 'Foot')).toBeGreaterThan(apart(plain, 'Foot') + 0.05);
    expect(apart(wide, 'Hand')).toBeGreaterThan(apart(plain, 'Hand') + 0.1);
    const [narrow, spaced] = [plain, wide].map(({ report }) => report.measures[0]!.motion);
    expect(spaced!.slide!.result.mean).toBeLessThan(narrow!.slide!.result.mean + 0.05);
    expect(spaced!.heights!.sunkFrames).toBe(0);
  });

  it('W21: a girl looks at a point beside her way, with her eyes where the head does not turn so far', async () => {
    const [walk, girl] = [await motion('walk'), await character('vrm-girl.vrm')];
    const point = [2.2, 1.5, 1] as const;
    const { rig, at, turn } = move(walk, girl, { lookAt: { point, speed: 1 }, measure: false });
    const { head, leftEye } = rig.joints;
    expect([head, leftEye]).not.toContain(undefined);
    const rest = modelPoseOf(rig.skeleton, rig.reference.pose).rotations;
    for (const time of [0.2, 1, 1.8]) {
      const from = at(time, 'leftEye');
      const way = point.map((value, c) => value - from[c]!);
      const missOf = (role: 'head' | 'leftEye') => {
        const gaze = Float64Array.of(0, 0, 1);
        const undo = new Float64Array(4);
        conjugateQuaternion(undo, 0, rest, 4 * rig.joints[role]!);
        rotateVector(gaze, 0, undo, 0, gaze, 0);
        rotateVector(gaze, 0, turn(time, role), 0, gaze, 0);
        const dot = gaze[0]! * way[0]! + gaze[1]! * way[1]! + gaze[2]! * way[2]!;
        // Rounded, what looks straight at the point may come to more than 1.
        return (Math.acos(Math.min(1, dot / Math.hypot(...way))) * 180) / Math.PI;
      };
      // The head turns no farther than 60°; the eyes make up to 9° more of it.
      expect(missOf('leftEye')).toBeLessThan(Math.max(2, missOf('head') - 7));
    }
  });

  it('W23: a walk goes up a flight of stairs: feet on the steps, offline and live', async () => {
    const [walk, guy] = [await motion('walk'), await character('unreal-mannequin.glb')];
    const stairs = (_: number, z: number) => 0.12 * Math.max(0, Math.floor(z / 0.4));
    const flat = move(walk, guy, { corrections: 'auto', measure: false });
    const up = move(walk, guy, { corrections: 'auto', groundHeight: stairs, measure: false });
    const contacts = flat.report.clips[0]!.contacts!;
    expect(contacts.length).toBeGreaterThan(6);
    let climbed = 0;
    let worst = 0;
    for (const side of ['left', 'right'] as const)
      for (const { point, start, end } of contacts) {
        if (point !== `${side}Toe`) continue;
        const time = (start + end) / 2;
        const [x, y, z] = flat.at(time, `${side}Foot`);
        const rise = up.at(time, `${side}Foot`)[1] - y;
        // Steps of 0.12: whichever the middle of the sole stands on, the foot rises by a whole number of them.
        worst = Math.max(worst, Math.abs(rise / 0.12 - Math.round(rise / 0.12)));
        climbed = Math.max(climbed, rise);
        expect(Math.abs(rise - stairs(x, z + 0.08))).toBeLessThan(0.121);
      }
    expect(climbed).toBeGreaterThan(0.2);
    expect(worst).toBeLessThan(0.1);
    const { setup } = setUpScenesPlainly(walk, guy, { corrections: 'auto', groundHeight: stairs });
    const live = createRetargeter(setup);
    const { skeleton, clips } = walk.characters[chooseCharacter(walk).character]!;
    const source: Pose = copyPose(skeleton.rest);
    const hints = new Int32Array(clips[0]!.tracks.length);
    for (let k = 0; k <= 120; k++) {
      sampleClip(source, clips[0]!, k / 60, hints);
      for (const value of live.update(source, 1 / 60).rotations) expect(Number.isFinite(value)).toBe(true);
    }
  });

  it('W23: feet hold on a slope as they do on the floor', async () => {
    const [jump, child] = [await motion('jump'), await character('child.glb')];
    const slope = (_: number, z: number) => 0.2 * z;
    const { report } = move(jump, child, { corrections: 'auto', groundHeight: slope });
    expect(report.measures[0]!.motion.slide!.result.mean).toBeLessThan(0.2);
  });

  it('a recipe keeps limits, spacing, looks and contacts, and repeats them', async () => {
    const [wave, child] = [await motion('wave-on-one-leg'), await character('child.glb')];
    const told: RetargetOptions = {
      corrections: 'auto',
      limits: LEG_JOINT_LIMITS,
      spacing: { arms: -0.2 },
      lookAt: { point: [1, 1, 1] },
      contacts: { 'wave-on-one-leg': [{ point: 'rightToe', start: 0, end: 4 }] },
      range: [0, 1],
      measure: false,
    };
    const { setup } = setUpScenesPlainly(wave, child, told);
    const { recipe, warnings } = readRecipe(JSON.parse(JSON.stringify(recipeOf(setup, told))));
    expect(warnings).toEqual([]);
    const [first, again] = [told, optionsOfRecipe(recipe)].map(
      (each) => retargetPlainly(wave, child, each).clips,
    );
    expect(again).toEqual(first);
    expect(() => readRecipe({ version: 1, settings: { lookAt: 'me' } })).toThrow('settings.lookAt');
  });

  it('contacts that are edited are those that are held, mirrored and cut as the clip is', async () => {
    const [wave, child] = [await motion('wave-on-one-leg'), await character('child.glb')];
    const { report } = move(wave, child, { corrections: 'auto', measure: false });
    const found = report.clips[0]!.contacts!;
    const name = report.clips[0]!.name;
    const again = move(wave, child, { corrections: 'auto', contacts: { [name]: found }, measure: false });
    expect(again.report.clips[0]!.contacts).toHaveLength(found.length);
    const part = move(wave, child, {
      corrections: 'auto',
      contacts: { [name]: found.filter(({ point }) => point === 'rightToe') },
      range: [1, 2],
      speed: 2,
      mirror: true,
      measure: false,
    });
    expect(part.report.clips[0]!.contacts).toMatchObject([{ point: 'leftToe', start: 0, end: 0.5 }]);
  });

  it('a foot is held where its contact is moved to, and the others where they were', async () => {
    const [walk, child] = [await motion('walk'), await character('child.glb')];
    const before = move(walk, child, { corrections: 'auto', measure: false });
    const { name, contacts } = before.report.clips[0]!;
    const step = contacts!.filter(({ point }) => point === 'leftToe')[1]!;
    const isOfStep = ({ point, start, end }: Contact) =>
      point.startsWith('left') && start < step.end && end > step.start;
    const edited = contacts!.map((contact) =>
      isOfStep(contact)
        ? { ...contact, position: contact.position!.map((x, c) => x + [0.05, 0, 0.08][c]!) as Vec3 }
        : contact,
    );
    const after = move(walk, child, { corrections: 'auto', contacts: { [name]: edited }, measure: false });
    const scale = after.report.rootScales!.horizontal;
    const during = (step.start + step.end) / 2;
    const [was, is] = [before, after].map(({ at }) => at(during, 'leftFoot'));
    expect(is![0] - was![0]).toBeCloseTo(0.05 * scale, 3);
    expect(is![2] - was![2]).toBeCloseTo(0.08 * scale, 3);
    const other = contacts!.find(({ point, end }) => point === 'rightToe' && end < step.end)!;
    const then = (other.start + other.end) / 2;
    const [stood, stands] = [before, after].map(({ at }) => at(then, 'rightFoot'));
    for (let c = 0; c < 3; c++) expect(stands![c]).toBeCloseTo(stood![c]!, 4);
  });
});

describeData('parts of the engine on captures (needs ../shared/data)', () => {
  it('hands are held where their contacts are moved to: a cartwheel a little to the side', async () => {
    const source = await read(`${DATA_FOLDER}cmu/49_06.bvh`);
    const target = await character('mixamo-guy.glb');
    const before = move(source, target, { corrections: 'auto', measure: false });
    const { name, contacts } = before.report.clips[0]!;
    // Those of the floor have a place; those of the own body do not.
    const hands = contacts!.filter(({ point, position }) => point.endsWith('Hand') && position);
    expect(hands.length).toBeGreaterThan(1);
    const edited = contacts!.map((contact) =>
      hands.includes(contact)
        ? { ...contact, position: contact.position!.map((x, c) => x + [0.1, 0, -0.06][c]!) as Vec3 }
        : contact,
    );
    const after = move(source, target, { corrections: 'auto', contacts: { [name]: edited }, measure: false });
    const scale = after.report.rootScales!.horizontal;
    for (const { point, start, end } of hands) {
      const [was, is] = [before, after].map(({ at }) => at((start + end) / 2, point as Role));
      expect(is![0] - was![0], point).toBeCloseTo(0.1 * scale, 2);
      expect(is![2] - was![2], point).toBeCloseTo(-0.06 * scale, 2);
    }
  });

  it('W23: limits of legs hold over a jump with a turn, and touch nothing but legs', async () => {
    const source = await read(`${DATA_FOLDER}cmu/91_48.bvh`);
    const target = await character('mixamo-guy.glb');
    const range = [1, 4] as const;
    const plain = move(source, target, {
      range,
      limits: LEG_JOINT_LIMITS,
      passes: ['copyRotations', 'moveRoot'],
    });
    expect(plain.report.measures[0]!.motion.limits!.asked!.violations).toBeGreaterThan(10);
    const limited = move(source, target, { range, limits: LEG_JOINT_LIMITS });
    const asked = limited.report.measures[0]!.motion.limits!.asked!;
    expect(asked.violations).toBe(0);
    expect(asked.worst).toBeLessThan(0.5);
    // Arms are none of legs' business.
    for (const time of [0.5, 1.5, 2.5])
      plain.at(time, 'leftHand').forEach((value, c) => {
        expect(limited.at(time, 'leftHand')[c]).toBeCloseTo(value, 5);
      });
  });
});
