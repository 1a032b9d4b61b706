import { createFolderStore } from './folder-store.js';
import { isBucketPlace, type ObjectStore, readBucketPlace } from './object-store.js';
import { createS3Store } from './s3-store.js';

const opened = new Map<string, Promise<ObjectStore>>();

/**
 * Opens a place: a folder, or `s3://bucket/prefix` with the key of the environment (AWS_ACCESS_KEY_ID,
 * AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN, AWS_REGION; AWS_ENDPOINT_URL_S3 for stores other than Amazon's).
 * @throws UsageError where the place is none, or what it needs is missing.
 */
export function openStore(place: string): Promise<ObjectStore> {
  const known = opened.get(place);
  if (known) return known;
  const store = isBucketPlace(place)
    ? createS3Store(readBucketPlace(place))
    : Promise.resolve(createFolderStore(place));
  opened.set(place, store);
  return store;
}
