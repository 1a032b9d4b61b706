export { bvh } from './bvh/index.js';
export * from './detect.js';
export { fbx } from './fbx/index.js';
export * from './format.js';
export * from './format-error.js';
export { gltf } from './gltf/index.js';
export * from './read.js';
export * from './read-meshes.js';
export * from './write.js';
