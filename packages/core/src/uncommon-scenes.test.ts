import { describe, expect, it } from 'vitest';
import { sceneOf, stickFigure } from '../test/stick-figure.js';
import { retarget } from './retarget.js';
import type { Clip } from './scene/clip.js';
import type { Scene } from './scene/scene.js';
import { setUpScenes } from './setup/set-up-scenes.js';

const walk = sceneOf(stickFigure(), 'walk');

/** A capture that hangs at the origin, with one frame in which nothing has moved. */
function bareCapture(): Scene {
  const figure = stickFigure({ unit: 0.01, declared: { up: null, facing: null, unit: null, capture: true } });
  figure.skeleton.rest.translations.fill(0, 0, 3);
  const [times, values] = [Float64Array.of(0), Float64Array.of(0, 0, 0)];
  const still: Clip = {
    name: 'still',
    duration: 0,
    tracks: [{ joint: 0, channel: 'translation', interpolation: 'linear', times, values }],
    morphs: [],
  };
  return sceneOf({ ...figure, clips: [still] }, 'bare');
}

describe('captures written for their skeleton alone', () => {
  it('as a target stand on the ground plane, so that results walk on it', () => {
    const { setup } = setUpScenes(walk, bareCapture(), {});
    expect(setup.target.floor.height).toBeCloseTo(0, 6);
    expect(setup.target.reference.reason).toContain('the ground plane');
  });

  it('as a source are where their frame is', () => {
    const { setup } = setUpScenes(bareCapture(), walk, {});
    expect(setup.source.floor.height).toBeLessThan(-0.5);
  });
});

describe('long clips', () => {
  it('are told of where they are too long to be looked at as a whole', () => {
    const codes = (seconds: number) => {
      const long = stickFigure();
      const clips = long.clips.map((clip) => ({ ...clip, duration: seconds }));
      const { report } = retarget(sceneOf({ ...long, clips }), sceneOf(stickFigure({ size: 0.7 })), {
        measure: false,
      });
      return report.warnings.map(({ code }) => code);
    };
    expect(codes(60)).not.toContain('clip-too-long');
    expect(codes(3601)).toContain('clip-too-long');
  });
});
