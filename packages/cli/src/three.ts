/** Stuntdouble in three.js. */
export * from '@stuntdouble/adapters/three';
