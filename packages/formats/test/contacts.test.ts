import { fileURLToPath } from 'node:url';
import {
  bodyPoints,
  type Character,
  type Contact,
  chooseCharacter,
  contactsOfTracks,
  createContactTracker,
  createRig,
  findContacts,
  measure,
  type PointName,
  type Rig,
  SOLE_POINTS,
  trackPoints,
} from '@stuntdouble/core/engine';
import { read } from '@stuntdouble/formats';
import { describe, expect, it } from 'vitest';
import { withOtherUnit, withTurnedFile } from '../../core/test/reexpress.js';
import { turn } from '../../core/test/stick-figure.js';
import { DATA_FOLDER, describeData } from './data-files.js';

const samples = fileURLToPath(new URL('../../../samples/files/motions/', import.meta.url));

async function bodyOf(path: string): Promise<{ rig: Rig; character: Character }> {
  const scene = await read(path);
  const character = scene.characters[chooseCharacter(scene).character]!;
  return { rig: createRig(character.skeleton, { clips: character.clips }), character };
}

const at = (contacts: readonly Contact[], point: PointName, time: number) =>
  contacts.some((contact) => contact.point === point && contact.start <= time && contact.end >= time);

describe('contacts of our motions', () => {
  it('a walk has always one foot on the floor, and the feet take turns', async () => {
    const { rig, character } = await bodyOf(`${samples}walk.glb`);
    const contacts = findContacts(rig, character.clips[0]!);
    const stands = (side: 'left' | 'right', time: number) =>
      at(contacts, `${side}Heel`, time) || at(contacts, `${side}Toe`, time);
    let alone = [0, 0];
    for (let t = 0.1; t < 2; t += 0.05) {
      const [left, right] = [stands('left', t), stands('right', t)];
      expect(left || right, `${t} s`).toBe(true);
      if (left !== right) alone = left ? [alone[0]! + 1, alone[1]!] : [alone[0]!, alone[1]! + 1];
    }
    expect(Math.min(...alone)).toBeGreaterThan(5);
    for (const { height } of contacts) expect(height).toBe(0);
    // The heel is set down first and lifted first.
    const [heel, toe] = (['leftHeel', 'leftToe'] as const).map(
      (point) => contacts.filter((contact) => contact.point === point && contact.start > 0.5)[0]!,
    );
    expect(heel!.start).toBeLessThan(toe!.start);
    expect(heel!.end).toBeLessThan(toe!.end);
  });

  it('a jump leaves the floor, standing on one leg holds one foot in the air', async () => {
    const jump = await bodyOf(`${samples}jump.glb`);
    const leap = findContacts(jump.rig, jump.character.clips[0]!);
    const inAir = [1.2, 1.3, 1.4].map((time) => SOLE_POINTS.some((point) => at(leap, point, time)));
    expect(inAir).toEqual([false, false, false]);
    expect(at(leap, 'leftToe', 0.5) && at(leap, 'rightToe', 2)).toBe(true);
    const wave = await bodyOf(`${samples}wave-on-one-leg.glb`);
    const held = findContacts(wave.rig, wave.character.clips[0]!);
    expect([at(held, 'leftToe', 2.5), at(held, 'rightToe', 2.5)]).toEqual([false, true]);
  });

  it('R6: another unit, another facing and another up axis change nothing', async () => {
    const { rig, character } = await bodyOf(`${samples}run-turn.glb`);
    const told = (contacts: Contact[]) =>
      contacts.map(({ point, start, end }) => `${point} ${start.toFixed(3)} ${end.toFixed(3)}`);
    const plain = told(findContacts(rig, character.clips[0]!));
    expect(plain.length).toBeGreaterThan(8);
    for (const other of [
      withOtherUnit(character, 100, 0.01),
      withTurnedFile(character, turn([0, 1, 0], 33)),
      withTurnedFile(character, turn([1, 0, 0], 90), { up: '+Z' }),
    ])
      expect(told(findContacts(createRig(other.skeleton, { clips: other.clips }), other.clips[0]!))).toEqual(
        plain,
      );
  });

  it('the live tracker finds what looking at the whole clip finds, but for a few frames', async () => {
    for (const [file, most] of [
      ['walk.glb', 0.05],
      ['jump.glb', 0.03],
      ['wave-on-one-leg.glb', 0.02],
    ] as const) {
      const { rig, character } = await bodyOf(samples + file);
      const points = bodyPoints(rig);
      const tracks = trackPoints(rig, character.clips[0]!, points);
      const contacts = contactsOfTracks(tracks);
      const tracker = createContactTracker(points, tracks.hipHeight, tracks.floor);
      const width = 3 * points.length;
      let wrong = 0;
      let all = 0;
      for (let k = 0; k < tracks.count; k++) {
        const live = tracker.update(tracks.positions.subarray(width * k, width * (k + 1)), 1 / 60);
        points.forEach(({ name }, n) => {
          if (!SOLE_POINTS.includes(name)) return;
          all++;
          if ((live[n] === 1) !== at(contacts, name, k / 60)) wrong++;
        });
      }
      expect(wrong / all, file).toBeLessThan(most);
    }
  });
});

describeData('contacts of captures (needs ../shared/data)', () => {
  it.each([
    ['cmu/91_48.bvh', 'cmu/91_48.daz.fbx', 0.98],
    ['cmu/91_50.bvh', 'cmu/91_50.daz.fbx', 0.98],
    ['cmu/05_11.bvh', 'threejs/pirouette.bvh', 0.9],
  ])('%s and %s, one motion on two skeletons, stand at the same times', async (a, b, least) => {
    const [source, result] = [await read(DATA_FOLDER + a), await read(DATA_FOLDER + b)];
    const { motion } = measure(source, result).clips[0]!;
    expect(motion.agreement!.f1).toBeGreaterThan(least);
    expect(motion.agreement!.coverage).toBeGreaterThan(0.7);
    // Each stands on a floor of its own, read off its feet: they dip below it by a hair more than counts as sunk.
    expect(motion.heights!.sink.mean).toBeLessThan(0.2);
    expect(motion.heights!.sink.worst).toBeLessThan(2.5);
  });

  it('a boxer who falls lies on hands and hips, and only then', async () => {
    const { rig, character } = await bodyOf(`${DATA_FOLDER}cmu/Boxing_Toes.bvh`);
    const contacts = findContacts(rig, character.clips[0]!);
    for (const point of ['leftHand', 'rightHand', 'hips'] as const) {
      const found = contacts.filter((contact) => contact.point === point);
      expect(found.length, point).toBeGreaterThan(0);
      for (const { start, end } of found) expect(start > 23 && end < 30, `${point} ${start}`).toBe(true);
    }
  });

  it('four feet of a fox that looks around stand all the time', async () => {
    const { rig, character } = await bodyOf(`${DATA_FOLDER}khronos/Fox.glb`);
    const clip = character.clips.find(({ name }) => name === 'Survey')!;
    const contacts = findContacts(rig, clip);
    expect(contacts.map(({ point }) => point).sort()).toEqual([
      'frontLeftFoot',
      'frontRightFoot',
      'hindLeftFoot',
      'hindRightFoot',
    ]);
    for (const { start, end } of contacts) expect(end - start).toBeGreaterThan(3);
  });
});
