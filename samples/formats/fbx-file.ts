import { composeMatrix, createMatrix, invertMatrix } from '@stuntdouble/core/engine';
import { linearColor, type SampleCharacter } from '../character-file.js';
import type { Playable } from '../sample-motion.js';
import {
  jointWeights,
  localsOf,
  poseRig,
  quantiseWeights,
  restSurface,
  type SampleRig,
} from '../sample-rig.js';
import { inverse, type Placement, type Quat, rotate, scale, turnBy, type Vec3 } from '../vector.js';
import { eulerAngles } from './bvh-text.js';
import {
  bytes,
  double,
  type FbxRecord,
  int,
  list,
  long,
  property,
  record,
  text,
  title,
} from './fbx-records.js';

/** Ticks of FBX's clock a second. */
const TICKS = 46186158000;

/** The axes that a file says it has; `up` is the number of the axis. */
export type FbxSpace = { up: 1 | 2; front: 1 | 2; frontSign: 1 | -1 };

/** Y up, as most tools have it. */
export const Y_UP: FbxSpace = { up: 1, front: 2, frontSign: 1 };
/** Z up, as 3ds Max and Blender have it. */
export const Z_UP: FbxSpace = { up: 2, front: 1, frontSign: -1 };

/** A picture that lies on the whole body, in the place of a material per colour. */
export type BodyPaint = {
  /** The bytes of the picture, and the name of its file. */
  picture: Uint8Array;
  name: string;
  /** Where in the picture a place of the body is, by the colour that it has and its place in metres; v upwards. */
  uvOf: (color: string, place: Vec3) => readonly [number, number];
};

/**
 * A character as records of FBX, with one clip: a limb node per joint whose turn at rest is its pre-rotation, one
 * mesh with a material per colour, or one with a picture inside the file, one skin. The rig's container gives unit and
 * axes; its node is not written.
 */
export function fbxRecords(
  character: SampleCharacter,
  motion: Playable,
  space: FbxSpace,
  paint?: BodyPaint,
): FbxRecord[] {
  const { rig, skin } = character;
  const objects: FbxRecord[] = [];
  const connections: FbxRecord[] = [];
  let next = 100_000;
  const add = (
    kind: string,
    name: string,
    type: string,
    children: readonly FbxRecord[],
    label = kind,
  ): number => {
    objects.push(record(kind, [long(next), title(name, label), text(type)], children));
    return next++;
  };
  const connect = (from: number, to: number, channel?: string) => {
    connections.push(
      record('C', [text(channel ? 'OP' : 'OO'), long(from), long(to), ...(channel ? [text(channel)] : [])]),
    );
  };
  const vector = (name: string, type: string, v: readonly number[]) =>
    property(name, type, 'A', v.map(double));

  const locals = localsOf(rig, rig.joints);
  const models = rig.joints.map((joint, i) => {
    const { translation, rotation } = locals[i]!;
    const model = add('Model', joint.name, 'LimbNode', [
      record('Version', [int(232)]),
      record(
        'Properties70',
        [],
        [
          property('RotationActive', 'bool', '', [int(1)]),
          property('InheritType', 'enum', '', [int(1)]),
          property('PreRotation', 'Vector3D', '', eulerXyz(rotation).map(double)),
          vector('Lcl Translation', 'Lcl Translation', translation),
          vector('Lcl Rotation', 'Lcl Rotation', [0, 0, 0]),
          vector('Lcl Scaling', 'Lcl Scaling', [1, 1, 1]),
        ],
      ),
    ]);
    const attribute = add('NodeAttribute', joint.name, 'LimbNode', [record('TypeFlags', [text('Skeleton')])]);
    connect(attribute, model);
    return model;
  });
  rig.joints.forEach(({ parent }, i) => {
    connect(models[i]!, parent < 0 ? 0 : models[parent]!);
  });

  const surface = joinSurfaces(rig, skin, paint);
  const elements = ['LayerElementNormal', 'LayerElementMaterial', ...(paint ? ['LayerElementUV'] : [])];
  const geometry = add('Geometry', character.name, 'Mesh', [
    record('Vertices', [list('d', surface.positions)]),
    record('PolygonVertexIndex', [
      list(
        'i',
        surface.triangles.map((v, i) => (i % 3 === 2 ? -1 - v : v)),
      ),
    ]),
    record('GeometryVersion', [int(124)]),
    layer('LayerElementNormal', 'ByVertice', 'Direct', record('Normals', [list('d', surface.normals)])),
    layer(
      'LayerElementMaterial',
      'ByPolygon',
      'IndexToDirect',
      record('Materials', [list('i', surface.materials)]),
    ),
    ...(paint ? [uvLayer(surface)] : []),
    record(
      'Layer',
      [int(0)],
      [
        record('Version', [int(100)]),
        ...elements.map((type) =>
          record('LayerElement', [], [record('Type', [text(type)]), record('TypedIndex', [int(0)])]),
        ),
      ],
    ),
  ]);
  const mesh = add('Model', `${character.name}-body`, 'Mesh', [
    record('Version', [int(232)]),
    record('Properties70', [], [property('InheritType', 'enum', '', [int(1)])]),
  ]);
  connect(mesh, 0);
  connect(geometry, mesh);
  for (const { name, color } of surface.dyes) {
    const material = add('Material', name, '', [
      record('Version', [int(102)]),
      record('ShadingModel', [text('phong')]),
      record('Properties70', [], [vector('DiffuseColor', 'Color', linearColor(color))]),
    ]);
    connect(material, mesh);
    if (paint) addPicture(paint, material, { add, connect });
  }

  const deformer = add('Deformer', '', 'Skin', [record('Version', [int(101)])]);
  connect(deformer, geometry);
  const poses: FbxRecord[] = [poseNode(mesh, createMatrix())];
  rig.joints.forEach((joint, i) => {
    const bind = bindMatrix(rig, joint);
    poses.push(poseNode(models[i]!, bind));
    const { vertices, weights } = surface.clusters[i]!;
    if (vertices.length === 0) return;
    const back = createMatrix();
    invertMatrix(back, 0, bind, 0);
    const cluster = add(
      'Deformer',
      joint.name,
      'Cluster',
      [
        record('Version', [int(100)]),
        record('Indexes', [list('i', vertices)]),
        record('Weights', [list('d', weights)]),
        record('Transform', [list('d', [...back])]),
        record('TransformLink', [list('d', [...bind])]),
      ],
      'SubDeformer',
    );
    connect(cluster, deformer);
    connect(models[i]!, cluster);
  });
  add('Pose', 'BIND_POSES', 'BindPose', [
    record('Type', [text('BindPose')]),
    record('Version', [int(100)]),
    record('NbPoseNodes', [int(poses.length)]),
    ...poses,
  ]);
  addClip(rig, motion, models, locals, { add, connect });

  return [
    record(
      'FBXHeaderExtension',
      [],
      [
        record('FBXHeaderVersion', [int(1003)]),
        record('FBXVersion', [int(7400)]),
        record('Creator', [text('Stuntdouble samples')]),
      ],
    ),
    record(
      'GlobalSettings',
      [],
      [
        record('Version', [int(1000)]),
        record(
          'Properties70',
          [],
          [
            ...(
              [
                ['UpAxis', space.up],
                ['UpAxisSign', 1],
                ['FrontAxis', space.front],
                ['FrontAxisSign', space.frontSign],
                ['CoordAxis', 0],
                ['CoordAxisSign', 1],
              ] as const
            ).map(([name, value]) => property(name, 'int', '', [int(value)])),
            property('UnitScaleFactor', 'double', '', [double(100 * rig.container.unit)]),
            property('TimeMode', 'enum', '', [int(6)]),
          ],
        ),
      ],
    ),
    definitions(objects),
    record('Objects', [], objects),
    record('Connections', [], connections),
  ];
}

/** The angles of a turn as FBX keeps them: about X first, then Y, then Z; in degrees. */
function eulerXyz(turn: Quat): [number, number, number] {
  const [z, y, x] = eulerAngles(turn, 'ZYX');
  return [x, y, z];
}

/** The same angles or their twin, whole turns further, nearest to those before: curves do not jump. */
function nearestAngles(turn: Quat, before: readonly number[]): number[] {
  const [x, y, z] = eulerXyz(turn);
  const near = (angle: number, i: number) => angle + 360 * Math.round((before[i]! - angle) / 360);
  const twins = [
    [x, y, z],
    [x + 180, 180 - y, z + 180],
  ].map((angles) => angles.map(near));
  const far = (angles: readonly number[]) =>
    angles.reduce((sum, angle, i) => sum + Math.abs(angle - before[i]!), 0);
  return far(twins[0]!) <= far(twins[1]!) ? twins[0]! : twins[1]!;
}

type Writer = {
  add: (kind: string, name: string, type: string, children: readonly FbxRecord[], label?: string) => number;
  connect: (from: number, to: number, channel?: string) => void;
};

/** A stack of one layer with straight curves, a key a frame, for every joint that turns and root that travels. */
function addClip(
  rig: SampleRig,
  motion: Playable,
  models: readonly number[],
  rest: readonly Placement[],
  { add, connect }: Writer,
): void {
  const count = Math.round(motion.duration * motion.frameRate) + 1;
  const times = Array.from({ length: count }, (_, k) => Math.round((k / motion.frameRate) * TICKS));
  const frames = times.map((_, k) => localsOf(rig, poseRig(rig, motion.poseAt(k / motion.frameRate))));
  const stop = property('LocalStop', 'KTime', '', [long(times[count - 1]!)]);
  const stack = add('AnimationStack', motion.name, '', [record('Properties70', [], [stop])], 'AnimStack');
  const animated = add('AnimationLayer', 'BaseLayer', '', [], 'AnimLayer');
  connect(animated, stack);
  const put = (model: number, channel: string, short: string, rows: readonly (readonly number[])[]) => {
    if (rows.every((row) => row.every((value, c) => Math.abs(value - rows[0]![c]!) < 1e-6))) {
      if (rows[0]!.every((value) => Math.abs(value) < 1e-6)) return;
    }
    const node = add(
      'AnimationCurveNode',
      short,
      '',
      [
        record(
          'Properties70',
          [],
          ['X', 'Y', 'Z'].map((axis, c) => property(`d|${axis}`, 'Number', 'A', [double(rows[0]![c]!)])),
        ),
      ],
      'AnimCurveNode',
    );
    connect(node, animated);
    connect(node, model, channel);
    ['X', 'Y', 'Z'].forEach((axis, c) => {
      const curve = add(
        'AnimationCurve',
        '',
        '',
        [
          record('Default', [double(rows[0]![c]!)]),
          record('KeyVer', [int(4008)]),
          record('KeyTime', [list('l', times)]),
          record('KeyValueFloat', [
            list(
              'f',
              rows.map((row) => row[c]!),
            ),
          ]),
          // Straight lines between keys.
          record('KeyAttrFlags', [list('i', [0x404])]),
          record('KeyAttrDataFloat', [list('f', [0, 0, 0, 0])]),
          record('KeyAttrRefCount', [list('i', [count])]),
        ],
        'AnimCurve',
      );
      connect(curve, node, `d|${axis}`);
    });
  };
  rig.joints.forEach(({ parent }, i) => {
    let before: readonly number[] = [0, 0, 0];
    const turns = frames.map((frame) => {
      // Local rotation = pre-rotation · keyed rotation.
      before = nearestAngles(turnBy(inverse(rest[i]!.rotation), frame[i]!.rotation), before);
      return before;
    });
    put(models[i]!, 'Lcl Rotation', 'R', turns);
    if (parent < 0)
      put(
        models[i]!,
        'Lcl Translation',
        'T',
        frames.map((frame) => frame[i]!.translation),
      );
  });
}

/** A texture of a material's colour, with the picture in the file. */
function addPicture({ picture, name }: BodyPaint, material: number, { add, connect }: Writer): void {
  const video = add('Video', name, 'Clip', [
    record('Type', [text('Clip')]),
    record('FileName', [text(name)]),
    record('RelativeFilename', [text(name)]),
    record('Content', [bytes(picture)]),
  ]);
  const texture = add('Texture', name, '', [
    record('Type', [text('TextureVideoClip')]),
    record('Version', [int(202)]),
    record('FileName', [text(name)]),
    record('RelativeFilename', [text(name)]),
  ]);
  connect(video, texture);
  connect(texture, material, 'DiffuseColor');
}

/** Places in the picture by corner, as exporters have them. */
function uvLayer({ uvs, triangles }: { uvs: readonly number[]; triangles: readonly number[] }): FbxRecord {
  const element = layer('LayerElementUV', 'ByPolygonVertex', 'IndexToDirect', record('UV', [list('d', uvs)]));
  return { ...element, children: [...element.children!, record('UVIndex', [list('i', triangles)])] };
}

function layer(kind: string, mapping: string, reference: string, values: FbxRecord): FbxRecord {
  return record(
    kind,
    [int(0)],
    [
      record('Version', [int(101)]),
      record('Name', [text('')]),
      record('MappingInformationType', [text(mapping)]),
      record('ReferenceInformationType', [text(reference)]),
      values,
    ],
  );
}

function poseNode(model: number, matrix: Float64Array): FbxRecord {
  return record('PoseNode', [], [record('Node', [long(model)]), record('Matrix', [list('d', [...matrix])])]);
}

function definitions(objects: readonly FbxRecord[]): FbxRecord {
  const counts = new Map<string, number>([['GlobalSettings', 1]]);
  for (const { name } of objects) counts.set(name, (counts.get(name) ?? 0) + 1);
  return record(
    'Definitions',
    [],
    [
      record('Version', [int(100)]),
      record('Count', [int([...counts.values()].reduce((a, b) => a + b))]),
      ...[...counts].map(([type, count]) =>
        record('ObjectType', [text(type)], [record('Count', [int(count)])]),
      ),
    ],
  );
}

/** Body space to the file's: axes, then unit. */
function toFile(rig: SampleRig): { turn: Quat; point: (at: Vec3) => Vec3 } {
  const { rotation, unit, facing } = rig.container;
  const turn = turnBy(inverse(rotation), facing);
  return { turn, point: (at) => scale(rotate(turn, at), 1 / unit) };
}

function bindMatrix(rig: SampleRig, joint: Placement): Float64Array {
  const { turn, point } = toFile(rig);
  const matrix = createMatrix();
  const at = Float64Array.from(point(joint.translation));
  composeMatrix(
    matrix,
    0,
    at,
    0,
    Float64Array.from(turnBy(turn, joint.rotation)),
    0,
    Float64Array.of(1, 1, 1),
    0,
  );
  return matrix;
}

/** All surfaces as one mesh, with vertices and weights by joint. */
function joinSurfaces(rig: SampleRig, skin: SampleCharacter['skin'], paint?: BodyPaint) {
  const { turn, point } = toFile(rig);
  const dyes: { name: string; color: string }[] = [];
  const joined = {
    positions: [] as number[],
    normals: [] as number[],
    triangles: [] as number[],
    materials: [] as number[],
    uvs: [] as number[],
    clusters: rig.joints.map(() => ({ vertices: [] as number[], weights: [] as number[] })),
    dyes,
  };
  for (const surface of skin) {
    const first = joined.positions.length / 3;
    const rested = restSurface(rig, surface);
    // What a picture is multiplied by is white.
    const { name, color } = paint ? { name: 'painted', color: '#ffffff' } : surface;
    let dye = dyes.findIndex((known) => known.color === color);
    if (dye < 0) dye = dyes.push({ name, color }) - 1;
    for (let v = 0; v < rested.positions.length; v += 3) {
      const place = rested.positions.slice(v, v + 3) as unknown as Vec3;
      if (paint)
        joined.uvs.push(...paint.uvOf(surface.color, place).map((value) => Math.round(value * 1e4) / 1e4));
      const at = point(place);
      joined.positions.push(...at.map((value) => Math.round(value * 1e4) / 1e4));
      const normal = rotate(turn, rested.normals.slice(v, v + 3) as unknown as Vec3);
      joined.normals.push(...normal.map((value) => Math.round(value * 1000) / 1000));
    }
    for (const vertex of surface.triangles) joined.triangles.push(first + vertex);
    for (let t = 0; t < surface.triangles.length; t += 3) joined.materials.push(dye);
    jointWeights(rig, surface).forEach((weights, v) => {
      const { joints, weights: shares } = quantiseWeights(weights);
      joints.forEach((joint, n) => {
        if (shares[n] === 0) return;
        joined.clusters[joint]!.vertices.push(first + v);
        joined.clusters[joint]!.weights.push(shares[n]! / 255);
      });
    });
  }
  return joined;
}
