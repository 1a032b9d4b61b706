import type { Plain } from '@stuntdouble/core/engine';

/** Settings that go together, for a purpose. */
export type Preset = { name: string; summary: string; settings: Record<string, Plain> };

/** The presets of the panel. */
export const PRESETS: readonly Preset[] = [
  { name: 'As usual', summary: 'Feet and hands corrected, all else as found', settings: {} },
  {
    name: 'Plain copy',
    summary: 'Turns alone, no corrections: the fastest, and keys are kept where they can be',
    settings: { corrections: 'none' },
  },
  {
    name: 'Hands where they were',
    summary: 'Hands keep the places of the source, and the spine helps',
    settings: {
      limbScalings: { leftArm: { limbScale: 0, rootScale: 0 }, rightArm: { limbScale: 0, rootScale: 0 } },
      reach: 'together',
    },
  },
  {
    name: 'Game clip',
    summary: 'In place, closed to a loop, with few keys',
    settings: { rootMotion: 'inPlace', loop: true, reduce: true },
  },
  {
    name: 'Wide body',
    summary: 'Arms and legs spread for a body that is wider',
    settings: { spacing: { arms: 0.25, legs: 0.1 } },
  },
];
