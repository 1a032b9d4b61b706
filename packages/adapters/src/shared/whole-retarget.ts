/** All of the engine that moves clips, in a file of its own: a page fetches this, and nothing that it does not reach. */
export { retarget } from '@stuntdouble/core/engine';
