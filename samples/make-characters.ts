import type { SampleCharacter } from './character-file.js';
import { createAlien } from './characters/alien.js';
import { createBaker } from './characters/baker.js';
import { createChild } from './characters/child.js';
import { createDog } from './characters/dog.js';
import { createGoblin } from './characters/goblin.js';
import { createKnight } from './characters/knight.js';
import { createMixamoGuy } from './characters/mixamo-guy.js';
import { createRobot } from './characters/robot.js';
import { createUnrealMannequin } from './characters/unreal-mannequin.js';
import { createVrmGirl } from './characters/vrm-girl.js';
import { createNewSister, createOldSister } from './characters/vrm-sisters.js';

/** Makes all sample characters, the one that the motions were made for first. */
export function makeCharacters(): readonly SampleCharacter[] {
  made ??= [
    createMixamoGuy(),
    createVrmGirl(),
    createUnrealMannequin(),
    createGoblin(),
    createChild(),
    createRobot(),
    createOldSister(),
    createNewSister(),
    createKnight(),
    createBaker(),
    createAlien(),
    createDog(),
  ];
  return made;
}

/** Skinning a dozen bodies takes seconds: they are made once, and nobody changes them. */
let made: SampleCharacter[] | null = null;
