import { isRole, type RigMapDocument, ROLES } from '@stuntdouble/core/engine';
import { Failure } from '../failure.js';
import { EXPY_KIT, HUMAN_IK, type PartNames, ROKOKO, trunkRoles, unityPart } from './other-tools.js';
import { type JobDocument, parseDocument } from './parse-document.js';

/** Names of the joints that a map is for: lists of names are looked up among them. */
export type MapJoints = { source: readonly string[]; target: readonly string[] };

/**
 * Reads the map of another tool as one of ours. Auto-Rig Pro (`.bmap`), KeeMap (`.json`) and QtMeshEditor (`.bonemap`)
 * pair joints; Godot (`.tres`), Unity (`.ht`, `.meta`, `.asset`), HumanIK (`.xml`) and Expy Kit (`.py`) say what part of
 * the body a joint is; Rokoko (`.json`) lists what joints may be called. What such a file says of a joint that has no
 * counterpart here is left out; nothing in it is ever run.
 * @param joints The joints of both files, which lists of names need.
 * @throws Failure that names the file, where it is none of them.
 */
export function importMap(
  document: JobDocument,
  joints: MapJoints = { source: [], target: [] },
): RigMapDocument {
  const extension = /\.([^.]*)$/.exec(document.name)?.[1]?.toLowerCase() ?? '';
  const text = new TextDecoder().decode(document.bytes).replace(/\r\n?/g, '\n');
  const read = READERS[extension];
  const found = JSON_EXTENSIONS.includes(extension)
    ? parseDocument(document, 'a map of KeeMap, Rokoko or QtMeshEditor', (json) => readJsonMap(json, joints))
    : (read?.(text) ?? null);
  const isEmpty =
    !found ||
    [found.joints, found.changes, Object.keys(found.roles ?? {})].every((list) => (list?.length ?? 0) === 0);
  if (isEmpty)
    throw new Failure(
      extension in READERS || JSON_EXTENSIONS.includes(extension)
        ? `cannot read ${document.name} as a map of another tool: nothing in it names a joint, as ${KNOWN} do`
        : `cannot read ${document.name} as a map of another tool: known are ${KNOWN}`,
    );
  return found;
}

/** The files that are known, and whose they are. */
const KNOWN =
  '.bmap (Auto-Rig Pro), .json (KeeMap, Rokoko), .bonemap (QtMeshEditor), .py (Expy Kit), .tres (Godot), .ht, .meta and .asset (Unity) and .xml (HumanIK)';

const JSON_EXTENSIONS = ['json', 'bonemap'];

const READERS: Readonly<Record<string, (text: string) => RigMapDocument>> = {
  bmap: readAutoRigPro,
  tres: (text) =>
    ofRoles(
      [...text.matchAll(/^\s*bone_map\/(\w+)\s*=\s*&?"((?:[^"\\]|\\.)*)"\s*$/gm)].map(([, part, joint]) => [
        smallFirst(part!),
        unescaped(joint!),
      ]),
    ),
  ht: (text) =>
    ofUnity(
      [...(text.split('m_BoneTemplate:')[1] ?? '').matchAll(/^[ \t]+([\w ]+):[ \t]+(\S.*)$/gm)].map(
        ([, part, joint]) => [part!, joint!],
      ),
    ),
  meta: readUnityBones,
  asset: readUnityBones,
  xml: (text) =>
    ofParts(
      [...text.replace(/<!--[\s\S]*?-->/g, '').matchAll(/<item\s([^<>]*)>/g)].map(([, fields]) => [
        xmlField(fields!, 'key'),
        xmlField(fields!, 'value'),
      ]),
      HUMAN_IK,
      (part) => (/^Spine\d?$/.test(part) ? Number(part.slice(5) || 0) : null),
    ),
  py: (text) =>
    ofParts(
      [...text.matchAll(/^\s*skeleton\.([\w.]+)\s*=\s*(['"])((?:(?!\2)[^\\\n]|\\.)*)\2\s*(?:#.*)?$/gm)].map(
        ([, part, , joint]) => [part!, unescaped(joint!)],
      ),
      EXPY_KIT,
      (part) => (/^spine\.spine\d?$/.test(part) ? Number(part.slice(11) || 0) : null),
    ),
};

/** Records of four lines: target and settings, source, location, inverse kinematics; `None` drives nothing. */
function readAutoRigPro(text: string): RigMapDocument {
  const joints = text
    .split(/\n\s*\n|\n(?=[^\n]*%)/)
    .map((record) => record.trim().split('\n'))
    .flatMap(([first = '', source = '']) => pairOf(first.split('%')[0]!.trim(), source.trim()));
  return { version: 1, joints };
}

/** Bones of a human description: in the settings of an import, and in assets, which have a prefix for each field. */
function readUnityBones(text: string): RigMapDocument {
  const pairs = [...text.matchAll(/^\s*-?\s*(?:m_)?boneName: (.*)\n\s*(?:m_)?humanName: (.*)$/gim)];
  return ofUnity(pairs.map(([, joint, part]) => [part!, joint!]));
}

function readJsonMap(json: unknown, joints: MapJoints): RigMapDocument {
  const { bones, pairs, rokoko_custom_names, ...rest } = (json ?? {}) as Record<string, unknown>;
  if (Array.isArray(pairs)) return ofPairs(pairs, 'target', 'source');
  if (Array.isArray(bones)) return ofPairs(bones, 'DestinationBoneName', 'SourceBoneName');
  if (rokoko_custom_names !== undefined && typeof bones === 'object' && bones !== null)
    return ofNameLists(bones as Record<string, unknown>, joints);
  throw new Failure(
    'version' in rest && ('joints' in rest || 'roles' in rest || 'changes' in rest)
      ? 'it is a map of ours, which --map takes'
      : 'it has no list of bones',
  );
}

function ofPairs(list: readonly unknown[], target: string, source: string): RigMapDocument {
  return {
    version: 1,
    joints: (list as Record<string, unknown>[]).flatMap((bone) =>
      pairOf(String(bone?.[target] ?? ''), String(bone?.[source] ?? '')),
    ),
  };
}

function pairOf(target: string, source: string) {
  const isNone = (name: string) => name === '' || name === 'None';
  return isNone(target) || isNone(source) ? [] : [{ target, sources: [source] }];
}

/** How Rokoko compares names: without case and separators. */
const foldedName = (name: string) => name.toLowerCase().replace(/[\s_.:-]/g, '');

/**
 * Names that joints may have, part by part. Where both files have one of them they are paired; where one file has, its
 * joint gets the part. Of a trunk with several joints nothing is taken: chains find those better than lists do.
 */
function ofNameLists(bones: Record<string, unknown>, { source, target }: MapJoints): RigMapDocument {
  const changes: NonNullable<RigMapDocument['changes']> = [];
  const roles: Record<string, string> = {};
  for (const [part, list] of Object.entries(bones)) {
    const words = new Set((Array.isArray(list) ? list : []).map((name) => foldedName(String(name))));
    const [from, ...moreFrom] = source.filter((name) => words.has(foldedName(name)));
    const [to, ...moreTo] = target.filter((name) => words.has(foldedName(name)));
    const role = ROKOKO.find(([name]) => name === part)?.[1];
    if (part === 'spine' && moreFrom.length + moreTo.length > 0) continue;
    if (from !== undefined && to !== undefined)
      changes.push({ target: to, sources: [from], ...(role && isRole(role) && { role }) });
    else if (role && (from ?? to) !== undefined) roles[role] = (from ?? to)!;
  }
  return {
    version: 1,
    ...(changes.length > 0 && { changes }),
    ...(Object.keys(roles).length > 0 && { roles }),
  };
}

/** Joints by parts of a tool's own names, with spines that are counted from the hips up. */
function ofParts(
  pairs: readonly (readonly [string, string])[],
  names: PartNames,
  spineNumber: (part: string) => number | null,
): RigMapDocument {
  const roleOf = new Map(names);
  const given = pairs.filter(([, joint]) => joint.trim() !== '');
  const spines = given
    .flatMap(([part, joint]) => {
      const number = spineNumber(part);
      return number === null ? [] : [{ number, joint }];
    })
    .sort((a, b) => a.number - b.number);
  const trunk = trunkRoles(spines.length);
  return ofRoles([
    ...spines.map(({ joint }, n) => [trunk[n] ?? '', joint] as const),
    ...given.map(([part, joint]) => [roleOf.get(part) ?? '', joint] as const),
  ]);
}

const ROLE_OF_UNITY = new Map(ROLES.map((role) => [unityPart(role).replaceAll(' ', ''), role]));

/** Joints by Unity's names of parts, as YAML writes them. */
function ofUnity(pairs: readonly (readonly [string, string])[]): RigMapDocument {
  return ofRoles(
    pairs.map(([part, joint]) => [
      ROLE_OF_UNITY.get(withoutQuotes(part).replaceAll(' ', '')) ?? '',
      withoutQuotes(joint),
    ]),
  );
}

function ofRoles(pairs: readonly (readonly [string, string])[]): RigMapDocument {
  const roles: Record<string, string> = {};
  for (const [role, joint] of pairs) if (joint.trim() !== '' && isRole(role)) roles[role] = joint.trim();
  return { version: 1, roles };
}

const smallFirst = (name: string) => name.charAt(0).toLowerCase() + name.slice(1);

const CONTROL: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

/** Text between quotes, as YAML, Python and Godot escape it: Unity writes all letters beyond ASCII by their numbers. */
function unescaped(text: string): string {
  return text.replace(
    /\\(?:x([\dA-Fa-f]{2})|u([\dA-Fa-f]{4})|U(00[\dA-Fa-f]{6})|(.))/g,
    (all, two?: string, four?: string, eight?: string, sign?: string) => {
      if (sign !== undefined) return CONTROL[sign] ?? sign;
      return letterOf(Number.parseInt((two ?? four ?? eight)!, 16), all);
    },
  );
}

/** A letter by its number; the text as it stands where no letter has it. */
const letterOf = (number: number, text: string) => (number <= 0x10ffff ? String.fromCodePoint(number) : text);

/** A value of YAML on one line. */
function withoutQuotes(text: string): string {
  const value = text.trim();
  if (/^'.*'$/.test(value)) return value.slice(1, -1).replaceAll("''", "'");
  return /^".*"$/.test(value) ? unescaped(value.slice(1, -1)) : value;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** What a field of an element of XML says; empty where it has none of that name. */
function xmlField(fields: string, name: string): string {
  const [, , value = ''] = new RegExp(`(?:^|\\s)${name}\\s*=\\s*(["'])(.*?)\\1`, 's').exec(fields) ?? [];
  return value.replace(
    /&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([\dA-Fa-f]{1,6}));/g,
    (all, named?: string, decimal?: string, hex?: string) =>
      named !== undefined
        ? ENTITIES[named]!
        : letterOf(decimal !== undefined ? Number(decimal) : Number.parseInt(hex!, 16), all),
  );
}
