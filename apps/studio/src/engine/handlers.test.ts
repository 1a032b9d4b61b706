import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { answerQuestion, createMemory, MOST_SCENES } from './handlers.js';
import type { OpenFile } from './protocol.js';

const sample = (path: string) =>
  new Uint8Array(readFileSync(new URL(`../../../../samples/files/${path}`, import.meta.url)));
const quiet = { progress: () => {} };

function fileOf(id: string, path: string): OpenFile {
  return { id, name: path.split('/').pop()!, file: new Blob([sample(path) as BlobPart]), beside: [] };
}

it('of many files that were opened a few are held, and all can be asked about', async () => {
  const memory = createMemory();
  await answerQuestion(memory, { type: 'open', file: fileOf('girl', 'characters/child.glb') }, quiet);
  for (let n = 0; n < MOST_SCENES + 3; n++)
    await answerQuestion(memory, { type: 'open', file: fileOf(`walk ${n}`, 'motions/walk.bvh') }, quiet);
  const held = () => [...memory.files.values()].filter(({ scene }) => scene !== null).length;
  expect(memory.files.size).toBe(MOST_SCENES + 4);
  expect(held()).toBe(MOST_SCENES);
  const job = { source: 'walk 0', target: 'girl', recipe: { version: 1 as const } };
  const { map } = await answerQuestion(memory, { type: 'understand', job }, quiet);
  expect(map.joints.length).toBeGreaterThan(10);
  expect(held()).toBe(MOST_SCENES);
});

it('a file that is held can be asked about without being told about, and no clip without keys is told of', async () => {
  const memory = createMemory();
  const walk = fileOf('walk', 'motions/walk.glb');
  expect(await answerQuestion(memory, { type: 'hold', file: walk }, quiet)).toEqual({ characters: 1 });
  await answerQuestion(memory, { type: 'hold', file: fileOf('girl', 'characters/child.glb') }, quiet);
  const job = { source: 'walk', target: 'girl', recipe: { version: 1 as const } };
  const { clips } = await answerQuestion(memory, { type: 'solve', job, clips: ['walk'] }, quiet);
  expect(clips[0]!.frames).toBeGreaterThan(10);
  const [character] = (await memory.files.get('walk')!.scene!).characters;
  character!.clips.push({ ...character!.clips[0]!, name: 'Take 001', tracks: [], morphs: [] });
  const facts = await answerQuestion(memory, { type: 'open', file: walk }, quiet);
  expect(facts.clips.map(({ name }) => name)).toEqual(['walk']);
});

it('a file that cannot be read is not remembered', async () => {
  const memory = createMemory();
  const broken = { id: 'broken', name: 'broken.glb', file: new Blob([new Uint8Array(40)]), beside: [] };
  await expect(answerQuestion(memory, { type: 'open', file: broken }, quiet)).rejects.toThrow();
  expect(memory.files.size).toBe(0);
});

it('what a result begins with is told: behind a pose for calibration', async () => {
  const memory = createMemory();
  await answerQuestion(memory, { type: 'open', file: fileOf('girl', 'characters/child.glb') }, quiet);
  const facts = await answerQuestion(
    memory,
    { type: 'open', file: fileOf('walk', 'captures/walk-cmu.bvh') },
    quiet,
  );
  const job = { source: 'walk', target: 'girl', recipe: { version: 1 as const } };
  const [clip] = facts.clips;
  const { clips } = await answerQuestion(memory, { type: 'solve', job, clips: [clip!.name] }, quiet);
  expect(clips[0]!.start).toBeGreaterThan(0);
  expect(clips[0]!.start + clips[0]!.clip.duration).toBeCloseTo(clip!.duration, 3);
});
