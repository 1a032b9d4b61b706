import { PASS_NAMES, SOLVER_SUMMARIES } from '@stuntdouble/core/engine';
import { extensionWords, WRITTEN_EXTENSIONS } from '@stuntdouble/formats/kinds';
import { typedSolver } from './solver-arguments.js';

const SOLVER_LINES = Object.entries(SOLVER_SUMMARIES).map(
  ([name, summary]) => `  ${typedSolver(name).padEnd(14)} ${summary}`,
);

/** What `retarget --help` says after the list of options. */
export const RETARGET_HELP = `
Examples:
  $ stuntdouble retarget walk.glb hero.vrm -o hero-walk.vrm
      all clips of walk.glb on hero: the same file as before, with the clips added
  $ stuntdouble retarget dance.bvh hero.glb -o out.glb --clip dance --range 1.5:4 --fps 30
      a part of one clip, baked to 30 frames a second
  $ stuntdouble retarget walk.glb hero.glb -o hero-walk-clip.glb --animation-only
      the skeleton and its clips alone, for engines that keep clips apart from characters
  $ stuntdouble retarget run.glb hero.glb -o hero-run.bvh --root-motion in-place --dry-run
      say what would come out, and write nothing
  $ stuntdouble retarget walk.glb robot.glb --map robot.json --picture sheet.png
      with a map of your own, and a picture of source and result side by side
  $ stuntdouble retarget walk.glb hero.fbx -o hero-walk.glb --picture walk.gif --camera follow
      an FBX as GLB with its meshes and pictures, and both bodies in motion, seen by a camera that goes along
  $ stuntdouble retarget walk.glb hero.glb -o hero-limp.glb --mirror --loop --reduce 0.5
      as seen in a mirror, made to loop, with no more keys than half a millimetre needs
  $ stuntdouble inspect walk.glb --contacts -o steps.json; stuntdouble retarget walk.glb hero.glb --contacts steps.json
      hold feet and hands when steps.json says, which you may edit in between
  $ stuntdouble retarget pick-up.glb hero.glb --constraints examples/constraints/pick-and-release.json
      a hand where you say, when you say, with the rest as captured
  $ stuntdouble retarget walk.glb ogre.glb --spacing 0.2,0.1 --look-at 0,1.6,5
      arms and legs spread for a wide body, head and eyes on a point ahead
  $ stuntdouble retarget carry.glb hero.glb --limb-scale arms=0,0 --reach together
      hands where the hands of carry.glb are, and the spine helps where arms are too short
  $ stuntdouble retarget walk.glb hero.glb --imitate arms=keep --imitate legs=keep --limb-scale arms=1 --solver damped
      limbs from their goals alone: inverse kinematics without imitation
  $ stuntdouble retarget walk.glb hero.glb -o hero-walk.glb --new-bind
      the rotation keys of walk.glb as they are, and a mesh that is bound so that they fit
  $ stuntdouble retarget walk.glb hero.glb --save-recipe hero.json; stuntdouble retarget run.glb hero.glb --recipe hero.json
      the same way again for other clips of the same source

The extension of OUT decides the format: ${extensionWords(WRITTEN_EXTENSIONS)}. Without -o it is TARGET-SOURCE in the
current folder, in the target's format. A BVH holds one clip: several become OUT-CLIP.bvh. Everything in the
target's file stays as it is; a clip whose name is taken gets a suffix, --replace drops the old clips. Files
are written whole or not at all, and an existing one is replaced only with --force.

Reference poses are what turns are counted from; auto finds one that looks like a standing body:
  auto, rest (the file's nodes), bind (its skin), frame:K (of the first clip), CLIP@SECONDS or CLIP@Kf

Solvers bring hands and feet to their goals: for all limbs (--solver damped) or one (--solver leftArm=fabrik, arms=ccd,
legs=two-bone, all=damped); what is said of a limb comes before what is said of all. Settings stand behind a colon:
  --solver arms=damped:iterations=50,damping=0.2,tolerance=0.0001,step=0.5   lengths are shares of the limb's
${SOLVER_LINES.join('\n')}

Passes, in their order: ${PASS_NAMES.join(', ')} (docs/pipeline.md says what each does)

What --json prints:
  { output, clips: [{ name, frames, duration, way, constraints? }], mapped, notes: [{ code, message }], warnings: [{ code, message }], measures: [...] }
  output is the path, a list of paths where there are several, null with --dry-run; mapped is the number of
  target joints that are driven; way is copy, keys (kept), products or frames (baked); measures as measure --json. With
  --root-motion apart also rootMotion: [{ name, times, translations, rotations }], in seconds, metres (xyz) and
  turns about the vertical (xyzw), which --root-motion-file writes too. With constraints also how each came out:
  [{ index, name, joint, times, state, frames, missed, worst, worstTime, mean }], in metres, or radians for turns.
`;
