import { describe, expect, it } from 'vitest';
import {
  angleBetween,
  createRandom,
  distance,
  jointOf,
  modelAt,
  placeAt,
  quatAt,
  randomClip,
  randomSkeleton,
  rotationTrack,
  sceneOf,
  skeletonOf,
  tinyHuman,
  turn,
} from '../../test/tiny-rigs.js';
import { UsageError } from '../base/errors.js';
import { retarget } from '../retarget.js';
import type { Clip } from '../scene/clip.js';
import { readReshapeScript, writeReshapeScript } from './reshape-script.js';
import { type Reshaping, reshapeClip, reshapeSkeleton } from './reshape-skeleton.js';

/** The largest difference of the joints that stay, in metres and radians, over a clip and between its keys. */
function worst(reshaping: Reshaping, clip: Clip): { apart: number; turned: number } {
  const moved = reshapeClip(reshaping, clip);
  const found = { apart: 0, turned: 0 };
  for (let k = 0; k <= 50; k++) {
    const time = (clip.duration * k) / 50;
    const before = modelAt(reshaping.original, clip, time);
    const after = modelAt(reshaping.skeleton, moved, time);
    reshaping.paths.forEach((path, joint) => {
      const old = path[path.length - 1]!;
      found.apart = Math.max(found.apart, distance(placeAt(before, old), placeAt(after, joint)));
      found.turned = Math.max(
        found.turned,
        angleBetween(quatAt(before.rotations, old), quatAt(after.rotations, joint)),
      );
    });
  }
  return found;
}

describe('reshapeSkeleton', () => {
  it.each([1, 2, 3, 4])('S21: joints that stay are where they were, at all times: random tree %i', (seed) => {
    const random = createRandom(seed);
    const skeleton = randomSkeleton(random, 12, { scales: true });
    const clip = randomClip(random, skeleton, { travels: 0, interpolation: seed === 4 ? 'cubic' : 'linear' });
    const keep = skeleton.names.filter((_, i) => i === 3 || random() < 0.5);
    const reshaping = reshapeSkeleton(skeleton, keep);
    expect(reshaping.skeleton.names).toEqual(keep);
    const { apart, turned } = worst(reshaping, clip);
    expect(apart).toBeLessThan(5e-4);
    expect(turned).toBeLessThan(1e-3);
  });

  it('S21, SP7: has as many tracks as it needs and names every joint', () => {
    const skeleton = tinyHuman({ spines: 5, root: true });
    const clip = randomClip(createRandom(5), skeleton, {
      joints: [2, 3, 4],
      travels: jointOf(skeleton, 'hips'),
    });
    const keep = skeleton.names.filter((name) => !/^mid|root/.test(name));
    const reshaping = reshapeSkeleton(skeleton, keep);
    // A track without keys, as some exporters leave one for every joint.
    const empty = rotationTrack(jointOf(skeleton, 'head'), [], []);
    const moved = reshapeClip(reshaping, { ...clip, tracks: [...clip.tracks, empty] });
    expect(moved.tracks.every(({ times }) => times.length > 0)).toBe(true);
    expect(new Set(moved.tracks.map(({ joint }) => reshaping.skeleton.names[joint]))).toEqual(
      new Set(['hips', 'spine', 'chest']),
    );
    expect(worst(reshaping, clip).apart).toBeLessThan(1e-4);
    expect(reshaping.skeleton.metadataRoles).toMatchObject({ hips: 0, spine: 1, chest: 2 });
  });

  it('leaves tracks of joints that nothing was worked into as they are, cubic ones too', () => {
    const skeleton = tinyHuman();
    const clip = randomClip(createRandom(6), skeleton, { interpolation: 'cubic' });
    const reshaping = reshapeSkeleton(
      skeleton,
      skeleton.names.filter((name) => !/Toes|Proximal/.test(name)),
    );
    const moved = reshapeClip(reshaping, clip);
    const hand = reshaping.skeleton.names.indexOf('leftHand');
    const old = clip.tracks.find(({ joint }) => joint === skeleton.names.indexOf('leftHand'))!;
    expect(moved.tracks.find(({ joint }) => joint === hand)!.values).toBe(old.values);
    expect(moved.tracks.length).toBe(reshaping.skeleton.names.length);
  });

  it('everything kept is everything as it was', () => {
    const skeleton = tinyHuman({ axes: createRandom(7) });
    const clip = randomClip(createRandom(8), skeleton, { travels: 0 });
    const reshaping = reshapeSkeleton(skeleton, skeleton.names);
    expect(reshaping.skeleton.rest).toEqual(skeleton.rest);
    const { tracks } = reshapeClip(reshaping, clip);
    expect(tracks).toHaveLength(clip.tracks.length);
    expect(tracks).toEqual(expect.arrayContaining(clip.tracks));
  });

  it('gives a body that motion goes onto and comes from', () => {
    const skeleton = tinyHuman({ name: 'capture', spines: 5 });
    const clip = randomClip(createRandom(9), skeleton, { travels: 0, most: 0.4 });
    const reshaping = reshapeSkeleton(
      skeleton,
      skeleton.names.filter((name) => !/^mid/.test(name)),
    );
    const { report } = retarget(
      sceneOf(reshaping.skeleton, [reshapeClip(reshaping, clip)]),
      sceneOf(tinyHuman({ name: 'hero', armsDown: 0.5 })),
    );
    expect(report.measures[0]!.direction.worst).toBeLessThan(0.1);
  });

  it('warns where uneven scale would shear', () => {
    const skeleton = skeletonOf([
      { name: 'a', parent: -1, scale: [1, 2, 1] },
      { name: 'b', parent: 0, rotation: turn([0, 0, 1], 0.5) },
    ]);
    expect(reshapeSkeleton(skeleton, ['b']).warnings[0]).toMatchObject({
      code: 'feature-ignored',
      joint: 'a',
    });
  });

  it('says in one sentence what cannot be', () => {
    const skeleton = tinyHuman({ name: 'hero' });
    expect(() => reshapeSkeleton(skeleton, [])).toThrow(/no joint of "hero" is to stay/);
    expect(() => reshapeSkeleton(skeleton, ['tail'])).toThrow(/"hero" has no joint "tail"/);
    expect(() => reshapeSkeleton(skeleton, ['hips', 'hips'])).toThrow(/"hips" is listed twice/);
    const run = (script: string) => () => reshapeSkeleton(skeleton, readReshapeScript(script));
    expect(run('"head" { "hips" }')).toThrow(
      /"hips" stands under "head", but "hips" does not hang on "head"/,
    );
    expect(run('"a" : "spine", "hips"')).toThrow(/"a" is made of "hips" after "spine"/);
    expect(run('"hips" "hips"')).toThrow(/names "hips" twice/);
    expect(run('"hips" { "a" : "spine" "b" : "spine" }')).toThrow(/makes two joints/);
  });
});

describe('readReshapeScript', () => {
  it('S21: reads names, what they are made of, and children', () => {
    const script = `// a body
      "Hips" {
        "Back" : "spine", "chest" { "Head" : "neck","head" }  # one turn
        "Leg \\"L\\""
      }
      "Prop"`;
    expect(readReshapeScript(script)).toEqual([
      { name: 'Hips', sources: ['Hips'], parent: -1 },
      { name: 'Back', sources: ['spine', 'chest'], parent: 0 },
      { name: 'Head', sources: ['neck', 'head'], parent: 1 },
      { name: 'Leg "L"', sources: ['Leg "L"'], parent: 0 },
      { name: 'Prop', sources: ['Prop'], parent: -1 },
    ]);
  });

  it('S21: merged joints carry the turns of all that they are made of', () => {
    const skeleton = tinyHuman({ axes: createRandom(10) });
    const clip = randomClip(createRandom(11), skeleton, { travels: 0 });
    const script = readReshapeScript(
      '"Hips" : "hips" { "Back" : "spine","chest","upperChest" { "Head" : "neck","head" } "Foot" : "leftFoot" }',
    );
    const reshaping = reshapeSkeleton(skeleton, script);
    expect(reshaping.skeleton.names).toEqual(['Hips', 'Back', 'Head', 'Foot']);
    expect([...reshaping.paths[3]!].map((joint) => skeleton.names[joint])).toEqual([
      'leftUpperLeg',
      'leftLowerLeg',
      'leftFoot',
    ]);
    const { apart, turned } = worst(reshaping, clip);
    expect(apart).toBeLessThan(1e-4);
    expect(turned).toBeLessThan(1e-3);
  });

  it('writes a skeleton as a script that changes nothing', () => {
    const skeleton = tinyHuman({ rename: (name) => `${name} "x" \\` });
    const nodes = readReshapeScript(writeReshapeScript(skeleton));
    expect(nodes.map(({ name }) => name)).toEqual(skeleton.names);
    expect(nodes.map(({ parent }) => parent)).toEqual([...skeleton.parents]);
    const deep = {
      names: Array.from({ length: 3000 }, (_, i) => `j${i}`),
      parents: Array.from({ length: 3000 }, (_, i) => i - 1),
    };
    expect(readReshapeScript(writeReshapeScript(deep)).length).toBe(3000);
  });

  const wrong: [string, string][] = [
    ['', 'at its end: found nothing more; expected a joint in quotes'],
    ['"a" {', 'expected } for "a"'],
    ['"a" }', 'line 1: found }; expected a joint, as nothing is open'],
    ['"a"\n: {', 'line 2: found {; expected a joint in quotes'],
    ['"a" : "b",', 'expected a joint in quotes'],
    ['"a" {\n\n b }', 'line 3: found "b"'],
    ['"a', 'line 1: found "\\""'],
    [': "a"', 'line 1: found :; expected a joint in quotes or }'],
  ];
  it.each(wrong)('names the line: %j', (script, message) => {
    expect(() => readReshapeScript(script)).toThrow(UsageError);
    expect(() => readReshapeScript(script)).toThrow(message);
  });
});
