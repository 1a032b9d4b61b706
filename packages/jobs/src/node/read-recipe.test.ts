import { describe, expect, it } from 'vitest';
import { createFolder } from '../../../cli/test/folder.js';
import { Failure } from '../failure.js';
import { readRecipeFile } from './read-recipe.js';

const folder = createFolder();

describe('readRecipeFile', () => {
  it('W18: reads a recipe, a map and an armature', async () => {
    const recipe = { version: 1, passes: ['copyRotations'], settings: { keys: 'bake' } };
    expect(await readRecipeFile(await folder.put('a.json', JSON.stringify(recipe)))).toEqual({
      recipe,
      warnings: [],
    });
    const map = { version: 1, roles: { hips: 'Root' } };
    expect((await readRecipeFile(await folder.put('b.json', JSON.stringify(map)))).recipe.map).toEqual(map);
    const armature = { version: 1, chains: [] };
    const { recipe: read } = await readRecipeFile(await folder.put('c.json', JSON.stringify(armature)));
    expect(read.target).toEqual({ armature });
  });

  it('names the file and the place that is wrong', async () => {
    const cases: [string, string][] = [
      ['{', 'it is no JSON'],
      ['{"version":1,"passes":["fly"]}', 'as a recipe: recipe.passes[0]: must be one of'],
      ['{"version":7}', 'recipe.version: 7 is newer'],
    ];
    for (const [text, sentence] of cases) {
      const path = await folder.put('wrong.json', text);
      const failure = readRecipeFile(path);
      await expect(failure).rejects.toThrow(Failure);
      await expect(failure).rejects.toThrow(sentence);
      await expect(failure).rejects.toThrow(path);
    }
    await expect(readRecipeFile(folder.at('none.json'))).rejects.toThrow('there is no such file');
  });
});
