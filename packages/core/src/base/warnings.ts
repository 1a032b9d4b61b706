import { oneLine } from './printable.js';

/**
 * Choices that were made and nothing that was lost: which pose, unit or skeleton was taken, what was named or placed
 * otherwise. The union of codes is closed: a program may switch over it.
 */
export const NOTE_MEANINGS = {
  'unit-guessed': 'The file does not say its unit; it was guessed from the height of the body.',
  'reference-chosen':
    'Rest pose and bind pose disagree, or the rest is no body pose; another reference was chosen.',
  'torso-swung': 'The torsos lean more than 30 degrees differently at rest; the target was swung as one.',
  'knees-differ':
    'The knees bend more than 60 degrees differently at rest; the legs were aligned bone by bone.',
  'keys-repaired': 'Rotation keys that stood alone a half turn off were replaced, as was asked.',
  'keys-resampled': 'Keys could not be kept exactly; the motion was baked to frames.',
  'animals-matched':
    'Both bodies are built as animals’; the limbs, trunk and tail of the one move those of the other, chain by chain.',
  'joint-placed': 'A joint hangs elsewhere than its body part would; it was placed as well as turned.',
  'clip-name-taken': 'A clip of that name was in the target already; the new one got a suffix.',
  'several-skeletons': 'The file holds several skeletons; the one with most roles was taken.',
  'zero-length-bone': 'Joints coincide with their parents and have no direction of their own.',
  'joints-assumed':
    'The file names no joints (no skin, no humanoid, nothing that moves); its nodes were taken for joints.',
  'files-swapped':
    'The source has a skin and the target has none, but clips of its own; perhaps the two were exchanged.',
  'name-duplicate': 'Several joints carry the same name; they are told apart by their index.',
  'calibration-left-out':
    'A clip begins with a T- or A-pose that is held and left at once, for calibration; it is no part of the result.',
  'loop-cut': 'A clip was to loop and its ends do not match; the part of it that does was taken.',
  'lengths-kept':
    'The source stretches or shifts body parts; the target keeps the lengths of its own, as told by `translations`.',
  'take-read':
    'The keys of a clip reach further than the file says that the clip does; what the file says was read.',
  'motion-alone': 'The format written holds motion alone; the meshes of the character stay where they were.',
} as const satisfies Record<string, string>;

/**
 * What was lost, or is doubtful: every warning the engine and the readers can give, with what it means for the user.
 * The union of codes is closed, too.
 */
export const WARNING_MEANINGS = {
  'side-contradiction':
    'Names say left where the feet say right (or the reverse); the feet were followed and all sides exchanged.',
  'up-guessed':
    'The file does not say which way is up, or says otherwise than its body; it was read from the body.',
  'floor-guessed':
    'Nothing stands in a capture for long enough to say where its floor is; it was guessed, and can be told.',
  'facing-guessed': 'The facing could not be read from left and right; +Z was assumed.',
  'reference-odd': 'No candidate for the reference pose looks like a standing body; the result may be off.',
  'no-hips': 'No joint plays the hips; the motion is turned but does not travel.',
  'required-role-missing': 'A body part that every humanoid has was not found.',
  'roles-incomplete': 'Too few body parts were recognised by name to call this a humanoid.',
  'not-human': 'The body is built as an animal’s; its limbs are matched chain by chain, not part by part.',
  'scale-fallback': 'Hip heights or leg lengths could not be measured; another length gave the root scale.',
  'retarget-file-loss': 'A .retarget file cannot say all of a setup; what its engine will not do is told.',
  'bind-changed':
    'The bind pose was changed, as was asked; what was made for the old one is left out or may no longer hold.',
  'channel-dropped': 'Channels of the source have no counterpart on the target and were left out.',
  'morph-dropped': 'Morph weights of the source have no counterpart on the target and were left out.',
  'joint-not-placed':
    'A joint hangs elsewhere than its body part would, and that body part would hang on it, or its skin is bound to another; it was turned, not placed.',
  'skin-left-behind':
    'Joints beside the mapped body carry skin, and nothing shows what they belong to, or keys are kept that cannot carry them; they stay where they are.',
  'twist-left-out':
    'Keys are kept as they are, which cannot share the twist of arms and shins; their twist joints stay still.',
  'no-root-joint':
    'Root motion was to be extracted, but no joint stands above the hips; it stays on the hips.',
  'hierarchy-mismatch':
    'A joint hangs otherwise than its driver and, as the hierarchy is checked, is not moved.',
  'several-drivers': 'Two entries of the map drive one joint; the last one was used.',
  'map-entry-ignored': 'An entry of a map names a joint or a morph that is not there.',
  'recipe-entry-ignored': 'A recipe holds an entry that this version does not know.',
  'option-without-effect':
    'An option was given that changes nothing: misspelt, without what it needs, or for parts that are not there.',
  'goals-moved':
    'A chain that carries arms or legs has the last word, as was asked; hands and feet are moved on from their goals.',
  'clip-too-long':
    'A clip is longer than what is looked at as a whole; feet and hands were copied, not held.',
  'loop-not-found': 'A clip was to loop, and no two of its instants match; it was left as it is.',
  'clip-empty': 'A clip has no keys, or none for the joints that are mapped.',
  'clip-dropped': 'The format written holds one clip only; the others were left out.',
  'clip-left-out': 'Clips of another skeleton of the file are not in what was written.',
  'clip-unmeasured': 'A clip could not be measured.',
  'placement-distorted':
    'What stands above a skeleton mirrors, skews or stretches it; turns and lengths are then no longer true.',
  'value-not-finite': 'The file holds numbers that are not finite; they were replaced.',
  'turn-not-unit':
    'Rotations of the source are no turns, since their length is not 1; they were scaled to it.',
  'result-mended':
    'Numbers of the result would have been none, or none that a file can hold; their neighbours stand in for them.',
  'constraint-event-missing':
    'A time of a constraint is to be snapped to an event, and there is none near it; the time itself was taken.',
  'constraint-ignored':
    'A constraint names a joint, node, character or clip that is not there, or begins when its clips are over; the others hold.',
  'constraint-jumps': 'A constraint begins or ends at once, without a ramp: the motion jumps there.',
  'constraint-missed': 'A constraint was not met: out of reach, or a higher level forbids it.',
  'constraint-not-settled': 'A frame took more steps than it may; the best pose so far was kept.',
  'layer-joint-missing': 'A layer moves a joint that this body does not have; that part of it was left out.',
  'layer-turns-far':
    'A layer turns a joint by more than half a turn from one key to the next; the short way was taken.',
  'file-repaired': 'The file breaks its own format in a way that could be read around.',
  'feature-ignored': 'The file uses a feature that has no meaning here; it is kept on writing.',
} as const satisfies Record<string, string>;

/** The code of a note, from a closed and documented union. */
export type NoteCode = keyof typeof NOTE_MEANINGS;

/** The code of a warning, likewise. */
export type WarningCode = keyof typeof WARNING_MEANINGS;

/** Something to be told about a file, a rig or a result, said once, never thrown and never logged. */
export type Warning<Code extends string = WarningCode | NoteCode> = {
  code: Code;
  /** One sentence for a person, with the names and figures of this case. */
  message: string;
  /** The pass that noticed it, where one did. */
  pass?: string;
  /** The name of the joint concerned, where there is one. */
  joint?: string;
};

/** A choice that was made: nothing to mend, and good to know. */
export type Note = Warning<NoteCode>;

/** Whether something that is told is a note: a choice that was made, not a loss or a doubt. */
export function isNote<Code extends string>(told: Warning<Code>): told is Warning<Code & NoteCode> {
  return Object.hasOwn(NOTE_MEANINGS, told.code);
}

/** Parts what was told along the way into choices that were made, and what was lost or is doubtful. */
export function partNotes<Code extends string>(
  told: readonly Warning<Code>[],
): { notes: Warning<Code & NoteCode>[]; warnings: Warning<Exclude<Code, NoteCode>>[] } {
  const isWarning = (one: Warning<Code>): one is Warning<Exclude<Code, NoteCode>> => !isNote(one);
  return { notes: told.filter((one) => isNote(one)), warnings: told.filter(isWarning) };
}

/** Warnings as a caller gets them: each message one line that hides nothing, whatever names of files are in it. */
export function visibleWarnings<Code extends string>(warnings: readonly Warning<Code>[]): Warning<Code>[] {
  return warnings.map((warning) => ({ ...warning, message: oneLine(warning.message) }));
}
