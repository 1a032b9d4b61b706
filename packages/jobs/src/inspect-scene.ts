import {
  type Clip,
  type Contact,
  chooseCharacter,
  createRig,
  findLoopContacts,
  keyCount,
  PLANNED_CONTACTS,
  type Rig,
  type RigOptions,
  type Scene,
  type Skeleton,
  type Warning,
} from '@stuntdouble/core/engine';
import { uniqueWarnings } from './words.js';

/** Everything that is known of a file by looking at it. */
export type Inspection = {
  scene: Scene;
  /** One per skeleton of the file, in its order. */
  rigs: Rig[];
  /** Index of the skeleton that commands take by default, or −1 where there is none. */
  character: number;
  /** By clip, where they were asked for. */
  contacts?: Record<string, Contact[]>;
  warnings: Warning[];
};

/** What to look at in a file. */
export type InspectOptions = {
  /** The skeleton that commands take, by name or number; the one that is taken by default if left out. */
  skeleton?: string;
  /** The roles that joints of that skeleton are known to have. */
  rolesOf?: (skeleton: Skeleton) => NonNullable<RigOptions['roles']>;
  /** Whether to find when which part of the body stands on something. */
  contacts?: boolean;
};

/** Looks at a file: how each of its skeletons is understood, and what is odd about it. */
export function inspectScene(scene: Scene, options: InspectOptions = {}): Inspection {
  const warnings = [...scene.warnings];
  let character = -1;
  if (scene.characters.length > 0) {
    const choice = chooseCharacter(scene, options.skeleton);
    character = choice.character;
    warnings.push(...choice.warnings);
  }
  const rigs = scene.characters.map(({ skeleton, clips }, i) =>
    createRig(skeleton, {
      clips,
      ...(options.rolesOf && i === character ? { roles: options.rolesOf(skeleton) } : {}),
    }),
  );
  for (const rig of rigs) warnings.push(...rig.warnings);
  const inspection: Inspection = { scene, rigs, character, warnings: uniqueWarnings(warnings) };
  const rig = rigs[character];
  if (options.contacts)
    inspection.contacts = Object.fromEntries(
      (rig ? scene.characters[character]!.clips : []).map((clip) => [
        clip.name,
        findLoopContacts(rig!, clip, PLANNED_CONTACTS),
      ]),
    );
  return inspection;
}

/** The clips of all characters; one that moves several of them is listed once. Those of a file without any, too. */
export function clipsOf(scene: Scene): Clip[] {
  const clips: Clip[] = [...(scene.otherClips ?? [])];
  scene.characters.forEach((character, i) => {
    for (const clip of character.clips) {
      const known = scene.characters
        .slice(0, i)
        .some(({ clips: earlier }) => earlier.some(({ name }) => name === clip.name));
      if (!known) clips.push(clip);
    }
  });
  return clips;
}

/** How many keys all tracks of a clip have together. */
export function keysOf(clip: Clip): number {
  const gaze = clip.gaze?.times.length ?? 0;
  return gaze + [...clip.tracks, ...clip.morphs].reduce((sum, track) => sum + keyCount(track), 0);
}
