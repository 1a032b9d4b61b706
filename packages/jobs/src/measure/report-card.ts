import type { ConstraintResult } from '@stuntdouble/core/engine';
import { drawMoments } from './draw-moments.js';
import type { Measured, MeasureJob } from './measure-scenes.js';
import { measurePage } from './report-page.js';

/**
 * The report card of a result as one HTML page, with pictures of its worst moments.
 * @param constraints How the constraints came out that the result was made with, one list per clip measured; a file alone
 * does not tell.
 */
export async function measureCard(
  job: MeasureJob,
  measured: Measured,
  constraints: readonly (readonly ConstraintResult[])[] = [],
): Promise<string> {
  const { clips, curves, verdict, limits } = measured;
  return measurePage({
    ...{ source: job.source.scene.name, result: job.result.scene.name },
    ...{ clips, curves, verdicts: limits, judged: verdict, constraints },
    drawMoment: await drawMoments(job, measured),
  });
}
