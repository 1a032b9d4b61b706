import { expect, it } from 'vitest';
import { sceneOf, stickFigure } from '../../test/stick-figure.js';
import { UsageError } from '../base/errors.js';
import type { RigMapDocument } from '../options/rig-map-document.js';
import { retarget } from '../retarget.js';
import { readMapDocument } from './map-document.js';

/** Maps as JSON may give them, and where each is wrong. */
const BROKEN: [unknown, string][] = [
  [3, 'map:'],
  [{ version: 7 }, 'map.version'],
  [{ joints: 29 }, 'map.joints'],
  [{ joints: {} }, 'map.joints'],
  [{ joints: [null] }, 'map.joints[0]'],
  [{ joints: [{ target: 1, sources: ['a'] }] }, 'map.joints[0].target'],
  [{ joints: [{ target: 'a' }] }, 'map.joints[0].sources'],
  [{ joints: [{ target: 'a', sources: [] }] }, 'map.joints[0].sources'],
  [{ joints: [{ target: 'a', sources: ['b', null] }] }, 'map.joints[0].sources[1]'],
  [{ joints: [{ target: 'a', sources: ['b'], role: 'knob' }] }, 'map.joints[0].role'],
  [
    { joints: [{ target: 'a', sources: ['b'], share: { from: 'b', weight: 2 } }] },
    'map.joints[0].share.weight',
  ],
  [{ joints: [{ target: 'a', sources: ['b'], share: { weight: 1 } }] }, 'map.joints[0].share.from'],
  [{ roles: [] }, 'map.roles'],
  [{ roles: { knob: 'a' } }, 'map.roles'],
  [{ roles: { hips: 5 } }, 'map.roles.hips'],
];

it('says of a map that no reader has looked at where it is wrong', () => {
  const scene = sceneOf(stickFigure());
  for (const [map, at] of BROKEN) {
    const call = () => retarget(scene, scene, { map: map as RigMapDocument });
    expect(call, JSON.stringify(map)).toThrow(UsageError);
    expect(call, JSON.stringify(map)).toThrow(at);
  }
});

it('takes over what a map has and nothing else', () => {
  const map: RigMapDocument = {
    version: 1,
    joints: [{ target: 'a', sources: ['b', 'c'], share: { from: 'b', weight: 0.5 }, role: 'hips' }],
    roles: { hips: 'a' },
  };
  expect(readMapDocument({ ...map, more: 1 }, 'map')).toEqual(map);
});
