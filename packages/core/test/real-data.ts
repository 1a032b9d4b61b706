import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * Real characters and motions, which stand beside the repository and are never part of it. STUNTDOUBLE_DATA names
 * another folder, with a slash at its end; `STUNTDOUBLE_DATA=none` runs the tests as one has them who has only the
 * repository.
 */
export const DATA_FOLDER: string =
  process.env.STUNTDOUBLE_DATA ?? fileURLToPath(new URL('../../../../shared/data/', import.meta.url));

/** For `describe.skipIf(!hasData)`; titles of such tests say 'needs ../shared/data'. */
export const hasData: boolean = existsSync(DATA_FOLDER);
