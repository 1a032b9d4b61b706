import { useMemo } from 'react';
import { activeTarget, type FileRef, jobOf, type StudioDocument } from '../document/document.js';
import type { FileFacts, Job, Judged, Understanding } from '../engine/protocol.js';
import { type Verdict, verdictOf } from '../panels/report/report-card.js';
import {
  clipKey,
  isOfNow,
  jobKey,
  type SolvedEntry,
  understandingOfJob,
  useDerived,
} from './derived-store.js';
import { useDocument } from './document-store.js';
import { firstClip } from './first-clip.js';
import { useView } from './view-store.js';

/** All that is known of the work at hand, for panels. */
export type Work = {
  document: StudioDocument;
  source: FileRef | null;
  target: FileRef | null;
  sourceFacts: FileFacts | null;
  targetFacts: FileFacts | null;
  job: Job | null;
  /** The clip that is played, by name. */
  clip: string | null;
  understanding: Understanding | null;
  solved: SolvedEntry | null;
  judged: Judged | null;
  /** The report before the last step, where it is known. */
  before: Judged | null;
  verdict: Verdict | null;
  failure: string | null;
};

/** The document as it is now, for components. */
export function usePresent(): StudioDocument {
  return useDocument(({ history }) => history.present);
}

/** What is known of one target of the document. */
export function useTargetWork(
  document: StudioDocument,
  target: FileRef | null,
): Omit<Work, 'document' | 'before'> {
  const { source } = document;
  const files = useDerived((state) => state.files);
  const chosen = useView(({ clip }) => clip);
  const sourceFacts = (source && files[source.sha256]?.facts) ?? null;
  const targetFacts = (target && files[target.sha256]?.facts) ?? null;
  const clip = sourceFacts?.clips.some(({ name }) => name === chosen)
    ? chosen
    : ((sourceFacts && firstClip(sourceFacts.clips)?.name) ?? null);
  const job = useMemo(() => jobOf(document, target), [document, target]);
  const key = job ? jobKey(job) : '';
  const forClip = job && clip ? clipKey(job, clip) : '';
  const understanding = useDerived((state) => understandingOfJob(state, job));
  const solved = useDerived((state) => state.solved[forClip] ?? null);
  const judged = useDerived((state) => state.judged[forClip] ?? null);
  const failure = useDerived((state) => state.failed[key] ?? state.failed[forClip] ?? null);
  const verdict = useMemo(
    () => (understanding && sourceFacts && targetFacts ? verdictOf(understanding, judged) : null),
    [understanding, judged, sourceFacts, targetFacts],
  );
  return {
    source,
    target,
    sourceFacts,
    targetFacts,
    job,
    clip,
    understanding,
    solved,
    judged,
    verdict,
    failure,
  };
}

/** What is known of the active target. */
export function useWork(): Work {
  const document = usePresent();
  const past = useDocument(({ history }) => history.past.at(-1)?.state ?? null);
  const work = useTargetWork(document, activeTarget(document));
  const older = useMemo(() => {
    const job =
      past && work.target
        ? jobOf(past, past.targets.find(({ sha256 }) => sha256 === work.target!.sha256) ?? null)
        : null;
    return job && work.clip ? clipKey(job, work.clip) : '';
  }, [past, work.target, work.clip]);
  const before = useDerived((state) => state.judged[older] ?? null);
  return { document, ...work, before };
}

/** How many lines of the console are more than notes, of what is open now. */
export function useNotes(): number {
  const document = usePresent();
  const lines = useDerived((state) => state.lines);
  return lines.filter((line) => line.level !== 'note' && isOfNow(line, document)).length;
}

/** What became of all characters, in words: how many are right, to look at, broken; '' before that is known. */
export function useVerdictWords({ document, clip }: Work): string {
  return useDerived(({ understood, judged }) => {
    const words = document.targets.map((target) => {
      const job = jobOf(document, target);
      const known = job && understood[jobKey(job)];
      const card = job && clip ? judged[clipKey(job, clip)] : undefined;
      return known && card ? verdictOf(known, card).word : null;
    });
    if (words.includes(null)) return '';
    const count = (word: string, title: string) => {
      const number = words.filter((one) => one === word).length;
      return number > 0 ? [`${number} ${title}`] : [];
    };
    return [...count('good', 'right'), ...count('look', 'to look at'), ...count('broken', 'broken')].join(
      ', ',
    );
  });
}

/** How sure a number of matches is, in words. */
export function drivenWords(understanding: Understanding | null): string {
  if (!understanding) return '';
  const { joints, unmapped } = understanding.map;
  return `${joints.length} of ${joints.length + unmapped.target.length}`;
}
