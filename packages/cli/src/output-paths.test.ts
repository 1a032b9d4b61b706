import type { Scene } from '@stuntdouble/core';
import { describe, expect, it } from 'vitest';
import { defaultOutput, extensionOf, outputPaths } from './output-paths.js';

describe('output paths', () => {
  it('take their format from the extension and name what is supported', () => {
    expect(extensionOf('a/b.GLB')).toBe('glb');
    expect(() => extensionOf('a/b.obj')).toThrow(
      /\.obj files cannot be written; supported are \.glb, \.gltf, \.vrm, \.vrma, .*\.bvh/,
    );
    expect(() => extensionOf('a.glb/b')).toThrow(/no extension/);
  });

  it('hold all clips in one file, but one a file in BVH, with names that never collide', () => {
    expect(outputPaths('o/x.glb', ['a', 'b'])).toEqual([{ path: 'o/x.glb', clips: [0, 1] }]);
    expect(outputPaths('o/x.bvh', ['a'])).toEqual([{ path: 'o/x.bvh', clips: [0] }]);
    expect(outputPaths('o/x.bvh', ['walk fast', 'Walk/fast', '../..', '']).map(({ path }) => path)).toEqual([
      'o/x-walk_fast.bvh',
      'o/x-Walk_fast-2.bvh',
      'o/x-clip.bvh',
      'o/x-clip-2.bvh',
    ]);
  });

  it('have a default in the current folder, in the target’s own format', () => {
    const scene = (name: string, format: Scene['format']) => ({ name, format }) as Scene;
    expect(defaultOutput(scene('walk', 'bvh'), scene('hero', 'vrm'))).toBe('hero-walk.vrm');
    expect(defaultOutput(scene('walk', 'glb'), scene('hero', 'gltf'))).toBe('hero-walk.glb');
    expect(defaultOutput(scene('../walk', 'glb'), scene('a b', 'bvh'))).toBe('a_b-walk.bvh');
  });
});
