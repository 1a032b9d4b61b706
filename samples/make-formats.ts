import { paintBody } from './body/body-paint.js';
import { createCharacter, type SampleCharacter } from './character-file.js';
import { guyBody } from './characters/mixamo-guy.js';
import { ease } from './curves.js';
import { compressWithDraco, compressWithMeshopt } from './formats/compress-document.js';
import { fbxRecords, Y_UP, Z_UP } from './formats/fbx-file.js';
import { encodeAsciiFbx, encodeBinaryFbx } from './formats/fbx-records.js';
import { writeGlb } from './formats/glb-builder.js';
import { writeVrmAnimation } from './formats/vrm-animation.js';
import { walk } from './motions/walk.js';
import { waveOnOneLeg } from './motions/wave-on-one-leg.js';
import { type Playable, playable } from './sample-motion.js';
import { type Container, PLAIN_CONTAINER } from './sample-rig.js';
import { turnAbout } from './vector.js';

/** A character in a file of other axes or units. */
function inSpace(character: SampleCharacter, container: Partial<Container>): SampleCharacter {
  const { rig } = character;
  return { ...character, rig: { ...rig, container: { ...PLAIN_CONTAINER, ...container } } };
}

/** A greeting with arms, trunk and head alone, for a body on which legs must not move as the guy's do. */
function greetingFor({ rig }: SampleCharacter): Playable {
  const wave = playable(waveOnOneLeg);
  return {
    ...wave,
    name: 'greeting',
    frameRate: 15,
    poseAt: (t) => {
      const { turns } = wave.poseAt(t);
      const kept = Object.entries(turns).filter(
        ([part]) => !/hips|Leg|Foot|Toes|Index|Middle|Ring|Little|Thumb/.test(part),
      );
      return { turns: { ...rig.rest.turns, ...Object.fromEntries(kept) }, hips: rig.rest.hips };
    },
  };
}

/** Makes the samples that show a format: name of the file to bytes. */
export async function makeFormats(characters: readonly SampleCharacter[]): Promise<Map<string, Uint8Array>> {
  const named = (name: string) => characters.find((one) => one.name === name)!;
  const draco = createCharacter(named('child'));
  await compressWithDraco(draco);
  const meshopt = createCharacter(named('goblin'));
  await compressWithMeshopt(meshopt);
  const guy = inSpace(named('mixamo-guy'), { unit: 0.01 });
  const child = inSpace(named('child'), { unit: 0.0254, rotation: turnAbout([1, 0, 0], -90) });
  const smile = (t: number) => ease((t - 0.6) / 0.6) * ease((4.2 - t) / 0.6);
  return new Map([
    ['child-draco.glb', writeGlb(draco)],
    ['goblin-meshopt.glb', writeGlb(meshopt)],
    ['guy-walk.fbx', encodeBinaryFbx(fbxRecords(guy, playable(walk), Y_UP))],
    [
      'guy-painted.fbx',
      encodeBinaryFbx(
        fbxRecords(guy, { ...playable(walk), frameRate: 15 }, Y_UP, paintBody(named('mixamo-guy'))),
      ),
    ],
    ['child-greeting.fbx', encodeAsciiFbx(fbxRecords(child, greetingFor(child), Z_UP))],
    [
      'wave.vrma',
      writeVrmAnimation(guyBody, { ...playable(waveOnOneLeg), frameRate: 30 }, [
        { expression: 'happy', at: smile },
        { expression: 'blink', at: (t) => Math.max(0, 1 - Math.abs(t - 2.3) / 0.1) },
      ]),
    ],
  ]);
}
