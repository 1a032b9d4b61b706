import { modelPoseOf } from '@stuntdouble/core/engine';
import { type Camera, Object3D, Quaternion, type Scene, Vector3 } from 'three';
import type { TransformControls } from 'three/addons/controls/TransformControls.js';
import { clock } from '../state/clock.js';
import { currentDocument } from '../state/document-store.js';
import { useView } from '../state/view-store.js';
import { addKey, changeConstraint, currentEdits, keyAt, useEditChoice } from '../timeline/edit-actions.js';
import { constraintTitle } from '../timeline/edit-lanes.js';
import type { Actor } from './actor.js';
import { activeResult, sourceTiming, understandingOf } from './content.js';

/** The handle on the goal of a constraint, or on a joint that a layer turns. */
export type EditGizmo = {
  place(actor: Actor, scene: Scene, camera: Camera): void;
  isDragging(): boolean;
  dispose(): void;
};

let drags = 0;

/** Makes the handle of a view: what is chosen on the timeline can be dragged with it. Each drag is one step. */
export function createEditGizmo(controls: TransformControls, onChange: () => void): EditGizmo {
  const helper = controls.getHelper();
  const proxy = new Object3D();
  let gesture = '';
  /** What dragging the handle does just now. */
  let drag: () => void = () => {};
  let begin: () => void = () => {};
  controls.addEventListener('mouseDown', () => {
    gesture = `goal ${++drags}`;
    clock.play(false);
    begin();
  });
  controls.addEventListener('objectChange', () => {
    drag();
    onChange();
  });
  const detach = () => {
    controls.detach();
    helper.removeFromParent();
    proxy.removeFromParent();
  };

  const onGoal = (index: number, place: readonly number[]) => {
    controls.setMode('translate');
    controls.setSpace('world');
    if (!controls.dragging) proxy.position.fromArray(place as number[]);
    drag = () => {
      const [x, y, z] = proxy.position.toArray().map((one) => Number(one.toFixed(4)));
      changeConstraint(
        index,
        (one) => ({ ...one, goal: { ...one.goal, place: [x!, y!, z!] } }),
        `Drag ${constraintTitle(currentEdits().constraints[index]!)}`,
        gesture,
      );
    };
  };

  /** A layer adds q' = q · exp(G⁻¹v): v = G · log(exp(G⁻¹v₀) · M⁻¹ · M'), with M before the drag and M' after it. */
  const onJoint = (actor: Actor, joint: number) => {
    controls.setMode('rotate');
    controls.setSpace(useView.getState().gizmo.space);
    if (!controls.dragging) {
      proxy.position.fromArray(actor.model.matrices, 16 * joint + 12);
      proxy.quaternion.fromArray(actor.model.rotations, 4 * joint);
    }
    begin = () => {
      const result = activeResult();
      const aligned = understandingOf(currentDocument())?.aligned;
      if (!result || !aligned || !actor.facts.skeleton) return;
      const { offset, rate } = sourceTiming(result.job);
      const time = clock.time();
      const name = actor.facts.roles[joint] ?? actor.facts.skeleton.names[joint]!;
      const { layer } = useEditChoice.getState();
      const told = keyAt(currentEdits().layers[layer], name, offset + time * rate) ?? [0, 0, 0];
      const reference = new Quaternion().fromArray(
        modelPoseOf(actor.facts.skeleton, aligned).rotations,
        4 * joint,
      );
      const before = proxy.quaternion.clone();
      const had = turnOf(
        new Vector3(...(told as [number, number, number])).applyQuaternion(reference.clone().invert()),
      );
      drag = () => {
        const turn = had.clone().multiply(before.clone().invert()).multiply(proxy.quaternion);
        const degrees = vectorOf(turn).applyQuaternion(reference);
        const [x, y, z] = degrees.toArray().map((one) => Number(one.toFixed(2)));
        addKey(time, [x!, y!, z!], gesture);
      };
    };
  };

  return {
    place(actor, scene, eye) {
      controls.camera = eye;
      const { constraint, layer } = useEditChoice.getState();
      const edits = currentEdits();
      const { tab, selection, mapping } = useView.getState();
      const chosen = edits.constraints[constraint];
      const place = chosen?.goal?.place;
      const isTurned = edits.layers[layer] !== undefined && selection?.side === 'target';
      begin = () => {};
      if (tab !== 'tune' || mapping !== null || (!place && !isTurned)) return detach();
      if (helper.parent !== scene) scene.add(helper, proxy);
      if (place) onGoal(constraint, place);
      else onJoint(actor, selection!.joint);
      proxy.updateMatrixWorld();
      if (controls.object !== proxy) controls.attach(proxy);
      controls.size = 0.8;
    },
    isDragging: () => controls.dragging || controls.axis !== null,
    dispose() {
      detach();
      controls.dispose();
    },
  };
}

/** The turn of a rotation vector in degrees. */
function turnOf(degrees: Vector3): Quaternion {
  const angle = degrees.length();
  return angle < 1e-9
    ? new Quaternion()
    : new Quaternion().setFromAxisAngle(degrees.clone().divideScalar(angle), (angle * Math.PI) / 180);
}

/** The rotation vector of a turn, in degrees, the shorter way. */
function vectorOf({ x, y, z, w }: Quaternion): Vector3 {
  const sine = Math.hypot(x, y, z);
  const sign = w < 0 ? -1 : 1;
  const degrees = (360 / Math.PI) * Math.atan2(sine, Math.abs(w));
  return new Vector3(x, y, z).multiplyScalar(sine < 1e-12 ? 0 : (sign * degrees) / sine);
}
