import { UsageError } from '@stuntdouble/core';

/** What is known of an object without its bytes. */
export type StoredObject = {
  /** Its name below the place of the store, with slashes. */
  key: string;
  bytes: number;
  /** Changes when its bytes do: what the store itself says of them. */
  tag: string;
  /** Of its bytes, where they were put by this program. */
  sha256?: string;
};

/** A place that keeps files by their names: a folder, or a bucket. All of a batch that touches files goes through it. */
export type ObjectStore = {
  /** The bytes of an object. @throws Failure where there is none, or the store does not answer. */
  get(key: string): Promise<Uint8Array>;
  /**
   * Keeps bytes under a name, whole or not at all.
   * @param options `replace`: whether what is there gives way. It stays if left out.
   * @returns whether it was put; false where something of that name is there already.
   */
  put(key: string, bytes: Uint8Array, options?: { replace?: boolean }): Promise<boolean>;
  /** What is known of one object; null where there is none. */
  head(key: string): Promise<StoredObject | null>;
  /** The objects whose names begin so, sorted. */
  list(prefix: string): AsyncIterable<StoredObject>;
};

/** Whether a place is in a bucket rather than on a disk. */
export function isBucketPlace(place: string): boolean {
  return place.startsWith('s3://');
}

/** Takes the address of a place in a bucket apart. @throws UsageError where it is none. */
export function readBucketPlace(place: string): { bucket: string; prefix: string } {
  const [, bucket, prefix = ''] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*))?$/.exec(place) ?? [];
  if (bucket === undefined || prefix.split('/').some((step) => step === '..' || step === '.'))
    throw new UsageError(`${place} is no place in a bucket; they look like s3://bucket/folder`);
  return { bucket, prefix: prefix.replace(/\/+$/, '').replace(/\/{2,}/g, '/') };
}

/** A name below a place, on a disk or in a bucket. */
export function joinPlace(place: string, name: string): string {
  return name === '' ? place : `${place.replace(/\/+$/, '')}/${name}`;
}
