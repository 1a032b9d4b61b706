import { drawMoments } from './draw-moments.js';
import type { Measured, MeasureJob } from './measure-scenes.js';
import { measurePage } from './report-page.js';

/** The report card of a result as one HTML page, with pictures of its worst moments. */
export async function measureCard(job: MeasureJob, measured: Measured): Promise<string> {
  const { clips, curves, verdict, limits } = measured;
  return measurePage({
    ...{ source: job.source.scene.name, result: job.result.scene.name },
    ...{ clips, curves, verdicts: limits, judged: verdict },
    drawMoment: await drawMoments(job, measured),
  });
}
