import { alignPair } from '../align/aligned-pair.js';
import type { Warning } from '../base/warnings.js';
import { didWork } from '../base/watch-work.js';
import type { Rig } from '../body/rig.js';
import type { RigMap } from '../map/rig-map.js';
import { checkSetupOptions } from '../options/check-options.js';
import { type CorrectionsChoice, chooseCorrections } from '../options/choose-corrections.js';
import { namesWhere, type OptionName } from '../options/list.js';
import type { ListedOptions } from '../options/retarget-options.js';
import { tellsNothing } from '../options/tells-nothing.js';
import type { Setup } from '../passes/pass.js';
import { PASSES } from '../passes/pipeline.js';
import { withChainOptions, withModeOptions } from './chains-told.js';
import { findIdleOptions } from './idle-options.js';

/** Options that forbid taking clips over whole where they are given, be both skeletons one. */
let asking: readonly OptionName[] | undefined;

function asksForMore(options: ListedOptions): boolean {
  if (tellsNothing(options)) return false;
  asking ??= namesWhere(({ asks }) => asks);
  return asking.some((name) => options[name] !== undefined && options[name] !== false);
}

/**
 * Compiles a map for two rigs: aligns the references, measures the root scales, and lets each pass make of them and
 * of the options what its loop is built from.
 */
export function createSetup(source: Rig, target: Rig, given: RigMap, asked: CorrectionsChoice = {}): Setup {
  checkSetupOptions(asked);
  const options = withModeOptions(withChainOptions(asked, target));
  const { pair, whole, imitation, warnings } = alignPair(source, target, given, options);
  const compiled: Record<string, unknown> = {};
  const found: Warning[] = [];
  const context = {
    pair,
    whole,
    imitation,
    options,
    corrects: chooseCorrections(options) === 'auto',
    compiled,
    warn: (warning: Warning) => {
      found.push(warning);
    },
  };
  for (const pass of PASSES) {
    compiled[pass.name] = pass.compile(context);
    didWork(20 * target.skeleton.names.length);
  }
  const setup: Setup = {
    ...pair,
    compiled,
    told: { map: given, options: asked },
    asked: asksForMore(options),
    warnings: [...warnings, ...found],
  };
  didWork(20 * target.skeleton.names.length);
  setup.warnings.push(...findIdleOptions(options, { ...setup, map: whole }));
  return setup;
}
