import type { OrthographicCamera, PerspectiveCamera } from 'three';

/** Where a view is looked at from, relative to the body: lengths in heights of the body, angles in radians. */
export type CameraState = {
  /** 0 looks the body in the face, a quarter turn at its left side. */
  yaw: number;
  /** 0 is level, a quarter turn straight down. */
  pitch: number;
  /** 1 frames the whole body. */
  zoom: number;
  /** Where is looked at, from the middle of the body. */
  pan: [number, number, number];
  ortho: boolean;
};

/**
 * What is to be seen: a middle in model space, how high and wide it is and how far it comes towards the camera, in metres,
 * and where it looks, in radians from +Z: cameras are told from there.
 */
export type Framed = {
  x: number;
  y: number;
  z: number;
  height: number;
  width: number;
  depth: number;
  heading: number;
};

/** The camera on arrival: a little from the side and above, so that depth is seen, with room for what a view says at its top. */
export const FIRST_CAMERA: CameraState = {
  yaw: 0.5,
  pitch: 0.14,
  zoom: 0.93,
  pan: [0, -0.022, 0],
  ortho: false,
};

/** Vertical opening of the perspective camera: narrow, so that bodies keep their proportions. */
export const FIELD = (28 * Math.PI) / 180;
/** Room around a framed body. */
export const MARGIN = 1.12;
/** Straight down there is no up: a hair less. */
const STEEPEST = Math.PI / 2 - 1e-3;

/** How far a camera is from what it frames, in metres. */
export function distanceOf({ height, width, depth }: Framed, { zoom }: CameraState, aspect: number): number {
  const half = Math.max(height, width / Math.max(0.1, aspect)) / 2;
  return ((MARGIN * half) / Math.tan(FIELD / 2) + depth) / zoom;
}

/**
 * Puts both cameras of a view where a state says.
 * @param share How much of the view's height, from the top, what is framed is to stand in: below it lies something else.
 */
export function placeCamera(
  perspective: PerspectiveCamera,
  orthographic: OrthographicCamera,
  state: CameraState,
  framed: Framed,
  wholeAspect: number,
  share = 1,
): void {
  const aspect = wholeAspect / share;
  const distance = distanceOf(framed, state, aspect);
  const pitch = Math.max(-STEEPEST, Math.min(STEEPEST, state.pitch));
  const panned = turned(state.pan, framed.heading);
  const at = [0, 1, 2].map((c) => [framed.x, framed.y, framed.z][c]! + panned[c]! * framed.height) as [
    number,
    number,
    number,
  ];
  const yaw = state.yaw + framed.heading;
  const way = [Math.sin(yaw) * Math.cos(pitch), Math.sin(pitch), Math.cos(yaw) * Math.cos(pitch)];
  for (const camera of [perspective, orthographic]) {
    camera.position.set(at[0] + way[0]! * distance, at[1] + way[1]! * distance, at[2] + way[2]! * distance);
    camera.lookAt(...at);
    camera.near = distance / 100;
    camera.far = distance * 20 + 50;
  }
  perspective.fov = (FIELD * 180) / Math.PI;
  perspective.aspect = aspect;
  // The picture goes on below the part that was framed.
  if (share < 1) perspective.setViewOffset(aspect, 1, 0, 0, aspect, 1 / share);
  else perspective.clearViewOffset();
  const half = distance * Math.tan(FIELD / 2);
  orthographic.top = half;
  orthographic.bottom = half - (2 * half) / share;
  orthographic.left = -half * aspect;
  orthographic.right = half * aspect;
  perspective.updateProjectionMatrix();
  orthographic.updateProjectionMatrix();
  perspective.updateMatrixWorld();
  orthographic.updateMatrixWorld();
}

/** A way in model space, turned about the vertical. */
export function turned(
  [x, y, z]: readonly [number, number, number],
  angle: number,
): [number, number, number] {
  const [sin, cos] = [Math.sin(angle), Math.cos(angle)];
  return [x * cos + z * sin, y, z * cos - x * sin];
}

/** Turns a camera about the body by a drag of so many pixels. */
export function orbit(state: CameraState, dx: number, dy: number): CameraState {
  return {
    ...state,
    yaw: state.yaw - dx * 0.008,
    pitch: Math.max(-STEEPEST, Math.min(STEEPEST, state.pitch + dy * 0.008)),
  };
}

/** Moves what is looked at: right, up and towards the back, in heights of the body. */
export function pan(state: CameraState, right: number, up: number, ahead = 0): CameraState {
  const { yaw, pitch } = state;
  const [x, y, z] = state.pan;
  // The camera's right, up and forward in model space.
  const [rx, rz] = [Math.cos(yaw), -Math.sin(yaw)];
  const [ux, uy, uz] = [-Math.sin(yaw) * Math.sin(pitch), Math.cos(pitch), -Math.cos(yaw) * Math.sin(pitch)];
  const [fx, fy, fz] = [-Math.sin(yaw) * Math.cos(pitch), -Math.sin(pitch), -Math.cos(yaw) * Math.cos(pitch)];
  return {
    ...state,
    pan: [
      x + right * rx + up * ux + ahead * fx,
      y + up * uy + ahead * fy,
      z + right * rz + up * uz + ahead * fz,
    ],
  };
}

/** Comes nearer or goes away by a share. */
export function zoomBy(state: CameraState, factor: number): CameraState {
  return { ...state, zoom: Math.max(0.1, Math.min(40, state.zoom * factor)) };
}

/** A standard view by the key that people know it by: 1 front, 3 side, 7 top, 9 from behind, 5 without perspective. */
export function standardView(state: CameraState, key: string): CameraState {
  const turn = Math.PI / 12;
  // Whoever stood at a joint sees the whole body again.
  const whole = { pan: [0, 0, 0] as CameraState['pan'], zoom: Math.min(1, state.zoom) };
  switch (key) {
    case '1':
      return { ...state, yaw: 0, pitch: 0, ...whole };
    case '3':
      return { ...state, yaw: Math.PI / 2, pitch: 0, ...whole };
    case '7':
      return { ...state, yaw: 0, pitch: Math.PI / 2, ...whole };
    case '9':
      return { ...state, yaw: state.yaw + Math.PI };
    case '5':
      return { ...state, ortho: !state.ortho };
    case '4':
      return { ...state, yaw: state.yaw - turn };
    case '6':
      return { ...state, yaw: state.yaw + turn };
    case '8':
      return { ...state, pitch: Math.min(Math.PI / 2, state.pitch + turn) };
    case '2':
      return { ...state, pitch: Math.max(-Math.PI / 2, state.pitch - turn) };
    default:
      return state;
  }
}

/** What a camera is called, for the corner of its view. */
export function nameCamera({ yaw, pitch, ortho }: CameraState): string {
  const quarter = Math.PI / 2;
  const near = (a: number, b: number) => Math.abs(Math.atan2(Math.sin(a - b), Math.cos(a - b))) < 0.01;
  const words = near(pitch, quarter)
    ? 'Top'
    : !near(pitch, 0)
      ? null
      : near(yaw, 0)
        ? 'Front'
        : near(yaw, quarter)
          ? 'Left side'
          : near(yaw, -quarter)
            ? 'Right side'
            : near(yaw, Math.PI)
              ? 'Back'
              : null;
  if (words) return words;
  return ortho ? 'Orthographic' : 'Perspective';
}
