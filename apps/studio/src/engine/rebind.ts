/** Comes when a mesh is to be bound anew, which is seldom. */
export { rebind } from '@stuntdouble/formats';
