export { createTPose, type TPose } from './t-pose.js';
export { PRESET_EXPRESSIONS, writeVrma } from './write-vrma.js';
