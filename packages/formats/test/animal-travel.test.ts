import {
  type Clip,
  copyPose,
  driverOf,
  modelPoseOf,
  type Rig,
  retarget,
  type Scene,
  sampleClip,
  setUpScenes,
} from '@stuntdouble/core';
import { beforeAll, expect, it } from 'vitest';
import { read } from '../src/index.js';
import { DATA_FOLDER, describeData } from './data-files.js';

const FILES = {
  fox: 'quaternius/Fox.glb',
  wolf: 'quaternius/Wolf.glb',
  spider: 'quaternius/Spider.glb',
  beagle: 'rocketbox/Dog_Beagle_01.fbx',
  redFox: 'mesh2motion/fox-animations.glb',
  cat: 'mesh2motion/fox-cat.glb',
  panda: 'mesh2motion/fox-panda.glb',
  tarantula: 'mesh2motion/spider-animations.glb',
} as const;
type Animal = keyof typeof FILES;
const scenes = {} as Record<Animal, Scene>;

const setUp = (from: Animal, to: Animal) => setUpScenes(scenes[from], scenes[to], {});
const clipOf = (of: Animal, name: RegExp) =>
  scenes[of].characters[0]!.clips.find((clip) => name.test(clip.name))!;
const move = (from: Animal, to: Animal, clip: Clip, corrections: 'auto' | 'none' = 'auto') =>
  retarget(scenes[from], scenes[to], { clips: [clip.name], measure: false, corrections }).clips[0]!;
const matricesAt = ({ skeleton }: Rig, clip: Clip, time: number) => {
  const pose = copyPose(skeleton.rest);
  sampleClip(pose, clip, time);
  return modelPoseOf(skeleton, pose).matrices;
};

/** Heights over the floor of each joint's lowest skin, in heights of the body; +∞ where a joint has none. */
function skinHeights(rig: Rig, clip: Clip, time: number): number[] {
  const m = matricesAt(rig, clip, time);
  return rig.skeleton.names.map((_, j) => {
    const hull = rig.skeleton.hulls?.[j] ?? [];
    let low = Number.POSITIVE_INFINITY;
    for (let i = 0; i < hull.length; i += 3)
      low = Math.min(
        low,
        m[16 * j + 1]! * hull[i]! +
          m[16 * j + 5]! * hull[i + 1]! +
          m[16 * j + 9]! * hull[i + 2]! +
          m[16 * j + 13]!,
      );
    return (low - rig.floor.height) / rig.space.height;
  });
}

const partJoint = (rig: Rig, part: string) => rig.body!.parts.findIndex((guess) => guess.part === part);

/** How far the feet swing to and fro under the body, in metres, summed over the feet. */
function stride(rig: Rig, clip: Clip, body: number): number {
  const feet = ['frontLeft', 'frontRight', 'hindLeft', 'hindRight'].map((leg) =>
    partJoint(rig, `${leg}Foot`),
  );
  const low = feet.map(() => Number.POSITIVE_INFINITY);
  const high = feet.map(() => Number.NEGATIVE_INFINITY);
  for (let k = 0; k < 20; k++) {
    const m = matricesAt(rig, clip, (clip.duration * k) / 20);
    feet.forEach((foot, i) => {
      const z = m[16 * foot + 14]! - m[16 * body + 14]!;
      low[i] = Math.min(low[i]!, z);
      high[i] = Math.max(high[i]!, z);
    });
  }
  return high.reduce((sum, each, i) => sum + each - low[i]!, 0);
}

describeData('animals travel (needs ../shared/data)', () => {
  beforeAll(async () => {
    for (const [animal, file] of Object.entries(FILES))
      scenes[animal as Animal] = await read(DATA_FOLDER + file);
  });

  it.each<[Animal, Animal]>([
    ['fox', 'beagle'],
    ['fox', 'wolf'],
    ['redFox', 'cat'],
    ['redFox', 'panda'],
    ['spider', 'tarantula'],
  ])('WP5: %s and %s are measured by their legs, and the way back undoes the way there', (a, b) => {
    const there = setUp(a, b);
    const back = setUp(b, a);
    expect(there.setup.rootScales.reason).toMatch(/leg/);
    for (const { warnings } of [there, back])
      expect(warnings.map(({ code }) => code)).not.toContain('scale-fallback');
    for (const axis of ['horizontal', 'vertical'] as const)
      expect(there.setup.rootScales[axis] * back.setup.rootScales[axis]).toBeCloseTo(1, 2);
  });

  it.each<[Animal, Animal]>([
    ['redFox', 'cat'],
    ['redFox', 'panda'],
    ['redFox', 'beagle'],
    ['fox', 'wolf'],
  ])('WP5: on the ground %s travels on %s as far as its feet swing, within 5 %%', (a, b) => {
    const { source, target, travel, rootScales } = setUp(a, b).setup;
    const walk = clipOf(a, /walk$/i);
    // Corrected feet go as far as the body travels, whatever that is: the legs themselves say how far that should be.
    const copied = move(a, b, walk, 'none');
    const swung = stride(target, copied, travel!.target) / stride(source, walk, travel!.source);
    expect(Math.abs(rootScales.horizontal / swung - 1)).toBeLessThan(0.05);
  });

  it('ears and tails are no measure: a cat as high as the fox jumps as high', () => {
    const { source, target, rootScales } = setUp('redFox', 'cat').setup;
    expect(target.space.height / source.space.height).toBeGreaterThan(1.2);
    expect(rootScales.vertical).toBeCloseTo(1, 1);
  });

  it('K14: a fox’s hips drive a dog’s hips, its thighs the thighs', () => {
    const { source, target, map } = setUp('fox', 'beagle').setup;
    for (const part of [
      'hips',
      'hindLeftUpperLeg',
      'hindRightLowerLeg',
      'hindLeftFoot',
      'frontRightUpperLeg',
    ]) {
      const pair = map.joints.find((each) => each.target === partJoint(target, part));
      expect(pair && driverOf(pair), part).toBe(partJoint(source, part));
    }
  });

  it('a dog that has a fox’s death stands on the floor and then lies on it', () => {
    const { target } = setUp('fox', 'beagle').setup;
    const clip = move('fox', 'beagle', clipOf('fox', /\|Death$/));
    const standing = skinHeights(target, clip, 0);
    expect(Math.abs(Math.min(...standing))).toBeLessThan(0.02);
    const lying = skinHeights(target, clip, clip.duration);
    const trunk = ['hips', 'spine1', 'spine2', 'spine3'].map((part) => partJoint(target, part));
    for (const joint of trunk) {
      expect(standing[joint]).toBeGreaterThan(0.2);
      expect(Math.abs(lying[joint]!)).toBeLessThan(0.15);
    }
    expect(Math.min(...lying)).toBeGreaterThan(-0.15);
  });

  it.each<[Animal, Animal]>([
    ['fox', 'wolf'],
    ['fox', 'beagle'],
  ])('the gallop of a %s keeps a %s on the floor', (a, b) => {
    const { target } = setUp(a, b).setup;
    const clip = move(a, b, clipOf(a, /\|Gallop$/));
    for (let k = 0; k <= 8; k++) {
      const low = Math.min(...skinHeights(target, clip, (clip.duration * k) / 8));
      expect(Math.abs(low)).toBeLessThan(0.1);
    }
  });

  it('a spider whose root stands still jumps by its body, and lies where it has turned over', () => {
    const { setup } = setUp('spider', 'tarantula');
    const { source, target, map, travel } = setup;
    const root = source.skeleton.names.indexOf('Root');
    expect(map.joints.map(driverOf)).not.toContain(root);
    const heightAt = (clip: Clip, time: number) =>
      (matricesAt(target, clip, time)[16 * travel!.target + 13]! - target.floor.height) / target.space.height;
    const jump = move('spider', 'tarantula', clipOf('spider', /Jump$/));
    expect(heightAt(jump, jump.duration / 2) - heightAt(jump, 0)).toBeGreaterThan(0.4);
    expect(heightAt(jump, jump.duration)).toBeCloseTo(heightAt(jump, 0), 2);
    const death = move('spider', 'tarantula', clipOf('spider', /Death$/));
    // On its back, by its skin: not with its hips on the floor and its back under it.
    const trunk = skinHeights(target, death, death.duration).filter((_, joint) =>
      /^(hips|spine|tail)/.test(target.body!.parts[joint]!.part ?? ''),
    );
    expect(Math.abs(Math.min(...trunk))).toBeLessThan(0.02);
  });

  it('a spider’s feet that hang on its root leave the floor when its body does', () => {
    const { setup } = setUp('tarantula', 'spider');
    const clip = move('tarantula', 'spider', clipOf('tarantula', /^Jump$/));
    const heights = skinHeights(setup.target, clip, clip.duration / 2);
    expect(Math.min(...heights)).toBeGreaterThan(1);
  });
});
