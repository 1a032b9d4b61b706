import { describe, expect, it } from 'vitest';
import { stickFigure, sceneOf as stickScene } from '../test/stick-figure.js';
import {
  clipOf,
  createRandom,
  jointOf,
  randomClip,
  rotationTrack,
  sceneOf,
  times,
  tinyHuman,
  turn,
} from '../test/tiny-rigs.js';
import { retarget } from './retarget.js';
import type { Clip } from './scene/clip.js';

const HUMAN = tinyHuman();
const SHORT = tinyHuman({ name: 'short', legs: 0.5, armsDown: 0.6 });
const FRAMES = Array.from({ length: 31 }, (_, k) => k / 30);

describe('what is done to clips on the way in and out', () => {
  it('B14, B19: keys are repaired before anything is made of them, and that is said', () => {
    const arm = jointOf(HUMAN, 'leftUpperArm');
    const clean = FRAMES.map((t) => turn([0, 0, 1], 0.3 * t));
    const faulty = clean.map((q, k) => (k === 7 ? times(q, turn([0, 1, 0], Math.PI)) : q));
    const [a, b] = [clean, faulty].map((quats) =>
      retarget(sceneOf(HUMAN, [clipOf([rotationTrack(arm, FRAMES, quats)])]), sceneOf(SHORT), {
        repairKeys: true,
      }),
    );
    const [x, y] = [a!, b!].map(
      ({ clips }) => clips[0]!.tracks.find(({ channel }) => channel === 'rotation')!,
    );
    for (let i = 0; i < x!.values.length; i++) expect(y!.values[i]).toBeCloseTo(x!.values[i]!, 4);
    expect(a!.report.notes.map(({ code }) => code)).not.toContain('keys-repaired');
    expect(b!.report.notes.map(({ code }) => code)).toContain('keys-repaired');
  });

  it('a loop closes and keys are reduced on request, and the report says by how many', () => {
    const clip = randomClip(createRandom(4), HUMAN, { keys: 40, most: 0.02 });
    const { clips, report } = retarget(sceneOf(HUMAN, [clip]), sceneOf(SHORT), {
      loop: true,
      reduce: { position: 0.0005, angleDegrees: 0.1 },
    });
    const { before, after } = report.clips[0]!.reduced!;
    expect(after).toBeLessThan(before);
    expect(clips[0]!.tracks.reduce((sum, track) => sum + track.times.length, 0)).toBe(after);
    for (const { values, channel, joint } of clips[0]!.tracks) {
      // The hips have turned, and keep what they turned.
      if (joint === jointOf(SHORT, 'hips')) continue;
      const size = channel === 'rotation' ? 4 : 3;
      const [head, tail] = [values.slice(0, size), values.slice(-size)];
      const sign = size === 4 && head[3]! * tail[3]! < 0 ? -1 : 1;
      for (let c = 0; c < size; c++) expect(sign * tail[c]!).toBeCloseTo(head[c]!, 3);
    }
    expect(retarget(sceneOf(HUMAN, [clip]), sceneOf(SHORT)).report.clips[0]!.reduced).toBeUndefined();
  });

  it('X4: a doll that walks keeps its way where a giant does: a loop goes by the size of the body', () => {
    const walker = stickFigure();
    const hips = walker.jointOf('hips');
    const [x, y, z] = walker.skeleton.rest.translations.slice(3 * hips, 3 * hips + 3) as unknown as number[];
    const clip: Clip = {
      name: 'walk',
      duration: 1,
      morphs: [],
      tracks: [
        {
          joint: hips,
          channel: 'translation',
          interpolation: 'linear',
          times: Float32Array.of(0, 1),
          values: Float32Array.of(x!, y!, z!, x!, y! + 0.05, z! + 1),
        },
      ],
    };
    const way = (size: number) => {
      const body = stickFigure({ size });
      const source = { ...walker, clips: [clip] };
      const { clips } = retarget(stickScene(source), stickScene(body), { loop: true, corrections: 'none' });
      const { values } = clips[0]!.tracks.find(({ channel }) => channel === 'translation')!;
      return [0, 1, 2].map((c) => (values.at(c - 3)! - values[c]!) / size);
    };
    for (const size of [0.05, 1, 20]) {
      const [, up, ahead] = way(size);
      expect(ahead).toBeCloseTo(1, 3);
      expect(up).toBeCloseTo(0, 3);
    }
  });
});
