import { listOptions, OPTION_GROUPS } from '@stuntdouble/core';
import { Option } from 'commander';

/** What most people need of `retarget`: where it goes, what is taken, how it plays, and a look at it. */
const MAIN_FLAGS: ReadonlySet<string> = new Set([
  '--output',
  '--clip',
  '--range',
  '--fps',
  '--loop',
  '--root-motion',
  '--map',
  '--picture',
  '--dry-run',
  '--force',
  '--help',
]);

/** Whether a flag stands in the help of `retarget` where all of it was not asked for. */
export function isMainFlag({ long }: Option): boolean {
  return long !== undefined && long !== null && MAIN_FLAGS.has(long);
}

/** The end of the short help of `retarget`: three examples, and where the rest is. */
export function shortRetargetHelp(): string {
  const groups = Object.entries(OPTION_GROUPS).map(([group, title]) => {
    const flags = [...listOptions()].flatMap(([, option]) =>
      option.flag && option.group === group ? [new Option(option.flag.typed).long!] : [],
    );
    return `  ${title}\n      ${flags.join(' ')}`;
  });
  return `
Examples:
  $ stuntdouble retarget walk.glb hero.vrm -o hero-walk.vrm
      all clips of walk.glb on hero: the same file as before, with the clips added
  $ stuntdouble retarget dance.bvh hero.glb -o out.glb --range 1.5:4 --picture out.png
      a part of it, and a picture of source and result side by side
  $ stuntdouble retarget run.glb hero.glb -o hero-run.fbx --root-motion in-place
      on the spot, in another format

There is more; stuntdouble retarget --help all explains all of it:
${groups.join('\n')}
  Files, recipes and the rest
      --recipe --save-recipe --replace --animation-only --compress --new-bind --json --strict
`;
}

/**
 * Breaks lines that are longer than a terminal is wide, with the indent that they have. Commands to be typed stay
 * whole.
 */
export function wrapHelp(text: string, width: number): string {
  if (!Number.isFinite(width)) return text;
  return text
    .split('\n')
    .flatMap((line) => (line.length <= width || /^\s*\$ /.test(line) ? [line] : wrapLine(line, width)))
    .join('\n');
}

function wrapLine(line: string, width: number): string[] {
  const indent = /^\s*/.exec(line)![0];
  const lines: string[] = [];
  let now = indent;
  for (const word of line.trim().split(/ +/)) {
    if (now.trim() !== '' && now.length + 1 + word.length > width) {
      lines.push(now);
      now = indent;
    }
    now += now.trim() === '' ? word : ` ${word}`;
  }
  return [...lines, now];
}
