import { beforeAll, describe, expect, it } from 'vitest';
import { CHARACTERS, compareOptions, type OptionRow } from './babylon-options.js';

/** Babylon's eleven. */
const OPTIONS = [
  'animationGroupName',
  'checkHierarchy',
  'fixAnimations',
  'fixGroundReference',
  'fixGroundReferenceDynamicRefNode',
  'fixRootPosition',
  'groundReferenceNodeName',
  'groundReferenceVerticalAxis',
  'mapNodeNames',
  'retargetAnimationKeys',
  'rootNodeName',
];

describe('options beside Babylon.js’s own, on our characters', () => {
  let rows: OptionRow[] = [];
  beforeAll(async () => {
    rows = await compareOptions();
  });

  it.each(OPTIONS)('B7: %s does what Babylon’s does, or better', (option) => {
    const found = rows.filter((row) => row.option === option);
    expect(found.map(({ character }) => character)).toEqual([...CHARACTERS]);
    expect(found.filter(({ verdict }) => verdict === 'worse')).toEqual([]);
  });

  it('B10, B12, B13: on every character travel is scaled and feet are pinned to a tenth of a percent', () => {
    for (const option of ['fixRootPosition', 'fixGroundReference', 'fixGroundReferenceDynamicRefNode'])
      for (const { ours } of rows.filter((row) => row.option === option)) expect(ours).toBeLessThan(0.1);
  });
});
