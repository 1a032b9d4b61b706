import { createHash, randomBytes } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync, unlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';

/** No write takes as long: a temporary file of this age, in milliseconds, has nobody who works on it. */
const A_DAY = 24 * 60 * 60 * 1000;

/** The names of temporary files, all of which are ours: where its process runs, which process, and a chance number. */
const NAME = /^\.stuntdouble-([0-9a-f]{8})-(\d{1,10})-[0-9a-f]{12}\.tmp$/;

/**
 * Eight digits for the system whose process numbers ours are among: folders may be shared between machines and
 * containers, where a number means another process.
 */
function systemTag(): string {
  const said = [hostname()];
  for (const read of [
    () => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8'),
    () => readlinkSync('/proc/self/ns/pid'),
  ])
    try {
      said.push(read());
    } catch {
      // Only Linux has these; elsewhere the name of the machine must do.
    }
  return createHash('sha256').update(said.join('\n')).digest('hex').slice(0, 8);
}

let ownTag: string | undefined;

/** A new name for a temporary file; short, so that every name that fits a file system can be written. */
export function temporaryName(pid = process.pid): string {
  ownTag ??= systemTag();
  return `.stuntdouble-${ownTag}-${pid}-${randomBytes(6).toString('hex')}.tmp`;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

const swept = new Set<string>();

/**
 * Removes temporary files that processes left in a folder which could not clean up: killed outright, or without
 * power. Only plain files of this user under our own kind of name go, and only where their process runs no more, or
 * they are a day old. Each folder is looked at once; what cannot be looked at or removed is left alone.
 */
export function sweepTemporaryFiles(folder: string): void {
  if (swept.has(folder)) return;
  swept.add(folder);
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return;
  }
  for (const name of names) {
    const match = NAME.exec(name);
    if (!match || Number(match[2]) === process.pid) continue;
    const path = join(folder, name);
    try {
      const info = lstatSync(path);
      if (!info.isFile() || (process.getuid && info.uid !== process.getuid())) continue;
      ownTag ??= systemTag();
      const isDead = match[1] === ownTag && !isRunning(Number(match[2]));
      if (isDead || Date.now() - info.mtimeMs > A_DAY) unlinkSync(path);
    } catch {
      // Gone meanwhile, or not ours to remove.
    }
  }
}
