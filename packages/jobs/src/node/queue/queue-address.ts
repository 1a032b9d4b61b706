import { UsageError } from '@stuntdouble/core';

/** Where a queue is, taken apart: what connects to it, and what may be shown. */
export type QueueAddress = {
  connection: {
    host: string;
    port: number;
    username?: string;
    password?: string;
    db?: number;
    tls?: Record<string, never>;
    /** Commands wait for a server that is gone, however long: what is in hand is not lost by it. */
    maxRetriesPerRequest: null;
  };
  /** The address without name and password, for logs, manifests and errors. */
  words: string;
};

const SCHEMES = ['redis:', 'rediss:'];

/**
 * Takes the address of a queue apart: `redis://[name:password@]host[:port][/database]`, `rediss://` for TLS.
 * @throws UsageError that shows nothing of what may be a password.
 */
export function readQueueAddress(text: string): QueueAddress {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new UsageError('--queue is no address; give one such as redis://127.0.0.1:6379');
  }
  if (!SCHEMES.includes(url.protocol))
    throw new UsageError(
      `--queue is an address of ${url.protocol}//; a queue is kept by Redis: redis://127.0.0.1:6379`,
    );
  const database = url.pathname.replace(/^\//, '');
  if (!/^\d{0,4}$/.test(database))
    throw new UsageError('--queue: what follows the host is the number of a database, such as /0');
  const host = url.hostname.replace(/^\[|\]$/g, '') || '127.0.0.1';
  const port = url.port === '' ? 6379 : Number(url.port);
  return {
    connection: {
      ...{ host, port, maxRetriesPerRequest: null },
      ...(url.username !== '' && { username: decodeURIComponent(url.username) }),
      ...(url.password !== '' && { password: decodeURIComponent(url.password) }),
      ...(database !== '' && { db: Number(database) }),
      ...(url.protocol === 'rediss:' && { tls: {} }),
    },
    words: `${url.protocol}//${url.hostname || '127.0.0.1'}:${port}${database === '' ? '' : `/${database}`}`,
  };
}
