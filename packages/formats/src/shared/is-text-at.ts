/** Whether a text of plain letters stands at a byte. From its end: names differ there more often. */
export function isTextAt(bytes: Uint8Array, at: number, text: string): boolean {
  for (let i = text.length - 1; i >= 0; i--) if (bytes[at + i] !== text.charCodeAt(i)) return false;
  return true;
}
