import { isRole, type RigMapDocument, rolesOfDocument, type Skeleton } from '@stuntdouble/core';
import { z } from 'zod';
import { Failure } from './failure.js';
import { readJson } from './read-json.js';

const role = z
  .string()
  .refine(isRole, { error: ({ input }) => `"${input}" is no body part (VRM names, such as leftUpperArm)` });
const jointName = z.string().min(1, { error: 'a joint needs a name' });

/** The schema of a map file. Keys it does not know are refused: a misspelt one would be lost in silence. */
export const rigMapSchema = z.strictObject({
  version: z.literal(1),
  joints: z
    .array(
      z.strictObject({
        target: jointName,
        sources: z
          .array(jointName)
          .min(1, { error: 'at least one source joint is needed; to drive nothing, take the entry out' }),
        share: z.strictObject({ from: jointName, weight: z.number().min(0).max(1) }).optional(),
        role: role.optional(),
      }),
    )
    .optional(),
  roles: z.record(role, jointName).optional(),
});

/**
 * Checks a map document that came as JSON.
 * @throws Failure that names the first place that is wrong, such as `joints[3].sources`.
 */
export function parseRigMap(json: unknown): RigMapDocument {
  const result = rigMapSchema.safeParse(json);
  if (!result.success) {
    const issue = result.error.issues[0]!;
    const place = issue.path
      .map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`))
      .join('');
    throw new Failure(`${place === '' ? 'the document' : place.replace(/^\./, '')}: ${issue.message}`);
  }
  // Only what is there: the engine tells a key that is undefined from one that is left out.
  return JSON.parse(JSON.stringify(result.data)) as RigMapDocument;
}

/**
 * Reads a map file, as `stuntdouble map -o` writes it or as a person does.
 * @throws Failure that names the file and what is wrong with it.
 */
export function readRigMap(path: string): Promise<RigMapDocument> {
  return readJson(path, 'a map', parseRigMap);
}

/**
 * Reads the roles that a map file gives to joints.
 * @returns the roles of a skeleton: those of the side of the map that has its joints.
 */
export async function readRoles(
  path: string,
): Promise<(skeleton: Skeleton) => ReturnType<typeof rolesOfDocument>> {
  const document = await readRigMap(path);
  return (skeleton) => {
    const asTarget = rolesOfDocument(document, skeleton, 'target');
    const asSource = rolesOfDocument(document, skeleton, 'source');
    return Object.keys(asTarget).length >= Object.keys(asSource).length ? asTarget : asSource;
  };
}
