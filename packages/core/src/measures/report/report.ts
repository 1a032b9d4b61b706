import type { LimbAlignment } from '../../align/align-references.js';
import type { RootScales } from '../../align/root-scales.js';
import type { Note, Warning, WarningCode } from '../../base/warnings.js';
import type { ReferencePose } from '../../body/reference.js';
import type { RigFloor, RigSpace } from '../../body/rig-space.js';
import type { Limb } from '../../body/roles.js';
import type { ConstraintResult } from '../../edits/constraints/constraint-report.js';
import type { RigMap } from '../../map/rig-map.js';
import type { Contact } from '../../options/contact.js';
import type { WayName } from '../../ways/clip-way.js';
import type { Refusal } from '../../ways/ways.js';
import type { PenetrationMeasure } from '../arms/measure-penetration.js';
import type { CoverageMeasure } from '../measure-coverage.js';
import type { MotionMeasures } from '../measure-motion.js';
import type { SkinMeasure } from '../measure-skin.js';
import type { ResultVerdict } from '../verdict/result-verdict.js';

/** A distribution of angles in degrees. */
export type AngleSummary = { mean: number; p99: number; worst: number };

/** How true one clip of a result is to its source. Angles in degrees. */
export type ClipMeasures = {
  /** The clip's name in the result. */
  name: string;
  /** Joint-to-joint directions of arms, hands and fingers over the motion, and leg lines between the references. */
  direction: AngleSummary & { limbs: Partial<Record<Limb, AngleSummary>> };
  /** Turn from the aligned reference of joints with exactly one driver, source against result. */
  rotation: AngleSummary;
  /** The part of the rotation error about the limb's own axis, where both sides show evidence of roll. */
  twist: AngleSummary | null;
  /** Largest difference of the knees' bend in the reference poses, which is kept as anatomy and not counted. */
  kneeBend: number | null;
  /** How many instants were compared. */
  samples: number;
  /** Feet, contacts, ground, smoothness and the rest, over time. */
  motion: MotionMeasures;
  /** Whether all of the skin comes along; left out where no mesh was given. */
  skin?: SkinMeasure;
  /** How deep arms are in their own body, by its skin; left out where no mesh was given, null where it has no arms. */
  penetration?: PenetrationMeasure | null;
};

/** How one side of a retarget was understood, each answer with its reason. */
export type ReportSide = {
  reference: Pick<ReferencePose, 'kind' | 'frame' | 'reason'>;
  space: RigSpace;
  floor: RigFloor;
};

/** What a retarget did: the map, every choice with its reason, warnings, and how good the result is. */
export type Report = {
  map: RigMap;
  source: ReportSide;
  target: ReportSide;
  alignment: Partial<Record<Limb, LimbAlignment>>;
  rootScales: RootScales;
  /** Per clip of the result, in order. */
  clips: {
    name: string;
    duration: number;
    /** Number of frames where baked; the largest number of keys of a track where keys were kept. */
    frames: number;
    /**
     * `copy`: same skeleton, taken over whole; `keys`: keys kept; `products`: keys of joints that take over several
     * turns multiplied, all others kept; `frames`: baked, but for joints that could keep theirs.
     */
    way: WayName;
    /** The ways that were not taken, in the order in which they were tried, and why. */
    refusals: readonly Refusal[];
    /** Seconds of the source's clip at which it begins, where it does not begin with it. */
    start?: number;
    /**
     * How far lines between baked frames miss at most what the passes give half way, in degrees, over at most 240
     * instants; left out where keys were kept, or the result is not measured.
     */
    missed?: number;
    /** Why keys were not kept, where they were not. */
    reason: string;
    /** How many keys there were, and how many are left, where they were reduced. */
    reduced?: { before: number; after: number };
    /** What touched what and when, where feet and hands were corrected: found in the source, or as told. */
    contacts?: readonly Contact[];
    /** How each constraint came out, where there were some for this clip: met, or missed by how much and when. */
    constraints?: readonly ConstraintResult[];
  }[];
  /** How much of the target the map reaches; null where nothing is mapped. */
  coverage: CoverageMeasure | null;
  measures: ClipMeasures[];
  /** What is to be thought of the result, and why; without measures where it was not measured. */
  verdict: ResultVerdict;
  /** Choices that were made: which pose, unit or skeleton was taken. Nothing to mend. */
  notes: Note[];
  /** What was lost, or is doubtful. */
  warnings: Warning<WarningCode>[];
};
