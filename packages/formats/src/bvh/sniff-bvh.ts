/** How many bytes of blank lines may stand before the first word. */
const LONGEST_BLANK = 1024;

/**
 * Whether bytes look like a BVH file: the first word is HIERARCHY, in any case, after blank lines and a
 * byte order mark, in UTF-8 or UTF-16. Looks at no more than the beginning.
 */
export function sniffBvh(bytes: Uint8Array): boolean {
  let step = 1;
  let at = 0;
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) at = 3;
  else if (bytes[0] === 0xff && bytes[1] === 0xfe) {
    step = 2;
    at = 2;
  } else if (bytes[0] === 0xfe && bytes[1] === 0xff) {
    step = 2;
    at = 3;
  }
  const end = Math.min(bytes.length, at + LONGEST_BLANK);
  while (at < end && bytes[at]! <= 32) at += step;
  const word = 'hierarchy';
  for (let i = 0; i < word.length; i++) {
    const byte = bytes[at + i * step];
    if (byte === undefined || (byte | 32) !== word.charCodeAt(i)) return false;
  }
  // The word must end there: `HIERARCHYX` is something else.
  const next = bytes[at + word.length * step];
  return next === undefined || next <= 32;
}
