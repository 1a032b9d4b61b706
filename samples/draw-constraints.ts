import { readFileSync } from 'node:fs';
import { optionsOfRecipe, readRecipe, retarget } from '@stuntdouble/core';
import { read } from '@stuntdouble/formats';
import type { Image } from '@stuntdouble/picture';
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
    const scene = await read(samplesFolder + SAMPLE_MOTIONS.find(({ name }) => name === motion)!.file);
    const json = readFileSync(new URL(`../../examples/constraints/${recipe}.json`, import.meta.url), 'utf8');
    const options = optionsOfRecipe(readRecipe(JSON.parse(json)).recipe);
    const clips = members.map(
      (member, i) => retarget(scene, member.scene, { measure: false, ...(i % 2 === 1 && options) }).clips[0]!,
    );
    moments.push(momentAt(members, clips, time, { title, caption: seconds(time) }));
  }
  return drawSheet(members, moments, { title: 'Motions as moved, and with constraints', width });
}
