import {
  type Clip,
  type Contact,
  createRig,
  createSetup,
  type PointName,
  retargetClip,
  type Setup,
} from '@stuntdouble/core/engine';
import type { Contender } from '../timing/contender.js';
import { processorClock, timeContenders } from '../timing/time-contenders.js';
import { BAKE, createWorkload, type WorkloadSize } from '../timing/workload.js';

/*
 * How the cost of the whole pipeline grows with frames and joints, and with clips × characters. Twice the frames shall
 * cost twice as much; twice the joints less, as corrections look at a body's limbs alone.
 */

const FRAMES = [450, 900, 1800, 3600];
const JOINTS = [20, 65, 130, 260];
const TIMING = { rounds: 6, turn: 200, warmUp: 500, clock: processorClock };

/** A clip on a character that is set up for it, to be moved by the whole pipeline. */
export type Cell = { setup: Setup; clip: Clip; contacts?: readonly Contact[] };

/** Feet that take turns in standing for half a second, whatever a clip does. */
export function stepsOf(duration: number): Contact[] {
  const points: PointName[] = ['leftHeel', 'leftToe', 'rightHeel', 'rightToe'];
  const count = Math.floor(2 * duration);
  return points.flatMap((point, p) =>
    Array.from({ length: count }, (_, n) => n)
      .filter((n) => n % 2 === p >> 1)
      .map((n): Contact => ({ point, start: n / 2, end: (n + 1) / 2, height: 0, position: null })),
  );
}

/** The workload of a size as a cell: every joint is driven, and its feet are told to stand. */
export function createWholeCell(size: WorkloadSize): Cell {
  const { source, target, map, clip } = createWorkload(size);
  const setup = createSetup(createRig(source), createRig(target), map, { corrections: 'auto' });
  return { setup, clip, contacts: stepsOf(clip.duration) };
}

function contenderOf(name: string, cells: readonly Cell[], frameRate: number): Contender {
  return {
    name,
    run() {
      for (const { setup, clip, contacts } of cells) retargetClip(setup, clip, { frameRate }, contacts);
    },
    check() {},
  };
}

/** Measures how the cost grows, and gives it as lines of a table in Markdown. */
export function wholeGrowthLines(cells: readonly Cell[]): string[] {
  const row = (name: string, sizes: readonly WorkloadSize[], countOf: (size: WorkloadSize) => number) => {
    // As many frames for everyone: the quickest of many short runs is one without a collection, and no long run is.
    const most = Math.max(...sizes.map(({ frames }) => frames));
    const runs = sizes.map(({ frames }) => most / frames);
    const timings = timeContenders(
      sizes.map((size, n) => {
        const cell = createWholeCell(size);
        return contenderOf(name, new Array<Cell>(runs[n]!).fill(cell), size.frameRate);
      }),
      TIMING,
    );
    const times = timings.map(({ milliseconds }, n) => milliseconds / runs[n]!);
    const costs = times.map((time) => time / times[0]!);
    const figures = sizes.map((size, n) => `${countOf(size)}: ${costs[n]!.toFixed(2)}`);
    return `| ${name} | ${figures.join(', ')} |`;
  };
  const [together, ...alone] = timeContenders(
    [
      contenderOf('together', cells, BAKE.frameRate),
      ...cells.map((cell) => contenderOf('alone', [cell], BAKE.frameRate)),
    ],
    { ...TIMING, turn: 40, warmUp: 150 },
  );
  const sum = alone.reduce((total, { milliseconds }) => total + milliseconds, 0);
  return [
    '| of | cost, in that of the first |',
    '|---|---|',
    row(
      'frames',
      FRAMES.map((frames) => ({ ...BAKE, frames })),
      ({ frames }) => frames,
    ),
    row(
      'joints',
      JOINTS.map((joints) => ({ ...BAKE, joints })),
      ({ joints }) => joints,
    ),
    `| clips × characters | ${cells.length} after one another: ${(together!.milliseconds / sum).toFixed(2)} of their sum |`,
  ];
}
