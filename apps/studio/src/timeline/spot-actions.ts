import { activeResult, sourceTiming } from '../stage/content.js';
import { theStage } from '../stage/the-stage.js';
import { clock } from '../state/clock.js';
import { clipKey, useDerived } from '../state/derived-store.js';
import { setView, useView } from '../state/view-store.js';
import { type Heat, heatOf, nextSpot } from './heat.js';
import { worstJoint } from './worst-joint.js';

/** What is known of the active result, with the heat of its report; null before it is measured. */
function judgedResult() {
  const result = activeResult();
  const { judged, files } = useDerived.getState();
  const entry = result && judged[clipKey(result.job, result.clip)];
  const facts = result && files[result.job.target]?.facts;
  if (!result?.entry || !entry || !facts?.skeleton) return null;
  const source = files[result.job.source]?.facts ?? null;
  return {
    ...result,
    entry: result.entry,
    facts,
    source,
    heat: heatOf(entry.curves, useView.getState().hiddenHeat),
  };
}

/** Stands at an instant: where it is bad, the joint that is to blame is selected, and both cameras look at it. */
export function standAt(time: number): void {
  clock.play(false);
  clock.seek(time);
  const known = judgedResult();
  const worst = known?.heat.worst[instantOf(known.heat, time)];
  if (!known || !worst) return;
  const { job, clip, entry, facts, source } = known;
  const { offset, rate } = sourceTiming(job);
  const theirs = source?.skeleton && source.clips.find(({ name }) => name === clip);
  const joint = worstJoint(
    worst.name,
    entry.contacts,
    { facts, clip: entry.clip, time },
    source && theirs ? { facts: source, clip: theirs, time: offset + time * rate } : null,
  );
  if (joint < 0) return;
  setView({ selection: { side: 'target', joint } });
  theStage()?.frameJoint('target', joint);
}

/** Stands at the next or last bad spot of the report. */
export function jumpToSpot(way: 1 | -1): void {
  const known = judgedResult();
  const spot = known && nextSpot(known.heat, clock.time(), way);
  if (spot !== null) standAt(spot);
}

/** The measured instant that is nearest to a time. */
function instantOf({ level, rate }: Heat, time: number): number {
  return Math.max(0, Math.min(level.length - 1, Math.round(time * rate)));
}
