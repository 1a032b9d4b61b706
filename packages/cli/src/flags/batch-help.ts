/** What `batch --help` says after the list of options. */
export const BATCH_HELP = `
Examples:
  $ stuntdouble batch captures --onto hero.vrm villain.glb --out moved
      every file below captures on both characters: moved/hero/walk.vrm, moved/villain/walk.glb …
  $ stuntdouble batch 'captures/**/*.bvh' --onto characters --out moved --format glb --animation-only
      skeletons and clips alone, which take a tenth of the room
  $ stuntdouble batch captures --onto hero.vrm --out moved --max-slide 5 --junit report.xml --gallery
      for a nightly build: a limit for every result, a report for it, and a page of pictures, the worst first
  $ stuntdouble batch captures --onto characters --out moved --recipes recipes
      with recipes/walk@hero.json for one pair, recipes/@hero.json for a character, recipes/default.json for the rest
  $ stuntdouble batch captures --onto hero.vrm villain.glb --out moved --layout character
      one file a character with the clips of all captures: moved/hero.vrm, moved/villain.glb
  $ stuntdouble batch library.glb --onto hero.vrm --out moved --name '{target}/{clip}{ext}'
      one file a clip: moved/hero/Idle.vrm, moved/hero/Walk.vrm …

SOURCES and TARGETS are files, folders (every file below that can be read) or patterns. What is up to date is not done
again: a cell, one source on one character, is known by the bytes of its files, its recipe, all options and the version;
--force does everything again. moved/manifest.jsonl has a line for every cell as it ends, with its measures, what was
doubtful and why it failed; manifest.json and manifest.csv have the same when all is done. Files are written whole or not
at all. Captures with one skeleton are understood by the one of them that stands best, as its line in the manifest says
(family), or by those that --reference-from names. Ctrl-C finishes what is in hand; a second one stops at once. The same command goes on where it was.

Exit codes: 0 all done, 1 some cells failed and the others are done, 2 wrong use, 3 done with warnings under --strict,
4 all done but a limit was not kept, 130 stopped before the end.

What --json prints:
  { cells, done, upToDate, failed, limitsNotKept, broken, left, bytes, characters: [path], orphans: [path],
    unreadable: [path], failures: [{ source, target, clip?, error }] }
`;
