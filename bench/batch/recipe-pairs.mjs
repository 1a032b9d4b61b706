/*
 * Whether a saved recipe gives the same bytes: every motion on every character, once as it is found and once by the recipe
 * that was saved with it. Our samples, and the files of ../shared/data where that folder is there and --data is given: of
 * each the first clip, its first second. By hand:
 *
 *     npm run build && node bench/batch/recipe-pairs.mjs            all pairs of our samples
 *     node bench/batch/recipe-pairs.mjs --data --every 7            every seventh pair of the data
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { read } from '@stuntdouble/formats';
import { READ_EXTENSIONS } from '@stuntdouble/formats/kinds';
import { retargetFiles } from '@stuntdouble/jobs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const argv = process.argv.slice(2);
const numberOf = (flag, otherwise) =>
  argv.includes(flag) ? Number(argv[argv.indexOf(flag) + 1]) : otherwise;
const folder = argv.includes('--data') ? here('../../../shared/data') : here('../../samples/files');
if (!existsSync(folder)) throw new Error(`there is no ${folder}`);
const every = numberOf('--every', 1);

/** The bytes of one clip's first second. @returns null where the two files have nothing in common. */
async function attempt(source, target, more) {
  const clip = source.content.characters[0]?.clips[0] ?? source.content.otherClips?.[0];
  try {
    return await retargetFiles({
      ...{ source, target, output: 'out.glb', animationOnly: true, options: { measure: false } },
      clips: [clip.name],
      range: { end: { seconds: Math.min(1, clip.duration) } },
      ...more,
    });
  } catch (error) {
    if (more.recipe) throw error;
    return null;
  }
}

const scenes = [];
for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort())
  if (READ_EXTENSIONS.includes(path.split('.').at(-1).toLowerCase()))
    try {
      scenes.push({ name: path, content: await read(join(folder, path)) });
    } catch {
      // Files that are broken on purpose.
    }
const sources = scenes.filter(({ content }) => content.characters[0]?.clips.length > 0);
const targets = scenes.filter(({ content }) => content.characters.length > 0);
let [pairs, same, nothing, n] = [0, 0, 0, 0];
for (const source of sources)
  for (const target of targets) {
    if (n++ % every !== 0) continue;
    const first = await attempt(source, target, { saveRecipe: 'r.json' });
    if (!first) {
      nothing++;
      continue;
    }
    pairs++;
    const bytesOf = (made, kind) => made.files.find((file) => file.kind === kind).bytes;
    try {
      const recipe = { name: 'r.json', bytes: bytesOf(first, 'recipe') };
      const again = await attempt(source, target, { recipe });
      if (Buffer.compare(bytesOf(first, 'clips'), bytesOf(again, 'clips')) === 0) same++;
      else console.log(`other bytes: ${source.name} on ${target.name}`);
    } catch (error) {
      console.log(`failed: ${source.name} on ${target.name}: ${error.message}`);
    }
  }
console.log(
  `${same} of ${pairs} pairs have the same bytes by their recipe; ${nothing} have nothing in common`,
);
process.exit(same === pairs ? 0 : 1);
