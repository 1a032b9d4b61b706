/**
 * What a person or a terminal cannot see, or obeys instead of showing it: control characters, marks of direction,
 * zero-width and other ignorable characters, line separators, halves of characters.
 */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** Marks on top of one letter beyond what any script needs: they would be drawn over other lines. */
const PILED_MARKS = /(\p{Mark}{4})\p{Mark}+/gu;

/** The most characters of a message. */
export const MOST_OF_A_MESSAGE = 300;

/** A name from a file made fit to be shown: each character that cannot be seen, or would be obeyed, becomes `·`. */
export function printable(name: string): string {
  return name.replace(UNSEEN, '·').replace(PILED_MARKS, '$1·');
}

/**
 * A message as one line of at most {@link MOST_OF_A_MESSAGE} characters, all of which can be seen, whatever names of
 * hostile files were put into it. White space is folded. Where it is too long its middle is left out: what is wrong
 * stands at the beginning, what to do about it at the end.
 */
export function oneLine(message: string): string {
  // A name of megabytes need not be looked through: its middle goes anyway.
  const bounded = message.length > 40_000 ? `${message.slice(0, 20_000)}…${message.slice(-20_000)}` : message;
  const line = printable(bounded.replace(/\s+/g, ' ').trim());
  if (line.length <= MOST_OF_A_MESSAGE) return line;
  const end = Math.floor(MOST_OF_A_MESSAGE / 3);
  // A cut may fall into the middle of a character, whose half then goes, too.
  return `${line.slice(0, MOST_OF_A_MESSAGE - end - 1)}…${line.slice(-end)}`.replace(/\p{Cs}/gu, '');
}
