/**
 * The words of one naming convention, as data. Every word is compared folded: case, separators, prefix and
 * side taken away (see `readName`), so `UpLeg` stands for `mixamorig:LeftUpLeg` and `up_leg.R` alike. Words
 * of one entry that stand for the same joint are separated by `|`, the preferred one first.
 */
export type NameTable = {
  /** What people call the convention. */
  name: string;
  /** What joints of this family carry in front of the part's name. Matched at the start, case ignored. */
  prefix?: RegExp;
  /** A table of last resort: labels only where it explains clearly more than any other. */
  generic?: true;
  /** The names of one hand, which do not say of which side. */
  oneHand?: true;
  /** The joint that legs and spine branch from. */
  hips?: string;
  /** Every word for a torso joint above the hips, in any order: their roles follow from the hierarchy. */
  spine?: string;
  /** Every word for a neck joint, in any order: the lowest in the hierarchy plays the role. */
  neck?: string;
  head?: string;
  jaw?: string;
  eye?: string;
  /** The collar bone, which VRM calls shoulder. */
  shoulder?: string;
  upperArm?: string;
  lowerArm?: string;
  hand?: string;
  upperLeg?: string;
  lowerLeg?: string;
  foot?: string;
  toes?: string;
  /** One entry a phalanx from the palm outwards; three at most. */
  thumb?: readonly string[];
  index?: readonly string[];
  middle?: readonly string[];
  ring?: readonly string[];
  little?: readonly string[];
  /** Joints the family has that never play a role: roots, twists, helpers. They count as explained. */
  ignored?: string;
};
