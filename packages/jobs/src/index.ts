/*
 * Whole jobs: files in, files out. Nothing here prints, writes or needs Node; what does is in `node/`.
 */
export * from './batch/canonical-json.js';
export * from './batch/cell.js';
export * from './batch/manifest.js';
export * from './batch/plan-cells.js';
export * from './batch/run-cell.js';
export * from './check-job-options.js';
export * from './clean-file.js';
export * from './clip-range.js';
export * from './convert-file.js';
export * from './documents/export-map.js';
export * from './documents/import-map.js';
export * from './documents/parse-document.js';
export * from './documents/spire-files.js';
export * from './escape-xml.js';
export * from './failure.js';
export * from './flag-of.js';

export * from './inspect-scene.js';
export * from './json-text.js';
export * from './map-scenes.js';
export * from './measure/constraint-figure.js';
export * from './measure/draw-moments.js';
export * from './measure/gates.js';
export * from './measure/measure-scenes.js';
export * from './measure/pair-clips.js';
export * from './measure/report-card.js';
export * from './output-paths.js';
export * from './progress.js';
export * from './read-scene.js';
export * from './reshape-file.js';
export * from './retarget-files.js';
export * from './retarget-files-together.js';
export * from './retarget-job.js';
export * from './root-motion-file.js';
export * from './system-reason.js';
export * from './words.js';
