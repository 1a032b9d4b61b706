import { describe, expect, test } from 'vitest';
import { dataFiles, hasData, readData } from '../test/data-files.js';
import { detectFormat } from './detect.js';
import { FormatError } from './format-error.js';

const bytesOf = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

describe('detectFormat', () => {
  test('looks at bytes: glTF as text with anything in front, GLB, BVH', () => {
    expect(detectFormat(bytesOf('glTF\x02\0\0\0')).name).toBe('glTF');
    expect(detectFormat(bytesOf('{"asset":{"version":"2.0"}}')).name).toBe('glTF');
    expect(detectFormat(bytesOf('\xef\xbb\xbf \n{ "buffers": [], "asset": {} }')).name).toBe('glTF');
    expect(detectFormat(bytesOf('HIERARCHY\r\nROOT Hips\r\n{')).name).toBe('BVH');
  });

  test.each([
    ['Kaydara FBX Binary  \0\x1a\0', 'FBX is not read yet'],
    ['; FBX 7.7.0 project file\n; ----\n\nFBXHeaderExtension:  {', 'FBX is not read yet'],
    ['BLENDER-v300', 'a .blend file is not read: export it as glTF'],
    ['<?xml version="1.0"?>\n<COLLADA xmlns=""', 'a .dae file is not read'],
    ['PK\x03\x04rest', 'unpack it first'],
    ['version https://git-lfs.github.com/spec/v1', 'git lfs pull'],
    ['<!DOCTYPE html><html>', 'this is a web page'],
    ['\x89PNG\r\n', 'expected glTF, BVH'],
    ['', 'an empty file'],
    ['hello world, this is text', 'found "hello world, this is tex"'],
    ['\0\x01\x02\x03', 'found bytes 00 01 02 03'],
  ])('names what it does not read: %j', (start, expected) => {
    expect(() => detectFormat(bytesOf(start))).toThrow(FormatError);
    expect(() => detectFormat(bytesOf(start))).toThrow(expected);
  });

  test.skipIf(!hasData)('real files by their bytes alone (needs ../shared/data)', () => {
    const names: Record<string, string> = {
      glb: 'glTF',
      gltf: 'glTF',
      vrm: 'glTF',
      vrma: 'glTF',
      bvh: 'BVH',
    };
    for (const file of dataFiles(/\.(glb|gltf|vrm|vrma|bvh)$/))
      expect(detectFormat(readData(file)).name, file).toBe(names[file.split('.').pop()!]);
    for (const file of dataFiles(/\.fbx$/))
      expect(() => detectFormat(readData(file)), file).toThrow('FBX is not read yet');
  });
});
