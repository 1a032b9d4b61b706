import { partNotes } from '@stuntdouble/core/engine';
import { activeTarget, jobOf, settingOf } from '../document/document.js';
import { plainFailure } from '../panels/report/plain-reasons.js';
import { clock } from '../state/clock.js';
import {
  clipKey,
  jobKey,
  keepJudged,
  keepSolved,
  keepUnderstood,
  say,
  sourceStart,
  tell,
  useDerived,
} from '../state/derived-store.js';
import { currentDocument, useDocument } from '../state/document-store.js';
import { firstClip } from '../state/first-clip.js';
import { showsReference, useView } from '../state/view-store.js';
import { createLatest, type Engine, EngineError } from './engine.js';
import type { FileFacts, Job } from './protocol.js';
import { createStop, type Stop } from './stop.js';

/** Milliseconds of quiet after a change before the whole is solved; the current frame is shown at once. */
const QUIET = 120;
/** Clips whose report is made without being asked for, for the sparks beside their names: so many seconds in all. */
const SPARK_SECONDS = 120;

/** The clip of the source that is played, by name; null where it has none. */
export function playedClip(): string | null {
  const { source } = currentDocument();
  const facts = source && useDerived.getState().files[source.sha256]?.facts;
  const { clip } = useView.getState();
  if (!facts || facts.clips.length === 0) return null;
  return facts.clips.some(({ name }) => name === clip) ? clip : firstClip(facts.clips)!.name;
}

/** Something that is not known yet, and how it becomes known: of which job, and of which of its clips, where it is of one. */
type Piece = { key: string; words: string; job: Job; clip?: string; run: (stop: Stop) => Promise<void> };

/**
 * Keeps what is derived in step with the document: whenever something changes, the first thing that is missing is
 * asked for, until nothing is. What was asked for an older document is kept under its own key and disturbs nothing.
 * @returns `isIdle`, a function that looks again, and how many pieces were stopped on their way.
 */
export function startSchedule(
  engine: Engine,
  onChange: () => void,
): { isIdle: () => boolean; look: () => void; stopped: () => number } {
  let running = false;
  let quick = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let waiting = false;
  let stopped = 0;
  /** The piece of the whole that is under way, and what stops it. */
  let current: { piece: Piece; stop: Stop } | null = null;

  const runAll = async (next: () => Piece | null, set: (on: boolean) => void) => {
    set(true);
    for (let piece = next(); piece; piece = next()) {
      useDerived.setState({ busy: piece.words });
      const stop = createStop();
      if (piece.clip !== undefined) current = { piece, stop };
      try {
        await piece.run(stop);
      } catch (error) {
        if (error instanceof EngineError && error.kind === 'Stopped') {
          stopped++;
          continue;
        }
        const message = error instanceof Error ? error.message : String(error);
        const { key } = piece;
        useDerived.setState(({ failed }) => ({ failed: { ...failed, [key]: message } }));
        say('error', plainFailure(message));
      } finally {
        // What is revoked needs no room.
        stop.raise();
        if (current?.piece === piece) current = null;
      }
    }
    set(false);
    useDerived.setState({ busy: null });
    onChange();
  };

  const startWhole = () => {
    waiting = false;
    if (!running)
      runAll(
        // What was changed a moment ago is changed again, mostly: the next piece waits for quiet.
        () => (waiting ? null : nextWhole(engine)),
        (on) => (running = on),
      );
  };
  const startQuick = () => {
    if (!quick)
      runAll(
        () => nextQuick(engine),
        (on) => (quick = on),
      );
  };
  const latest = createLatest(startQuick);
  const look = () => {
    const isDragged = nextWhole(engine) !== null && !isFirst();
    // The frame that is seen goes before words about it, in the one worker that makes both; a reference is of the words.
    if (!isDragged || showsReference(useView.getState())) startQuick();
    if (current && !isWanted(current.piece)) current.stop.raise();
    if (nextWhole(engine)) {
      waiting = true;
      clearTimeout(timer);
      timer = setTimeout(startWhole, isFirst() ? 0 : QUIET);
      if (isDragged) latest(() => preview(engine));
    }
    onChange();
  };
  useDocument.subscribe(look);
  useView.subscribe((state, before) => {
    if (state.clip !== before.clip) look();
  });
  return { look, isIdle: () => !running && !quick && !waiting, stopped: () => stopped };
}

/** Whether nothing has been solved yet: then nobody is dragging anything. */
function isFirst(): boolean {
  return Object.keys(useDerived.getState().solved).length === 0;
}

function factsOf(id: string): FileFacts | null {
  return useDerived.getState().files[id]?.facts ?? null;
}

/** The jobs of the document whose files are at hand and can be worked on, the active one first. */
function jobs(): Job[] {
  const document = currentDocument();
  const active = activeTarget(document);
  return [...document.targets]
    .sort((a, b) => Number(b === active) - Number(a === active))
    .map((target) => jobOf(document, target))
    .filter((job): job is Job => {
      if (!job) return false;
      const [source, target] = [factsOf(job.source), factsOf(job.target)];
      return !!source?.skeleton && !!target?.skeleton;
    });
}

/** Whether a piece is still of use: of a job that is there, and not in the way of the clip that is played. */
function isWanted({ job, clip }: Piece): boolean {
  const played = playedClip();
  if (!jobs().some((other) => jobKey(other) === jobKey(job))) return false;
  return clip === played || played === null || !!useDerived.getState().solved[clipKey(job, played)];
}

function nextQuick(engine: Engine): Piece | null {
  const { understood, failed } = useDerived.getState();
  for (const job of jobs()) {
    const key = jobKey(job);
    if (understood[key] || failed[key]) continue;
    return {
      key,
      words: 'Reading the two characters',
      job,
      run: async () => {
        const value = await engine.quick.ask({ type: 'understand', job });
        keepUnderstood(job, value);
        tell(value.warnings, { about: [job.source, job.target] });
      },
    };
  }
  return null;
}

function nextWhole(engine: Engine): Piece | null {
  const { solved, judged, failed } = useDerived.getState();
  const clip = playedClip();
  if (!clip) return null;
  const all = jobs();
  for (const job of all)
    if (!solved[clipKey(job, clip)] && !failed[clipKey(job, clip)]) return solvePiece(engine, job, clip);
  for (const job of all)
    if (!judged[clipKey(job, clip)] && !failed[`judge ${clipKey(job, clip)}`])
      return judgePiece(engine, job, clip);
  const [active] = all;
  const others = active ? (factsOf(active.source)?.clips ?? []) : [];
  if (!active || others.reduce((sum, { duration }) => sum + duration, 0) > SPARK_SECONDS) return null;
  for (const { name } of others) {
    const key = clipKey(active, name);
    if (failed[key] || failed[`judge ${key}`]) continue;
    if (!judged[key]) return judgePiece(engine, active, name);
  }
  return null;
}

function solvePiece(engine: Engine, job: Job, clip: string): Piece {
  const key = clipKey(job, clip);
  return {
    key,
    words: `Solving “${clip}”`,
    job,
    clip,
    run: async ({ sign }) => {
      const { clips, warnings, milliseconds } = await engine.whole.ask(
        { type: 'solve', job, clips: [clip] },
        undefined,
        sign,
      );
      tell(warnings, { about: [job.source, job.target] });
      keepSolved(key, {
        ...clips[0]!,
        milliseconds,
        warnings: partNotes(warnings).warnings.map(({ message }) => message),
      });
    },
  };
}

function judgePiece(engine: Engine, job: Job, clip: string): Piece {
  const key = clipKey(job, clip);
  return {
    key: `judge ${key}`,
    words: `Measuring “${clip}”`,
    job,
    clip,
    run: async ({ sign }) => {
      const value = await engine.whole.ask({ type: 'judge', job, clip }, undefined, sign);
      keepJudged(key, value);
    },
  };
}

/** Shows the current frame of what was just changed, before the whole is solved. */
async function preview(engine: Engine): Promise<void> {
  const document = currentDocument();
  const job = jobOf(document);
  const clip = playedClip();
  if (!job || !clip || !factsOf(job.target)?.skeleton || !factsOf(job.source)?.skeleton) return;
  const key = clipKey(job, clip);
  if (useDerived.getState().solved[key] || useDerived.getState().failed[key]) return;
  const speed = settingOf(job.recipe, 'speed');
  const rate = typeof speed === 'number' && speed > 0 ? speed : 1;
  const contacts = Object.entries(useDerived.getState().solved).find(
    ([other, { source }]) => source === clip && other.includes(job.target.slice(0, 16)),
  )?.[1].contacts;
  const value = await engine.quick.ask({
    type: 'preview',
    job,
    clip,
    time: sourceStart(job, clip) + clock.time() * rate,
    contacts: contacts ?? [],
  });
  useDerived.setState({ preview: { ...value, key } });
}
