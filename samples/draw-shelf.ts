import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { poseAt, retarget } from '@stuntdouble/core';
import { read } from '@stuntdouble/formats';
import { contactSheet, type PictureRow } from '@stuntdouble/picture';
import { type CastMember, readCastMember } from './cast.js';
import { SAMPLE_CHARACTERS, SAMPLE_FORMATS, samplesFolder } from './catalogue.js';
import { writeMotion } from './character-file.js';
import { createMixamoGuy } from './characters/mixamo-guy.js';
import { MOTIONS } from './make-motions.js';
import { createClip } from './motion-clip.js';
import { playable } from './sample-motion.js';

/*
 * Pictures of every sample, as a person who changes one wants to see it, drawn into out/shelf; AZIMUTH turns the view:
 *
 *   node samples/dist/draw-shelf.js [NAME...]
 */

const COLUMNS = 9;

/** Draws a character at rest and in moments of its own clip, or of motions that it gets. */
async function drawCharacter(member: CastMember): Promise<Uint8Array> {
  const { skeleton } = member.rig;
  const clips = member.scene.characters[0]!.clips;
  const poses = [skeleton.rest];
  if (clips.length > 0)
    for (const part of [0.1, 0.35, 0.6, 0.85])
      poses.push(poseAt(skeleton, clips[0]!, part * clips[0]!.duration));
  else
    for (const [name, time] of [
      ['walk', 0.5],
      ['jump', 0.75],
      ['kneel', 2.5],
      ['clap', 0.25],
    ] as const) {
      const scene = await read(`${samplesFolder}motions/${name}.glb`);
      const clip = retarget(scene, member.scene, {
        measure: false,
        ...(member.map ? { map: member.map } : {}),
      }).clips[0]!;
      poses.push(poseAt(skeleton, clip, time));
    }
  const row: PictureRow = {
    title: member.entry.title,
    skeleton,
    meshes: member.meshes,
    poses,
    floor: member.rig.floor.height,
  };
  return contactSheet({
    rows: [row],
    size: { width: 1300 },
    view: { azimuthDegrees: Number(process.env.AZIMUTH ?? 25) },
  });
}

/** Draws a motion on its own character, as the bytes of a PNG. */
async function drawMotion(guy: CastMember, name: string): Promise<Uint8Array> {
  const motion = MOTIONS.find((one) => one.name === name)!;
  const { rig } = createMixamoGuy();
  const scene = await read(writeMotion(rig, createClip(rig, playable(motion))));
  const clip = retarget(scene, guy.scene, { corrections: 'none', measure: false }).clips[0]!;
  const times = Array.from({ length: COLUMNS }, (_, i) => (motion.duration * i) / (COLUMNS - 1));
  const { skeleton } = guy.rig;
  const row: PictureRow = {
    title: motion.title,
    skeleton,
    meshes: guy.meshes,
    poses: times.map((time) => poseAt(skeleton, clip, time)),
    floor: 0,
  };
  return contactSheet({
    rows: [row],
    columns: times.map((time) => `${time.toFixed(2)} s`),
    size: { width: 1700 },
    view: { azimuthDegrees: Number(process.env.AZIMUTH ?? 55) },
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = fileURLToPath(new URL('../../out/shelf/', import.meta.url));
  mkdirSync(folder, { recursive: true });
  const guy = await readCastMember(SAMPLE_CHARACTERS[0]!);
  const wanted = process.argv.slice(2);
  for (const entry of [...SAMPLE_CHARACTERS, ...SAMPLE_FORMATS])
    if (wanted.length === 0 || wanted.includes(entry.name)) {
      writeFileSync(`${folder}${entry.name}.png`, await drawCharacter(await readCastMember(entry)));
      console.log(`out/shelf/${entry.name}.png`);
    }
  for (const { name } of MOTIONS)
    if (wanted.length === 0 || wanted.includes(name)) {
      writeFileSync(`${folder}${name}.png`, await drawMotion(guy, name));
      console.log(`out/shelf/${name}.png`);
    }
}
