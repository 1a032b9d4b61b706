/*
 * Stuntdouble in three.js: clips for an object as it stands, and live retargeting.
 */
export {};
