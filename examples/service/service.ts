/*
 * A small service: two uploads in, the character with the motion out.
 *
 *   node examples/dist/service/serve.js [PORT]
 *   curl -F source=@walk.bvh -F target=@hero.vrm http://127.0.0.1:8080/retarget -o hero-walk.vrm
 *
 * It is bounded on all sides: bytes of a request, requests and jobs at once, seconds and memory of a job. Put what a public service
 * needs besides (TLS, accounts, rates) before it.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Worker } from 'node:worker_threads';
import type { JobAnswer, UploadedJob } from './job-thread.js';

/** What a service allows. */
export type ServiceLimits = {
  /** Bytes of a whole request. */
  bytes: number;
  /** Jobs at once; one more is told to come back. */
  jobs: number;
  /** Requests that arrive at once, each of which may take its bytes of memory; whoever sends slowly takes no job's place. */
  uploads: number;
  /** Seconds that a job may take, and that a request may take to arrive. */
  seconds: number;
  /** Megabytes of memory of a job. */
  memory: number;
};

const DEFAULTS: ServiceLimits = { bytes: 96 * 2 ** 20, jobs: 2, uploads: 8, seconds: 60, memory: 1024 };

/** What may be answered with, by the extension. */
const TYPES: Record<string, string> = {
  glb: 'model/gltf-binary',
  vrm: 'model/gltf-binary',
  vrma: 'model/gltf-binary',
  gltf: 'model/gltf+json',
  fbx: 'application/octet-stream',
  bvh: 'text/plain; charset=utf-8',
};

/** A request that is answered with a sentence and a code. */
class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** Makes the service; whoever calls it lets it listen. */
export function createService(limits: Partial<ServiceLimits> = {}): Server {
  const most = { ...DEFAULTS, ...limits };
  let [running, arriving] = [0, 0];
  const serve = (request: IncomingMessage, response: ServerResponse, asks: boolean) => {
    // Who has gone away takes nobody's place: what was begun for them is ended.
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    let isSent = !asks;
    const goOn = () => {
      if (!isSent) response.writeContinue();
      isSent = true;
    };
    void answer(request, goOn, gone.signal).then(
      (send) => send(response),
      (error: unknown) => refuse(response, error, isSent && !request.complete ? request : null),
    );
  };
  const server = createServer((request, response) => serve(request, response, false));
  // Who asks before a large form is sent is told at once that it is not wanted.
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) =>
    serve(request, response, true),
  );
  server.requestTimeout = most.seconds * 1000;
  server.headersTimeout = 10_000;
  return server;

  async function answer(
    request: IncomingMessage,
    goOn: () => void,
    gone: AbortSignal,
  ): Promise<(response: ServerResponse) => void> {
    const [pathname] = (request.url ?? '/').split('?');
    if (pathname === '/health') return (response) => response.writeHead(200).end('ok\n');
    if (pathname !== '/retarget') throw new Refusal(404, 'there is /retarget, and /health');
    if (request.method !== 'POST') throw new Refusal(405, 'send source and target as a form, by POST');
    const job = await takeJob(request, goOn);
    if (running >= most.jobs) throw new Refusal(503, TAKEN);
    running++;
    try {
      const made = await runJob(job, most, gone);
      if (made.kind === 'refused') throw new Refusal(422, made.sentence);
      return (response) =>
        response
          .writeHead(200, {
            'content-type': TYPES[job.output.split('.').at(-1)!]!,
            'content-length': made.bytes.byteLength,
            'content-disposition': `attachment; filename="${made.name.replace(/[^\w.-]/g, '_')}"`,
            'x-content-type-options': 'nosniff',
            'x-stuntdouble-verdict': made.verdict,
            'x-stuntdouble-warnings': `${made.warnings.length}`,
          })
          .end(made.bytes);
    } finally {
      running--;
    }
  }

  async function takeJob(request: IncomingMessage, goOn: () => void): Promise<UploadedJob> {
    // Told before it is sent, where that is known already.
    if (running >= most.jobs || arriving >= most.uploads) throw new Refusal(503, TAKEN);
    arriving++;
    try {
      return await readJob(request, most.bytes, goOn);
    } finally {
      arriving--;
    }
  }
}

const TAKEN = 'all places are taken; try again in some seconds';

/** How long what a refused request still sends is taken, in milliseconds: a connection that is cut takes the answer along. */
const LINGERS = 5000;

function refuse(response: ServerResponse, error: unknown, sending: IncomingMessage | null): void {
  const status = error instanceof Refusal ? error.status : 500;
  const sentence = error instanceof Refusal ? error.message : 'the service broke down at this request';
  const answer = Buffer.from(`${JSON.stringify({ error: sentence })}\n`);
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': answer.byteLength,
    ...(status === 503 && { 'retry-after': '5' }),
    connection: 'close',
  });
  response.write(answer);
  if (!sending) return void response.end();
  // What is left of it is read to nowhere, until the sender has seen the answer.
  const end = () => {
    clearTimeout(clock);
    response.end();
  };
  const clock = setTimeout(end, LINGERS);
  sending.once('end', end).once('close', end).resume();
}

/** The files of a form. */
async function readJob(request: IncomingMessage, most: number, goOn: () => void): Promise<UploadedJob> {
  const type = request.headers['content-type'] ?? '';
  if (!/^multipart\/form-data;/i.test(type)) throw new Refusal(415, 'send a form: multipart/form-data');
  const body = await readBody(request, most, goOn);
  const form = await new Response(body as Uint8Array<ArrayBuffer>, { headers: { 'content-type': type } })
    .formData()
    .catch(() => {
      throw new Refusal(400, 'the form cannot be read; it may have been cut off');
    });
  const file = async (name: string) => {
    const part = form.get(name);
    if (part === null || typeof part === 'string') return null;
    return { name: part.name || name, bytes: new Uint8Array(await part.arrayBuffer()) };
  };
  const [source, target, recipe] = [await file('source'), await file('target'), await file('recipe')];
  if (!source || !target)
    throw new Refusal(400, 'the form needs two files: source, with the motion, and target');
  const format = form.get('format') ?? extensionOf(target.name);
  if (typeof format !== 'string' || !Object.hasOwn(TYPES, format))
    throw new Refusal(400, `format is one of ${Object.keys(TYPES).join(', ')}`);
  return { source, target, recipe, output: `result.${format}` };
}

function extensionOf(name: string): string {
  const extension = /\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(TYPES, extension) ? extension : 'glb';
}

async function readBody(request: IncomingMessage, most: number, goOn: () => void): Promise<Uint8Array> {
  const tooMuch = () => new Refusal(413, `a request may have ${most} bytes`);
  if (Number(request.headers['content-length'] ?? 0) > most) throw tooMuch();
  goOn();
  const parts: Buffer[] = [];
  let bytes = 0;
  // Not by an iterator, which would cut the connection where it is left.
  await new Promise<void>((done, refused) => {
    request.on('data', (part: Buffer) => {
      bytes += part.byteLength;
      if (bytes > most) refused(tooMuch());
      else parts.push(part);
    });
    request.once('end', done).once('error', refused);
    request.once('close', () => refused(new Refusal(400, 'the request was cut off')));
  });
  return Buffer.concat(parts);
}

/** Does a job in a thread that is ended when it takes too long, and when nobody waits for it any more. */
function runJob(
  workerData: UploadedJob,
  { seconds, memory }: ServiceLimits,
  gone: AbortSignal,
): Promise<JobAnswer> {
  return new Promise((done, refused) => {
    if (gone.aborted) throw new Refusal(499, 'nobody waits for it any more');
    const worker = new Worker(new URL('./job-thread.js', import.meta.url), {
      workerData,
      resourceLimits: { maxOldGenerationSizeMb: memory },
    });
    const clock = setTimeout(() => {
      refused(new Refusal(504, `it took longer than ${seconds} s`));
      void worker.terminate();
    }, seconds * 1000);
    const end = () => void worker.terminate();
    gone.addEventListener('abort', end, { once: true });
    worker.once('message', done);
    worker.once('error', (error: NodeJS.ErrnoException) =>
      refused(
        error.code === 'ERR_WORKER_OUT_OF_MEMORY'
          ? new Refusal(413, 'these files need more memory than a job may have')
          : error,
      ),
    );
    worker.once('exit', () => {
      clearTimeout(clock);
      gone.removeEventListener('abort', end);
      refused(new Refusal(500, 'the job ended without an answer'));
    });
  });
}
