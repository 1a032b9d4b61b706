import {
  decomposeMatrix,
  invertMatrix,
  type Mesh,
  multiplyMatrices,
  type Pose,
  type Skeleton,
} from '@stuntdouble/core';
import type { DressedMesh, MeshMaterial, MeshMorph, Picture } from '../../shared/dressed-mesh.js';
import { createArray, createNode, type FbxNode } from '../parse/fbx-node.js';
import { type Builder, FIRST_MODEL, poseProperties, property } from './document-builder.js';
import { connect, deflate } from './encode-clips.js';

/** The name of the one set of texture coordinates. */
const UV_SET = 'UVMap';

/**
 * Adds a mesh on a skeleton: its surface, material, skin and morph targets.
 * @param bindWorlds world matrices of the joints in the bind pose.
 * @param bound gets the world matrices that go into the file's bind pose, by model.
 */
export function addMesh(
  builder: Builder,
  skeleton: Skeleton,
  mesh: DressedMesh,
  bindWorlds: Float64Array,
  bound: Map<number, Float64Array>,
  wardrobe: Wardrobe,
): void {
  const geometry = builder.id();
  const model = builder.id();
  builder.object(geometryNode(geometry, mesh));
  const material = materialOf(builder, mesh, wardrobe);
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
  if (mesh.morphs.length > 0) addMorphs(builder, mesh, geometry);
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

function geometryNode(id: number, { name, positions, normals, uvs, triangles }: DressedMesh): FbxNode {
  const polygons = Int32Array.from(triangles, (vertex, i) => (i % 3 === 2 ? -1 - vertex : vertex));
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
  if (uvs) {
    const coordinates = createNode('UV', 'd', [deflate(createArray('d', uvs))]);
    const corners = createNode('UVIndex', 'i', [deflate(createArray('i', triangles))]);
    elements.unshift(
      createNode(
        'LayerElementUV',
        'I',
        [0],
        [
          createNode('Version', 'I', [101]),
          createNode('Name', 'S', [UV_SET]),
          createNode('MappingInformationType', 'S', ['ByPolygonVertex']),
          createNode('ReferenceInformationType', 'S', ['IndexToDirect']),
          coordinates,
          corners,
        ],
      ),
    );
  }
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
          ...elements.map(({ name: kind }) =>
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

/** The materials and pictures that are in the file already: meshes share them. */
export type Wardrobe = { materials: Map<MeshMaterial, number>; textures: Map<Picture, number> };

/** A wardrobe with nothing in it. */
export function createWardrobe(): Wardrobe {
  return { materials: new Map(), textures: new Map() };
}

/** The number of a mesh's material, which is added where it is new. */
function materialOf(builder: Builder, mesh: DressedMesh, wardrobe: Wardrobe): number {
  const { material } = mesh;
  const known = material && wardrobe.materials.get(material);
  if (known) return known;
  const id = builder.id();
  const opacity = material?.opacity ?? 1;
  builder.object(
    createNode(
      'Material',
      'LSS',
      [id, `${material?.name ?? mesh.name}\x00\x01Material`, ''],
      [
        createNode('Version', 'I', [102]),
        createNode('ShadingModel', 'S', ['lambert']),
        createNode('MultiLayer', 'I', [0]),
        createNode(
          'Properties70',
          '',
          [],
          [
            property('DiffuseColor', 'Color', '', 'A', 'DDD', material?.color ?? mesh.color),
            property('DiffuseFactor', 'Number', '', 'A', 'D', [1]),
            ...(opacity < 1
              ? [
                  property('TransparencyFactor', 'Number', '', 'A', 'D', [1 - opacity]),
                  property('Opacity', 'double', 'Number', '', 'D', [opacity]),
                ]
              : []),
          ],
        ),
      ],
    ),
  );
  if (material) wardrobe.materials.set(material, id);
  if (material?.picture)
    builder.connections.push(connect(textureOf(builder, material.picture, wardrobe), id, 'DiffuseColor'));
  return id;
}

/** The number of a picture's texture, which is added with the picture's bytes where it is new. */
function textureOf(builder: Builder, picture: Picture, wardrobe: Wardrobe): number {
  const known = wardrobe.textures.get(picture);
  if (known) return known;
  const texture = builder.id();
  const video = builder.id();
  wardrobe.textures.set(picture, texture);
  const { name, extension, bytes } = picture;
  const file = `${name}.${extension}`;
  builder.object(
    createNode(
      'Video',
      'LSS',
      [video, `${name}\x00\x01Video`, 'Clip'],
      [
        createNode('Type', 'S', ['Clip']),
        createNode('Properties70', '', [], [property('Path', 'KString', 'XRefUrl', '', 'S', [file])]),
        createNode('UseMipMap', 'I', [0]),
        createNode('Filename', 'S', [file]),
        createNode('RelativeFilename', 'S', [file]),
        createNode('Content', 'R', [bytes]),
      ],
    ),
  );
  builder.object(
    createNode(
      'Texture',
      'LSS',
      [texture, `${name}\x00\x01Texture`, ''],
      [
        createNode('Type', 'S', ['TextureVideoClip']),
        createNode('Version', 'I', [202]),
        createNode('TextureName', 'S', [`${name}\x00\x01Texture`]),
        createNode(
          'Properties70',
          '',
          [],
          [
            property('UseMaterial', 'bool', '', '', 'I', [1]),
            property('UVSet', 'KString', '', '', 'S', [UV_SET]),
          ],
        ),
        createNode('Media', 'S', [`${name}\x00\x01Video`]),
        createNode('FileName', 'S', [file]),
        createNode('RelativeFilename', 'S', [file]),
        createNode('ModelUVTranslation', 'DD', [0, 0]),
        createNode('ModelUVScaling', 'DD', [1, 1]),
        createNode('Texture_Alpha_Source', 'S', ['None']),
      ],
    ),
  );
  builder.connections.push(connect(video, texture));
  return texture;
}

/** Adds the morph targets of a mesh as blend shapes, each with the vertices that it moves. */
function addMorphs(builder: Builder, { name, morphs }: DressedMesh, geometry: number): void {
  const deformer = builder.id();
  builder.object(
    createNode(
      'Deformer',
      'LSS',
      [deformer, `${name}\x00\x01Deformer`, 'BlendShape'],
      [createNode('Version', 'I', [100])],
    ),
  );
  builder.connections.push(connect(deformer, geometry));
  for (const morph of morphs) {
    const channel = builder.id();
    const shape = builder.id();
    builder.object(shapeNode(shape, morph));
    builder.object(
      createNode(
        'Deformer',
        'LSS',
        [channel, `${morph.name}\x00\x01SubDeformer`, 'BlendShapeChannel'],
        [
          createNode('Version', 'I', [100]),
          createNode(
            'Properties70',
            '',
            [],
            [property('DeformPercent', 'Number', '', 'A', 'D', [100 * morph.weight])],
          ),
          createNode('DeformPercent', 'D', [100 * morph.weight]),
          createNode('FullWeights', 'd', [createArray('d', [100])]),
        ],
      ),
    );
    builder.connections.push(connect(channel, deformer), connect(shape, channel));
  }
}

function shapeNode(id: number, { name, positions, normals }: MeshMorph): FbxNode {
  const moved: number[] = [];
  for (let v = 0; v < positions.length / 3; v++) {
    let isMoved = false;
    for (let i = 3 * v; i < 3 * v + 3; i++)
      if (positions[i] !== 0 || (normals && normals[i] !== 0)) isMoved = true;
    if (isMoved) moved.push(v);
  }
  // Some readers cannot do with a shape that moves nothing.
  if (moved.length === 0) moved.push(0);
  const pick = (values: Float32Array) =>
    deflate(
      createArray(
        'd',
        moved.flatMap((v) => [values[3 * v]!, values[3 * v + 1]!, values[3 * v + 2]!]),
      ),
    );
  return createNode(
    'Geometry',
    'LSS',
    [id, `${name}\x00\x01Geometry`, 'Shape'],
    [
      createNode('Version', 'I', [100]),
      createNode('Indexes', 'i', [deflate(createArray('i', moved))]),
      createNode('Vertices', 'd', [pick(positions)]),
      createNode('Normals', 'd', [pick(normals ?? new Float32Array(positions.length))]),
    ],
  );
}
