import { refuseUncorrected } from './correction-options.js';
import { refuseWithNewBind } from './new-bind.js';
import type { RetargetJob } from './retarget-job.js';

/** What of a job can be looked at before its files are: documents only as far as they are there. */
export type JobOptions = Pick<RetargetJob, 'options' | 'newBind' | 'output' | 'animationOnly'> & {
  contacts?: unknown;
  constraints?: unknown;
};

/**
 * Refuses options that cannot be meant together.
 * @throws UsageError that names both.
 */
export function checkJobOptions(job: JobOptions): void {
  const asked = { ...job.options, ...(job.contacts === undefined ? {} : { contacts: {} }) };
  if (job.newBind) {
    const all = { ...asked, ...(job.constraints === undefined ? {} : { constraints: [] }) };
    refuseWithNewBind(all, all, job);
  }
  refuseUncorrected(asked);
}
