import { orbit, pan, zoomBy } from '../../stage/camera.js';
import type { StageView } from '../../stage/stage.js';
import { theStage } from '../../stage/the-stage.js';
import { pairJoints } from '../../state/actions.js';
import { setView, useView } from '../../state/view-store.js';

/** Pixels that a pointer may move and still be a click. */
const CLICK = 4;

/**
 * Lets a view be turned, moved and zoomed, and its joints be clicked. Left turns, right or middle or Shift moves,
 * the wheel zooms; two fingers do both. A click selects a joint or, while one waits for its driver, pairs it.
 */
export function handlePointer(element: HTMLElement, view: StageView): () => void {
  const pointers = new Map<number, { x: number; y: number }>();
  let moved = 0;
  let isPan = false;
  const place = (event: PointerEvent) => {
    const rect = element.getBoundingClientRect();
    return { x: event.clientX - rect.left, y: event.clientY - rect.top, rect };
  };
  const isOwn = (event: Event) => event.target === element;

  const down = (event: PointerEvent) => {
    if (!isOwn(event) || view.gizmo?.isDragging() || view.editGizmo?.isDragging()) return;
    pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    element.setPointerCapture(event.pointerId);
    moved = 0;
    isPan = event.button !== 0 || event.shiftKey;
  };
  const move = (event: PointerEvent) => {
    const stage = theStage();
    const last = pointers.get(event.pointerId);
    if (!stage) return;
    if (!last) {
      if (!isOwn(event) || event.pointerType === 'touch') return;
      const { x, y } = place(event);
      const joint = stage.pick(view, x, y);
      const { hovered } = useView.getState();
      const side = view.spec.side;
      if ((hovered?.side === side ? hovered.joint : -1) !== joint)
        setView({ hovered: joint < 0 ? null : { side, joint } });
      return;
    }
    if (view.gizmo?.isDragging() || view.editGizmo?.isDragging()) return;
    const dx = event.clientX - last.x;
    const dy = event.clientY - last.y;
    const others = [...pointers].filter(([id]) => id !== event.pointerId);
    pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    moved += Math.abs(dx) + Math.abs(dy);
    if (moved < CLICK) return;
    const { rect } = place(event);
    if (others.length > 0) {
      const other = others[0]![1];
      const before = Math.hypot(last.x - other.x, last.y - other.y);
      const after = Math.hypot(event.clientX - other.x, event.clientY - other.y);
      stage.setCamera(view, (state) =>
        pan(zoomBy(state, after / Math.max(1, before)), -dx / rect.height / 2, dy / rect.height / 2),
      );
    } else if (isPan)
      stage.setCamera(view, (state) =>
        pan(state, (-dx / rect.height / state.zoom) * 1.1, (dy / rect.height / state.zoom) * 1.1),
      );
    else stage.setCamera(view, (state) => orbit(state, dx, dy));
  };
  const up = (event: PointerEvent) => {
    const was = pointers.delete(event.pointerId);
    if (!was || moved >= CLICK || view.gizmo?.isDragging() || view.editGizmo?.isDragging()) return;
    const { x, y } = place(event);
    clickJoint(view, theStage()?.pick(view, x, y) ?? -1);
  };
  const wheel = (event: WheelEvent) => {
    event.preventDefault();
    theStage()?.setCamera(view, (state) => zoomBy(state, Math.exp(-event.deltaY * 0.0012)));
  };
  const twice = (event: MouseEvent) => {
    if (!isOwn(event)) return;
    const rect = element.getBoundingClientRect();
    const joint = theStage()?.pick(view, event.clientX - rect.left, event.clientY - rect.top) ?? -1;
    theStage()?.frameJoint(view.spec.side, joint);
  };
  const leave = () => useView.getState().hovered && setView({ hovered: null });
  const menu = (event: Event) => isOwn(event) && event.preventDefault();
  element.addEventListener('pointerdown', down);
  element.addEventListener('pointermove', move);
  element.addEventListener('pointerup', up);
  element.addEventListener('pointercancel', up);
  element.addEventListener('pointerleave', leave);
  element.addEventListener('wheel', wheel, { passive: false });
  element.addEventListener('dblclick', twice);
  element.addEventListener('contextmenu', menu);
  return () => {
    element.removeEventListener('pointerdown', down);
    element.removeEventListener('pointermove', move);
    element.removeEventListener('pointerup', up);
    element.removeEventListener('pointercancel', up);
    element.removeEventListener('pointerleave', leave);
    element.removeEventListener('wheel', wheel);
    element.removeEventListener('dblclick', twice);
    element.removeEventListener('contextmenu', menu);
  };
}

/** A joint was clicked (−1: none). */
export function clickJoint(view: Pick<StageView, 'spec'>, joint: number): void {
  const { side } = view.spec;
  const { mapping, tab, selection } = useView.getState();
  if (mapping !== null && side === 'source') {
    if (joint < 0 || mapping < 0) return;
    pairJoints(mapping, joint);
    setView({ mapping: null, selection: { side: 'target', joint: mapping } });
    return;
  }
  if (mapping !== null && side === 'target' && joint >= 0) {
    setView({ mapping: joint, selection: { side, joint } });
    return;
  }
  if (joint < 0) {
    if (selection) setView({ selection: null });
    return;
  }
  setView({ selection: { side, joint }, ...(tab === 'pose' && { posing: side }) });
}
