import type { Warning } from '../base/warnings.js';
import { limbOf } from '../body/roles.js';
import { chooseCorrections, correctionOptions, leavesCorrectionsOut } from '../options/choose-corrections.js';
import { idleSettingsOf } from '../options/limb-solvers.js';
import { listOptions, OPTIONS, optionOf } from '../options/list.js';
import { nearestName } from '../options/nearest-name.js';
import type { ListedOptions } from '../options/retarget-options.js';
import { tellsNothing } from '../options/tells-nothing.js';
import { placeFeet } from '../passes/goals/place-feet.js';
import { placeGoals } from '../passes/goals/place-goals.js';
import { limitJoints } from '../passes/limit-joints.js';
import { lookAtPoint } from '../passes/look-at-point.js';
import type { Setup } from '../passes/pass.js';
import { compiledOf } from '../passes/pass.js';
import { PASS_NAMES } from '../passes/pipeline.js';
import { spaceLimbs } from '../passes/space-limbs.js';

type Understood = Pick<Setup, 'map' | 'compiled'>;

/**
 * Finds the options that were given and change nothing: misspelt ones, those whose pass does not run or whose other
 * half was not asked for, and those that speak of parts that the bodies do not have. None of that is wrong by itself,
 * as one recipe may serve many bodies, but nobody should have to find out from the result.
 */
export function findIdleOptions(options: Readonly<ListedOptions>, setup: Understood): Warning[] {
  if (tellsNothing(options) && (options.corrections !== 'auto' || compiledOf(setup, placeGoals))) return [];
  const idle: [name: string, why: string][] = [];
  const passes: readonly string[] = options.passes ?? PASS_NAMES;
  for (const [name, value] of Object.entries(options))
    if (value !== undefined && !optionOf(name)) idle.push([name, noSuchOption(name)]);
  for (const [name, { pass }] of listOptions())
    if (pass && options[name] !== undefined && !passes.includes(pass))
      idle.push([name, `${pass} is not among the passes that run`]);
  const keepsTravel = (options.rootMotion ?? 'keep') === 'keep';
  if (!keepsTravel && !passes.includes('extractRoot'))
    idle.push(['rootMotion', 'extractRoot is not among the passes that run']);
  if (keepsTravel && options.rootMotionJoint !== undefined)
    idle.push(['rootMotionJoint', 'rootMotion is "keep": none is read']);
  const limitsRun =
    passes.includes('limitJoints') || (compiledOf(setup, placeGoals) && passes.includes('solveLimbs'));
  if (options.limits !== undefined && !limitsRun)
    idle.push(['limits', 'limitJoints is not among the passes that run']);
  if (options.restPosture !== undefined && options.mode !== 'intermediate')
    idle.push(['restPosture', 'mode is not "intermediate"']);
  if (options.pingPong && options.loop)
    idle.push(['loop', 'pingPong is on: there and back it ends as it began']);
  for (const name of ['hold', 'goalPlaces'] as const)
    if (options[name] !== undefined && !setup.compiled.applyConstraints)
      idle.push([name, 'there are no constraints']);
  idle.push(...idleCorrections(options, setup), ...idleParts(options, setup));
  return idle.map(([name, why]) => ({
    code: 'option-without-effect',
    message: `the option ${name} has no effect: ${why}`,
  }));
}

function noSuchOption(name: string): string {
  const meant = nearestName(name, Object.keys(OPTIONS));
  return `there is no such option${meant === null ? '' : `; perhaps ${meant} is meant`}`;
}

/** What asks for corrections, or says how they are made, where there are none. */
function idleCorrections(options: Readonly<ListedOptions>, setup: Understood): [string, string][] {
  const goals = compiledOf(setup, placeGoals);
  const names = correctionOptions().filter((name) => options[name] !== undefined);
  const asked = options.corrections === 'auto' ? ['corrections', ...names] : names;
  if (chooseCorrections(options) === 'none')
    return names.map((name) => [name, 'corrections are "none": feet and hands stay as copied']);
  if (leavesCorrectionsOut(options))
    return asked.map((name) => [name, 'placeGoals and solveLimbs are not both among the passes that run']);
  if (!goals) return asked.map((name) => [name, 'the bodies have no hips and legs in common to correct']);
  const settings = Object.entries(options.solvers ?? {}).flatMap(([limb, solver]) =>
    solver === undefined
      ? []
      : idleSettingsOf(solver).map(([name, why]): [string, string] => [`solvers.${limb}.${name}`, why]),
  );
  const limbs = new Set(goals.limbs.map(({ name }) => name));
  const parts = (['limbScalings', 'solvers'] as const).flatMap((name) =>
    Object.entries(options[name] ?? {})
      .filter(([limb, value]) => value !== undefined && limb !== 'all' && !limbs.has(limb))
      .map(([limb]): [string, string] => [`${name}.${limb}`, 'the bodies have no such limb in common']),
  );
  return [...parts, ...settings];
}

/** What speaks of parts that the target, or the pair, does not have. */
function idleParts(options: Readonly<ListedOptions>, setup: Understood): [string, string][] {
  const idle: [string, string][] = [];
  const { spacing, limits, lookAt, groundHeight, alignment } = options;
  if ((spacing?.arms || spacing?.legs) && !compiledOf(setup, spaceLimbs))
    idle.push(['spacing', 'the target has no such limbs']);
  if (limits && Object.keys(limits).length > 0 && !compiledOf(setup, limitJoints))
    idle.push(['limits', 'the target has none of these body parts']);
  if (lookAt && !compiledOf(setup, lookAtPoint))
    idle.push(['lookAt', 'the target has no head that something carries']);
  if (groundHeight && !compiledOf(setup, placeFeet))
    idle.push(['groundHeight', 'the target has no two legs below its hips']);
  const mapped = new Set(setup.map.joints.map(({ role }) => role && limbOf(role)));
  // A limb that is not there keeps its reference by itself.
  for (const [limb, mode] of Object.entries(alignment ?? {}))
    if (
      options.mode !== 'intermediate' &&
      mode &&
      mode !== 'keep' &&
      !mapped.has(limb as ReturnType<typeof limbOf>)
    )
      idle.push([`alignment.${limb}`, 'the bodies have no such limb in common']);
  return idle;
}
