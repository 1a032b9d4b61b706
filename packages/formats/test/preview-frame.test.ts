import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  type Clip,
  copyPose,
  createModelPose,
  createRig,
  localToModel,
  previewFrame,
  retarget,
  type Scene,
  sampleClip,
} from '@stuntdouble/core/engine';
import { read } from '@stuntdouble/formats';
import { beforeAll, expect, it } from 'vitest';

const sample = (path: string) =>
  read(
    new Uint8Array(readFileSync(fileURLToPath(new URL(`../../../samples/files/${path}`, import.meta.url)))),
  );

let walk: Scene;
let girl: Scene;
beforeAll(async () => {
  walk = await sample('motions/walk.glb');
  girl = await sample('characters/vrm-girl.vrm');
  // Twelve seconds: longer than what is solved whole.
  const [character] = walk.characters;
  const [clip] = character!.clips;
  walk = { ...walk, characters: [{ ...character!, clips: [repeat(clip!, 6)] }] };
});

/** A clip that plays so many times, one after another: keys stand, so that the body walks on the spot of each start. */
function repeat(clip: Clip, times: number): Clip {
  return {
    ...clip,
    duration: clip.duration * times,
    tracks: clip.tracks.map((track) => {
      const size = track.values.length / track.times.length;
      const count = track.times.length - 1;
      const all = Array.from({ length: times * count + 1 }, (_, k) => k);
      return {
        ...track,
        times: Float32Array.from(all, (k) => Math.floor(k / count) * clip.duration + track.times[k % count]!),
        values: Float32Array.from(
          all.flatMap((k) => [...track.values.slice((k % count) * size, (k % count) * size + size)]),
        ),
      };
    }),
  };
}

/** The farthest that any joint of two clips is apart at an instant, in heights of the body. */
function apart(scene: Scene, a: { clip: Clip; time: number }, b: { clip: Clip; time: number }): number {
  const rig = createRig(scene.characters[0]!.skeleton);
  const matrices = [a, b].map(({ clip, time }) => {
    const pose = copyPose(rig.skeleton.rest);
    const model = createModelPose(rig.skeleton.names.length);
    sampleClip(pose, clip, time);
    localToModel(model, rig.skeleton, pose);
    return model.matrices;
  });
  let worst = 0;
  for (let m = 12; m < matrices[0]!.length; m += 16)
    worst = Math.max(worst, Math.hypot(...[0, 1, 2].map((c) => matrices[0]![m + c]! - matrices[1]![m + c]!)));
  return worst / rig.space.height;
}

it('the frame that a slider shows is that of the whole, within half a percent of the height', () => {
  const name = walk.characters[0]!.clips[0]!.name;
  const whole = retarget(walk, girl, { measure: false });
  const { contacts } = whole.report.clips[0]!;
  for (const time of [0.4, 3.1, 6, 9.7, 12.5]) {
    const { clip, start } = previewFrame(walk, girl, {}, name, time, contacts ?? []);
    expect(clip.duration).toBeLessThan(4.1);
    expect(apart(girl, { clip, time: time - start }, { clip: whole.clips[0]!, time })).toBeLessThan(0.005);
  }
});

it('short clips, and clips whose time is changed, are solved whole: the preview is the result', () => {
  const [character] = walk.characters;
  const short = {
    ...walk,
    characters: [{ ...character!, clips: [{ ...character!.clips[0]!, duration: 5 }] }],
  };
  const name = character!.clips[0]!.name;
  const whole = retarget(short, girl, { measure: false }).clips[0]!;
  expect(previewFrame(short, girl, {}, name, 2, [])).toEqual({ clip: whole, start: 0 });
  const fast = retarget(walk, girl, { measure: false, speed: 2 }).clips[0]!;
  expect(previewFrame(walk, girl, { speed: 2 }, name, 2, []).clip.duration).toBeCloseTo(fast.duration);
});

it('of a capture that begins with a pose for calibration the preview is of the same instant, too', async () => {
  const capture = await sample('captures/walk-cmu.bvh');
  const [character] = capture.characters;
  const [clip] = character!.clips;
  const scene = { ...capture, characters: [{ ...character!, clips: [repeat(clip!, 6)] }] };
  const whole = retarget(scene, girl, { measure: false });
  const { start: begins = 0, contacts = [] } = whole.report.clips[0]!;
  expect(begins).toBeGreaterThan(0);
  for (const time of [0.4, 6, 9.7]) {
    const { clip: part, start } = previewFrame(scene, girl, {}, clip!.name, begins + time, contacts);
    expect(part.duration).toBeLessThan(4.1);
    const shown = { clip: part, time: time - start };
    expect(apart(girl, shown, { clip: whole.clips[0]!, time })).toBeLessThan(0.005);
  }
});
