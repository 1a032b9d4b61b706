import { UsageError } from '@stuntdouble/core';

/** The packages behind a queue, which are there only where somebody has installed them. */
export type QueuePackages = {
  bullmq: typeof import('bullmq');
  Redis: typeof import('ioredis').Redis;
};

/**
 * Loads what a queue needs; nothing else brings it along.
 * @throws UsageError that says what to install.
 */
export async function loadBullmq(): Promise<QueuePackages> {
  try {
    const [bullmq, { Redis }] = await Promise.all([import('bullmq'), import('ioredis')]);
    return { bullmq, Redis };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new UsageError('--queue needs two packages that are not installed: npm install bullmq@6 ioredis@5');
  }
}
