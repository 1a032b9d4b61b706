import { createHash } from 'node:crypto';
import { UsageError } from '@stuntdouble/core';
import { Failure, sentenceOf } from '../../failure.js';
import type { ObjectStore, StoredObject } from './object-store.js';

/** The header that holds the hash of what this program put, so that nobody has to read it again. */
const HASH_HEADER = 'x-amz-meta-sha256';

/** How often a request is sent that the store could not answer, and how long is waited at first, in milliseconds. */
const RETRIES = 4;
const FIRST_WAIT = 200;

/**
 * Keeps objects in a bucket, by the four verbs of S3 that every such store has: GET, PUT with `If-None-Match: *`,
 * HEAD and ListObjectsV2. What signs them is loaded here alone.
 * @throws UsageError where the environment has no key, or the package that signs is not installed.
 */
export async function createS3Store({
  bucket,
  prefix,
}: {
  bucket: string;
  prefix: string;
}): Promise<ObjectStore> {
  const { env } = process;
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = env;
  if (!accessKeyId || !secretAccessKey)
    throw new UsageError(
      's3:// needs a key: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment, and AWS_REGION',
    );
  const region = env.AWS_REGION ?? env.AWS_DEFAULT_REGION ?? 'us-east-1';
  const endpoint = env.AWS_ENDPOINT_URL_S3 ?? env.AWS_ENDPOINT_URL;
  const AwsClient = await loadSigner();
  const client = new AwsClient({
    ...{ accessKeyId, secretAccessKey, region, service: 's3', retries: RETRIES, initRetryMs: FIRST_WAIT },
    ...(env.AWS_SESSION_TOKEN && { sessionToken: env.AWS_SESSION_TOKEN }),
  });
  // Other stores rarely have a name of its own for every bucket.
  const root = endpoint
    ? `${endpoint.replace(/\/+$/, '')}/${bucket}`
    : `https://${bucket}.s3.${region}.amazonaws.com`;
  const nameOf = (key: string) => (prefix === '' ? key : `${prefix}/${key}`);
  const addressOf = (key: string) => `${root}/${nameOf(key).split('/').map(encodeURIComponent).join('/')}`;
  const ask = async (verb: string, key: string, address: string, init: RequestInit = {}) => {
    try {
      return await client.fetch(address, init);
    } catch (error) {
      throw unanswered(`cannot ${verb} ${wordsOf(bucket, nameOf(key))}: the store does not answer`, error);
    }
  };
  const refuse = async (verb: string, key: string, response: Response): Promise<never> => {
    const code = /<Code>([\w.]{1,80})<\/Code>/.exec(await response.text())?.[1];
    const sentence = `cannot ${verb} ${wordsOf(bucket, nameOf(key))}: ${REASONS[code ?? `${response.status}`] ?? `the store says ${response.status}${code ? ` ${code}` : ''}`}`;
    if (response.status === 404) throw new Failure(sentence);
    throw unanswered(sentence, new Error(`${response.status}`));
  };
  return {
    async get(key) {
      const response = await ask('read', key, addressOf(key));
      if (!response.ok) return refuse('read', key, response);
      return new Uint8Array(await response.arrayBuffer());
    },
    async put(key, bytes, { replace = false } = {}) {
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      const response = await ask('write', key, addressOf(key), {
        method: 'PUT',
        body: bytes as Uint8Array<ArrayBuffer>,
        headers: {
          [HASH_HEADER]: sha256,
          // Part of what is signed: bytes that were changed on the way are refused.
          'X-Amz-Content-Sha256': sha256,
          ...(replace ? {} : { 'If-None-Match': '*' }),
        },
      });
      // 409: another puts it at this moment.
      if (!replace && (response.status === 412 || response.status === 409)) return false;
      if (!response.ok) return refuse('write', key, response);
      return true;
    },
    async head(key) {
      const response = await ask('read', key, addressOf(key), { method: 'HEAD' });
      if (response.status === 404) return null;
      if (!response.ok) return refuse('read', key, response);
      const sha256 = response.headers.get(HASH_HEADER);
      return {
        key,
        bytes: Number(response.headers.get('content-length')),
        tag: response.headers.get('etag') ?? '',
        ...(sha256 && { sha256 }),
      };
    },
    async *list(keyPrefix) {
      const start = nameOf(keyPrefix);
      let token: string | undefined;
      do {
        const query = new URLSearchParams({ 'list-type': '2', prefix: start, 'encoding-type': 'url' });
        if (token !== undefined) query.set('continuation-token', token);
        const response = await ask('list', keyPrefix, `${root}/?${query}`);
        if (!response.ok) return refuse('list', keyPrefix, response);
        const { objects, next } = readListing(await response.text());
        const skipped = prefix === '' ? 0 : prefix.length + 1;
        for (const object of objects) yield { ...object, key: object.key.slice(skipped) };
        token = next;
      } while (token !== undefined);
    },
  };
}

/** What stores call the commonest refusals. */
const REASONS: Readonly<Record<string, string>> = {
  NoSuchKey: 'there is no such object',
  NoSuchBucket: 'there is no such bucket',
  AccessDenied: 'permission denied',
  InvalidAccessKeyId: 'the key in AWS_ACCESS_KEY_ID is not known there',
  // HEAD is answered without words.
  '403': 'permission denied, or the key in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY is not the right one',
  SignatureDoesNotMatch: 'the key in AWS_SECRET_ACCESS_KEY is not the right one',
};

const wordsOf = (bucket: string, name: string) => `s3://${bucket}/${name}`;

/** A failure of the store and not of a file: it may pass. */
function unanswered(sentence: string, error: unknown): Failure {
  const cause = Object.assign(new Error(sentenceOf(error)), { code: 'ESTORE' });
  return new Failure(sentence, { cause });
}

async function loadSigner() {
  try {
    return (await import('aws4fetch')).AwsClient;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new UsageError('s3:// needs a package that is not installed: npm install aws4fetch@1');
  }
}

/** One page of a listing. The form is fixed and flat, so that looking for its elements is enough. */
function readListing(xml: string): { objects: StoredObject[]; next: string | undefined } {
  const objects = [...xml.matchAll(/<Contents>(.*?)<\/Contents>/gs)].map(([, content]) => ({
    // Names are as in an address where `encoding-type` asked for it.
    key: decodeURIComponent(elementOf(content!, 'Key').replace(/\+/g, ' ')),
    bytes: Number(elementOf(content!, 'Size')),
    tag: elementOf(content!, 'ETag'),
  }));
  const next = elementOf(xml, 'NextContinuationToken');
  return { objects, next: next === '' ? undefined : next };
}

function elementOf(xml: string, name: string): string {
  const text = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1] ?? '';
  return text.replace(/&(quot|amp|lt|gt|apos|#34|#39);/g, (_, entity: string) => ENTITIES[entity]!);
}

const ENTITIES: Readonly<Record<string, string>> = {
  ...{ quot: '"', amp: '&', lt: '<', gt: '>', apos: "'", '#34': '"', '#39': "'" },
};
