import { retarget } from '../src/retarget.js';
import { createSetup } from '../src/setup/create-setup.js';
import { setUpScenes } from '../src/setup/set-up-scenes.js';

/*
 * What is exact by itself is proved without corrections, which bend limbs so that feet hold: directions, trips there
 * and back, both cores against each other. What is asked for goes before.
 */

const PLAIN = { corrections: 'none' } as const;

/** `retarget` that copies turns and root alone. */
export const retargetPlainly: typeof retarget = (source, target, options) =>
  retarget(source, target, { ...PLAIN, ...options });

/** `setUpScenes` for turns and root alone. */
export const setUpScenesPlainly: typeof setUpScenes = (source, target, options) =>
  setUpScenes(source, target, { ...PLAIN, ...options });

/** `createSetup` for turns and root alone. */
export const createPlainSetup: typeof createSetup = (source, target, map, options) =>
  createSetup(source, target, map, { ...PLAIN, ...options });
