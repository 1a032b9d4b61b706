import type { Clip, Pose } from '@stuntdouble/core';
import {
  NeutralToneMapping,
  type Object3D,
  OrthographicCamera,
  PCFShadowMap,
  PerspectiveCamera,
  Vector3,
  WebGLRenderer,
} from 'three';
import { activeTarget } from '../document/document.js';
import type { FileId } from '../engine/protocol.js';
import { shortNames } from '../panels/joint-names.js';
import { fetchSample } from '../panels/shelf.js';
import { clock } from '../state/clock.js';
import { say, useDerived } from '../state/derived-store.js';
import { currentDocument, useDocument } from '../state/document-store.js';
import { type SideName, setView, themeOf, useView } from '../state/view-store.js';
import { useEditChoice } from '../timeline/edit-actions.js';
import { type Actor, createActor } from './actor.js';
import { type Bones, boneEnds, createBones } from './bones.js';
import { type CameraState, distanceOf, FIRST_CAMERA, type Framed, placeCamera, turned } from './camera.js';
import { VIEW_COLORS } from './colors.js';
import { type Content, contentOf, understandingOf, type ViewSpec } from './content.js';
import { disposeObject } from './dispose.js';
import type { EditGizmo } from './edit-gizmo.js';
import { createExtras, type Extras } from './extras.js';
import { areHandlesComing, fetchHandles, type Handles } from './fetch-handles.js';
import { besideEachOther, framedOf, isPerson, needsOf, type Reach, reachOf } from './framing.js';
import type { Gizmo } from './gizmo.js';
import { pickJoint, toScreen } from './pick.js';
import { createSet, type StageSet } from './set.js';

/** A view on the stage: a part of the page in which one body is drawn. */
export type StageView = {
  id: string;
  element: HTMLElement;
  spec: ViewSpec;
  set: StageSet;
  perspective: PerspectiveCamera;
  orthographic: OrthographicCamera;
  extras: Extras;
  ghosts: { key: string; bones: Bones }[];
  gizmo: Gizmo | null;
  editGizmo: EditGizmo | null;
  /** What was last shown: stays until there is something newer. */
  content: Content | null;
  /** How far the motion reaches that was last shown whole. */
  reach: (Reach & { clip: Clip }) | null;
  /** What is to be seen. */
  framed: Framed;
  markers: Record<'selected' | 'partner' | 'hovered', HTMLElement>;
};

/** The stage: one canvas, one renderer, any number of views. */
export type Stage = {
  attach(element: HTMLElement, spec: ViewSpec): StageView;
  detach(view: StageView): void;
  /** Asks for one more picture. Nothing else draws. */
  invalidate(): void;
  cameraOf(view: StageView): CameraState;
  setCamera(view: StageView | null, change: (state: CameraState) => CameraState): void;
  /** The joint under a point of a view, in pixels from its top left; −1 for none. */
  pick(view: StageView, x: number, y: number): number;
  /** Frames a joint, or the body where it is −1. */
  frameJoint(side: SideName, joint: number): void;
  /** Whether all that was asked for is drawn and loaded. */
  isSettled(): boolean;
  /** Pictures drawn so far, and what the graphics card holds. */
  info(): { frames: number; geometries: number; textures: number };
  views(): readonly StageView[];
  onCamera(listener: () => void): () => void;
  actorOf(side: SideName, file: FileId): Actor | null;
  /** Where the bone of a joint is on the page, in pixels: a place that picks it; null where it is not drawn. */
  placeOf(side: SideName, name: string): { x: number; y: number } | null;
  dispose(): void;
};

/** What a view shows before anybody is there. */
const NOBODY: Framed = { x: 0, y: 0.9, z: 0, height: 1.8, width: 1.2, depth: 0, heading: 0 };

const MARKERS = ['selected', 'partner', 'hovered'] as const;

/** Sets up the stage on a canvas. @param onPosed Called when a joint of a reference pose was dragged and let go. */
export function createStage(
  canvas: HTMLCanvasElement,
  onPosed: (side: SideName, file: FileId, pose: Pose) => void,
  onChange: () => void,
): Stage {
  const renderer = new WebGLRenderer({ canvas, antialias: true, powerPreference: 'high-performance' });
  renderer.shadowMap.enabled = true;
  renderer.shadowMap.type = PCFShadowMap;
  // White cloth in the sun keeps its folds, and stays whiter than a light floor; other colours stay as they are.
  renderer.toneMapping = NeutralToneMapping;
  renderer.toneMappingExposure = 1.15;
  renderer.setScissorTest(true);
  const views: StageView[] = [];
  const actors = new Map<string, Actor | 'loading' | 'failed'>();
  const cameras = new Map<string, CameraState>();
  let shared: CameraState = FIRST_CAMERA;
  let asked = false;
  let frames = 0;
  let last = 0;
  let dragged: { side: SideName; file: FileId; pose: Pose } | null = null;
  const cameraListeners = new Set<() => void>();

  const invalidate = () => {
    if (asked) return;
    asked = true;
    onChange();
    requestAnimationFrame(draw);
  };

  const actorKey = (side: SideName, file: FileId) => `${side} ${file}`;
  const actorOf = (side: SideName, file: FileId): Actor | null => {
    const found = actors.get(actorKey(side, file));
    return found && typeof found === 'object' ? found : null;
  };
  const load = async (side: SideName, file: FileId) => {
    const key = actorKey(side, file);
    const held = useDerived.getState().files[file];
    if (actors.has(key) || !held) return;
    actors.set(key, 'loading');
    const document = currentDocument();
    const ref = [document.source, ...document.targets].find((one) => one?.sha256 === file);
    try {
      const worn = ref?.wears && !held.facts.hasMeshes ? await fetchSample(ref.wears) : null;
      const color = VIEW_COLORS[themeOf(useView.getState().theme)].body;
      const actor = await createActor(held.facts, held.file, held.beside, worn, color);
      actors.set(key, actor ?? 'failed');
    } catch (error) {
      actors.set(key, 'failed');
      say('error', `${held.name} cannot be shown: ${error instanceof Error ? error.message : String(error)}`);
    }
    invalidate();
  };
  /** Lets go of bodies that are in no view any more. */
  const sweep = () => {
    const needed = new Set(views.map(({ spec }) => actorKey(spec.side, spec.file)));
    const { source } = currentDocument();
    if (source) needed.add(actorKey('source', source.sha256));
    for (const [key, actor] of actors)
      if (!needed.has(key) && actor !== 'loading') {
        if (typeof actor === 'object') actor.dispose();
        actors.delete(key);
      }
  };

  const stateOf = (view: StageView) =>
    useView.getState().linked ? shared : (cameras.get(view.id) ?? shared);
  /** How far the motion of a view goes: of a draft it is not asked, since the camera would jump at every step of a slider. */
  const reachIn = (view: StageView, actor: Actor): Reach | null => {
    const { content } = view;
    if (content?.kind !== 'clip') return null;
    if (!content.isDraft && view.reach?.clip !== content.clip)
      view.reach = { clip: content.clip, ...reachOf(actor, content.clip) };
    return view.reach;
  };
  /** Poses every body, and tells what each view is to show. */
  const frameViews = () => {
    const { linked, follow } = useView.getState();
    const actors = views.flatMap((view) => {
      const { side, file } = view.spec;
      const actor = actorOf(side, file);
      if (!actor) return [];
      pose(view, actor);
      return [{ view, actor, reach: reachIn(view, actor) }];
    });
    // A capture may look anywhere: it is met face to face, and so is everybody who plays it.
    const heading = actors.find(({ reach }) => reach)?.reach?.facing ?? 0;
    const posed = actors.map(({ view, actor, reach }) => ({
      view,
      actor,
      needs: needsOf(actor, stateOf(view).yaw + heading, reach),
    }));
    // A long animal beside them would make people small, and so would narrow views of a grid.
    const [one, two] = posed;
    const areAlike =
      linked && posed.length === 2 && posed.every(({ actor }) => isPerson(actor.facts)) && one && two;
    for (const { view, actor, needs } of posed) {
      const other = view === one?.view ? two : one;
      const shown = areAlike && other ? besideEachOther(needs, other.needs) : needs;
      view.framed = framedOf(actor, shown, follow ? actor.model.matrices : null, heading);
    }
  };

  const resize = () => {
    const { clientWidth: width, clientHeight: height } = canvas;
    const ratio = Math.min(2, devicePixelRatio);
    if (canvas.width === Math.round(width * ratio) && canvas.height === Math.round(height * ratio)) return;
    renderer.setPixelRatio(ratio);
    renderer.setSize(width, height, false);
  };

  function draw(now: number): void {
    asked = false;
    const seconds = last > 0 ? Math.min(0.1, (now - last) / 1000) : 0;
    last = clock.playing() ? now : 0;
    const { speed, loop } = useView.getState();
    clock.advance(seconds, speed, loop);
    resize();
    const home = canvas.getBoundingClientRect();
    frameViews();
    for (const view of views) drawView(view, home);
    frames++;
    if (clock.playing()) invalidate();
    onChange();
  }

  function drawView(view: StageView, home: DOMRect): void {
    const rect = view.element.getBoundingClientRect();
    if (rect.width < 2 || rect.height < 2) return;
    const state = useView.getState();
    const { side, file } = view.spec;
    const theme = themeOf(state.theme);
    const actor = actorOf(side, file);
    if (!actor) load(side, file);
    const bottom = home.bottom - rect.bottom;
    renderer.setViewport(rect.left - home.left, bottom, rect.width, rect.height);
    renderer.setScissor(rect.left - home.left, bottom, rect.width, rect.height);
    const { framed } = view;
    const aspect = rect.width / rect.height;
    const camera = stateOf(view);
    const share = shareAbove(view.element, rect);
    placeCamera(view.perspective, view.orthographic, camera, framed, aspect, share);
    const floor = actor ? actor.facts.floor : 0;
    const distance = distanceOf(framed, camera, aspect / share);
    view.set.update(
      theme,
      { x: framed.x, z: framed.z, floor, heading: framed.heading },
      Math.max(framed.height, 0.6 * framed.width),
      distance,
      state.shown.grid,
      state.shown.shadow,
    );
    const eye = camera.ortho ? view.orthographic : view.perspective;
    if (actor) {
      drawGhosts(view, actor);
      placeMarkers(view, actor, eye, rect);
      placeGizmo(view, actor, eye);
      placeEditGizmo(view, actor, eye);
    }
    renderer.render(view.set.scene, eye);
  }

  /** Poses a body as its view says. */
  function pose(view: StageView, actor: Actor): void {
    const { shown, selection, hidden } = useView.getState();
    const { side, file } = view.spec;
    if (actor.root.parent !== view.set.scene) view.set.scene.add(actor.root);
    view.content = contentOf(view.spec) ?? view.content;
    const { content, extras } = view;
    const time = clock.time();
    if (dragged?.side === side && dragged.file === file) actor.stand(dragged.pose);
    else if (content?.kind === 'clip') actor.play(content.clip, content.offset + time * content.rate);
    else if (content) actor.stand(content.pose);
    const isDrawn = !hidden.includes(file);
    actor.show(shown.skin && isDrawn, shown.bones && isDrawn);
    actor.drawn.highlight(selection?.side === side ? selection.joint : -1);
    const clip = content?.kind === 'clip' ? content : null;
    // Contacts are told in the time of the result on either side.
    extras.showContacts(actor, shown.contacts && clip ? clip.contacts : null, time);
    extras.showTrails(
      actor,
      shown.trails && clip ? clip.clip : null,
      clip ? clip.offset + time * clip.rate : 0,
    );
    extras.showAxes(actor, shown.axes);
  }

  /** The source's bones over the target, and the result a little earlier and later. */
  function drawGhosts(view: StageView, actor: Actor): void {
    const { shown, layout } = useView.getState();
    const document = currentDocument();
    const wanted: {
      key: string;
      of: Actor;
      play: () => void;
      /** Puts its bones where they belong, once it is posed; where it was posed, if left out. */
      stand?: (object: Object3D) => void;
      color: string;
      opacity: number;
    }[] = [];
    const { source } = document;
    const other = source ? actorOf('source', source.sha256) : null;
    if (view.spec.side === 'target' && (shown.ghost || layout === 'overlaid') && source) {
      if (!other) load('source', source.sha256);
      const from = other && contentOf({ side: 'source', file: source.sha256 });
      if (other && from)
        wanted.push({
          key: `source ${source.sha256}`,
          of: other,
          play: () =>
            from.kind === 'clip'
              ? other.play(from.clip, from.offset + clock.time() * from.rate)
              : other.stand(from.pose),
          stand: (object) =>
            standOver(
              object,
              other,
              actor,
              understandingOf(document, view.spec.file)?.rootScales.vertical ?? 1,
              from.kind === 'pose',
            ),
          color: '#c9d2ff',
          opacity: 0.42,
        });
    }
    const content = view.content;
    if (shown.onion && content?.kind === 'clip')
      for (const step of [-0.3, -0.15, 0.15, 0.3])
        wanted.push({
          key: `onion ${step}`,
          of: actor,
          play: () => actor.play(content.clip, content.offset + (clock.time() + step) * content.rate),
          color: step < 0 ? '#8ea6ff' : '#f2b84b',
          opacity: 0.22,
        });
    for (const ghost of [...view.ghosts])
      if (!wanted.some(({ key }) => key === ghost.key)) {
        disposeObject(ghost.bones.object);
        view.ghosts.splice(view.ghosts.indexOf(ghost), 1);
      }
    for (const { key, of, play, stand, color, opacity } of wanted) {
      let ghost = view.ghosts.find((one) => one.key === key);
      if (!ghost) {
        ghost = { key, bones: createBones(of.bones, of.facts.chains, of.facts.height, { color, opacity }) };
        view.ghosts.push(ghost);
        view.set.scene.add(ghost.bones.object);
      }
      play();
      ghost.bones.update(of.model.matrices);
      stand?.(ghost.bones.object);
    }
    // Whoever was moved for a ghost goes back to where it was.
    if (wanted.some(({ of }) => of === actor) && content?.kind === 'clip')
      actor.play(content.clip, content.offset + clock.time() * content.rate);
  }

  const place = new Vector3();
  function placeMarkers(
    view: StageView,
    actor: Actor,
    eye: PerspectiveCamera | OrthographicCamera,
    rect: DOMRect,
  ): void {
    const { selection, hovered, mapping } = useView.getState();
    const { side } = view.spec;
    const own = (choice: typeof selection) => (choice?.side === side ? choice.joint : -1);
    const isActive = side === 'source' || view.spec.file === activeTarget(currentDocument())?.sha256;
    const chosen = mapping !== null && side === 'target' ? mapping : own(selection);
    const partner = selection && selection.side !== side ? partnerOf(selection) : -1;
    const joints = {
      selected: isActive ? chosen : -1,
      partner: isActive ? partner : -1,
      hovered: isActive ? own(hovered) : -1,
    };
    for (const name of MARKERS) {
      const joint = joints[name];
      const marker = view.markers[name];
      const at =
        joint >= 0 ? toScreen(place.fromArray(actor.model.matrices, 16 * joint + 12), eye, rect) : null;
      marker.hidden = !at || at.x < 0 || at.y < 0 || at.x > rect.width || at.y > rect.height;
      if (!at) continue;
      marker.style.transform = `translate(${at.x.toFixed(1)}px, ${at.y.toFixed(1)}px)`;
      const label = marker.querySelector('span');
      if (!label || name !== 'hovered') continue;
      // Words about the joint that has the handle would lie on it; the panel tells them.
      label.textContent = joint === joints.selected ? '' : describeJoint(side, joint);
      placeLabel(label, at, rect);
    }
  }

  function placeGizmo(view: StageView, actor: Actor, eye: PerspectiveCamera | OrthographicCamera): void {
    const { tab, selection, posing, gizmo } = useView.getState();
    const { side, file } = view.spec;
    const isActive = side === 'source' || file === activeTarget(currentDocument())?.sha256;
    const joint =
      tab === 'pose' && posing === side && selection?.side === side && isActive ? selection.joint : -1;
    if (joint < 0 && !view.gizmo) return;
    const handles = fetchHandles(invalidate);
    if (!handles) return;
    view.gizmo ??= handles.createGizmo(
      handles.createControls(eye, view.element),
      (next) => {
        dragged = { side, file, pose: next };
        invalidate();
      },
      (next) => {
        dragged = null;
        onPosed(side, file, referenceOf(handles, view, actor, next));
        invalidate();
      },
    );
    view.gizmo.configure(gizmo);
    view.gizmo.attach(joint < 0 ? null : actor, joint, view.set.scene, eye);
  }

  /** The reference that a dragged pose stands for: the pose itself, or what makes a frame of the motion look like it. */
  function referenceOf(
    { referenceFromFrame }: Handles,
    { content, spec }: StageView,
    actor: Actor,
    next: Pose,
  ): Pose {
    const understood = understandingOf(currentDocument(), spec.file);
    if (content?.kind !== 'clip' || !understood || !actor.facts.skeleton) return next;
    actor.play(content.clip, content.offset + clock.time() * content.rate);
    const { target, aligned } = understood;
    return referenceFromFrame(actor.facts.skeleton, target.pose, aligned, actor.pose, next);
  }

  /** The handle of what is chosen on the timeline, in the active character's view. */
  function placeEditGizmo(view: StageView, actor: Actor, eye: PerspectiveCamera | OrthographicCamera): void {
    const { side, file } = view.spec;
    const { constraint, layer } = useEditChoice.getState();
    const isChosen = constraint >= 0 || layer >= 0;
    if (side !== 'target' || file !== activeTarget(currentDocument())?.sha256) return;
    if (!isChosen && !view.editGizmo) return;
    const handles = fetchHandles(invalidate);
    if (!handles) return;
    view.editGizmo ??= handles.createEditGizmo(handles.createControls(eye, view.element), invalidate);
    view.editGizmo.place(actor, view.set.scene, eye);
  }

  const stops = [
    useEditChoice.subscribe(invalidate),
    useView.subscribe(invalidate),
    useDerived.subscribe(invalidate),
    useDocument.subscribe(() => {
      sweep();
      invalidate();
    }),
    clock.subscribe(invalidate),
  ];
  const observer = new ResizeObserver(invalidate);
  observer.observe(canvas);

  return {
    invalidate,
    actorOf,
    views: () => views,
    cameraOf: stateOf,
    attach(element, spec) {
      const markers = Object.fromEntries(
        MARKERS.map((name) => {
          const marker = document.createElement('div');
          marker.className = `marker ${name}`;
          marker.hidden = true;
          marker.setAttribute('aria-hidden', 'true');
          marker.append(document.createElement('i'), document.createElement('span'));
          element.append(marker);
          return [name, marker];
        }),
      ) as unknown as StageView['markers'];
      const set = createSet();
      const extras = createExtras();
      set.scene.add(extras.object);
      const view: StageView = {
        id: `${spec.side} ${spec.file}`,
        element,
        spec,
        set,
        perspective: new PerspectiveCamera(),
        orthographic: new OrthographicCamera(),
        extras,
        ghosts: [],
        gizmo: null,
        editGizmo: null,
        content: null,
        reach: null,
        framed: NOBODY,
        markers,
      };
      views.push(view);
      observer.observe(element);
      invalidate();
      return view;
    },
    detach(view) {
      views.splice(views.indexOf(view), 1);
      observer.unobserve(view.element);
      view.gizmo?.dispose();
      view.editGizmo?.dispose();
      const actor = actorOf(view.spec.side, view.spec.file);
      if (actor?.root.parent === view.set.scene) actor.root.removeFromParent();
      disposeObject(view.set.scene);
      for (const marker of Object.values(view.markers)) marker.remove();
      sweep();
      invalidate();
    },
    setCamera(view, change) {
      const { linked } = useView.getState();
      if (linked || !view) shared = change(shared);
      if (!linked) {
        for (const one of view ? [view] : views) cameras.set(one.id, change(stateOf(one)));
      }
      for (const listener of cameraListeners) listener();
      invalidate();
    },
    onCamera(listener) {
      cameraListeners.add(listener);
      return () => cameraListeners.delete(listener);
    },
    pick(view, x, y) {
      const actor = actorOf(view.spec.side, view.spec.file);
      if (!actor) return -1;
      const rect = view.element.getBoundingClientRect();
      const eye = stateOf(view).ortho ? view.orthographic : view.perspective;
      return pickJoint(actor.bones, actor.model.matrices, eye, rect, x, y);
    },
    frameJoint(side, joint) {
      const view = views.find(({ spec }) => spec.side === side) ?? views[0];
      const actor = view && actorOf(view.spec.side, view.spec.file);
      if (!view || !actor) return;
      const { framed } = view;
      const m = 16 * joint + 12;
      const { matrices } = actor.model;
      const way: [number, number, number] =
        joint < 0
          ? [0, 0, 0]
          : [
              (matrices[m]! - framed.x) / framed.height,
              (matrices[m + 1]! - framed.y) / framed.height,
              (matrices[m + 2]! - framed.z) / framed.height,
            ];
      const pan = turned(way, -framed.heading);
      this.setCamera(view, (state) => ({ ...state, pan, zoom: joint < 0 ? 1 : NEAR }));
    },
    placeOf(side, name) {
      const view = views.find(({ spec }) => spec.side === side);
      const actor = view && actorOf(side, view.spec.file);
      const joint = actor?.facts.skeleton?.names.indexOf(name) ?? -1;
      const bone = actor?.bones.find((one) => one.from === joint);
      if (!view || !actor || !bone) return null;
      const rect = view.element.getBoundingClientRect();
      const eye = stateOf(view).ortho ? view.orthographic : view.perspective;
      const [start, end] = [new Vector3(), new Vector3()];
      boneEnds(bone, actor.model.matrices, start, end);
      const at = toScreen(start.lerp(end, 0.4), eye, rect);
      return at && { x: rect.left + at.x, y: rect.top + at.y };
    },
    isSettled: () =>
      !asked && !areHandlesComing() && ![...actors.values()].includes('loading') && !clock.playing(),
    info: () => ({ frames, ...renderer.info.memory }),
    dispose() {
      for (const stop of stops) stop();
      observer.disconnect();
      for (const actor of actors.values()) if (typeof actor === 'object') actor.dispose();
      renderer.dispose();
    },
  };
}

/**
 * Stands the source's bones over the target: hips over hips, on one floor. In their reference poses both are as long from
 * hips to feet; in motion the source is as tall as its travel up and down is scaled.
 */
function standOver(
  object: Object3D,
  source: Actor,
  target: Actor,
  vertical: number,
  isReference: boolean,
): void {
  const [from, to] = [hipsOver(source), hipsOver(target)];
  const scale = isReference && from.legs > 0.01 * source.facts.height ? to.legs / from.legs : vertical;
  const y = isReference ? to.y - scale * from.y : target.facts.floor - scale * source.facts.floor;
  object.scale.setScalar(scale);
  object.position.set(to.x - scale * from.x, y, to.z - scale * from.z);
}

/** Where the hips of a body are, and how far over its lowest bone; nowhere in particular where it has none. */
function hipsOver({ model: { matrices }, bones, facts: { joints } }: Actor): {
  x: number;
  y: number;
  z: number;
  legs: number;
} {
  const { hips } = joints;
  if (hips === undefined) return { x: 0, y: 0, z: 0, legs: 0 };
  const [x, y, z] = [12, 13, 14].map((c) => matrices[16 * hips + c]!) as [number, number, number];
  return { x, y, z, legs: y - Math.min(...bones.map(({ from }) => matrices[16 * from + 13]!)) };
}

/** How near a joint is looked at that is framed: with so much around it that one sees what it does. */
const NEAR = 2.4;

/** Puts the words about a joint beside it, inside its view. */
function placeLabel(label: HTMLElement, at: { x: number; y: number }, { width }: DOMRect): void {
  const left = Math.max(GAP - at.x, Math.min(BESIDE, width - GAP - label.offsetWidth - at.x));
  label.style.left = `${left.toFixed(1)}px`;
  label.style.maxWidth = `${width - 2 * GAP}px`;
  label.dataset.below = String(at.y < 2 * label.offsetHeight);
}

/** Pixels between words and the edge of their view, and from a joint to the words beside it. */
const GAP = 6;
const BESIDE = 14;

/** The joint on the other side that is paired with a selected one; −1 for none. */
export function partnerOf({ side, joint }: { side: SideName; joint: number }): number {
  const map = understandingOf(currentDocument())?.map;
  if (!map) return -1;
  if (side === 'target') return map.joints.find(({ target }) => target === joint)?.sources.at(-1) ?? -1;
  const driven = map.joints.find(({ sources }) => sources.at(-1) === joint);
  return (driven ?? map.joints.find(({ sources }) => sources.includes(joint)))?.target ?? -1;
}

/** What is said about a joint under the pointer. */
export function describeJoint(side: SideName, joint: number): string {
  const document = currentDocument();
  const { files } = useDerived.getState();
  const names = (file: FileId | undefined) =>
    file ? shortNames(files[file]?.facts.skeleton?.names ?? []) : undefined;
  const own = names(side === 'source' ? document.source?.sha256 : activeTarget(document)?.sha256);
  const other = names(side === 'source' ? activeTarget(document)?.sha256 : document.source?.sha256);
  const partner = partnerOf({ side, joint });
  const name = own?.[joint] ?? '';
  if (partner < 0) return `${name} ${side === 'source' ? 'drives nothing yet' : 'is driven by nothing'}`;
  return side === 'source' ? `${name} drives ${other?.[partner]}` : `${name} ← ${other?.[partner]}`;
}

/** Selects a joint of a side, or nothing. */
export function selectJoint(side: SideName, joint: number): void {
  setView({ selection: joint < 0 ? null : { side, joint } });
}

/** Feet end here in a view on arrival, as a share of its height; what lies below may be covered. */
const FEET = 0.98;

/** How much of a view's height a body is framed in: so much that the card that says where to drop files leaves its feet in sight. */
function shareAbove(element: HTMLElement, rect: DOMRect): number {
  const card = element.querySelector('.drop-card')?.getBoundingClientRect();
  return card ? Math.max(0.5, Math.min(1, (card.top - rect.top) / rect.height / FEET)) : 1;
}
