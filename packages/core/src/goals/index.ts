export * from './forward-joints.js';
export * from './goal-plan.js';
export * from './goal-setup.js';
export * from './goals.js';
export * from './plan-feet.js';
export * from './plan-goals.js';
export * from './plan-hips.js';
export * from './smooth-curves.js';
