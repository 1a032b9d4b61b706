import { realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { Failure } from '../failure.js';
import { isBucketPlace, joinPlace } from './store/object-store.js';

/**
 * Finds the place of a path below a folder or a place in a bucket, and refuses one that leads out of it: by its steps, or
 * by links on its way.
 * @param path Relative, with slashes.
 * @throws Failure that names the path.
 */
export function placeUnder(root: string, path: string): string {
  const steps = path.split(/[/\\]/);
  if (
    path === '' ||
    path.includes('\0') ||
    isAbsolute(path) ||
    /^[A-Za-z]:/.test(path) ||
    steps.includes('..')
  )
    throw new Failure(`${path === '' ? 'an empty path' : path} is no place below the folder of this worker`);
  if (isBucketPlace(root)) return joinPlace(root, path);
  const place = resolve(root, ...steps);
  const real = relative(realpathSync(root), realPlace(place));
  if (real === '..' || real.startsWith(`..${sep}`) || isAbsolute(real))
    throw new Failure(`${path} leads out of the folder of this worker by a link`);
  return place;
}

/** Where a path leads, links followed, as far as there is something. */
function realPlace(place: string): string {
  try {
    return realpathSync(place);
  } catch (error) {
    const parent = dirname(place);
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === place) throw error;
    return join(realPlace(parent), relative(parent, place));
  }
}
