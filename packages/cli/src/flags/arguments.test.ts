import { secondsOfRange } from '@stuntdouble/jobs';
import { InvalidArgumentError } from 'commander';
import { describe, expect, it } from 'vitest';
import {
  collect,
  parseAlignment,
  parseChoice,
  parseClipPair,
  parseLimit,
  parseLook,
  parsePasses,
  parsePositive,
  parseRange,
  parseReference,
  parseRoot,
  parseRootScale,
  parseSpacing,
} from './arguments.js';

describe('arguments', () => {
  it('refuses what cannot be meant', () => {
    for (const text of ['', '=b', 'a=']) expect(() => parseClipPair(text)).toThrow(InvalidArgumentError);
    for (const text of ['', ' ', '0', '-1', 'x', 'NaN', 'Infinity', '1e999', '1,5'])
      expect(() => parsePositive(text), text).toThrow(InvalidArgumentError);
    for (const text of ['', ':', '1', '1:2:3', 'a:b', '-1:2', '1.5f:3f', '1f:x', 'NaN:1'])
      expect(() => parseRange(text), text).toThrow(InvalidArgumentError);
    for (const text of ['', 'Rest', 'frame:', 'frame:-1', 'frame:x', 'walk@', '@1', 'walk@x'])
      expect(() => parseReference(text), text).toThrow(InvalidArgumentError);
    for (const text of ['', 'leftArm', 'leftArm=', 'leftarm=keep', 'tail=keep', 'leftArm=Keep'])
      expect(() => parseAlignment(text), text).toThrow(InvalidArgumentError);
    for (const text of ['', '0', '1,0', '1,2,3,4', 'a,b', '1,'])
      expect(() => parseRootScale(text), text).toThrow(InvalidArgumentError);
    for (const text of ['', 'copy', 'copyRotations,', 'moveRoot copyRotations'])
      expect(() => parsePasses(text), text).toThrow(InvalidArgumentError);
    for (const text of ['', '2', '0.1,0.2,0.3', 'x', '0.1,', '-1.1'])
      expect(() => parseSpacing(text), text).toThrow(InvalidArgumentError);
    for (const text of ['', 'joints', 'joints=', 'joints=x', 'joints=0', 'bites=5', 'toString=5'])
      expect(() => parseLimit(text), text).toThrow(InvalidArgumentError);
    expect(() => parseLook(' ')).toThrow(InvalidArgumentError);
    expect(() => parseChoice(['keep', 'extract'])('inplace')).toThrow(/keep, extract/);
  });

  it('adds limits to those given before', () => {
    expect(parseLimit('keys=1e3', parseLimit('joints=20000'))).toEqual({ joints: 20_000, keys: 1000 });
  });

  it('takes a range in seconds or in frames of the clip, open on either side', () => {
    const seconds = (text: string) => secondsOfRange(parseRange(text), 4, 30);
    expect(seconds('0.5:2')).toEqual([0.5, 2]);
    expect(seconds('0.5s:2s')).toEqual([0.5, 2]);
    expect(seconds('15f:60f')).toEqual([0.5, 2]);
    expect(seconds('15f:2')).toEqual([0.5, 2]);
    expect(seconds('1:')).toEqual([1, 4]);
    expect(seconds(':.5')).toEqual([0, 0.5]);
  });

  it('W20, W21: takes spacing for arms or both, and a look at a point or a joint', () => {
    expect(parseSpacing('0.2')).toEqual({ arms: 0.2, legs: 0 });
    expect(parseSpacing('-0.5, 1')).toEqual({ arms: -0.5, legs: 1 });
    expect(parseLook('0,1.6,-5')).toEqual({ point: [0, 1.6, -5] });
    expect(parseLook('leftHand')).toEqual({ joint: 'leftHand' });
    expect(parseLook('a,b,c')).toEqual({ joint: 'a,b,c' });
  });

  it('takes a reference pose by name, by frame, or by an instant of a clip, whose name may hold an @', () => {
    expect(parseReference('auto')).toBe('auto');
    expect(parseReference('bind')).toBe('bind');
    expect(parseReference('frame:12')).toEqual({ frame: 12 });
    expect(parseReference('walk@0.25')).toEqual({ clip: 'walk', time: 0.25 });
    expect(parseReference('walk@7f')).toEqual({ clip: 'walk', frame: 7 });
    expect(parseReference('me@home@1')).toEqual({ clip: 'me@home', time: 1 });
  });

  it('adds limbs to those given before, one or several at once', () => {
    const first = parseAlignment('leftArm=keep');
    expect(first).toEqual({ leftArm: 'keep' });
    expect(parseAlignment('legs=bones', first)).toEqual({
      leftArm: 'keep',
      leftLeg: 'bones',
      rightLeg: 'bones',
    });
    expect(Object.keys(parseAlignment('fingers=keep'))).toHaveLength(10);
    expect(first).toEqual({ leftArm: 'keep' });
  });

  it('takes one root scale for both ways, or two', () => {
    expect(parseRootScale('0.9')).toEqual({ horizontal: 0.9, vertical: 0.9 });
    expect(parseRootScale('0.9,1.1')).toEqual({ horizontal: 0.9, vertical: 1.1 });
  });

  it('takes passes by name and clips one by one', () => {
    expect(parsePasses('copyRotations, moveRoot')).toEqual(['copyRotations', 'moveRoot']);
    expect(collect('b', collect('a'))).toEqual(['a', 'b']);
  });

  it('K19: takes what the hips take over, and how far their way is scaled', () => {
    expect(parseRoot('both')).toEqual({ copyPosition: true, copyRotation: true });
    expect(parseRoot('position, 0.5')).toEqual({
      copyPosition: true,
      copyRotation: false,
      positionScale: 0.5,
    });
    expect(parseRoot('none')).toEqual({ copyPosition: false, copyRotation: false });
    for (const odd of ['', 'hips', 'both,', 'both,2', 'both,-1', 'both,x', 'both,0,1', 'rotation,1'])
      expect(() => parseRoot(odd), odd).toThrow(InvalidArgumentError);
  });
});
