/** The MIME type of a picture by its first bytes; null where it is of an unknown kind. */
export function pictureType(bytes: Uint8Array): string | null {
  const start = Array.from(bytes.subarray(0, 12), (byte) => String.fromCharCode(byte)).join('');
  if (start.startsWith('\x89PNG')) return 'image/png';
  if (start.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (start.startsWith('RIFF') && start.endsWith('WEBP')) return 'image/webp';
  if (start.startsWith('\xabKTX 20')) return 'image/ktx2';
  return null;
}
