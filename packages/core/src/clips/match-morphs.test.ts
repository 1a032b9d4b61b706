import { describe, expect, it } from 'vitest';
import type { MorphTrack } from '../scene/clip.js';
import { checkMorphMap, matchMorphs } from './match-morphs.js';

const track = (mesh: string, morph: string): MorphTrack => ({
  mesh,
  morph,
  interpolation: 'cubic',
  times: Float32Array.of(0, 1),
  values: Float32Array.of(0, 0.5, 1, 1, 0.2, 0),
});
const on = (...morphs: { mesh: string; names: string[] }[]) => ({ name: 'face', morphs });
const places = (tracks: readonly MorphTrack[]) => tracks.map(({ mesh, morph }) => `${mesh}/${morph}`);

describe('matchMorphs', () => {
  it('B4: by mesh and name, and keys, times and interpolation are untouched', () => {
    const original = track('Head', 'smile');
    const { tracks, warnings } = matchMorphs(
      [original],
      on({ mesh: 'Teeth', names: ['smile'] }, { mesh: 'Head', names: ['frown', 'smile'] }),
      'clip',
    );
    expect(tracks).toEqual([original]);
    expect(tracks[0]!.values).toBe(original.values);
    expect(warnings).toEqual([]);
  });

  it('by name alone: every mesh of the face that has it, unless another track is surer of the place', () => {
    const target = on({ mesh: 'Brows', names: ['smile'] }, { mesh: 'Face', names: ['smile'] });
    expect(places(matchMorphs([track('Head', 'smile')], target, 'clip').tracks)).toEqual([
      'Brows/smile',
      'Face/smile',
    ]);
    const two = [track('Head', 'smile'), track('Face', 'smile')];
    expect(places(matchMorphs(two, target, 'clip').tracks)).toEqual(['Brows/smile', 'Face/smile']);
  });

  it('case, separators and the names of other standards do not matter', () => {
    for (const [from, to] of [
      ['EYE_BLINK_LEFT', 'eyeBlinkLeft'],
      ['eyeBlinkLeft', 'blinkLeft'],
      ['Joy', 'happy'],
      ['Sorrow', 'sad'],
      ['Fun', 'relaxed'],
      ['A', 'aa'],
      ['viseme_U', 'ou'],
      ['Blink_R', 'blinkRight'],
    ] as const) {
      const [there, back] = [
        matchMorphs([track('Head', from)], on({ mesh: '', names: ['angry', to] }), 'clip'),
        matchMorphs([track('', to)], on({ mesh: 'Head', names: ['angry', from] }), 'clip'),
      ];
      expect([places(there.tracks), places(back.tracks)]).toEqual([[`/${to}`], [`Head/${from}`]]);
    }
  });

  it('an expression moves the expression, not its meshes too', () => {
    const target = on({ mesh: 'Face', names: ['happy'] }, { mesh: '', names: ['happy'] });
    expect(places(matchMorphs([track('', 'happy')], target, 'clip').tracks)).toEqual(['/happy']);
  });

  it('the user has the last word: onto another, onto one mesh, onto none', () => {
    const target = on({ mesh: 'Face', names: ['grin', 'smile', 'jawOpen'] });
    const tracks = [track('Head', 'smile'), track('Head', 'aa'), track('Head', 'jawOpen')];
    const result = matchMorphs(tracks, target, 'clip', {
      smile: 'Face/grin',
      aa: 'jawOpen',
      'Head/jawOpen': '',
    });
    expect(places(result.tracks)).toEqual(['Face/grin', 'Face/jawOpen']);
    expect(result.warnings).toEqual([]);
    const wrong = matchMorphs([track('Head', 'smile')], target, 'clip', { smile: 'nose' });
    expect(wrong.tracks).toEqual([]);
    expect(wrong.warnings.map(({ code }) => code)).toEqual(['map-entry-ignored']);
  });

  it('what has no counterpart is left out and named; a wrong answer would be worse', () => {
    const { tracks, warnings } = matchMorphs(
      [track('Head', 'jawOpen'), track('Head', ''), track('Head', '…')],
      on({ mesh: '', names: ['aa', '', '???'] }, { mesh: 'Body', names: ['fat'] }),
      'talk',
    );
    expect(tracks.filter(({ morph }) => morph !== '')).toEqual([]);
    expect(warnings[0]!.code).toBe('morph-dropped');
    expect(warnings[0]!.message).toMatch('"jawOpen"');
  });
});

describe('checkMorphMap', () => {
  const face = { name: 'talk', morphs: [{ mesh: 'Head', names: ['smile'] }] };
  const moves = [{ morphs: [track('', 'aa')] }];

  it('says which entries name nothing, each once, whatever they are to go onto', () => {
    const warnings = checkMorphMap({ smle: 'grin', 'Tooth/smile': '', aa: 'jawOpen' }, face, moves);
    expect(warnings.map(({ code }) => code)).toEqual(['map-entry-ignored', 'map-entry-ignored']);
    expect(warnings[0]!.message).toBe(
      'the map names morph "smle", which "talk" does not have; the entry was left out',
    );
  });

  it('is silent on what the meshes have or a clip moves, by name and by mesh and name', () => {
    const map = { smile: 'grin', 'Head/smile': 'grin', aa: 'jawOpen', '/aa': '' };
    expect(checkMorphMap(map, face, moves)).toEqual([]);
    expect(checkMorphMap({}, face, moves)).toEqual([]);
  });
});
