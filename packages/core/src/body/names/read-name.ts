import type { Side } from '../roles.js';

/** One way to understand a joint's name: the body part's word, folded, and the side. */
export type NameReading = { key: string; side: Side | null };

/** Printable ASCII, which nearly all words are. */
export const PRINTABLE_ASCII = /^[ -~]*$/;

/** A word without case, separators and width: `Upper_Arm` and `upperarm` are one; numbers stay as written. */
export function foldWord(word: string): string {
  // Letters of all scripts make a pattern that takes a millisecond to compile.
  if (PRINTABLE_ASCII.test(word)) return word.toLowerCase().replace(/[^a-z0-9]/g, '');
  return word
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}

/*
 * Where names carry their side, surest first: (before)(side)(after). Each is anchored at both ends and
 * repeats one thing at a time, so that no name takes long.
 */
const SIDE_PATTERNS: readonly RegExp[] = [
  // LeftArm, left_upLeg_joint, 左腕
  /^()(left|right|左|右)(.+)$/is,
  // ShoulderLeft, arm-left
  /^(.+)(left|right|左|右)()$/is,
  // CC_Base_L_Thigh, upper_arm.L.001, thumb_left_1
  /^(.*[\s._:|/-])(l|r|left|right)([\s._:|/-].*)$/is,
  // L_Hip, l-thigh
  /^()([lr])([\s._:|/-].+)$/is,
  // lShldr, LThumb
  /^()([lrLR])([A-Z].*)$/s,
  // thigh_l, UpperArm.L
  /^(.+[\s._:|/-])([lr])()$/is,
  // handL, index01R
  /^(.*[a-z0-9])([LR])()$/s,
  // upperarml, lshldr: the above where an exporter dropped the separator or the case
  /^(.+)([lr])()$/is,
  /^()([lr])(.+)$/is,
];

/**
 * Every way a name can be read, surest first. The name is expected without its family's prefix. Which
 * reading is right is for a table to say: `rightHand` is a hand, `thighr` a thigh, `Foot` neither side's.
 * None where the name starts with two underscores: that is how connectors between joints are marked.
 */
export function readName(name: string): NameReading[] {
  if (name.startsWith('__')) return [];
  const readings: NameReading[] = [];
  for (const pattern of SIDE_PATTERNS) {
    const match = pattern.exec(name);
    if (!match) continue;
    const key = foldWord(match[1]! + match[3]!);
    const left = /^[l左]/i.test(match[2]!);
    if (key !== '') readings.push({ key, side: left ? 'left' : 'right' });
  }
  const whole = foldWord(name);
  if (whole !== '') readings.push({ key: whole, side: null });
  return readings;
}
