import { type ClipMeasures, type PooledMeasures, poolMeasures, type Warning } from '@stuntdouble/core/engine';

/** A measure that a user may set a limit to, on the command line. */
export type Gate = {
  /** The option without its dashes, such as `max-slide`. */
  flag: string;
  /** What is measured and in which unit, for help and messages. */
  meaning: string;
  unit: string;
  /** The figure of one clip; null where it could not be measured. */
  value: (clip: ClipMeasures) => number | null;
  /** The figure of all clips together, where that is what is judged. */
  pooled?: (all: PooledMeasures) => number | null;
};

/** The limits that `measure` takes, in the order in which they are told. */
export const GATES: readonly Gate[] = [
  {
    flag: 'max-direction',
    meaning: 'worst direction error of arms, hands, fingers and leg lines',
    unit: '°',
    value: ({ direction }) => direction.worst,
  },
  {
    flag: 'max-rotation',
    meaning: 'worst rotation error of joints with one driver',
    unit: '°',
    value: ({ rotation }) => rotation.worst,
  },
  {
    flag: 'max-twist',
    meaning: 'worst twist error about limbs that show their roll',
    unit: '°',
    value: ({ twist }) => twist?.worst ?? null,
  },
  {
    flag: 'max-slide',
    meaning: 'mean foot slide, in % of the hip height a second',
    unit: ' %/s',
    value: ({ motion }) => motion.slide?.result.mean ?? null,
  },
  {
    flag: 'max-float',
    meaning: 'mean height of feet over the floor in contacts, in % of the hip height',
    unit: ' %',
    value: ({ motion }) => motion.heights?.float.mean ?? null,
  },
  {
    flag: 'max-sink',
    meaning: 'deepest that feet are under the floor in contacts, in % of the hip height',
    unit: ' %',
    value: ({ motion }) => motion.heights?.sink.worst ?? null,
  },
  {
    flag: 'max-sunk',
    meaning: "frames with a foot more than 2 % under the floor where the source's is not, in % of all",
    unit: ' %',
    value: ({ motion }) =>
      motion.heights && (100 * motion.heights.sunkFrames) / Math.max(1, motion.heights.frames),
  },
  {
    flag: 'min-agreement',
    meaning: "F1 of contacts against the source's, 0 to 1, of all clips together",
    unit: '',
    value: ({ motion }) => motion.agreement?.f1 ?? null,
    pooled: ({ agreement }) => agreement,
  },
  {
    flag: 'min-support',
    meaning: "F1 of what carries the body, part by part and by its skin, against the source's, 0 to 1",
    unit: '',
    value: ({ motion }) => motion.support?.f1 ?? null,
    pooled: ({ support }) => support?.f1 ?? null,
  },
  {
    flag: 'max-unsupported',
    meaning: 'frames in which nothing is within 1 % of the floor while the source lies or stands on it, in %',
    unit: ' %',
    value: ({ motion: { support } }) => support && (100 * support.empty) / Math.max(1, support.carried),
  },
  {
    flag: 'max-tilt',
    meaning: 'mean tilt of soles in contacts against the source',
    unit: '°',
    value: ({ motion }) => motion.soleTilt?.mean ?? null,
  },
  {
    flag: 'max-self-contact',
    meaning: 'mean error of the distances of hands from what they touch in the source, in % of the arm',
    unit: ' %',
    value: ({ motion }) => motion.selfContact?.result.mean ?? null,
  },
  {
    flag: 'max-arms-alone',
    meaning: "mean angle between arms and the source's where nothing is a reason to turn them",
    unit: '°',
    value: ({ motion }) => motion.armsAlone?.result.mean ?? null,
  },
  {
    flag: 'max-carried',
    meaning: 'largest change of the distance of hands while they carry something between them, in %',
    unit: ' %',
    value: ({ motion }) => motion.carriedHands?.result.worst ?? null,
  },
  {
    flag: 'max-penetration',
    meaning: 'mean depth of the deepest skin of the arms in the own body, in % of the arm',
    unit: ' %',
    value: ({ penetration }) => penetration?.deepest.mean ?? null,
  },
  {
    flag: 'max-ground',
    meaning: 'mean depth of the deepest joint under the floor, in % of the hip height',
    unit: ' %',
    value: ({ motion }) => motion.ground?.joints.mean ?? null,
  },
  {
    flag: 'max-jerk',
    meaning: 'jerk over that of plainly copied motion',
    unit: '',
    value: ({ motion }) => motion.smoothness?.jerkRatio ?? null,
  },
  {
    flag: 'max-pops',
    meaning: 'joints that pop, knees that snap, and knees or elbows that turn over',
    unit: '',
    value: ({ motion: { smoothness, pops } }) =>
      smoothness && (pops?.count ?? 0) + smoothness.kneePops + smoothness.bendFlips,
  },
  {
    flag: 'max-skin',
    meaning: 'the longest edge of the skin that hangs on a joint without a driver, over its length at rest',
    unit: '',
    value: ({ skin }) => skin?.stretch ?? null,
  },
  {
    flag: 'max-limits',
    meaning: 'instants at which a knee bends backwards or folds into the thigh',
    unit: '',
    value: ({ motion }) => motion.limits?.violations ?? null,
  },
  {
    flag: 'max-seam',
    meaning: "how far a loop's last pose is from its first, beyond the source's own; mean of all joints",
    unit: '°',
    value: ({ motion }) => motion.loopSeam && Math.max(0, motion.loopSeam.result - motion.loopSeam.source),
  },
];

/** A limit held against a figure. */
export type Verdict = {
  flag: string;
  /** The clip, or null for all together. */
  clip: string | null;
  limit: number;
  /** Null where it could not be measured: that is no failure, but it is said. */
  value: number | null;
  passed: boolean;
  /** One sentence for a person. */
  message: string;
};

/** Holds measured clips against limits, by flag; where a limit is asked for, both bodies must have been understood. */
export function judge(
  clips: readonly ClipMeasures[],
  limits: Readonly<Record<string, number>>,
  warnings: readonly Warning[] = [],
): Verdict[] {
  const pooled = poolMeasures(clips.map(({ motion }) => motion));
  const verdicts = GATES.flatMap((gate) => {
    const limit = limits[gate.flag];
    if (limit === undefined) return [];
    if (gate.pooled) return [verdictOf(gate, null, limit, gate.pooled(pooled))];
    return clips.map((clip) => verdictOf(gate, clip.name, limit, gate.value(clip)));
  });
  return verdicts.length > 0 ? [...verdicts, ...warnings.flatMap(notUnderstood)] : verdicts;
}

/** Figures of a body that was understood by guess mean nothing: no limit is kept. */
function notUnderstood({ code, message }: Warning): Verdict[] {
  return code === 'reference-odd'
    ? [{ flag: 'reference', clip: null, limit: 0, value: 1, passed: false, message }]
    : [];
}

/** The figure of every limit there is for several clips together: the worst of them; null where none was measured. */
export function figuresOfClips(clips: readonly ClipMeasures[]): Record<string, number | null> {
  const pooled = poolMeasures(clips.map(({ motion }) => motion));
  return Object.fromEntries(
    GATES.map((gate) => {
      if (gate.pooled) return [gate.flag, gate.pooled(pooled)];
      const values = clips.map(gate.value).filter((value) => value !== null);
      const worst = gate.flag.startsWith('min-') ? Math.min(...values) : Math.max(...values);
      return [gate.flag, values.length === 0 ? null : worst];
    }),
  );
}

/**
 * Holds figures against limits, both by flag. What could not be measured keeps them.
 * @param warnings Codes; a source that was not understood keeps no limit.
 */
export function judgeFigures(
  figures: Readonly<Record<string, number | null>>,
  limits: Readonly<Record<string, number>>,
  warnings: readonly string[] = [],
): Pick<Verdict, 'flag' | 'limit' | 'value' | 'passed'>[] {
  const judged = GATES.flatMap(({ flag }) => {
    const limit = limits[flag];
    if (limit === undefined) return [];
    const value = figures[flag] ?? null;
    const passed = value === null || (flag.startsWith('min-') ? value >= limit : value <= limit);
    return [{ flag, limit, value, passed }];
  });
  const isOdd = judged.length > 0 && warnings.includes('reference-odd');
  return isOdd ? [...judged, { flag: 'reference', limit: 0, value: 1, passed: false }] : judged;
}

function verdictOf(gate: Gate, clip: string | null, limit: number, value: number | null): Verdict {
  const isLeast = gate.flag.startsWith('min-');
  const passed = value === null || (isLeast ? value >= limit : value <= limit);
  const where = clip === null ? 'all clips' : `"${clip}"`;
  const isOff = isLeast ? 'is less than' : 'is more than';
  const message =
    value === null
      ? `${where}: --${gate.flag} could not be judged, there is nothing to measure`
      : `${where}: ${figureText(value, gate.unit)} ${passed ? 'keeps' : isOff} --${gate.flag} ${limit}: ${gate.meaning}`;
  return { flag: gate.flag, clip, limit, value, passed, message };
}

/** A figure with three digits and its unit, as people read it: what rounds to less than a thousandth is 0. */
export function figureText(value: number | null, unit: string): string {
  if (value === null) return 'n/a';
  return `${Math.abs(value) < 0.0005 ? 0 : Number(value.toPrecision(3))}${unit}`;
}
