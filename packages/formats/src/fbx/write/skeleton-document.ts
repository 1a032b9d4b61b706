import {
  composeMatrix,
  createRig,
  END,
  JOINT,
  multiplyMatrices,
  nearestAxis,
  type Pose,
  type Skeleton,
} from '@stuntdouble/core/engine';
import { type DressedMesh, wholesOf } from '../../shared/dressed-mesh.js';
import { createArray, createNode, type FbxNode } from '../parse/fbx-node.js';
import { hasFbxMeshes } from '../parse/has-meshes.js';
import type { FbxDocument } from '../parse/parse-fbx.js';
import { TICKS_PER_SECOND } from '../parse/time-base.js';
import { unpackBudgetFor } from '../parse/unpack-array.js';
import { type Builder, createBuilder, FIRST_MODEL, poseProperties, property } from './document-builder.js';
import { connect } from './encode-clips.js';
import { addMesh, createWardrobe } from './mesh-records.js';

/** FBX 2014, which every program reads. */
const VERSION = 7400;

/**
 * Makes a file that holds a skeleton, and meshes on it: a limb node per joint with the same name, place and
 * transform. Its axes and unit are those that the skeleton has, or seems to have.
 */
export function createSkeletonDocument(
  name: string,
  skeleton: Skeleton,
  meshes: readonly DressedMesh[],
): FbxDocument {
  const builder = createBuilder();
  const { names, parents, rest, flags } = skeleton;
  names.forEach((jointName, joint) => {
    const isLimb = (flags[joint]! & (JOINT | END)) !== 0;
    const kind = isLimb ? 'LimbNode' : 'Null';
    const model = FIRST_MODEL + joint;
    builder.model(model, jointName, kind, poseProperties(rest, joint));
    const attribute = builder.id();
    builder.object(
      createNode(
        'NodeAttribute',
        'LSS',
        [attribute, `${jointName}\x00\x01NodeAttribute`, kind],
        [createNode('TypeFlags', 'S', [isLimb ? 'Skeleton' : 'Null'])],
      ),
    );
    builder.connections.push(
      connect(attribute, model),
      connect(model, parents[joint]! < 0 ? 0 : FIRST_MODEL + parents[joint]!),
    );
  });
  const bindWorlds = worldsOf(skeleton, skeleton.bind ?? rest);
  const bound = new Map<number, Float64Array>();
  const wardrobe = createWardrobe();
  for (const parts of wholesOf(meshes))
    addMesh(
      builder,
      skeleton,
      parts.map((mesh) => ({ ...mesh, name: nameOfMesh(skeleton, mesh.name) })),
      bindWorlds,
      bound,
      wardrobe,
    );
  // Joints that carry no skin were somewhere too when the others were bound.
  if (skeleton.bind)
    names.forEach((_, joint) => {
      const model = FIRST_MODEL + joint;
      if (flags[joint]! & JOINT && !bound.has(model))
        bound.set(model, bindWorlds.slice(16 * joint, 16 * joint + 16));
    });
  if (bound.size > 0) addBindPose(builder, bound);
  const nodes = assemble(name, skeleton, builder);
  return {
    kind: 'fbx',
    base: null,
    version: VERSION,
    encoding: 'binary',
    nodes,
    hasMeshes: hasFbxMeshes(nodes),
    footer: new Uint8Array(0),
    size: 0,
    ticksPerSecond: TICKS_PER_SECOND,
    budget: unpackBudgetFor(2 ** 28),
  };
}

/** The name that a mesh gets: programs find what a clip moves by name, so it may not be that of a joint. */
export function nameOfMesh({ names }: Skeleton, name: string): string {
  let free = name;
  while (names.includes(free)) free += '_mesh';
  return free;
}

function worldsOf({ parents }: Skeleton, pose: Pose): Float64Array {
  const worlds = new Float64Array(16 * parents.length);
  const local = new Float64Array(16);
  parents.forEach((parent, i) => {
    composeMatrix(local, 0, pose.translations, 3 * i, pose.rotations, 4 * i, pose.scales, 3 * i);
    if (parent < 0) worlds.set(local, 16 * i);
    else multiplyMatrices(worlds, 16 * i, worlds, 16 * parent, local, 0);
  });
  return worlds;
}

function addBindPose(builder: Builder, bound: ReadonlyMap<number, Float64Array>): void {
  const id = builder.id();
  builder.object(
    createNode(
      'Pose',
      'LSS',
      [id, 'BIND_POSES\x00\x01Pose', 'BindPose'],
      [
        createNode('Type', 'S', ['BindPose']),
        createNode('Version', 'I', [100]),
        createNode('NbPoseNodes', 'I', [bound.size]),
        ...[...bound].map(([model, matrix]) =>
          createNode(
            'PoseNode',
            '',
            [],
            [createNode('Node', 'L', [model]), createNode('Matrix', 'd', [createArray('d', matrix)])],
          ),
        ),
      ],
    ),
  );
}

/** The id and the time that the file's closing bytes belong to. */
const FILE_ID = Uint8Array.of(
  0x28,
  0xb3,
  0x2a,
  0xeb,
  0xb6,
  0x24,
  0xcc,
  0xc2,
  0xbf,
  0xc8,
  0xb0,
  0x2a,
  0xa9,
  0x2b,
  0xfc,
  0xf1,
);
const FILE_TIME = '1970-01-01 10:00:00:000';

function assemble(name: string, skeleton: Skeleton, { objects, connections, id }: Builder): FbxNode[] {
  const counts = new Map<string, number>([['GlobalSettings', 1]]);
  for (const object of objects) counts.set(object.name, (counts.get(object.name) ?? 0) + 1);
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const creator = 'Stuntdouble';
  return [
    createNode(
      'FBXHeaderExtension',
      '',
      [],
      [
        createNode('FBXHeaderVersion', 'I', [1003]),
        createNode('FBXVersion', 'I', [VERSION]),
        createNode('EncryptionType', 'I', [0]),
        createNode('Creator', 'S', [creator]),
      ],
    ),
    createNode('FileId', 'R', [FILE_ID]),
    createNode('CreationTime', 'S', [FILE_TIME]),
    createNode('Creator', 'S', [creator]),
    settingsNode(skeleton),
    createNode(
      'Documents',
      '',
      [],
      [
        createNode('Count', 'I', [1]),
        createNode(
          'Document',
          'LSS',
          [id(), name, 'Scene'],
          [
            createNode(
              'Properties70',
              '',
              [],
              [
                property('SourceObject', 'object', '', '', '', []),
                property('ActiveAnimStackName', 'KString', '', '', 'S', ['']),
              ],
            ),
            createNode('RootNode', 'L', [0]),
          ],
        ),
      ],
    ),
    createNode('References', '', [], []),
    createNode(
      'Definitions',
      '',
      [],
      [
        createNode('Version', 'I', [100]),
        createNode('Count', 'I', [total]),
        ...[...counts].map(([type, count]) =>
          createNode('ObjectType', 'S', [type], [createNode('Count', 'I', [count])]),
        ),
      ],
    ),
    createNode('Objects', '', [], objects),
    createNode('Connections', '', [], connections),
    createNode('Takes', '', [], [createNode('Current', 'S', [''])]),
  ];
}

/** Axes and unit: the skeleton's own word, else as its body shows them. */
function settingsNode(skeleton: Skeleton): FbxNode {
  const { declared } = skeleton;
  const isKnown = declared.up !== null && declared.unit !== null;
  const space = isKnown ? null : createRig(skeleton).space;
  const up = declared.up ?? nearestAxis(space!.up.direction).axis;
  const unit = declared.unit ?? space!.unit.metres;
  // Right is +X, or −Y where that is up; front is right × up.
  const upAxis = 'XYZ'.indexOf(up[1]!);
  const upSign = up[0] === '-' ? -1 : 1;
  const rightAxis = upAxis === 0 ? 1 : 0;
  const rightSign = upAxis === 0 ? -1 : 1;
  const frontAxis = 3 - upAxis - rightAxis;
  const frontSign = ((upAxis - rightAxis + 3) % 3 === 1 ? 1 : -1) * upSign * rightSign;
  const integer = (name: string, value: number) => property(name, 'int', 'Integer', '', 'I', [value]);
  const number = (name: string, value: number) => property(name, 'double', 'Number', '', 'D', [value]);
  return createNode(
    'GlobalSettings',
    '',
    [],
    [
      createNode('Version', 'I', [1000]),
      createNode(
        'Properties70',
        '',
        [],
        [
          integer('UpAxis', upAxis),
          integer('UpAxisSign', upSign),
          integer('FrontAxis', frontAxis),
          integer('FrontAxisSign', frontSign),
          integer('CoordAxis', rightAxis),
          integer('CoordAxisSign', rightSign),
          integer('OriginalUpAxis', -1),
          integer('OriginalUpAxisSign', 1),
          number('UnitScaleFactor', unit * 100),
          number('OriginalUnitScaleFactor', unit * 100),
          property('TimeMode', 'enum', '', '', 'I', [6]),
          property('TimeSpanStart', 'KTime', 'Time', '', 'L', [0]),
          property('TimeSpanStop', 'KTime', 'Time', '', 'L', [TICKS_PER_SECOND]),
          number('CustomFrameRate', -1),
        ],
      ),
    ],
  );
}
