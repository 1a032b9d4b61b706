import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { pictureOf } from './do-cell.js';
import { type Batch, type BatchPlan, drawCells } from './run-batch.js';

const path = mkdtempSync(join(tmpdir(), 'stuntdouble-draw-'));
afterAll(() => rmSync(path, { recursive: true, force: true }));

it('tells of every picture as it is there, of one that was before too, and of none that was not drawn', async () => {
  const cells = ['a', 'b', 'c'].map((key) => ({
    ...{ key, source: key, target: 't', family: [], hashes: [], output: `${key}.glb`, recipe: null },
  }));
  const batch = { folder: { path }, recipes: new Map(), settings: {} } as unknown as Batch;
  const plan = { files: { base: path, place: path } } as BatchPlan;
  const draw = (key: string) => {
    const picture = pictureOf(path, cells.find((cell) => cell.key === key)!);
    mkdirSync(dirname(picture), { recursive: true });
    writeFileSync(picture, '');
  };
  draw('a');
  const told: [number, number][] = [];
  const drawn = await drawCells(batch, plan, cells, {
    runner: {
      width: 1,
      run: async ({ cell }) => {
        if (cell.key !== 'b') draw(cell.key);
        return null;
      },
      close: async () => {},
    },
    onPicture: (done, total) => told.push([done, total]),
  });
  expect([...drawn.keys()]).toEqual(['a', 'c']);
  expect(told).toEqual([
    [1, 3],
    [1, 3],
    [2, 3],
  ]);
});
