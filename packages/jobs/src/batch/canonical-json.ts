/** JSON that is the same for the same data: keys in order, nothing that is undefined. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
      : each,
  );
}

const utf8 = new TextEncoder();

/** The SHA-256 of text or bytes, in hexadecimal digits; the same in Node and browsers. */
export async function sha256Of(content: string | Uint8Array): Promise<string> {
  const bytes = typeof content === 'string' ? utf8.encode(content) : content;
  const hash = await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>);
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
