import { UsageError } from '../base/errors.js';

/** One joint of a reshape script: what it is called, what it is made of, and which node of the list it hangs on. */
export type ReshapeNode = {
  name: string;
  /** Labels of old joints, topmost first; the last one is where the new joint is. */
  sources: string[];
  /** Index in the list, or −1. A parent always stands before its children. */
  parent: number;
};

/** Nested deeper than this, a script is a mistake. */
const DEEPEST_SCRIPT = 4096;

/**
 * Reads the script of Spire's SkeletonReshaper (S21): a joint is `"Name"`, made of the joint of that name, or
 * `"Name" : "first", "second"`, made of several, topmost first; `{ … }` holds its children. Several roots may
 * follow each other, and `//` and `#` start comments.
 * @throws UsageError with the line and what stood there.
 */
export function readReshapeScript(text: string): ReshapeNode[] {
  const tokens = [...tokensOf(text)];
  const nodes: ReshapeNode[] = [];
  const open: number[] = [];
  let n = 0;
  const peek = () => tokens[n];
  const fail = (expected: string): never => {
    const token = tokens[n];
    throw new UsageError(
      `the script, ${token ? `line ${token.line}: found ${token.text}` : 'at its end: found nothing more'}; expected ${expected}`,
    );
  };
  const word = (expected: string): string => {
    const token = peek();
    if (token?.word === undefined) return fail(expected);
    n++;
    return token.word;
  };
  // A loop and a stack of its own: nesting is the script's doing, and must not be ours.
  while (n < tokens.length) {
    if (peek()!.text === '}') {
      if (open.length === 0) fail('a joint, as nothing is open');
      open.pop();
      n++;
      continue;
    }
    const name = word('a joint in quotes or }');
    const sources: string[] = [];
    if (peek()?.text === ':') {
      do {
        n++;
        sources.push(word('a joint in quotes'));
      } while (peek()?.text === ',');
    } else sources.push(name);
    nodes.push({ name, sources, parent: open[open.length - 1] ?? -1 });
    if (peek()?.text === '{') {
      if (open.length >= DEEPEST_SCRIPT) fail(`at most ${DEEPEST_SCRIPT} levels`);
      open.push(nodes.length - 1);
      n++;
    }
  }
  if (open.length > 0) fail(`} for "${nodes[open[open.length - 1]!]!.name}"`);
  if (nodes.length === 0) fail('a joint in quotes');
  return nodes;
}

type Token = { text: string; line: number; word?: string };

function* tokensOf(text: string): Generator<Token> {
  const pattern = /\s+|\/\/[^\n]*|#[^\n]*|"((?:[^"\\\n]|\\.)*)"|[{}:,]|./gsu;
  let line = 1;
  for (const [found, quoted] of text.replace(/^\uFEFF/, '').matchAll(pattern)) {
    if (quoted !== undefined) yield { text: found, line, word: quoted.replace(/\\(.)/gs, '$1') };
    else if (/^[{}:,]$/.test(found)) yield { text: found, line };
    else if (!/^(\s|\/\/|#)/.test(found))
      throw new UsageError(
        `the script, line ${line}: found ${JSON.stringify(found)}; expected a joint in quotes, :, a comma, { or }`,
      );
    line += found.split('\n').length - 1;
  }
}

/** Writes a skeleton's hierarchy as a reshape script that changes nothing: a start to take joints out of (S18). */
export function writeReshapeScript(skeleton: {
  names: readonly string[];
  parents: ArrayLike<number>;
}): string {
  const children: number[][] = skeleton.names.map(() => []);
  const roots: number[] = [];
  skeleton.names.forEach((_, i) => {
    const parent = skeleton.parents[i]!;
    (parent < 0 ? roots : children[parent]!).push(i);
  });
  const lines: string[] = [];
  const quoted = (name: string) => `"${name.replace(/["\\]/g, '\\$&')}"`;
  const stack: ({ joint: number; depth: number } | { close: number })[] = [];
  const push = (list: readonly number[], depth: number) => {
    for (const joint of [...list].reverse()) stack.push({ joint, depth });
  };
  push(roots, 0);
  for (let top = stack.pop(); top; top = stack.pop()) {
    if ('close' in top) {
      lines.push(`${'  '.repeat(top.close)}}`);
      continue;
    }
    const below = children[top.joint]!;
    lines.push(
      `${'  '.repeat(top.depth)}${quoted(skeleton.names[top.joint]!)}${below.length > 0 ? ' {' : ''}`,
    );
    if (below.length === 0) continue;
    stack.push({ close: top.depth });
    push(below, top.depth + 1);
  }
  return `${lines.join('\n')}\n`;
}
