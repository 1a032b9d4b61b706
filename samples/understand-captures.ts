import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Character, createRig, type Rig } from '@stuntdouble/core';
import { read } from '@stuntdouble/formats';
import { BVH_DIALECTS, type BvhDialectName } from './formats/bvh-dialects.js';
import {
  type CaptureTruth,
  captureVariants,
  misunderstandings,
  sampleCapture,
  tellOtherwise,
} from './formats/capture-variants.js';
import { MOTIONS } from './make-motions.js';

/*
 * What is understood of captures that are told otherwise, against what is known of them: our motions as nine programs
 * write them, and CMU's captures where they are at hand, each begun later, without its T-pose, with another axis up, in
 * other units, looking elsewhere, its zero pose hung at the origin or standing.
 *
 *   npm run bench:understanding                       counts
 *   npm run bench:understanding -- --only lie-down    those with the word in their name, each fault told
 */

const onlyAt = process.argv.indexOf('--only');
const only = onlyAt < 0 ? '' : (process.argv[onlyAt + 1] ?? '');

const FAULTS = ['up', 'unit', 'floor', 'hips', 'facing'] as const;
type Count = Record<'variants' | 'wrong' | 'said' | (typeof FAULTS)[number], number>;
const blank = (): Count => ({ variants: 0, wrong: 0, said: 0, up: 0, unit: 0, floor: 0, hips: 0, facing: 0 });
const counts = new Map<string, Count>();

/** What is said where a capture is understood by guess. */
const SAID = new Set(['up-guessed', 'floor-guessed', 'reference-odd']);

function tryAll(
  group: string,
  name: string,
  character: Character,
  truth: CaptureTruth,
  startsInTPose: boolean,
  isBody: boolean,
): void {
  const count = counts.get(group) ?? blank();
  counts.set(group, count);
  for (const variant of captureVariants(truth, startsInTPose, isBody)) {
    const told = tellOtherwise(character, variant, truth);
    const rig = createRig(told.skeleton, { clips: told.clips });
    const wrong = misunderstandings(told, variant, truth, rig);
    count.variants++;
    if (wrong.length === 0) continue;
    const isSaid = rig.warnings.some(({ code }) => SAID.has(code));
    count.wrong++;
    if (isSaid) count.said++;
    for (const fault of FAULTS) if (wrong.some((word) => word.startsWith(fault))) count[fault]++;
    if (only !== '')
      console.log(
        `${name} ${JSON.stringify(variant)}: ${wrong.join('; ')}${isSaid ? ' (said)' : ''} | ${rig.reference.reason}`,
      );
  }
}

for (const motion of MOTIONS)
  for (const name of Object.keys(BVH_DIALECTS) as BvhDialectName[]) {
    if (!`${motion.name}-${name}`.includes(only)) continue;
    const { character, truth, startsInTPose, isBody } = sampleCapture(motion, name);
    tryAll(
      isBody ? motion.name : `${name}`,
      `${motion.name}-${name}`,
      character,
      truth,
      startsInTPose,
      isBody,
    );
  }

// The compiled module lies in samples/dist.
const data = new URL(process.env.STUNTDOUBLE_DATA ?? '../../../shared/data/', import.meta.url);
const cmu = new URL('cmu/', data);
for (const file of existsSync(cmu) ? readdirSync(cmu).filter((each) => each.endsWith('.bvh')) : []) {
  if (!file.includes(only)) continue;
  const character = (await read(fileURLToPath(new URL(file, cmu)))).characters[0]!;
  const rig = createRig(character.skeleton, { clips: character.clips });
  const { metres } = rig.space.unit;
  // The floor of these is the plane of the origin, to a few centimetres; how high hips stand is known less well.
  const truth: CaptureTruth = {
    unit: metres,
    floor: 0,
    hipHeight: zeroHipHeight(rig) / metres,
    slack: 0.08,
    facing: [0, 0, 1],
    looseHips: true,
  };
  tryAll(`cmu/${file}`, file, character, truth, true, true);
}

/** How high the hips are over the lowest joint in the zero pose, metres. */
function zeroHipHeight({ skeleton, space }: Rig): number {
  const heights = new Float64Array(skeleton.names.length);
  skeleton.parents.forEach((parent, joint) => {
    if (parent >= 0) heights[joint] = heights[parent]! + skeleton.rest.translations[3 * joint + 1]!;
  });
  return -Math.min(...heights) * space.unit.metres;
}

const total = blank();
const line = (name: string, count: Count) =>
  console.log(
    name.padEnd(20),
    Object.entries(count)
      .map(([key, value]) => `${key} ${value}`)
      .join('  '),
  );
for (const [name, count] of counts) {
  for (const key of Object.keys(total) as (keyof Count)[]) total[key] += count[key];
  line(name, count);
}
line('all', total);
