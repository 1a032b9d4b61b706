import { createFrameFloor, createKeyFloor } from './timing/floors.js';
import { createOurs } from './timing/ours.js';
import { timeContenders } from './timing/time-contenders.js';
import { BAKE, createWorkload, type WorkloadSize } from './timing/workload.js';

/*
 * How cost grows with frames and with joints, ours and the floors': nanoseconds per joint and frame, and how
 * many times that is what linear growth from the smallest size would give. 1× at every size is linear.
 *
 *   node --expose-gc bench/dist/scaling.js
 */

const FRAMES = [450, 900, 1800, 3600];
const JOINTS = [20, 65, 130, 260];

function printGrowth(what: string, sizes: readonly WorkloadSize[], countOf: (size: WorkloadSize) => number) {
  const contenders = sizes.map((size) => {
    const workload = createWorkload(size);
    return [...createOurs(workload), createKeyFloor(workload), createFrameFloor(workload)];
  });
  // All sizes of everyone take turns in one go, as the ratio is between sizes.
  const timings = timeContenders(contenders.flat(), { rounds: 10, turn: 40, warmUp: 200 });
  const rivals = contenders[0]!.length;
  for (let n = 0; n < rivals; n++) {
    let first = 0;
    sizes.forEach((size, s) => {
      const { name, milliseconds } = timings[s * rivals + n]!;
      const each = (1e6 * milliseconds) / (size.joints * size.frames);
      if (s === 0) first = each;
      console.log(
        `${name.padEnd(12)} ${String(countOf(size)).padStart(5)} ${what}  ${milliseconds.toFixed(2).padStart(7)} ms  ` +
          `${each.toFixed(1).padStart(5)} ns per joint and frame  ${(each / first).toFixed(2)}×`,
      );
    });
  }
}

console.log(
  `growth of a bake's cost, 1× is linear; Node ${process.version}, ${new Date().toISOString().slice(0, 10)}`,
);
printGrowth(
  'frames',
  FRAMES.map((frames) => ({ ...BAKE, frames })),
  (size) => size.frames,
);
printGrowth(
  'joints',
  JOINTS.map((joints) => ({ ...BAKE, joints })),
  (size) => size.joints,
);
