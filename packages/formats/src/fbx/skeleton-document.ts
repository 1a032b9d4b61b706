import {
  composeMatrix,
  createRig,
  decomposeMatrix,
  END,
  invertMatrix,
  JOINT,
  type Mesh,
  multiplyMatrices,
  nearestAxis,
  type Pose,
  type Skeleton,
} from '@stuntdouble/core';
import { nearestEulerAngles } from '../bvh/euler.js';
import { connect, deflate } from './encode-clips.js';
import { createArray, createNode, type FbxNode, type FbxValue } from './fbx-node.js';
import { RADIANS } from './model-transform.js';
import type { FbxDocument } from './parse-fbx.js';
import { TICKS_PER_SECOND } from './settings.js';
import { unpackBudgetFor } from './unpack-array.js';

/** FBX 2014, which every program reads. */
const VERSION = 7400;

/** The number of the first joint's model; the others follow. */
const FIRST_MODEL = 1_000_000;

/**
 * Makes a file that holds a skeleton, and meshes on it: a limb node per joint with the same name, place and
 * transform. Its axes and unit are those that the skeleton has, or seems to have.
 */
export function createSkeletonDocument(
  name: string,
  skeleton: Skeleton,
  meshes: readonly Mesh[],
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
  // Programs find what a clip moves by name: no mesh may have the name of a joint.
  const taken = new Set(names);
  for (const mesh of meshes) {
    const meshName = taken.has(mesh.name) ? `${mesh.name}_mesh` : mesh.name;
    addMesh(builder, skeleton, { ...mesh, name: meshName }, bindWorlds, bound);
  }
  // Joints that carry no skin were somewhere too when the others were bound.
  if (skeleton.bind)
    names.forEach((_, joint) => {
      const model = FIRST_MODEL + joint;
      if (flags[joint]! & JOINT && !bound.has(model))
        bound.set(model, bindWorlds.slice(16 * joint, 16 * joint + 16));
    });
  if (bound.size > 0) addBindPose(builder, bound);
  return {
    kind: 'fbx',
    version: VERSION,
    encoding: 'binary',
    nodes: assemble(name, skeleton, builder),
    footer: new Uint8Array(0),
    budget: unpackBudgetFor(2 ** 28),
  };
}

type Builder = {
  objects: FbxNode[];
  connections: FbxNode[];
  id(): number;
  object(node: FbxNode): void;
  model(id: number, name: string, kind: string, properties: readonly FbxNode[]): void;
};

function createBuilder(): Builder {
  let next = FIRST_MODEL * 1000;
  const objects: FbxNode[] = [];
  return {
    objects,
    connections: [],
    id: () => next++,
    object: (node) => objects.push(node),
    model: (id, name, kind, properties) => {
      objects.push(
        createNode(
          'Model',
          'LSS',
          [id, `${name}\x00\x01Model`, kind],
          [
            createNode('Version', 'I', [232]),
            createNode(
              'Properties70',
              '',
              [],
              [
                property('RotationActive', 'bool', '', '', 'I', [1]),
                property('InheritType', 'enum', '', '', 'I', [1]),
                property('ScalingMax', 'Vector3D', 'Vector', '', 'DDD', [0, 0, 0]),
                property('DefaultAttributeIndex', 'int', 'Integer', '', 'I', [0]),
                ...properties,
              ],
            ),
            createNode('Shading', 'C', [1]),
            createNode('Culling', 'S', ['CullingOff']),
          ],
        ),
      );
    },
  };
}

/** One property of an object. */
function property(
  name: string,
  type: string,
  label: string,
  flags: string,
  valueTypes: string,
  values: readonly FbxValue[],
): FbxNode {
  return createNode('P', `SSSS${valueTypes}`, [name, type, label, flags, ...values]);
}

function poseProperties({ translations, rotations, scales }: Pose, joint: number): FbxNode[] {
  const angles = new Float64Array(3);
  nearestEulerAngles(angles, 0, rotations, 4 * joint, 'ZYX');
  const local = (name: string, values: readonly number[]) => property(name, name, '', 'A', 'DDD', values);
  return [
    local('Lcl Translation', [...translations.subarray(3 * joint, 3 * joint + 3)]),
    local('Lcl Rotation', [angles[2]! / RADIANS, angles[1]! / RADIANS, angles[0]! / RADIANS]),
    local('Lcl Scaling', [...scales.subarray(3 * joint, 3 * joint + 3)]),
  ];
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

function addMesh(
  builder: Builder,
  skeleton: Skeleton,
  mesh: Mesh,
  bindWorlds: Float64Array,
  bound: Map<number, Float64Array>,
): void {
  const geometry = builder.id();
  const model = builder.id();
  const material = builder.id();
  builder.object(geometryNode(geometry, mesh));
  builder.object(
    createNode(
      'Material',
      'LSS',
      [material, `${mesh.name}\x00\x01Material`, ''],
      [
        createNode('Version', 'I', [102]),
        createNode('ShadingModel', 'S', ['lambert']),
        createNode('MultiLayer', 'I', [0]),
        createNode(
          'Properties70',
          '',
          [],
          [
            property('DiffuseColor', 'Color', '', 'A', 'DDD', mesh.color),
            property('DiffuseFactor', 'Number', '', 'A', 'D', [1]),
          ],
        ),
      ],
    ),
  );
  // What takes the mesh's own space to the scene, in which the joints were bound.
  const space = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1);
  const { skin } = mesh;
  const used = skin ? usedJoints(skeleton, skin) : [];
  if (skin && used.length > 0)
    multiplyMatrices(space, 0, bindWorlds, 16 * used[0]!, skin.inverseBinds, 16 * used[0]!);
  const pose: Pose = {
    translations: new Float64Array(3),
    rotations: new Float64Array(4),
    scales: new Float64Array(3),
  };
  decomposeMatrix(pose.translations, 0, pose.rotations, 0, pose.scales, 0, space, 0);
  builder.model(model, mesh.name, 'Mesh', poseProperties(pose, 0));
  builder.connections.push(
    connect(model, mesh.joint === null ? 0 : FIRST_MODEL + mesh.joint),
    connect(geometry, model),
    connect(material, model),
  );
  if (!skin || used.length === 0) return;
  const deformer = builder.id();
  builder.object(
    createNode(
      'Deformer',
      'LSS',
      [deformer, `${mesh.name}\x00\x01Deformer`, 'Skin'],
      [createNode('Version', 'I', [101]), createNode('Link_DeformAcuracy', 'D', [50])],
    ),
  );
  builder.connections.push(connect(deformer, geometry));
  bound.set(model, space);
  const bind = new Float64Array(16);
  for (const joint of used) {
    const vertices: number[] = [];
    const weights: number[] = [];
    for (let i = 0; i < skin.joints.length; i++)
      if (skin.joints[i] === joint && skin.weights[i]! > 0) {
        vertices.push(i >> 2);
        weights.push(skin.weights[i]!);
      }
    // TransformLink = mesh space · inverseBind⁻¹
    invertMatrix(bind, 0, skin.inverseBinds, 16 * joint);
    multiplyMatrices(bind, 0, space, 0, bind, 0);
    const cluster = builder.id();
    builder.object(
      createNode(
        'Deformer',
        'LSS',
        [cluster, `${skeleton.names[joint]}\x00\x01SubDeformer`, 'Cluster'],
        [
          createNode('Version', 'I', [100]),
          createNode('UserData', 'SS', ['', '']),
          createNode('Indexes', 'i', [deflate(createArray('i', vertices))]),
          createNode('Weights', 'd', [deflate(createArray('d', weights))]),
          createNode('Transform', 'd', [
            createArray('d', skin.inverseBinds.subarray(16 * joint, 16 * joint + 16)),
          ]),
          createNode('TransformLink', 'd', [createArray('d', bind)]),
        ],
      ),
    );
    builder.connections.push(connect(cluster, deformer), connect(FIRST_MODEL + joint, cluster));
    if (!bound.has(FIRST_MODEL + joint)) bound.set(FIRST_MODEL + joint, bind.slice());
  }
}

/** The joints that carry weight and have a bind matrix. */
function usedJoints(
  { names }: Skeleton,
  { joints, weights, inverseBinds }: NonNullable<Mesh['skin']>,
): number[] {
  const isUsed = new Uint8Array(names.length);
  joints.forEach((joint, i) => {
    if (weights[i]! > 0 && inverseBinds[16 * joint + 15] !== 0) isUsed[joint] = 1;
  });
  return [...names.keys()].filter((joint) => isUsed[joint]);
}

function geometryNode(id: number, { name, positions, normals, triangles }: Mesh): FbxNode {
  const polygons = Int32Array.from(triangles, (vertex, i) => (i % 3 === 2 ? -1 - vertex : vertex));
  const layers = [['LayerElementMaterial', 0] as const];
  const elements: FbxNode[] = [
    createNode(
      'LayerElementMaterial',
      'I',
      [0],
      [
        createNode('Version', 'I', [101]),
        createNode('Name', 'S', ['']),
        createNode('MappingInformationType', 'S', ['AllSame']),
        createNode('ReferenceInformationType', 'S', ['IndexToDirect']),
        createNode('Materials', 'i', [createArray('i', [0])]),
      ],
    ),
  ];
  if (normals) {
    const corners = new Float64Array(3 * triangles.length);
    for (let i = 0; i < triangles.length; i++)
      for (let c = 0; c < 3; c++) corners[3 * i + c] = normals[3 * triangles[i]! + c]!;
    elements.unshift(
      createNode(
        'LayerElementNormal',
        'I',
        [0],
        [
          createNode('Version', 'I', [101]),
          createNode('Name', 'S', ['']),
          createNode('MappingInformationType', 'S', ['ByPolygonVertex']),
          createNode('ReferenceInformationType', 'S', ['Direct']),
          createNode('Normals', 'd', [deflate(createArray('d', corners))]),
        ],
      ),
    );
  }
  const kinds = [...(normals ? ['LayerElementNormal'] : []), ...layers.map(([kind]) => kind)];
  return createNode(
    'Geometry',
    'LSS',
    [id, `${name}\x00\x01Geometry`, 'Mesh'],
    [
      createNode('Properties70', '', [], []),
      createNode('GeometryVersion', 'I', [124]),
      createNode('Vertices', 'd', [deflate(createArray('d', positions))]),
      createNode('PolygonVertexIndex', 'i', [deflate(createArray('i', polygons))]),
      ...elements,
      createNode(
        'Layer',
        'I',
        [0],
        [
          createNode('Version', 'I', [100]),
          ...kinds.map((kind) =>
            createNode(
              'LayerElement',
              '',
              [],
              [createNode('Type', 'S', [kind]), createNode('TypedIndex', 'I', [0])],
            ),
          ),
        ],
      ),
    ],
  );
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
