import { isRole, type RigMapDocument } from '@stuntdouble/core/engine';
import { Failure } from '../failure.js';
import { type JobDocument, parseDocument } from './parse-document.js';

/**
 * Reads the map of another tool as one of ours: Auto-Rig Pro (`.bmap`) and KeeMap (`.json`) pair joints; Godot (`.tres`),
 * Unity (`.ht`, `.meta`) and HumanIK (`.xml`) say what part of the body a joint is. What such a file says of a joint
 * that has no counterpart here is left out; nothing in it is ever run.
 * @throws Failure that names the file, where it is none of them.
 */
export function importMap(document: JobDocument): RigMapDocument {
  const extension = /\.([^.]*)$/.exec(document.name)?.[1]?.toLowerCase() ?? '';
  const text = new TextDecoder().decode(document.bytes).replace(/\r\n?/g, '\n');
  const read = READERS[extension];
  const found =
    extension === 'json' ? parseDocument(document, 'a map of KeeMap', readKeeMap) : (read?.(text) ?? null);
  if (!found || ((found.joints?.length ?? 0) === 0 && Object.keys(found.roles ?? {}).length === 0))
    throw new Failure(
      `cannot read ${document.name} as a map of another tool: known are .bmap (Auto-Rig Pro), .json (KeeMap), .tres (Godot), .ht and .meta (Unity) and .xml (HumanIK)`,
    );
  return found;
}

const READERS: Readonly<Record<string, (text: string) => RigMapDocument>> = {
  bmap: readAutoRigPro,
  tres: (text) =>
    ofRoles([...text.matchAll(/^bone_map\/(\w+) = &"(.*)"$/gm)].map(([, part, joint]) => [part!, joint!])),
  ht: (text) => ofRoles(unityPairs(text.split('m_BoneTemplate:')[1] ?? '')),
  meta: (text) =>
    ofRoles(
      [...text.matchAll(/^\s*-?\s*(?:m_)?boneName: (.*)\n\s*(?:m_)?humanName: (.*)$/gim)].map(
        ([, joint, part]) => [part!, joint!],
      ),
    ),
  xml: (text) =>
    ofRoles(
      [...text.matchAll(/<item\s+key="([^"]*)"\s+value="([^"]*)"/g)].map(([, part, joint]) => [
        HUMAN_IK[part!] ?? part!,
        joint!,
      ]),
    ),
};

/** Records of four lines: target and settings, source, location, inverse kinematics; `None` drives nothing. */
function readAutoRigPro(text: string): RigMapDocument {
  const joints = text
    .split(/\n\s*\n|\n(?=[^\n]*%)/)
    .map((record) => record.trim().split('\n'))
    .flatMap(([first = '', source = '']) => {
      const target = first.split('%')[0]!.trim();
      return pairOf(target, source.trim());
    });
  return { version: 1, joints };
}

function readKeeMap(json: unknown): RigMapDocument {
  const bones = (json as { bones?: unknown } | null)?.bones;
  if (!Array.isArray(bones)) throw new Failure('it has no list of bones');
  return {
    version: 1,
    joints: (bones as Record<string, unknown>[]).flatMap((bone) =>
      pairOf(String(bone?.DestinationBoneName ?? ''), String(bone?.SourceBoneName ?? '')),
    ),
  };
}

function pairOf(target: string, source: string) {
  const isNone = (name: string) => name === '' || name === 'None';
  return isNone(target) || isNone(source) ? [] : [{ target, sources: [source] }];
}

function unityPairs(text: string): [string, string][] {
  return [...text.matchAll(/^\s+([\w ]+): (\S.*)$/gm)].map(([, part, joint]) => [part!, joint!]);
}

/** What Unity and Godot call a part of the body is VRM's name, but for spaces, capitals and joints of the thumb. */
function ofRoles(pairs: readonly (readonly [string, string])[]): RigMapDocument {
  const isOlder = pairs.some(([part]) => /thumb ?intermediate/i.test(part));
  const roles: Record<string, string> = {};
  for (const [part, joint] of pairs) {
    const name = part.trim().replaceAll(' ', '');
    const small = name.charAt(0).toLowerCase() + name.slice(1);
    const role = isOlder
      ? small.replace('ThumbProximal', 'ThumbMetacarpal').replace('ThumbIntermediate', 'ThumbProximal')
      : small;
    const called = joint.trim();
    if (called !== '' && isRole(role)) roles[role] = called;
  }
  return { version: 1, roles };
}

const HUMAN_IK: Readonly<Record<string, string>> = {
  Spine1: 'chest',
  Spine2: 'upperChest',
  ...Object.fromEntries(
    ['Left', 'Right'].flatMap((side) => [
      [`${side}UpLeg`, `${side}UpperLeg`],
      [`${side}Leg`, `${side}LowerLeg`],
      [`${side}ToeBase`, `${side}Toes`],
      [`${side}Arm`, `${side}UpperArm`],
      [`${side}ForeArm`, `${side}LowerArm`],
    ]),
  ),
};
