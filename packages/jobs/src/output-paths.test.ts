import type { Scene } from '@stuntdouble/core';
import { describe, expect, it } from 'vitest';
import { defaultOutput, extensionOf, fileName, outputPaths, portableStem } from './output-paths.js';

describe('output paths', () => {
  it('take their format from the extension and name what is supported', () => {
    expect(extensionOf('a/b.GLB')).toBe('glb');
    expect(() => extensionOf('a/b.obj')).toThrow(
      /\.obj files cannot be written; supported are \.glb, \.gltf, \.vrm, \.vrma, .*\.bvh/,
    );
    expect(() => extensionOf('a.glb/b')).toThrow(/no extension/);
    expect(() => extensionOf('a/.glb')).toThrow(/no extension/);
    expect(() => extensionOf('')).toThrow(/no extension/);
    expect(extensionOf('C:\\a.b\\c.d.Fbx')).toBe('fbx');
  });

  it('hold all clips in one file, but one a file in BVH, with names that never collide', () => {
    expect(outputPaths('o/x.glb', ['a', 'b'])).toEqual([{ path: 'o/x.glb', clips: [0, 1] }]);
    expect(outputPaths('./x.bvh', ['a', 'b']).map(({ path }) => path)).toEqual(['x-a.bvh', 'x-b.bvh']);
    expect(outputPaths('o/x.bvh', ['a'])).toEqual([{ path: 'o/x.bvh', clips: [0] }]);
    expect(outputPaths('o/x.bvh', ['walk fast', 'Walk/fast', '../..', '']).map(({ path }) => path)).toEqual([
      'o/x-walk_fast.bvh',
      'o/x-Walk_fast-2.bvh',
      'o/x-clip.bvh',
      'o/x-clip-2.bvh',
    ]);
  });

  it('never collide across the inputs of one run', () => {
    const taken = new Set<string>();
    const paths = [
      outputPaths('o/a.bvh', ['x', 'y'], taken),
      outputPaths('o/a-x.bvh', ['z'], taken),
      outputPaths('o/A-Y.bvh', [], taken),
    ];
    expect(paths.flat().map(({ path }) => path)).toEqual([
      'o/a-x.bvh',
      'o/a-y.bvh',
      'o/a-x-2.bvh',
      'o/A-Y-2.bvh',
    ]);
  });

  it('are names that every file system takes', () => {
    const names = [
      'CON',
      'nul.',
      'com1',
      'a'.repeat(5000),
      '腕'.repeat(200),
      '𝔘'.repeat(200),
      'x...',
      '\u202e\n',
    ];
    for (const name of names) {
      const fit = fileName(name);
      expect(Buffer.byteLength(fit), name).toBeLessThanOrEqual(101);
      expect(fit).toMatch(/^[\p{L}\p{N}][\p{L}\p{N}._-]*$/u);
      expect(fit).not.toMatch(/[.]$|^(con|nul|com1)$/i);
    }
    expect(fileName('CON')).toBe('CON_');
    expect(portableStem('con.bvh')).toBe('con_.bvh');
    expect(portableStem('console')).toBe('console');
    const clips = ['caf\u00e9', 'cafe\u0301', 'STRASSE', 'straße'];
    const folded = outputPaths('x.bvh', clips).map(({ path }) => path.normalize('NFC').toUpperCase());
    expect(new Set(folded).size).toBe(clips.length);
  });

  it('have a default in the current folder, in the target’s own format', () => {
    const scene = (name: string, format: Scene['format']) => ({ name, format }) as Scene;
    expect(defaultOutput(scene('walk', 'bvh'), scene('hero', 'vrm'))).toBe('hero-walk.vrm');
    expect(defaultOutput(scene('walk', 'glb'), scene('hero', 'gltf'))).toBe('hero-walk.glb');
    expect(defaultOutput(scene('../walk', 'glb'), scene('a b', 'bvh'))).toBe('a_b-walk.bvh');
  });
});
