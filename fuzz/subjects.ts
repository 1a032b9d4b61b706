import type { FuzzCase } from './attempt.js';
import { DOCUMENTS, openDocuments } from './document-case.js';
import { openFiles } from './file-case.js';
import { FUZZED_FORMATS } from './seeds.js';
import { makeSkeletonCase } from './skeleton-case.js';

/** What can be tried: mutated files, mutated documents, random skeletons; and how much memory bombs take. */
export const KINDS = ['files', 'documents', 'skeletons', 'memory'] as const;

/** One of {@link KINDS}. */
export type Kind = (typeof KINDS)[number];

/** Something that is tried by itself, with a row of its own in the results. */
export type Subject = {
  kind: Exclude<Kind, 'memory'>;
  /** Of files the format, of documents what they are; '' for skeletons. */
  format: string;
  /** How many cases a full run has. */
  cases: number;
  /** Reads what cases are made from, and gives what makes them. */
  open(): Promise<(seed: number, index: number) => FuzzCase>;
};

/** Everything that is tried, in the order of the results. */
export const SUBJECTS: readonly Subject[] = [
  ...FUZZED_FORMATS.map(
    (format): Subject => ({ kind: 'files', format, cases: 20_000, open: () => openFiles(format) }),
  ),
  ...DOCUMENTS.map(
    (format): Subject => ({ kind: 'documents', format, cases: 5000, open: () => openDocuments(format) }),
  ),
  { kind: 'skeletons', format: '', cases: 5000, open: async () => makeSkeletonCase },
];

/** A subject in a word or two. */
export function subjectName({ kind, format }: Pick<Subject, 'kind' | 'format'>): string {
  return format === '' ? kind : `${kind} ${format}`;
}
