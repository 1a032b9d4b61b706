/** Characters that a JSON text may hold but a terminal or an editor would obey or hide; see `printable` of the core. */
const UNSEEN = /[\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u007f-\u009f]/gu;

/** Halves of characters, which are no Unicode: parsers refuse them, or give back what cannot be written. */
const HALVES = /\p{Cs}/gu;

const whole = (text: string) => text.replace(HALVES, '\ufffd');

/**
 * A document as JSON, indented. Names keep every character, those that cannot be seen as `\uXXXX`; only halves of
 * characters, which no JSON should hold, become U+FFFD.
 */
export function jsonText(document: unknown): string {
  return `${jsonString(document, 2)}\n`;
}

/** The same without the line break at its end, on one line unless an indentation is given. */
export function jsonString(document: unknown, indent = 0): string {
  const text = JSON.stringify(
    document,
    (_, value: unknown) => {
      if (typeof value === 'string') return whole(value);
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
      if (Object.keys(value).every((name) => whole(name) === name)) return value;
      return Object.fromEntries(Object.entries(value).map(([name, each]) => [whole(name), each]));
    },
    indent,
  );
  return text.replace(UNSEEN, escaped);
}

function escaped(character: string): string {
  let out = '';
  for (let i = 0; i < character.length; i++)
    out += `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`;
  return out;
}
