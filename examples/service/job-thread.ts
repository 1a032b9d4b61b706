/*
 * One job in a thread of its own: two files in, one file out. The service starts it with a limit on memory, and ends
 * it when it takes too long; nothing that a file does reaches the thread that answers requests.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { retargetFiles, sentenceOf } from '@stuntdouble/jobs';

/** What a job gets. */
export type UploadedJob = {
  source: { name: string; bytes: Uint8Array };
  target: { name: string; bytes: Uint8Array };
  recipe: { name: string; bytes: Uint8Array } | null;
  /** The name of the file to be made, whose extension says what it is. */
  output: string;
};

/** What a job answers. */
export type JobAnswer =
  | { kind: 'done'; name: string; bytes: Uint8Array; verdict: string; warnings: string[] }
  | { kind: 'refused'; sentence: string };

async function run({ source, target, recipe, output }: UploadedJob): Promise<JobAnswer> {
  // An upload stands alone: what it names beside itself is not there to be read.
  const options = { limits: { bytes: 64 * 2 ** 20, seconds: 600 } };
  const { files, report } = await retargetFiles({
    source: { name: source.name, content: source.bytes, options },
    target: { name: target.name, content: target.bytes, options },
    output,
    ...(recipe && { recipe }),
  });
  const [{ name, bytes }] = files as [(typeof files)[number]];
  return {
    ...{ kind: 'done', name, bytes, verdict: report.verdict.verdict },
    warnings: report.warnings.map(({ code, message }) => `${code}: ${message}`),
  };
}

parentPort?.postMessage(
  await run(workerData as UploadedJob).catch(
    (error: unknown): JobAnswer => ({ kind: 'refused', sentence: sentenceOf(error) }),
  ),
);
