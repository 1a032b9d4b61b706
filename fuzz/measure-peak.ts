/*
 * Reads one file in a process of its own, as a program would that does nothing else, and tells how much memory and
 * time of the processor it took: `node measure-peak.js FILE`. The last line of what it prints is JSON.
 */
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRig, retarget } from '@stuntdouble/core';
import { read, readMeshes, writeBytes } from '@stuntdouble/formats';
import { attempt, createVerdict } from './attempt.js';
import { shortMotion } from './seeds.js';

/** What a file took: bytes over what the process had before, milliseconds of the processor, and how it ended. */
export type Peak = { bytes: number; milliseconds: number; gave: boolean; faults: string[] };

const verdict = createVerdict();
const motion = await shortMotion('motions/walk.glb');
const bytes = new Uint8Array(await readFile(process.argv[2]!));
const before = process.memoryUsage.rss();
const start = process.cpuUsage();
const scene = await attempt(verdict, 'read', () => read(bytes));
if (scene) {
  verdict.gave = true;
  await attempt(verdict, 'readMeshes', () => readMeshes(scene));
  for (const { skeleton, clips } of scene.characters.slice(0, 4))
    await attempt(verdict, 'createRig', () => createRig(skeleton, { clips }));
  const result = await attempt(verdict, 'retarget onto it', () => retarget(motion, scene));
  if (result)
    for (const extension of ['glb', 'bvh'])
      await attempt(verdict, `write ${extension}`, () => writeBytes(extension, result));
  // One clip of each body: what many take is many times that.
  const characters = scene.characters.map(({ skeleton, clips }) => ({ skeleton, clips: clips.slice(0, 1) }));
  await attempt(verdict, 'retarget from it', () => retarget({ ...scene, characters }, motion));
}
const { user, system } = process.cpuUsage(start);
const peak: Peak = { bytes: highestMemory() - before, milliseconds: (user + system) / 1000, ...verdict };
process.stdout.write(`${JSON.stringify(peak)}\n`);

/** The most memory that this process has had. What `resourceUsage` tells may be that of the process that began it. */
function highestMemory(): number {
  try {
    const [, kilobytes] = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
    if (kilobytes !== undefined) return 1024 * Number(kilobytes);
  } catch {
    // Only Linux has it.
  }
  return 1024 * process.resourceUsage().maxRSS;
}
