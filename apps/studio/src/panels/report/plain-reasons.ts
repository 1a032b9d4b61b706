/** A reason of the engine: what it goes by, and its own words. */
type Reason = { code: string; message: string };

/**
 * Reasons whose words only somebody who builds files knows, as one who animates would say them. The console has the
 * engine's own words beside their codes.
 */
const PLAIN: Readonly<Record<string, (message: string) => string>> = {
  'channel-dropped': (message) => {
    const count = Number(/(\d+) translation/.exec(message)?.[1] ?? 0);
    return `joints beside the body move in the source${count > 1 ? ` (${count} of them)` : ''}, and this character has none for that`;
  },
  'morph-dropped': (message) => {
    const names = /on "[^"]*": (.+)$/.exec(message)?.[1];
    return `the face moves in the source${names ? ` (${names})` : ''}, and this character has no shape for that`;
  },
  'roles-incomplete': noHuman,
  'not-human': noHuman,
  'scale-fallback': () => 'legs could not be compared: how far it travels goes by the size of the bodies',
  'file-repaired': (message) => `a fault in the file was read around: ${lowered(message)}`,
  'feature-ignored': (message) => `the file holds something that is not played here: ${lowered(message)}`,
};

/** That a body is none of a person, and what it has instead. */
function noHuman(message: string): string {
  const name = /"[^"]*"/.exec(message)?.[0] ?? 'this';
  const parts = /has (.+) and lacks/.exec(message)?.[1];
  return `${name} is no human body${parts ? ` (it has ${parts})` : ''}: see whether the right parts move`;
}

/** Words that follow a colon: without a capital, unless they begin with an abbreviation. */
function lowered(message: string): string {
  return /^[A-Z][a-z]/.test(message) ? message.charAt(0).toLowerCase() + message.slice(1) : message;
}

/** A message without the clip that it begins with: a verdict is about the one that is played. */
function withoutClip(message: string): string {
  return message.replace(/^"[^"]*": /, '');
}

/** A reason in words that need no knowledge of files. */
export function plainReason({ code, message }: Reason): string {
  return sentenceOf(PLAIN[code]?.(message) ?? withoutClip(message));
}

/** Why nothing came of two files, in a sentence: what the engine could not match is said with what to do about it. */
export function plainFailure(message: string): string {
  return /could be matched/.test(message)
    ? 'No part of one body was found in the other. Choose a joint in Map, press M and click the joint that shall drive it.'
    : sentenceOf(message);
}

/** Why a file was not opened. What begins as no format that is read is a file of another kind, or a damaged one. */
export function plainRefusal(file: string, message: string): string {
  const [, found, advice] = /^file, byte 0: found (.+); expected [^(]*(?:\((.+)\))?$/.exec(message) ?? [];
  if (found === undefined) return `${file}: ${message}`;
  // The engine knows what it is, mostly with what to do about it, which comes last.
  const whatToDo = advice?.includes(': ') ? `: ${advice.split(': ').at(-1)}` : '';
  if (!/^("|bytes )/.test(found)) return `${file} is ${found}${whatToDo}.`;
  const kind = /\.(fbx|bvh|glb|gltf|vrm|vrma)$/i.exec(file)?.[1];
  const what = kind ? `is damaged, or no ${kind.toUpperCase()} file` : 'is neither a motion nor a character';
  return `${file} ${what}: FBX, BVH, GLB, glTF, VRM and VRMA can be read.`;
}

/** Words of the engine as a sentence; body parts are said in words, names of joints and clips stay as they are. */
export function sentenceOf(message: string): string {
  const words = withPartsInWords(message);
  const text = words.charAt(0).toUpperCase() + words.slice(1);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** Words of the engine with body parts as people say them: `both are leftHand` becomes `both are left hand`. */
export function withPartsInWords(message: string): string {
  return message.replace(/"[^"]*"|\b(?:left|right|upper)[A-Z][A-Za-z]+/g, (part) =>
    part.startsWith('"') ? part : partWords(part).toLowerCase(),
  );
}

/** A body part in words: `leftUpperArm` becomes `Left upper arm`. */
export function partWords(role: string): string {
  const words = role.replace(/([A-Z])/g, ' $1').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
