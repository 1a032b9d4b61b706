import {
  type Clip,
  copyPose,
  createModelPose,
  localToModel,
  type ModelPose,
  type Pose,
  sampleClip,
} from '@stuntdouble/core/engine';
import { Box3, Group, Mesh, SkinnedMesh, Vector3 } from 'three';
import type { FileFacts } from '../engine/protocol.js';
import { type Bones, createBones } from './bones.js';
import { type CapsuleBody, createCapsuleBody } from './capsule-body.js';
import { disposeObject } from './dispose.js';
import { type Body, frameOf, loadBody } from './load-body.js';
import { type ShownMorph, showMorphs, shownMorphs } from './morphs.js';
import { type DrawnBone, drawnBones } from './skeleton-bones.js';

/** A file on the stage: what it looks like, and the pose it is in. */
export type Actor = {
  facts: FileFacts;
  /** Everything that is drawn of it. */
  root: Group;
  /** Local transforms of every joint as they are shown. */
  pose: Pose;
  /** The same in model space. */
  model: ModelPose;
  bones: readonly DrawnBone[];
  drawn: Bones;
  /** Bounds of the body in its reference pose, in model space. */
  box: Box3;
  /** Poses it by a clip at an instant. */
  play(clip: Clip, time: number): void;
  /** Poses it as told. */
  stand(pose: Pose): void;
  show(skin: boolean, bones: boolean): void;
  /** The weights of its morph targets as they are shown. */
  morphs(): ShownMorph[];
  dispose(): void;
};

/** Puts a file on the stage. @param worn Another file whose body is shown for it. */
export async function createActor(
  facts: FileFacts,
  file: Blob,
  beside: readonly { name: string; file: Blob }[],
  worn: Blob | null,
  bodyColor: number,
): Promise<Actor | null> {
  const { skeleton, reference } = facts;
  if (!skeleton || !reference) return null;
  const body = await loadBody(facts, file, beside, worn);
  const root = new Group();
  const frame = frameOf(body);
  frame.matrixAutoUpdate = false;
  frame.matrix.fromArray(skeleton.container);
  root.add(body.root);
  const bones = drawnBones(facts, reference.pose);
  const drawn = createBones(bones, facts.chains, facts.height);
  root.add(drawn.object);
  const capsules = facts.hasMeshes || worn ? null : createCapsuleBody(facts, bones, bodyColor);
  if (capsules) root.add(...capsules.objects);

  const pose = copyPose(skeleton.rest);
  const model = createModelPose(skeleton.names.length);
  let hints: { clip: Clip; at: Int32Array } | null = null;
  const settle = () => {
    localToModel(model, skeleton, pose);
    writeTransforms(body, pose);
    drawn.update(model.matrices);
    capsules?.update(model.matrices);
  };
  const fill = (from: Pose) => {
    pose.translations.set(from.translations);
    pose.rotations.set(from.rotations);
    pose.scales.set(from.scales);
  };
  const actor: Actor = {
    facts,
    root,
    pose,
    model,
    bones,
    drawn,
    box: new Box3(),
    play(clip, time) {
      fill(skeleton.rest);
      if (hints?.clip !== clip) hints = { clip, at: new Int32Array(clip.tracks.length) };
      sampleClip(pose, clip, time, hints.at);
      settle();
      showMorphs(body.morphs, clip, time);
    },
    stand(from) {
      fill(from);
      settle();
      showMorphs(body.morphs, null, 0);
    },
    show(skin, isDrawn) {
      body.root.visible = skin;
      for (const object of capsules?.objects ?? []) object.visible = skin;
      drawn.object.visible = isDrawn;
    },
    morphs: () => shownMorphs(body.morphs),
    dispose: () => disposeObject(root),
  };
  actor.stand(reference.pose);
  actor.box = boundsOf(actor, body, capsules);
  return actor;
}

/** Local transforms of the joints, into the objects that play them. */
function writeTransforms({ objects }: Body, { translations, rotations, scales }: Pose): void {
  for (let joint = 0; joint < objects.length; joint++) {
    const object = objects[joint];
    if (!object) continue;
    object.position.fromArray(translations, 3 * joint);
    object.quaternion.fromArray(rotations, 4 * joint);
    object.scale.fromArray(scales, 3 * joint);
  }
}

/** The box of the body as it stands: of its skin and of its bones, which may reach beyond it; without any, of its joints and some flesh. */
function boundsOf({ root, model, facts, bones }: Actor, body: Body, capsules: CapsuleBody | null): Box3 {
  const box = new Box3();
  root.updateMatrixWorld(true);
  if (!capsules)
    body.root.traverse((object) => {
      if (!(object instanceof Mesh)) return;
      const own = new Box3();
      if (object instanceof SkinnedMesh) {
        object.computeBoundingBox();
        own.copy(object.boundingBox!);
      } else {
        object.geometry.computeBoundingBox();
        own.copy(object.geometry.boundingBox!);
      }
      box.union(own.applyMatrix4(object.matrixWorld));
    });
  const isSound = !box.isEmpty() && Number.isFinite(box.min.y + box.max.y);
  if (isSound)
    for (const { from, to } of bones)
      for (const joint of [from, to])
        if (joint >= 0) box.expandByPoint(new Vector3().fromArray(model.matrices, 16 * joint + 12));
  if (!isSound) {
    box.makeEmpty();
    const { matrices } = model;
    const flesh = 0.06 * facts.height;
    for (let m = 12; m < matrices.length; m += 16)
      for (const side of [-1, 1])
        box.expandByPoint(
          box.min
            .clone()
            .set(
              matrices[m]! + side * flesh,
              matrices[m + 1]! + side * flesh,
              matrices[m + 2]! + side * flesh,
            ),
        );
  }
  return box;
}
