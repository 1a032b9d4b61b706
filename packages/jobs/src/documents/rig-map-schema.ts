import { isRole, NO_ROLE, type RigMapDocument } from '@stuntdouble/core/engine';
import { z } from 'zod';
import { Failure } from '../failure.js';

const partWhere = (fits: (name: string) => boolean) =>
  z
    .string()
    .refine(fits, { error: ({ input }) => `"${input}" is no body part (VRM names, such as leftUpperArm)` });
const role = partWhere(isRole);
const jointName = z.string().min(1, { error: 'a joint needs a name' });

const sources = (otherwise: string) =>
  z.array(jointName).min(1, { error: `at least one source joint is needed; to drive nothing, ${otherwise}` });
const entry = {
  target: jointName,
  share: z.strictObject({ from: jointName, weight: z.number().min(0).max(1) }).optional(),
  role: partWhere((name) => name === NO_ROLE || isRole(name)).optional(),
};

/** The schema of a map file. Keys it does not know are refused: a misspelt one would be lost in silence. */
export const rigMapSchema = z.strictObject({
  version: z.literal(1),
  joints: z.array(z.strictObject({ ...entry, sources: sources('take the entry out') })).optional(),
  changes: z
    .array(
      z.union([
        z.strictObject({ target: jointName, none: z.literal(true) }),
        z.strictObject({ target: jointName, sources: z.null() }),
        z.strictObject({ ...entry, sources: sources('say none: true') }),
      ]),
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
