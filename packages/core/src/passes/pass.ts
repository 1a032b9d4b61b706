import type { AlignedPair } from '../align/aligned-pair.js';
import type { Imitation } from '../align/imitation.js';
import type { Warning } from '../base/warnings.js';
import type { GoalRecord, Laying, LoopTurn, PlanningGrid } from '../goals/goal-record.js';
import type { Goals } from '../goals/goals.js';
import type { RigMap } from '../map/rig-map.js';
import type { Contact } from '../options/contact.js';
import type { OptionPath } from '../options/list.js';
import type { SetupOptions } from '../options/setup-options.js';
import type { Clip } from '../scene/clip.js';
import type { Pose } from '../scene/pose.js';

/** A map compiled for two rigs, once: plain data from which the passes build their loops. */
export type Setup = AlignedPair & {
  /** By the name of a pass what it made of the pair and the options; see {@link compiledOf}. */
  compiled: Readonly<Record<string, unknown>>;
  /** What it was made of besides the two rigs, so that it can be made anew with something told otherwise. */
  told: { map: RigMap; options: Readonly<SetupOptions> };
  /** Whether something was asked for that forbids taking clips over whole. */
  asked: boolean;
  warnings: Warning[];
};

/**
 * What was found by looking at one whole clip, before any of it is moved. Live there is none: then passes go by each
 * pose, and what they remember of those before.
 */
export type ClipPlan = {
  /**
   * By the name of a pass what it found, see {@link foundOf}; null where it looked and found nothing, nothing where
   * it has not looked.
   */
  found: Readonly<Record<string, unknown>>;
  /** Target joints whose turns are moved key by key, so that no frame need turn them. */
  keyed: ReadonlySet<number> | null;
};

/** One instant on its way through the passes; allocated once, overwritten frame by frame. */
export type Frame = {
  /** Number of the frame in its clip. */
  index: number;
  /** Read: local transforms of the source. */
  source: Pose;
  /**
   * Model-space rotations of those source joints whose turns are needed in model space; written by
   * `copyRotations`. Behind the last joint stands the container's rotation, the parent of every root.
   */
  sourceModelRotations: Float64Array;
  /** Written: local transforms of the target. Starts as the aligned reference. */
  target: Pose;
  /**
   * Model-space rotations of those target joints that were turned in model space, the travelling one always;
   * and the container's. Written by `copyRotations`.
   */
  targetModelRotations: Float64Array;
  /** Model-space position of the target's travelling joint; written by `moveRoot`. */
  travel: Float64Array;
  /** What `extractRoot` took out: x, z in metres and the heading in radians. */
  rootMotion: Float64Array;
  /** Seconds of the clip at hand; of a live motion, since it began. */
  time: number;
  /** Seconds since the frame before, where frames come one after another; 0 where they do not. */
  seconds: number;
  /** Where feet and hands shall be; null where nothing is corrected. */
  goals: Goals | null;
};

/**
 * The loop of a pass. One that remembers from frame to frame, as holding contacts live does, has a `reset` that
 * makes it forget; the others may be given frames in any order. A loop that takes no frame has nothing to do.
 */
export type Step = ((frame: Frame) => void) & { reset?: () => void };

/**
 * A loop of a pass that is a function of what was prepared for it. It is bound and not closed over: code that is compiled
 * for a closure is let go with it, and would be compiled anew for every clip.
 */
export function bindStep<Plan>(run: (plan: Plan, frame: Frame) => void, plan: Plan): Step {
  return run.bind(null, plan);
}

/** What a pass is compiled from. */
export type CompileContext = {
  pair: AlignedPair;
  /** The map with the joints that stay in their own reference, too: goals are for all of the body. */
  whole: RigMap;
  imitation: Imitation;
  options: Readonly<SetupOptions>;
  /** Whether feet and hands are to be corrected. */
  corrects: boolean;
  /** Takes what is imperfect. */
  warn(warning: Warning): void;
  /** What the passes before this one were compiled to; read with {@link compiledOf}. */
  compiled: Readonly<Record<string, unknown>>;
};

/** The part of a clip of the source that the clip at hand was made of. */
export type ClipPart = {
  /** Where it begins in that clip, seconds; how many times as fast it plays; and whether it is seen in a mirror. */
  start: number;
  speed: number;
  mirror: boolean;
};

/** What a pass looks at a clip with. */
export type ClipView = {
  setup: Setup;
  clip: Clip;
  /** The names of the passes that run. */
  passes: readonly string[];
  /** What touches what, where somebody has told; null where it is to be found. */
  contacts: readonly Contact[] | null;
  /** The part of a clip that this is; null where it is a whole one. */
  part: ClipPart | null;
  /** The rate that frames are asked for at; null for the clip's own. */
  frameRate: number | null;
  /** What the passes before this one found. */
  plan: ClipPlan;
  /**
   * Runs the passes before this one on every one of 60 instants a second, and shows each frame.
   * @param count Number of instants.
   */
  play(count: number, visit: (frame: Frame, k: number) => void): void;
  /** The same on instants of the pass's own choice, seconds. */
  playAt(times: ArrayLike<number>, visit: (frame: Frame, k: number) => void): void;
  /** Copies a clip on the planning grid and records what goals are planned from; see `Laying`. */
  record(clip: Clip, grid: PlanningGrid, laying: Laying | null, turn?: LoopTurn): GoalRecord;
};

/** What a loop is built for: two rigs, and a clip that was looked at or, live, none. */
export type Run<Found = unknown> = {
  setup: Setup;
  plan: ClipPlan | null;
  /** What the pass itself found in the clip; null where there is none, or nothing was found. */
  found: Found | null;
  /** The joints of the target that some pass may move, turn or scale; null where any may be. */
  moved: ReadonlySet<number> | null;
  /**
   * Moves joints that hang elsewhere than their body part to where it carries them. Every pass that moves the body
   * ends with it, since such joints do not come along by themselves; null where there are none, or a later pass does it.
   */
  place: ((frame: Frame) => void) | null;
};

/** The channels of the target that a pass writes. */
export type Writes = {
  /** Joints whose rotations are written from the source or from constants. */
  turns?: readonly number[];
  /** Joints that are turned on from where they stand: unless something drives them they are put back before each frame. */
  turnsOn?: readonly number[];
  moves?: readonly number[];
  /** Joints that are moved on from where they stand: likewise. */
  movesOn?: readonly number[];
  scales?: readonly number[];
  /** Whether anything above the travelling joint may move, too. */
  movesAll?: boolean;
};

/**
 * One step that reads and writes a frame, with all that anybody has to know of it. What is left out is answered with
 * the safest there is: then a clip on which the pass has anything to do is baked, all its frames are looked at, and
 * nothing of the source goes unread.
 */
export type Pass<Data = unknown, Found = unknown, Name extends string = string> = {
  name: Name;
  /** What it does, in a line, without a capital or a full stop. */
  summary: string;
  /** The options that steer it, or the parts of options that do; what they mean stands in their list. */
  options: readonly OptionPath[];
  /** Plain data from which the loop is built, made once for two rigs; null where the pass has nothing to do. */
  compile(context: CompileContext): Data | null;
  /** The channels that its loop writes. */
  writes(data: Data, run: Pick<Run<Found>, 'setup' | 'plan' | 'found'>): Writes;
  /** Looks at a whole clip before any of it is moved; null where that finds nothing. */
  plan?(data: Data, view: ClipView): Found | null;
  /** Looks at a clip once more when it is known where its frames stand, for what is read frame by frame. */
  planFrames?(data: Data, setup: Setup, clip: Clip, times: ArrayLike<number>): Found | null;
  /** Looks back when all frames of a clip were baked: whether they shall be baked once more, by what was found in them. */
  lookBack?(found: Found): boolean;
  /** Builds the loop; constants are computed here, once. */
  prepare(data: Data, run: Run<Found>): Step;

  /** Whether keys can be moved one by one for it: then the key ways carry it out themselves. */
  byKeys?: true;
  /** Why a clip must be baked for it, in words that follow "baked since"; null where it need not be. */
  needsFrames?(data: Data): string | null;
  /** Whether it corrects feet and hands: such passes rest in a clip in which nothing is to be corrected. */
  corrects?: true;
  /**
   * Whether it does what a person asked for: what it turns and moves stays in the result, though the clip has no tracks
   * for it (W25).
   */
  isAskedFor?: true;
  /** Whether clips may be taken over whole where both skeletons are one, although it has something to do otherwise. */
  restsOnOwnBody?: true;
  /** Whether it takes each frame for itself, and turns joints by the source's turns alone or not at all. */
  standsAlone?: true;
  /** Whether it reads nothing of the source but the joints that drive, and the bones that bend. */
  readsDrivers?: true;
};

/**
 * A pass, its name and the types of its data kept. Bundlers may leave out a pass that nobody uses.
 * @__NO_SIDE_EFFECTS__
 */
export function definePass<const Name extends string, Data, Found = unknown>(
  pass: Pass<Data, Found, Name>,
): Pass<Data, Found, Name> {
  return pass;
}

/** What a pass was compiled to; null where it has nothing to do. */
export function compiledOf<Data, Found>(
  { compiled }: { compiled: Readonly<Record<string, unknown>> },
  pass: Pass<Data, Found>,
): Data | null {
  // The one place where the record meets the types: createSetup filled it by the same names.
  return (compiled[pass.name] ?? null) as Data | null;
}

/** What a pass found in the clip at hand; null where there is no clip, or nothing was found. */
export function foundOf<Data, Found>(plan: ClipPlan | null, pass: Pass<Data, Found>): Found | null {
  return (plan?.found[pass.name] ?? null) as Found | null;
}

/** Whether a pass looked at the clip at hand and found nothing to do in it. */
export function isResting(plan: ClipPlan | null, { name }: Pass): boolean {
  return plan !== null && plan.found[name] === null;
}

/** A setup in which some passes have nothing to do. */
export function withoutPasses(setup: Setup, passes: readonly Pass[]): Setup {
  const none = Object.fromEntries(passes.map(({ name }) => [name, null]));
  return { ...setup, compiled: { ...setup.compiled, ...none } };
}
