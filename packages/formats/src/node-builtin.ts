import { UsageError } from '@stuntdouble/core';

/** The modules of Node that files are read and written with. */
type Builtins = {
  'node:fs': typeof import('node:fs');
  'node:path': typeof import('node:path');
  'node:url': typeof import('node:url');
  'node:v8': typeof import('node:v8');
};

/**
 * A module of Node's own, asked for at the moment it is needed and without an import: a page has none of them, and a
 * program that packs modules for one stops at the import of what it cannot find, be it never run.
 * @returns null outside Node.
 */
export function findBuiltin<Name extends keyof Builtins>(name: Name): Builtins[Name] | null {
  const { process } = globalThis as { process?: { getBuiltinModule?: (name: string) => unknown } };
  return (process?.getBuiltinModule?.(name) as Builtins[Name] | undefined) ?? null;
}

/**
 * The same where there is no way without it.
 * @throws UsageError outside Node.
 */
export function nodeBuiltin<Name extends keyof Builtins>(name: Name): Builtins[Name] {
  const found = findBuiltin(name);
  if (found) return found;
  throw new UsageError('files are read and written by path in Node alone; pass an address, bytes or a File');
}
