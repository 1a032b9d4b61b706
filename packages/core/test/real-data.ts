import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, test } from 'vitest';

/**
 * Real characters and motions, which stand beside the repository and are never part of it. STUNTDOUBLE_DATA names
 * another folder, with a slash at its end; `STUNTDOUBLE_DATA=none` runs the tests as one has them who has only the
 * repository.
 */
export const DATA_FOLDER: string =
  process.env.STUNTDOUBLE_DATA ?? fileURLToPath(new URL('../../../../shared/data/', import.meta.url));

/** For `describe.skipIf(!hasData)`; titles of such tests say 'needs ../shared/data'. */
export const hasData: boolean = existsSync(DATA_FOLDER);

/**
 * A suite about real files. Where these are not, it is one test that is left out: what is general about it is shown on
 * our own files elsewhere. Its title says 'needs ../shared/data'.
 */
export function describeData(title: string, suite: () => void): void {
  if (hasData) describe(title, suite);
  else test.skip(title, () => {});
}
