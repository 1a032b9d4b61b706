import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { FormatError, RetargetError, read, retarget, write } from 'stuntdouble';

/*
 * Puts one motion on every character of a folder:
 *
 *   node batch.js walk.bvh characters out
 */
const [motionPath, folder, output] = process.argv.slice(2);
if (!motionPath || !folder || !output) throw new Error('usage: node batch.js MOTION FOLDER OUTPUT');

const motion = await read(motionPath);
await mkdir(output, { recursive: true });
for (const file of (await readdir(folder)).filter((name) => /\.(glb|vrm)$/i.test(name))) {
  try {
    const result = retarget(motion, await read(join(folder, file)));
    await write(join(output, file), result, { force: true });
    const { map, measures } = result.report;
    const slide = Math.max(...measures.map(({ motion }) => motion.slide?.result.mean ?? 0));
    console.log(
      `${file}: ${map.joints.length} joints, feet slide ${slide.toFixed(2)} % of the hip height a second`,
    );
  } catch (error) {
    // A file that cannot be read, or a character of which nothing is known: the others still get theirs.
    if (!(error instanceof FormatError || error instanceof RetargetError)) throw error;
    console.log(`${file}: left out, ${error.message}`);
  }
}
