import { copyPose, type Pose, type RecipeReference, sampleClip } from '@stuntdouble/core/engine';
import { changeOwn, changeShared, jobOf, type StudioDocument } from '../../document/document.js';
import { referenceOfPose } from '../../document/reference.js';
import type { FileId } from '../../engine/protocol.js';
import { activeResult, sourceTiming, understandingOf } from '../../stage/content.js';
import { theEngine } from '../../state/actions.js';
import { clock } from '../../state/clock.js';
import { say, useDerived } from '../../state/derived-store.js';
import { changeDocument, currentDocument } from '../../state/document-store.js';
import type { SideName } from '../../state/view-store.js';

/** The reference that a document tells for a side; undefined where it is left to be found. */
export function toldReference(
  document: StudioDocument,
  side: SideName,
  file: FileId,
): RecipeReference | undefined {
  const recipe = side === 'source' ? document.shared : document.own[file];
  return recipe?.references?.[side];
}

/** Tells the reference of a side, or (undefined) leaves it to be found. */
export function tellReference(
  label: string,
  side: SideName,
  file: FileId,
  reference: RecipeReference | undefined,
  gesture: string | null = null,
): void {
  const change = (recipe: StudioDocument['shared']): StudioDocument['shared'] => {
    const { references, ...rest } = recipe;
    const { [side]: _, ...others } = references ?? {};
    const next = reference ? { ...others, [side]: reference } : others;
    return Object.keys(next).length > 0 ? { ...rest, references: next } : rest;
  };
  changeDocument(
    label,
    (document) => (side === 'source' ? changeShared(document, change) : changeOwn(document, file, change)),
    gesture,
  );
}

/** Makes a pose the reference of a side: as edits on what it was. */
export function poseReference(
  side: SideName,
  file: FileId,
  pose: Pose,
  label = 'Pose a joint',
  gesture: string | null = null,
): void {
  const document = currentDocument();
  const facts = useDerived.getState().files[file]?.facts;
  const found = understandingOf(document, side === 'target' ? file : undefined)?.[side];
  if (!facts?.skeleton || !found) return;
  tellReference(
    label,
    side,
    file,
    referenceOfPose(facts, toldReference(document, side, file), found, pose),
    gesture,
  );
}

/** Makes the frame that is played the reference of a side: of the source its instant, of a character its pose. */
export function takeFrame(side: SideName, file: FileId): void {
  const result = activeResult();
  const facts = useDerived.getState().files[file]?.facts;
  if (!result || !facts?.skeleton) return;
  if (side === 'source') {
    const { offset, rate } = sourceTiming(result.job);
    const time = Number((offset + clock.time() * rate).toFixed(6));
    tellReference('Take this frame', side, file, { base: { clip: result.clip, time } });
    return;
  }
  if (!result.entry) return;
  const pose = copyPose(facts.skeleton.rest);
  sampleClip(pose, result.entry.clip, clock.time());
  poseReference(side, file, pose, 'Take this frame');
}

/** Puts a side into a T-pose, an A-pose, or as the source stands. */
export async function takeStance(side: SideName, stance: 'T' | 'A' | 'source'): Promise<void> {
  const document = currentDocument();
  const job = jobOf(document);
  if (!job) return;
  const file = side === 'source' ? job.source : job.target;
  try {
    const { pose } = await theEngine().quick.ask({ type: 'stance', job, side, stance });
    const label = stance === 'source' ? 'Align to the source' : `${stance}-pose`;
    poseReference(side, file, pose, label);
  } catch (error) {
    say('error', error instanceof Error ? error.message : String(error));
  }
}
