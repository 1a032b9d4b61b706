import { UsageError } from '../../base/errors.js';
import { describeValue, listAt } from '../../base/plain-data.js';
import type { KeyTolerance, LoopOptions, MorphMap } from '../clip-rules.js';
import { defineOption } from '../option.js';
import {
  choice,
  data,
  either,
  field,
  list,
  number,
  onOff,
  record,
  type Shape,
  table,
  text,
} from '../shape.js';

/** The end may be infinite: then it is the clip's. */
function checkRange(value: unknown, at: string): void {
  const sides = listAt(value, at);
  if (sides.length !== 2) throw new UsageError(`${at}: must be 2 numbers, and is ${sides.length}`);
  for (const [i, side] of sides.entries())
    if (typeof side !== 'number' || Number.isNaN(side))
      throw new UsageError(`${at}[${i}]: must be a number, and is ${describeValue(side)}`);
}

/** Options that say which part of a clip is taken, how fast it plays and what its keys are. */
export const CLIP_OPTIONS = {
  /** Seconds of the source clip to take, from and to. */
  range: defineOption(
    data<readonly [number, number]>(
      'two numbers of seconds, from and to',
      { type: 'array', items: { type: 'number' }, minItems: 2, maxItems: 2 },
      checkRange,
    ),
    {
      default: 'the whole clip',
      summary: 'the part of a clip that is taken, from one second to another',
      group: 'clip',
      flag: { typed: '--range <START:END>', says: 'take a part: seconds (0.5:2) or frames (10f:40f)' },
    },
  ),
  /** How many times as fast the result plays. */
  speed: defineOption(number({ above: 0 }), {
    default: '1',
    summary: 'how many times as fast the result plays',
    group: 'clip',
    flag: { typed: '--speed <X>', says: 'play X times as fast' },
  }),
  /** Whether left and right are exchanged: the motion as seen in a mirror. */
  mirror: defineOption(onOff(), {
    default: 'false',
    summary: 'exchange left and right, as seen in a mirror',
    group: 'clip',
    flag: { typed: '--mirror' },
    changesKeys: 'on',
  }),
  /** Whether rotation keys that stand alone a half turn off are replaced first; see `repairKeys`. */
  repairKeys: defineOption(onOff(), {
    default: 'false',
    summary: 'first replace single rotation keys that stand a half turn off',
    group: 'clip',
    flag: { typed: '--repair-keys' },
    changesKeys: 'on',
  }),
  /**
   * Takes jitter out of captures first: what is faster than so many cycles a second, but for impacts and blows; see
   * `calmClip`. Nothing is taken out if left out.
   */
  calm: defineOption(number({ above: 0, unit: 'Hz' }), {
    default: 'as captured',
    summary: 'first take out jitter that is faster than this; impacts and blows stay as they are',
    group: 'clip',
    flag: {
      typed: '--calm <HZ>',
      says: 'first take out of captures what is faster than HZ, but for impacts and blows: 6 to 12 is usual',
    },
    changesKeys: 'given',
    asks: true,
  }),
  /**
   * Whether feet and hands are also corrected where a motion comes back to its own body, which else is taken over as it
   * is: a capture or a generated motion whose feet slide is made to stand.
   */
  clean: defineOption(onOff(), {
    default: 'false',
    summary: 'correct feet and hands even where the motion is the body’s own, which else stays as it is',
    group: 'corrections',
    flag: { typed: '--clean', says: 'correct feet and hands even where SOURCE and TARGET are one body' },
    changesKeys: 'on',
    corrects: true,
    asks: true,
  }),
  /** Whether, and how, the last pose is made the first; see `closeLoop`. */
  loop: defineOption(
    either(
      onOff(),
      record<LoopOptions>({
        seconds: field(
          number({ above: 0, unit: 's' }),
          '0.25',
          'how long the seam is eased, at either end of the clip',
        ),
        travel: field(
          number({ least: 0, isWhole: true }),
          'found',
          'number of the joint that carries the body',
        ),
        height: field(number({ unit: 'm' }), 'the body’s', 'how tall the body is'),
      }),
    ),
    {
      default: 'false',
      summary: 'make the last pose the first, so that the clip can be played over and over',
      group: 'clip',
      flag: {
        typed: '--loop [SECONDS]',
        says: 'make the last pose the first, eased over 0.25 s or what is given',
      },
      changesKeys: 'on',
    },
  ),
  /** Whether the clip is followed by itself backwards, so that it ends as it began; see `pingPong`. */
  pingPong: defineOption(onOff(), {
    default: 'false',
    summary: 'play it there and back, so that it ends as it began',
    group: 'clip',
    flag: { typed: '--ping-pong' },
    changesKeys: 'on',
  }),
  /** How much of the source's motion is played over its reference pose: 1 is all of it. */
  amount: defineOption(number({ least: 0, most: 1 }), {
    default: '1',
    summary: 'how much of the motion there is: 1 all of it, 0.5 half as far from the reference pose',
    group: 'clip',
    flag: { typed: '--amount <SHARE>' },
    changesKeys: 'given',
    asks: true,
  }),
  /** Whether, and within what tolerance, keys are left out that interpolation gives anyway; see `reduceKeys`. */
  reduce: defineOption(
    either(
      onOff(),
      record<KeyTolerance>({
        position: field(number({ above: 0, unit: 'm' }), '0.0001', 'how far off a joint may be'),
        angleDegrees: field(number({ above: 0, unit: '°' }), '0.1', 'how far a joint may be turned off'),
      }),
    ),
    {
      default: 'false',
      summary: 'leave out keys that the others give anyway, within a tolerance',
      group: 'clip',
      flag: {
        typed: '--reduce [MM]',
        says: 'leave out keys that no joint misses by more than 0.1 mm and 0.1°, or MM[,DEGREES]',
      },
      changesKeys: 'on',
    },
  ),
  /** Frames per second of a bake; the source's own rate if left out. Asking for a rate asks for a bake. */
  frameRate: defineOption(number({ above: 0, unit: 'frames/s' }), {
    default: 'the source’s',
    summary: 'write this many frames a second',
    group: 'clip',
    flag: { typed: '--fps <N>', says: 'bake to N frames a second' },
    changesKeys: 'given',
  }),
  /**
   * How far, in degrees, a line between two frames of a bake may miss the turn of a joint: the smallest whole multiple of
   * the frames, up to four, that keeps to it is baked. Any, if left out; the report says how far they miss.
   */
  between: defineOption(number({ above: 0, unit: '°' }), {
    default: 'any',
    summary: 'bake two to four times as many frames where lines between them miss a turn by more than this',
    group: 'clip',
    flag: {
      typed: '--between <DEGREES>',
      says: 'bake up to 4 times as many frames where lines between them miss by more than DEGREES',
    },
  }),
  /**
   * `auto` keeps keys where that is exact, joint by joint, and bakes elsewhere, at one even rate; `keep` insists and is
   * a wrong use where some are not exact; `bake` always bakes; `refine` is `auto` with frames added where lines between
   * those of a bake would miss by more than a fortieth of a degree, unevenly.
   */
  keys: defineOption(choice('auto', 'keep', 'bake', 'refine'), {
    default: 'auto',
    summary:
      'keep the source’s keys where that is exact (auto), insist on that (keep), write every frame (bake), or keep them and add frames where lines miss (refine)',
    group: 'clip',
    flag: { typed: '--keys', says: 'keep the keys of SOURCE; an error where that cannot be exact' },
    changesKeys: ['bake'],
  }),
  /**
   * Whether joints that a clip does not move are held in the pose that they have in the whole-body result; they get no
   * keys if left out, so that the result can be played over another clip.
   */
  wholeBody: defineOption(onOff(), {
    default: 'false',
    summary: 'hold joints that the clip does not move, instead of giving them no keys',
    group: 'clip',
    flag: { typed: '--whole-body' },
  }),
  /**
   * Whether a T- or A-pose that is held for the first frame or frames of a clip, for calibration, stays in the result;
   * it is left out if left out here.
   */
  keepCalibration: defineOption(onOff(), {
    default: 'false',
    summary: 'keep a T- or A-pose at the beginning of a capture, which is there for calibration',
    group: 'clip',
    flag: { typed: '--keep-calibration' },
  }),
  /** Which morph goes onto which, where names do not tell. */
  morphs: defineOption(table('morph of the source', text()) satisfies Shape<MorphMap>, {
    default: 'by name',
    summary: 'which morph target of the source goes onto which, or on none, where names do not tell',
    group: 'clip',
    flag: {
      typed: '--morph <FROM=TO>',
      says: 'put the morph target FROM of SOURCE onto TO, or on none (FROM=), where names do not tell; repeatable',
    },
  }),
  /** Which passes run; all if left out. */
  passes: defineOption(list(text()), {
    default: 'all',
    summary: 'run these steps of the pipeline alone',
    group: 'clip',
    flag: { typed: '--passes <NAMES>', says: 'run these passes alone, with commas between them' },
    saved: 'place',
    changesKeys: 'given',
    live: true,
  }),
  /** Whether a clip that walks on the spot is made to travel, by how fast its standing feet go back under it. */
  travel: defineOption(choice('asGiven', 'fromFeet'), {
    default: 'asGiven',
    summary: 'whether clips that walk on the spot are made to travel, as their feet show',
    group: 'root',
    flag: {
      typed: '--travel <HOW>',
      says: 'as-given, or from-feet: clips that walk on the spot travel as fast as their feet go back',
    },
  }),
};
