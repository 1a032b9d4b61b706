import type { ManifestEntry } from '@stuntdouble/jobs';
import { type Batch, type BatchPlan, type DrawRun, drawCells, writeWhole } from '@stuntdouble/jobs/node';
import type { BatchCommandOptions } from './batch-flags.js';
import { galleryPage, picturedCells } from './gallery.js';

/** Draws the pictures of a batch that are missing, and writes its page. */
export async function writeGallery(
  batch: Batch,
  plan: BatchPlan,
  entries: readonly ManifestEntry[],
  { gallery, out }: BatchCommandOptions,
  run: DrawRun,
): Promise<void> {
  const keys = new Set(picturedCells(entries, gallery === 'all').map(({ key }) => key));
  const cells = plan.cells.filter(({ key }) => keys.has(key));
  const drawn = await drawCells(batch, plan, cells, run);
  writeWhole(`${out}/index.html`, galleryPage(out, [...entries, ...plan.unread], drawn), { force: true });
}
