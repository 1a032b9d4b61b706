import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OwnBucket, startBucket, TEST_KEY } from '../../../test/s3-server.js';
import { createFolderStore } from './folder-store.js';
import { type ObjectStore, readBucketPlace } from './object-store.js';
import { createS3Store } from './s3-store.js';

const folder = mkdtempSync(join(tmpdir(), 'stuntdouble-store-'));
let bucket: OwnBucket;
const before = { ...process.env };
beforeAll(async () => {
  bucket = await startBucket('moves');
  Object.assign(process.env, TEST_KEY, { AWS_ENDPOINT_URL_S3: bucket.endpoint });
});
afterAll(async () => {
  process.env = before;
  rmSync(folder, { recursive: true, force: true });
  await bucket.close();
});

const bytes = (text: string) => new TextEncoder().encode(text);
const textOf = (content: Uint8Array) => new TextDecoder().decode(content);

describe.each([
  ['a folder', async () => createFolderStore(folder)],
  ['a bucket', () => createS3Store({ bucket: 'moves', prefix: 'some place' })],
] as [string, () => Promise<ObjectStore>][])('%s as a store', (_, open) => {
  it('keeps what is put, whatever the name, and gives it back', async () => {
    const store = await open();
    expect(await store.put("a b/ä+(1)*!'.txt", bytes('one'))).toBe(true);
    expect(textOf(await store.get("a b/ä+(1)*!'.txt"))).toBe('one');
    expect(await store.head("a b/ä+(1)*!'.txt")).toMatchObject({
      bytes: 3,
      sha256: '7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed',
    });
  });

  it('puts nothing where something is, unless told to', async () => {
    const store = await open();
    expect(await store.put('x', bytes('first'))).toBe(true);
    const { tag } = (await store.head('x'))!;
    expect(await store.put('x', bytes('second'))).toBe(false);
    expect(textOf(await store.get('x'))).toBe('first');
    expect(await store.put('x', bytes('other one'), { replace: true })).toBe(true);
    expect(textOf(await store.get('x'))).toBe('other one');
    expect((await store.head('x'))!.tag).not.toBe(tag);
  });

  it('lists names that begin so, sorted, page by page', async () => {
    const store = await open();
    for (const name of ['many/e', 'many/a', 'many/c d', 'many/b', 'manyfold'])
      await store.put(name, bytes(name));
    const found: string[] = [];
    for await (const { key, bytes: size } of store.list('many/')) found.push(`${key} ${size}`);
    expect(found).toEqual(['many/a 6', 'many/b 6', 'many/c d 8', 'many/e 6']);
  });

  it('says what is not there', async () => {
    const store = await open();
    expect(await store.head('none')).toBeNull();
    await expect(store.get('none')).rejects.toThrow(/^cannot read .*none: there is no such (file|object)$/);
  });
});

describe('createS3Store', () => {
  it('asks again where the store is busy', async () => {
    const store = await createS3Store({ bucket: 'moves', prefix: '' });
    bucket.busy = 2;
    expect(await store.put('later', bytes('x'))).toBe(true);
    expect(bucket.objects.has('later')).toBe(true);
  });

  it('is refused with a wrong key, in a sentence that does not show it', async () => {
    process.env.AWS_SECRET_ACCESS_KEY = 'wrong-secret';
    const store = await createS3Store({ bucket: 'moves', prefix: '' });
    process.env.AWS_SECRET_ACCESS_KEY = TEST_KEY.AWS_SECRET_ACCESS_KEY;
    const error = await store.get('later').catch((caught: unknown) => caught as Error);
    expect(String(error)).toContain('cannot read s3://moves/later: the key in AWS_SECRET_ACCESS_KEY is not');
    expect(String(error)).not.toContain('wrong-secret');
    // HEAD has no body to say so.
    await expect(store.head('later')).rejects.toThrow(
      'cannot read s3://moves/later: permission denied, or the key in AWS_ACCESS_KEY_ID',
    );
  });

  it('needs a key', async () => {
    delete process.env.AWS_ACCESS_KEY_ID;
    await expect(createS3Store({ bucket: 'moves', prefix: '' })).rejects.toThrow(
      /needs a key: AWS_ACCESS_KEY_ID/,
    );
    process.env.AWS_ACCESS_KEY_ID = TEST_KEY.AWS_ACCESS_KEY_ID;
  });
});

describe('readBucketPlace', () => {
  it('takes places apart and refuses what is none', () => {
    expect(readBucketPlace('s3://moves/a/b/')).toEqual({ bucket: 'moves', prefix: 'a/b' });
    expect(readBucketPlace('s3://moves')).toEqual({ bucket: 'moves', prefix: '' });
    for (const wrong of ['s3://', 's3://UP/x', 's3://moves/../other'])
      expect(() => readBucketPlace(wrong)).toThrow(/is no place in a bucket/);
  });
});
