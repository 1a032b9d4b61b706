/** Stuntdouble in Babylon.js. */
export * from '@stuntdouble/adapters/babylon';
