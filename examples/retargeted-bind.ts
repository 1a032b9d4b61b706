import {
  createBindPlayer,
  createRetargetedBind,
  createRetargeter,
  modelPoseOf,
  multiplyMatrices,
  poseAt,
  read,
  readMeshes,
  retargetInverseBinds,
  setUpScenes,
} from 'stuntdouble';

/*
 * A mesh that is driven by the unchanged animation of another character: no key is computed, the mesh gets other inverse
 * bind matrices, once. Says how far its skinning matrices are from those of the usual way:
 *
 *   node retargeted-bind.js walk.glb hero.glb
 */
const [motionPath, characterPath] = process.argv.slice(2);
if (!motionPath || !characterPath) throw new Error('usage: node retargeted-bind.js MOTION CHARACTER');

const [motion, hero] = [await read(motionPath), await read(characterPath)];
const [body] = motion.characters;
const [clip] = body?.clips ?? [];
if (!body || !clip) throw new Error(`${motionPath} has no motion`);
const { setup } = setUpScenes(motion, hero, { corrections: 'none' });

// Once a pair of characters; many clips share it.
const bind = createRetargetedBind(setup);
const usual = createRetargeter(setup);
for (const mesh of await readMeshes(hero)) {
  if (!mesh.skin) continue;
  const { inverseBinds } = mesh.skin; // 16 numbers a joint of the character, zeros where the skin does not use it
  const player = createBindPlayer(bind, retargetInverseBinds(bind, inverseBinds));
  let apart = 0;
  for (let time = 0; time <= clip.duration; time += 0.1) {
    const pose = poseAt(body.skeleton, clip, time);
    const skinning = player.update(pose); // what a vertex shader takes
    const { matrices } = modelPoseOf(setup.target.skeleton, usual.update(pose));
    const expected = new Float64Array(16);
    for (let j = 0; j < inverseBinds.length; j += 16) {
      if (inverseBinds[j + 15] === 0) continue;
      multiplyMatrices(expected, 0, matrices, j, inverseBinds, j);
      for (let n = 0; n < 16; n++) apart = Math.max(apart, Math.abs(expected[n]! - skinning[j + n]!));
    }
  }
  console.log(`${mesh.name}: ${mesh.positions.length / 3} vertices, at most ${apart.toExponential(0)} apart`);
}
