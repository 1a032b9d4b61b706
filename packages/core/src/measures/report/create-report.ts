import { copyData } from '../../base/copy-data.js';
import type { Vec3 } from '../../base/math/vector.js';
import { partNotes, visibleWarnings, type Warning } from '../../base/warnings.js';
import type { KnownRig } from '../../body/understand/known-rigs.js';
import type { Clip } from '../../scene/clip.js';
import type { KnownScenes } from '../../setup/set-up-scenes.js';
import { measureCoverage } from '../measure-coverage.js';
import { judgeWarnings } from '../verdict/verdict.js';
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

/** The report of clips that move morph weights alone: no skeleton was looked at. */
export function createMorphReport(clips: readonly Clip[], told: readonly Warning[]): Report {
  const reason = 'morph weights alone: no skeleton is needed';
  const side = {
    reference: { kind: 'rest' as const, reason },
    space: {
      up: { direction: [0, 1, 0] as Vec3, confidence: 1, reason },
      facing: { direction: [0, 0, 1] as Vec3, confidence: 1, reason },
      unit: { metres: 1, confidence: 1, reason },
      height: 0,
    },
    floor: { height: 0, confidence: 1, reason },
  };
  const { warnings, notes } = partNotes(visibleWarnings(told));
  return {
    map: { joints: [], unmapped: { source: [], target: [] } },
    source: side,
    target: side,
    alignment: {},
    rootScales: { horizontal: 1, vertical: 1, reason },
    clips: clips.map(({ name, duration, morphs }) => ({
      name,
      duration,
      frames: morphs.reduce((most, { times }) => Math.max(most, times.length), 0),
      way: 'keys',
      refusals: [],
      reason: '',
    })),
    coverage: null,
    measures: [],
    verdict: judgeWarnings(warnings),
    notes,
    warnings,
  };
}
