import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/** The key that the store of a test knows. */
export const TEST_KEY = {
  AWS_ACCESS_KEY_ID: 'test-key',
  AWS_SECRET_ACCESS_KEY: 'test-secret',
  AWS_REGION: 'eu-test-1',
};

/** A bucket of a test's own, on loopback, that checks every signature as Amazon's rules say. */
export type OwnBucket = {
  endpoint: string;
  objects: Map<string, { bytes: Buffer; sha256: string | undefined }>;
  /** What was asked for, as `VERB name`. */
  asked: string[];
  /** How many of the next requests are answered by 503. */
  busy: number;
  close(): Promise<void>;
};

/** Starts a store with four verbs: GET, PUT (with If-None-Match), HEAD and ListObjectsV2, two objects a page. */
export async function startBucket(bucket: string): Promise<OwnBucket> {
  const objects: OwnBucket['objects'] = new Map();
  const own: OwnBucket = { endpoint: '', objects, asked: [], busy: 0, close: async () => {} };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => answer(request, response, Buffer.concat(chunks)));
  });
  const answer = (request: IncomingMessage, response: ServerResponse, body: Buffer) => {
    const refuse = (status: number, code: string) =>
      response.writeHead(status).end(request.method === 'HEAD' ? '' : `<Error><Code>${code}</Code></Error>`);
    const url = new URL(request.url!, own.endpoint);
    const name = decodeURIComponent(url.pathname).slice(`/${bucket}/`.length);
    own.asked.push(`${request.method} ${name}`);
    if (own.busy > 0) {
      own.busy--;
      return refuse(503, 'SlowDown');
    }
    if (signatureOf(request, url) !== request.headers.authorization)
      return refuse(403, 'SignatureDoesNotMatch');
    const hash = request.headers['x-amz-content-sha256'];
    if (hash !== 'UNSIGNED-PAYLOAD' && hash !== createHash('sha256').update(body).digest('hex'))
      return refuse(400, 'XAmzContentSHA256Mismatch');
    if (!url.pathname.startsWith(`/${bucket}/`)) return refuse(404, 'NoSuchBucket');
    if (url.searchParams.get('list-type') === '2') return response.end(page(url.searchParams));
    if (request.method === 'PUT') {
      if (request.headers['if-none-match'] === '*' && objects.has(name))
        return refuse(412, 'PreconditionFailed');
      const sha256 = request.headers['x-amz-meta-sha256'] as string | undefined;
      objects.set(name, { bytes: body, sha256 });
      return response.end();
    }
    const found = objects.get(name);
    if (!found) return refuse(404, 'NoSuchKey');
    response.writeHead(200, {
      'content-length': found.bytes.length,
      etag: tagOf(found.bytes),
      ...(found.sha256 && { 'x-amz-meta-sha256': found.sha256 }),
    });
    return response.end(request.method === 'HEAD' ? undefined : found.bytes);
  };
  const page = (query: URLSearchParams) => {
    const names = [...objects.keys()].filter((name) => name.startsWith(query.get('prefix') ?? '')).sort();
    const first = Number(query.get('continuation-token') ?? 0);
    const contents = names
      .slice(first, first + 2)
      .map(
        (name) =>
          `<Contents><Key>${encodeURIComponent(name)}</Key><Size>${objects.get(name)!.bytes.length}</Size><ETag>${tagOf(objects.get(name)!.bytes).replaceAll('"', '&quot;')}</ETag></Contents>`,
      );
    const next =
      first + 2 < names.length ? `<NextContinuationToken>${first + 2}</NextContinuationToken>` : '';
    return `<?xml version="1.0"?><ListBucketResult>${contents.join('')}${next}</ListBucketResult>`;
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  own.endpoint = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
  own.close = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return own;
}

const tagOf = (bytes: Uint8Array) => `"${createHash('md5').update(bytes).digest('hex')}"`;

/** What the header Authorization of a request has to be, worked out from the rules of Signature Version 4. */
function signatureOf({ method, headers }: IncomingMessage, url: URL): string {
  const [, signed = ''] = /SignedHeaders=([^,]+)/.exec(headers.authorization ?? '') ?? [];
  const time = String(headers['x-amz-date']);
  const encode = (text: string) =>
    encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
  const query = [...url.searchParams]
    .map(([key, value]) => `${encode(key)}=${encode(value)}`)
    .sort()
    .join('&');
  const path = url.pathname
    .split('/')
    .map((step) => encode(decodeURIComponent(step)))
    .join('/');
  const canonical = [
    ...[method, path, query],
    ...signed.split(';').map((name) => `${name}:${String(headers[name]).trim()}`),
    ...['', signed, String(headers['x-amz-content-sha256'])],
  ].join('\n');
  const scope = `${time.slice(0, 8)}/${TEST_KEY.AWS_REGION}/s3/aws4_request`;
  const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();
  const key = scope
    .split('/')
    .reduce<string | Buffer>((each, step) => hmac(each, step), `AWS4${TEST_KEY.AWS_SECRET_ACCESS_KEY}`);
  const text = ['AWS4-HMAC-SHA256', time, scope, createHash('sha256').update(canonical).digest('hex')].join(
    '\n',
  );
  return `AWS4-HMAC-SHA256 Credential=${TEST_KEY.AWS_ACCESS_KEY_ID}/${scope}, SignedHeaders=${signed}, Signature=${hmac(key, text).toString('hex')}`;
}
