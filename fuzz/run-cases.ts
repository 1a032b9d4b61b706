import { shrinkCase } from './shrink-case.js';
import { SUBJECTS, subjectName } from './subjects.js';

/** Which cases a child process tries. */
export type Errand = { subject: string; seed: number; from: number; end: number; shrink: boolean };

/** What a child says: which case it begins, and how that ended. */
export type Message =
  | { kind: 'begin'; index: number }
  | {
      kind: 'end';
      index: number;
      gave: boolean;
      faults: string[];
      /** Of the processor. */
      milliseconds: number;
      from: string;
    }
  | { kind: 'shrunk'; index: number; from: string; file: string };

/** The child's part: tries case after case and says how each ended. */
export async function runCases(errand: Errand, say: (message: Message) => Promise<void>): Promise<void> {
  const subject = SUBJECTS.find((each) => subjectName(each) === errand.subject)!;
  const make = await subject.open();
  // What is compiled and loaded once is not the first case's.
  for (let index = 0; index < 3; index++) await make(0, index).run();
  for (let index = errand.from; index < errand.end; index++) {
    const one = make(errand.seed, index);
    await say({ kind: 'begin', index });
    // Time of the processor, not of the clock: other programs may keep it busy.
    const start = process.cpuUsage();
    const { gave, faults } = await one.run();
    const { user, system } = process.cpuUsage(start);
    const milliseconds = (user + system) / 1000;
    await say({ kind: 'end', index, gave, faults, milliseconds, from: one.from });
    if (errand.shrink && faults.length > 0) {
      const small = await shrinkCase(one);
      const file = new TextDecoder('latin1').decode(small.file().bytes);
      await say({ kind: 'shrunk', index, from: small.from, file });
    }
  }
}
