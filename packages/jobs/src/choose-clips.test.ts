import type { Clip } from '@stuntdouble/core';
import { describe, expect, it } from 'vitest';
import { clipsNamed } from './choose-clips.js';

const clip = (name: string): Clip => ({ name, duration: 1, tracks: [], morphs: [] });
const clips = ['Rig|Walk', 'Rig|Run', 'walk', 'WALK', 'Other|Run', 'Idle'].map(clip);
const chosen = (...names: string[]) => clipsNamed('a.glb', clips, names).map(({ name }) => name);

describe('clips by their names', () => {
  it('come in the order that they were asked for, each once, all if none was', () => {
    expect(chosen('Idle', 'Rig|Walk', 'Idle')).toEqual(['Idle', 'Rig|Walk']);
    expect(clipsNamed('a.glb', clips, undefined)).toEqual(clips);
  });

  it('are found by what stands behind the armature, in letters of any size, and never in place of an exact name', () => {
    expect(clipsNamed('a.glb', [clip('Rig|Walk')], ['walk'])).toHaveLength(1);
    expect(chosen('idle')).toEqual(['Idle']);
    expect(chosen('idle', 'Idle')).toEqual(['Idle']);
    expect(chosen('walk')).toEqual(['walk']);
  });

  it('are refused with those that can be meant, or with those there are', () => {
    expect(() => chosen('Run')).toThrow(
      '--clip Run: a.glb has 2 clips that can be meant, "Rig|Run", "Other|Run"; say one whole',
    );
    expect(() => chosen('Jump')).toThrow(/--clip Jump: a\.glb has no such clip; it has "Rig\|Walk"/);
  });
});
