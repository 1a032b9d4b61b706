import type { Clip, Contact, Pose } from '@stuntdouble/core/engine';
import { activeTarget, jobOf, type StudioDocument, settingOf } from '../document/document.js';
import type { FileId, Job, Understanding } from '../engine/protocol.js';
import { playedClip } from '../engine/schedule.js';
import {
  clipKey,
  type SolvedEntry,
  sourceStart,
  understandingOfJob,
  useDerived,
} from '../state/derived-store.js';
import { currentDocument, useDocument } from '../state/document-store.js';
import { type SideName, showsReference, useView } from '../state/view-store.js';

/** What a view is of. */
export type ViewSpec = { side: SideName; file: FileId };

/** What is to be seen in a view: a pose, or a clip that plays. */
export type Content =
  | { kind: 'pose'; pose: Pose }
  | {
      kind: 'clip';
      clip: Clip;
      offset: number;
      rate: number;
      contacts: readonly Contact[];
      isDraft: boolean;
    };

/** Seconds of the source at the start of the result, and how fast it goes by. */
export function sourceTiming(job: Job | null): { offset: number; rate: number } {
  const clip = playedClip();
  const speed = job && settingOf(job.recipe, 'speed');
  return {
    offset: job && clip !== null ? sourceStart(job, clip) : 0,
    rate: typeof speed === 'number' && speed > 0 ? speed : 1,
  };
}

/** The job of one of the document's targets. */
export function jobOfTarget(document: StudioDocument, file: FileId): Job | null {
  return jobOf(document, document.targets.find(({ sha256 }) => sha256 === file) ?? null);
}

/** How the source and a target are understood together; null while that is not known. */
export function understandingOf(document: StudioDocument, file?: FileId): Understanding | null {
  const job = file === undefined ? jobOf(document) : jobOfTarget(document, file);
  return understandingOfJob(useDerived.getState(), job);
}

/** The result of the active target's played clip; null while there is none. */
export function activeResult(): { job: Job; clip: string; entry: SolvedEntry | null } | null {
  const job = jobOf(currentDocument());
  const clip = playedClip();
  if (!job || !clip) return null;
  return { job, clip, entry: useDerived.getState().solved[clipKey(job, clip)] ?? null };
}

/** The document before the last step, where there is one. */
export function documentBefore(): StudioDocument | null {
  return useDocument.getState().history.past.at(-1)?.state ?? null;
}

/** What a view shows now; null where nothing is known yet. */
export function contentOf({ side, file }: ViewSpec): Content | null {
  const view = useView.getState();
  const derived = useDerived.getState();
  const now = currentDocument();
  const facts = derived.files[file]?.facts;
  if (!facts?.reference) return null;
  const clip = playedClip();
  if (showsReference(view)) {
    const understood = understandingOf(now, side === 'target' ? file : activeTarget(now)?.sha256);
    return { kind: 'pose', pose: (understood?.[side] ?? facts.reference).pose };
  }
  if (side === 'source') {
    const own = facts.clips.find(({ name }) => name === clip);
    if (!own) return { kind: 'pose', pose: facts.reference.pose };
    const result = activeResult();
    return {
      kind: 'clip',
      clip: own,
      ...sourceTiming(result?.job ?? null),
      contacts: result?.entry?.contacts ?? [],
      isDraft: false,
    };
  }
  const document = (view.before && documentBefore()) || now;
  const job = jobOfTarget(document, file);
  if (!job || !clip) return { kind: 'pose', pose: facts.reference.pose };
  const key = clipKey(job, clip);
  const entry = derived.solved[key];
  if (entry)
    return { kind: 'clip', clip: entry.clip, offset: 0, rate: 1, contacts: entry.contacts, isDraft: false };
  const { preview } = derived;
  if (preview?.key === key)
    return { kind: 'clip', clip: preview.clip, offset: -preview.start, rate: 1, contacts: [], isDraft: true };
  return null;
}
