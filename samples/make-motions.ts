import { actionPose } from './motions/action-pose.js';
import { carryBox } from './motions/carry-box.js';
import { clap } from './motions/clap.js';
import { climb } from './motions/climb.js';
import { crawl } from './motions/crawl.js';
import { handstandFreeze } from './motions/handstand-freeze.js';
import { idle } from './motions/idle.js';
import { jump } from './motions/jump.js';
import { keeperBlock } from './motions/keeper-block.js';
import { kipUp } from './motions/kip-up.js';
import { kneel } from './motions/kneel.js';
import { lieDown } from './motions/lie-down.js';
import { pickUp } from './motions/pick-up.js';
import { pray } from './motions/pray.js';
import { runTurn } from './motions/run-turn.js';
import { sideKick } from './motions/side-kick.js';
import { sitDown } from './motions/sit-down.js';
import { sitOnGround } from './motions/sit-on-ground.js';
import { strafe } from './motions/strafe.js';
import { swordStrike } from './motions/sword-strike.js';
import { walk } from './motions/walk.js';
import { waveOnOneLeg } from './motions/wave-on-one-leg.js';
import type { SampleMotion } from './sample-motion.js';

/** All sample motions, made for the Mixamo-style guy. */
export const MOTIONS: readonly SampleMotion[] = [
  walk,
  runTurn,
  jump,
  waveOnOneLeg,
  idle,
  clap,
  sitDown,
  sitOnGround,
  kneel,
  crawl,
  climb,
  lieDown,
  pickUp,
  carryBox,
  sideKick,
  actionPose,
  strafe,
  handstandFreeze,
  kipUp,
  keeperBlock,
  pray,
  swordStrike,
];
