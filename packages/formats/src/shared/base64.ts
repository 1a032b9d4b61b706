const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

const codes = new Uint8Array(128).fill(255);
for (let i = 0; i < 64; i++) codes[ALPHABET.charCodeAt(i)] = i;
codes['-'.charCodeAt(0)] = 62;
codes['_'.charCodeAt(0)] = 63;

/** Bytes as base64 text, padded. */
export function encodeBase64(bytes: Uint8Array): string {
  const out = new Uint8Array(4 * Math.ceil(bytes.length / 3));
  const letters = new TextEncoder().encode(ALPHABET);
  let o = 0;
  for (let i = 0; i < bytes.length; i += 3) {
    const left = bytes.length - i;
    const bits = (bytes[i]! << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0);
    out[o] = letters[bits >> 18]!;
    out[o + 1] = letters[(bits >> 12) & 63]!;
    out[o + 2] = left > 1 ? letters[(bits >> 6) & 63]! : 61;
    out[o + 3] = left > 2 ? letters[bits & 63]! : 61;
    o += 4;
  }
  return new TextDecoder().decode(out);
}

/** Bytes of base64 text, the web alphabet included; null where another letter stands in it. */
export function decodeBase64(text: string): Uint8Array | null {
  let length = text.length;
  while (length > 0 && text.charCodeAt(length - 1) === 61) length--;
  const out = new Uint8Array(Math.floor((length * 3) / 4));
  let bits = 0;
  let held = 0;
  let o = 0;
  for (let i = 0; i < length; i++) {
    const letter = text.charCodeAt(i);
    const code = letter < 128 ? codes[letter]! : 255;
    if (code === 255) {
      if (letter === 10 || letter === 13 || letter === 32) continue;
      return null;
    }
    bits = ((bits << 6) | code) & 0xffffff;
    held += 6;
    if (held >= 8) {
      held -= 8;
      out[o++] = (bits >> held) & 255;
    }
  }
  return o === out.length ? out : out.subarray(0, o);
}

/**
 * The bytes of a `data:` URI, base64 or percent-encoded.
 * @returns null where the text is no data URI or cannot be decoded.
 */
export function decodeDataUri(uri: string): Uint8Array | null {
  const comma = uri.indexOf(',');
  if (!/^data:/i.test(uri) || comma < 0) return null;
  const body = uri.slice(comma + 1);
  if (/;base64$/i.test(uri.slice(0, comma)))
    return decodeBase64(body.includes('%') ? unescapePercent(body) : body);
  const text = unescapePercent(body);
  // By index: a text taken apart into letters is a list that may be longer than lists can be.
  const out = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) out[i] = text.charCodeAt(i) & 255;
  return out;
}

/** Percent-encoding undone byte by byte, one letter a byte. */
function unescapePercent(text: string): string {
  return text.replace(/%([0-9a-f]{2})/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}
