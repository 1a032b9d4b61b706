import {
  createArmature,
  END,
  JOINT,
  LIMB_ROLES,
  LIMBS,
  printable,
  type Rig,
  type Scene,
  SKINNED,
  type Skeleton,
} from '@stuntdouble/core/engine';
import { clipsOf, formatWord, type Inspection, keysOf } from '@stuntdouble/jobs';
import type { Terminal } from '../terminal.js';
import { timelineLines } from './contact-timeline.js';
import { treeBranches } from './joint-tree.js';
import { type Cell, cut, layOut, sayOnce } from './table.js';
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
} from './words.js';

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

/** What `inspect` tells a person of a file. */
export function inspectLines(path: string, inspection: Inspection, terminal: Terminal): string[] {
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
  const reason = sayOnce();
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
