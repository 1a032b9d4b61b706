import { readFileSync } from 'node:fs';
import { type Character, chooseCharacter, createRig, type Scene } from '@stuntdouble/core';
import { read } from '@stuntdouble/formats';
import { describe, expect, it } from 'vitest';
import { retargetPlainly } from '../../core/test/plainly.js';
import { DATA_FOLDER, dataFiles, hasData, pathOf, sampleFiles } from './data-files.js';

/** At most so much of a clip is moved: enough to show a wrong turn, and fast. */
const SECONDS = 0.25;
/** Degrees, as promised for limb directions, rotations and twists. */
const TRUE = 0.1;

/** A file as this test needs it: one character, and of its clips the middle one. */
type Body = { file: string; scene: Scene; clip: string | null; roles: string[] };

async function readBodies(): Promise<Body[]> {
  const bodies: Body[] = [];
  const labels: Record<string, { kind: string }> = hasData
    ? JSON.parse(readFileSync(`${DATA_FOLDER}roles.json`, 'utf8'))
    : {};
  // Of ours, one file of each skeleton.
  const ours = sampleFiles(/(characters|formats)\/.*\.(glb|vrm|vrma|fbx)$|captures\/walk-.*\.bvh$/);
  const humans = ours.filter((file) => !/dog|robot|draco|meshopt|vrm1/.test(file));
  for (const file of [...humans, ...dataFiles(/\.(glb|gltf|vrm|vrma|bvh)$/)]) {
    if (!humans.includes(file) && labels[file]?.kind !== 'humanoid') continue;
    const scene = await read(pathOf(file));
    if (scene.characters.length === 0) continue;
    const character: Character = scene.characters[chooseCharacter(scene).character]!;
    const { skeleton, clips } = character;
    const roles = Object.keys(createRig(skeleton, { clips }).joints);
    if (roles.length < 4) continue;
    bodies.push({
      file,
      scene: { ...scene, characters: [character] },
      clip: clips[clips.length >> 1]?.name ?? null,
      roles,
    });
  }
  return bodies;
}

describe('every humanoid on every other: ours, and real ones where they are', async () => {
  const bodies = await readBodies();
  it('reads enough of them to mean something', () => {
    expect(bodies.length).toBeGreaterThan(hasData ? 60 : 18);
    expect(bodies.filter(({ clip }) => clip !== null).length).toBeGreaterThan(hasData ? 40 : 10);
  });
  for (const source of bodies.filter(({ clip }) => clip !== null))
    it(`M4, M9, W15: ${source.file} on each, true to 0.1 degrees in direction, rotation and twist`, () => {
      const wrong: string[] = [];
      for (const target of bodies) {
        // An alien of spine and head and a toy of hips and limbs: told apart by a sentence, tested elsewhere.
        if (!target.roles.some((role) => source.roles.includes(role))) continue;
        const { clips } = source.scene.characters[0]!;
        const { duration } = clips.find(({ name }) => name === source.clip)!;
        const { clips: moved, report } = retargetPlainly(source.scene, target.scene, {
          clips: [source.clip!],
          // Every joint is compared, those too that the clip has no track for, and every key, those too between even frames.
          wholeBody: true,
          keys: 'refine',
          ...(duration > SECONDS && { range: [0, SECONDS] as const }),
        });
        const { direction, rotation, twist } = report.measures[0]!;
        const worst = Math.max(direction.worst, rotation.worst, twist?.worst ?? 0);
        const finite = moved[0]!.tracks.every(({ values }) => values.every(Number.isFinite));
        if (!(worst <= TRUE) || !finite || report.map.joints.length === 0)
          wrong.push(
            `${target.file}: direction ${direction.worst}, rotation ${rotation.worst}, twist ${twist?.worst}, finite ${finite}`,
          );
      }
      expect(wrong).toEqual([]);
    });
});
