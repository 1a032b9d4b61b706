export * from './format-error.js';
