import type { RigMapDocument } from '@stuntdouble/core';
import { jsonString } from '@stuntdouble/jobs';

/**
 * A map document as text for people: one line a joint, so that changing a line changes that joint and
 * nothing else, and a comparison of two versions shows what was changed.
 */
export function rigMapText(document: RigMapDocument): string {
  const inline = (value: unknown): string =>
    Array.isArray(value)
      ? `[${value.map(inline).join(', ')}]`
      : typeof value === 'object' && value !== null
        ? `{ ${Object.entries(value)
            .map(([key, inner]) => `${jsonString(key)}: ${inline(inner)}`)
            .join(', ')} }`
        : jsonString(value);
  const parts = [`  "version": ${document.version}`];
  if (document.roles)
    parts.push(
      `  "roles": {\n${Object.entries(document.roles)
        .map(([key, name]) => `    ${jsonString(key)}: ${jsonString(name)}`)
        .join(',\n')}\n  }`,
    );
  if (document.joints)
    parts.push(`  "joints": [\n${document.joints.map((entry) => `    ${inline(entry)}`).join(',\n')}\n  ]`);
  return `{\n${parts.join(',\n')}\n}\n`;
}
