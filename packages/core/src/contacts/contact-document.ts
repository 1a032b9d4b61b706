import { UsageError } from '../base/errors.js';
import type { Vec3 } from '../base/math/vector.js';
import { fieldsOf, listAt, numberAt, numbersAt, oneOf } from '../base/plain-data.js';
import { LEG_NAMES } from '../body/animal-legs.js';
import {
  type Contact,
  type EditedContact,
  type PointName,
  TOUCH_NAMES,
  type TouchName,
} from '../options/contact.js';
import type { ListedOptions } from '../options/retarget-options.js';
import type { Clip } from '../scene/clip.js';

/** Contacts of a file's clips as people keep and edit them, in JSON. */
export type ContactDocument = {
  version: 1;
  /** By the name of the clip. Times are those of the clip in its file. */
  clips: Record<string, readonly EditedContact[]>;
};

/** The names of all points that can be in contact. */
export const POINT_NAMES: readonly PointName[] = [
  ...(['left', 'right'] as const).flatMap((side) =>
    (['Heel', 'Toe', 'Hand', 'Elbow', 'Knee'] as const).map((part) => `${side}${part}` as const),
  ),
  ...LEG_NAMES.map((leg) => `${leg}Foot` as const),
  'hips',
  'back',
  'head',
  'hands',
];

/**
 * Reads contacts from JSON: a {@link ContactDocument}.
 * @throws UsageError that names the first place that is wrong, such as `contacts.clips.walk[3].end`.
 */
export function readContacts(json: unknown): ContactDocument {
  const document = fieldsOf(json, 'contacts');
  if (document.version !== 1)
    throw new UsageError(
      `contacts.version: must be 1, and is ${JSON.stringify(document.version) ?? 'left out'}`,
    );
  const clips = Object.entries(fieldsOf(document.clips, 'contacts.clips'));
  return {
    version: 1,
    clips: Object.fromEntries(clips.map(([name, list]) => [name, completeContacts(list as unknown[], name)])),
  };
}

/**
 * Checks and completes contacts that a person has written or edited, in order of time.
 * @param clip For messages.
 * @throws UsageError that names the first place that is wrong.
 */
export function completeContacts(list: readonly unknown[], clip: string): Contact[] {
  const contacts = listAt(list, `contacts.clips.${clip}`).map((value, i): Contact => {
    const at = `contacts.clips.${clip}[${i}]`;
    const { point, start, end, height, position, on, apart } = fieldsOf(value, at);
    const contact: Contact = {
      point: oneOf(point, POINT_NAMES, `${at}.point`),
      start: numberAt(start, `${at}.start`),
      end: numberAt(end, `${at}.end`),
      height: height === undefined ? 0 : numberAt(height, `${at}.height`),
      position:
        position === undefined || position === null
          ? null
          : (numbersAt(position, `${at}.position`, 3) as unknown as Vec3),
      ...touchOf(oneOf(point, POINT_NAMES, `${at}.point`), on, apart, at),
    };
    if (contact.end < contact.start)
      throw new UsageError(`${at}: ends at ${contact.end} s, before it starts at ${contact.start} s`);
    return contact;
  });
  return contacts.sort((a, b) => a.start - b.start);
}

/** Reads what a hand touches, and how far apart that is. */
function touchOf(point: PointName, on: unknown, apart: unknown, at: string): Pick<Contact, 'on' | 'apart'> {
  const isBoth = point === 'hands';
  const told = on === undefined || on === null ? (isBoth ? 'carried' : null) : on;
  if (told === null) {
    if (apart !== undefined) throw new UsageError(`${at}.apart: needs what is touched, ${at}.on`);
    return {};
  }
  const touched = oneOf(told, TOUCH_NAMES, `${at}.on`);
  if (!isBoth && point !== 'leftHand' && point !== 'rightHand')
    throw new UsageError(`${at}.on: hands touch parts of the body; ${point} stands on the ground`);
  if (isBoth ? touched !== 'carried' && touched !== 'nothing' : touched === 'carried')
    throw new UsageError(`${at}.on: both hands carry, of the point hands; ${point} cannot be on ${touched}`);
  if (apart === undefined) return { on: touched };
  const far = numberAt(apart, `${at}.apart`);
  if (far < 0) throw new UsageError(`${at}.apart: must be at least 0, and is ${far}`);
  return { on: touched, apart: far };
}

/**
 * Contacts of a clip for a part of it that plays at another speed, and as seen in a mirror: in the times of that
 * part. What lies outside of it is left out.
 */
export function contactsOfPart(
  contacts: readonly Contact[],
  part: { start: number; end: number; speed: number; mirror: boolean },
): Contact[] {
  const { start, end, speed, mirror } = part;
  return contacts.flatMap((contact) => {
    if (contact.end < start || contact.start > end) return [];
    const { position } = contact;
    return [
      {
        ...contact,
        point: mirror ? mirrorPoint(contact.point) : contact.point,
        start: (Math.max(contact.start, start) - start) / speed,
        end: (Math.min(contact.end, end) - start) / speed,
        position: position && [mirror ? -position[0] : position[0], position[1], position[2]],
        ...(contact.on && { on: mirror ? mirrorPoint(contact.on) : contact.on }),
      },
    ];
  });
}

function mirrorPoint<T extends PointName | TouchName>(point: T): T {
  const other: Record<string, string> = { left: 'right', right: 'left', Left: 'Right', Right: 'Left' };
  return point.replace(/^left|^right|Left|Right/, (side) => other[side]!) as T;
}

/** The contacts that were told for a clip, in the times of what is made of it; null for none. */
export function toldContacts(
  { name, duration }: Clip,
  options: Pick<ListedOptions, 'contacts' | 'range' | 'speed' | 'mirror'>,
): Contact[] | null {
  const told = options.contacts?.[name];
  if (!told) return null;
  const { range = [0, duration], speed = 1, mirror = false } = options;
  return contactsOfPart(completeContacts(told, name), { start: range[0], end: range[1], speed, mirror });
}
