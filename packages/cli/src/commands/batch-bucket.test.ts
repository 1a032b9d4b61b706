import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ManifestEntry } from '@stuntdouble/jobs';
import { createPlainRunner, startQueueWorker } from '@stuntdouble/jobs/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OwnBucket, startBucket, TEST_KEY } from '../../../jobs/test/s3-server.js';
import { createFolder } from '../../test/folder.js';
import { hasRedis, startRedis } from '../../test/redis.js';
import { runCommand } from '../../test/run-command.js';
import { stickFigureBvh, stickFigureGltf } from '../../test/stick-figure.js';
import { readVersion } from '../read-version.js';

const bin = fileURLToPath(new URL('../../bin/stuntdouble.js', import.meta.url));
const folder = createFolder();
const before = { ...process.env };
let bucket: OwnBucket;
beforeAll(async () => {
  bucket = await startBucket('moves');
  Object.assign(process.env, TEST_KEY, { AWS_ENDPOINT_URL_S3: bucket.endpoint });
  const put = (name: string, text: string) =>
    bucket.objects.set(name, { bytes: Buffer.from(text), sha256: undefined });
  put('captures/walk.bvh', stickFigureBvh());
  put('captures/deep/stroll.bvh', stickFigureBvh('mixamo', { frames: 41 }));
  put('captures/readme.txt', 'not one');
  put('heroes/one.gltf', stickFigureGltf());
  put('heroes/two.gltf', stickFigureGltf({ bodies: 1 }));
});
afterAll(async () => {
  process.env = before;
  await bucket.close();
});

const argvOf = (out: string, work: string, ...more: string[]) => [
  ...['batch', 's3://moves/captures', '--onto', 's3://moves/heroes', '--out', out, '--json'],
  ...['--work', folder.at(work), ...more],
];
const batch = async (out: string, work: string, ...more: string[]) => {
  const run = await runCommand(...argvOf(out, work, ...more));
  return { ...run, json: run.out === '' ? null : JSON.parse(run.out) };
};
/** The same by the command as it was built: threads, which files are looked at in, start from nothing else. */
const builtBatch = async (out: string, work: string, ...more: string[]) => {
  const child = spawn(process.execPath, [bin, ...argvOf(out, work, ...more)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: 60_000,
  });
  let told = '';
  child.stdout.on('data', (chunk: Buffer) => {
    told += chunk.toString();
  });
  const [code] = await once(child, 'close');
  return { code: code as number | null, json: told === '' ? null : JSON.parse(told) };
};
const resultsIn = (place: string) =>
  [...bucket.objects]
    .filter(([name]) => name.startsWith(`${place}/`) && name.endsWith('.gltf'))
    .map(([name, { bytes }]) => [name.slice(place.length), bytes.toString('utf8')])
    .sort();

describe('batch in a bucket', () => {
  it('gives the bytes that a folder gets, and its manifest, and does nothing again, from another machine neither', async () => {
    const first = await batch('s3://moves/moved', 'work', '--workers', '0');
    expect(first).toMatchObject({ code: 0, json: { cells: 4, done: 4, failed: 0 } });
    mkdirSync(folder.at('local/captures/deep'), { recursive: true });
    mkdirSync(folder.at('local/heroes'));
    for (const [name, { bytes }] of bucket.objects)
      if (/^(captures|heroes)\//.test(name)) writeFileSync(folder.at('local', name), bytes);
    const out = folder.at('local/moved');
    await runCommand(
      ...['batch', folder.at('local/captures'), '--onto', folder.at('local/heroes'), '--out', out],
      ...['--workers', '0'],
    );
    const local = readdirSync(out, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.gltf'))
      .map((path) => [`/${path}`, readFileSync(join(out, path), 'utf8')])
      .sort();
    expect(resultsIn('moved')).toEqual(local);
    const { cells } = JSON.parse(bucket.objects.get('moved/manifest.json')!.bytes.toString('utf8')) as {
      cells: ManifestEntry[];
    };
    expect(cells.map(({ source, sha256, output }) => [source, sha256[0], output[0]])).toContainEqual([
      'captures/walk.bvh',
      bucket.objects.get('moved/one/walk.gltf')!.sha256,
      'one/walk.gltf',
    ]);
    expect((await batch('s3://moves/moved', 'work', '--workers', '0')).json).toMatchObject({
      done: 0,
      upToDate: 4,
    });
    const elsewhere = await batch('s3://moves/moved', 'other-machine', '--workers', '0');
    expect(elsewhere.json).toMatchObject({ done: 0, upToDate: 4 });
  }, 60_000);

  it('does again what was changed, at either end', async () => {
    const walk = bucket.objects.get('captures/walk.bvh')!;
    bucket.objects.set('captures/walk.bvh', {
      ...walk,
      bytes: Buffer.from(stickFigureBvh('mixamo', { frames: 25 })),
    });
    const before = resultsIn('moved');
    expect((await batch('s3://moves/moved', 'work', '--workers', '0')).json).toMatchObject({
      done: 2,
      upToDate: 2,
    });
    expect(resultsIn('moved').filter((result, n) => result[1] !== before[n]![1])).toHaveLength(2);
    bucket.objects.set('moved/two/stroll.gltf', { bytes: Buffer.from('{}'), sha256: undefined });
    bucket.objects.delete('moved/one/stroll.gltf');
    expect((await batch('s3://moves/moved', 'work', '--workers', '0')).json).toMatchObject({
      done: 2,
      upToDate: 2,
    });
    expect(resultsIn('moved')).toHaveLength(4);
  }, 60_000);

  it('says in one sentence what cannot be meant, and what the bucket does not have', async () => {
    const tries: [string[], RegExp][] = [
      [
        ['batch', folder.path, '--onto', 's3://moves/heroes', '--out', 's3://moves/x'],
        /all its files in one bucket/,
      ],
      [
        ['batch', 's3://other/captures', '--onto', 's3://moves/heroes', '--out', 's3://moves/x'],
        /all its files in one bucket/,
      ],
      [
        ['batch', 's3://moves/captures', '--onto', 's3://moves/heroes', '--out', 's3://moves/x', '--gallery'],
        /--gallery needs a folder on a disk/,
      ],
      [
        ['batch', 's3://moves/none', '--onto', 's3://moves/heroes', '--out', 's3://moves/x'],
        /no object in it can be read/,
      ],
      [
        ['batch', 's3://moves/captures', '--onto', folder.path, '--out', folder.at('x')],
        /s3:\/\/moves\/captures/,
      ],
    ];
    for (const [argv, message] of tries) {
      const { code, err } = await runCommand(...argv);
      expect(code).toBeGreaterThan(0);
      expect(err).toMatch(message);
    }
  }, 60_000);

  it.skipIf(!hasRedis)(
    'goes by a queue to workers that have the bucket as their root',
    async () => {
      mkdirSync(folder.at('redis'));
      const redis = await startRedis(folder.at('redis'));
      const worker = await startQueueWorker({
        ...{
          url: redis.url,
          root: 's3://moves',
          version: readVersion(),
          read: {},
          runner: createPlainRunner(),
        },
      });
      try {
        const run = await builtBatch('s3://moves/by-queue', 'queue', '--queue', redis.url);
        expect(run).toMatchObject({ code: 0, json: { done: 4, failed: 0 } });
        expect(resultsIn('by-queue')).toEqual(resultsIn('moved'));
      } finally {
        await worker.stop();
        await redis.kill();
      }
    },
    60_000,
  );
});
