import { UsageError } from './base/errors.js';
import type { Warning } from './base/warnings.js';
import { isFiniteStore } from './clips/edit-clip.js';
import { UNIT_SQUARE } from './clips/sound-turns.js';
import { CHAIN_RULES, type ChainRules } from './options/chain-rules.js';
import { checkShape } from './options/check-shape.js';
import { extractRoot } from './passes/extract-root.js';
import { createPoseChange } from './passes/parts/pose-change.js';
import { travelStep } from './passes/parts/read-travel.js';
import { compiledOf, type Frame, type Setup, type Step } from './passes/pass.js';
import { checkPasses, PASS_NAMES, type PassName } from './passes/pipeline.js';
import { createFrame, prepareSteps, type WrittenChannels, writtenChannels } from './passes/run-passes.js';
import { copyPose, type Pose } from './scene/pose.js';
import { FARTHEST_JOINT } from './scene/sound-skeleton.js';
import { createSetup } from './setup/create-setup.js';

/** How far a character goes on with one update: seen from where it was, in metres, +Y up, +Z forward. */
export type RootMotionStep = {
  /** xyz; place + facing · translation is the new place. */
  translation: Float64Array;
  /** xyzw, about the vertical; facing · rotation is the new facing. */
  rotation: Float64Array;
};

/** Live retargeting of one target: a pose in, a pose out; without corrections it allocates nothing. */
export type Retargeter = {
  readonly setup: Setup;
  /** Local transforms of the target, overwritten by every update. */
  readonly pose: Pose;
  /**
   * What was taken out of the pose since the update before, where root motion is given apart (W24); no step
   * otherwise, on the first update and on the first after a reset.
   */
  readonly rootMotion: RootMotionStep;
  /**
   * Takes the source's local transforms, in the order of its skeleton's joints, and gives the target's. The
   * source is read and never written; many retargeters may share one. Rotations that are not of length 1 are taken
   * as if they were. A pose that cannot be one changes nothing: numbers that are none or lead out of all room,
   * rotations of length 0.
   * @param seconds Time since the update before; only passes that remember need it. A sixtieth if left out.
   */
  update(source: Pose, seconds?: number): Pose;
  /**
   * Exchanges what is told of the target's chains, all of it: solvers, goals, scales, priorities, imitation, alignment,
   * what is muted. It takes effect with the next update and eases in, so that nothing jumps. What passes remember of
   * the frames before, such as feet that stand, they find anew. It costs what setting up the pair has cost.
   * @param seconds How long the change takes; a fifth of a second if left out, 0 is at once.
   * @returns what of it has no effect, and why.
   * @throws UsageError where there is no such chain, or something is told that cannot be meant.
   */
  setChains(chains: ChainRules, seconds?: number): Warning[];
  /** Forgets what was before, as after a cut or where a loop starts over. */
  reset(): void;
};

/** What {@link createRetargeter} may be told. */
export type RetargeterOptions = {
  /** Which passes run; all if left out. */
  passes?: readonly PassName[];
};

/**
 * Compiles a setup for live use. Frames may come in any order, and nothing of one shows in the next, while
 * only stateless passes are on (R8); only the steps of root motion that is given apart depend on the update
 * before.
 */
export function createRetargeter(setup: Setup, options: RetargeterOptions = {}): Retargeter {
  checkPasses(options.passes);
  const passes = options.passes ?? PASS_NAMES;
  const line = (of: Setup): PassLine => ({
    steps: prepareSteps(of, null, passes),
    frame: createFrame(of, null),
    written: writtenChannels(of, null, passes),
  });
  let current = line(setup);
  /** What ran until chains were exchanged, and runs once more. */
  let before: PassLine | null = null;
  const change = createPoseChange(setup.target.skeleton.names.length);
  let changeTakes = 0;
  const rootMotion: RootMotionStep = {
    translation: new Float64Array(3),
    rotation: new Float64Array([0, 0, 0, 1]),
  };
  const travelled = new Float64Array(3);
  const extract = passes.includes(extractRoot.name) ? compiledOf(setup, extractRoot) : null;
  const centre = extract?.mode === 'apart' ? extract.from.centre : null;
  let isFirst = true;
  const mended = copyPose(current.frame.source);
  /** A pose of the source that can be gone by: as it is given, mostly; null where it cannot be one. */
  const soundPose = (given: Pose): Pose | null => {
    if (!isWithinRoom(given)) return null;
    if (areTurns(given.rotations)) return given;
    setPose(mended, given);
    return normalizeTurns(mended.rotations) ? mended : null;
  };
  const pose = copyPose(current.frame.target);
  const reset = () => {
    isFirst = true;
    before = null;
    change.forget();
    current.frame.time = 0;
    for (const step of current.steps) step.reset?.();
  };
  return {
    setup,
    pose,
    rootMotion,
    update(given, seconds = 1 / 60) {
      refuseOtherSkeleton(given, setup);
      // A broken pose would stay in everything that remembers: the one before stands on.
      const source = soundPose(given);
      if (source === null) return pose;
      const passed = seconds > 0 && seconds < Number.POSITIVE_INFINITY ? seconds : 0;
      const { frame } = current;
      // Numbers that are fine by themselves may lead nowhere together, such as scales of many joints in a row.
      if (!runLine(current, source, passed)) {
        setPose(frame.target, pose);
        reset();
        return pose;
      }
      let reached = frame.rootMotion;
      if (before && runLine(before, source, passed)) {
        change.ease(before.frame.target, passed);
        change.begin(frame.target, before.frame.target, changeTakes);
        reached = before.frame.rootMotion;
      }
      before = null;
      if (centre) {
        if (isFirst) travelled.set(reached);
        travelStep(rootMotion.translation, rootMotion.rotation, travelled, reached, centre);
        travelled.set(frame.rootMotion);
        isFirst = false;
      }
      setPose(pose, frame.target);
      change.ease(pose, passed);
      return pose;
    },
    setChains(chains, seconds = 0.2) {
      checkChains(chains, seconds);
      const { source: from, target: to, told } = setup;
      const next = createSetup(from, to, told.map, { ...told.options, chains });
      before ??= current;
      const { time } = current.frame;
      current = line(next);
      current.frame.time = time;
      changeTakes = seconds;
      const known = new Set(setup.warnings.map(({ message }) => message));
      return next.warnings.filter(({ message }) => /^the option chains/.test(message) || !known.has(message));
    },
    reset,
  };
}

/** Makes sure that what is exchanged can be meant. @throws UsageError that names what cannot. */
function checkChains(chains: unknown, seconds: unknown): void {
  checkShape(CHAIN_RULES, chains, 'chains');
  checkShape({ kind: 'number', least: 0 }, seconds, 'seconds');
}

/** The passes of one setup and the frame that goes through them. */
type PassLine = { steps: Step[]; frame: Frame; written: WrittenChannels };

/** Sends a pose of the source through the passes. @returns whether a pose came out. */
function runLine({ steps, frame, written }: PassLine, source: Pose, seconds: number): boolean {
  frame.source = source;
  frame.seconds = seconds;
  frame.time += seconds;
  for (let n = 0; n < steps.length; n++) steps[n]!(frame);
  // What no pass writes stays as it is in the reference.
  const { translations, rotations, scales } = frame.target;
  return (
    areWithinRoom(translations, written.moved) &&
    areWithinRoom(scales, written.scaled) &&
    (areTurnsOf(rotations, written.turned) || normalizeTurns(rotations))
  );
}

function setPose(out: Pose, { translations, rotations, scales }: Pose): void {
  out.translations.set(translations);
  out.rotations.set(rotations);
  out.scales.set(scales);
}

const FARTHEST_SQUARE = FARTHEST_JOINT * FARTHEST_JOINT;

/** Whether all rotations have length 1, but for a float32's rounding. */
function areTurns(rotations: Float64Array): boolean {
  for (let i = 0; i < rotations.length; i += 4) if (!isTurnAt(rotations, i)) return false;
  return true;
}

/** As {@link areTurns}, of some joints. */
function areTurnsOf(rotations: Float64Array, joints: Int32Array): boolean {
  for (let n = 0; n < joints.length; n++) if (!isTurnAt(rotations, 4 * joints[n]!)) return false;
  return true;
}

function isTurnAt(rotations: Float64Array, i: number): boolean {
  const x = rotations[i]!;
  const y = rotations[i + 1]!;
  const z = rotations[i + 2]!;
  const w = rotations[i + 3]!;
  return Math.abs(x * x + y * y + z * z + w * w - 1) < UNIT_SQUARE;
}

/**
 * Gives rotations length 1. Those that have it, but for a float32's rounding, stay as they are to the last bit.
 * @returns whether all had a direction.
 */
function normalizeTurns(rotations: Float64Array): boolean {
  for (let i = 0; i < rotations.length; i += 4) {
    const x = rotations[i]!;
    const y = rotations[i + 1]!;
    const z = rotations[i + 2]!;
    const w = rotations[i + 3]!;
    const square = x * x + y * y + z * z + w * w;
    if (Math.abs(square - 1) < UNIT_SQUARE) continue;
    if (!(square > 1e-24 && square < FARTHEST_SQUARE)) return false;
    const factor = 1 / Math.sqrt(square);
    for (let c = i; c < i + 4; c++) rotations[c] = rotations[c]! * factor;
  }
  return true;
}

/** Whether the places and scales of a pose are numbers that can be computed with; turns are looked at as they are taken. */
function isWithinRoom({ translations, scales }: Pose): boolean {
  // Sums side by side do not wait for each other.
  let x = 0;
  let y = 0;
  let z = 0;
  let u = 0;
  let v = 0;
  let w = 0;
  for (let i = 0; i < translations.length; i += 3) {
    x += Math.abs(translations[i]!);
    y += Math.abs(translations[i + 1]!);
    z += Math.abs(translations[i + 2]!);
    u += Math.abs(scales[i]!);
    v += Math.abs(scales[i + 1]!);
    w += Math.abs(scales[i + 2]!);
  }
  return x + y + z + u + v + w <= FARTHEST_JOINT || (isFiniteStore(translations) && isFiniteStore(scales));
}

/** Whether places or scales of some joints are numbers that can be computed with. */
function areWithinRoom(values: Float64Array, joints: Int32Array): boolean {
  for (let n = 0; n < joints.length; n++) {
    const i = 3 * joints[n]!;
    if (!(Math.abs(values[i]!) + Math.abs(values[i + 1]!) + Math.abs(values[i + 2]!) <= FARTHEST_JOINT))
      return false;
  }
  return true;
}

function refuseOtherSkeleton(pose: Pose, { source }: Setup): void {
  const count = source.skeleton.names.length;
  if (
    pose.rotations.length === 4 * count &&
    pose.translations.length === 3 * count &&
    pose.scales.length === 3 * count
  )
    return;
  throw new UsageError(
    `the pose has ${pose.rotations.length / 4} rotations, ${pose.translations.length / 3} translations and ${pose.scales.length / 3} scales; "${source.skeleton.name}" has ${count} joints`,
  );
}
