export * from './solve-two-bone.js';
export * from './turn-joint.js';
