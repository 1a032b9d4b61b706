import { readFileSync } from 'node:fs';
import { optionsOfRecipe, type RetargetOptions, readRecipe, retarget, type Scene } from '@stuntdouble/core';
import { poseAt } from '@stuntdouble/core/engine';
import { read } from '@stuntdouble/formats';
import { type Image, movingPicture, type PictureRow } from '@stuntdouble/picture';
import { seconds } from 'stuntdouble/printing';
import type { CastMember } from './cast.js';
import { SAMPLE_MOTIONS, samplesFolder } from './catalogue.js';
import { drawSheet, type Moment, momentAt } from './draw-sheet.js';

/** Recipes of examples/constraints, the motion that each is for, instants in seconds and words. */
const SHOWN: readonly (readonly [recipe: string, motion: string, time: number, words: string])[] = [
  ['pick-and-release', 'pick-up', 1.3, 'The right hand takes a glass'],
  ['pick-and-release', 'pick-up', 4.4, 'and puts it on a shelf'],
  ['jump-from-platform', 'jump', 0.5, 'A jump from a platform: feet at points'],
  ['jump-from-platform', 'jump', 1.9, 'and above a plane'],
  ['side-kick-above-mat', 'side-kick', 1.2, 'A side kick above a mat'],
  ['carry-wider-box', 'carry-box', 0.9, 'A box that is wider, and held higher'],
  ['climb-ladder', 'climb', 1.5, 'Hands on the rungs of a ladder'],
];

const CHARACTERS = ['goblin', 'vrm-girl'];

/** The demonstrations, each as moved and with its constraints, side by side. */
export async function drawConstraints(cast: readonly CastMember[], width: number): Promise<Image> {
  const shown = CHARACTERS.flatMap((name) => cast.filter(({ entry }) => entry.name === name));
  const members = shown.flatMap((member): CastMember[] =>
    ['as moved', 'constrained'].map((words) => ({
      ...member,
      entry: { ...member.entry, title: `${member.entry.title} (${words})` },
    })),
  );
  const moments: Moment[] = [];
  for (const [recipe, motion, time, title] of SHOWN) {
    const scene = await readMotion(motion);
    const options = readOptions(recipe);
    const clips = members.map(
      (member, i) => retarget(scene, member.scene, { measure: false, ...(i % 2 === 1 && options) }).clips[0]!,
    );
    moments.push(momentAt(members, clips, time, { title, caption: seconds(time) }));
  }
  return drawSheet(members, moments, { title: 'Motions as moved, and with constraints', width });
}

/** Character, recipe and motion of the picture that moves, and how fast and large it is. */
const MOVING = { character: 'vrm-girl', recipe: 'jump-from-platform', motion: 'jump', rate: 12, width: 260 };

/** The jump as moved and from a platform, in step, as the bytes of a GIF. */
export async function drawMovingConstraints(cast: readonly CastMember[]): Promise<Uint8Array> {
  const { entry, scene, rig, meshes } = cast.find((member) => member.entry.name === MOVING.character)!;
  const source = await readMotion(MOVING.motion);
  const rows = [{}, readOptions(MOVING.recipe)].map((options, i): PictureRow => {
    const clip = retarget(source, scene, { measure: false, ...options }).clips[0]!;
    return {
      title: `${entry.title} (${i === 0 ? 'as moved' : 'from a platform'})`,
      skeleton: rig.skeleton,
      meshes,
      floor: rig.floor.height,
      poses: Array.from({ length: Math.floor(clip.duration * MOVING.rate) }, (_, k) =>
        poseAt(rig.skeleton, clip, k / MOVING.rate),
      ),
    };
  });
  const size = { width: MOVING.width * rows.length, height: 300 };
  return movingPicture({ rows, rate: MOVING.rate, camera: 'side', size });
}

function readMotion(motion: string): Promise<Scene> {
  return read(samplesFolder + SAMPLE_MOTIONS.find(({ name }) => name === motion)!.file);
}

function readOptions(recipe: string): RetargetOptions {
  const json = readFileSync(new URL(`../../examples/constraints/${recipe}.json`, import.meta.url), 'utf8');
  return optionsOfRecipe(readRecipe(JSON.parse(json)).recipe);
}
