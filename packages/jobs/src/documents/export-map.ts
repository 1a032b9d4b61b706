import { driverOf, ROLES, UsageError } from '@stuntdouble/core/engine';
import { Failure } from '../failure.js';
import type { Mapping } from '../map-scenes.js';
import { HUMAN_IK, unityPart } from './other-tools.js';

/**
 * A map in the form of another tool, by the extension of the file it goes to: Godot (`.tres`), Unity (`.ht`) and HumanIK
 * (`.xml`) get the parts of the target's body, Auto-Rig Pro (`.bmap`) who drives whom.
 * @returns null where the file is none of them.
 * @throws Failure where the form has no way to say it; UsageError where it is one that is only read.
 */
export function exportMap(path: string, mapping: Mapping): string | null {
  const extension = /\.([^./\\]*)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  // Ours under such a name would be taken for theirs.
  if (READ_ALONE.includes(extension))
    throw new UsageError(
      `--output ${path}: maps of .${extension} are read, not written; for other tools there are ${Object.keys(
        WRITERS,
      )
        .map((each) => `.${each}`)
        .join(', ')}, and .json for ours`,
    );
  return WRITERS[extension]?.(mapping) ?? null;
}

/** Other tools' files that maps are read from (`importMap`) and never written to. */
const READ_ALONE = ['meta', 'asset', 'bonemap', 'py'];

const WRITERS: Readonly<Record<string, (mapping: Mapping) => string>> = {
  tres: writeGodot,
  ht: writeUnity,
  xml: writeHumanIk,
  bmap: writeAutoRigPro,
};

/** The name of the target's joint that plays a role; nothing where none does. */
function jointOf({ target }: Mapping, role: string): string {
  const joint = target.joints[role as (typeof ROLES)[number]];
  return joint === undefined ? '' : target.skeleton.names[joint]!;
}

/** Every part of the profile is there, as Godot asks: those without a joint are empty. */
function writeGodot(mapping: Mapping): string {
  const quoted = (name: string) => `"${name.replace(/[\\"]/g, '\\$&')}"`;
  const lines = ROLES.map(
    (role) => `bone_map/${role.charAt(0).toUpperCase()}${role.slice(1)} = &${quoted(jointOf(mapping, role))}`,
  );
  return `[gd_resource type="BoneMap" format=3]

[sub_resource type="SkeletonProfileHumanoid" id="SkeletonProfileHumanoid_1"]

[resource]
profile = SubResource("SkeletonProfileHumanoid_1")
bone_map/Root = &""
${lines.join('\n')}
`;
}

function writeUnity(mapping: Mapping): string {
  // A plain word stays as it is; all else would be read as something of YAML.
  const scalar = (name: string) =>
    /^[A-Za-z][\w.|-]*(?: [\w.|-]+)*$/.test(name) ? name : `'${name.replaceAll("'", "''")}'`;
  const lines = ROLES.map((role) => [unityPart(role), jointOf(mapping, role)])
    .filter(([, joint]) => joint !== '')
    .map(([part, joint]) => `    ${part}: ${scalar(joint!)}`);
  return `%YAML 1.1
%TAG !u! tag:unity3d.com,2011:
--- !u!1105 &1105000
HumanTemplate:
  m_ObjectHideFlags: 0
  m_Name: 
  m_BoneTemplate:
${lines.join('\n')}
`;
}

function writeHumanIk(mapping: Mapping): string {
  const escaped = (name: string) =>
    name.replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign]!);
  const spines = ['spine', 'chest', 'upperChest'].map((role) => jointOf(mapping, role)).filter(Boolean);
  const items = [
    ...HUMAN_IK.map(([part, role]) => [part, jointOf(mapping, role)] as const),
    ...spines.map((joint, n) => [`Spine${n === 0 ? '' : n}`, joint] as const),
  ];
  return `<?xml version="1.0" encoding="UTF-8"?>
<config_root>
  <match_list>
${items.map(([key, joint]) => `    <item key="${key}" value="${escaped(joint)}"/>`).join('\n')}
  </match_list>
</config_root>
`;
}

/** Turns of every joint, and the way of the hips. */
function writeAutoRigPro({ source, target, map }: Mapping): string {
  return map.joints
    .map((pair) => {
      const from = source.skeleton.names[driverOf(pair)]!;
      const to = target.skeleton.names[pair.target]!;
      const odd = [from, to].find((name) => /[%\r\n]/.test(name));
      if (odd !== undefined)
        throw new Failure(`a .bmap cannot hold ${JSON.stringify(odd)}: % and line breaks part its fields`);
      const isRoot = pair.role === 'hips' ? 'True' : 'False';
      return `${to}%${isRoot}%ABSOLUTE%0.0,0.0,0.0%0.0,0.0,0.0%1.0%False%False%\n${from}\n${isRoot}\nFalse\n\n`;
    })
    .join('');
}
