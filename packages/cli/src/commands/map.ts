import { basename } from 'node:path';
import {
  createSetup,
  printable,
  type ReferenceChoice,
  type RigMapDocument,
  type Scene,
  UsageError,
  writeRigMapDocument,
} from '@stuntdouble/core/engine';
import {
  exportMap,
  Failure,
  importMap,
  isSpireFile,
  mapScenes,
  readOptionsOf,
  requireSkeleton,
  writeSpireFile,
} from '@stuntdouble/jobs';
import { isSameFile, readDocument, type WriteOptions } from '@stuntdouble/jobs/node';
import type { Command } from 'commander';
import { parsePair, parseReference } from '../flags/arguments.js';
import { addOptionFlags, optionsOfFlags } from '../flags/option-flags.js';
import { type ArmatureFlags, readArmatures } from '../flags/retarget-options.js';
import { checkInputs, readTyped } from '../standard-streams.js';
import { mapJson, mapLines } from '../text/map-summary.js';
import { rigMapText } from '../text/rig-map-text.js';
import {
  addSharedOptions,
  addWriteOptions,
  answer,
  type Context,
  checkTyped,
  finish,
  loadMap,
  type SharedOptions,
  writeTyped,
} from './context.js';
import { isMapForOthers } from './map-for-others.js';

const EXAMPLES = `
Examples:
  $ stuntdouble map walk.glb hero.vrm
      which joint of walk.glb drives which joint of hero.vrm, how sure that is, and why
  $ stuntdouble map walk.glb hero.vrm -o hero-map.json
      write it down, one line a joint: change a line, take lines out or add some, then
  $ stuntdouble retarget walk.glb hero.vrm --map hero-map.json -o hero-walk.vrm
      use it
  $ stuntdouble map walk.glb hero.vrm --pair Tail1=Spine --pair Ear.L=none
      what is found, but for two joints
  $ stuntdouble map fox.glb cat.glb --matching chains,greedy,direction=3 --indexing nearest
      every chain by shape and place, the best pair first
  $ stuntdouble map fox.glb cat.glb --armature-target cat-chains.json --branches every
      over chains of one's own for the target, and over those of every branch for the source
  $ stuntdouble map walk.glb hero.vrm -o hero.retarget
      retargeted bind pose, corrections and map as SpireMiniEngine keeps them; retarget --recipe takes them back

  $ stuntdouble map walk.glb hero.vrm -o hero.tres
      the parts of hero.vrm's body for Godot; .ht is for Unity, .xml for HumanIK, .bmap (who drives whom) for Auto-Rig Pro
  $ stuntdouble map walk.glb hero.vrm --import hero.bmap -o hero-map.json
      the map of another tool as ours

A map can also hold changes alone, on top of what is found:
  { "version": 1, "changes": [{ "target": "Tail1", "sources": ["Spine"] }, { "target": "Ear.L", "none": true }] }
or roles alone, for skeletons whose names mean nothing; the rest is found as usual:
  { "version": 1, "roles": { "hips": "bone_17", "leftUpperLeg": "bone_3" } }

What --json prints:
  { joints: [{ target: { index, name }, sources: [{ index, name }], role, confidence, reason }],
    unmapped: { source: [{ index, name, reason }], target: [{ index, name, reason }] },
    notes: [{ code, message }], warnings: [{ code, message }] }
  index is the file's own (glTF node). The last of the sources is the driver; those before it are folded in.
`;

type MapFlags = SharedOptions &
  WriteOptions & {
    output?: string;
    map?: string;
    pair?: NonNullable<RigMapDocument['changes']>;
    import?: string;
    skeleton?: string;
    sourceSkeleton?: string;
    referenceSource?: ReferenceChoice;
    referenceTarget?: ReferenceChoice;
  } & ArmatureFlags;

/** Options that say how a map is found. */
const MAP_FLAGS = [
  'sourceArmature',
  'targetArmature',
  'branches',
  'matching',
  'indexing',
  'surplusJoints',
] as const;

/** The names of all joints of a file. */
const jointNames = ({ characters }: Scene) => characters.flatMap(({ skeleton }) => skeleton.names);

/** Adds the command `map SOURCE TARGET`. */
export function addMap(program: Command, context: Context): void {
  const command = addWriteOptions(
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
          'write the map as editable JSON, or for another tool: .tres (Godot), .ht (Unity), .xml (HumanIK), .bmap (Auto-Rig Pro), .retarget (SpireMiniEngine)',
        )
        .option('--map <FILE>', 'start from this map instead of finding one')
        .option(
          '--import <FILE>',
          'start from a map of another tool: .bmap, .bonemap, .tres, .ht, .meta, .asset, .xml, .py of Expy Kit, or .json of KeeMap or Rokoko; -o writes it as ours',
        )
        .option(
          '--pair <TARGET=SOURCE>',
          'what drives one joint of TARGET, on top of the map: a joint of SOURCE, several by +, or none; repeatable',
          parsePair,
        )
        .option('--skeleton <NAME>', 'the skeleton of TARGET, by name or number, where there are several')
        .option('--source-skeleton <NAME>', 'the skeleton of SOURCE, likewise')
        .option('--reference-source <POSE>', 'auto, rest, bind, frame:K or CLIP@SECONDS', parseReference)
        .option('--reference-target <POSE>', 'likewise for TARGET', parseReference),
    ),
  );
  addOptionFlags(command, MAP_FLAGS)
    .addHelpText('after', EXAMPLES)
    .action(async (sourcePath: string, targetPath: string, options: MapFlags) => {
      checkInputs(['SOURCE', sourcePath], ['TARGET', targetPath]);
      if (options.output !== undefined) {
        for (const input of [sourcePath, targetPath])
          if (isSameFile(options.output, input))
            throw new UsageError(`--output ${options.output} is one of the files that are read`);
        checkTyped([options.output], options);
      }
      if (options.map !== undefined && options.import !== undefined)
        throw new UsageError('--map and --import both say where to start; give one of the two');
      const imported = await readDocument(options.import);
      const loaded = await loadMap(options.map);
      const { progress } = context.terminal;
      progress.update(0, 1, `reading ${basename(sourcePath)}`);
      const source = await readTyped(sourcePath, readOptionsOf(options));
      progress.update(0.25, 1, `reading ${basename(targetPath)}`);
      const target = await readTyped(targetPath, readOptionsOf(options));
      progress.update(0.5, 1, 'finding who drives whom');
      requireSkeleton(sourcePath, source);
      requireSkeleton(targetPath, target);
      const started = imported
        ? importMap(imported, { source: jointNames(source), target: jointNames(target) })
        : loaded;
      const document: RigMapDocument | undefined = options.pair
        ? { version: 1, ...started, changes: [...(started?.changes ?? []), ...options.pair] }
        : started;
      const { sourceSkeleton, skeleton, referenceSource, referenceTarget } = options;
      const mapping = mapScenes(source, target, {
        ...optionsOfFlags(options),
        ...(await readArmatures(options)),
        ...(document && { map: document }),
        ...(sourceSkeleton === undefined ? {} : { sourceSkeleton }),
        ...(skeleton === undefined ? {} : { targetSkeleton: skeleton }),
        ...(referenceSource && { sourceReference: referenceSource }),
        ...(referenceTarget && { targetReference: referenceTarget }),
      });
      if (imported && isMapForOthers(started!, mapping))
        throw new Failure(
          `cannot use ${imported.name}: none of its joints are in ${sourcePath} and ${targetPath}; it may be for other files, or for these the other way round`,
        );
      if (isSpireFile(options.output)) {
        const { bytes, warnings } = writeSpireFile(
          createSetup(mapping.source, mapping.target, mapping.map, { corrections: 'none' }),
        );
        mapping.warnings.push(...warnings);
        writeTyped(options.output, bytes, options, context);
      } else if (options.output !== undefined) {
        const text =
          exportMap(options.output, mapping) ??
          rigMapText(writeRigMapDocument(mapping.map, mapping.source, mapping.target));
        writeTyped(options.output, text, options, context);
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
