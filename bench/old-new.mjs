/*
 * The speed of two checkouts against each other, both built: rows of `bench`, `bench:pipeline` and `bench:adapters`, each
 * with the same settings on both sides.
 *
 *   npm run bench:old-new -- OLD [NEW] [--rounds 15] [--least] [--only TEXT] [--save]
 *
 * NEW is this checkout if left out. All run in one process, turn by turn: old, a copy of old, new; a slow minute of the
 * machine meets all three, and what the copy differs by is what is no difference. Medians of the rounds, by the
 * processor's time; with `--least` the quickest of the rounds, for a machine that others use too: what they take can
 * only add. `--save` writes the table to bench/old-new.md.
 */
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { createStage, loadSample } from './dist/adapters-babylon-stage.js';
import { loadGltf, SAMPLES_FOLDER } from './dist/adapters-three-files.js';
import { processorClock } from './dist/timing/time-contenders.js';

const PACKAGES = ['core', 'formats', 'adapters'];
const FRAMES = 600;
const RATE = 60;
/** Milliseconds of a processor that each side runs before the clock counts, and that a turn takes at least. */
const WARM_UP = 400;
const TURN = 25;
/** What is worse by more than this, beyond what a copy of old shows, is worse. */
const WORSE = 0.03;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '15' },
    least: { type: 'boolean' },
    only: { type: 'string', default: '' },
    save: { type: 'boolean' },
  },
});
const [old, now = fileURLToPath(new URL('..', import.meta.url))] = positionals.map((path) => resolve(path));
if (old === undefined) {
  console.error('usage: npm run bench:old-new -- OLD [NEW] [--rounds 15] [--least] [--only TEXT] [--save]');
  process.exit(2);
}

/** What is built of a checkout, beside it in a new folder: modules of their own, the same code. */
function copyCheckout(root) {
  const copy = mkdtempSync(join(tmpdir(), 'stuntdouble-old-'));
  const modules = join(root, 'node_modules');
  mkdirSync(join(copy, 'node_modules/@stuntdouble'), { recursive: true });
  for (const name of readdirSync(modules))
    if (name !== '@stuntdouble') symlinkSync(join(modules, name), join(copy, 'node_modules', name));
  for (const name of PACKAGES) {
    const [from, to] = [root, copy].map((folder) => join(folder, 'packages', name));
    for (const part of ['dist', 'package.json'])
      cpSync(join(from, part), join(to, part), { recursive: true });
    symlinkSync(to, join(copy, 'node_modules/@stuntdouble', name));
  }
  return copy;
}

/** The engine and the adapters of a checkout. */
async function loadCheckout(root) {
  const load = (path) => import(pathToFileURL(join(root, 'packages', path)).href);
  const engine = existsSync(join(root, 'packages/core/dist/engine.js')) ? 'engine.js' : 'index.js';
  return {
    core: await load(`core/dist/${engine}`),
    formats: await load('formats/dist/index.js'),
    three: await load('adapters/dist/three/index.js'),
    babylon: await load('adapters/dist/babylon/index.js'),
  };
}

/** A clip played again and again for 600 frames, as keys of every frame and as poses. */
function repeat({ copyPose, sampleClip }, skeleton, clip) {
  const times = Float32Array.from({ length: FRAMES }, (_, k) => k / RATE);
  const poses = Array.from(times, (time) => {
    const pose = copyPose(skeleton.rest);
    sampleClip(pose, clip, time % clip.duration);
    return pose;
  });
  const stores = { rotation: 'rotations', translation: 'translations', scale: 'scales' };
  const tracks = clip.tracks.map((track) => {
    const size = track.channel === 'rotation' ? 4 : 3;
    const values = new Float32Array(size * FRAMES);
    poses.forEach((pose, k) => {
      for (let c = 0; c < size; c++)
        values[size * k + c] = pose[stores[track.channel]][size * track.joint + c];
    });
    return { ...track, interpolation: 'linear', times, values };
  });
  return { clip: { ...clip, duration: times[FRAMES - 1], tracks, morphs: [] }, poses };
}

/** The passes that all sides have, so that all do the same work. */
function sharedPasses(sides) {
  return sides[0].core.PASS_NAMES.filter((name) => sides.every(({ core }) => core.PASS_NAMES.includes(name)));
}

/** Sums of what a result holds: sides that did the same work have the same. */
const sumOf = (arrays) => arrays.reduce((sum, values) => values.reduce((a, b) => a + Math.abs(b), sum), 0);
const clipSum = ({ tracks }) => sumOf(tracks.map(({ values }) => values));

async function coreRows(side, passes) {
  const { core, formats } = side;
  const source = await formats.read(`${SAMPLES_FOLDER}motions/walk.glb`);
  const target = await formats.read(`${SAMPLES_FOLDER}characters/unreal-mannequin.glb`);
  const setUp = (corrections) => core.setUpScenes(source, target, { corrections }).setup;
  const [plain, corrected] = [setUp('none'), setUp('auto')];
  const { clip, poses } = repeat(core, plain.source.skeleton, source.characters[0].clips[0]);
  const live = core.createRetargeter(corrected, { passes });
  const liveCopy = core.createRetargeter(plain, { passes });
  const play = (retargeter) => ({
    run: () => {
      for (const each of poses) retargeter.update(each, 1 / RATE);
      return retargeter.pose;
    },
    sum: ({ rotations }) => sumOf([rotations]),
  });
  const moved = (setup, told) => ({
    run: () => core.retargetClip(setup, clip, { passes, ...told }).clip,
    sum: clipSum,
  });
  return {
    'bench: keys, not corrected': moved(plain, { keys: 'auto' }),
    'bench: frames, not corrected': moved(plain, { keys: 'bake', frameRate: RATE }),
    'bench:pipeline: offline, corrected': moved(corrected, { keys: 'bake', frameRate: RATE }),
    'bench:pipeline: live, not corrected': play(liveCopy),
    'bench:pipeline: live, corrected': play(live),
  };
}

async function adapterRows({ three, babylon }, passes) {
  const [source, target] = await Promise.all(
    ['motions/walk.glb', 'characters/unreal-mannequin.glb'].map((file) => loadGltf(SAMPLES_FOLDER + file)),
  );
  const stage = createStage();
  const [mover, avatar] = [
    await loadSample(stage, 'motions/walk.glb'),
    await loadSample(stage, 'characters/unreal-mannequin.glb'),
  ];
  const moved = (told) => ({
    run: () => three.retargetClip(target.scene, source.scene, source.animations[0], { ...told, passes }),
    sum: clipSum,
  });
  return {
    'bench:adapters: three.js, not corrected': moved({ corrections: 'none' }),
    'bench:adapters: three.js, corrected': moved({ corrections: 'auto', frameRate: RATE }),
    'bench:adapters: Babylon.js, not corrected': {
      run: () => {
        const group = babylon.retargetAnimationGroup(avatar.root, mover.groups[0], {
          stuntdouble: { corrections: 'none', passes },
        });
        group.dispose();
        return group;
      },
      sum: ({ targetedAnimations }) =>
        targetedAnimations.reduce((all, { animation }) => all + animation.getKeys().length, 0),
    },
  };
}

/** What the rounds of one side come to: the quickest, or the one in the middle. */
function sumUp(values) {
  return values.sort((a, b) => a - b)[options.least ? 0 : Math.floor(values.length / 2)];
}

/** Times the sides of a row turn by turn; gives milliseconds a run of each, and what each came to. */
function timeSides(sides, rounds) {
  const sums = sides.map(({ run, sum }) => sum(run()));
  const runs = sides.map(({ run }) => run);
  for (const run of runs) for (const start = processorClock(); processorClock() - start < WARM_UP; ) run();
  globalThis.gc?.();
  const times = runs.map(() => []);
  for (let round = 0; round < rounds; round++)
    runs.forEach((run, n) => {
      const start = processorClock();
      let count = 0;
      do {
        run();
        count++;
      } while (processorClock() - start < TURN);
      times[n].push((processorClock() - start) / count);
    });
  return { sums, times: times.map(sumUp) };
}

const copy = copyCheckout(old);
try {
  const sides = await Promise.all([old, copy, now].map(loadCheckout));
  const passes = sharedPasses(sides);
  const rows = [];
  for (const side of sides)
    rows.push({ ...(await coreRows(side, passes)), ...(await adapterRows(side, passes)) });
  const lines = [
    '# Old against new',
    '',
    `Two checkouts in one process, ${options.rounds} rounds turn by turn, ${options.least ? 'the quickest' : 'medians'} by the processor’s time, with the same settings; beside what a copy of the old one differs by. \`npm run bench:old-new\`, Node ${process.version}, ${new Date().toISOString().slice(0, 10)}. A walk of ${FRAMES} frames from one sample onto another; adapters: the walk as it is.`,
    '',
    '| row | old | old / old | new / old | result |',
    '|---|---|---|---|---|',
  ];
  for (const line of lines) console.log(line);
  let worse = 0;
  for (const name of Object.keys(rows[0]).filter((each) => each.includes(options.only))) {
    const { sums, times } = timeSides(
      rows.map((side) => side[name]),
      Number(options.rounds),
    );
    const [again, ratio] = [times[1] / times[0], times[2] / times[0]];
    const isSame = Math.abs(sums[2] - sums[0]) <= 1e-5 * Math.abs(sums[0]);
    const isWorse = ratio - 1 > WORSE + Math.abs(again - 1);
    if (isWorse) worse++;
    lines.push(
      `| ${name} | ${times[0].toFixed(2)} ms | ${again.toFixed(3)} | ${ratio.toFixed(3)}${isWorse ? ' **worse**' : ''} | ${isSame ? 'the same' : 'another'} |`,
    );
    console.log(lines.at(-1));
  }
  lines.push('', `${worse} of ${lines.length - 6} rows are worse by more than 3 % beyond old / old.`);
  console.log(lines.at(-1));
  if (options.save) writeFileSync(new URL('old-new.md', import.meta.url), `${lines.join('\n')}\n`);
} finally {
  rmSync(copy, { recursive: true });
}
process.exit();
