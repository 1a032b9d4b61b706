import type { Role } from '@stuntdouble/core';
import type { Body } from '../body/body.js';
import type { Playable } from '../sample-motion.js';
import { subtract } from '../vector.js';
import { addAccessor, createDocument, type Json, tidy, writeGlb } from './glb-builder.js';

/** A face over time: VRM 1.0's name of an expression, and its weight from 0 to 1. */
export type FaceCurve = { expression: string; at: (t: number) => number };

/**
 * The bytes of a VRM animation: body parts alone, named by their roles, in T-pose with the scene's axes, in
 * metres; turns that count from there; expressions as the X of a node each.
 */
export function writeVrmAnimation(body: Body, motion: Playable, faces: readonly FaceCurve[]): Uint8Array {
  const document = createDocument();
  const parts = body.order.filter((part): part is Role => !part.startsWith('+') && !part.endsWith('Eye'));
  for (const part of parts) {
    const parent = body.parents[part];
    const at = parent ? subtract(body.joints[part]!, body.joints[parent]!) : body.joints[part]!;
    const children = parts.flatMap((other, i) => (body.parents[other] === part ? [i] : []));
    if (!parent) document.roots.push(document.nodes.length);
    document.nodes.push({
      name: part,
      translation: at.map(tidy),
      ...(children.length > 0 ? { children } : {}),
    });
  }
  const count = Math.round(motion.duration * motion.frameRate) + 1;
  const seconds = Array.from({ length: count }, (_, k) => k / motion.frameRate);
  const poses = seconds.map((t) => motion.poseAt(t));
  const input = addAccessor(document, Float32Array.from(seconds), { type: 'SCALAR', bounds: true });
  const samplers: Json[] = [];
  const channels: Json[] = [];
  const put = (node: number, path: string, values: readonly number[]) => {
    const output = addAccessor(document, Float32Array.from(values), {
      type: path === 'rotation' ? 'VEC4' : 'VEC3',
    });
    channels.push({ sampler: samplers.length, target: { node, path } });
    samplers.push({ input, interpolation: 'LINEAR', output });
  };
  put(
    0,
    'translation',
    poses.flatMap(({ hips }) => [...hips]),
  );
  parts.forEach((part, node) => {
    if (poses.some(({ turns }) => turns[part]))
      put(
        node,
        'rotation',
        poses.flatMap(({ turns }) => [...(turns[part] ?? [0, 0, 0, 1])]),
      );
  });
  const preset: Record<string, Json> = {};
  for (const { expression, at } of faces) {
    preset[expression] = { node: document.nodes.length };
    document.roots.push(document.nodes.length);
    put(
      document.nodes.length,
      'translation',
      seconds.flatMap((t) => [at(t), 0, 0]),
    );
    document.nodes.push({ name: expression });
  }
  document.animations.push({ name: motion.name, samplers, channels });
  document.extensions.VRMC_vrm_animation = {
    specVersion: '1.0',
    humanoid: { humanBones: Object.fromEntries(parts.map((part, node) => [part, { node }])) },
    expressions: { preset },
  };
  return writeGlb(document);
}
