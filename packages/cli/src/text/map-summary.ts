import { addToList, oneLine, printable, type Rig } from '@stuntdouble/core/engine';
import type { Mapping } from '@stuntdouble/jobs';
import type { Terminal } from '../terminal.js';
import { treeBranches } from './joint-tree.js';
import { type Cell, cut, layOut, sayOnce, widthOf } from './table.js';
import { counted, heading, percent, toldJson, toldLines } from './words.js';

/** The document that `map --json` prints. */
export function mapJson({ source, target, map, warnings }: Mapping) {
  const named = ({ skeleton }: Rig, joint: number) => ({
    index: skeleton.fileIndices[joint]!,
    name: skeleton.names[joint]!,
  });
  const leftOver = (rig: Rig, entries: { joint: number; reason: string }[]) =>
    entries.map(({ joint, reason }) => ({ ...named(rig, joint), reason }));
  return {
    joints: map.joints.map((pair) => ({
      target: named(target, pair.target),
      sources: pair.sources.map((joint) => named(source, joint)),
      role: pair.role,
      confidence: pair.confidence,
      reason: pair.reason,
    })),
    unmapped: {
      source: leftOver(source, map.unmapped.source),
      target: leftOver(target, map.unmapped.target),
    },
    ...toldJson(warnings),
  };
}

/** What `map` tells a person: both skeletons side by side. */
export function mapLines(
  sourcePath: string,
  targetPath: string,
  mapping: Mapping,
  terminal: Terminal,
): string[] {
  const { source, target, map, warnings } = mapping;
  const { colors } = terminal;
  const dim = (text: string): Cell => ({ text, paint: colors.dim });
  const name = (rig: Rig, joint: number) =>
    rig.skeleton.names[joint] || `(no name, ${rig.skeleton.fileIndices[joint]})`;
  const branches = {
    source: treeBranches(source.skeleton.parents),
    target: treeBranches(target.skeleton.parents),
  };
  const pairs = new Map(map.joints.map((pair) => [pair.target, pair]));
  const undriven = new Map(map.unmapped.target.map(({ joint, reason }) => [joint, reason]));
  const because = sayOnce();
  // Both trees side by side: every joint of the target, and beside it what drives it, where that hangs.
  const rows = target.skeleton.names.map((_, joint): Cell[] => {
    const place = branches.target[joint]! + name(target, joint);
    const pair = pairs.get(joint);
    if (!pair) {
      const why = undriven.get(joint);
      return [
        '',
        '',
        dim(place),
        '',
        '',
        dim(because(why === undefined ? 'plain node' : `not driven: ${why}`)),
      ];
    }
    const reason = pair.share
      ? `${pair.reason} (${percent(pair.share.weight)} from ${name(source, pair.share.from)})`
      : pair.reason;
    return [
      branches.source[pair.sources[0]!]! + pair.sources.map((each) => name(source, each)).join(' + '),
      dim('→'),
      place,
      pair.role ? { text: pair.role, paint: colors.green } : '',
      {
        text: percent(pair.confidence),
        paint: pair.confidence < 0.7 ? colors.yellow : (text) => text,
      },
      dim(because(reason)),
    ];
  });
  const lines = [
    `${heading(sourcePath, terminal)} → ${heading(targetPath, terminal)}  ${counted(map.joints.length, 'joint')} of ${target.skeleton.names.length} driven`,
    '',
    ...layOut(
      [['source', '', 'target', 'role', 'sure', 'why'].map(dim), ...rows],
      [{ most: 60 }, {}, { most: 60 }, {}, { align: 'right' }, {}],
    ).map((line) => `  ${line}`),
  ];
  const leftOver = (title: string, rig: Rig, entries: { joint: number; reason: string }[]) => {
    if (entries.length === 0) return;
    const groups = new Map<string, string[]>();
    for (const { joint, reason } of entries) addToList(groups, reason, name(rig, joint));
    const alone = [...groups].filter(([, names]) => names.length < 3);
    lines.push(
      '',
      heading(title, terminal),
      ...layOut(
        alone.flatMap(([reason, names]) => names.map((each) => [each, dim(reason)])),
        [{ most: 48 }],
      ).map((line) => `  ${line}`),
    );
    // A reason that many joints share is said once.
    for (const [reason, names] of groups)
      if (names.length >= 3)
        lines.push(
          colors.dim(`  ${oneLine(reason)} (${names.length})`),
          ...wrap(names, Math.min(terminal.columns, 110) - 4),
        );
  };
  leftOver(`not used of ${sourcePath}`, source, map.unmapped.source);
  if (warnings.length > 0) lines.push('', ...toldLines(warnings, terminal));
  return lines;
}

/** Names in lines of a width, indented by four. */
function wrap(names: readonly string[], width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const name of names.map((each) => cut(printable(each), 60))) {
    if (line !== '' && widthOf(line) + 2 + widthOf(name) > width) {
      lines.push(`    ${line},`);
      line = '';
    }
    line += line === '' ? name : `, ${name}`;
  }
  return [...lines, `    ${line}`];
}
