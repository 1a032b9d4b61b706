import * as core from '@stuntdouble/core';
import * as formats from '@stuntdouble/formats';
import { describe, expect, it } from 'vitest';
import { createFolder } from '../test/folder.js';
import { stickFigureBvh, stickFigureGltf } from '../test/stick-figure.js';
import * as stuntdouble from './index.js';

const folder = createFolder();

describe('the library in one import', () => {
  it('holds everything of core and of formats, and neither hides the other', () => {
    for (const [name, value] of [...Object.entries(core), ...Object.entries(formats)])
      expect((stuntdouble as Record<string, unknown>)[name], name).toBe(value);
  });

  it('is a program in four lines', async () => {
    const { read, retarget, write } = stuntdouble;
    const walk = await read(await folder.put('walk.bvh', stickFigureBvh()));
    const hero = await read(await folder.put('hero.gltf', stickFigureGltf()));
    const result = retarget(walk, hero);
    await write(folder.at('hero-walk.glb'), result);
    const written = await read(folder.at('hero-walk.glb'));
    expect(written.characters[0]!.clips.map(({ name }) => name)).toEqual(['walk']);
    expect(result.report.measures[0]!.direction.worst).toBeLessThan(0.1);
  });
});
