import {
  type AlignmentMode,
  type ImitationMode,
  LEG_JOINT_LIMITS,
  type Limb,
  type LimbScalings,
  type LimbSolvers,
  type LookRule,
  type MorphMap,
  type PassName,
  type ReferenceChoice,
  type RetargetOptions,
  type RootRule,
  type TranslationMode,
  UsageError,
} from '@stuntdouble/core';
import { type ClipRange, checkJobOptions, type RetargetJob, readOptionsOf } from '@stuntdouble/jobs';
import { readDocument, type WriteOptions } from '@stuntdouble/jobs/node';
import type { SharedOptions } from '../commands/context.js';
import { checkRetargetOutputs } from './check-retarget-outputs.js';

/** Words for where root motion goes. */
export const ROOT_MOTION = {
  keep: 'keep',
  extract: 'extract',
  apart: 'apart',
  'in-place': 'inPlace',
} as const;

/** Words for how a limb follows. */
export const IMITATION = {
  turn: 'worldDelta',
  direction: 'direction',
  keep: 'keep',
} as const satisfies Record<string, ImitationMode>;

/** Words for how joints move in their parents. */
export const TRANSLATIONS = {
  rest: 'rest',
  'root-scaled': 'rootScaled',
  'length-scaled': 'boneLengthScaled',
  copied: 'copied',
} as const satisfies Record<string, TranslationMode>;

/** What may be typed for `retarget`. */
export type RetargetCommandOptions = SharedOptions &
  WriteOptions & {
    output?: string;
    clip?: string[];
    keys?: boolean;
    fps?: number;
    range?: ClipRange;
    speed?: number;
    map?: string;
    recipe?: string;
    saveRecipe?: string;
    referenceSource?: ReferenceChoice;
    referenceTarget?: ReferenceChoice;
    passes?: PassName[];
    skeleton?: string;
    sourceSkeleton?: string;
    rootMotion?: keyof typeof ROOT_MOTION;
    rootScale?: { horizontal: number; vertical: number };
    align?: Partial<Record<Limb, AlignmentMode>>;
    rootMotionJoint?: string;
    rootMotionFile?: string;
    root?: RootRule;
    imitate?: Record<string, keyof typeof IMITATION>;
    translations?: Record<string, keyof typeof TRANSLATIONS>;
    scales?: 'rest' | 'copied';
    checkHierarchy?: boolean;
    corrections?: 'none' | 'auto';
    contacts?: string;
    spacing?: { arms: number; legs: number };
    lookAt?: LookRule;
    limitLegs?: boolean;
    solver?: LimbSolvers;
    reach?: 'limbs' | 'together';
    limbScale?: LimbScalings;
    mirror?: boolean;
    repairKeys?: boolean;
    loop?: true | { seconds: number };
    reduce?: true | { position: number; angleDegrees?: number };
    ground?: true | { joint?: string; dynamic?: boolean };
    morph?: MorphMap;
    newBind?: boolean;
    replace?: boolean;
    animationOnly?: boolean;
    dryRun?: boolean;
    picture?: string;
    measure: boolean;
  };

/** What was typed, as the engine takes it. Files that were named are left out. */
export function libraryOptions(options: RetargetCommandOptions): RetargetOptions {
  return {
    ...(options.measure ? {} : { measure: false }),
    ...(options.keys ? { keys: 'keep' } : options.fps === undefined ? {} : { keys: 'bake' }),
    ...(options.fps === undefined ? {} : { frameRate: options.fps }),
    ...(options.speed === undefined ? {} : { speed: options.speed }),
    ...(options.referenceSource === undefined ? {} : { sourceReference: options.referenceSource }),
    ...(options.referenceTarget === undefined ? {} : { targetReference: options.referenceTarget }),
    ...(options.sourceSkeleton === undefined ? {} : { sourceSkeleton: options.sourceSkeleton }),
    ...(options.skeleton === undefined ? {} : { targetSkeleton: options.skeleton }),
    ...(options.passes === undefined ? {} : { passes: options.passes }),
    ...(options.align === undefined ? {} : { alignment: options.align }),
    ...(options.rootScale === undefined ? {} : { rootScales: options.rootScale }),
    ...(options.rootMotionJoint === undefined ? {} : { rootMotionJoint: options.rootMotionJoint }),
    ...(options.root && { root: options.root }),
    ...(options.imitate && { imitation: mapValues(options.imitate, IMITATION) }),
    ...(options.translations && { translations: mapValues(options.translations, TRANSLATIONS) }),
    ...(options.scales === undefined ? {} : { scales: options.scales }),
    ...(options.checkHierarchy && { checkHierarchy: true }),
    ...(options.corrections === undefined ? {} : { corrections: options.corrections }),
    ...(options.morph && { morphs: options.morph }),
    ...(options.spacing && { spacing: options.spacing }),
    ...(options.lookAt && { lookAt: options.lookAt }),
    ...(options.limitLegs && { limits: LEG_JOINT_LIMITS }),
    ...(options.solver && { solvers: options.solver }),
    ...(options.reach === undefined ? {} : { reach: options.reach }),
    ...(options.limbScale && { limbScalings: options.limbScale }),
    ...(options.mirror && { mirror: true }),
    ...(options.repairKeys && { repairKeys: true }),
    ...(options.loop && { loop: options.loop }),
    ...(options.reduce && { reduce: options.reduce }),
    ...(options.ground && { ground: options.ground === true ? {} : options.ground }),
    ...(options.rootMotion === undefined ? {} : { rootMotion: ROOT_MOTION[options.rootMotion] }),
  };
}

function mapValues<K extends string, V>(words: Record<string, K>, values: Record<K, V>): Record<string, V> {
  return Object.fromEntries(Object.entries(words).map(([name, word]) => [name, values[word]]));
}

/**
 * What was typed as a job, with the documents that it names read.
 * @throws UsageError where flags cannot be meant together, or name files that must not be written.
 */
export async function readRetargetJob(
  source: string,
  target: string,
  options: RetargetCommandOptions,
): Promise<RetargetJob> {
  if (options.keys && options.fps !== undefined)
    throw new UsageError('--keys keeps the keys as they are and --fps bakes them; give one of the two');
  const reading = { options: readOptionsOf(options) };
  const job: RetargetJob = {
    source: { name: source, content: source, ...reading },
    target: { name: target, content: target, ...reading },
    options: libraryOptions(options),
    ...(options.clip && { clips: options.clip }),
    ...(options.range && { range: options.range }),
    ...(options.newBind && { newBind: true }),
    ...(options.output !== undefined && { output: options.output }),
    ...(options.replace && { replace: true }),
    ...(options.animationOnly && { animationOnly: true }),
    ...(options.picture !== undefined && { picture: options.picture }),
    ...(options.saveRecipe !== undefined && { saveRecipe: options.saveRecipe }),
    ...(options.rootMotionFile !== undefined && { rootMotionFile: options.rootMotionFile }),
  };
  checkJobOptions({ ...job, contacts: options.contacts });
  checkRetargetOutputs(options, [source, target]);
  for (const kind of ['recipe', 'map', 'contacts'] as const) {
    const document = await readDocument(options[kind]);
    if (document) job[kind] = document;
  }
  return job;
}
