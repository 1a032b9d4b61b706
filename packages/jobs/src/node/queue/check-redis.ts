import { UsageError } from '@stuntdouble/core';
import { sentenceOf } from '../../failure.js';
import type { QueuePackages } from './load-bullmq.js';
import type { QueueAddress } from './queue-address.js';

/** How long a server may take to answer for the first time, in milliseconds. */
const FIRST_ANSWER = 5000;

/**
 * Makes sure that a Redis can be reached and keeps what it is given: that it throws no job out when memory runs
 * short, and has them on its disk.
 * @throws UsageError that says which setting is wrong, and how the server is started.
 */
export async function checkRedis(
  Redis: QueuePackages['Redis'],
  { connection, words }: QueueAddress,
): Promise<void> {
  const client = new Redis({
    ...connection,
    lazyConnect: true,
    connectTimeout: FIRST_ANSWER,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  // The call that meets an error says no more than that the connection is closed.
  let met: unknown;
  client.on('error', (error) => {
    met = error;
  });
  let info: string;
  try {
    await client.connect();
    info = await client.info();
  } catch (error) {
    const said = sentenceOf(met ?? error);
    if (/^(NOAUTH|WRONGPASS|NOPERM)\b/.test(said))
      throw new UsageError(
        `the Redis at ${words} asks for another name or password; put them into STUNTDOUBLE_QUEUE: redis://name:password@host:port`,
      );
    throw new UsageError(
      `there is no queue at ${words} (${said}); start one: redis-server ${SETTINGS_TYPED}`,
    );
  } finally {
    client.disconnect();
  }
  const said = (name: string) => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1];
  const policy = said('maxmemory_policy');
  if (policy !== undefined && policy !== 'noeviction')
    throw new UsageError(
      `the Redis at ${words} throws data out when memory runs short (maxmemory-policy ${policy}); start it with ${SETTINGS_TYPED}`,
    );
  if (said('aof_enabled') === '0')
    throw new UsageError(
      `the Redis at ${words} loses jobs when it is restarted (appendonly no); start it with ${SETTINGS_TYPED}`,
    );
}

/** The settings that a queue needs, as they are typed. */
const SETTINGS_TYPED = '--appendonly yes --appendfsync everysec --maxmemory-policy noeviction';
