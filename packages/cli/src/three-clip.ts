/** Stuntdouble in three.js for a page that moves clips. */
export * from '@stuntdouble/adapters/three/clip';
