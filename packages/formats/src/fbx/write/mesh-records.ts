import {
  decomposeMatrix,
  invertMatrix,
  type Mesh,
  multiplyMatrices,
  type Pose,
  type Skeleton,
  squared,
} from '@stuntdouble/core/engine';
import type { DressedMesh, MeshMaterial, MeshMorph, Picture } from '../../shared/dressed-mesh.js';
import { createArray, createNode, type FbxNode } from '../parse/fbx-node.js';
import { type Builder, FIRST_MODEL, poseProperties, property } from './document-builder.js';
import { connect, deflate } from './encode-clips.js';

/** The name of the one set of texture coordinates. */
const UV_SET = 'UVMap';

/**
 * Adds a mesh on a skeleton: its surface, materials, skin and morph targets.
 * @param parts of one mesh, each with its own material.
 * @param bindWorlds world matrices of the joints in the bind pose.
 * @param bound gets the world matrices that go into the file's bind pose, by model.
 */
export function addMesh(
  builder: Builder,
  skeleton: Skeleton,
  parts: readonly DressedMesh[],
  bindWorlds: Float64Array,
  bound: Map<number, Float64Array>,
  wardrobe: Wardrobe,
): void {
  const geometry = builder.id();
  const model = builder.id();
  const mesh = joinParts(parts);
  builder.object(geometryNode(geometry, mesh));
  const materials = mesh.parts.map((part) => materialOf(builder, part, wardrobe));
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
  const isDoubleSided = parts.some(({ material }) => !material || material.isDoubleSided);
  builder.model(
    model,
    mesh.name,
    'Mesh',
    poseProperties(pose, 0),
    isDoubleSided ? 'CullingOff' : 'CullingOnCCW',
  );
  builder.connections.push(
    connect(model, mesh.joint === null ? 0 : FIRST_MODEL + mesh.joint),
    connect(geometry, model),
    ...materials.map((material) => connect(material, model)),
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

/** A mesh whose triangles have one of several materials. */
type JoinedMesh = Omit<DressedMesh, 'material'> & {
  /** One per material, in their order. */
  parts: DressedMesh[];
  /** Per triangle the place of its material. */
  materials: Int32Array;
};

/** Puts the parts of a mesh one after the other. */
function joinParts(parts: readonly DressedMesh[]): JoinedMesh {
  const [first] = parts as readonly [DressedMesh];
  const worn: DressedMesh[] = [];
  const places = parts.map((part) => {
    const known = worn.findIndex(({ material, color }) =>
      part.material ? material === part.material : !material && color.every((c, i) => c === part.color[i]),
    );
    return known >= 0 ? known : worn.push(part) - 1;
  });
  const triangleCount = parts.reduce((sum, { triangles }) => sum + triangles.length, 0);
  const triangles = new Uint32Array(triangleCount);
  const materials = new Int32Array(triangleCount / 3);
  let at = 0;
  let start = 0;
  parts.forEach((part, n) => {
    materials.fill(places[n]!, at / 3, (at + part.triangles.length) / 3);
    for (const vertex of part.triangles) triangles[at++] = start + vertex;
    start += part.positions.length / 3;
  });
  const floats = (lists: readonly (Float32Array | null)[], size: number): Float32Array => {
    const out = new Float32Array(size * start);
    let to = 0;
    lists.forEach((list, n) => {
      if (list) out.set(list, to);
      to += (size * parts[n]!.positions.length) / 3;
    });
    return out;
  };
  const some = (lists: readonly (Float32Array | null)[], size: number) =>
    lists.some((list) => list !== null) ? floats(lists, size) : null;
  const joints = new Uint16Array(4 * start);
  let to = 0;
  for (const part of parts) {
    if (part.skin) joints.set(part.skin.joints, to);
    to += (4 * part.positions.length) / 3;
  }
  return {
    ...first,
    parts: worn,
    materials,
    triangles,
    positions: floats(
      parts.map(({ positions }) => positions),
      3,
    ),
    normals: parts.every(({ normals }) => normals)
      ? floats(
          parts.map(({ normals }) => normals),
          3,
        )
      : null,
    uvs: some(
      parts.map(({ uvs }) => uvs),
      2,
    ),
    skin: first.skin && {
      joints,
      weights: floats(
        parts.map(({ skin }) => skin?.weights ?? null),
        4,
      ),
      inverseBinds: first.skin.inverseBinds,
    },
    morphs: first.morphs.map((morph, m) => ({
      ...morph,
      positions: floats(
        parts.map(({ morphs }) => morphs[m]?.positions ?? null),
        3,
      ),
      normals: some(
        parts.map(({ morphs }) => morphs[m]?.normals ?? null),
        3,
      ),
    })),
  };
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

function geometryNode(
  id: number,
  { name, positions, normals, uvs, triangles, parts, materials }: JoinedMesh,
): FbxNode {
  const polygons = Int32Array.from(triangles, (vertex, i) => (i % 3 === 2 ? -1 - vertex : vertex));
  const elements: FbxNode[] = [
    createNode(
      'LayerElementMaterial',
      'I',
      [0],
      [
        createNode('Version', 'I', [101]),
        createNode('Name', 'S', ['']),
        createNode('MappingInformationType', 'S', [parts.length > 1 ? 'ByPolygon' : 'AllSame']),
        createNode('ReferenceInformationType', 'S', ['IndexToDirect']),
        createNode('Materials', 'i', [
          parts.length > 1 ? deflate(createArray('i', materials)) : createArray('i', [0]),
        ]),
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
export type Wardrobe = {
  materials: Map<MeshMaterial, number>;
  /** By the picture, and by what the texture says besides. */
  textures: Map<Picture, Map<string, number>>;
};

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
  const emissive = material?.emissive ?? [0, 0, 0];
  const roughness = material?.roughness ?? 1;
  const isShiny = roughness < CHALK;
  builder.object(
    createNode(
      'Material',
      'LSS',
      [id, `${material?.name ?? mesh.name}\x00\x01Material`, ''],
      [
        createNode('Version', 'I', [102]),
        createNode('ShadingModel', 'S', [isShiny ? 'phong' : 'lambert']),
        createNode('MultiLayer', 'I', [0]),
        createNode(
          'Properties70',
          '',
          [],
          [
            property('DiffuseColor', 'Color', '', 'A', 'DDD', material?.color ?? mesh.color),
            property('DiffuseFactor', 'Number', '', 'A', 'D', [1]),
            ...(emissive.some((c) => c > 0)
              ? [
                  property('EmissiveColor', 'Color', '', 'A', 'DDD', emissive),
                  property('EmissiveFactor', 'Number', '', 'A', 'D', [1]),
                ]
              : []),
            // The way back of what reading does: roughness = 1 − √shininess / 10.
            ...(isShiny
              ? [property('ShininessExponent', 'Number', '', 'A', 'D', [squared(10 * (1 - roughness))])]
              : []),
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
  if (!material) return id;
  wardrobe.materials.set(material, id);
  const { picture, normalPicture, emissivePicture } = material;
  const wear = (worn: Picture | null, use: string, base: MeshMaterial | null = null) => {
    if (worn) builder.connections.push(connect(textureOf(builder, worn, base, wardrobe), id, use));
  };
  wear(picture, 'DiffuseColor', material);
  wear(normalPicture, 'NormalMap');
  wear(emissivePicture, 'EmissiveColor');
  return id;
}

/** As rough as this, or rougher, nothing shines. */
const CHALK = 0.9;

/**
 * The number of a picture's texture, which is added with the picture's bytes where it is new.
 * @param base the material whose base colour it is; null where it is another picture.
 */
function textureOf(
  builder: Builder,
  picture: Picture,
  base: MeshMaterial | null,
  wardrobe: Wardrobe,
): number {
  const isSeenThrough = base !== null && base.alpha !== 'opaque';
  const clamps = base?.clamps ?? [false, false];
  const key = `${isSeenThrough} ${clamps}`;
  const textures = wardrobe.textures.get(picture) ?? new Map<string, number>();
  wardrobe.textures.set(picture, textures);
  const known = textures.get(key);
  if (known) return known;
  const texture = builder.id();
  const { name, extension } = picture;
  const file = `${name}.${extension}`;
  const video = textures.get('video') ?? videoOf(builder, picture, file);
  textures.set('video', video);
  textures.set(key, texture);
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
            ...(clamps[0] ? [property('WrapModeU', 'enum', '', '', 'I', [1])] : []),
            ...(clamps[1] ? [property('WrapModeV', 'enum', '', '', 'I', [1])] : []),
          ],
        ),
        createNode('Media', 'S', [`${name}\x00\x01Video`]),
        createNode('FileName', 'S', [file]),
        createNode('RelativeFilename', 'S', [file]),
        createNode('ModelUVTranslation', 'DD', [0, 0]),
        createNode('ModelUVScaling', 'DD', [1, 1]),
        createNode('Texture_Alpha_Source', 'S', [isSeenThrough ? 'Alpha_Black' : 'None']),
      ],
    ),
  );
  builder.connections.push(connect(video, texture));
  return texture;
}

/** Adds a picture with its bytes. */
function videoOf(builder: Builder, { name, bytes }: Picture, file: string): number {
  const video = builder.id();
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
  return video;
}

/** Adds the morph targets of a mesh as blend shapes, each with the vertices that it moves. */
function addMorphs(builder: Builder, { name, morphs }: JoinedMesh, geometry: number): void {
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
