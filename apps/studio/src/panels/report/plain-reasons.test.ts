import { expect, it } from 'vitest';
import { partWords, plainFailure, plainReason, plainRefusal, withPartsInWords } from './plain-reasons.js';

const reasonOf = (code: string, message: string) => plainReason({ code, message });

it('body parts are said in words, and names in quotes stay as they are', () => {
  expect(partWords('leftUpperArm')).toBe('Left upper arm');
  expect(withPartsInWords('both are leftHand, "leftHand" by name')).toBe(
    'both are left hand, "leftHand" by name',
  );
});

it('what only those know who build files is said as one who animates would', () => {
  expect(
    reasonOf(
      'channel-dropped',
      '"run": 3 translation or scale channels were left out, since the joints have no counterpart on the target',
    ),
  ).toBe('Joints beside the body move in the source (3 of them), and this character has none for that.');
  expect(
    reasonOf('morph-dropped', '"talk": 2 morph tracks have no counterpart on "Robot": "happy", "blink"'),
  ).toBe('The face moves in the source ("happy", "blink"), and this character has no shape for that.');
  expect(
    reasonOf('not-human', '"Fox" has tail, paws and lacks arms or legs of a human build: no humanoid.'),
  ).toBe('"Fox" is no human body (it has tail, paws): see whether the right parts move.');
  expect(reasonOf('not-human', '"Dog" has human names but stands on four legs: no humanoid.')).toBe(
    '"Dog" is no human body: see whether the right parts move.',
  );
  expect(reasonOf('file-repaired', 'Curves were left out: a, b.')).toBe(
    'A fault in the file was read around: curves were left out: a, b.',
  );
  expect(reasonOf('feature-ignored', 'FBX lights are left out.')).toBe(
    'The file holds something that is not played here: FBX lights are left out.',
  );
});

it('all else is the engine’s own words as a sentence', () => {
  expect(reasonOf('slide', 'feet slide')).toBe('Feet slide.');
  // The clip is the one that is played.
  expect(reasonOf('constraint-missed', '"run": the goal is out of reach')).toBe('The goal is out of reach.');
});

it('a pair of which nothing matches says what to do', () => {
  expect(
    plainFailure(
      'no joint of "a" could be matched with one of "b": none in the first, hips in the second; give a map',
    ),
  ).toMatch(/press M and click/);
  expect(plainFailure('nothing to do')).toBe('Nothing to do.');
});

it('a file of another kind is told from one that is damaged, and both from one that is read in part', () => {
  const nothing = 'file, byte 0: found bytes 00 07 0e; expected glTF, FBX, BVH';
  expect(plainRefusal('notes.md', nothing)).toMatch(
    /^notes.md is neither a motion nor a character: FBX, BVH/,
  );
  expect(plainRefusal('walk.fbx', nothing)).toMatch(/^walk.fbx is damaged, or no FBX file: FBX, BVH/);
  expect(
    plainRefusal(
      'a.zip',
      'file, byte 0: found a ZIP archive; expected glTF, FBX, BVH (an archive: unpack it first)',
    ),
  ).toBe('a.zip is a ZIP archive: unpack it first.');
  expect(
    plainRefusal('a.png', 'file, byte 0: found a PNG picture; expected glTF (a character or a motion)'),
  ).toBe('a.png is a PNG picture.');
  expect(plainRefusal('a.fbx', 'file, byte 0: found an empty file; expected glTF, FBX, BVH')).toBe(
    'a.fbx is an empty file.',
  );
  expect(plainRefusal('walk.bvh', 'BVH, line 3: found "x"; expected JOINT')).toBe(
    'walk.bvh: BVH, line 3: found "x"; expected JOINT',
  );
});
