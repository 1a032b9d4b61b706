import { validateBytes } from 'gltf-validator';

/** How often each error of the Khronos validator occurs in a file. */
export async function countErrors(
  bytes: Uint8Array,
  resolve: (uri: string) => Promise<Uint8Array> = () => Promise.reject(new Error('not there')),
): Promise<Map<string, number>> {
  const report = await validateBytes(bytes, { maxIssues: 0, externalResourceFunction: resolve });
  const counts = new Map<string, number>();
  for (const { code, severity } of report.issues.messages)
    if (severity === 0) counts.set(code, (counts.get(code) ?? 0) + 1);
  return counts;
}

/** The errors that one file has and the other has not, or not as often. */
export function newErrors(before: Map<string, number>, after: Map<string, number>): string[] {
  return [...after].filter(([code, count]) => count > (before.get(code) ?? 0)).map(([code]) => code);
}
