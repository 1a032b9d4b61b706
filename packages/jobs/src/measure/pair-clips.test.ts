import { UsageError } from '@stuntdouble/core';
import { describe, expect, it } from 'vitest';
import { pairClips } from './pair-clips.js';

describe('pairClips', () => {
  it('pairs by name, and a name that was taken by what it was before', () => {
    const { pairs, alone } = pairClips(['walk', 'run'], ['idle', 'walk (2)', 'run']);
    expect(pairs).toEqual([
      ['walk', 'walk (2)'],
      ['run', 'run'],
    ]);
    expect(alone).toEqual({ source: [], result: ['idle'] });
  });

  it('leaves out a clip that the target had of that name, and names it: the last came from the source', () => {
    const { pairs, alone } = pairClips(['walk', 'run'], ['walk', 'walk (2)', 'walk (10)']);
    expect(pairs).toEqual([['walk', 'walk (10)']]);
    expect(alone.result).toEqual(['walk', 'walk (2)']);
  });

  it('takes a real name with a number in brackets for what it is', () => {
    expect(pairClips(['walk (2)', 'walk'], ['walk (2)', 'x']).pairs).toEqual([['walk (2)', 'walk (2)']]);
  });

  it('pairs the only clip of each whatever they are called', () => {
    expect(pairClips(['Take 001'], ['mixamo.com']).pairs).toEqual([['Take 001', 'mixamo.com']]);
  });

  it('follows the user, also where a name holds an equals sign', () => {
    expect(pairClips(['a', 'b'], ['x', 'y'], ['a=y']).pairs).toEqual([['a', 'y']]);
    expect(pairClips(['a=b', 'c'], ['c=d', 'e'], ['a=b=c=d']).pairs).toEqual([['a=b', 'c=d']]);
    expect(pairClips(['a', 'b'], ['a', 'y'], ['a']).pairs).toEqual([['a', 'a']]);
  });

  it('says what is there where nothing fits', () => {
    expect(() => pairClips(['a', 'b'], ['x', 'y'])).toThrow(UsageError);
    expect(() => pairClips(['a', 'b'], ['x', 'y'], ['c=x'])).toThrow(/no clip "c"; it has "a", "b"/);
    expect(() => pairClips(['a', 'b'], ['x', 'y'], ['a=z'])).toThrow(/no clip "z"; it has "x", "y"/);
  });
});
