import { isObject } from '../gltf-json.js';

/** What a channel of an animation moves, unchecked. */
export type ChannelTarget = { node: unknown; path: unknown };

/** A pointer to a number of a node that channels of the core can move as well. */
const NODE_POINTER = /^\/nodes\/(\d{1,9})\/(translation|rotation|scale|weights)$/;

/**
 * What a channel moves: a node's property by its own word, or by a pointer to it (KHR_animation_pointer). A
 * pointer to anything else keeps the path `pointer`.
 * @returns null where the target is no object.
 */
export function channelTarget(target: unknown): ChannelTarget | null {
  if (!isObject(target)) return null;
  const { node, path } = target;
  if (path !== 'pointer') return { node, path };
  const extension = isObject(target.extensions) ? target.extensions.KHR_animation_pointer : undefined;
  const pointer = isObject(extension) ? extension.pointer : undefined;
  const found = typeof pointer === 'string' ? NODE_POINTER.exec(pointer) : null;
  return found ? { node: Number(found[1]), path: found[2] } : { node: undefined, path };
}
