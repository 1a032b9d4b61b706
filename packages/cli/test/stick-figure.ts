/*
 * Small bodies as files, so that the commands can be tried without a file from elsewhere: a T-pose of twenty
 * joints, as BVH or as glTF with a skin, under names of several families.
 */

const BODY: readonly (readonly [role: string, parent: string, offset: readonly [number, number, number]])[] =
  [
    ['hips', '', [0, 1, 0]],
    ['spine', 'hips', [0, 0.12, 0]],
    ['chest', 'spine', [0, 0.15, 0]],
    ['neck', 'chest', [0, 0.22, 0]],
    ['head', 'neck', [0, 0.1, 0.02]],
    ...(['left', 'right'] as const).flatMap((side) => {
      const x = side === 'left' ? 1 : -1;
      return [
        [`${side}Shoulder`, 'chest', [0.06 * x, 0.18, 0]],
        [`${side}UpperArm`, `${side}Shoulder`, [0.12 * x, 0, 0]],
        [`${side}LowerArm`, `${side}UpperArm`, [0.28 * x, 0, 0]],
        [`${side}Hand`, `${side}LowerArm`, [0.25 * x, 0, 0]],
        [`${side}UpperLeg`, 'hips', [0.1 * x, -0.05, 0]],
        [`${side}LowerLeg`, `${side}UpperLeg`, [0, -0.45, 0]],
        [`${side}Foot`, `${side}LowerLeg`, [0, -0.42, -0.02]],
        [`${side}Toes`, `${side}Foot`, [0, -0.06, 0.14]],
      ] as const;
    }),
  ];

const MIXAMO: Readonly<Record<string, string>> = {
  hips: 'Hips',
  spine: 'Spine',
  chest: 'Spine1',
  neck: 'Neck',
  head: 'Head',
  Shoulder: 'Shoulder',
  UpperArm: 'Arm',
  LowerArm: 'ForeArm',
  Hand: 'Hand',
  UpperLeg: 'UpLeg',
  LowerLeg: 'Leg',
  Foot: 'Foot',
  Toes: 'ToeBase',
};

/** How joints are named: as Mixamo does, by their VRM roles, by a number, or not at all. */
export type Naming = 'mixamo' | 'vrm' | 'number' | 'none';

/** The name of a body part in a naming. */
export function nameOf(role: string, naming: Naming): string {
  if (naming === 'vrm') return role;
  if (naming === 'none') return '';
  if (naming === 'number') return `bone_${BODY.findIndex(([each]) => each === role)}`;
  const side = role.startsWith('left') ? 'Left' : role.startsWith('right') ? 'Right' : '';
  return `mixamorig:${side}${MIXAMO[role.replace(/^(left|right)/, '')]}`;
}

/** How far a joint is turned at a time, in degrees: arms about the forward axis, all else about the side to side one. */
function swing(role: string, time: number): number {
  const phase = Math.sin(2 * Math.PI * time) * (role.startsWith('left') ? 1 : -1);
  if (role.endsWith('UpperLeg')) return 30 * phase;
  if (role.endsWith('LowerLeg')) return 20 + 15 * phase;
  if (role.endsWith('UpperArm')) return 25 * phase;
  return role === 'chest' ? 5 * phase : 0;
}

const isArm = (role: string) => role.endsWith('Arm');

/** The text of a BVH file in centimetres: one second of walking on the spot after a T-pose. */
export function stickFigureBvh(naming: Naming = 'mixamo', { frames = 31, scale = 100 } = {}): string {
  const lines = ['HIERARCHY'];
  const order: string[] = [];
  const write = (role: string, depth: number) => {
    const [, parent, offset] = BODY.find(([each]) => each === role)!;
    const pad = '  '.repeat(depth);
    const at = offset.map((value) => (value * scale).toFixed(4)).join(' ');
    lines.push(
      `${pad}${parent === '' ? 'ROOT' : 'JOINT'} ${nameOf(role, naming)}`,
      `${pad}{`,
      `${pad}  OFFSET ${at}`,
    );
    lines.push(
      `${pad}  CHANNELS ${parent === '' ? '6 Xposition Yposition Zposition' : '3'} Zrotation Xrotation Yrotation`,
    );
    order.push(role);
    const children = BODY.filter(([, each]) => each === role);
    for (const [child] of children) write(child, depth + 1);
    if (children.length === 0)
      lines.push(`${pad}  End Site`, `${pad}  {`, `${pad}    OFFSET 0 5 0`, `${pad}  }`);
    lines.push(`${pad}}`);
  };
  write('hips', 0);
  lines.push('MOTION', `Frames: ${frames}`, `Frame Time: ${(1 / 30).toFixed(6)}`);
  for (let k = 0; k < frames; k++)
    lines.push(
      order
        .map((role) => {
          const angle = (k === 0 ? 0 : swing(role, k / 30)).toFixed(4);
          const turn = isArm(role) ? `${angle} 0 0` : `0 ${angle} 0`;
          return role === 'hips'
            ? `0 ${(scale * (1 + (k === 0 ? 0 : 0.02 * Math.sin(k / 3)))).toFixed(4)} 0 ${turn}`
            : turn;
        })
        .join(' '),
    );
  return `${lines.join('\n')}\n`;
}

/** What {@link stickFigureGltf} puts into the file. */
export type GltfBody = {
  naming?: Naming;
  /** Names of clips. */
  clips?: readonly string[];
  /** How long clips are. */
  seconds?: number;
  /** How many of the bodies stand in the file, each with a skin of its own. */
  bodies?: number;
  /** Metres of the whole body. */
  height?: number;
};

/** The text of a glTF file with everything inside it: skinned bodies (without a mesh), and clips. */
export function stickFigureGltf({
  naming = 'vrm',
  clips = [],
  seconds = 1,
  bodies = 1,
  height = 1.7,
}: GltfBody = {}): string {
  const scale = height / 1.7;
  const nodes: Record<string, unknown>[] = [];
  const skins: unknown[] = [];
  for (let body = 0; body < bodies; body++) {
    const base = nodes.length;
    for (const [role, , offset] of BODY) {
      const children = BODY.flatMap(([, parent], i) => (parent === role ? [base + i] : []));
      nodes.push({
        ...(naming === 'none' ? {} : { name: `${nameOf(role, naming)}` }),
        translation: offset.map((value, c) => scale * value + (role === 'hips' && c === 0 ? 2 * body : 0)),
        ...(children.length > 0 ? { children } : {}),
      });
    }
    skins.push({ joints: BODY.map((_, i) => base + i), skeleton: base });
  }
  const frames = 11;
  const numbers: number[] = Array.from({ length: frames }, (_, k) => (seconds * k) / (frames - 1));
  const accessors: unknown[] = [
    { bufferView: 0, componentType: 5126, count: frames, type: 'SCALAR', min: [0], max: [seconds] },
  ];
  const bufferViews: unknown[] = [{ buffer: 0, byteOffset: 0, byteLength: 4 * frames }];
  const animations = clips.map((name, c) => {
    const moving = BODY.flatMap(([role], i) => (swing(role, 0.25) !== 0 ? [{ role, node: i }] : []));
    const samplers = moving.map(({ role }) => {
      bufferViews.push({ buffer: 0, byteOffset: 4 * numbers.length, byteLength: 16 * frames });
      accessors.push({
        bufferView: bufferViews.length - 1,
        componentType: 5126,
        count: frames,
        type: 'VEC4',
      });
      for (let k = 0; k < frames; k++) {
        const half = (swing(role, (k / (frames - 1)) * (c + 1)) * Math.PI) / 360;
        numbers.push(isArm(role) ? 0 : Math.sin(half), 0, isArm(role) ? Math.sin(half) : 0, Math.cos(half));
      }
      return { input: 0, output: accessors.length - 1, interpolation: 'LINEAR' };
    });
    return {
      name,
      samplers,
      channels: moving.map(({ node }, sampler) => ({ sampler, target: { node, path: 'rotation' } })),
    };
  });
  const bytes = Buffer.from(new Float32Array(numbers).buffer);
  return JSON.stringify({
    asset: { version: '2.0', generator: 'stick figure' },
    scene: 0,
    scenes: [{ nodes: skins.map((_, body) => body * BODY.length) }],
    nodes,
    skins,
    ...(clips.length > 0
      ? {
          animations,
          accessors,
          bufferViews,
          buffers: [
            {
              byteLength: bytes.length,
              uri: `data:application/octet-stream;base64,${bytes.toString('base64')}`,
            },
          ],
        }
      : {}),
  });
}
