import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { retarget } from '@stuntdouble/core';
import { describe, expect, it } from 'vitest';
import { read } from './read.js';

const sample = (path: string) => fileURLToPath(new URL(`../../../samples/files/${path}`, import.meta.url));

describe('a source that is retargeted', () => {
  it('BP7: keeps its Euler angles: nothing of a capture is changed, and it is read the same again', async () => {
    const path = sample('motions/walk.bvh');
    const bytes = readFileSync(path);
    const source = await read(path);
    const before = structuredClone(source);
    const hero = await read(sample('characters/goblin.glb'));
    const first = retarget(source, hero);
    expect(source).toEqual(before);
    expect(readFileSync(path).equals(bytes)).toBe(true);
    expect(retarget(source, hero).clips).toEqual(first.clips);
  });

  it('B5: is animated by its nodes: those that no skin uses count like those that one does', async () => {
    const bytes = readFileSync(sample('motions/run-turn.glb'));
    const length = bytes.readUInt32LE(12);
    const json = JSON.parse(bytes.toString('utf8', 20, 20 + length)) as {
      nodes: { skin?: number }[];
      skins?: unknown;
      animations: { channels: { target: { node: number } }[] }[];
    };
    const animated = new Set(json.animations[0]!.channels.map(({ target }) => target.node));
    delete json.skins;
    for (const node of json.nodes) delete node.skin;
    const skinless = Buffer.from(bytes);
    skinless.write(JSON.stringify(json).padEnd(length), 20);
    for (const file of [bytes, skinless]) {
      const { skeleton, clips } = (await read(new Uint8Array(file))).characters[0]!;
      const moved = new Set(clips[0]!.tracks.map(({ joint }) => skeleton.fileIndices[joint]!));
      expect(moved).toEqual(animated);
    }
  });
});
