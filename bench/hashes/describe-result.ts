import type { Clip, Pose, RetargetResult, Scene } from '@stuntdouble/core';

/**
 * A result as plain data by what it is about, each of which gets a hash of its own: `motion`, and the parts of the
 * report, `report.map` and so on, so that a sentence that changed hides nothing in the motion, nor another sentence.
 */
export type Outcome = Record<string, unknown>;

/** What a clip says: joints by name, keys bit by bit; and nothing that a clip may carry besides. */
export function describeClip(
  { name, duration, tracks, morphs, gaze }: Clip,
  joints: readonly string[],
): unknown {
  return {
    name,
    duration,
    tracks: tracks.map(({ joint, channel, interpolation, times, values }) => ({
      joint,
      name: joints[joint] ?? null,
      channel,
      interpolation,
      times,
      values,
    })),
    morphs: morphs.map(({ mesh, morph, interpolation, times, values }) => ({
      mesh,
      morph,
      interpolation,
      times,
      values,
    })),
    gaze: gaze && { interpolation: gaze.interpolation, times: gaze.times, values: gaze.values },
  };
}

/** What a result says: clips and root motion, and the report by its parts. */
export function describeResult({ scene, character, clips, rootMotion, report }: RetargetResult): Outcome {
  const names = scene.characters[character]?.skeleton.names ?? [];
  const motion = {
    character,
    clips: clips.map((clip) => describeClip(clip, names)),
    rootMotion: rootMotion?.map(
      (track) =>
        track && { times: track.times, translations: track.translations, rotations: track.rotations },
    ),
  };
  return { motion, ...describeReport(report) };
}

/** The parts of a report, each under a name of its own. */
export function describeReport(report: object | null): Outcome {
  return Object.fromEntries(
    Object.entries(report ?? {}).map(([part, value]) => [`report.${part}`, value as unknown]),
  );
}

/** What was read of a file: its skeletons and clips, bit by bit, and what was imperfect about it. */
export function describeScene({ format, name, characters, otherClips, morphs, warnings }: Scene): unknown {
  return {
    format,
    name,
    characters: characters.map(({ skeleton, clips }) => ({
      skeleton: { ...skeleton },
      clips: clips.map((clip) => describeClip(clip, skeleton.names)),
    })),
    otherClips: otherClips?.map((clip) => describeClip(clip, [])),
    morphs,
    warnings,
  };
}

/** A copy of a pose, which may be overwritten later. */
export function describePose({ translations, rotations, scales }: Pose): unknown {
  return { translations: translations.slice(), rotations: rotations.slice(), scales: scales.slice() };
}
