import type { ManifestEntry } from '@stuntdouble/jobs';
import { expect, it } from 'vitest';
import { batchExitCode } from './batch-exit-code.js';
import type { BatchCommandOptions } from './batch-flags.js';
import type { RanBatch } from './batch-text.js';

it('says that a batch was ended before its time, whatever had failed until then', () => {
  const failed = { state: 'failed', gates: [], warnings: [] } as unknown as ManifestEntry;
  const ran = (entries: ManifestEntry[], cells: number) =>
    ({ plan: { cells: Array(cells).fill({}), unread: [] }, entries, characters: [] }) as unknown as RanBatch;
  const options = {} as BatchCommandOptions;
  expect(batchExitCode(ran([failed], 2), options, true)).toBe(130);
  expect(batchExitCode(ran([failed, failed], 2), options, true)).toBe(1);
  // As many failures as were allowed end it, too: nobody did.
  expect(batchExitCode(ran([failed], 2), options, false)).toBe(1);
});
