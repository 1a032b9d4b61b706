import type { Pose } from '@stuntdouble/core';
import { nearestEulerAngles } from '../../shared/euler.js';
import { createNode, type FbxNode, type FbxValue } from '../parse/fbx-node.js';
import { RADIANS } from '../read/model-transform.js';

/** The number of the first joint's model; the others follow. */
export const FIRST_MODEL = 1_000_000;

/** Collects the objects of a new file and how they hang together. */
export type Builder = {
  objects: FbxNode[];
  connections: FbxNode[];
  id(): number;
  object(node: FbxNode): void;
  /** @param culling which sides of a mesh are seen: `CullingOff`, both, if left out. */
  model(id: number, name: string, kind: string, properties: readonly FbxNode[], culling?: string): void;
};

/** An empty builder. */
export function createBuilder(): Builder {
  let next = FIRST_MODEL * 1000;
  const objects: FbxNode[] = [];
  return {
    objects,
    connections: [],
    id: () => next++,
    object: (node) => objects.push(node),
    model: (id, name, kind, properties, culling = 'CullingOff') => {
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
            createNode('Culling', 'S', [culling]),
          ],
        ),
      );
    },
  };
}

/** One property of an object. */
export function property(
  name: string,
  type: string,
  label: string,
  flags: string,
  valueTypes: string,
  values: readonly FbxValue[],
): FbxNode {
  return createNode('P', `SSSS${valueTypes}`, [name, type, label, flags, ...values]);
}

/** The transform of a joint as the properties of its model. */
export function poseProperties({ translations, rotations, scales }: Pose, joint: number): FbxNode[] {
  const angles = new Float64Array(3);
  nearestEulerAngles(angles, 0, rotations, 4 * joint, 'ZYX');
  const local = (name: string, values: readonly number[]) => property(name, name, '', 'A', 'DDD', values);
  return [
    local('Lcl Translation', [...translations.subarray(3 * joint, 3 * joint + 3)]),
    local('Lcl Rotation', [angles[2]! / RADIANS, angles[1]! / RADIANS, angles[0]! / RADIANS]),
    local('Lcl Scaling', [...scales.subarray(3 * joint, 3 * joint + 3)]),
  ];
}
