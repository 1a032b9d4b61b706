import { vectorAt } from '../src/base/math/vector.js';
import { modelPoseOf } from '../src/scene/pose.js';
import type { Character } from '../src/scene/scene.js';
import { createSkeleton } from '../src/scene/skeleton.js';
import { type Figure, stickFigure } from './stick-figure.js';

/** A body whose feet hang on a root beside the hips, as rigs with exported IK have it. */
export function looseFeet(figure: Figure): Character & { jointOf(part: string): number } {
  const body = stickFigure(figure);
  const { matrices } = modelPoseOf(body.skeleton, body.skeleton.rest);
  const { skeleton, order } = createSkeleton(
    'loose',
    [
      { name: 'Root', parent: -1 },
      ...body.skeleton.names.map((name, i) => {
        const isFoot = ['leftFoot', 'rightFoot'].some((part) => body.jointOf(part) === i);
        return {
          name,
          parent: isFoot ? 0 : body.skeleton.parents[i]! + 1,
          translation: isFoot
            ? vectorAt(matrices, 16 * i + 12)
            : vectorAt(body.skeleton.rest.translations, 3 * i),
        };
      }),
    ],
    { declared: body.skeleton.declared },
  );
  return { skeleton, clips: [], jointOf: (part) => order[body.jointOf(part) + 1]! };
}
