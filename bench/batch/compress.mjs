/*
 * What --compress saves, and how far it moves joints: captures on a character, written as GLB without meshes, plain and
 * compressed, and read again.
 *
 *   node bench/batch/compress.mjs [CAPTURE …]      needs a build; our own captures if none is named
 */
import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  createModelPose,
  createRig,
  localToModel,
  poseAt,
  quaternionAngle,
  retarget,
  subtractVectors,
  vectorAt,
  vectorLength,
} from '@stuntdouble/core/engine';
import { read, writeBytes } from '@stuntdouble/formats';

const samples = (path) => fileURLToPath(new URL(`../../samples/files/${path}`, import.meta.url));
const named = process.argv.slice(2);
const captures =
  named.length > 0
    ? named
    : readdirSync(samples('captures'))
        .sort()
        .map((name) => samples(`captures/${name}`));
const hero = await read(samples('characters/vrm1-sister.vrm'));

/** Bytes of keys in a GLB: what its buffer holds besides the binds of its skin, which both have. */
function keyBytes(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const json = JSON.parse(new TextDecoder().decode(bytes.subarray(20, 20 + view.getUint32(12, true))));
  const views = new Set(
    json.animations
      .flatMap(({ samplers }) => samplers.flatMap(({ input, output }) => [input, output]))
      .map((n) => json.accessors[n].bufferView),
  );
  let sum = 0;
  for (const n of views) {
    const { extensions, byteLength } = json.bufferViews[n];
    sum += extensions?.EXT_meshopt_compression?.byteLength ?? byteLength;
  }
  return sum;
}

/** How far the same instants of two clips are apart: the turn of a joint in degrees, and its place in metres. */
function apart(skeleton, a, b) {
  const models = [createModelPose(skeleton.names.length), createModelPose(skeleton.names.length)];
  const worst = { turn: 0, place: 0 };
  for (let time = 0; time <= a.duration; time += 1 / 60) {
    const poses = [a, b].map((clip) => poseAt(skeleton, clip, time));
    poses.forEach((pose, side) => void localToModel(models[side], skeleton, pose));
    for (let j = 0; j < skeleton.names.length; j++) {
      const [{ rotations }, other] = poses;
      worst.turn = Math.max(worst.turn, quaternionAngle(rotations, 4 * j, other.rotations, 4 * j));
      const [from, to] = models.map(({ matrices }) => vectorAt(matrices, 16 * j + 12));
      worst.place = Math.max(worst.place, vectorLength(subtractVectors(from, to)));
    }
  }
  return worst;
}

const rows = [];
for (const path of captures) {
  const result = retarget(await read(path), hero, { measure: false });
  const write = async (compress) =>
    (await writeBytes('glb', result, { replace: true, meshes: false, compress })).bytes;
  const [plain, packed] = [await write(false), await write(true)];
  const [before, after] = [await read(plain), await read(packed)];
  const [clip, other] = [before, after].map(({ characters }) => characters[0].clips[0]);
  const { skeleton } = createRig(before.characters[0].skeleton);
  const { turn, place } = apart(skeleton, clip, other);
  const moving = new Set(clip.tracks.map(({ joint }) => joint)).size;
  const frames = Math.max(...clip.tracks.map(({ times }) => times.length));
  rows.push({
    ...{ name: basename(path), frames, moving, plain: keyBytes(plain), packed: keyBytes(packed) },
    ...{ raw: 40 * moving * frames, files: [plain.length, packed.length] },
    ...{ degrees: (180 / Math.PI) * turn, millimetres: 1000 * place },
  });
}
const kB = (bytes) => `${Math.round(bytes / 1000)} kB`;
console.log(
  '| clip | frames | moving joints | keys in the file | compressed | against 40 bytes a moving joint and frame | whole file | turns off by at most | joints off by at most |',
);
console.log('|---|---|---|---|---|---|---|---|---|');
for (const { name, frames, moving, plain, packed, raw, files, degrees, millimetres } of rows)
  console.log(
    `| ${name} | ${frames} | ${moving} | ${kB(plain)} | ${kB(packed)} | ${Math.round(raw / packed)} : 1 | ${Math.round(files[0] / 1000)} → ${kB(files[1])} | ${degrees.toFixed(3)}° | ${millimetres.toFixed(2)} mm |`,
  );
const total = (field) => rows.reduce((sum, row) => sum + row[field], 0);
console.log(
  `\nAll of them: ${Math.round(total('raw') / total('packed'))} : 1, ${Math.max(...rows.map(({ millimetres }) => millimetres)).toFixed(2)} mm.`,
);
