import {
  conjugateQuaternion,
  mirrorRole,
  modelPoseOf,
  multiplyQuaternions,
  type Pose,
  type Role,
} from '@stuntdouble/core/engine';
import { type Camera, Matrix4, Object3D, Quaternion, type Scene, Vector3 } from 'three';
import type { TransformControls } from 'three/addons/controls/TransformControls.js';
import type { ViewState } from '../state/view-store.js';
import type { Actor } from './actor.js';

/** The handle on a joint of a reference pose. */
export type Gizmo = {
  /** Puts the handle on a joint, or (−1) away. */
  attach(actor: Actor | null, joint: number, scene: Scene, camera: Camera): void;
  configure(settings: ViewState['gizmo']): void;
  isDragging(): boolean;
  dispose(): void;
};

/**
 * Makes the handle of a view.
 * @param onDrag Called while a joint is dragged, with the whole pose.
 * @param onDrop Called when it is let go.
 */
export function createGizmo(
  controls: TransformControls,
  onDrag: (pose: Pose) => void,
  onDrop: (pose: Pose) => void,
): Gizmo {
  const helper = controls.getHelper();
  const proxy = new Object3D();
  let actor: Actor | null = null;
  let joint = -1;
  let settings: ViewState['gizmo'] | null = null;
  let before: Pose | null = null;
  let dragged: Pose | null = null;
  controls.addEventListener('mouseDown', () => {
    before = actor && structuredClone(actor.pose);
  });
  controls.addEventListener('objectChange', () => {
    if (!actor || !before || !settings) return;
    dragged = poseOfProxy(actor, before, joint, proxy, settings);
    onDrag(dragged);
  });
  controls.addEventListener('mouseUp', () => {
    if (dragged) onDrop(dragged);
    before = dragged = null;
  });
  return {
    attach(next, at, scene, eye) {
      controls.camera = eye;
      if (!next || at < 0) {
        controls.detach();
        helper.removeFromParent();
        proxy.removeFromParent();
        actor = null;
        joint = -1;
        return;
      }
      actor = next;
      joint = at;
      if (helper.parent !== scene) scene.add(helper, proxy);
      if (!controls.dragging) placeProxy(proxy, next, at);
      if (controls.object !== proxy) controls.attach(proxy);
      controls.size = 0.9;
    },
    configure(next) {
      settings = next;
      controls.setMode(next.mode);
      controls.setSpace(next.mode === 'scale' ? 'local' : next.space);
      controls.setRotationSnap(next.snap > 0 ? (next.snap * Math.PI) / 180 : null);
      controls.setTranslationSnap(next.snap > 0 ? next.snap / 100 : null);
      controls.setScaleSnap(next.snap > 0 ? next.snap / 100 : null);
    },
    isDragging: () => controls.dragging || controls.axis !== null,
    dispose() {
      controls.detach();
      helper.removeFromParent();
      proxy.removeFromParent();
      controls.dispose();
    },
  };
}

function placeProxy(proxy: Object3D, { model, pose }: Actor, joint: number): void {
  proxy.position.fromArray(model.matrices, 16 * joint + 12);
  proxy.quaternion.fromArray(model.rotations, 4 * joint);
  proxy.scale.fromArray(pose.scales, 3 * joint);
  proxy.updateMatrixWorld();
}

/** The pose in which a joint is where its handle was dragged to, and its counterpart likewise where mirrored. */
function poseOfProxy(
  { facts }: Actor,
  before: Pose,
  joint: number,
  proxy: Object3D,
  { mode, mirror }: ViewState['gizmo'],
): Pose {
  const skeleton = facts.skeleton!;
  const pose = structuredClone(before);
  const model = modelPoseOf(skeleton, before);
  const parent = skeleton.parents[joint]!;
  if (mode === 'scale') {
    proxy.scale.toArray(pose.scales, 3 * joint);
    return pose;
  }
  if (mode === 'translate') {
    const above = new Matrix4().fromArray(
      parent < 0 ? skeleton.container : model.matrices,
      parent < 0 ? 0 : 16 * parent,
    );
    new Vector3()
      .copy(proxy.position)
      .applyMatrix4(above.invert())
      .toArray(pose.translations, 3 * joint);
    return pose;
  }
  const wanted = Float64Array.from(proxy.quaternion.toArray());
  turnJoint(pose, model.rotations, before, joint, wanted);
  const role = facts.roles[joint];
  const other = role && mirror ? facts.joints[mirrorRole(role as Role)] : undefined;
  if (other !== undefined && other !== joint) {
    // The turn in model space, seen in a mirror that stands between left and right (x → −x).
    const turn = new Quaternion(...wanted).multiply(
      new Quaternion().fromArray(model.rotations, 4 * joint).invert(),
    );
    const mirrored = new Quaternion(turn.x, -turn.y, -turn.z, turn.w);
    mirrored.multiply(new Quaternion().fromArray(model.rotations, 4 * other));
    turnJoint(pose, model.rotations, before, other, Float64Array.from(mirrored.toArray()));
  }
  return pose;
}

/** Gives a joint a rotation in model space: local' = local · M⁻¹ · wanted, with M the model rotation it had. */
function turnJoint(
  pose: Pose,
  modelRotations: Float64Array,
  before: Pose,
  joint: number,
  wanted: Float64Array,
): void {
  const q = new Float64Array(4);
  conjugateQuaternion(q, 0, modelRotations, 4 * joint);
  multiplyQuaternions(q, 0, before.rotations.subarray(4 * joint, 4 * joint + 4) as Float64Array, 0, q, 0);
  multiplyQuaternions(q, 0, q, 0, wanted, 0);
  pose.rotations.set(q, 4 * joint);
}
