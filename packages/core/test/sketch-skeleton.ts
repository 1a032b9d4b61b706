import { createSkeleton, type JointDescription, type Skeleton } from '../src/scene/skeleton.js';

/** The two ways a family writes sides: what `~` in a sketch stands for on the left and on the right. */
export type Sides = readonly [left: string, right: string];

/**
 * A skeleton from a sketch: one line a branch, two blanks a level, `a > b > c` for a chain. A line with `~`
 * in it, together with the lines below it, stands for both sides.
 */
export function sketchSkeleton(sketch: string, sides: Sides, rename = (name: string) => name): Skeleton {
  const joints: JointDescription[] = [];
  const open: number[] = [];
  for (const { depth, chain } of expandSides(sketch, sides)) {
    // Lines of less depth close the branches before; what hangs on a chain hangs on its last joint.
    open.length = depth;
    let parent = depth === 0 ? -1 : open[depth - 1]!;
    for (const name of chain) {
      joints.push({ name: rename(name), parent });
      parent = joints.length - 1;
    }
    open[depth] = parent;
  }
  return createSkeleton('sketch', joints).skeleton;
}

function expandSides(sketch: string, sides: Sides): { depth: number; chain: string[] }[] {
  const lines = sketch
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => ({ depth: line.search(/\S/) / 2, text: line.trim() }));
  const top = Math.min(...lines.map(({ depth }) => depth));
  const expanded: { depth: number; chain: string[] }[] = [];
  for (let i = 0; i < lines.length; ) {
    let end = i + 1;
    const isSided = lines[i]!.text.includes('~');
    if (isSided) while (end < lines.length && lines[end]!.depth > lines[i]!.depth) end++;
    for (const side of isSided ? sides : [''])
      for (const { depth, text } of lines.slice(i, end))
        expanded.push({ depth: depth - top, chain: text.replaceAll('~', side).split(' > ') });
    i = end;
  }
  return expanded;
}
