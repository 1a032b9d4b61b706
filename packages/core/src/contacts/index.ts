export * from './body-points.js';
export * from './contact-document.js';
export * from './contact-tracker.js';
export * from './find-contacts.js';
export * from './track-points.js';
