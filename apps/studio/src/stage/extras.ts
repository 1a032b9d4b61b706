import {
  type Clip,
  type Contact,
  copyPose,
  createModelPose,
  localToModel,
  type Role,
  sampleClip,
  transformPoint,
} from '@stuntdouble/core/engine';
import {
  BufferGeometry,
  DynamicDrawUsage,
  Float32BufferAttribute,
  Group,
  Line,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshBasicMaterial,
  RingGeometry,
} from 'three';
import type { FileFacts } from '../engine/protocol.js';
import type { Actor } from './actor.js';
import { CHAIN_COLORS } from './colors.js';
import { shownJoints } from './skeleton-bones.js';

/** Marks on top of a body: contacts, trails, axes. They are made when they are first shown. */
export type Extras = {
  object: Group;
  showContacts(actor: Actor, contacts: readonly Contact[] | null, time: number): void;
  showTrails(actor: Actor, clip: Clip | null, time: number): void;
  showAxes(actor: Actor, on: boolean): void;
};

/** Joints that leave a trail. */
const TRAILS: readonly Role[] = ['hips', 'leftHand', 'rightHand', 'leftFoot', 'rightFoot'];
/** Instants a second that a trail is made of, and at most in all. */
const TRAIL_RATE = 30;
const MOST_TRAIL = 900;

/** Makes an empty set of marks. */
export function createExtras(): Extras {
  const object = new Group();
  const rings: Mesh[] = [];
  const trails = new Group();
  const axes = new LineSegments(
    new BufferGeometry(),
    new LineBasicMaterial({ vertexColors: true, depthTest: false, transparent: true, toneMapped: false }),
  );
  axes.renderOrder = 11;
  axes.visible = false;
  axes.frustumCulled = false;
  object.add(trails, axes);
  let trailClip: Clip | null = null;
  const place = new Float64Array(3);

  const ring = (n: number) => {
    rings[n] ??= new Mesh(
      new RingGeometry(0.7, 1, 32).rotateX(-Math.PI / 2),
      new MeshBasicMaterial({ toneMapped: false, transparent: true, opacity: 0.9, depthWrite: false }),
    );
    if (!rings[n].parent) object.add(rings[n]);
    return rings[n];
  };
  return {
    object,
    showContacts({ model, facts }, contacts, time) {
      let n = 0;
      for (const { point, start, end, on, height } of contacts ?? []) {
        // A ring lies on what carries the body; what a hand touches of its own body is none.
        if (time < start || time > end || on !== undefined) continue;
        const at = facts.points[point];
        if (!at) continue;
        const { joint, offset } = at;
        transformPoint(place, 0, model.matrices, 16 * joint, offset, 0);
        const ground = facts.floor + height * facts.hipHeight + 0.002 * facts.height;
        const mark = ring(n++);
        const size = 0.035 * facts.height * (point.endsWith('Toe') ? 0.75 : 1);
        mark.position.set(place[0]!, ground, place[2]!);
        mark.scale.setScalar(size);
        (mark.material as MeshBasicMaterial).color.set(CHAIN_COLORS[facts.chains[joint] ?? 'none']);
        mark.visible = true;
      }
      for (; n < rings.length; n++) rings[n]!.visible = false;
    },
    showTrails(actor, clip, time) {
      trails.visible = clip !== null;
      if (!clip) return;
      if (clip === trailClip) {
        drawAround(trails, clip, time);
        return;
      }
      trailClip = clip;
      for (const line of [...trails.children] as Line[]) {
        line.geometry.dispose();
        (line.material as LineBasicMaterial).dispose();
        line.removeFromParent();
      }
      trails.add(...createTrails(actor.facts, clip));
      drawAround(trails, clip, time);
    },
    showAxes({ model, facts }, on) {
      axes.visible = on;
      if (on) drawAxes(axes, facts, model.matrices);
    },
  };
}

/** Seconds of a trail before and after now: the whole way of a long motion would be a tangle. */
const TRAIL_SECONDS = 2;

/** Draws of each trail what lies around an instant. */
function drawAround({ children }: Group, { duration }: Clip, time: number): void {
  for (const { geometry } of children as Line[]) {
    const last = geometry.attributes.position!.count - 1;
    const at = (seconds: number) => (duration > 0 ? Math.max(0, Math.min(1, seconds / duration)) * last : 0);
    const first = Math.floor(at(time - TRAIL_SECONDS));
    geometry.setDrawRange(first, Math.ceil(at(time + TRAIL_SECONDS)) - first + 1);
  }
}

function createTrails(facts: FileFacts, clip: Clip): Line[] {
  const { skeleton, joints } = facts;
  if (!skeleton) return [];
  const count = Math.max(2, Math.min(MOST_TRAIL, Math.ceil(clip.duration * TRAIL_RATE) + 1));
  const followed = TRAILS.map((role) => joints[role]).filter((joint) => joint !== undefined);
  const places = followed.map(() => new Float32Array(3 * count));
  const pose = copyPose(skeleton.rest);
  const model = createModelPose(skeleton.names.length);
  const hints = new Int32Array(clip.tracks.length);
  for (let k = 0; k < count; k++) {
    sampleClip(pose, clip, (k / (count - 1)) * clip.duration, hints);
    localToModel(model, skeleton, pose);
    followed.forEach((joint, n) => {
      for (let c = 0; c < 3; c++) places[n]![3 * k + c] = model.matrices[16 * joint + 12 + c]!;
    });
  }
  return followed.map((joint, n) => {
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new Float32BufferAttribute(places[n]!, 3));
    const color = CHAIN_COLORS[facts.chains[joint] ?? 'none'];
    const line = new Line(
      geometry,
      new LineBasicMaterial({ color, toneMapped: false, transparent: true, opacity: 0.85 }),
    );
    line.frustumCulled = false;
    return line;
  });
}

function drawAxes(axes: LineSegments, facts: FileFacts, matrices: Float64Array): void {
  const shown = shownJoints(facts);
  const joints = shown.flatMap((is, joint) => (is ? [joint] : []));
  const length = 0.035 * facts.height;
  const attribute = axes.geometry.getAttribute('position');
  if (!attribute || attribute.count !== 6 * joints.length) {
    axes.geometry.dispose();
    axes.geometry = new BufferGeometry();
    const places = new Float32BufferAttribute(new Float32Array(18 * joints.length), 3);
    places.setUsage(DynamicDrawUsage);
    axes.geometry.setAttribute('position', places);
    const colors = joints.flatMap(() => [
      1, 0.3, 0.3, 1, 0.3, 0.3, 0.4, 0.9, 0.4, 0.4, 0.9, 0.4, 0.4, 0.6, 1, 0.4, 0.6, 1,
    ]);
    axes.geometry.setAttribute('color', new Float32BufferAttribute(colors, 3));
  }
  const places = axes.geometry.getAttribute('position');
  joints.forEach((joint, n) => {
    const m = 16 * joint;
    const [x, y, z] = [matrices[m + 12]!, matrices[m + 13]!, matrices[m + 14]!];
    for (let axis = 0; axis < 3; axis++) {
      const [dx, dy, dz] = [
        matrices[m + 4 * axis]!,
        matrices[m + 4 * axis + 1]!,
        matrices[m + 4 * axis + 2]!,
      ];
      const scale = length / (Math.hypot(dx, dy, dz) || 1);
      places.setXYZ(6 * n + 2 * axis, x, y, z);
      places.setXYZ(6 * n + 2 * axis + 1, x + dx * scale, y + dy * scale, z + dz * scale);
    }
  });
  places.needsUpdate = true;
}
