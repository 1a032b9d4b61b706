/*
 * The documents that `--json` prints, as a program that reads them would state them: strict, so that a key
 * more or less is noticed.
 */
import { ROLES } from '@stuntdouble/core';
import { READ_EXTENSIONS } from '@stuntdouble/formats/kinds';
import { z } from 'zod';

const axis = z.union([
  z.enum(['+X', '-X', '+Y', '-Y', '+Z', '-Z']),
  z.tuple([z.number(), z.number(), z.number()]),
]);
const role = z.enum(ROLES as [string, ...string[]]).nullable();
const confidence = z.number().min(0).max(1);
const index = z.int().min(0);
const warnings = z.array(z.strictObject({ code: z.string().regex(/^[a-z-]+$/), message: z.string().min(1) }));
const judged = {
  verdict: z.enum(['good', 'look', 'broken']),
  reasons: z.array(
    z.strictObject({
      verdict: z.enum(['look', 'broken']),
      code: z.string().regex(/^[a-z-]+$/),
      message: z.string().min(1),
      clip: z.string().optional(),
    }),
  ),
};
const angles = { mean: z.number().min(0), p99: z.number().min(0), worst: z.number().min(0) };
const figure = z.number().min(0);
const count = z.int().min(0);
const summary = z.strictObject({ mean: figure, p99: figure, worst: figure, count });
const ofBoth = z.strictObject({ result: summary, source: summary });
const matched = {
  f1: figure.max(1),
  sourceFrames: count,
  sourceMatched: count,
  resultFrames: count,
  resultMatched: count,
};
const support = z.strictObject({
  f1: figure.max(1),
  parts: z.partialRecord(
    z.enum(['foot', 'knee', 'seat', 'back', 'elbow', 'hand', 'head']),
    z.strictObject(matched),
  ),
  carried: count,
  empty: count,
});
const motion = z.strictObject({
  slide: ofBoth.extend({ pivots: ofBoth.nullable() }).nullable(),
  heights: z
    .strictObject({
      float: summary,
      sink: summary,
      sourceFloat: summary,
      sourceSink: summary,
      sunkFrames: count,
      frames: count,
    })
    .nullable(),
  agreement: z
    .strictObject({
      f1: figure.max(1),
      sourceFrames: count,
      sourceMatched: count,
      resultFrames: count,
      resultMatched: count,
      coverage: figure.max(1),
    })
    .nullable(),
  soleTilt: summary.nullable(),
  reach: z
    .strictObject({
      feet: summary.nullable(),
      hands: summary.nullable(),
      legExtension: summary.nullable(),
      sourceLegExtension: summary.nullable(),
      outOfReach: count,
      frames: count,
    })
    .nullable(),
  selfContact: z
    .strictObject({ result: summary, copied: summary.nullable(), kept: figure.max(1) })
    .nullable(),
  armsAlone: z.strictObject({ result: summary, copied: summary.nullable(), share: figure.max(1) }).nullable(),
  carriedHands: z
    .strictObject({
      result: summary,
      copied: summary.nullable(),
      scaled: summary,
      stretches: count,
      share: figure.max(1),
    })
    .nullable(),
  ground: z
    .strictObject({
      joints: summary,
      skin: summary.nullable(),
      sourceJoints: summary,
      sourceSkin: summary.nullable(),
      deeper: z.strictObject({ joints: summary, skin: summary.nullable() }),
      sunkFrames: count,
      frames: count,
    })
    .nullable(),
  smoothness: z
    .strictObject({
      jerkRatio: figure.nullable(),
      kneePops: count,
      copiedKneePops: count,
      bendFlips: count,
      frames: count,
    })
    .nullable(),
  support: support.nullable(),
  pops: z.strictObject({ count, worst: figure, joints: z.array(z.string()) }).nullable(),
  limits: z.strictObject({ violations: count, worst: figure, frames: count }).nullable(),
  correction: z
    .strictObject({ turn: summary, travel: summary.nullable(), joints: z.record(z.string(), figure) })
    .nullable(),
  loopSeam: z.strictObject({ result: figure, source: figure }).nullable(),
  notMeasured: z.record(z.string(), z.string().min(1)),
});
const pooled = z.strictObject({
  support: support.nullable(),
  slide: z.strictObject({ mean: figure, p99: figure, source: figure }).nullable(),
  float: figure.nullable(),
  sink: figure.nullable(),
  sunk: figure.nullable(),
  agreement: figure.max(1).nullable(),
  selfContact: z.strictObject({ mean: figure, copied: figure.nullable() }).nullable(),
  armsAlone: z.strictObject({ mean: figure, worst: figure, share: figure.max(1) }).nullable(),
  carriedHands: z.strictObject({ mean: figure, worst: figure, scaled: figure }).nullable(),
  ground: figure.nullable(),
  groundSkin: figure.nullable(),
  jerkRatio: figure.nullable(),
  pops: count,
  kneePops: count,
  bendFlips: count,
});
const limits = z.array(
  z.strictObject({
    flag: z.string().regex(/^(max|min)-/),
    clip: z.string().nullable(),
    limit: figure,
    value: figure.nullable(),
    passed: z.boolean(),
    message: z.string().min(1),
  }),
);
const depths = { deepest: summary, mean: summary, share: figure.max(1) };
const measures = z.array(
  z.strictObject({
    name: z.string(),
    direction: z.strictObject({ ...angles, limbs: z.record(z.string(), z.strictObject(angles)) }),
    rotation: z.strictObject(angles),
    twist: z.strictObject(angles).nullable(),
    kneeBend: z.number().nullable(),
    samples: z.int().min(1),
    motion,
    skin: z
      .strictObject({
        stretch: figure.nullable(),
        torn: z.array(z.string()),
        drift: figure.nullable(),
        edges: count,
        instants: count,
      })
      .optional(),
    penetration: z
      .strictObject({
        ...depths,
        copied: z.strictObject(depths).nullable(),
        instants: count,
      })
      .nullable()
      .optional(),
  }),
);

/** How sure an answer is, and why. */
const why = { confidence: z.number().min(0).max(1), reason: z.string().min(1) };

/** What `inspect --json` prints. */
export const inspectSchema = z.strictObject({
  format: z.enum(READ_EXTENSIONS),
  dialect: z.string().min(1).nullable(),
  unit: z.number().positive().nullable(),
  up: axis.nullable(),
  facing: axis.nullable(),
  height: z.number().min(0).nullable(),
  skeletons: z.array(
    z.strictObject({
      name: z.string(),
      space: z.strictObject({
        up: z.strictObject({ axis, ...why }),
        facing: z.strictObject({ axis, ...why }),
        unit: z.strictObject({ metres: z.number().positive(), ...why }),
        floor: z.strictObject({ height: z.number(), ...why }),
      }),
      kind: z.enum(['quadruped', 'bird', 'spider', 'snake', 'fish']).optional(),
      reference: z.strictObject({
        kind: z.enum(['rest', 'bind', 'frame', 'pose']),
        reason: z.string().min(1),
        frame: z.strictObject({ clip: z.string(), time: z.number() }).optional(),
      }),
      joints: z.array(
        z.strictObject({
          index,
          name: z.string(),
          parent: index.nullable(),
          role,
          confidence,
          part: z.string().nullable().optional(),
        }),
      ),
    }),
  ),
  clips: z.array(z.strictObject({ name: z.string(), duration: z.number().min(0), keys: z.int().min(0) })),
  contacts: z
    .record(
      z.string(),
      z.array(
        z.strictObject({
          point: z.string(),
          start: z.number(),
          end: z.number(),
          height: z.number(),
          position: z.tuple([z.number(), z.number(), z.number()]),
        }),
      ),
    )
    .optional(),
  notes: warnings,
  warnings,
});

const joint = z.strictObject({ index, name: z.string() });
const leftOver = z.array(z.strictObject({ index, name: z.string(), reason: z.string().min(1) }));

/** What `map --json` prints. */
export const mapSchema = z.strictObject({
  joints: z.array(
    z.strictObject({
      target: joint,
      sources: z.array(joint).min(1),
      role,
      confidence,
      reason: z.string().min(1),
    }),
  ),
  unmapped: z.strictObject({ source: leftOver, target: leftOver }),
  notes: warnings,
  warnings,
});

const constraintResult = {
  index: z.int().min(0),
  name: z.string(),
  joint: z.string(),
  state: z.enum(['met', 'missed', 'idle']),
  frames: z.int().min(0),
  missed: z.int().min(0),
  worst: z.number().min(0),
  worstTime: z.number(),
  times: z.object({ in: z.number(), start: z.number(), end: z.number(), out: z.number() }),
  mean: z.number().min(0),
  curve: z.strictObject({
    unit: z.enum(['metres', 'radians']),
    times: z.array(z.number()),
    alphas: z.array(z.number().min(0).max(1)),
    misses: z.array(z.number().min(0)),
  }),
};

/** What `retarget --json` prints. */
export const retargetSchema = z.strictObject({
  output: z.union([z.string(), z.array(z.string()).min(2), z.null()]),
  clips: z.array(
    z.strictObject({
      name: z.string(),
      frames: z.int().min(0),
      duration: z.number().min(0),
      way: z.enum(['copy', 'keys', 'products', 'frames']),
      constraints: z.array(z.strictObject(constraintResult)).optional(),
    }),
  ),
  mapped: z.int().min(0),
  ...judged,
  rootMotion: z
    .array(
      z.strictObject({
        name: z.string(),
        times: z.array(z.number()),
        translations: z.array(z.number()),
        rotations: z.array(z.number()),
      }),
    )
    .optional(),
  notes: warnings,
  warnings,
  measures,
});

/** What `measure --json` prints. */
export const measureSchema = z.strictObject({
  clips: measures,
  pooled,
  ...judged,
  coverage: z
    .strictObject({
      driven: figure.max(1).nullable(),
      confidence: figure.max(1),
      left: z.array(z.string()),
    })
    .nullable(),
  limits,
  notes: warnings,
  warnings,
});

/** What `clean --json` prints. */
export const cleanSchema = z.strictObject({
  format: z.string().min(1),
  output: z.union([z.string(), z.array(z.string()).min(2), z.null()]),
  clips: z.array(
    z.strictObject({
      name: z.string(),
      duration: z.number().min(0),
      frames: z.int().min(0),
      before: measures.element,
      after: measures.element,
    }),
  ),
  left: z.array(z.string()),
  ...judged,
  notes: warnings,
  warnings,
});

/** What `convert --json` prints. */
export const convertSchema = z.strictObject({
  format: z.string().min(1),
  dialect: z.string().min(1).nullable(),
  output: z.union([z.string(), z.array(z.string()).min(2), z.null()]),
  clips: z.array(z.strictObject({ name: z.string(), duration: z.number().min(0), keys: z.int().min(0) })),
  notes: warnings,
  warnings,
});
