import { expect, it } from 'vitest';
import {
  babylonProgram,
  commandLine,
  playgroundProgram,
  type SnippetInput,
  threeProgram,
} from './snippets.js';

const input: SnippetInput = {
  source: 'walk.glb',
  target: 'my hero.vrm',
  output: 'hero-walk.vrm',
  clips: ["it's a walk"],
  recipe: { version: 1, settings: { reach: 'together' } },
  meshes: false,
  replace: true,
  newBind: false,
};

it('the command line quotes names that need it, and names the recipe only where it says something', () => {
  const line = commandLine(input).replaceAll(' \\\n ', '');
  expect(line).toBe(
    `stuntdouble retarget walk.glb 'my hero.vrm' -o hero-walk.vrm --clip 'it'\\''s a walk' --recipe recipe.json --animation-only --replace`,
  );
  const plain = { ...input, clips: null, recipe: { version: 1 as const }, meshes: true, replace: false };
  expect(commandLine(plain)).toBe("stuntdouble retarget walk.glb 'my hero.vrm' -o hero-walk.vrm");
});

it('B26: programs carry the whole recipe and the clips', () => {
  for (const program of [threeProgram(input), babylonProgram(input), playgroundProgram(input)]) {
    expect(program).toContain('together');
    expect(program).toContain(JSON.stringify(input.clips));
    expect(program).toContain('optionsOfRecipe(recipe)');
  }
});

it('B26: the Playground program asks for files and uploads nothing', () => {
  const program = playgroundProgram(input);
  expect(program).toContain("type: 'file'");
  expect(program).not.toMatch(/XMLHttpRequest|POST|sendBeacon/);
});

it('names of files may hold quotes, and a new bind is one in every program', () => {
  const odd = { ...input, source: "it's.glb", newBind: true };
  for (const program of [threeProgram(odd), babylonProgram(odd)])
    expect(program).toContain('await read("it\'s.glb")');
  for (const program of [threeProgram(odd), babylonProgram(odd), playgroundProgram(odd)]) {
    expect(program).toContain('await rebind(source, target');
    expect(program).toContain("corrections: 'none'");
  }
});
