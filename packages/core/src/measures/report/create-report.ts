import { copyData } from '../../base/copy-data.js';
import type { KnownRig } from '../../body/understand/known-rigs.js';
import type { KnownScenes } from '../../setup/set-up-scenes.js';
import { measureCoverage } from '../measure-coverage.js';
import type { Report } from './report.js';

/** A report before any clip is moved. The setup is not the caller's to change: what it tells is copied. */
export function createReport({ setup, source, target }: KnownScenes): Report {
  const side = ({ rig: { reference }, words }: KnownRig) => ({
    reference: {
      kind: reference.kind,
      reason: words.reference.reason,
      ...(words.reference.frame && { frame: { ...words.reference.frame } }),
    },
    space: copyData(words.space),
    floor: copyData(words.floor),
  });
  return {
    map: copyData(setup.map),
    source: side(source),
    target: side(target),
    alignment: copyData(setup.alignment.limbs),
    rootScales: copyData(setup.rootScales),
    clips: [],
    coverage: measureCoverage(setup),
    measures: [],
    verdict: { verdict: 'good', reasons: [] },
    notes: [],
    warnings: [],
  };
}
