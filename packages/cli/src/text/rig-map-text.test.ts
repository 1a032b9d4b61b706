import type { RigMapDocument } from '@stuntdouble/core';
import { describe, expect, it } from 'vitest';
import { parseRigMap } from '../../../jobs/src/documents/rig-map-schema.js';
import { rigMapText } from './rig-map-text.js';

const document: RigMapDocument = {
  version: 1,
  roles: { hips: 'bone_17' },
  joints: [
    { target: 'Hips', sources: ['mixamorig:Hips'], role: 'hips' },
    { target: 'a "quoted" name', sources: ['b', 'c'], share: { from: 'd', weight: 0.5 } },
  ],
};

describe('map files', () => {
  it('come back as they were written, one line a joint', () => {
    const text = rigMapText(document);
    expect(parseRigMap(JSON.parse(text))).toEqual(document);
    expect(text.split('\n')).toContain(
      '    { "target": "Hips", "sources": ["mixamorig:Hips"], "role": "hips" },',
    );
  });
});
