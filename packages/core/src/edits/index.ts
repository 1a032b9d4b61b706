/*
 * Edits: what a person asks for on top of a retargeted motion. Constraints come in as a document and go out as a step
 * that changes poses so that they hold, as little as possible; layers come in as curves and are added to poses. Both
 * are checked first (`check…`), then compiled for a body (`compile…`), then run frame by frame (`create…Step`).
 */
export * from './constraints/check-constraints.js';
export * from './constraints/compile-constraints.js';
export * from './constraints/compiled-constraint.js';
export * from './constraints/constraint-report.js';
export * from './constraints/constraint-step.js';
export * from './constraints/find-events.js';
export { type RampTimes, rampAt } from './constraints/ramp.js';
export type { BodyPlan } from './constraints/solve/moving-body.js';
export { STEP_BUDGET } from './constraints/solve/system.js';
export * from './edit-warnings.js';
export * from './edited-body.js';
export * from './edits-of-part.js';
export * from './layers/band-layer.js';
export * from './layers/check-layers.js';
export * from './layers/compile-layers.js';
export { bandOf, lowBand, scaleBand } from './layers/filter-band.js';
export { fitKeys } from './layers/fit-keys.js';
export * from './layers/generated-layer.js';
export * from './layers/layer-step.js';
export * from './layers/layered-joint.js';
export * from './layers/spread-edit.js';
export * from './vector-curve.js';
