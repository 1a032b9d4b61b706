import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { poseAt } from '@stuntdouble/core/engine';
import { read } from '@stuntdouble/formats';
import { type Image, movingPicture, type PictureRow, writePng } from '@stuntdouble/picture';
import { bytes, seconds } from 'stuntdouble/printing';
import { type CastMember, readCastMember } from './cast.js';
import { DEMO_CHARACTERS, SAMPLE_MOTIONS, samplesFolder } from './catalogue.js';
import { drawConstraints, drawMovingConstraints } from './draw-constraints.js';
import { drawMoment, drawSheet, type Moment, momentAt } from './draw-sheet.js';
import { perform } from './retarget-all.js';

/*
 * The pictures of README.md and docs/constraints.md, drawn into docs/pictures from the samples as they are:
 *
 *   npm run pictures
 */

/** Pixels of a picture's width: as wide as a page shows them, and small enough to keep in the repository. */
const WIDTH = 1440;
const SHEET_WIDTH = 1080;

/** Motions, instants in seconds and words of the sheet. */
const SHEET: readonly (readonly [motion: string, time: number, words: string])[] = [
  ['walk', 0.25, 'Walk'],
  ['run-turn', 0.7, 'Run'],
  ['run-turn', 1.7, 'Run: in the turn'],
  ['jump', 1.3, 'Jump'],
  ['wave-on-one-leg', 1.5, 'Wave on one leg'],
];

/** Draws the pictures: file name to image. */
export async function drawPictures(): Promise<Map<string, Image>> {
  const cast = await Promise.all(DEMO_CHARACTERS.map(readCastMember));
  const labels = cast.map(({ entry }, i) => (i === 0 ? `${entry.title} (source)` : entry.title));
  const pictures = new Map<string, Image>();
  const lineup = await momentOf(cast, 'walk', 1.07);
  pictures.set('lineup.png', drawMoment(cast, lineup, { width: WIDTH }, labels));
  const rest: Moment = {
    title: '',
    poses: cast.map(({ rig }) => rig.skeleton.rest),
    view: { azimuthDegrees: 20 },
  };
  pictures.set('rest-poses.png', drawMoment(cast, rest, { width: WIDTH }, cast.map(namesOf)));
  const moments: Moment[] = [];
  for (const [motion, time, words] of SHEET) moments.push(await momentOf(cast, motion, time, words));
  const title = 'Four motions made for the first character, on five others';
  pictures.set('sheet.png', drawSheet(cast, moments, { title, width: SHEET_WIDTH }));
  pictures.set('feet.png', await drawFeet(cast));
  pictures.set('constraints.png', await drawConstraints(cast, SHEET_WIDTH));
  return pictures;
}

/** Characters and motion of the picture that moves, and how fast and large it is. */
const MOVING = {
  characters: ['goblin', 'knight', 'robot'],
  motion: 'run-turn',
  rate: 12,
  seconds: 2.4,
  width: 190,
};

/** A run on several characters, in step, as the bytes of a GIF. */
export async function drawMoving(): Promise<Uint8Array> {
  const cast = await Promise.all(DEMO_CHARACTERS.map(readCastMember));
  const { file } = SAMPLE_MOTIONS.find(({ name }) => name === MOVING.motion)!;
  const scene = await read(samplesFolder + file);
  const [source, ...others] = cast;
  const shown = MOVING.characters.flatMap((name) => others.filter(({ entry }) => entry.name === name));
  const rows = [source!, ...shown].map((member): PictureRow => {
    const { clip } = perform(scene, member);
    const count = Math.floor(Math.min(MOVING.seconds, clip.duration) * MOVING.rate);
    return {
      title: member === source ? `${member.entry.title} (source)` : member.entry.title,
      skeleton: member.rig.skeleton,
      meshes: member.meshes,
      floor: member.rig.floor.height,
      poses: Array.from({ length: count }, (_, k) => poseAt(member.rig.skeleton, clip, k / MOVING.rate)),
    };
  });
  const size = { width: MOVING.width * rows.length, height: 250 };
  return movingPicture({ rows, rate: MOVING.rate, camera: 'follow', size });
}

/** Characters, motion and instants of the picture of feet: what the motion was made for stands first. */
const FEET = { characters: ['goblin', 'child'], motion: 'jump', times: [0.95, 1.9] } as const;

/** The same moments with turns copied alone and with feet and hands corrected, side by side. */
async function drawFeet(cast: readonly CastMember[]): Promise<Image> {
  const { file } = SAMPLE_MOTIONS.find(({ name }) => name === FEET.motion)!;
  const scene = await read(samplesFolder + file);
  const [source, ...others] = cast;
  const shown = FEET.characters.flatMap((name) => others.filter(({ entry }) => entry.name === name));
  const members = [source!, ...shown.flatMap((member) => [member, member])];
  const clips = members.map(
    (member, i) => perform(scene, member, undefined, i > 0 && i % 2 === 0 ? 'auto' : 'none').clip,
  );
  const labelled = members.map((member, i): CastMember => {
    const words = i === 0 ? 'source' : i % 2 === 0 ? 'corrected' : 'turns alone';
    return { ...member, entry: { ...member.entry, title: `${member.entry.title} (${words})` } };
  });
  const moments = FEET.times.map((time) =>
    momentAt(labelled, clips, time, { title: '', caption: seconds(time) }),
  );
  return drawSheet(labelled, moments, {
    title: 'A jump: turns alone, and with feet and hands corrected',
    width: SHEET_WIDTH,
  });
}

async function momentOf(
  cast: readonly CastMember[],
  motion: string,
  time: number,
  title = '',
): Promise<Moment> {
  const { file } = SAMPLE_MOTIONS.find(({ name }) => name === motion)!;
  const scene = await read(samplesFolder + file);
  const clips = cast.map((member) => perform(scene, member).clip);
  return momentAt(cast, clips, time, { title, caption: title && seconds(time) });
}

/** What a character calls its left upper arm. */
function namesOf({ rig }: CastMember): string {
  return rig.skeleton.names[rig.joints.leftUpperArm ?? 0]!;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = fileURLToPath(new URL('../../docs/pictures/', import.meta.url));
  mkdirSync(folder, { recursive: true });
  for (const [name, image] of await drawPictures()) {
    const png = writePng(image);
    writeFileSync(folder + name, png);
    console.log(`docs/pictures/${name}  ${image.width} × ${image.height}  ${bytes(png.byteLength)}`);
  }
  const cast = await Promise.all(DEMO_CHARACTERS.map(readCastMember));
  for (const [name, moving] of [
    ['run.gif', await drawMoving()],
    ['constraints.gif', await drawMovingConstraints(cast)],
  ] as const) {
    writeFileSync(folder + name, moving);
    console.log(`docs/pictures/${name}  ${bytes(moving.byteLength)}`);
  }
}
