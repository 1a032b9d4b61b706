/*
 * The library for most people: everything of the engine and of the file formats in one import.
 */
export * from '@stuntdouble/core';
export * from '@stuntdouble/formats';
