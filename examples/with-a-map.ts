import { readFile } from 'node:fs/promises';
import { type RigMapDocument, read, retarget, write } from 'stuntdouble';

/*
 * A character whose joint names mean nothing, told by a map what they are, and every choice made by hand:
 *
 *   node with-a-map.js wave.glb robot.glb robot.json robot-wave.glb
 */
const [motionPath, characterPath, mapPath, output] = process.argv.slice(2);
if (!motionPath || !characterPath || !mapPath || !output)
  throw new Error('usage: node with-a-map.js MOTION CHARACTER MAP OUTPUT');

// { "version": 1, "roles": { "hips": "bone_23", "leftUpperArm": "bone_13", … } }
const map = JSON.parse(await readFile(mapPath, 'utf8')) as RigMapDocument;
const result = retarget(await read(motionPath), await read(characterPath), {
  map,
  sourceReference: { frame: 0 }, // turns are counted from the motion's first frame …
  targetReference: 'rest', // … and from the pose that the character rests in
  alignment: { leftArm: 'bones', rightArm: 'bones' }, // arms point as the source's do
  rootMotion: 'inPlace', // no travel
  frameRate: 30, // baked
});
await write(output, result, { force: true });

const { report } = result;
console.log(`turns are counted from: ${report.source.reference.kind} and ${report.target.reference.kind}`);
for (const { name, frames, way } of report.clips) console.log(`${name}: ${frames} ${way}`);
