import { readFileSync } from 'node:fs';
import {
  type Clip,
  copyPose,
  createModelPose,
  END,
  JOINT,
  localToModel,
  multiplyQuaternions,
  quaternionAngle,
  type Scene,
  type Skeleton,
  sampleClip,
} from '@stuntdouble/core';
import { AnimationMixer, Vector3 } from 'three';
import { BVHLoader } from 'three/examples/jsm/loaders/BVHLoader.js';
import { describe, expect, it } from 'vitest';
import { allFiles, hasData, pathOf, present } from '../../test/data-files.js';
import { FormatError } from '../format-error.js';
import { bvh, readBvh } from './index.js';
import { parseBvh } from './parse-bvh.js';

const files = allFiles(/\.bvh$/);

/** A file of one root and one joint, with what a test wants to change. */
function file(
  change: { root?: string; joint?: string; channels?: string; motion?: string; frames?: string } = {},
): string {
  return [
    'HIERARCHY',
    `ROOT ${change.root ?? 'Hips'}`,
    '{',
    '  OFFSET 0 0 0',
    '  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation',
    `  JOINT ${change.joint ?? 'Spine'}`,
    '  {',
    '    OFFSET 0 10 0',
    `    CHANNELS ${change.channels ?? '3 Zrotation Xrotation Yrotation'}`,
    '    End Site',
    '    {',
    '      OFFSET 0 5 0',
    '    }',
    '  }',
    '}',
    'MOTION',
    change.frames ?? 'Frames: 2\nFrame Time: 0.5',
    change.motion ?? '1 2 3 0 0 0 10 20 30\n4 5 6 0 0 0 40 50 60',
    '',
  ].join('\n');
}

function only(scene: Scene): { skeleton: Skeleton; clip: Clip } {
  expect(scene.characters).toHaveLength(1);
  const { skeleton, clips } = scene.characters[0]!;
  expect(clips).toHaveLength(1);
  return { skeleton, clip: clips[0]! };
}

function track(scene: Scene, joint: number, channel: 'rotation' | 'translation') {
  return only(scene).clip.tracks.find((t) => t.joint === joint && t.channel === channel);
}

const codes = (scene: Scene) => scene.warnings.map((warning) => warning.code);

/** Rotation by the definition: the product of the axes' turns in the order given, degrees. */
function product(turns: [axis: 'X' | 'Y' | 'Z', degrees: number][]): Float64Array {
  const q = Float64Array.of(0, 0, 0, 1);
  for (const [axis, degrees] of turns) {
    const half = (degrees * Math.PI) / 360;
    const turn = Float64Array.of(0, 0, 0, Math.cos(half));
    turn['XYZ'.indexOf(axis)] = Math.sin(half);
    multiplyQuaternions(q, 0, q, 0, turn, 0);
  }
  return q;
}

/** Model positions of all joints at a time, with the root's taken off unless asked for. */
function positionsAt({ skeleton, clip }: { skeleton: Skeleton; clip: Clip }, time: number): Float64Array {
  const pose = copyPose(skeleton.rest);
  sampleClip(pose, clip, time);
  const model = createModelPose(skeleton.names.length);
  localToModel(model, skeleton, pose);
  return Float64Array.from(
    { length: 3 * skeleton.names.length },
    (_, n) => model.matrices[16 * Math.floor(n / 3) + 12 + (n % 3)]!,
  );
}

describe('readBvh: a plain file', () => {
  const scene = readBvh(file(), { name: 'take' });
  const { skeleton, clip } = only(scene);

  it('has the hierarchy, with end sites as joints (W2)', () => {
    expect(skeleton.names).toEqual(['Hips', 'Spine', 'Spine_end']);
    expect(Array.from(skeleton.parents)).toEqual([-1, 0, 1]);
    expect(Array.from(skeleton.flags)).toEqual([JOINT, JOINT, END]);
    expect(Array.from(skeleton.fileIndices)).toEqual([0, 1, 2]);
    expect(Array.from(skeleton.rest.translations)).toEqual([0, 0, 0, 0, 10, 0, 0, 5, 0]);
    expect(Array.from(skeleton.rest.rotations)).toEqual([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]);
  });

  it('says nothing of axes and unit, since the file does not, but that it is a capture', () => {
    expect(skeleton.declared).toEqual({ up: null, facing: null, unit: null, capture: true });
    expect(scene.format).toBe('bvh');
    expect(scene.warnings).toEqual([]);
  });

  it('has one clip of local tracks at the frames (W1)', () => {
    expect(clip.name).toBe('take');
    expect(clip.duration).toBe(0.5);
    for (const { times, interpolation } of clip.tracks) {
      expect(Array.from(times)).toEqual([0, 0.5]);
      expect(interpolation).toBe('linear');
    }
    expect(Array.from(track(scene, 0, 'translation')!.values)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(track(scene, 1, 'translation')).toBeUndefined();
  });

  it('is called motion where no name is given', () => {
    expect(only(readBvh(file())).clip.name).toBe('motion');
  });

  it('reads the same from bytes, text, with CRLF, tabs, blank lines, a byte order mark and in UTF-16', () => {
    const text = file();
    const utf16 = new Uint8Array(2 + 2 * text.length);
    utf16.set([0xff, 0xfe]);
    for (let i = 0; i < text.length; i++) utf16[2 + 2 * i] = text.charCodeAt(i);
    const expected = readBvh(text);
    for (const variant of [
      new TextEncoder().encode(text),
      text.replaceAll('\n', '\r\n'),
      text.replaceAll(' ', '\t'),
      `\n\n${text.replaceAll('\n', '\n\n \n')}\n\n`,
      `\ufeff${text}`,
      text.replaceAll(/\s*\n\s*\{/g, ' {'),
      text.replaceAll('JOINT', 'Joint').replaceAll('OFFSET', 'Offset').replace('MOTION', 'Motion'),
      utf16,
    ]) {
      const scene = readBvh(variant);
      expect(scene.warnings).toEqual([]);
      expect(scene.characters).toEqual(expected.characters);
    }
  });
});

describe('readBvh: channels', () => {
  it.each(['XYZ', 'XZY', 'YXZ', 'YZX', 'ZXY', 'ZYX', 'ZXZ', 'XYX'])(
    'multiplies %s in the order of the file (S22)',
    (order) => {
      const axes = [...order] as ('X' | 'Y' | 'Z')[];
      const scene = readBvh(file({ channels: `3 ${axes.map((axis) => `${axis}rotation`).join(' ')}` }));
      const { values } = track(scene, 1, 'rotation')!;
      const expected = product([
        [axes[0]!, 10],
        [axes[1]!, 20],
        [axes[2]!, 30],
      ]);
      expect(quaternionAngle(values, 0, expected, 0)).toBeLessThan(1e-6);
    },
  );

  it('takes rotations before positions, and few or no channels', () => {
    const text = file({ channels: '1 Yrotation', motion: '30 0 0 1 2 3 90\n0 0 0 4 5 6 0' }).replace(
      'Xposition Yposition Zposition Zrotation Xrotation Yrotation',
      'Zrotation Xrotation Yrotation Xposition Yposition Zposition',
    );
    const scene = readBvh(text);
    expect(Array.from(track(scene, 0, 'translation')!.values)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(quaternionAngle(track(scene, 0, 'rotation')!.values, 0, product([['Z', 30]]), 0)).toBeLessThan(
      1e-6,
    );
    expect(quaternionAngle(track(scene, 1, 'rotation')!.values, 0, product([['Y', 90]]), 0)).toBeLessThan(
      1e-6,
    );
    expect(track(readBvh(file({ channels: '0', motion: '1 2 3 0 0 0\n4 5 6 0 0 0' })), 1, 'rotation')).toBe(
      undefined,
    );
  });

  it('keeps quaternions continuous where angles wrap', () => {
    const wrapped = (degrees: number) => ((degrees + 180) % 360) - 180;
    const frames = Array.from(
      { length: 100 },
      (_, k) => `0 0 0 ${wrapped(20 * k)} 0 0 0 0 ${-wrapped(17 * k)}`,
    );
    const scene = readBvh(file({ frames: 'Frames: 100\nFrame Time: 0.1', motion: frames.join('\n') }));
    for (const { channel, values } of only(scene).clip.tracks)
      if (channel === 'rotation')
        for (let k = 4; k < values.length; k += 4)
          expect(
            values[k - 4]! * values[k]! +
              values[k - 3]! * values[k + 1]! +
              values[k - 2]! * values[k + 2]! +
              values[k - 1]! * values[k + 3]!,
          ).toBeGreaterThan(0);
  });

  const withPositions = '6 Xposition Yposition Zposition Zrotation Xrotation Yrotation';

  it('lets positions of a joint that are near its OFFSET replace it', () => {
    const scene = readBvh(
      file({ channels: withPositions, motion: '0 0 0 0 0 0 0.5 10.5 0 0 0 0\n0 0 0 0 0 0 0 11 0 0 0 0' }),
    );
    expect(Array.from(track(scene, 1, 'translation')!.values)).toEqual([0.5, 10.5, 0, 0, 11, 0]);
  });

  it('adds positions of a joint that are near zero to its OFFSET', () => {
    const scene = readBvh(
      file({ channels: withPositions, motion: '0 0 0 0 0 0 0.5 0.5 0 0 0 0\n0 0 0 0 0 0 0 1 0 0 0 0' }),
    );
    expect(Array.from(track(scene, 1, 'translation')!.values)).toEqual([0.5, 10.5, 0, 0, 11, 0]);
  });

  it('has no track where a joint stays at its OFFSET, the root excepted', () => {
    const scene = readBvh(
      file({ channels: withPositions, motion: '0 0 0 0 0 0 0 10 0 0 0 0\n0 0 0 0 0 0 0 10 0 0 0 0' }),
    );
    expect(track(scene, 1, 'translation')).toBeUndefined();
    expect(track(scene, 0, 'translation')).toBeDefined();
  });

  it('keeps the OFFSET on axes without a position channel', () => {
    const scene = readBvh(file({ channels: '1 Xposition', motion: '0 0 0 0 0 0 1\n0 0 0 0 0 0 2' }));
    expect(Array.from(track(scene, 1, 'translation')!.values)).toEqual([1, 10, 0, 2, 10, 0]);
  });

  /** A body with legs below a root whose OFFSET is its height, 9 over the floor. */
  const standing = (...heights: number[]) =>
    readBvh(
      `HIERARCHY ROOT Hips { OFFSET 0 9 0 CHANNELS 3 Xposition Yposition Zposition JOINT Foot { OFFSET 0 -9 0 } }
       MOTION Frames: ${heights.length} Frame Time: 0.1 ${heights.map((y) => `5 ${y} 0`).join('\n')}`,
    );
  const rootHeights = (scene: Scene) =>
    Array.from(track(scene, 0, 'translation')!.values).filter((_, n) => n % 3 === 1);

  it('lets absolute positions of the root replace its OFFSET, and adds those that start from it', () => {
    expect(rootHeights(standing(9, 9.5, 8))).toEqual([9, 9.5, 8]);
    expect(rootHeights(standing(0, 0.5, -1))).toEqual([9, 9.5, 8]);
    // Someone who jumps down by their own hip height at the end of the take.
    expect(rootHeights(standing(10, 10, 10, 10, 0))).toEqual([10, 10, 10, 10, 0]);
  });

  it('does not move a take whose OFFSET is the place of its first frame', () => {
    const takes = (z: number) =>
      readBvh(
        `HIERARCHY ROOT Hips { OFFSET 170 90 -500 CHANNELS 3 Xposition Yposition Zposition JOINT Foot { OFFSET 0 -90 0 } }
         MOTION Frames: 3 Frame Time: 0.1
         170 90 -500
         100 91 -10
         20 89 ${z}`,
      );
    for (const z of [-100, 0, 300, 480])
      expect(Array.from(track(takes(z), 0, 'translation')!.values)).toEqual([
        170,
        90,
        -500,
        100,
        91,
        -10,
        20,
        89,
        z,
      ]);
  });

  it('does not lift someone who lies on the floor', () => {
    const lying = readBvh(
      `HIERARCHY ROOT Hips { OFFSET 0 9 0 CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
       JOINT Foot { OFFSET 0 -9 0 } } MOTION Frames: 2 Frame Time: 0.1
       0 1 0 0 90 0
       0 1.2 0 0 90 0`,
    );
    expect(rootHeights(lying).map((y) => Number(y.toFixed(4)))).toEqual([1, 1.2]);
  });

  it('gives every ROOT its own character', () => {
    const one = file().split('MOTION')[0]!;
    const two = one.replaceAll('Hips', 'Other').replace('HIERARCHY', '');
    const scene = readBvh(
      `${one}${two}MOTION\nFrames: 1\nFrame Time: 0.1\n${[1, 2, 3, 0, 0, 0, 0, 0, 0, 7, 8, 9, 0, 0, 0, 0, 0, 0].join(' ')}`,
    );
    expect(scene.characters.map(({ skeleton }) => skeleton.names[0])).toEqual(['Hips', 'Other']);
    expect(Array.from(scene.characters[1]!.skeleton.fileIndices)).toEqual([3, 4, 5]);
    expect(Array.from(scene.characters[1]!.clips[0]!.tracks[0]!.values)).toEqual([7, 8, 9]);
  });
});

describe('readBvh: names', () => {
  it.each(['mixamorig:Hips', 'Bip01 L Thigh', 'spine.001', '腰', 'Hüfte', 'a:b c.d-e_f|g', ''])(
    'keeps "%s" as it is',
    (name) => {
      const scene = readBvh(file({ joint: name }));
      expect(only(scene).skeleton.names.slice(1)).toEqual([name, `${name}_end`]);
      expect(readBvh(file({ joint: name }).replaceAll('\n', '\r\n')).characters).toEqual(scene.characters);
    },
  );

  it('reads names that are not UTF-8 as Latin letters', () => {
    const bytes = new TextEncoder().encode(file({ joint: 'H?fte' }));
    bytes[bytes.indexOf(63)] = 0xfc;
    expect(only(readBvh(bytes)).skeleton.names[1]).toBe('Hüfte');
  });

  it('warns once of names that repeat (R11)', () => {
    expect(codes(readBvh(file({ joint: 'Hips' })))).toEqual(['name-duplicate']);
  });

  it('tells several end sites of one joint apart', () => {
    const text = file().replace('End Site', 'End Site\n{\nOFFSET 1 1 1\n}\nEnd Site');
    expect(only(readBvh(text)).skeleton.names).toEqual(['Hips', 'Spine', 'Spine_end', 'Spine_end2']);
  });
});

describe('readBvh: numbers', () => {
  it.each([
    '1',
    '-1',
    '+1',
    '.5',
    '-.5',
    '5.',
    '1e3',
    '1E-3',
    '-2.5e+2',
    '0.1',
    '123456.789012345678901234567890',
    '1e30',
    '5e-324',
    '9007199254740993',
    '0.30000000000000004',
    '0.665970495870581445',
    '1e-400',
    '00012.5000',
  ])('reads %s as the language does', (text) => {
    const scene = readBvh(file({ motion: `${text} 0 0 0 0 0 0 0 0\n0 0 0 0 0 0 0 0 0` }));
    expect(track(scene, 0, 'translation')!.values[0]).toBe(Math.fround(Number(text)));
    const { values } = parseBvh(new TextEncoder().encode(file({ motion: `0 ${text} 0 0 0 0 0 0 0` })));
    expect(values[1]).toBe(Number(text));
    // OFFSETs are kept as doubles.
    const offset = readBvh(file().replace('OFFSET 0 10 0', `OFFSET 0 ${text} 0`));
    expect(only(offset).skeleton.rest.translations[4]).toBe(Number(text));
  });

  it.each(['nan', 'NaN', '-nan(ind)', 'inf', '-Infinity', '1.#QNAN', '-1.#IND00', '1e999', '1e300'])(
    'replaces %s by the value before it, or 0 (R11)',
    (text) => {
      const scene = readBvh(file({ motion: `${text} 2 3 0 0 0 0 0 0\n4 ${text} 6 0 0 0 0 0 0` }));
      expect(Array.from(track(scene, 0, 'translation')!.values)).toEqual([0, 2, 3, 4, 2, 6]);
      expect(codes(scene)).toEqual(['value-not-finite']);
    },
  );

  it('reads decimal commas, with a warning', () => {
    const scene = readBvh(
      file({ motion: '1,5 2 3 0 0 0 0 0 0\n4 5 6 0 0 0 0 0 0', frames: 'Frames: 2\nFrame Time: 0,5' }),
    );
    expect(track(scene, 0, 'translation')!.values[0]).toBe(1.5);
    expect(only(scene).clip.duration).toBe(0.5);
    expect(codes(scene)).toEqual(['file-repaired']);
  });
});

describe('readBvh: files that break their format', () => {
  const frameCount = (scene: Scene) => scene.characters[0]!.clips[0]?.tracks[0]?.times.length ?? 0;
  const nine = '1 2 3 0 0 0 10 20 30';

  it.each([
    ['Frames: 2\nFrame Time: 0.5', 0.5, 0],
    ['Frames:2\nFrame Time:0.5', 0.5, 0],
    ['frames  :\t2\nFRAME   TIME :   .5', 0.5, 0],
    ['Frames 2\nFrameTime 0.5', 0.5, 0],
    ['Frame Time: 0.5\nFrames: 2', 0.5, 0],
    ['Frames: 2 Frame Time: 5e-1', 0.5, 0],
    ['Frames: 2\nFrame Time: 0', 1 / 30, 1],
    ['Frames: 2\nFrame Time: -1', 1 / 30, 1],
    ['Frames: 2\nFrame Time: 1e300', 1 / 30, 1],
    ['Frames: 2\nFrame Time: nan', 1 / 30, 1],
    ['Frames: 2\nFrame Time:', 1 / 30, 1],
    ['Frames: 2', 1 / 30, 1],
  ])('reads %j', (frames, frameTime, warnings) => {
    const scene = readBvh(file({ frames }));
    expect(scene.warnings).toHaveLength(warnings);
    // Without a value after `Frame Time:` the first number of the motion must not be taken for it.
    expect(Array.from(track(scene, 0, 'translation')!.values)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(only(scene).clip.duration).toBeCloseTo(frameTime, 12);
  });

  it.each([
    ['more frames than promised', `${nine}\n${nine}\n${nine}`, 3],
    ['fewer', nine, 1],
    ['a cut-off last frame', `${nine}\n${nine}\n1 2`, 2],
    ['a cut-off frame alone', '1 2 3', 0],
    ['none', '', 0],
  ])('takes what is whole of %s', (_, motion, frames) => {
    const scene = readBvh(file({ motion }));
    expect(frameCount(scene)).toBe(frames);
    expect(codes(scene)).toContain('file-repaired');
    expect(codes(scene).includes('clip-empty')).toBe(frames === 0);
  });

  it('reads frames that are wrapped over lines, or all in one', () => {
    const expected = readBvh(file()).characters;
    for (const motion of [
      '1 2 3 0 0\n0 10 20 30\n4 5 6 0 0 0 40\n50 60',
      '1 2 3 0 0 0 10 20 30 4 5 6 0 0 0 40 50 60',
    ]) {
      const scene = readBvh(file({ motion }));
      expect(scene.characters).toEqual(expected);
      expect(scene.warnings).toEqual([]);
    }
  });

  it('repeats the frame before where a line lacks values, so that time does not slip', () => {
    const scene = readBvh(
      file({
        frames: 'Frames: 4\nFrame Time: 1',
        motion: '1 0 0 0 0 0 0 0 0\n2 0 0 0\n3 0 0 0 0 0 0 0 0 99\n4 0 0 0 0 0 0 0 0',
      }),
    );
    const { values } = track(scene, 0, 'translation')!;
    expect([0, 3, 6, 9].map((n) => values[n])).toEqual([1, 1, 3, 4]);
    expect(codes(scene)).toEqual(['file-repaired']);
  });

  it('stops where the motion is no longer numbers', () => {
    const scene = readBvh(file({ motion: `${nine}\n${nine}\nend of capture` }));
    expect(frameCount(scene)).toBe(2);
    expect(scene.warnings[0]!.message).toContain('line 21');
  });

  it.each([
    ['a missing OFFSET', file().replace('    OFFSET 0 10 0\n', '')],
    ['missing } before MOTION', file().replace('}\nMOTION', 'MOTION')],
    ['a } too many', file().replace('}\nMOTION', '}\n}\nMOTION')],
    ['a count of channels that is too low', file({ channels: '2 Zrotation Xrotation Yrotation' })],
    ['a count of channels that is too high', file({ channels: '6 Zrotation Xrotation Yrotation' })],
    ['no count of channels', file({ channels: 'Zrotation Xrotation Yrotation' })],
    ['JOINT for ROOT', file().replace('ROOT', 'JOINT')],
  ])('reads around %s', (_, text) => {
    const scene = readBvh(text);
    expect(codes(scene)).toEqual(['file-repaired']);
    expect(frameCount(scene)).toBe(2);
    expect(only(scene).skeleton.names).toEqual(['Hips', 'Spine', 'Spine_end']);
  });

  it('reads past channels that BVH does not know', () => {
    const scene = readBvh(
      file({ channels: '2 Xscale Zrotation', motion: '1 2 3 0 0 0 1.5 90\n4 5 6 0 0 0 1.5 90' }),
    );
    expect(codes(scene)).toEqual(['feature-ignored']);
    expect(quaternionAngle(track(scene, 1, 'rotation')!.values, 0, product([['Z', 90]]), 0)).toBeLessThan(
      1e-6,
    );
  });

  it('reads a skeleton without end sites, and one without MOTION', () => {
    expect(only(readBvh(file().replace(/End Site[^}]*\}/, ''))).skeleton.names).toEqual(['Hips', 'Spine']);
    const still = readBvh(file().split('MOTION')[0]!);
    expect(still.characters[0]!.clips).toEqual([]);
    expect(codes(still)).toEqual(['file-repaired', 'clip-empty']);
  });

  it.each([
    ['', 'line 1', /an empty file/],
    ['glTF\u0002\u0000', 'line 1', /"glTF/],
    ['HIERARCHY\nMOTION\n', 'line 2', /no joints/],
    ['HIERARCHY\nROOT Hips\nOFFSET 0 0 0', 'line 3', /"OFFSET".*\{/],
    ['HIERARCHY\nROOT Hips\n{\nOFFSET 0 x 0', 'line 4', /"x".*three numbers/],
    ['HIERARCHY\nROOT Hips\n{\nOFFSET 0 0 0\nJOINT Spine\n{', 'line 6', /the end of the file.*"Spine"/],
    ['HIERARCHY\nROOT Hips\n{\nOFSET 0 0 0', 'line 4', /"OFSET"/],
    ['HIERARCHY\nEnd Site\n{\n}', 'line 2', /End Site outside/],
    [`HIERARCHY\n${'JOINT a\n{\n'.repeat(2000)}`, 'line 2050', /1024/],
    [`HIERARCHY ROOT a { ${'JOINT b { } '.repeat(33000)} }`, 'line 1', /at most 10000/],
  ])('refuses a broken hierarchy with the line: %j', (text, at, message) => {
    let error: unknown;
    try {
      readBvh(text);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(FormatError);
    expect((error as FormatError).format).toBe('BVH');
    expect((error as FormatError).at).toBe(at);
    expect((error as FormatError).message).toMatch(message);
  });

  it('does not believe a number of frames that the file cannot hold', () => {
    const scene = readBvh(file({ frames: 'Frames: 999999999999\nFrame Time: 0.5' }));
    expect(frameCount(scene)).toBe(2);
    expect(frameCount(readBvh(file({ frames: 'Frames: 1e308\nFrame Time: 0.5' })))).toBe(2);
    expect(frameCount(readBvh(file({ frames: 'Frames: -5\nFrame Time: 0.5' })))).toBe(2);
  });
});

describe('the bvh format', () => {
  it('reads bytes that it recognises', async () => {
    const bytes = new TextEncoder().encode(file());
    expect(bvh.sniff(bytes)).toBe(true);
    expect((await bvh.read(bytes, { name: 'x' })).name).toBe('x');
    await expect(bvh.read(new Uint8Array(0), {})).rejects.toBeInstanceOf(FormatError);
  });
});

describe('readBvh: our files, and real ones where they are', () => {
  it.each(files)('%s: joints are where three puts them', (path) => {
    const text = readFileSync(pathOf(path), 'utf8');
    const ours = only(readBvh(text));
    const loader = new BVHLoader();
    // three adds position channels to the OFFSET in every file, which doubles the bones of exports that
    // repeat the OFFSET in their frames; without those channels it places their joints rightly.
    loader.animateBonePositions = !/Geno|alien|neuron/.test(path);
    // A colon in a joint's name keeps three from finding it.
    const theirs = loader.parse(text.replaceAll('mixamorig:', 'mixamorig'));
    const root = theirs.skeleton.bones[0]!;
    const mixer = new AnimationMixer(root);
    mixer.clipAction(theirs.clip).play();
    const { names } = ours.skeleton;
    expect(names.length).toBe(theirs.skeleton.bones.length);
    const at = new Vector3();
    for (let k = 0; k < 10; k++) {
      const time = (ours.clip.duration * k) / 10;
      mixer.setTime(time);
      root.updateMatrixWorld(true);
      const rootAt = new Vector3().setFromMatrixPosition(root.matrixWorld);
      const positions = positionsAt(ours, time);
      let height = 0;
      for (let i = 0; i < names.length; i++)
        height = Math.max(height, Math.hypot(...[0, 1, 2].map((c) => positions[3 * i + c]! - positions[c]!)));
      theirs.skeleton.bones.forEach((bone, i) => {
        at.setFromMatrixPosition(bone.matrixWorld).sub(rootAt);
        const away = Math.hypot(
          positions[3 * i]! - positions[0]! - at.x,
          positions[3 * i + 1]! - positions[1]! - at.y,
          positions[3 * i + 2]! - positions[2]! - at.z,
        );
        expect(away).toBeLessThan(1e-3 * height);
      });
    }
  });

  it.each(
    present([
      ['samples/captures/walk-mixamo.bvh', 1],
      ['samples/captures/walk-rokoko.bvh', 1],
      ['samples/captures/kneel-lafan1.bvh', 1],
      ['misc/performs_mixamorig_Idle.bvh', 1],
      ['makehuman/walk1.bvh', 2],
    ] as const),
  )('%s: the root starts from its OFFSET, and the feet are on the floor', (path, up) => {
    const ours = only(readBvh(readFileSync(pathOf(path))));
    const heights = positionsAt(ours, 0).filter((_, n) => n % 3 === up);
    const low = Math.min(...heights);
    expect(Math.abs(low)).toBeLessThan(0.1 * (Math.max(...heights) - low));
  });

  it.skipIf(!hasData)(
    'keeps bones at their length where positions of all joints are near zero (needs ../shared/data)',
    () => {
      const { skeleton, clip } = only(readBvh(readFileSync(pathOf('makehuman/tpose.bvh'))));
      const positions = positionsAt({ skeleton, clip }, 0);
      const { translations } = skeleton.rest;
      for (let i = 1; i < skeleton.names.length; i++) {
        const p = skeleton.parents[i]!;
        const length = Math.hypot(...[0, 1, 2].map((c) => positions[3 * i + c]! - positions[3 * p + c]!));
        const rest = Math.hypot(...[0, 1, 2].map((c) => translations[3 * i + c]!));
        // Ten of the facial joints are moved by up to a tenth of a unit in the file itself.
        expect(Math.abs(length - rest)).toBeLessThan(0.2);
      }
    },
  );

  it.each(files)('%s: mutated and cut-off bytes give a scene or a FormatError (fuzz)', (path) => {
    const whole = new Uint8Array(readFileSync(pathOf(path)));
    // The beginning of long takes: the hierarchy and some hundred frames.
    const bytes = whole.subarray(0, Math.max(60_000, whole.indexOf(77) + 40_000));
    let seed = 0x9e3779b9 ^ path.length;
    const random = (below: number) => {
      seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
      return Math.floor((seed / 2 ** 32) * below);
    };
    const tokens = [
      '{',
      '}',
      'JOINT',
      'ROOT x',
      'End Site',
      'OFFSET',
      'CHANNELS 99',
      'MOTION',
      'Frames: 1e9',
      'nan',
      '-',
      '\n',
      '\u0000',
      '1e400',
      ',',
    ];
    for (let round = 0; round < 60; round++) {
      let mutant = bytes.slice(0, round % 3 === 0 ? random(bytes.length) : bytes.length);
      const changes = 1 + random(8);
      for (let n = 0; n < changes && mutant.length > 0; n++) {
        // Half of the changes go into the hierarchy, which is the smaller part of most files.
        const at = random(random(2) ? mutant.length : Math.min(mutant.length, 4000));
        const kind = random(3);
        if (kind === 0) mutant[at] = random(256);
        else {
          const insert =
            kind === 1
              ? new TextEncoder().encode(` ${tokens[random(tokens.length)]} `)
              : mutant.slice(at, at + random(300));
          const cut = random(2) ? random(200) : 0;
          const next = new Uint8Array(at + insert.length + Math.max(0, mutant.length - at - cut));
          next.set(mutant.subarray(0, at));
          next.set(insert, at);
          next.set(mutant.subarray(Math.min(mutant.length, at + cut)), at + insert.length);
          mutant = next;
        }
      }
      try {
        const scene = readBvh(mutant);
        for (const { skeleton, clips } of scene.characters) {
          expect(skeleton.rest.translations.every(Number.isFinite)).toBe(true);
          for (const clip of clips) {
            expect(Number.isFinite(clip.duration)).toBe(true);
            for (const { values, joint } of clip.tracks) {
              expect(joint).toBeLessThan(skeleton.names.length);
              expect(values.every(Number.isFinite)).toBe(true);
            }
          }
        }
      } catch (error) {
        if (!(error instanceof FormatError)) throw error;
        expect(error.message.length).toBeLessThan(400);
      }
    }
  });
});
