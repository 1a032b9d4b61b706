import { createArray, createNode, type FbxNode, type FbxValue } from '../src/fbx/parse/fbx-node.js';
import { TICKS_PER_SECOND } from '../src/fbx/parse/time-base.js';
import { encodeAscii } from '../src/fbx/write/encode-ascii.js';
import { encodeBinary } from '../src/fbx/write/encode-binary.js';

/** Values of a property by its name. */
export type Properties = Record<string, readonly number[]>;

/** A curve to build: keys at seconds. */
export type CurveDescription = {
  times: readonly number[];
  values: readonly number[];
  /** One for all keys, or one a key. */
  flags?: readonly number[];
  /** Four numbers per entry of `flags`: right slope, next left slope, weights, velocity. */
  data?: readonly number[];
};

/** Builds small FBX files in code. */
export type FbxBuilder = {
  model(name: string, parent?: number, properties?: Properties, kind?: string): number;
  stack(name: string, span?: readonly [number, number]): number;
  layer(stack: number, properties?: Properties): number;
  /** Animates a property of a model: curves by `X`, `Y`, `Z`. */
  animate(
    layer: number,
    model: number,
    property: 'Lcl Translation' | 'Lcl Rotation' | 'Lcl Scaling' | 'DeformPercent',
    curves: Readonly<Record<string, CurveDescription>>,
    defaults?: Readonly<Record<string, number>>,
  ): void;
  object(type: string, name: string, kind: string, children: readonly FbxNode[]): number;
  connect(from: number, to: number, property?: string): void;
  /** Sets a property of the whole file, such as `UpAxis`. */
  setting(name: string, value: number): void;
  nodes(): FbxNode[];
  binary(version?: number): Uint8Array;
  ascii(): Uint8Array;
};

const propertyNode = (name: string, values: readonly number[]): FbxNode =>
  createNode('P', `SSSS${'D'.repeat(values.length)}`, [name, name, '', 'A', ...values]);

const propertiesNode = (properties: Properties): FbxNode =>
  createNode(
    'Properties70',
    '',
    [],
    Object.entries(properties).map(([name, values]) => propertyNode(name, values)),
  );

/** A new file without anything in it. */
export function buildFbx(): FbxBuilder {
  const objects: FbxNode[] = [];
  const connections: FbxNode[] = [];
  const settings: Record<string, readonly number[]> = {};
  let next = 1000;
  const object: FbxBuilder['object'] = (type, name, kind, children) => {
    const className = { AnimationStack: 'AnimStack', AnimationLayer: 'AnimLayer' }[type] ?? type;
    objects.push(createNode(type, 'LSS', [next, `${name}\x00\x01${className}`, kind], children));
    return next++;
  };
  const connect: FbxBuilder['connect'] = (from, to, property) => {
    const values: FbxValue[] = property === undefined ? ['OO', from, to] : ['OP', from, to, property];
    connections.push(createNode('C', property === undefined ? 'SLL' : 'SLLS', values));
  };
  const nodes = () => [
    createNode('FBXHeaderExtension', '', [], [createNode('FBXVersion', 'I', [7400])]),
    createNode('GlobalSettings', '', [], [propertiesNode(settings)]),
    createNode('Objects', '', [], objects),
    createNode('Connections', '', [], connections),
  ];
  return {
    model: (name, parent = 0, properties = {}, kind = 'LimbNode') => {
      const id = object('Model', name, kind, [propertiesNode(properties)]);
      connect(id, parent);
      return id;
    },
    stack: (name, span) =>
      object('AnimationStack', name, '', [
        propertiesNode(
          span ? { LocalStart: [span[0] * TICKS_PER_SECOND], LocalStop: [span[1] * TICKS_PER_SECOND] } : {},
        ),
      ]),
    layer: (stack, properties = {}) => {
      const id = object('AnimationLayer', 'Layer', '', [propertiesNode(properties)]);
      connect(id, stack);
      return id;
    },
    animate: (layer, model, property, curves, defaults = {}) => {
      const values = Object.fromEntries(
        Object.entries(defaults).map(([name, value]) => [`d|${name}`, [value]]),
      );
      const node = object('AnimationCurveNode', property, '', [propertiesNode(values)]);
      connect(node, layer);
      connect(node, model, property);
      for (const [name, { times, values: numbers, flags = [0x404], data }] of Object.entries(curves)) {
        const counts = flags.length === 1 ? [times.length] : flags.map(() => 1);
        const curve = object('AnimationCurve', '', '', [
          createNode('KeyTime', 'l', [
            createArray(
              'l',
              times.map((time) => Math.round(time * TICKS_PER_SECOND)),
            ),
          ]),
          createNode('KeyValueFloat', 'f', [createArray('f', numbers)]),
          createNode('KeyAttrFlags', 'i', [createArray('i', flags)]),
          createNode('KeyAttrDataFloat', 'f', [createArray('f', data ?? flags.flatMap(() => [0, 0, 0, 0]))]),
          createNode('KeyAttrRefCount', 'i', [createArray('i', counts)]),
        ]);
        connect(curve, node, `d|${name}`);
      }
    },
    object,
    connect,
    setting: (name, value) => {
      settings[name] = [value];
    },
    nodes,
    binary: (version = 7400) => encodeBinary(nodes(), version),
    ascii: () => encodeAscii(nodes(), 7400),
  };
}
