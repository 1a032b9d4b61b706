/*
 * What the whole pipeline costs, contacts, ground and four limbs solved, offline and live, on a walk of 1,800
 * frames from one sample character to others; against the frame floor, per frame, in one run.
 *
 *   npm run bench:pipeline -- [--save]
 *
 * `--save` writes the table to bench/whole-pipeline.md.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  type Clip,
  copyPose,
  createRetargeter,
  type Pose,
  retargetClip,
  type Setup,
  type Skeleton,
  sampleClip,
  setUpScenes,
} from '@stuntdouble/core/engine';
import { read } from '@stuntdouble/formats';
import { type Cell, wholeGrowthLines } from './cases/whole-growth.js';
import { createFrameFloor } from './timing/floors.js';
import { processorClock, timeContenders } from './timing/time-contenders.js';
import { createWorkload } from './timing/workload.js';

const FRAMES = 1800;
const RATE = 60;
/** The rate of most captures and clips of games, half of that. */
const USUAL_RATE = 30;
/** Milliseconds that each runs before it is measured: the first body in the list has the whole engine to compile. */
const WARM_UP = 4000;
const samples = fileURLToPath(new URL('../../samples/files/', import.meta.url));

/** A clip played again and again until it has 1,800 frames of a rate, going on from where it ended. */
function repeat(skeleton: Skeleton, clip: Clip, rate: number): { clip: Clip; poses: Pose[] } {
  const times = Float32Array.from({ length: FRAMES }, (_, k) => k / rate);
  const poses = Array.from(times, (time) => {
    const pose = copyPose(skeleton.rest);
    sampleClip(pose, clip, time % clip.duration);
    return pose;
  });
  const tracks = clip.tracks.map((track) => {
    const size = track.channel === 'rotation' ? 4 : 3;
    const store = { rotation: 'rotations', translation: 'translations', scale: 'scales' } as const;
    const values = new Float32Array(size * FRAMES);
    poses.forEach((pose, k) => {
      for (let c = 0; c < size; c++)
        values[size * k + c] = pose[store[track.channel]][size * track.joint + c]!;
    });
    return { ...track, interpolation: 'linear' as const, times, values };
  });
  return { clip: { ...clip, duration: times[FRAMES - 1]!, tracks, morphs: [] }, poses };
}

function updateAll(live: ReturnType<typeof createRetargeter>, poses: readonly Pose[]): void {
  for (let k = 0; k < poses.length; k++) live.update(poses[k]!, 1 / RATE);
}

const source = await read(`${samples}motions/walk.glb`);
const floor = createFrameFloor(createWorkload());
const lines = [
  '# What the whole pipeline costs',
  '',
  `Contacts, ground and four limbs solved: a walk of 1,800 frames at 60 a second, per frame against the frame floor of [results.md](results.md), in one run of \`npm run bench:pipeline\`, by the processor’s time; Node ${process.version}, ${new Date().toISOString().slice(0, 10)}. At most 12 times the floor is asked for.`,
  '',
  '| from the Mixamo-style guy to | offline | as many frames at 30 a second | live |',
  '|---|---|---|---|',
];
const cells: Cell[] = [];
for (const file of ['vrm-girl.vrm', 'unreal-mannequin.glb', 'goblin.glb', 'child.glb']) {
  const target = await read(`${samples}characters/${file}`);
  const { setup }: { setup: Setup } = setUpScenes(source, target, { corrections: 'auto' });
  const walk = source.characters[0]!.clips[0]!;
  const { clip, poses } = repeat(setup.source.skeleton, walk, RATE);
  const slower = repeat(setup.source.skeleton, walk, USUAL_RATE).clip;
  const live = createRetargeter(setup);
  const [offline, usual, alive, least] = timeContenders(
    [
      { name: 'offline', run: () => void retargetClip(setup, clip, { frameRate: RATE }), check: () => {} },
      {
        name: 'at 30',
        run: () => void retargetClip(setup, slower, { frameRate: USUAL_RATE }),
        check: () => {},
      },
      { name: 'live', run: () => updateAll(live, poses), check: () => {} },
      floor,
    ],
    { rounds: 6, turn: 250, warmUp: WARM_UP, clock: processorClock },
  );
  const ratio = ({ milliseconds }: { milliseconds: number }) =>
    `${(milliseconds / least!.milliseconds).toFixed(1)} ×`;
  lines.push(`| ${file} | ${ratio(offline!)} | ${ratio(usual!)} | ${ratio(alive!)} |`);
  for (const motion of ['walk', 'run-turn', 'jump', 'wave-on-one-leg']) {
    const from = await read(`${samples}motions/${motion}.glb`);
    cells.push({
      setup: setUpScenes(from, target, { corrections: 'auto' }).setup,
      clip: from.characters[0]!.clips[0]!,
    });
  }
}
lines.push('', 'How that grows:', '');
lines.push(...wholeGrowthLines(cells));
console.log(lines.join('\n'));
if (process.argv.includes('--save'))
  writeFileSync(new URL('../whole-pipeline.md', import.meta.url), `${lines.join('\n')}\n`);
