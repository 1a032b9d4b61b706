import type { Axis, Skeleton } from '@stuntdouble/core';
import { numberOf } from './fbx-node.js';
import type { FbxObjects } from './objects.js';
import { listProperties, valuesIn } from './properties.js';

/** Frames per second of each TimeMode; 14 is a custom rate. */
const FRAME_RATES: readonly number[] = [
  30, 120, 100, 60, 50, 48, 30, 30, 29.97, 29.97, 25, 24, 1000, 23.976, 0, 96, 72, 59.94, 119.88,
];

/** What a file says of its space and time. */
export type FbxSettings = {
  declared: Skeleton['declared'];
  /** Frames per second that its author worked in. */
  frameRate: number;
  /** The axis (0, 1, 2) along which a left-handed file is mirrored to be right-handed; null for all others. */
  mirror: number | null;
};

/** Reads the axes, the unit and the frame rate of a file. */
export function readSettings(objects: Pick<FbxObjects, 'globalSettings'>): FbxSettings {
  const properties = listProperties(objects.globalSettings);
  const read = (name: string, fallback: number) => numberOf(valuesIn(properties, name)?.[0], fallback);
  const axis = (name: string, fallback: number): Axis | null => {
    if (!properties.names.includes(name)) return null;
    const letter = 'XYZ'[read(name, fallback)];
    return letter ? (`${read(`${name}Sign`, 1) < 0 ? '-' : '+'}${letter}` as Axis) : null;
  };
  const up = axis('UpAxis', 1);
  const front = axis('FrontAxis', 2);
  const right = axis('CoordAxis', 0);
  const isSpace = up && front && right && new Set([up[1], front[1], right[1]]).size === 3;
  const scale = read('UnitScaleFactor', 0);
  const mode = read('TimeMode', 0);
  const custom = read('CustomFrameRate', 0);
  const rate = mode === 14 && custom > 0 ? custom : FRAME_RATES[mode] || 30;
  return {
    // The factor is in centimetres.
    declared: { up: up ?? null, facing: isSpace ? front : null, unit: scale > 0 ? scale / 100 : null },
    frameRate: Math.min(Math.max(rate, 1), 1000),
    // Up and front stay: it is the side that is counted the other way.
    mirror: isSpace && !isRightHanded(right, up, front) ? 'XYZ'.indexOf(right[1]!) : null,
  };
}

/** Whether right × up is front. */
function isRightHanded(right: Axis, up: Axis, front: Axis): boolean {
  const index = (axis: Axis) => 'XYZ'.indexOf(axis[1]!);
  const sign = (axis: Axis) => (axis[0] === '-' ? -1 : 1);
  const order = (index(up) - index(right) + 3) % 3 === 1 ? 1 : -1;
  return order * sign(right) * sign(up) * sign(front) > 0;
}
