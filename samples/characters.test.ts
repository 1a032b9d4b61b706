import {
  createRig,
  modelPoseOf,
  poseAt,
  type Rig,
  type Role,
  type Scene,
  vectorAt,
} from '@stuntdouble/core/engine';
import { read, readMeshes } from '@stuntdouble/formats';
import { describe, expect, it } from 'vitest';
import { SAMPLE_CHARACTERS, samplesFolder } from './catalogue.js';
import { dogBody, dogWalk } from './characters/dog.js';
import { makeCharacters } from './make-characters.js';

const characters = new Map(makeCharacters().map((one) => [one.name, one]));

async function open(name: string): Promise<{ scene: Scene; rig: Rig }> {
  const { file } = SAMPLE_CHARACTERS.find((entry) => entry.name === name)!;
  const scene = await read(samplesFolder + file);
  return { scene, rig: createRig(scene.characters[0]!.skeleton) };
}

/** The joints of a character that carry skin, by name. */
async function skinnedJoints(scene: Scene): Promise<Set<string>> {
  const { names } = scene.characters[0]!.skeleton;
  const found = new Set<string>();
  for (const { skin } of await readMeshes(scene))
    skin!.joints.forEach((joint, i) => {
      if (skin!.weights[i]! > 0) found.add(names[joint]!);
    });
  return found;
}

describe('what each character is for', () => {
  it.each(['knight', 'baker', 'alien', 'vrm0-sister', 'vrm1-sister'])(
    '%s: every role is found on the joint that plays it',
    async (name) => {
      const { rig } = await open(name);
      for (const { name: joint, role, part } of characters.get(name)!.rig.joints) {
        if (!role || role.startsWith('+') || part !== 'plays') continue;
        expect(rig.skeleton.names[rig.joints[role as Role] ?? -1], role).toBe(joint);
      }
    },
  );

  it('the knight has feet under the root, and a skirt and a sword that carry skin', async () => {
    const { scene, rig } = await open('knight');
    const { names, parents } = rig.skeleton;
    for (const side of ['L', 'R']) expect(names[parents[names.indexOf(`Foot.${side}`)]!]).toBe('Root');
    const skinned = await skinnedJoints(scene);
    for (const joint of ['Skirt.front', 'Skirt.back', 'Skirt.left', 'Skirt.right', 'Sword'])
      expect(skinned, joint).toContain(joint);
  });

  it('the baker has twist joints that carry skin, and is as thick as two guys', async () => {
    const { scene } = await open('baker');
    const skinned = await skinnedJoints(scene);
    for (const joint of ['DEF-upper_arm.L', 'DEF-upper_arm.L.001', 'DEF-shin.R.001'])
      expect(skinned).toContain(joint);
    const depthOf = async (name: string) => {
      const surfaces = characters.get(name)!.skin.filter(({ roles }) => roles.includes('spine'));
      const z = surfaces.flatMap(({ positions }) => positions.filter((_, i) => i % 3 === 2));
      return z.reduce((a, b) => Math.max(a, b)) - z.reduce((a, b) => Math.min(a, b));
    };
    expect(await depthOf('baker')).toBeGreaterThan(2 * (await depthOf('mixamo-guy')));
  });

  it('the alien has names without meaning, and a head as large as its trunk is long', async () => {
    const { rig } = await open('alien');
    for (const name of rig.skeleton.names) expect(name).toMatch(/^joint_\d+$|^alien-body$/);
    const { body } = characters.get('alien')!.rig;
    const head = body.tips.head![1] - body.joints.head![1];
    expect(head).toBeGreaterThan(body.joints.neck![1] - body.joints.hips![1]);
  });
});

describe('the dog', () => {
  it('is no human, and its chains are found: four limbs, a spine, a tail', async () => {
    const { rig } = await open('dog');
    expect(Object.keys(rig.joints)).toEqual([]);
    expect(rig.warnings.map(({ code }) => code)).toEqual(['not-human']);
  });

  it('stands still on each paw while it walks, within a millimetre, in the file', async () => {
    const { scene, rig } = await open('dog');
    const { names } = rig.skeleton;
    const [clip] = scene.characters[0]!.clips;
    const anchors = new Map<string, readonly number[]>();
    let stays = 0;
    for (let k = 0; k <= clip!.duration * 240; k++) {
      const t = k / 240;
      const { matrices } = modelPoseOf(rig.skeleton, poseAt(rig.skeleton, clip!, t));
      for (const [joint, late] of [
        ['hind_foot_l', 0],
        ['front_paw_l', 0.25],
        ['hind_foot_r', 0.5],
        ['front_paw_r', 0.75],
      ] as const) {
        const c = t / 0.9 - late;
        // A paw stands for 0.64 of a cycle; a frame at either end is left out.
        const stands = c - Math.floor(c) > 0.02 && c - Math.floor(c) < 0.62;
        const at = vectorAt(matrices, 16 * names.indexOf(joint) + 12);
        if (!stands) anchors.delete(joint);
        else if (!anchors.has(joint)) anchors.set(joint, [...at]);
        else {
          stays++;
          const moved = Math.hypot(...anchors.get(joint)!.map((value, c3) => value - at[c3]!));
          expect(moved, `${joint} at ${t.toFixed(3)} s`).toBeLessThan(0.001);
        }
      }
    }
    expect(stays).toBeGreaterThan(500);
  });

  it('loops: what comes after the end is what comes after the beginning', () => {
    for (const t of [-1 / 60, 0, 1 / 60, 0.2]) {
      const [first, last] = [dogWalk.poseAt(t).turns, dogWalk.poseAt(t + dogWalk.duration).turns];
      for (const part of dogBody.order) {
        const [a, b] = [first[part], last[part]];
        if (!a || !b) continue;
        const cosine = a.reduce((sum, value, c) => sum + value * b[c]!, 0);
        expect(1 - Math.abs(cosine), part).toBeLessThan(1e-7);
      }
    }
  });
});
