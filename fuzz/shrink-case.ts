import { type FuzzCase, signatureOf } from './attempt.js';

/** The most steps that shrinking takes: what is left then is small enough to be read. */
const MOST_STEPS = 60;

/** Takes away from a case what its first fault does not need. */
export async function shrinkCase(given: FuzzCase): Promise<FuzzCase> {
  const wanted = signatureOf((await given.run()).faults[0] ?? '');
  let smallest = given;
  for (let n = 0; n < MOST_STEPS; n++) {
    let next: FuzzCase | null = null;
    for (const smaller of smallest.smaller?.() ?? []) {
      const { faults } = await smaller.run();
      if (!faults.some((fault) => signatureOf(fault) === wanted)) continue;
      next = smaller;
      break;
    }
    if (!next) return smallest;
    smallest = next;
  }
  return smallest;
}
