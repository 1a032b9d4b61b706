/** What `clean --help` ends with. */
export const CLEAN_HELP = `
Examples:
  $ stuntdouble clean generated.bvh clean.bvh
      feet that slide hold, jitter is taken out; before and after in figures
  $ stuntdouble clean hero.glb hero-clean.glb --clip walk
      one clip; the others of the file, meshes and all, stay as they are
  $ stuntdouble clean captures/*.bvh --out-dir clean
      every file on its own, under its own name in another folder
  $ stuntdouble clean dance.fbx clean.fbx --no-calm
      feet and hands alone, every other turn as it was
  $ stuntdouble clean noisy.bvh calm.bvh --calm 6
      a stronger filter: what is faster than 6 Hz goes, but for impacts and blows
  $ stuntdouble inspect walk.bvh --contacts -o contacts.json
  $ stuntdouble clean walk.bvh clean.bvh --contacts contacts.json
      hold what the edited contacts say

What stands in the file stays on the spot where it came down, on the height of what carries it; knees and hips give way
as little as that takes, and arms that touch nothing are turned by nothing but --calm. The clip keeps its length; its
frames become keys. The filter looks as far ahead as back, so that nothing comes later.

What --json prints:
  { format, output, clips: [{ name, duration, frames, before, after }], left: [NAME],
    verdict, reasons: [{ verdict, code, message }], notes: [{ code, message }], warnings: [{ code, message }] }
  before and after are the measures of "stuntdouble measure --json", of the clip against itself as it was; left are
  clips that were not cleaned. With --out-dir: { files: [{ input, … as above }], failed: [{ input, error }] }.
`;
