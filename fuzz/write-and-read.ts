import type { Clip, Scene } from '@stuntdouble/core';
import { read, writeBytes } from '@stuntdouble/formats';
import { attempt, note, type Verdict } from './attempt.js';
import { judgeScene } from './judge-scene.js';

/** A program may make a clip of a century; who reads it must say that he expects one. */
const NO_LIMITS = { seconds: Number.POSITIVE_INFINITY };

/** Writes clips in a format, and reads what was written, which our own reader must be able to. */
export async function writeAndRead(
  verdict: Verdict,
  extension: string,
  { scene, character, clips }: { scene: Scene; character: number; clips: readonly Clip[] },
): Promise<void> {
  const written = await attempt(verdict, `write ${extension}`, () =>
    writeBytes(extension, { scene, character, clips }, { resolve: refuse }),
  );
  if (!written) return;
  try {
    note(
      verdict,
      `read what was written as ${extension}`,
      judgeScene(await read(written.bytes, { resolve: refuse, limits: NO_LIMITS })),
    );
  } catch (error) {
    const message = error instanceof Error ? `${error.name}: ${error.message.slice(0, 160)}` : String(error);
    verdict.faults.push(`read what was written as ${extension}: ${message}`);
  }
}

async function refuse(): Promise<never> {
  throw new Error('no other file is there');
}
