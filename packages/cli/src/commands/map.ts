import { basename } from 'node:path';
import {
  chooseCharacter,
  createRig,
  createRigMap,
  createSetup,
  oneLine,
  printable,
  type ReferenceChoice,
  type Rig,
  type RigMap,
  type RigMapDocument,
  rolesOfDocument,
  type Scene,
  UsageError,
  type Warning,
  writeRigMapDocument,
} from '@stuntdouble/core/engine';
import {
  importMap,
  isSpireFile,
  readOptionsOf,
  readScene,
  requireSkeleton,
  writeSpireFile,
} from '@stuntdouble/jobs';
import {
  checkOutputs,
  isSameFile,
  readDocument,
  type WriteOptions,
  writeWhole,
} from '@stuntdouble/jobs/node';
import type { Command } from 'commander';
import { parseReference } from '../flags/arguments.js';
import type { Terminal } from '../terminal.js';
import { rigMapText } from '../text/rig-map-text.js';
import { type Cell, cut, layOut, widthOf } from '../text/table.js';
import { treeBranches } from '../text/tree.js';
import { counted, heading, percent, toldJson, toldLines, uniqueWarnings } from '../text/words.js';
import {
  addSharedOptions,
  addWriteOptions,
  answer,
  type Context,
  finish,
  loadMap,
  type SharedOptions,
} from './context.js';

const EXAMPLES = `
Examples:
  $ stuntdouble map walk.glb hero.vrm
      which joint of walk.glb drives which joint of hero.vrm, how sure that is, and why
  $ stuntdouble map walk.glb hero.vrm -o hero-map.json
      write it down, one line a joint: change a line, take lines out or add some, then
  $ stuntdouble retarget walk.glb hero.vrm --map hero-map.json -o hero-walk.vrm
      use it
  $ stuntdouble map walk.glb hero.vrm -o hero.retarget
      retargeted bind pose, corrections and map as SpireMiniEngine keeps them; retarget --recipe takes them back

A map can also name roles alone, for skeletons whose names mean nothing; the rest is found as usual:
  { "version": 1, "roles": { "hips": "bone_17", "leftUpperLeg": "bone_3" } }

What --json prints:
  { joints: [{ target: { index, name }, sources: [{ index, name }], role, confidence, reason }],
    unmapped: { source: [{ index, name, reason }], target: [{ index, name, reason }] },
    notes: [{ code, message }], warnings: [{ code, message }] }
  index is the file's own (glTF node). The last of the sources is the driver; those before it are folded in.
`;

type MapOptions = SharedOptions &
  WriteOptions & {
    output?: string;
    map?: string;
    import?: string;
    skeleton?: string;
    sourceSkeleton?: string;
    referenceSource?: ReferenceChoice;
    referenceTarget?: ReferenceChoice;
  };

/** Two rigs and who drives whom between them. */
export type Mapping = { source: Rig; target: Rig; map: RigMap; warnings: Warning[] };

/** Adds the command `map SOURCE TARGET`. */
export function addMap(program: Command, context: Context): void {
  addWriteOptions(
    addSharedOptions(
      program
        .command('map')
        .summary('who drives whom, how sure, why; -o writes an editable map')
        .description(
          'Shows both skeletons side by side as trees: which joints of SOURCE drive which joints of TARGET, how sure that is and why, and which joints are left over. With -o it writes the map as JSON that retarget --map takes back.',
        )
        .argument('<SOURCE>', 'the file with the motion')
        .argument('<TARGET>', 'the file with the character that shall move')
        .option(
          '-o, --output <FILE>',
          'write the map as editable JSON, or as FILE.retarget for SpireMiniEngine',
        )
        .option('--map <FILE>', 'start from this map instead of finding one')
        .option(
          '--import <FILE>',
          'start from a map of another tool: .bmap, .tres, .ht, .meta, .xml, or .json of KeeMap; -o writes it as ours',
        )
        .option('--skeleton <NAME>', 'the skeleton of TARGET, by name or number, where there are several')
        .option('--source-skeleton <NAME>', 'the skeleton of SOURCE, likewise')
        .option('--reference-source <POSE>', 'auto, rest, bind, frame:K or CLIP@SECONDS', parseReference)
        .option('--reference-target <POSE>', 'likewise for TARGET', parseReference),
    ),
  )
    .addHelpText('after', EXAMPLES)
    .action(async (sourcePath: string, targetPath: string, options: MapOptions) => {
      if (options.output !== undefined) {
        for (const input of [sourcePath, targetPath])
          if (isSameFile(options.output, input))
            throw new UsageError(`--output ${options.output} is one of the files that are read`);
        checkOutputs([options.output], options);
      }
      if (options.map !== undefined && options.import !== undefined)
        throw new UsageError('--map and --import both say where to start; give one of the two');
      const imported = await readDocument(options.import);
      const document = imported ? importMap(imported) : await loadMap(options.map);
      const { progress } = context.terminal;
      progress.update(0, 1, `reading ${basename(sourcePath)}`);
      const source = await readScene(sourcePath, readOptionsOf(options));
      progress.update(0.25, 1, `reading ${basename(targetPath)}`);
      const target = await readScene(targetPath, readOptionsOf(options));
      progress.update(0.5, 1, 'finding who drives whom');
      requireSkeleton(sourcePath, source);
      requireSkeleton(targetPath, target);
      const mapping = findMapping(source, target, document, options);
      if (isSpireFile(options.output)) {
        const { bytes, warnings } = writeSpireFile(
          createSetup(mapping.source, mapping.target, mapping.map, { corrections: 'none' }),
        );
        mapping.warnings.push(...warnings);
        writeWhole(options.output, bytes, options);
      } else if (options.output !== undefined) {
        const text = rigMapText(writeRigMapDocument(mapping.map, mapping.source, mapping.target));
        writeWhole(options.output, text, options);
      }
      answer(
        context,
        options,
        () => mapJson(mapping),
        () => [
          ...mapLines(sourcePath, targetPath, mapping, context.terminal),
          ...(options.output === undefined ? [] : ['', `wrote ${printable(options.output)}`]),
        ],
      );
      finish(context, options, mapping.warnings);
    });
}

function findMapping(
  sourceScene: Scene,
  targetScene: Scene,
  document: RigMapDocument | undefined,
  options: MapOptions,
): Mapping {
  const warnings = [...sourceScene.warnings, ...targetScene.warnings];
  const rigOf = (
    scene: Scene,
    name: string | undefined,
    reference: ReferenceChoice | undefined,
    side: 'source' | 'target',
  ) => {
    const choice = chooseCharacter(scene, name);
    const { skeleton, clips } = scene.characters[choice.character]!;
    const rig = createRig(skeleton, {
      clips,
      ...(reference === undefined ? {} : { reference }),
      ...(document ? { roles: rolesOfDocument(document, skeleton, side) } : {}),
    });
    warnings.push(...choice.warnings, ...rig.warnings);
    return rig;
  };
  const source = rigOf(sourceScene, options.sourceSkeleton, options.referenceSource, 'source');
  const target = rigOf(targetScene, options.skeleton, options.referenceTarget, 'target');
  const { map, warnings: mapWarnings } = createRigMap(source, target, document);
  return { source, target, map, warnings: uniqueWarnings([...warnings, ...mapWarnings]) };
}

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

function mapLines(sourcePath: string, targetPath: string, mapping: Mapping, terminal: Terminal): string[] {
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
    for (const { joint, reason } of entries)
      groups.set(reason, [...(groups.get(reason) ?? []), name(rig, joint)]);
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

/** A reason that holds for joint after joint is said once. */
function sayOnce(): (text: string) => string {
  let last = '';
  return (text) => {
    const said = text === last ? '' : text;
    last = text;
    return said;
  };
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
