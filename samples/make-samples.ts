import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  mapsFolder,
  SAMPLE_CAPTURES,
  SAMPLE_CHARACTERS,
  SAMPLE_FORMATS,
  SAMPLE_MOTIONS,
  samplesFolder,
} from './catalogue.js';
import { writeCharacter, writeMotion } from './character-file.js';
import { guyBody } from './characters/mixamo-guy.js';
import { createRobotRig } from './characters/robot.js';
import { BVH_DIALECTS } from './formats/bvh-dialects.js';
import { writeBvh } from './formats/bvh-text.js';
import { makeCharacters } from './make-characters.js';
import { makeFormats } from './make-formats.js';
import { MOTIONS } from './make-motions.js';
import { createClip } from './motion-clip.js';
import { playable } from './sample-motion.js';

/** Makes all sample files: path from the samples' own folder to bytes. The same bytes on every run. */
export async function makeSamples(): Promise<Map<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>();
  const characters = makeCharacters();
  for (const { name, file } of SAMPLE_CHARACTERS) {
    const character = characters.find((one) => one.name === name)!;
    files.set(samplesFolder + file, writeCharacter(character));
  }
  const { rig } = characters[0]!;
  for (const motion of MOTIONS) {
    const { file } = SAMPLE_MOTIONS.find((entry) => entry.name === motion.name)!;
    files.set(samplesFolder + file, writeMotion(rig, createClip(rig, playable(motion))));
  }
  const text = new TextEncoder();
  files.set(`${samplesFolder}motions/walk.bvh`, text.encode(writeBvh(guyBody, MOTIONS[0]!)));
  for (const { file, motion, dialect } of SAMPLE_CAPTURES) {
    const played = MOTIONS.find(({ name }) => name === motion)!;
    files.set(
      samplesFolder + file,
      text.encode(writeBvh(guyBody, played, { dialect: BVH_DIALECTS[dialect] })),
    );
  }
  const formats = await makeFormats(characters);
  for (const { file } of SAMPLE_FORMATS) files.set(samplesFolder + file, formats.get(basename(file))!);
  const map = { version: 1, roles: createRobotRig().roles };
  files.set(`${mapsFolder}robot.json`, text.encode(`${JSON.stringify(map, null, 2)}\n`));
  return files;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [path, bytes] of await makeSamples()) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytes);
    console.log(`${path}  ${(bytes.length / 1000).toFixed(1)} kB`);
  }
}
