import { isRole, type Role } from '../../body/roles.js';
import type { EditedBody } from '../edited-body.js';

/*
 * Joints by what people call them: a role, a name, or a query (H1: parts are chosen by what they are, so that what is
 * asked for holds on bodies with other names and other numbers of limbs).
 */

const PARTS: Readonly<Record<string, { roles: RegExp; parts: RegExp }>> = {
  foot: { roles: /Foot$/, parts: /Foot$/ },
  toe: { roles: /Toes$/, parts: /Toes$/ },
  // What grasps: hands, else the feet in front.
  hand: { roles: /Hand$/, parts: /^front.*Foot$/ },
  knee: { roles: /LowerLeg$/, parts: /^hind.*LowerLeg$/ },
  elbow: { roles: /LowerArm$/, parts: /^front.*LowerLeg$/ },
  shoulder: { roles: /UpperArm$/, parts: /^front.*UpperLeg$/ },
  thigh: { roles: /UpperLeg$/, parts: /^hind.*UpperLeg$/ },
  head: { roles: /^head$/, parts: /^head$/ },
  eye: { roles: /Eye$/, parts: /^$/ },
  hip: { roles: /^hips$/, parts: /^hips$/ },
};

const QUERY_PATTERNS: Readonly<Record<string, RegExp>> = {
  every: /./,
  all: /./,
  left: /^left|Left/,
  right: /^right|Right/,
  front: /^front|Hand$|Arm$|^head$|Eye$/,
  hind: /^hind|(Foot|Toes|Leg)$/,
};

/** The words that a query may hold, for messages. */
export const QUERY_WORDS: string = `${Object.keys(QUERY_PATTERNS).join(', ')}; ${Object.keys(PARTS).join(', ')}`;

/** Whether a text is a query: words before a part, as in `every foot`, `left hand`, `front foot`. */
export function isQuery(text: string): boolean {
  const words = text.trim().toLowerCase().split(/\s+/);
  return (
    words.length > 1 &&
    words.every((word, i) => (i < words.length - 1 ? word in QUERY_PATTERNS : partOf(word) !== null))
  );
}

function partOf(word: string): (typeof PARTS)[string] | null {
  const single = word === 'feet' ? 'foot' : word;
  return PARTS[single] ?? PARTS[single.replace(/e?s$/, '')] ?? null;
}

/** The joint that a role or a name means; −1 for none. A role goes before a joint that has its name. */
export function findNamed({ joints, parts, skeleton }: EditedBody, name: string): number {
  if (isRole(name) && joints[name] !== undefined) return joints[name];
  const part = parts ? (parts as readonly (string | null)[]).indexOf(name) : -1;
  return part >= 0 ? part : skeleton.names.indexOf(name);
}

/** The joints that a role, a name or a query means, in the order of the skeleton. */
export function findJoints(body: EditedBody, text: string): number[] {
  const named = findNamed(body, text);
  if (named >= 0) return [named];
  if (!isQuery(text)) return [];
  const words = text.trim().toLowerCase().split(/\s+/);
  const part = partOf(words[words.length - 1]!)!;
  const fits = (name: string, pattern: RegExp) =>
    pattern.test(name) && words.slice(0, -1).every((word) => QUERY_PATTERNS[word]!.test(name));
  const found = new Set<number>();
  for (const [role, joint] of Object.entries(body.joints) as [Role, number | undefined][])
    if (joint !== undefined && fits(role, part.roles)) found.add(joint);
  if (found.size === 0)
    body.parts?.forEach((name, joint) => {
      if (name !== null && fits(name, part.parts)) found.add(joint);
    });
  return [...found].sort((a, b) => a - b);
}

/** The one joint that a role, a name or a query means; −1 for none or several. */
export function findOneJoint(body: EditedBody, text: string): number {
  const found = findJoints(body, text);
  return found.length === 1 ? found[0]! : -1;
}

/** The trunk from bottom to top: a body need not have all of it. */
const TRUNK_UPWARDS: readonly Role[] = ['spine', 'chest', 'upperChest'];

/**
 * The joint up to which something may move, as `findOneJoint`; for a part of the trunk that the body does not have the next
 * one above it, else below: `chest` keeps what is asked for to the upper body, however many joints that has.
 */
export function findTopmost(body: EditedBody, text: string): number {
  const found = findOneJoint(body, text);
  const at = (TRUNK_UPWARDS as readonly string[]).indexOf(text);
  if (found >= 0 || at < 0) return found;
  const instead = [...TRUNK_UPWARDS.slice(at + 1), ...TRUNK_UPWARDS.slice(0, at).reverse()].find(
    (role) => body.joints[role] !== undefined,
  );
  return instead ? body.joints[instead]! : -1;
}
