/** Stuntdouble in Babylon.js, live alone. */
export * from '@stuntdouble/adapters/babylon/live';
