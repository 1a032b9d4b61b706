import { createRetargeter, modelPoseOf, poseAt, read, setUpScenes } from 'stuntdouble';

/*
 * One motion, pose by pose, on as many characters as there are, as a game or a capture has it:
 *
 *   node live.js walk.bvh hero.vrm goblin.glb
 */
const [motionPath, ...characterPaths] = process.argv.slice(2);
if (!motionPath || characterPaths.length === 0)
  throw new Error('usage: node live.js MOTION CHARACTER [CHARACTER …]');

const motion = await read(motionPath);
const [body] = motion.characters;
const [clip] = body?.clips ?? [];
if (!body || !clip) throw new Error(`${motionPath} has no motion`);

// Once: who drives whom, and how. A setup is plain data; what createRetargeter makes of it has room for one body.
const followers = [];
for (const path of characterPaths) {
  const { setup } = setUpScenes(motion, await read(path), { corrections: 'auto' });
  followers.push({ path, retargeter: createRetargeter(setup), lowest: Number.POSITIVE_INFINITY });
}

// Frame by frame: a pose in, a pose out. Here the pose is a clip's; it could be anything that moves the source.
const FRAME = 1 / 60;
for (let time = 0; time <= clip.duration; time += FRAME) {
  const pose = poseAt(body.skeleton, clip, time);
  for (const follower of followers) {
    const { setup, update } = follower.retargeter;
    const moved = update(pose, FRAME); // the local transforms of the character, overwritten by the next update
    const { matrices } = modelPoseOf(setup.target.skeleton, moved);
    for (let joint = 0; joint < setup.target.skeleton.names.length; joint++)
      follower.lowest = Math.min(follower.lowest, matrices[16 * joint + 13]!);
  }
}
for (const { path, lowest, retargeter } of followers)
  console.log(
    `${path}: ${retargeter.setup.map.joints.length} joints follow, the lowest ${Math.round(100 * lowest)} cm over the floor`,
  );
