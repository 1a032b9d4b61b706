import { describe, expect, test } from 'vitest';
import { allFiles, readData } from '../test/data-files.js';
import { detectFormat, FORMATS } from './detect.js';
import { FormatError } from './format-error.js';
import { extensionWords, FILE_KINDS, READ_EXTENSIONS, WRITTEN_EXTENSIONS } from './kinds/index.js';

const bytesOf = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

describe('detectFormat', () => {
  test('looks at bytes: glTF as text with anything in front, GLB, BVH', () => {
    expect(detectFormat(bytesOf('glTF\x02\0\0\0')).name).toBe('glTF');
    expect(detectFormat(bytesOf('{"asset":{"version":"2.0"}}')).name).toBe('glTF');
    expect(detectFormat(bytesOf('\xef\xbb\xbf \n{ "buffers": [], "asset": {} }')).name).toBe('glTF');
    expect(detectFormat(bytesOf('HIERARCHY\r\nROOT Hips\r\n{')).name).toBe('BVH');
    expect(detectFormat(bytesOf('Kaydara FBX Binary  \0\x1a\0')).name).toBe('FBX');
    expect(detectFormat(bytesOf('; FBX 7.7.0 project file\n; ----\n\nFBXHeaderExtension:  {')).name).toBe(
      'FBX',
    );
  });

  test.each([
    ['BLENDER-v300', 'a .blend file is not read: export it as glTF'],
    ['\x28\xb5\x2f\xfd\x04', 'if it is a .blend, export it as glTF'],
    ['<?xml version="1.0"?>\n<COLLADA xmlns=""', 'COLLADA (.dae)'],
    ['PXR-USDC\0\x08', 'USD (.usd, .usda, .usdc)'],
    ['#usda 1.0\n(', 'USD is not read'],
    [`PK\x03\x04${'\0'.repeat(26)}hero.usdc`, 'found USDZ'],
    ['//Maya ASCII 2024 scene', 'a Maya scene is not read'],
    ['FOR4\0\0\0\x10MayaHEAD', 'a Maya scene is not read'],
    ['\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0', 'a .max scene is not read'],
    ['\x02P\x1a\0\x01\0', 'C3D'],
    ['PathFileType\t4\t(X/Y/Z)\twalk.trc', 'markers have no joints'],
    ['# AST/ASF file\n:version 1.10\n:name BDSVD', 'an Acclaim skeleton (.asf)'],
    ['#!OML:ASF F:\\VICON\n:FULLY-SPECIFIED\n:DEGREES', 'an Acclaim'],
    [':FULLY-SPECIFIED\n:DEGREES\n1\n', 'an Acclaim motion (.amc)'],
    ['# made by hand\nmtllib a.mtl\no Cube\nv 1.0 -1.0 0\n', 'an OBJ holds triangles and no skeleton'],
    ['solid cube\n facet normal 0 0 1\n', 'found STL'],
    ['ply\nformat ascii 1.0\n', 'found PLY'],
    ['PK\x03\x04rest', 'unpack it first'],
    ["7z\xbc\xaf'\x1c\0", 'unpack it first'],
    ['\x1f\x8b\x08', 'unpack it first'],
    ['version https://git-lfs.github.com/spec/v1', 'git lfs pull'],
    ['<!DOCTYPE html><html>', 'this is a web page'],
    ['\n<html lang="en">', 'download it again'],
    ['<?xml version="1.0"?><Error><Code>AccessDenied', 'an error message of a server'],
    ['\x89PNG\r\n', 'a PNG picture'],
    ['\xff\xd8\xff\xe0', 'a JPEG picture'],
    ['{"metadata":{"type":"Object"}}', 'JSON without the member "asset"'],
    ['[1, 2]', 'a JSON list'],
    ['', 'an empty file'],
    ['hello world, this is text', 'found "hello world, this is tex"'],
    ['\0\x01\x02\x03', 'found bytes 00 01 02 03'],
  ])('names what it does not read: %j', (start, expected) => {
    expect(() => detectFormat(bytesOf(start))).toThrow(FormatError);
    expect(() => detectFormat(bytesOf(start))).toThrow(expected);
  });

  test('our files, and real ones where they are, by their bytes alone', () => {
    const names: Record<string, string> = {
      glb: 'glTF',
      gltf: 'glTF',
      vrm: 'glTF',
      vrma: 'glTF',
      bvh: 'BVH',
      fbx: 'FBX',
    };
    for (const file of allFiles(/\.(glb|gltf|vrm|vrma|bvh|fbx)$/))
      expect(detectFormat(readData(file)).name, file).toBe(names[file.split('.').pop()!]);
  });
});

describe('kinds of files', () => {
  test('are each read by one format, and written where it can write', () => {
    expect(FORMATS.flatMap(({ extensions }) => extensions).sort()).toEqual([...READ_EXTENSIONS].sort());
    const written = FORMATS.flatMap(({ write, extensions }) => (write ? extensions : []));
    expect([...WRITTEN_EXTENSIONS].sort()).toEqual(written.sort());
  });

  test('hold meshes only where their format reads them', () => {
    for (const { extensions, meshes } of FORMATS)
      expect(extensions.some((extension) => FILE_KINDS[extension].meshes)).toBe(meshes !== undefined);
  });

  test('are told in a sentence', () => {
    expect(extensionWords(['glb', 'fbx', 'bvh'])).toBe('.glb, .fbx or .bvh');
    expect(extensionWords(['glb', 'bvh'], 'and')).toBe('.glb and .bvh');
    expect(extensionWords(['glb'])).toBe('.glb');
  });
});
