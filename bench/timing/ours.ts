import { type Clip, createRig, createSetup, retargetClip } from '@stuntdouble/core/engine';
import { type Contender, checkRotations, checkTravel } from './contender.js';
import type { Workload } from './workload.js';

/** A core of ours as a contender, and the floor that it is measured by. */
export type OwnContender = Contender & { floor: 'key floor' | 'frame floor' };

/** Our cores on a workload. What a bake does once per pair of bodies (map, references) is not part of a run. */
export function createOurs(workload: Workload): OwnContender[] {
  const source = createRig(workload.source);
  const target = createRig(workload.target);
  const setup = createSetup(source, target, workload.map, {
    rootScales: { horizontal: workload.rootScale, vertical: workload.rootScale },
    corrections: 'none',
  });
  const contender = (name: string, floor: OwnContender['floor'], keys: 'keep' | 'bake'): OwnContender => {
    let result: Clip | null = null;
    return {
      name,
      floor,
      run() {
        result = retargetClip(setup, workload.clip, { keys }).clip;
      },
      forget() {
        result = null;
      },
      check() {
        const turns = new Map(
          result!.tracks
            .filter(({ channel }) => channel === 'rotation')
            .map((track) => [track.joint, track.values]),
        );
        checkRotations(
          name,
          workload,
          (out, o, joint, frame) => {
            for (let c = 0; c < 4; c++) out[o + c] = turns.get(joint)![4 * frame + c]!;
          },
          1e-5,
        );
        const hips = result!.tracks.find(
          ({ joint, channel }) => joint === workload.hips && channel === 'translation',
        );
        checkTravel(name, workload, hips!.values, workload.rootScale);
      },
    };
  };
  return [contender('key core', 'key floor', 'keep'), contender('frame core', 'frame floor', 'bake')];
}
