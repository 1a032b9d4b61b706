import { ROLES, type Role } from '@stuntdouble/core';
import type { Extra } from '../body/body.js';
import type { FaceMorph } from '../body/face-morphs.js';
import type { SampleRig } from '../sample-rig.js';
import type { GlbDocument, Json } from './glb-builder.js';

/** What makes a character a VRM. */
export type VrmPlan = {
  version: '0.x' | '1.0';
  /** Parts that swing, each chain from its root to its end. */
  springs?: readonly (readonly Extra[])[];
};

/** What a VRM says of a character. */
type VrmCharacter = {
  name: string;
  title: string;
  rig: SampleRig;
  vrm?: VrmPlan;
  morphs?: readonly FaceMorph[];
};

const isRole = (part: string): part is Role => (ROLES as readonly string[]).includes(part);

/** The node of every role, by its name in VRM 1.0. */
function humanBonesOf({ rig }: VrmCharacter, joints: readonly number[]): Map<Role, number> {
  const bones = new Map<Role, number>();
  rig.joints.forEach(({ role, part }, i) => {
    if (role && isRole(role) && part === 'plays') bones.set(role, joints[i]!);
  });
  return bones;
}

/** The nodes of chains that swing. */
function springNodes({ rig, vrm }: VrmCharacter, joints: readonly number[]): number[][] {
  return (vrm?.springs ?? []).map((parts) =>
    parts.map((part) => joints[rig.joints.findIndex(({ role }) => role === part)]!),
  );
}

/** Adds what makes a file a VRM: roles, meta, and where there are any, expressions and springs. */
export function addVrm(document: GlbDocument, character: VrmCharacter, joints: readonly number[]): void {
  const bones = humanBonesOf(character, joints);
  const springs = springNodes(character, joints);
  const face = document.nodes.findIndex(({ name }) => name === `${character.name}-face`);
  if (character.vrm?.version === '0.x') addOldVrm(document, character, bones, springs);
  else addNewVrm(document, character, bones, springs, face);
}

function addNewVrm(
  document: GlbDocument,
  { title, morphs = [] }: VrmCharacter,
  bones: ReadonlyMap<Role, number>,
  springs: readonly (readonly number[])[],
  face: number,
): void {
  const preset = Object.fromEntries(
    morphs.map(({ name }, index): [string, Json] => [
      name,
      { morphTargetBinds: [{ node: face, index, weight: 1 }], isBinary: false },
    ]),
  );
  document.extensions.VRMC_vrm = {
    specVersion: '1.0',
    meta: {
      name: title,
      version: '1',
      authors: ['Stuntdouble'],
      licenseUrl: 'https://vrm.dev/licenses/1.0/',
      avatarPermission: 'everyone',
      commercialUsage: 'corporation',
      creditNotation: 'unnecessary',
      allowRedistribution: true,
      modification: 'allowModificationRedistribution',
      otherLicenseUrl: 'https://opensource.org/license/mit',
    },
    humanoid: { humanBones: Object.fromEntries([...bones].map(([role, node]) => [role, { node }])) },
    ...(morphs.length > 0 ? { expressions: { preset } } : {}),
  };
  if (springs.length === 0) return;
  document.extensions.VRMC_springBone = {
    specVersion: '1.0',
    colliders: [{ node: bones.get('head')!, shape: { sphere: { offset: [0, 0.13, 0], radius: 0.13 } } }],
    colliderGroups: [{ name: 'head', colliders: [0] }],
    springs: springs.map((nodes, i) => ({
      name: `tail ${i + 1}`,
      joints: nodes.map((node) => ({
        node,
        hitRadius: 0.03,
        stiffness: 0.8,
        gravityPower: 0.4,
        gravityDir: [0, -1, 0],
        dragForce: 0.4,
      })),
      colliderGroups: [0],
    })),
  };
}

/** VRM 0.x's names of presets, by VRM 1.0's. */
const OLD_PRESETS: Readonly<Record<string, string>> = {
  aa: 'a',
  ih: 'i',
  ou: 'u',
  ee: 'e',
  oh: 'o',
  blink: 'blink',
  blinkLeft: 'blink_l',
  blinkRight: 'blink_r',
  happy: 'joy',
  angry: 'angry',
  sad: 'sorrow',
};

/** VRM 0.x's name of a role: its thumbs have no metacarpals. */
function oldBone(role: Role): string {
  return role.replace('ThumbProximal', 'ThumbIntermediate').replace('ThumbMetacarpal', 'ThumbProximal');
}

function addOldVrm(
  document: GlbDocument,
  { title, morphs = [] }: VrmCharacter,
  bones: ReadonlyMap<Role, number>,
  springs: readonly (readonly number[])[],
): void {
  const vector = (x: number, y: number, z: number): Json => ({ x, y, z });
  const curve: Json = { curve: [0, 0, 0, 1, 1, 1, 1, 0], xRange: 90, yRange: 10 };
  document.extensions.VRM = {
    exporterVersion: 'Stuntdouble samples',
    specVersion: '0.0',
    meta: {
      title,
      version: '1',
      author: 'Stuntdouble',
      contactInformation: '',
      reference: '',
      allowedUserName: 'Everyone',
      violentUssageName: 'Allow',
      sexualUssageName: 'Disallow',
      commercialUssageName: 'Allow',
      otherPermissionUrl: '',
      licenseName: 'Other',
      otherLicenseUrl: 'https://opensource.org/license/mit',
    },
    humanoid: {
      humanBones: [...bones].map(([role, node]) => ({ bone: oldBone(role), node, useDefaultValues: true })),
      armStretch: 0.05,
      legStretch: 0.05,
      upperArmTwist: 0.5,
      lowerArmTwist: 0.5,
      upperLegTwist: 0.5,
      lowerLegTwist: 0.5,
      feetSpacing: 0,
      hasTranslationDoF: false,
    },
    firstPerson: {
      firstPersonBone: bones.get('head')!,
      firstPersonBoneOffset: vector(0, 0.1, 0),
      meshAnnotations: [],
      lookAtTypeName: 'Bone',
      lookAtHorizontalInner: curve,
      lookAtHorizontalOuter: curve,
      lookAtVerticalDown: curve,
      lookAtVerticalUp: curve,
    },
    blendShapeMaster: {
      blendShapeGroups: morphs.map(({ name }, index) => ({
        name: name[0]!.toUpperCase() + name.slice(1),
        presetName: OLD_PRESETS[name]!,
        // The face is the second mesh.
        binds: [{ mesh: 1, index, weight: 100 }],
        materialValues: [],
        isBinary: false,
      })),
    },
    secondaryAnimation: {
      boneGroups: [
        {
          comment: 'tails',
          stiffiness: 0.8,
          gravityPower: 0.4,
          gravityDir: vector(0, -1, 0),
          dragForce: 0.4,
          center: -1,
          hitRadius: 0.03,
          bones: springs.map((nodes) => nodes[0]!),
          colliderGroups: [0],
        },
      ],
      colliderGroups: [
        { node: bones.get('head')!, colliders: [{ offset: vector(0, 0.13, 0), radius: 0.13 }] },
      ],
    },
    materialProperties: document.materials.map(({ name }) => ({
      name: name!,
      shader: 'VRM_USE_GLTFSHADER',
      renderQueue: 2000,
      floatProperties: {},
      vectorProperties: {},
      textureProperties: {},
      keywordMap: {},
      tagMap: {},
    })),
  };
}
