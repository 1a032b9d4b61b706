import { NAME_TABLES } from './known-tables.js';
import { createLexicon, type Lexicon } from './match-names.js';
import { mixamo } from './tables/mixamo.js';
import { vrm } from './tables/vrm.js';

let all: Lexicon | undefined;

/**
 * The words of every naming convention. A page that has not fetched them all begins with those that most avatars have.
 */
export function knownLexicon(): Lexicon {
  return allWords() ?? createLexicon([mixamo, vrm]);
}

/** All of them; none as long as they have not been fetched (see `scripts/bundle-live.mjs`). */
function allWords(): Lexicon | null {
  all ??= createLexicon(NAME_TABLES);
  return all;
}
