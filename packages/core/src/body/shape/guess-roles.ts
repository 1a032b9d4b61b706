import type { Warning } from '../../base/warnings.js';
import { didWork } from '../../base/watch-work.js';
import { END, JOINT, type Skeleton } from '../../scene/skeleton.js';
import { guessHandSide } from '../hand-side.js';
import { animalSigns, looksFourLegged } from '../names/animal-signs.js';
import {
  createTree,
  type FamilyReading,
  fitsInto,
  hangsWell,
  type NamedTree,
  readFamily,
} from '../names/cast-family.js';
import { cleanNames } from '../names/clean-names.js';
import { knownLexicon } from '../names/known-lexicon.js';
import { matchNames } from '../names/match-names.js';
import type { RoleGuess } from '../rig.js';
import { isRole, REQUIRED_ROLES, type Role, type Side, sideOf } from '../roles.js';
import { guessShapeRoles, type ShapeOptions } from './guess-shape-roles.js';

/** Confidence of a role by the file's own word. */
const BY_METADATA = 1;
/** Confidence of a family's word on a joint that hangs where the body part would. */
const BY_FAMILY = 0.97;
/** The same where the words are plain ones of no family: shoulder may mean the collar bone or the arm. */
const BY_PLAIN_WORDS = 0.88;
/** The same where the joint hangs elsewhere (feet under the root). */
const MISPLACED = 0.85;
/** The same where the limb's other half is missing: the joint may stand for the whole limb. */
const HALF_LIMB = 0.7;
/** Confidence of a word that another family lent. */
const BY_OTHER_FAMILY = 0.75;
/** What is left of a name's confidence where the shape is sure of something else. */
const CONTRADICTED = 0.85;
/** How much of the names a family must explain where only a part of a body is there. */
const EXPLAINS_MOST = 0.6;

/** What {@link guessRoles} may be told. */
export type RoleOptions = ShapeOptions & {
  /**
   * Whether the shape is asked where names leave nothing open. It is if left out: that changes no answer, only how sure
   * it is.
   */
  weighsShape?: boolean;
};

/**
 * Says which body part each joint plays: by the file's own word (VRM) where there is one, then by the names,
 * read as one of the known conventions as a whole, since one word means different things in different ones, and
 * weighed with the shape; by shape alone where names mean nothing. Torso roles follow from the hierarchy. Names
 * alone never make a body of an animal, a machine or a chance hit (W4): then every role is null and a warning
 * says so. Below certainty the answer is null, not a guess.
 * @returns one guess per joint, the convention that explained the names (null if none did), and warnings.
 */
export function guessRoles(
  skeleton: Skeleton,
  { weighsShape = true, ...options }: RoleOptions = {},
): {
  guesses: RoleGuess[];
  family: string | null;
  warnings: Warning[];
} {
  const count = skeleton.names.length;
  const tree = createTree(skeleton);
  const lexicon = knownLexicon();
  didWork(20 * count);
  const clean = cleanNames(skeleton.names);
  didWork(20 * count);
  const readings = matchNames(lexicon, clean, guessHandSide(skeleton))
    .map((matches, table) => {
      didWork(3 * count);
      return readFamily(tree, lexicon.tables[table]!, matches);
    })
    .filter((reading) => reading.score > 0)
    .sort((a, b) => b.score - a.score);
  const best = readings[0];

  didWork(20 * count);
  const cast = createCast(skeleton);
  const byMetadata = readMetadata(skeleton);
  for (const [role, joint] of byMetadata)
    cast.assign(role, joint, BY_METADATA, "the file's VRM humanoid says so");
  // Where the file itself names the torso, it does so completely: names may add limbs and fingers only.
  const isTorsoKnown = byMetadata.has('hips') && byMetadata.has('spine');
  if (best)
    for (const [role, joint] of best.joints) {
      if (isTorsoKnown && !(sideOf(role) && fitsInto(tree, role, joint, cast.joints))) continue;
      const [confidence, remark] = !hangsWell(tree, role, joint, best.joints)
        ? [MISPLACED, ', though it hangs elsewhere in the hierarchy']
        : isHalfLimb(role, best.joints)
          ? [HALF_LIMB, ', though the other half of the limb is missing']
          : [best.table.generic ? BY_PLAIN_WORDS : BY_FAMILY, ''];
      const reason = best.matches[joint]
        ? `"${skeleton.names[joint]}"${remark}`
        : 'the joint that legs and spine branch from';
      cast.assign(role, joint, confidence, `${best.table.name}: ${reason}`);
    }
  for (const other of readings.slice(1))
    for (const [role, joint] of other.joints) {
      // Words that the family itself knows have its meaning or none.
      if (!sideOf(role) || best!.matches[joint]) continue;
      if (!cast.isFree(role, joint) || !fitsInto(tree, role, joint, cast.joints)) continue;
      const reason = `${other.table.name}: "${skeleton.names[joint]}", on a ${best!.table.name} body`;
      cast.assign(role, joint, BY_OTHER_FAMILY, reason);
    }

  if (byMetadata.size === 0) {
    const refusal = whyNoBody(skeleton, cast.joints, best);
    didWork(20 * count);
    // Names that speak of an animal are evidence against a person's shape.
    const byShape =
      refusal && animalSigns(skeleton.names).length === 0 ? guessShapeRoles(skeleton, options) : null;
    if (byShape && byShape.score > 0) return { guesses: byShape.guesses, family: null, warnings: [] };
    if (refusal)
      return {
        guesses: skeleton.names.map(() => ({ role: null, confidence: 0, reason: refusal.message })),
        family: null,
        warnings: [refusal],
      };
  }
  // Where names leave nothing open, motion could only make the answer a little surer.
  const isOpen = REQUIRED_ROLES.some((role) => !cast.joints.has(role));
  if (best && byMetadata.size === 0 && (isOpen || weighsShape)) {
    const { clips, ...standing } = options;
    weighShape(cast, tree, guessShapeRoles(skeleton, isOpen ? options : standing).guesses);
  }
  didWork(20 * count);
  const missing = REQUIRED_ROLES.filter((role) => !cast.joints.has(role));
  return {
    guesses: cast.guesses,
    family: byMetadata.size > 0 ? 'VRM humanoid' : best!.table.name,
    warnings:
      missing.length === 0
        ? []
        : [
            {
              code: 'required-role-missing',
              message: `"${skeleton.name}" has no joint for ${missing.join(', ')}.`,
            },
          ],
  };
}

/**
 * Weighs what names say with what the shape says: where both agree the answer is surer, where the shape is sure
 * of something else it is less so. Required parts that names leave open are filled by shape.
 */
function weighShape(cast: ReturnType<typeof createCast>, tree: NamedTree, shape: readonly RoleGuess[]): void {
  const byShape = new Map<Role, number>();
  shape.forEach(({ role }, joint) => {
    if (role) byShape.set(role, joint);
  });
  for (const [role, joint] of cast.joints) {
    const guess = cast.guesses[joint]!;
    const other = byShape.get(role);
    const sure = other === undefined ? 0 : shape[other]!.confidence;
    if (other === joint) {
      // As if each were wrong by itself: half of the shape's doubt counts, since both see the same hierarchy.
      guess.confidence = Math.min(0.99, 1 - (1 - guess.confidence) * (1 - sure / 2));
      guess.reason += '; its shape agrees';
    } else if (sure > 0.8 && shape[joint]!.role !== null) {
      guess.confidence *= CONTRADICTED;
      guess.reason += `; its shape looks more like ${shape[joint]!.role}`;
    }
  }
  for (const role of REQUIRED_ROLES) {
    const joint = byShape.get(role);
    if (joint === undefined || !cast.isFree(role, joint) || shape[joint]!.confidence < BY_OTHER_FAMILY)
      continue;
    if (!fitsInto(tree, role, joint, cast.joints)) continue;
    cast.assign(role, joint, Math.min(BY_OTHER_FAMILY, shape[joint]!.confidence), shape[joint]!.reason);
  }
}

/** The roles by the file's own word; entries that name no role or no joint are passed over. */
function readMetadata({ metadataRoles, names }: Skeleton): Map<Role, number> {
  const joints = new Map<Role, number>();
  for (const [role, joint] of Object.entries(metadataRoles ?? {}))
    if (isRole(role) && Number.isInteger(joint) && joint >= 0 && joint < names.length)
      joints.set(role, joint);
  return joints;
}

/** Whether a role is the upper or lower half of an arm or leg whose other half is missing. */
function isHalfLimb(role: Role, joints: ReadonlyMap<Role, number>): boolean {
  const half = /(Upper|Lower)(?:Arm|Leg)$/.exec(role)?.[1];
  return half !== undefined && !joints.has(role.replace(half, half === 'Upper' ? 'Lower' : 'Upper') as Role);
}

/** Guesses in the making: each role once, each joint once, first come first served. */
function createCast(skeleton: Skeleton) {
  const joints = new Map<Role, number>();
  const guesses: RoleGuess[] = skeleton.names.map(() => ({
    role: null,
    confidence: 0,
    reason: 'no naming convention gives this name a role',
  }));
  const isFree = (role: Role, joint: number) => !joints.has(role) && guesses[joint]!.role === null;
  return {
    joints: joints as ReadonlyMap<Role, number>,
    guesses,
    isFree,
    assign(role: Role, joint: number, confidence: number, reason: string) {
      if (!isFree(role, joint)) return;
      joints.set(role, joint);
      guesses[joint] = { role, confidence, reason };
    },
  };
}

/** Why the roles found by name are no person's body; null where they are. */
function whyNoBody(
  skeleton: Skeleton,
  joints: ReadonlyMap<Role, number>,
  best: FamilyReading | undefined,
): Warning | null {
  const unknown = (message: string): Warning => ({ code: 'roles-incomplete', message });
  const animal = (message: string): Warning => ({ code: 'not-human', message });
  if (!best || joints.size === 0)
    return unknown(`No naming convention explains the joints of "${skeleton.name}".`);
  const has = (...roles: Role[]) => roles.every((role) => joints.has(role));
  const sides = ['left', 'right'] as const;
  const armsAndLegs = sides.every((side) =>
    has(`${side}UpperArm`, `${side}LowerArm`, `${side}UpperLeg`, `${side}LowerLeg`),
  );
  const signs = animalSigns(skeleton.names);
  if (signs.length > 0 && !armsAndLegs)
    return animal(
      `"${skeleton.name}" has ${signs.slice(0, 3).join(', ')} and lacks arms or legs of a human build: no humanoid.`,
    );
  if (looksFourLegged(skeleton, joints, signs.length > 0))
    return animal(`"${skeleton.name}" has human names but stands on four legs: no humanoid.`);
  if (armsAndLegs) return null;

  // A part of a body is one where the words leave little else to explain, or where both sides agree.
  const cast = new Set(joints.values());
  let named = 0;
  let explained = 0;
  skeleton.names.forEach((name, joint) => {
    if (name === '' || !(skeleton.flags[joint]! & JOINT) || skeleton.flags[joint]! & END) return;
    named++;
    if (best.matches[joint] || cast.has(joint)) explained++;
  });
  const explainsMost = explained >= EXPLAINS_MOST * named;
  const limbOn = (side: Side) =>
    has(`${side}UpperArm`, `${side}LowerArm`) ||
    has(`${side}LowerArm`, `${side}Hand`) ||
    has(`${side}UpperLeg`, `${side}LowerLeg`) ||
    has(`${side}LowerLeg`, `${side}Foot`) ||
    has(
      `${side}IndexProximal`,
      `${side}IndexIntermediate`,
      `${side}MiddleProximal`,
      `${side}MiddleIntermediate`,
    );
  if (sides.every(limbOn)) return null;
  if (sides.some(limbOn) && explainsMost) return null;
  if (has('leftUpperArm', 'rightUpperArm', 'leftUpperLeg', 'rightUpperLeg')) return null;
  if (explainsMost && (has('hips', 'spine', 'head') || has('neck', 'head', 'leftEye', 'rightEye')))
    return null;
  return unknown(
    `Only ${joints.size} body parts of "${skeleton.name}" were recognised by name (${[...joints.keys()].slice(0, 5).join(', ')}): too few for a humanoid.`,
  );
}
