/** Stuntdouble in three.js, live alone. */
export * from '@stuntdouble/adapters/three/live';
