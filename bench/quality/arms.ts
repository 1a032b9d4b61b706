import {
  type Clip,
  compareMotions,
  createArmSkin,
  followPenetration,
  measureMotion,
  retargetClip,
  rolesOfMap,
  type Setup,
  setUpScenes,
  standingPose,
  summarisePenetration,
  withoutCorrections,
} from '@stuntdouble/core/engine';
import { read, readMeshes } from '@stuntdouble/formats';
import { findQualityFile, MOTIONS } from '../quality-files.js';
import { movedPart, playLive } from './measure-quality.js';

/*
 * Arms: what touches, what goes through the own body by its skinned mesh, and what is left alone.
 *
 *   npm run build && node bench/dist/quality/arms.js          our motions on our bodies
 *   node bench/dist/quality/arms.js clap baker                those with these words in their names
 *   node bench/dist/quality/arms.js cmu/13_36.bvh npm/xrengine_CyberbotRed.glb      other files
 */

const [motionWord = '', bodyWord = ''] = process.argv.slice(2);
const MOTION_FILES = [
  'walk',
  'idle',
  'clap',
  'pray',
  'sword-strike',
  'carry-box',
  'pick-up',
  'wave-on-one-leg',
  'jump',
  'run-turn',
].map((name) => `samples/motions/${name}.glb`);
const BODY_FILES = ['goblin.glb', 'baker.glb', 'alien.glb', 'child.glb', 'robot.glb', 'vrm-girl.vrm'].map(
  (name) => `samples/characters/${name}`,
);
/** Instants a second at which skin is looked at, and how many at most. */
const SKIN_RATE = 20;
const MOST_INSTANTS = 240;

const listOf = (word: string, files: readonly string[]) =>
  word.includes('/') ? [word] : files.filter((file) => file.includes(word));
const figure = (value: number | null | undefined, digits = 2) =>
  value === null || value === undefined ? 'n/a' : value.toFixed(digits);

/** The ways to move a clip. */
function waysOf(setup: Setup, clip: Clip): [string, Clip][] {
  const options = { mapIsTold: true };
  return [
    ['copied', retargetClip(withoutCorrections(setup), clip, options).clip],
    ['offline', retargetClip(setup, clip, options).clip],
    ['live', playLive(setup, clip)],
  ];
}

for (const file of listOf(motionWord, MOTION_FILES))
  for (const body of listOf(bodyWord, BODY_FILES)) {
    const source = await read(findQualityFile(file) ?? file);
    const target = await read(findQualityFile(body) ?? body);
    const { setup, sourceIndex, targetIndex } = setUpScenes(source, target, { corrections: 'auto' });
    const meshes = (await readMeshes(target)).filter(({ character }) => character === targetIndex);
    const roles = rolesOfMap(setup.map, setup.source).target;
    const skin = createArmSkin(setup.target, roles, meshes, setup.alignment.model);
    const range = MOTIONS.find((each) => each.file === file)?.range ?? [0, 12];
    for (const original of source.characters[sourceIndex]!.clips) {
      const clip = movedPart(setup, original, range);
      const count = Math.min(MOST_INSTANTS, Math.floor(clip.duration * SKIN_RATE) + 1);
      const times = Array.from({ length: count }, (_, k) => (k * clip.duration) / Math.max(1, count - 1));
      for (const [way, result] of waysOf(setup, clip)) {
        const stands = standingPose(setup, clip, result, false);
        const course = skin && followPenetration(setup, result, stands, skin, times);
        const deep = course && summarisePenetration(course, null);
        const parts = [0, 1, 2].map((part) =>
          figure((course?.parts ?? []).reduce((sum, each) => sum + each[part]!, 0) / count, 1),
        );
        const { selfContact, armsAlone, carriedHands, pops, smoothness } = measureMotion(
          compareMotions(setup, clip, result),
        );
        console.log(
          `${file.split('/').pop()} ${clip.name} > ${body.split('/').pop()} ${way}:`,
          `in the body ${figure(deep?.deepest.mean)} worst ${figure(deep?.deepest.worst)} % (upper, fore, hand ${parts.join(' ')}), over 1 % in ${figure(deep?.share)};`,
          `touches off ${figure(selfContact?.result.mean)} % kept ${figure(selfContact?.kept)};`,
          `alone ${figure(armsAlone?.result.mean, 3)}° worst ${figure(armsAlone?.result.worst)} of ${figure(armsAlone?.share)};`,
          `carried ${figure(carriedHands?.result.mean)} worst ${figure(carriedHands?.result.worst)} scaled ${figure(carriedHands?.scaled.worst, 1)} % of ${figure(carriedHands?.share)};`,
          `pops ${pops?.count ?? 'n/a'} jerk ${figure(smoothness?.jerkRatio)}`,
        );
      }
    }
  }
