import {
  type Constraint,
  type ConstraintTime,
  type ConstraintTimes,
  type EventTime,
  TIME_NAMES,
} from '../../options/constraint.js';
import type { EditWarning } from '../edit-warnings.js';
import type { EditedBody } from '../edited-body.js';
import type { Stand } from './compiled-constraint.js';
import { findEvents, type MotionEvent } from './find-events.js';
import { findJoints } from './find-joints.js';
import { limbRootOf } from './limb-of.js';

/** Seconds that an event may be away from the time that it is looked for near, if nothing is said. */
export const WITHIN = 0.25;

/** A time in seconds; an event's is the time that it is looked for near. */
export function secondsOf(time: ConstraintTime | EventTime, frameRate: number): number {
  if (typeof time === 'number') return time;
  return 'frame' in time ? time.frame / frameRate : secondsOf(time.near, frameRate);
}

/** What events are found in. */
export type EventSource = {
  body: EditedBody;
  /** Frames a second, for times that are frames. */
  frameRate: number;
  stands: readonly Stand[] | null;
  /** Where joints are in the motion, three numbers a frame each, 60 frames a second. Asked for once, where needed. */
  coursesOf(joints: readonly number[]): Float64Array[];
};

/** Frames a second of courses. */
export const COURSE_RATE = 60;

/** Whether a time of a constraint is an event. */
export function namesEvent({ times = {}, muted }: Constraint): boolean {
  return !muted && TIME_NAMES.some((name) => isEvent(times[name]));
}

function isEvent(time: ConstraintTimes['in']): time is EventTime {
  return typeof time === 'object' && 'event' in time;
}

/**
 * Constraints whose times are seconds: events are looked for in the motion as it is without constraints. A ramp whose
 * other end is a plain time keeps its length, so that `in` goes along with `start`, and `out` with `end`.
 */
export function snapTimes(
  list: readonly Constraint[],
  source: EventSource,
  warnings: EditWarning[],
  at = 'constraints',
): readonly Constraint[] {
  const { body } = source;
  const jointOf = (each: Constraint, time: EventTime) =>
    findJoints(body, time.joint ?? each.joint ?? 'hips')[0] ?? -1;
  const wanted = new Set<number>();
  for (const each of list)
    if (namesEvent(each))
      for (const name of TIME_NAMES) {
        const time = each.times?.[name];
        if (isEvent(time)) wanted.add(jointOf(each, time));
      }
  wanted.delete(-1);
  if (wanted.size === 0) return list;
  const joints = [...wanted];
  const courses = source.coursesOf(joints);
  const events = new Map(joints.map((joint, n) => [joint, eventsOf(source, joint, courses[n]!)]));
  return list.map((each, index) => {
    if (!namesEvent(each)) return each;
    const times: Partial<Record<(typeof TIME_NAMES)[number], number>> = {};
    const moved: Partial<Record<(typeof TIME_NAMES)[number], number>> = {};
    for (const name of TIME_NAMES) {
      const time = each.times![name];
      if (time === undefined) continue;
      const near = secondsOf(time, source.frameRate);
      times[name] = near;
      if (!isEvent(time)) continue;
      const found = nearest(events.get(jointOf(each, time)) ?? [], time, near);
      if (found === null)
        warnings.push({
          code: 'constraint-event-missing',
          message: `${at}[${index}].times.${name}: no ${time.event} of ${time.joint ?? each.joint ?? 'the body'} within ${(time.within ?? WITHIN).toFixed(2)} s of ${near.toFixed(2)} s; that time itself is taken`,
        });
      times[name] = found ?? near;
      moved[name] = (found ?? near) - near;
    }
    if (times.in !== undefined && moved.in === undefined) times.in += moved.start ?? 0;
    if (times.out !== undefined && moved.out === undefined) times.out += moved.end ?? 0;
    return { ...each, times };
  });
}

function nearest(
  events: readonly MotionEvent[],
  { event, within = WITHIN }: EventTime,
  near: number,
): number | null {
  let best: number | null = null;
  for (const each of events) {
    const away = Math.abs(each.time - near);
    if (each.event === event && away <= within && (best === null || away < Math.abs(best - near)))
      best = each.time;
  }
  return best;
}

function eventsOf({ body, stands }: EventSource, joint: number, course: Float64Array): MotionEvent[] {
  const limb = limbRootOf(body, joint);
  return [
    ...findEvents(course, COURSE_RATE),
    // Toes and heels stand as the foot that carries them.
    ...(stands ?? []).flatMap((stand): MotionEvent[] =>
      limbRootOf(body, stand.joint) === limb
        ? [
            { time: stand.start, event: 'contact' },
            { time: stand.end, event: 'release' },
          ]
        : [],
    ),
  ];
}
