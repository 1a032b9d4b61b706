import {
  type Clip,
  judgeResult,
  judgeTornSkin,
  measureCoverage,
  type RetargetOptions,
  type RigMapDocument,
  reshapeSkeleton,
  retarget,
  type Scene,
  setUpScenes,
  verdictOf,
} from '@stuntdouble/core/engine';
import { beforeAll, describe, expect, it } from 'vitest';
import { read } from '../src/index.js';

const sample = (path: string) => read(new URL(`../../../samples/files/${path}`, import.meta.url).pathname);

const MOTIONS = ['walk.glb', 'jump.glb', 'idle.glb', 'wave-on-one-leg.glb', 'clap.glb', 'run-turn.glb'];
const BODIES = [
  'mixamo-guy.glb',
  'vrm-girl.vrm',
  'unreal-mannequin.glb',
  'goblin.glb',
  'child.glb',
  'knight.glb',
];

let walk: Scene;
let girl: Scene;
let guy: Scene;

beforeAll(async () => {
  walk = await sample('motions/walk.glb');
  girl = await sample('characters/vrm-girl.vrm');
  guy = await sample('characters/mixamo-guy.glb');
});

const judge = (source: Scene, target: Scene, options?: RetargetOptions) =>
  retarget(source, target, options).report.verdict;

/** The map that is found, without some joints of the target. */
function mapWithout(source: Scene, target: Scene, isLeft: (name: string) => boolean): RigMapDocument {
  const { setup } = setUpScenes(source, target, {});
  const name = (scene: Scene, joint: number) => scene.characters[0]!.skeleton.names[joint]!;
  return {
    version: 1,
    joints: setup.map.joints
      .filter((pair) => !isLeft(name(target, pair.target)))
      .map((pair) => ({
        target: name(target, pair.target),
        sources: pair.sources.map((joint) => name(source, joint)),
        ...(pair.role && { role: pair.role }),
      })),
  };
}

describe('the verdict, held against results whose fault is known', () => {
  it('half a body that nothing drives is broken, and says which parts', () => {
    const map = mapWithout(walk, guy, (name) => /Leg|Foot|Toe/.test(name));
    const { verdict, reasons } = judge(walk, guy, { map });
    expect(verdict).toBe('broken');
    expect(reasons[0]!.code).toBe('role-undriven');
    expect(reasons[0]!.message).toContain('leftUpperLeg');
  });

  it('a body that has no hands at all is looked at, not broken', async () => {
    const wave = await sample('motions/wave-on-one-leg.glb');
    const [character] = girl.characters;
    const { names } = character!.skeleton;
    const keep = names.filter((name) => !/hand|thumb|index|middle|ring|little/i.test(name));
    const { skeleton } = reshapeSkeleton(character!.skeleton, keep);
    const handless: Scene = { ...girl, characters: [{ ...character!, skeleton, clips: [] }] };
    const { verdict, reasons } = judge(wave, handless);
    expect(verdict).toBe('look');
    expect(reasons.map(({ message }) => message).join()).toContain('the target has no joint for that');
  });

  it('a limb with a gap is never good', () => {
    const map = mapWithout(walk, guy, (name) => /LeftArm$/.test(name));
    const { verdict, reasons } = judge(walk, guy, { map });
    expect(verdict).not.toBe('good');
    expect(reasons.map(({ code }) => code)).toContain('limb-gap');
  });

  it('a body that is not skinned yet is broken, however exact the rest', () => {
    const [character] = guy.characters;
    const { skeleton } = character!;
    const weights = new Float64Array(skeleton.names.length);
    weights[0] = 1;
    const bonds = { ...skeleton.bonds!, weights };
    const bare: Scene = { ...guy, characters: [{ ...character!, skeleton: { ...skeleton, bonds } }] };
    const { verdict, reasons } = judge(walk, bare);
    expect(verdict).toBe('broken');
    expect(reasons.map(({ code }) => code)).toContain('not-skinned');
  });

  it('a character whose skin is torn is broken', () => {
    const torn = { stretch: 7.5, torn: ['Skirt'], drift: null, edges: 40, instants: 30 };
    expect(verdictOf(judgeTornSkin([torn])).verdict).toBe('broken');
    expect(judgeTornSkin([{ ...torn, stretch: 2.9 }, null])).toEqual([]);
  });

  it('a capture that is misread, lying where the source stands, is broken', () => {
    const { setup } = setUpScenes(walk, guy, {});
    const { clips } = retarget(walk, guy, { measure: false });
    const hips = setup.target.joints.hips!;
    const lying: Clip = {
      ...clips[0]!,
      tracks: clips[0]!.tracks.map((track) => {
        if (track.joint !== hips || track.channel !== 'rotation') return track;
        const values = track.values.slice();
        // A quarter turn about X before what it was.
        for (let i = 0; i < values.length; i += 4) {
          const [x, y, z, w] = [values[i]!, values[i + 1]!, values[i + 2]!, values[i + 3]!];
          const s = Math.SQRT1_2;
          values.set([s * w + s * x, s * y - s * z, s * z + s * y, s * w - s * x], i);
        }
        return { ...track, values };
      }),
    };
    const facts = { setup, measures: [], coverage: measureCoverage(setup), warnings: [] };
    const source = walk.characters[0]!.clips[0]!;
    const judged = judgeResult({ ...facts, clips: [{ source, result: lying }] });
    expect(judged.verdict).toBe('broken');
    expect(judged.reasons[0]!.code).toBe('up-differs');
    expect(judgeResult({ ...facts, clips: [{ source, result: clips[0]! }] }).verdict).toBe('good');
  });

  it('numbers that are none are broken, an odd reference is, and any warning is to be looked at', () => {
    const { setup } = setUpScenes(walk, guy, {});
    const [clip] = retarget(walk, guy, { measure: false }).clips;
    const broken = {
      ...clip!,
      tracks: clip!.tracks.map((track) => ({ ...track, values: track.values.map(() => Number.NaN) })),
    };
    const facts = { setup, measures: [], coverage: null, warnings: [] };
    const source = walk.characters[0]!.clips[0]!;
    expect(judgeResult({ ...facts, clips: [{ source, result: broken }] }).verdict).toBe('broken');
    const told = (code: string) =>
      judgeResult({ ...facts, clips: [], warnings: [{ code, message: 'x' }] }).verdict;
    expect([told('reference-odd'), told('morph-dropped'), told('unit-guessed')]).toEqual([
      'broken',
      'look',
      'good',
    ]);
  });

  it('feet that slide are to be looked at: plain copies on a body of other legs', async () => {
    const goblin = await sample('characters/goblin.glb');
    const { verdict, reasons } = judge(walk, goblin, { corrections: 'none' });
    expect(verdict).toBe('look');
    expect(reasons.map(({ code }) => code)).toContain('slide');
    expect(judge(walk, girl).verdict).toBe('good');
  });

  it('of results with nothing wrong at most one in twenty is not good', async () => {
    const bodies = await Promise.all(BODIES.map((name) => sample(`characters/${name}`)));
    const doubted: string[] = [];
    let count = 0;
    for (const motion of MOTIONS) {
      const source = await sample(`motions/${motion}`);
      bodies.forEach((body, n) => {
        const { measures, verdict } = retarget(source, body).report;
        // What bench:quality counts as met.
        const isMet = measures.every(
          ({ motion: { slide, agreement, heights } }) =>
            (slide?.result.mean ?? 0) <= 0.5 &&
            (agreement?.f1 ?? 1) >= 0.98 &&
            (heights?.sunkFrames ?? 0) === 0,
        );
        if (!isMet) return;
        count++;
        if (verdict.verdict !== 'good')
          doubted.push(
            `${motion} → ${BODIES[n]}: ${verdict.reasons.map(({ code, message }) => `${code} (${message})`).join(', ')}`,
          );
      });
    }
    expect(count).toBeGreaterThan(20);
    expect(doubted.length, doubted.join('\n')).toBeLessThanOrEqual(count / 20);
  });
});
