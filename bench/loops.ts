import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  type Clip,
  isAncestor,
  modelPoseOf,
  poseAt,
  quaternionAngle,
  retarget,
  type Scene,
  type Skeleton,
  setUpScenes,
} from '@stuntdouble/core/engine';
import { read } from '@stuntdouble/formats';
import { findQualityFile } from './quality-files.js';

/*
 * Whether seamless loops stay seamless without an option: every clip of the data folder and our own whose ends meet, on
 * a few bodies, with the default corrections; the seam is the largest turn of a joint against its parent, and the largest
 * way of a joint against the hips, which may have travelled.
 *
 *   npm run build && node bench/dist/loops.js            prints the worst seams, and how many are kept
 *   node bench/dist/loops.js --only Walk                 clips whose file or name has the word
 */

const TARGETS = [
  'samples/characters/goblin.glb',
  'samples/characters/baker.glb',
  'samples/characters/unreal-mannequin.glb',
  'samples/characters/alien.glb',
] as const;
/** What is a seam, in degrees and in hip heights, where the source has none. */
const DEGREES = 0.1;
const HIP_HEIGHTS = 0.001;
/** Of one file so many loops. */
const MOST = 8;

const words = process.argv.slice(2);
const only = words.includes('--only') ? (words[words.indexOf('--only') + 1] ?? '') : '';

type Seam = { degrees: number; way: number };

/** The seam of a clip at the hips and below. */
function seamOf(skeleton: Skeleton, clip: Clip, hips: number, height: number): Seam {
  const [first, last] = [0, clip.duration].map((time) => poseAt(skeleton, clip, time));
  const [a, b] = [first!, last!].map((pose) => modelPoseOf(skeleton, pose));
  let degrees = 0;
  let way = 0;
  const from = (matrices: Float64Array, joint: number, c: number) =>
    matrices[16 * joint + 12 + c]! - (c === 1 ? 0 : matrices[16 * hips + 12 + c]!);
  for (let joint = 0; joint < skeleton.names.length; joint++) {
    if (!isAncestor(skeleton, hips, joint)) continue;
    degrees = Math.max(
      degrees,
      (180 / Math.PI) * quaternionAngle(first!.rotations, 4 * joint, last!.rotations, 4 * joint),
    );
    const gap = [0, 1, 2].map((c) => from(b!.matrices, joint, c) - from(a!.matrices, joint, c));
    way = Math.max(way, Math.hypot(...gap) / height);
  }
  return { degrees, way };
}

function filesOf(): string[] {
  const list = (first: string) => {
    const path = findQualityFile(first);
    if (!path) return [];
    const folder = fileURLToPath(new URL('../', `file://${path}`));
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(glb|gltf|vrm|vrma|fbx|bvh)$/i.test(file))
      .map((file) => `${folder}/${file}`);
  };
  return [...list('samples/motions/walk.glb'), ...list('cmu/02_01.bvh')].sort();
}

const targets: Scene[] = [];
for (const file of TARGETS) targets.push(await read(findQualityFile(file)!));
const sums = { loops: 0, results: 0, opened: 0 };
for (const path of filesOf()) {
  let source: Scene;
  try {
    source = await read(path);
  } catch {
    continue;
  }
  const known = new Set<string>();
  for (const target of targets) {
    let setup: ReturnType<typeof setUpScenes>;
    try {
      setup = setUpScenes(source, target);
    } catch {
      continue;
    }
    const { travel, rootScales } = setup.setup;
    const from = setup.setup.source;
    if (!travel || from.joints.hips === undefined) continue;
    const height = from.space.height / 2;
    const clips = source.characters[setup.sourceIndex]!.clips.filter((clip) => {
      if (!(clip.duration > 0.2) || !`${path} ${clip.name}`.includes(only)) return false;
      const seam = seamOf(from.skeleton, clip, travel.source, height);
      return seam.degrees < DEGREES && seam.way < HIP_HEIGHTS;
    }).slice(0, MOST);
    for (const clip of clips) {
      const own = seamOf(from.skeleton, clip, travel.source, height);
      const { clips: moved } = retarget(source, target, { clips: [clip.name], measure: false });
      const seam = seamOf(
        setup.setup.target.skeleton,
        moved[0]!,
        travel.target,
        height * rootScales.vertical,
      );
      if (!known.has(clip.name)) sums.loops++;
      known.add(clip.name);
      sums.results++;
      const isOpened =
        seam.degrees > Math.max(own.degrees, DEGREES) || seam.way > Math.max(own.way, HIP_HEIGHTS);
      if (!isOpened) continue;
      sums.opened++;
      console.log(
        `${seam.degrees.toFixed(3).padStart(8)}° ${(100 * seam.way).toFixed(3).padStart(7)} % (source ${own.degrees.toFixed(3)}°, ${(100 * own.way).toFixed(3)} %)  ${path.split('/').slice(-2).join('/')} "${clip.name}" > ${target.name}`,
      );
    }
  }
}
console.log(`${sums.loops} seamless loops, ${sums.results} results: ${sums.opened} with a seam`);
