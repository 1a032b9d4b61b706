import { basename } from 'node:path';
import {
  type Clip,
  type Contact,
  type ContactDocument,
  chooseCharacter,
  createArmature,
  createRig,
  END,
  findLoopContacts,
  JOINT,
  keyCount,
  LIMB_ROLES,
  LIMBS,
  PLANNED_CONTACTS,
  printable,
  type Rig,
  type Scene,
  SKINNED,
  type Skeleton,
  UsageError,
  type Warning,
  writeArmature,
} from '@stuntdouble/core/engine';
import { formatWord, jsonText, readOptionsOf, readScene, requireSkeleton } from '@stuntdouble/jobs';
import { checkOutputs, isSameFile, readRoles, type WriteOptions, writeWhole } from '@stuntdouble/jobs/node';
import type { Command } from 'commander';
import type { Terminal } from '../terminal.js';
import { timelineLines } from '../text/contact-timeline.js';
import { type Cell, cut, layOut } from '../text/table.js';
import { treeBranches } from '../text/tree.js';
import {
  axisOf,
  counted,
  directionWords,
  factLines,
  heading,
  percent,
  referenceWords,
  seconds,
  short,
  toldJson,
  toldLines,
  uniqueWarnings,
} from '../text/words.js';
import {
  addSharedOptions,
  addWriteOptions,
  answer,
  type Context,
  finish,
  type SharedOptions,
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
  With --contacts also contacts: { CLIP: [{ point, start, end, height, position }] }, in seconds, hip heights and metres.
  An animal's skeleton also has kind ("quadruped", "bird", "spider", "snake", "fish"), its joints part.
`;

type InspectOptions = SharedOptions &
  WriteOptions & {
    skeleton?: string;
    map?: string;
    armature?: string;
    contacts?: boolean;
    output?: string;
  };

/** Everything that `inspect` knows of a file. */
export type Inspection = {
  scene: Scene;
  /** One per skeleton of the file, in its order. */
  rigs: Rig[];
  /** Index of the skeleton that commands take by default, or −1 where there is none. */
  character: number;
  /** By clip, where they were asked for. */
  contacts?: Record<string, Contact[]>;
  warnings: Warning[];
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
        .argument('<FILE>', 'a .glb, .gltf, .vrm, .vrma, .fbx or .bvh file')
        .option('--skeleton <NAME>', 'look at this skeleton, by name or number, where there are several')
        .option('--map <FILE>', 'take roles from a map file')
        .option('--armature <FILE>', 'write the chains that cover the skeleton as editable JSON')
        .option('--contacts', 'show when feet, hands and other parts of the body stand on something')
        .option('-o, --output <FILE>', 'write the contacts as editable JSON; with --contacts'),
    ),
  )
    .addHelpText('after', EXAMPLES)
    .action(async (path: string, options: InspectOptions) => {
      if (options.output !== undefined && !options.contacts)
        throw new UsageError('-o writes contacts, and needs --contacts');
      const outputs = { '--armature': options.armature, '-o': options.output };
      for (const [flag, output] of Object.entries(outputs))
        if (output !== undefined && isSameFile(output, path))
          throw new UsageError(`${flag} ${output} is the file that is read`);
      checkOutputs(
        Object.values(outputs).filter((output) => output !== undefined),
        options,
      );
      context.terminal.progress.update(0, 1, `reading ${basename(path)}`);
      const scene = await readScene(path, readOptionsOf(options));
      context.terminal.progress.update(0.5, 1, `looking at ${basename(path)}`);
      const inspection = await inspect(scene, options);
      if (options.armature !== undefined) {
        requireSkeleton(path, scene);
        const { skeleton } = inspection.rigs[inspection.character]!;
        const document = writeArmature(createArmature(skeleton), skeleton);
        writeWhole(options.armature, jsonText(document), options);
      }
      if (options.output !== undefined) {
        const document: ContactDocument = { version: 1, clips: inspection.contacts ?? {} };
        writeWhole(options.output, jsonText(document), options);
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

async function inspect(scene: Scene, options: InspectOptions): Promise<Inspection> {
  const warnings = [...scene.warnings];
  let character = -1;
  if (scene.characters.length > 0) {
    const choice = chooseCharacter(scene, options.skeleton);
    character = choice.character;
    warnings.push(...choice.warnings);
  }
  const roles = options.map === undefined ? null : await readRoles(options.map);
  const rigs = scene.characters.map(({ skeleton, clips }, i) =>
    createRig(skeleton, { clips, ...(roles && i === character ? { roles: roles(skeleton) } : {}) }),
  );
  for (const rig of rigs) warnings.push(...rig.warnings);
  const inspection: Inspection = { scene, rigs, character, warnings: uniqueWarnings(warnings) };
  const rig = rigs[character];
  if (options.contacts)
    inspection.contacts = Object.fromEntries(
      (rig ? scene.characters[character]!.clips : []).map((clip) => [
        clip.name,
        findLoopContacts(rig!, clip, PLANNED_CONTACTS),
      ]),
    );
  return inspection;
}

/** The document that `inspect --json` prints. */
export function inspectJson({ scene, rigs, character, contacts, warnings }: Inspection) {
  const main = rigs[character];
  return {
    format: scene.format,
    dialect: scene.dialect?.name ?? null,
    unit: main ? main.space.unit.metres : null,
    up: main ? axisOf(main.space.up.direction) : null,
    facing: main ? axisOf(main.space.facing.direction) : null,
    height: main ? main.space.height : null,
    skeletons: rigs.map(({ skeleton, reference, guesses, body, space, floor }) => ({
      name: skeleton.name,
      space: {
        up: { axis: axisOf(space.up.direction), ...whyOf(space.up) },
        facing: { axis: axisOf(space.facing.direction), ...whyOf(space.facing) },
        unit: { metres: space.unit.metres, ...whyOf(space.unit) },
        floor: { height: floor.height, ...whyOf(floor) },
      },
      ...(isAnimal(body) ? { kind: body.kind } : {}),
      reference: {
        kind: reference.kind,
        reason: reference.reason,
        ...(reference.frame ? { frame: reference.frame } : {}),
      },
      joints: skeleton.names.map((name, i) => ({
        index: skeleton.fileIndices[i]!,
        name,
        parent: skeleton.parents[i]! < 0 ? null : skeleton.fileIndices[skeleton.parents[i]!]!,
        role: guesses[i]!.role,
        confidence: (isAnimal(body) ? body.parts[i]! : guesses[i]!).confidence,
        ...(isAnimal(body) ? { part: body.parts[i]!.part } : {}),
      })),
    })),
    clips: clipsOf(scene).map((clip) => ({ name: clip.name, duration: clip.duration, keys: keysOf(clip) })),
    ...(contacts ? { contacts } : {}),
    ...toldJson(warnings),
  };
}

/** The clips of all characters; one that moves several of them is listed once. Those of a file without any, too. */
export function clipsOf(scene: Scene): Clip[] {
  const clips: Clip[] = [...(scene.otherClips ?? [])];
  scene.characters.forEach((character, i) => {
    for (const clip of character.clips) {
      const known = scene.characters
        .slice(0, i)
        .some(({ clips: earlier }) => earlier.some(({ name }) => name === clip.name));
      if (!known) clips.push(clip);
    }
  });
  return clips;
}

/** How many keys all tracks of a clip have together. */
export function keysOf(clip: Clip): number {
  const gaze = clip.gaze?.times.length ?? 0;
  return gaze + [...clip.tracks, ...clip.morphs].reduce((sum, track) => sum + keyCount(track), 0);
}

function inspectLines(path: string, inspection: Inspection, terminal: Terminal): string[] {
  const { scene, rigs, character, warnings } = inspection;
  const { colors } = terminal;
  const rig = rigs[character];
  const clips = clipsOf(scene);
  const title = `${heading(path, terminal)}  ${formatWord(scene)}`;
  const lines: string[] = [];
  if (!rig) {
    lines.push(
      `${title}, no skeleton`,
      '',
      `  ${scene.morphs.length > 0 ? 'Only morph targets move here; there' : 'There'} is no body to put a motion on, and none to take one from.`,
    );
  } else {
    const { skeleton, space, floor, reference } = rig;
    lines.push(
      `${title}, ${counted(skeleton.names.length, 'joint')}, ${short(space.height)} m tall, ${counted(clips.length, 'clip')}`,
      '',
      ...factLines(
        [
          ...bodyFacts(rig),
          ['up', directionWords(space.up.direction), sureness(space.up)],
          ['facing', directionWords(space.facing.direction), sureness(space.facing)],
          ['unit', `${short(space.unit.metres)} m`, sureness(space.unit)],
          ['floor', `${short(floor.height)} m`, sureness(floor)],
          ['reference', referenceWords(reference), reference.reason],
          ...metadataFacts(skeleton),
          ...dialectFacts(scene),
        ],
        terminal,
      ),
      '',
      ...treeLines(rig, terminal),
      '',
      ...chainLines(rig, terminal),
    );
    rigs.forEach((other, i) => {
      if (i === character) return;
      lines.push(
        colors.dim(
          `also skeleton ${i} "${cut(printable(other.skeleton.name), 60)}": ${counted(other.skeleton.names.length, 'joint')}, ${counted(rolesOf(other), 'role')}; --skeleton ${i} shows it`,
        ),
      );
    });
  }
  if (clips.length > 0) {
    lines.push(
      '',
      heading('clips', terminal),
      ...layOut(
        clips.map((clip) => [
          clip.name === '' ? '(no name)' : clip.name,
          seconds(clip.duration),
          counted(clip.tracks.length, 'track'),
          clip.morphs.length > 0 ? counted(clip.morphs.length, 'morph') : '',
          clip.gaze ? 'gaze' : '',
          counted(keysOf(clip), 'key'),
        ]),
        [{ most: 48 }, ...Array.from({ length: 5 }, () => ({ align: 'right' as const }))],
      ).map((line) => `  ${line}`),
    );
  }
  if (inspection.contacts && !scene.characters[character]?.clips.length)
    lines.push('', 'no contacts: there is no clip, and nothing moves');
  for (const clip of inspection.contacts ? (scene.characters[character]?.clips ?? []) : [])
    lines.push('', ...timelineLines(clip, inspection.contacts![clip.name] ?? [], terminal));
  if (scene.morphs.length > 0) {
    lines.push('', heading('morph targets', terminal));
    for (const { mesh, names } of scene.morphs.slice(0, 12))
      lines.push(
        `  ${mesh === '' ? 'expressions of the face' : cut(printable(mesh), 60)}  ${colors.dim(cut(printable(names.slice(0, 8).join(', ')), 200))}${names.length > 8 ? colors.dim(` and ${names.length - 8} more`) : ''}`,
      );
    if (scene.morphs.length > 12) lines.push(colors.dim(`  and ${scene.morphs.length - 12} more meshes`));
  }
  if (warnings.length > 0) lines.push('', ...toldLines(warnings, terminal));
  return lines;
}

type Answer = { confidence: number; reason: string };

function whyOf({ confidence, reason }: Answer): Answer {
  return { confidence, reason };
}

/** Why something was understood so, and how sure that is where it is not certain. */
function sureness({ confidence, reason }: Answer): string {
  return confidence >= 0.995 ? reason : `${percent(confidence)} sure: ${reason}`;
}

function isAnimal(body: Rig['body']): body is NonNullable<Rig['body']> {
  return body !== undefined && body.kind !== 'humanoid' && body.kind !== 'unknown';
}

function bodyFacts({ body }: Rig): [string, string, string?][] {
  if (!isAnimal(body)) return [];
  const parts = body.parts.filter(({ part }) => part !== null).length;
  return [['body', body.kind, `by its shape, ${counted(parts, 'part')} known`]];
}

function metadataFacts(skeleton: Skeleton): [string, string, string?][] {
  const count = Object.keys(skeleton.metadataRoles ?? {}).length;
  return count === 0 ? [] : [['metadata', counted(count, 'body part'), 'the file itself names them (VRM)']];
}

function dialectFacts({ dialect }: Scene): [string, string, string?][] {
  return dialect ? [['dialect', dialect.name, dialect.reason]] : [];
}

function rolesOf(rig: Rig): number {
  return rig.guesses.filter(({ role }) => role !== null).length;
}

function treeLines(rig: Rig, terminal: Terminal): string[] {
  const { colors } = terminal;
  const { skeleton } = rig;
  const parts = isAnimal(rig.body)
    ? rig.body.parts
    : rig.guesses.map((guess) => ({ ...guess, part: guess.role }));
  const { names, parents, flags, fileIndices } = skeleton;
  const skinned = flags.some((flag) => (flag & SKINNED) !== 0);
  const branches = treeBranches(parents);
  // A reason that holds for joint after joint is said once.
  let lastReason = '';
  const reason = (text: string) => {
    const said = text === lastReason ? '' : text;
    lastReason = text;
    return said;
  };
  const rows = names.map((name, i): Cell[] => {
    const guess = parts[i]!;
    const label = name === '' ? '(no name)' : name;
    const plain = (flags[i]! & JOINT) === 0;
    return [
      { text: String(fileIndices[i]), paint: colors.dim },
      { text: `${branches[i]}${label}`, paint: plain ? colors.dim : (text) => text },
      guess.part ? { text: guess.part, paint: colors.green } : '',
      guess.part ? percent(guess.confidence) : '',
      { text: guess.part ? reason(guess.reason) : kindWords(flags[i]!, skinned), paint: colors.dim },
    ];
  });
  return [
    heading(
      `skeleton "${skeleton.name}"  ${counted(names.length, 'joint')}, ${rolesOf(rig)} with a role`,
      terminal,
    ),
    ...layOut(rows, [{ align: 'right' }, { most: 64 }, {}, { align: 'right' }, {}]).map(
      (line) => `  ${line}`,
    ),
  ];
}

function kindWords(flags: number, skinned: boolean): string {
  if (flags & END) return 'end';
  if ((flags & JOINT) === 0) return 'plain node';
  return skinned && (flags & SKINNED) === 0 ? 'moves no skin' : '';
}

function chainLines(rig: Rig, terminal: Terminal): string[] {
  const { names } = rig.skeleton;
  const rows: Cell[][] = [];
  for (const limb of LIMBS) {
    const joints = LIMB_ROLES[limb].map((role) => rig.joints[role]).filter((joint) => joint !== undefined);
    if (joints.length > 0)
      rows.push([
        { text: limb, paint: terminal.colors.green },
        joints.map((joint) => names[joint]).join(' → '),
      ]);
  }
  // Without body parts the armature speaks: what hangs together, and what it looks like.
  if (rows.length === 0)
    for (const { kind, joints } of createArmature(rig.skeleton).chains)
      rows.push([
        { text: kind, paint: terminal.colors.green },
        joints.map((joint) => names[joint] || '(no name)').join(' → '),
      ]);
  if (rows.length === 0) return [terminal.colors.dim('no chains: there are no joints')];
  return [heading('chains', terminal), ...layOut(rows, [{}, { most: 300 }]).map((line) => `  ${line}`)];
}
