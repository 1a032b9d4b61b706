import { readFileSync } from 'node:fs';
import { createModelPose, localToModel, sampleClip } from '@stuntdouble/core/engine';
import { Box3, Matrix4, OrthographicCamera, PerspectiveCamera, Vector3 } from 'three';
import { expect, it } from 'vitest';
import { answerQuestion, createMemory } from '../engine/handlers.js';
import { FIRST_CAMERA, placeCamera, standardView } from './camera.js';
import { besideEachOther, framedOf, type Needs, needsOf, reachOf } from './framing.js';
import { drawnBones } from './skeleton-bones.js';

/** A sample as it is framed, by the bounds of its joints as it rests, and where its joints are while it plays. */
async function bodyOf(path: string) {
  const bytes = readFileSync(new URL(`../../../../samples/files/${path}`, import.meta.url));
  const file = { id: path, name: path, file: new Blob([new Uint8Array(bytes)]), beside: [] };
  const facts = await answerQuestion(createMemory(), { type: 'open', file }, { progress: () => {} });
  const skeleton = facts.skeleton!;
  const reference = facts.reference!.pose;
  const model = createModelPose(skeleton.names.length);
  const bones = drawnBones(facts, reference);
  const drawn = new Set(bones.flatMap(({ from, to }) => (to < 0 ? [from] : [from, to])));
  const points = () => [...drawn].map((joint) => new Vector3().fromArray(model.matrices, 16 * joint + 12));
  localToModel(model, skeleton, reference);
  const box = new Box3().setFromPoints(points()).expandByScalar(0.05 * facts.height);
  const playAt = (time: number) => {
    const pose = structuredClone(skeleton.rest);
    sampleClip(pose, facts.clips[0]!, time);
    localToModel(model, skeleton, pose);
    return model.matrices;
  };
  return { body: { facts, bones, box }, clip: facts.clips[0]!, playAt, points };
}

it.each([
  'motions/keeper-block.glb',
  'motions/handstand-freeze.glb',
  'motions/climb.glb',
  'motions/lie-down.glb',
  'motions/jump.glb',
])('no joint leaves the picture while %s plays, whatever the shape of the view', async (path) => {
  const { body, clip, playAt, points } = await bodyOf(path);
  const reach = reachOf(body, clip);
  for (const aspect of [0.6, 1, 1.8])
    for (const camera of [FIRST_CAMERA, standardView({ ...FIRST_CAMERA, zoom: 1 }, '3')])
      for (let k = 0; k <= 60; k++) {
        const matrices = playAt((clip.duration * k) / 60);
        const framed = framedOf(body, needsOf(body, camera.yaw, reach), matrices);
        const eye = new PerspectiveCamera();
        placeCamera(eye, new OrthographicCamera(), camera, framed, aspect);
        for (const point of points()) {
          const { x, y } = point.project(eye);
          expect(Math.max(Math.abs(x), Math.abs(y)), `${aspect} at ${k}`).toBeLessThan(1);
        }
      }
});

it('who walks is framed as tall as the view has room, and who jumps or climbs from farther away', async () => {
  const walk = await bodyOf('motions/walk.glb');
  const calm = needsOf(walk.body, FIRST_CAMERA.yaw, reachOf(walk.body, walk.clip));
  expect(calm.up).toBeLessThan(1.05);
  expect(calm.down).toBeLessThan(0.02);
  const jump = await bodyOf('motions/jump.glb');
  expect(needsOf(jump.body, FIRST_CAMERA.yaw, reachOf(jump.body, jump.clip)).up).toBeGreaterThan(1.1);
  const climb = await bodyOf('motions/climb.glb');
  expect(needsOf(climb.body, FIRST_CAMERA.yaw, reachOf(climb.body, climb.clip)).up).toBeGreaterThan(1.5);
});

it('two bodies beside each other stand equally tall, though one holds its arms out; none is made small for that', async () => {
  const { body: guy } = await bodyOf('motions/walk.glb');
  const { body: girl } = await bodyOf('characters/unreal-mannequin.glb');
  const [a, b] = [needsOf(guy, 0, null), needsOf(girl, 0, null)];
  expect(a.wide / b.wide).toBeGreaterThan(1.1);
  const framed = (body: typeof guy, own: Needs, other: Needs) => {
    const { height, width } = framedOf(body, besideEachOther(own, other), null);
    return [(body.box.max.y - Math.min(body.box.min.y, body.facts.floor)) / height, width / height];
  };
  const [first, second] = [framed(guy, a, b), framed(girl, b, a)];
  for (const n of [0, 1]) expect(first[n]).toBeCloseTo(second[n]!, 9);
  expect(besideEachOther(b, { ...a, wide: 9 }).wide).toBeCloseTo(1.25 * b.wide, 9);
});

it('a motion that looks to a side is met face to face, by quarter turns', async () => {
  const { body, clip } = await bodyOf('motions/walk.glb');
  const skeleton = body.facts.skeleton!;
  const facing = (angle: number) => {
    const container = new Matrix4()
      .fromArray(skeleton.container)
      .premultiply(new Matrix4().makeRotationY(angle));
    const facts = {
      ...body.facts,
      skeleton: { ...skeleton, container: Float64Array.from(container.elements) },
    };
    return reachOf({ ...body, facts }, clip).facing;
  };
  const quarter = Math.PI / 2;
  for (const [looks, met] of [
    [0.3, 0],
    [1.3, quarter],
    [-1.3, -quarter],
  ] as const)
    expect(facing(looks)).toBeCloseTo(met, 9);
  expect(Math.abs(facing(Math.PI))).toBeCloseTo(Math.PI, 9);
});

it('what a hand holds beyond the joints is framed; hips over short legs do not lift the picture', async () => {
  const { body, clip, playAt } = await bodyOf('motions/walk.glb');
  const armed = { ...body, box: body.box.clone() };
  armed.box.max.x += 0.5;
  expect(reachOf(armed, clip).around).toBeGreaterThan(reachOf(body, clip).around + 0.2);
  const calm = framedOf(body, needsOf(body, 0, null), null);
  const [head, short] = [body.box.clone(), { ...body.facts, hipHeight: 0.2 * body.facts.height }];
  const matrices = playAt(0).slice();
  matrices[16 * body.facts.joints.hips! + 13] = short.floor + short.hipHeight;
  expect(framedOf({ ...body, box: head, facts: short }, needsOf(body, 0, null), matrices).y).toBeCloseTo(
    calm.y,
    9,
  );
});

it('a body that leaves the ground for good is followed upwards', async () => {
  const { body, playAt } = await bodyOf('motions/walk.glb');
  const needs = needsOf(body, 0, null);
  const matrices = playAt(0).slice();
  const before = framedOf(body, needs, matrices);
  for (let m = 13; m < matrices.length; m += 16) matrices[m]! += 10;
  expect(framedOf(body, needs, matrices).y - before.y).toBeGreaterThan(9);
});

it('an animal that is longer than tall has its paws and its tail in the picture', async () => {
  const { body } = await bodyOf('motions/walk.glb');
  const { leftUpperArm: _, ...joints } = body.facts.joints;
  const box = body.box.clone();
  const height = box.max.y - box.min.y;
  box.min.z = -0.7 * height;
  box.max.z = 0.7 * height;
  const animal = { ...body, box, facts: { ...body.facts, joints } };
  for (const aspect of [0.6, 1, 1.8])
    for (const heading of [0, Math.PI / 2]) {
      const camera = { ...FIRST_CAMERA, yaw: FIRST_CAMERA.yaw + heading };
      const eye = new PerspectiveCamera();
      const framed = framedOf(animal, needsOf(animal, camera.yaw, null), null);
      placeCamera(eye, new OrthographicCamera(), camera, framed, aspect);
      for (const x of [box.min.x, box.max.x])
        for (const y of [box.min.y, box.max.y])
          for (const z of [box.min.z, box.max.z]) {
            const seen = new Vector3(x, y, z).project(eye);
            expect(Math.max(Math.abs(seen.x), Math.abs(seen.y)), `${aspect}, ${heading}`).toBeLessThan(1);
          }
    }
});
