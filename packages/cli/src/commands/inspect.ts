import { basename } from 'node:path';
import {
  type ContactDocument,
  createArmature,
  printable,
  UsageError,
  writeArmature,
} from '@stuntdouble/core/engine';
import { extensionWords, READ_EXTENSIONS } from '@stuntdouble/formats/kinds';
import { inspectScene, jsonText, readOptionsOf, requireSkeleton } from '@stuntdouble/jobs';
import { isSameFile, readRoles, type WriteOptions } from '@stuntdouble/jobs/node';
import type { Command } from 'commander';
import { readTyped } from '../standard-streams.js';
import { inspectJson, inspectLines } from '../text/inspect-summary.js';
import {
  addSharedOptions,
  addWriteOptions,
  answer,
  type Context,
  checkTyped,
  finish,
  type SharedOptions,
  writeTyped,
} from './context.js';

const EXAMPLES = `
Examples:
  $ stuntdouble inspect hero.vrm
      the skeleton as a tree, with the body part each joint plays and how sure that is
  $ stuntdouble inspect dance.bvh --json | jq '.skeletons[0].joints[] | select(.role == null) | .name'
      the joints that no body part was found for
  $ stuntdouble inspect robot.glb --map robot.json
      the same with the roles of a map: names that mean nothing can be told what they are
  $ stuntdouble inspect walk.glb --contacts -o walk-contacts.json
      when which part of the body stands on something, drawn as a timeline; and as JSON to edit, for
      "stuntdouble retarget --contacts"
  $ stuntdouble inspect fox.glb --armature fox-chains.json
      write the chains that cover the skeleton, with the solver and goal of each, to read or edit

What --json prints:
  { format, dialect, unit, up, facing, height,
    skeletons: [{ name, space: { up, facing, unit, floor }, reference: { kind, reason }, joints: [{ index, name, parent, role, confidence }] }],
    clips: [{ name, duration, keys }], notes: [{ code, message }], warnings: [{ code, message }] }
  dialect is the program or collection that a BVH comes from, or null; unit is metres per file unit, height metres; up and facing are axes such as "+Y" in the file's own space, or
  unit vectors where no axis is within 1°; all four are null without a skeleton. index and parent are the
  file's own (glTF nodes); space says of up and facing (axis), unit (metres) and floor (height, metres) how sure each is
  (confidence, 0 to 1) and why (reason); parent is null at a root, role where no body part was found.
  With --contacts also contacts: { CLIP: [{ point, start, end, height, position, on?, apart? }] }, in seconds, hip heights
  and metres; on is what a hand touches other than the ground, and carried where both hands hold one thing.
  An animal's skeleton also has kind ("quadruped", "bird", "spider", "snake", "fish"), its joints part.
`;

type InspectFlags = SharedOptions &
  WriteOptions & {
    skeleton?: string;
    map?: string;
    armature?: string;
    contacts?: boolean;
    output?: string;
  };

/** Adds the command `inspect FILE`. */
export function addInspect(program: Command, context: Context): void {
  addWriteOptions(
    addSharedOptions(
      program
        .command('inspect')
        .summary('skeleton, roles, chains, reference pose, clips, oddities')
        .description(
          'Shows what a file holds and how it is understood: which joint is which body part and why, which pose turns are counted from, which way is up and forward, how large the body is, which clips there are, and what is odd about it.',
        )
        .argument('<FILE>', `a ${extensionWords(READ_EXTENSIONS)} file`)
        .option('--skeleton <NAME>', 'look at this skeleton, by name or number, where there are several')
        .option('--map <FILE>', 'take roles from a map file')
        .option('--armature <FILE>', 'write the chains that cover the skeleton as editable JSON')
        .option(
          '--contacts',
          'show when feet, hands and other parts of the body stand on something, and what hands touch and carry',
        )
        .option('-o, --output <FILE>', 'write the contacts as editable JSON; with --contacts'),
    ),
  )
    .addHelpText('after', EXAMPLES)
    .action(async (path: string, options: InspectFlags) => {
      if (options.output !== undefined && !options.contacts)
        throw new UsageError('-o writes contacts, and needs --contacts');
      const outputs = { '--armature': options.armature, '-o': options.output };
      for (const [flag, output] of Object.entries(outputs))
        if (output !== undefined && isSameFile(output, path))
          throw new UsageError(`${flag} ${output} is the file that is read`);
      checkTyped(
        Object.values(outputs).filter((output) => output !== undefined),
        options,
      );
      context.terminal.progress.update(0, 1, `reading ${basename(path)}`);
      const scene = await readTyped(path, readOptionsOf(options));
      context.terminal.progress.update(0.5, 1, `looking at ${basename(path)}`);
      const inspection = inspectScene(scene, {
        ...(options.skeleton === undefined ? {} : { skeleton: options.skeleton }),
        ...(options.map === undefined ? {} : { rolesOf: await readRoles(options.map) }),
        ...(options.contacts ? { contacts: true } : {}),
      });
      if (options.armature !== undefined) {
        requireSkeleton(path, scene);
        const { skeleton } = inspection.rigs[inspection.character]!;
        const document = writeArmature(createArmature(skeleton), skeleton);
        writeTyped(options.armature, jsonText(document), options, context);
      }
      if (options.output !== undefined) {
        const document: ContactDocument = { version: 1, clips: inspection.contacts ?? {} };
        writeTyped(options.output, jsonText(document), options, context);
      }
      answer(
        context,
        options,
        () => inspectJson(inspection),
        () => [
          ...inspectLines(path, inspection, context.terminal),
          ...(options.armature === undefined ? [] : ['', `wrote ${printable(options.armature)}`]),
          ...(options.output === undefined ? [] : ['', `wrote ${printable(options.output)}`]),
        ],
      );
      finish(context, options, inspection.warnings);
    });
}
