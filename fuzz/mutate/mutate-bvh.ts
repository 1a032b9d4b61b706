import type { Random } from '../random/random.js';
import { mutateBytes } from './mutate-bytes.js';

/** Words that stand where another is expected. */
const ODD_WORDS = [
  ...[
    'HIERARCHY',
    'ROOT',
    'JOINT',
    'End',
    'Site',
    '{',
    '}',
    'OFFSET',
    'CHANNELS',
    'MOTION',
    'Frames:',
    'Frame',
    'Time:',
  ],
  ...[
    'Xrotation',
    'Yposition',
    'Zscale',
    '6',
    '3',
    '0',
    '-1',
    '1e9',
    '4294967296',
    'nan',
    '-inf',
    '1.#QNAN',
    '1e400',
  ],
  ...[
    '0,5',
    '',
    ' ',
    '\t',
    '\r\n',
    '\n\n',
    '\u0000',
    'é',
    '{{{{{{{{',
    '}}}}}}}}',
    '99999999999999999999',
    '1e-320',
  ],
];

/** Changes a BVH by its words: swapped, dropped, doubled, replaced; blocks repeated; line ends changed. */
export function mutateBvh(random: Random, bytes: Uint8Array, other: Uint8Array): Uint8Array {
  if (random.chance(0.2)) return mutateBytes(random, bytes, other);
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  const words = text.split(/(\s+)/);
  const motion = Math.max(1, words.indexOf('MOTION'));
  // Most often one change: a file that is broken in one place is read furthest.
  const rounds = random.chance(0.6) ? 1 : 1 + random.below(6);
  for (let n = 0; n < rounds; n++) {
    // The hierarchy is where things break, and in most files the smaller part.
    const at = random.chance(0.7) ? random.below(motion + 12) : random.below(words.length);
    switch (random.below(8)) {
      case 0:
        words[at] = random.pick(ODD_WORDS);
        break;
      case 1:
        words.splice(at, 1 + random.below(4));
        break;
      case 2:
        words.splice(at, 0, random.pick(ODD_WORDS), ' ');
        break;
      case 3: {
        const to = random.below(words.length);
        const kept = words[at] ?? '';
        words[at] = words[to] ?? '';
        words[to] = kept;
        break;
      }
      case 4:
        words.splice(at, 0, ...words.slice(at, at + random.below(200)));
        break;
      case 5:
        words.length = Math.min(words.length, at);
        break;
      case 6:
        if (random.chance(0.8)) break;
        for (let i = random.below(3000); i > 0; i--) words.splice(at, 0, 'JOINT', ' ', 'a', ' ', '{', ' ');
        break;
      default:
        words[at] = `${words[at] ?? ''}${random.pick(ODD_WORDS)}`;
    }
  }
  const joined = random.chance(0.1) ? words.join('').replaceAll('\n', '\r') : words.join('');
  return Uint8Array.from(joined, (letter) => letter.charCodeAt(0) & 255);
}
