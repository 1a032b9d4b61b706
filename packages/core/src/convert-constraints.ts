import { findCalibration } from './clips/find-calibration.js';
import { chooseClips } from './clips/prepare-clip.js';
import { COMPARED_RATE, laterLayer, layerBetween } from './edits/layers/generated-layer.js';
import type { Layer } from './options/layer.js';
import { editedBodyOf } from './passes/parts/edited-target.js';
import type { RetargetOptions } from './passes/parts/told-options.js';
import { retarget } from './retarget.js';
import type { Scene } from './scene/scene.js';
import { setUpKnown } from './setup/set-up-scenes.js';
import { clipsOf } from './ways/clips-to-move.js';

/**
 * What the constraints of each clip change, as layers of keys that can be edited: with them in place of the constraints
 * (which are to be muted) every joint is where it was to a thousandth of the height. Times are those of the whole clips
 * of the source, whatever part is taken.
 */
export function convertConstraints(given: Scene, target: Scene, options: RetargetOptions): Layer[] {
  const { constraints, hold, goalPlaces, rootMotion, loop, reduce, range, speed, mirror, ...rest } = options;
  const layers = options.layers?.filter(({ when }) => when !== 'after');
  const shared: RetargetOptions = {
    ...rest,
    ...(layers && { layers }),
    ...{ keys: 'bake', frameRate: COMPARED_RATE, measure: false },
  };
  const plain = retarget(given, target, shared);
  const edited = retarget(given, target, {
    ...shared,
    ...(constraints && { constraints }),
    ...(hold && { hold }),
    ...(goalPlaces && { goalPlaces }),
  });
  const { setup, sourceIndex, targetIndex } = setUpKnown(given, target, shared);
  const originals = chooseClips(clipsOf(given, sourceIndex, target, targetIndex), options.clips);
  const body = editedBodyOf({ pair: setup });
  return edited.clips.flatMap((clip, n): Layer[] => {
    const layer = layerBetween(body, plain.clips[n]!, clip);
    // Solved as it will be moved: with a pose for calibration before it another answer may be nearest.
    const begins = options.keepCalibration ? 0 : findCalibration(setup.source, originals[n]!);
    return layer ? [{ ...laterLayer(layer, begins), name: 'made of constraints', clip: clip.name }] : [];
  });
}
