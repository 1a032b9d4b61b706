import { read, retarget } from 'stuntdouble';

/*
 * Looks at a result before it is used, and ends with exit code 1 where a person should look at it too:
 *
 *   node check-results.js walk.bvh hero.vrm
 */
const [motionPath, characterPath] = process.argv.slice(2);
if (!motionPath || !characterPath) throw new Error('usage: node check-results.js MOTION CHARACTER');

const { report, scene, character } = retarget(await read(motionPath), await read(characterPath));
const nameOf = (joint: number) => scene.characters[character]!.skeleton.names[joint]!;
let doubts = 0;
const doubt = (sentence: string) => {
  doubts++;
  console.log(sentence);
};

for (const { target, confidence, reason } of report.map.joints)
  if (confidence < 0.8)
    doubt(`${nameOf(target)}: only ${Math.round(100 * confidence)} % sure, since ${reason}`);
for (const { code, message } of report.warnings) doubt(`${code}: ${message}`);
for (const { name, motion } of report.measures) {
  const { slide, heights } = motion;
  if (slide && slide.result.mean > slide.source.mean + 0.5)
    doubt(`${name}: feet slide ${slide.result.mean.toFixed(2)} % of the hip height a second`);
  if (heights && heights.sunkFrames > 0)
    doubt(`${name}: a foot is in the floor in ${heights.sunkFrames} frames`);
}

console.log(
  doubts === 0 ? `${report.map.joints.length} joints driven, nothing to doubt` : `doubts: ${doubts}`,
);
if (doubts > 0) process.exitCode = 1;
