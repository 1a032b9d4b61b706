export { bvh } from './bvh/index.js';
export * from './detect.js';
export * from './format.js';
export * from './format-error.js';
export { gltf, readMeshes } from './gltf/index.js';
export * from './read.js';
export * from './write.js';
