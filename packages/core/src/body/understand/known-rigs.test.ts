import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it, vi } from 'vitest';
import { sceneOf, stickFigure, turn } from '../../../test/stick-figure.js';
import type { RetargetOptions } from '../../passes/parts/told-options.js';
import { retarget } from '../../retarget.js';
import type { Scene } from '../../scene/scene.js';
import { copySkeleton, type Skeleton } from '../../scene/skeleton.js';
import * as setups from '../../setup/create-setup.js';
import type { RigOptions } from '../rig.js';
import * as roles from '../shape/guess-roles.js';
import { createRig } from './create-rig.js';
import { knownRig } from './known-rigs.js';

/** A rig of a skeleton that nobody has seen before. */
const freshRig = (skeleton: Skeleton, options?: RigOptions) => createRig(copySkeleton(skeleton), options);

/** How often a piece of work looks for body parts, which is most of understanding a skeleton. */
function countGuesses(work: () => void): number {
  const spy = vi.spyOn(roles, 'guessRoles');
  work();
  const { length } = spy.mock.calls;
  spy.mockRestore();
  return length;
}

const CHANGES: Record<string, (skeleton: Skeleton) => void> = {
  'a name': (skeleton) => {
    skeleton.names[skeleton.names.indexOf('mixamorig:LeftHand')] = 'pocket';
  },
  'the name of the whole': (skeleton) => {
    skeleton.name = 'other';
  },
  'a parent': (skeleton) => {
    const { names, parents } = skeleton;
    parents[names.indexOf('mixamorig:Head')] = names.indexOf('mixamorig:Hips');
  },
  'a turn of the rest': ({ names, rest }) => {
    rest.rotations.set(turn([0, 0, 1], 40), 4 * names.indexOf('mixamorig:LeftArm'));
  },
  'a place of the rest': ({ rest }) => {
    rest.translations[1] = 1.5 * rest.translations[1]!;
  },
  'another bind': (skeleton) => {
    const { rest } = copySkeleton(skeleton);
    rest.rotations.set(turn([0, 0, 1], 40), 4 * skeleton.names.indexOf('mixamorig:LeftArm'));
    skeleton.bind = rest;
  },
  'a flag': ({ flags, names }) => {
    flags[names.indexOf('mixamorig:LeftHand')] = 0;
  },
  hulls: (skeleton) => {
    skeleton.hulls = skeleton.names.map((name) =>
      name === 'mixamorig:LeftFoot' ? Float32Array.of(0, -0.2, 0) : null,
    );
  },
  'what the file declares': (skeleton) => {
    skeleton.declared.unit = 0.01;
  },
  'the container': (skeleton) => {
    skeleton.container[0] = skeleton.container[5] = skeleton.container[10] = 2;
  },
  'roles by the file': (skeleton) => {
    skeleton.metadataRoles = { hips: 0 };
  },
};

describe('knownRig', () => {
  it('does not think again about a skeleton that is as it was, whatever clips come with it', () => {
    const { skeleton, clips } = stickFigure();
    expect(countGuesses(() => createRig(skeleton))).toBe(1);
    expect(countGuesses(() => createRig(skeleton, { clips }))).toBe(0);
    expect(knownRig(skeleton).rig).toBe(knownRig(skeleton, { clips }).rig);
    expect(createRig(skeleton, { clips })).toEqual(freshRig(skeleton, { clips }));
  });

  it.each(Object.keys(CHANGES))('notices %s that changed in place, and changed back', (what) => {
    const { skeleton } = stickFigure();
    const first = freshRig(skeleton);
    expect(createRig(skeleton)).toEqual(first);
    const original = copySkeleton(skeleton);
    CHANGES[what]!(skeleton);
    const changed = createRig(skeleton);
    expect(changed).toEqual(freshRig(skeleton));
    expect(changed).not.toEqual(first);
    for (const key of Object.keys(skeleton) as (keyof Skeleton)[])
      delete (skeleton as Partial<Skeleton>)[key];
    Object.assign(skeleton, original);
    expect(createRig(skeleton)).toEqual(first);
  });

  it('answers other options for themselves, in any order', () => {
    const { skeleton, clips, jointOf } = stickFigure({ arms: 'A' });
    const asked: RigOptions[] = [
      {},
      { reference: 'rest' },
      { reference: { base: 'rest', edits: { 'mixamorig:LeftArm': [0, 0, 0, 1] } } },
      { reference: { base: 'rest', edits: { 'mixamorig:LeftArm': [0, 0, 0.6, 0.8] } } },
      { clips, reference: { frame: 3 } },
      { clips, reference: { frame: 9 } },
      { roles: { jaw: jointOf('head') } },
      { roles: { head: jointOf('neck') } },
    ];
    for (const options of [...asked, ...asked.slice().reverse(), ...asked])
      expect(createRig(skeleton, options)).toEqual(freshRig(skeleton, options));
  });

  it('looks again at clips that have a say, as those of a capture', () => {
    const { skeleton, clips } = stickFigure({ arms: 'down' });
    skeleton.declared.capture = true;
    // Hung at the origin: what stands on the ground plane is believed.
    skeleton.rest.translations.fill(0, 0, 3);
    const [walk] = clips;
    const raised = {
      ...walk!,
      tracks: walk!.tracks.map((track) =>
        track.channel === 'translation' ? { ...track, values: track.values.map((v) => v + 1) } : track,
      ),
    };
    const low = createRig(skeleton, { clips });
    const high = createRig(skeleton, { clips: [raised] });
    expect(high).toEqual(freshRig(skeleton, { clips: [raised] }));
    expect(high.floor.height).toBeGreaterThan(low.floor.height + 0.9);
    expect(createRig(skeleton, { clips })).toEqual(low);
    expect(createRig(skeleton, { clips: [] })).toEqual(freshRig(skeleton));
    expect(knownRig(skeleton, { clips }).rig).toBe(
      knownRig(skeleton, { clips: clips.map((clip) => ({ ...clip })) }).rig,
    );
    expect(knownRig(skeleton, { clips: [raised] }).rig).not.toBe(knownRig(skeleton, { clips }).rig);
    // Whose first frame it is is said, and makes no other rig.
    const bent = stickFigure({ arms: 'down' });
    bent.skeleton.rest.rotations.set([0.6, 0, 0, 0.8], 0);
    const [clip] = bent.clips;
    const renamed = { clips: [{ ...clip!, name: 'another' }] };
    const before = knownRig(bent.skeleton, { clips: [clip!] });
    const after = knownRig(bent.skeleton, renamed);
    expect(after.rig).toBe(before.rig);
    expect(before.words.reference.reason).toContain(`"${clip!.name}"`);
    expect(after.words.reference.reason).toContain('"another"');
    expect(createRig(bent.skeleton, renamed)).toEqual(freshRig(bent.skeleton, renamed));
    // Names say which part is which all the same.
    expect(countGuesses(() => createRig(skeleton, { clips: [raised] }))).toBe(0);
  });

  it('what callers do to their rigs is theirs alone', () => {
    const { skeleton } = stickFigure();
    const expected = freshRig(skeleton);
    const mine = createRig(skeleton);
    mine.guesses[0]!.role = null;
    mine.joints.head = 0;
    mine.reference.pose.rotations.fill(0);
    mine.space.up.direction[0] = 7;
    mine.skeleton.container.fill(0);
    mine.warnings.push({ code: 'no-hips', message: 'mine' });
    mine.body!.parts.length = 0;
    expect(createRig(skeleton)).toEqual(expected);
  });

  it('R8: retargeting gives the same whatever was retargeted before, and whatever is done to a result', () => {
    const source = stickFigure({ names: 'unreal', arms: 'A', fingers: true });
    const target = stickFigure({ axes: 'boneY', spine: 4, size: 1.4 });
    const from = sceneOf(source, 'source');
    const onto = sceneOf({ ...target, clips: [] }, 'target');
    const fresh = () =>
      retarget(
        sceneOf({ ...source, skeleton: copySkeleton(source.skeleton) }, 'source'),
        sceneOf({ skeleton: copySkeleton(target.skeleton), clips: [] }, 'target'),
      );
    const strip = ({ clips, report }: ReturnType<typeof retarget>) => ({ clips, report });
    const expected = strip(fresh());
    const first = retarget(from, onto);
    expect(strip(first)).toEqual(expected);
    for (const pair of first.report.map.joints) pair.sources.length = 0;
    first.report.map.unmapped.source.length = 0;
    first.report.source.space.up.direction.fill(0);
    for (const { tracks } of first.clips)
      for (const { times, values } of tracks) {
        times.fill(7);
        values.fill(7);
      }
    retarget(from, onto, { targetReference: 'rest', corrections: 'none' });
    retarget(from, onto, { rootScales: { vertical: 2 }, keys: 'bake', groundHeight: () => 0.1 });
    retarget(sceneOf(target), sceneOf(source));
    expect(countGuesses(() => expect(strip(retarget(from, onto))).toEqual(expected))).toBe(0);
  });

  it('compiles two bodies once for the same options, and anew for others and for those that may change', () => {
    const from = sceneOf(stickFigure({ names: 'unreal' }), 'source');
    const onto = sceneOf({ ...stickFigure(), clips: [] }, 'target');
    let height = 0;
    const groundHeight = () => height;
    const asked: [RetargetOptions, number][] = [
      [{}, 1],
      [{}, 0],
      [{ clips: ['walk'], onProgress: () => {} }, 1],
      [{ clips: ['walk'], onProgress: () => {} }, 0],
      [{ limits: {} }, 1],
      [{ groundHeight }, 1],
      [{ groundHeight }, 1],
      [{}, 0],
    ];
    for (const [options, count] of asked) {
      const spy = vi.spyOn(setups, 'createSetup');
      const { clips, report } = retarget(from, onto, options);
      expect(spy).toHaveBeenCalledTimes(count);
      spy.mockRestore();
      const copies = [from, onto].map((scene) =>
        sceneOf(
          { ...scene.characters[0]!, skeleton: copySkeleton(scene.characters[0]!.skeleton) },
          scene.name,
        ),
      ) as [Scene, Scene];
      const fresh = retarget(...copies, options);
      expect({ clips, report }).toEqual({ clips: fresh.clips, report: fresh.report });
      height += 0.1;
    }
  });

  it('what callers do to their options afterwards is theirs alone', () => {
    const from = sceneOf(stickFigure({ names: 'unreal' }), 'source');
    const onto = sceneOf({ ...stickFigure({ upperLeg: 0.7, upperArm: 0.2 }), clips: [] }, 'target');
    const ground: { joint: string; dynamic: boolean } = { joint: 'mixamorig:LeftHand', dynamic: false };
    const move = (rule: typeof ground) => retarget(from, onto, { ground: rule, corrections: 'none' }).clips;
    const first = move(ground);
    ground.joint = 'mixamorig:RightFoot';
    expect(move(ground)).not.toEqual(first);
    expect(move({ joint: 'mixamorig:LeftHand', dynamic: false })).toEqual(first);
  });

  it('knows a body in the mirror too', () => {
    const from = sceneOf(stickFigure({ names: 'unreal' }), 'source');
    const onto = sceneOf({ ...stickFigure(), clips: [] }, 'target');
    const first = retarget(from, onto, { mirror: true });
    retarget(from, onto);
    const again = () => retarget(from, onto, { mirror: true });
    expect(countGuesses(() => expect(again().clips).toEqual(first.clips))).toBe(0);
    from.characters[0]!.skeleton.rest.translations[1]! *= 1.5;
    expect(countGuesses(() => expect(again().clips).not.toEqual(first.clips))).toBe(1);
  });

  it('keeps no skeleton alive, nor what was found for it', async () => {
    setFlagsFromString('--expose-gc');
    const collect: () => void = runInNewContext('gc');
    const target = sceneOf({ ...stickFigure(), clips: [] }, 'target');
    const forgotten = (() => {
      const source = stickFigure({ names: 'unreal' });
      retarget(sceneOf(source, 'source'), target);
      return [new WeakRef(source.skeleton), new WeakRef(knownRig(source.skeleton).rig)];
    })();
    expect(forgotten.map((ref) => ref.deref() !== undefined)).toEqual([true, true]);
    // A reference that was read lives until the task ends, and the engine may take its time.
    for (let k = 0; k < 20 && forgotten.some((ref) => ref.deref()); k++) {
      await new Promise((resolve) => setTimeout(resolve));
      collect();
    }
    expect(forgotten.map((ref) => ref.deref())).toEqual([undefined, undefined]);
  });
});
