import type { Note, Retargeter, RootMotionStep, Setup } from '@stuntdouble/core/engine';

/** What every engine's live retargeter tells of a character, and lets people do with it. */
export type LiveCharacter<Told> = {
  readonly setup: Setup;
  /** Choices that were made in understanding the two characters. */
  readonly notes: readonly Note[];
  /** What is doubtful about it. */
  readonly warnings: readonly Told[];
  /** How far the character went on with the last update, where root motion is given apart. */
  readonly rootMotion: RootMotionStep;
  /** Exchanges what is told of the target's chains while it runs; see `Retargeter.setChains`. */
  setChains: Retargeter['setChains'];
  /** Forgets what was before, as after a cut. */
  reset(): void;
};
