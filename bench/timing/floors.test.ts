import { modelPoseOf, quaternionAngle } from '@stuntdouble/core';
import { describe, expect, it } from 'vitest';
import { worstRotation } from './contender.js';
import { createFrameFloor, createKeyFloor } from './floors.js';
import { createWorkload } from './workload.js';

const small = createWorkload({ joints: 65, frames: 24, frameRate: 30 });
const floors = [createKeyFloor(small), createFrameFloor(small)];

describe('workload', () => {
  it('is a body of 65 joints that all move, on two skeletons without a common name or joint axis', () => {
    expect(small.source.names).toHaveLength(65);
    expect(small.target.names.filter((name) => small.source.names.includes(name))).toEqual([]);
    expect(small.target.parents).toEqual(small.source.parents);
    const sourceRest = modelPoseOf(small.source, small.source.rest).rotations;
    const targetRest = modelPoseOf(small.target, small.target.rest).rotations;
    for (let j = 0; j < 65; j++) {
      expect(quaternionAngle(sourceRest, 4 * j, targetRest, 4 * j)).toBeGreaterThan(0.5);
      const { joint, values, times } = small.clip.tracks[j]!;
      expect(joint).toBe(j);
      expect(times).toHaveLength(24);
      const swing = Math.max(
        ...Array.from(times, (_, k) => quaternionAngle(small.source.rest.rotations, 4 * j, values, 4 * k)),
      );
      expect(swing).toBeGreaterThan(0.1);
    }
  });

  it.each([20, 65, 130, 260])('can have %i joints', (joints) => {
    const workload = createWorkload({ joints, frames: 2, frameRate: 30 });
    expect(workload.source.names).toHaveLength(joints);
    expect(new Set(workload.target.names).size).toBe(joints);
    expect(workload.clip.tracks).toHaveLength(joints + 1);
  });
});

describe.each(floors)('$name', (floor) => {
  it('turns every joint in model space as its driver turns', () => {
    floor.run();
    expect(worstRotation(small, floor.read)).toBeLessThan(1e-5);
    expect(() => floor.check()).not.toThrow();
  });

  it('carries the hips by the scale of the legs', () => {
    floor.run();
    const y = 3 * 23 + 1;
    expect(floor.translations[y]).toBeCloseTo(small.rootScale * small.translations[y]!, 6);
  });

  it('fails its own check when one key of one joint is wrong, or the hips stop', () => {
    floor.run();
    const values = floor.rotations;
    const i = values.length - 4;
    [values[i], values[i + 3]] = [values[i + 3]!, -values[i]!];
    expect(() => floor.check()).toThrow(/away from its driver/);
    floor.run();
    floor.translations.fill(1);
    expect(() => floor.check()).toThrow(/hips travel/);
  });

  it('does the whole work anew in each run', () => {
    floor.run();
    const first = floor.rotations.slice();
    floor.rotations.fill(Number.NaN);
    floor.translations.fill(Number.NaN);
    floor.run();
    expect(floor.rotations).toEqual(first);
    expect(() => floor.check()).not.toThrow();
  });
});

it('both floors give the same result', () => {
  for (const floor of floors) floor.run();
  const found = floors.map(() => new Float64Array(4));
  for (let joint = 0; joint < 65; joint++)
    for (let frame = 0; frame < 24; frame++) {
      floors.forEach((floor, n) => {
        floor.read(found[n]!, 0, joint, frame);
      });
      expect(quaternionAngle(found[0]!, 0, found[1]!, 0)).toBeLessThan(1e-6);
    }
});
