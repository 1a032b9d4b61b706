import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  measureCoverage,
  measureSkin,
  retarget,
  type Scene,
  setUpScenes,
  TORN,
} from '@stuntdouble/core/engine';
import { read, readMeshes } from '@stuntdouble/formats';
import { findQualityFile } from './quality-files.js';

/*
 * Whether all of the skin comes along: every character with a mesh of the data folder and our own, with a few motions
 * each, and how far the worst edge that hangs on a joint without a driver is stretched.
 *
 *   npm run build && node bench/dist/skin.js             prints the worst of each character, and how many are torn
 *   node bench/dist/skin.js --only Knight                those whose file has the word in its name
 *   node bench/dist/skin.js --without followSkin         without a pass
 *   node bench/dist/skin.js --folder DIR                 characters of another folder instead
 */

const MOTIONS = [
  'samples/motions/run-turn.glb',
  'samples/motions/side-kick.glb',
  'samples/motions/sit-on-ground.glb',
  'cmu/Boxing_Toes.bvh',
  'quaternius/Wolf.glb',
] as const;

const words = process.argv.slice(2);
const wordAfter = (flag: string) => (words.includes(flag) ? (words[words.indexOf(flag) + 1] ?? '') : null);
const only = wordAfter('--only') ?? '';
const without = wordAfter('--without');
const folder = wordAfter('--folder');

function filesOf(): string[] {
  const list = (root: string) =>
    readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(glb|gltf|vrm|fbx)$/i.test(file))
      .map((file) => `${root}/${file}`);
  if (folder) return list(folder);
  const sample = findQualityFile('samples/characters/child.glb')!;
  const real = findQualityFile('cmu/02_01.bvh');
  const samples = fileURLToPath(new URL('../', `file://${sample}`));
  return [...list(samples), ...(real ? list(fileURLToPath(new URL('../', `file://${real}`))) : [])];
}

const motions: Scene[] = [];
for (const file of MOTIONS) {
  const path = findQualityFile(file);
  if (path) motions.push(await read(path));
}
type Row = {
  file: string;
  motion: string;
  stretch: number;
  drift: number;
  torn: string[];
  told: boolean;
  coverage: number;
};
const rows: Row[] = [];
for (const path of filesOf()
  .filter((file) => file.includes(only))
  .sort()) {
  const file = path.split('/').slice(-2).join('/');
  try {
    const target = await read(path);
    const meshes = await readMeshes(target);
    if (!meshes.some(({ skin }) => skin)) continue;
    let worst: Row | null = null;
    for (const motion of motions) {
      try {
        const passes = without ? { passes: await passesBut(without) } : {};
        const clips = motion.characters[0]!.clips.slice(0, 2).map(({ name }) => name);
        const {
          clips: moved,
          character,
          report,
        } = retarget(motion, target, { clips, measure: false, ...passes });
        const { setup } = setUpScenes(motion, target);
        const own = meshes.filter((mesh) => mesh.character === character);
        for (const clip of moved) {
          const { stretch, drift, torn } = measureSkin(setup, clip, own);
          const told = report.warnings.some(({ code }) => code === 'skin-left-behind');
          const row: Row = {
            file,
            motion: motion.name,
            stretch: stretch ?? 0,
            drift: drift ?? 0,
            torn,
            told,
            coverage: measureCoverage(setup)?.driven ?? Number.NaN,
          };
          if (!worst || row.stretch + row.drift / 10 > worst.stretch + worst.drift / 10) worst = row;
        }
      } catch (error) {
        if (!(error instanceof Error) || !/no joint of|no skeleton/.test(error.message)) throw error;
      }
    }
    if (worst) {
      rows.push(worst);
      console.log(
        `${worst.stretch > TORN ? 'torn ' : worst.drift > 5 ? 'drift' : '     '} ${worst.told ? 'told' : '    '} ${worst.stretch.toFixed(2).padStart(7)} ${worst.drift.toFixed(1).padStart(6)}% ${(100 * worst.coverage).toFixed(0).padStart(4)}%  ${file} < ${worst.motion}  ${worst.torn.slice(0, 4).join(', ')}`,
      );
    }
  } catch (error) {
    console.log(`      ${file}: ${error instanceof Error ? error.message : error}`);
  }
}
const torn = rows.filter(({ stretch }) => stretch > TORN);
const silent = torn.filter(({ told }) => !told);
console.log(
  `${rows.length} characters, ${torn.length} torn (an edge over ${TORN} times its rest length), ${silent.length} of them without a warning; ${rows.filter(({ drift }) => drift > 5).length} with pieces that drift by more than 5 % of the height`,
);

async function passesBut(name: string) {
  const { PASS_NAMES } = await import('@stuntdouble/core/engine');
  return PASS_NAMES.filter((pass) => pass !== name);
}
