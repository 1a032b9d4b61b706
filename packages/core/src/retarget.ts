import { isSameData } from './base/copy-data.js';
import { partNotes, visibleWarnings, type Warning } from './base/warnings.js';
import { watchWork } from './base/watch-work.js';
import { chooseCharacter } from './body/understand/create-rig.js';
import { finishClip } from './clips/finish-clip.js';
import { addGaze } from './clips/gaze.js';
import { matchMorphs } from './clips/match-morphs.js';
import { mirrorKnownScene } from './clips/mirror-scene.js';
import { ownKeys } from './clips/own-keys.js';
import { pingPong } from './clips/ping-pong.js';
import { chooseClips } from './clips/prepare-clip.js';
import { mendClip, soundGaze } from './clips/sound-turns.js';
import { toldContacts } from './contacts/contact-document.js';
import { measureClip } from './measures/measure.js';
import { createMorphReport, createReport } from './measures/report/create-report.js';
import type { Report } from './measures/report/report.js';
import { judgeResult } from './measures/verdict/verdict.js';
import { checkRetargetOptions } from './options/check-options.js';
import { tellsJoints } from './options/rig-map-document.js';
import { travellingJointOf } from './passes/extract-root.js';
import { type RootMotionTrack, rootMotionThereAndBack } from './passes/parts/read-travel.js';
import type { RetargetOptions } from './passes/parts/told-options.js';
import { checkPasses } from './passes/pipeline.js';
import { checkScene } from './scene/check-scene.js';
import type { Clip } from './scene/clip.js';
import type { Scene } from './scene/scene.js';
import { setUpKnown } from './setup/set-up-scenes.js';
import { beginClip, partOf } from './ways/begin-clip.js';
import { clipsOf, noteOfSwap, warningsOfOptions } from './ways/clips-to-move.js';
import { moveMorphs } from './ways/move-morphs.js';
import { retargetClip } from './ways/retarget-clip.js';
import { expectedWork, FINISHED, SHARE_BEGUN, SHARE_MOVED, watchOf } from './ways/watch-clips.js';

/** Clips on the target, and the report of how they came about. */
export type RetargetResult = {
  /** The target as it was read; writing puts the clips into its document. */
  scene: Scene;
  /** Which character of the scene the clips move. */
  character: number;
  clips: Clip[];
  /** Per clip what was taken out of it, where root motion is given apart (W24). */
  rootMotion?: (RootMotionTrack | null)[];
  report: Report;
};

/**
 * Moves the clips of one scene onto the character of another. Nothing of either scene is changed.
 * @param isReported For our own packages: who shows the report to nobody spares its verdict, and the look at the shape of
 *   bodies whose names leave nothing open, which changes only how sure of them it is.
 * @throws RetargetError where there is nothing to move or nothing to move it onto; UsageError where an
 * option does not fit the files.
 */
export function retarget(
  given: Scene,
  target: Scene,
  options: RetargetOptions = {},
  isReported = true,
): RetargetResult {
  // 1. Options that can be meant, scenes that are whole.
  checkRetargetOptions(options);
  checkPasses(options.passes);
  options.signal?.throwIfAborted();
  checkScene(given, 'source', (name) => options.clips === undefined || options.clips.includes(name));
  checkScene(target, 'target', () => false);

  // 2. The source as it is to be seen: in a mirror, where asked to.
  const { tell, clipCount } = watchOf(given, options);
  const tellBegun = tell && (() => tell(0, clipCount, ''));
  tellBegun?.();
  const source = options.mirror ? watchWork(tellBegun, 1, () => mirrorKnownScene(given)) : given;
  if (source.characters.length === 0 && source.otherClips?.some(({ morphs }) => morphs.length > 0)) {
    const { clips, warnings } = moveMorphs(source, source.otherClips, target, options);
    const { character } =
      target.characters.length > 0 ? chooseCharacter(target, options.targetSkeleton) : { character: 0 };
    return { scene: target, character, clips, report: createMorphReport(clips, warnings) };
  }

  // 3. Both characters understood, mapped, aligned, and compiled for every pass.
  const known = watchWork(tellBegun, 1, () =>
    setUpKnown(source, target, options, { weighsShape: isReported }),
  );
  const { setup, targetIndex } = known;

  // 4. The clips that are to be moved.
  const available = clipsOf(source, known.sourceIndex, target, targetIndex);
  const chosen = chooseClips(available, options.clips);
  const report = createReport(known);
  const told: Warning[] = [...known.warnings];
  told.push(...warningsOfOptions(source, available, options));
  told.push(...noteOfSwap(source, known.sourceIndex, target, targetIndex));

  // 5. Each clip: trimmed and cleaned, looked at and moved, its morphs and gaze with it, finished, measured.
  const clips: Clip[] = [];
  const judged: { source: Clip; result: Clip }[] = [];
  const rootMotion: (RootMotionTrack | null)[] = [];
  chosen.forEach((original, n) => {
    /** Does what takes the clip from one share of the way to another, and tells how far it is. */
    const step = <T>(from: number, to: number, amount: number, run: () => T): T => {
      const heard =
        tell && ((part: number) => tell(n + from + (to - from) * part, chosen.length, original.name));
      heard?.(0);
      return watchWork(heard, amount, run);
    };
    const work = expectedWork(setup, original);
    const begun = step(0, SHARE_BEGUN, work, () => beginClip(setup, original, options, told));
    const { prepared, start, end, loops } = begun;
    const part = { ...options, range: [start, Math.min(end, original.duration)] as const };
    const expected = expectedWork(setup, prepared);
    const measure = options.measure !== false;
    const clipOptions = { mapIsTold: tellsJoints(options.map), ...options, measure };
    const moved = step(SHARE_BEGUN, SHARE_MOVED, 3 * expected, () =>
      retargetClip(setup, prepared, clipOptions, toldContacts(original, part), partOf(part)),
    );
    const isWhole = moved.way === 'copy' && isSameData(source.morphs, target.morphs) && !options.morphs;
    const morphs = isWhole
      ? { tracks: [...prepared.morphs], warnings: [] }
      : matchMorphs(prepared.morphs, target, original.name, options.morphs);
    told.push(...morphs.warnings);
    let clip: Clip = { ...moved.clip, morphs: morphs.tracks };
    if (prepared.gaze) clip = addGaze(clip, soundGaze(prepared.gaze), setup.target);
    // Its tracks are its own already.
    if (clip.morphs.length > 0 || clip.gaze) clip = ownKeys(clip, original);
    const sizes = { travel: travellingJointOf(setup), height: setup.target.space.height };
    const finished = step(SHARE_MOVED, FINISHED, expected, () =>
      finishClip(setup.target.skeleton, clip, loops ? options : { ...options, loop: false }, sizes),
    );
    step(FINISHED, FINISHED, expected, () => mendClip(finished.clip, () => 0, false));
    clips.push(finished.clip);
    const played = options.pingPong ? pingPong(begun.given) : begun.given;
    judged.push({ source: played, result: finished.clip });
    rootMotion.push(
      moved.rootMotion && options.pingPong
        ? rootMotionThereAndBack(moved.rootMotion, prepared.duration)
        : moved.rootMotion,
    );
    report.clips.push({
      name: clip.name,
      duration: finished.clip.duration,
      frames: moved.frames,
      way: moved.way,
      refusals: moved.refusals,
      reason: moved.reason,
      ...(start > 0 && { start }),
      ...(moved.missed !== null && { missed: (moved.missed * 180) / Math.PI }),
      ...(finished.reduced && { reduced: finished.reduced }),
      ...(moved.contacts && { contacts: moved.contacts }),
      ...(moved.constraints && { constraints: moved.constraints }),
    });
    told.push(...moved.warnings);
    if (measure)
      report.measures.push(
        step(FINISHED, 1, 3 * expected, () => measureClip(setup, played, finished.clip, options.wholeBody)),
      );
  });
  options.signal?.throwIfAborted();
  options.onProgress?.(chosen.length, chosen.length, '');

  // 6. Clips on the target, and how they came about.
  Object.assign(report, partNotes(visibleWarnings(told)));
  const { measures, coverage, warnings } = report;
  const facts = { setup, clips: judged, measures, coverage, warnings };
  if (isReported)
    report.verdict = watchWork(tell && (() => tell(chosen.length, chosen.length, '')), 1, () =>
      judgeResult(facts),
    );
  const isApart = options.rootMotion === 'apart';
  return { scene: target, character: targetIndex, clips, ...(isApart && { rootMotion }), report };
}
