import { UsageError } from '../base/errors.js';
import { type DataPath, describeValue, fieldsOf, listAt, numberAt, textAt } from '../base/plain-data.js';
import { isRole } from '../body/roles.js';
import { type MapChange, NO_ROLE, type RigMapDocument } from '../options/rig-map-document.js';

/** The version of maps and recipes that this program writes, and the newest it reads. */
export const DOCUMENT_VERSION = 1;

/**
 * A copy of what JSON says of a map, with nothing in it but what a map has.
 * @throws UsageError that names the first place that is wrong, such as `map.joints[3].target`.
 */
export function readMapDocument(value: unknown, at: DataPath): RigMapDocument {
  const { version, joints, changes, roles } = fieldsOf(value, at);
  if (version !== undefined) checkVersion(version, `${at}.version`);
  const map: RigMapDocument = { version: DOCUMENT_VERSION };
  if (joints !== undefined)
    map.joints = listAt(joints, `${at}.joints`).map((value, i) => {
      const here = `${at}.joints[${i}]`;
      return readEntry(fieldsOf(value, here), here, 'take the entry out');
    });
  if (changes !== undefined)
    map.changes = listAt(changes, `${at}.changes`).map((value, i) =>
      readChange(value, `${at}.changes[${i}]`),
    );
  if (roles !== undefined)
    map.roles = Object.fromEntries(
      Object.entries(fieldsOf(roles, `${at}.roles`)).map(([role, name]) => [
        roleAt(role, `${at}.roles`),
        textAt(name, `${at}.roles.${role}`),
      ]),
    );
  return map;
}

/** @param otherwise What to do to drive nothing. */
function readEntry(entry: Record<string, unknown>, at: DataPath, otherwise: string) {
  const sources = listAt(entry.sources, `${at}.sources`).map((name, k) =>
    textAt(name, `${at}.sources[${k}]`),
  );
  if (sources.length === 0) throw new UsageError(`${at}.sources: is empty; to drive nothing, ${otherwise}`);
  return {
    target: textAt(entry.target, `${at}.target`),
    sources,
    ...(entry.share !== undefined && { share: readShare(entry.share, `${at}.share`) }),
    ...(entry.role !== undefined && {
      role: entry.role === NO_ROLE ? NO_ROLE : roleAt(entry.role, `${at}.role`),
    }),
  };
}

function readChange(value: unknown, at: DataPath): MapChange {
  const entry = fieldsOf(value, at);
  const isNone = entry.none === true || entry.sources === null;
  if (entry.none !== undefined && entry.none !== true)
    throw new UsageError(`${at}.none: must be true or left out, and is ${describeValue(entry.none)}`);
  if (!isNone) return readEntry(entry, at, 'say none: true');
  if (entry.sources !== undefined && entry.sources !== null)
    throw new UsageError(`${at}: names sources and says none; give one of the two`);
  return { target: textAt(entry.target, `${at}.target`), none: true };
}

/** Makes sure that a document is of a version that is known. @throws UsageError that says which it is of. */
export function checkVersion(version: unknown, at: DataPath): void {
  if (typeof version === 'number' && version > DOCUMENT_VERSION)
    throw new UsageError(
      `${at}: ${version} is newer than what this program reads, which is ${DOCUMENT_VERSION}; it was written by a later one`,
    );
  if (version !== DOCUMENT_VERSION)
    throw new UsageError(
      `${at}: must be ${DOCUMENT_VERSION}, and is ${JSON.stringify(version) ?? 'left out'}`,
    );
}

function roleAt(value: unknown, at: DataPath): string {
  const role = textAt(value, at);
  if (!isRole(role))
    throw new UsageError(`${at}: "${role}" is no body part (VRM names, such as leftUpperArm)`);
  return role;
}

function readShare(value: unknown, at: DataPath): { from: string; weight: number } {
  const { from, weight } = fieldsOf(value, at);
  const part = numberAt(weight, `${at}.weight`);
  if (part < 0 || part > 1) throw new UsageError(`${at}.weight: must be from 0 to 1, and is ${part}`);
  return { from: textAt(from, `${at}.from`), weight: part };
}
