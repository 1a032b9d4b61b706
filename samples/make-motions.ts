import { jump } from './motions/jump.js';
import { runTurn } from './motions/run-turn.js';
import { walk } from './motions/walk.js';
import { waveOnOneLeg } from './motions/wave-on-one-leg.js';
import type { SampleMotion } from './sample-motion.js';

/** All sample motions, made for the Mixamo-style guy. */
export const MOTIONS: readonly SampleMotion[] = [walk, runTurn, jump, waveOnOneLeg];
