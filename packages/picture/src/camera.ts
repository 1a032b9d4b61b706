import { cos, sin } from '@stuntdouble/core/engine';

/** A perspective camera. Model space, metres; pixels from the top left of its picture. */
export type Camera = {
  eye: [number, number, number];
  /** Unit vectors of the picture: to its right, to its top, and into it. */
  right: [number, number, number];
  up: [number, number, number];
  forward: [number, number, number];
  /** Pixels per metre at a distance of one metre. */
  focal: number;
  /** The pixel straight ahead. */
  centerX: number;
  centerY: number;
};

/** From where one looks. */
export type View = {
  /** Degrees from straight in front (+Z) towards the body's own left (+X). */
  azimuthDegrees: number;
  /** Degrees above the horizon. */
  elevationDegrees: number;
  /** Degrees from the bottom to the top of the picture. Small is a long lens. */
  fieldOfViewDegrees: number;
};

/** A three-quarter view from a little above, with a long lens so that near hands do not look large. */
export const DEFAULT_VIEW: View = { azimuthDegrees: 40, elevationDegrees: 13, fieldOfViewDegrees: 20 };

/** Places that one looks from, by the names that people use. */
export const CAMERAS = ['three-quarter', 'front', 'side', 'follow'] as const;

/** The name of a place that one looks from. `follow` goes along with the body, three-quarter. */
export type CameraName = (typeof CAMERAS)[number];

/** From where a camera of a name looks. */
export function viewOf(camera: CameraName): View {
  if (camera === 'front') return { ...DEFAULT_VIEW, azimuthDegrees: 0, elevationDegrees: 8 };
  if (camera === 'side') return { ...DEFAULT_VIEW, azimuthDegrees: 90, elevationDegrees: 6 };
  return DEFAULT_VIEW;
}

/**
 * A camera that sees all points as large as they fit in a picture, left and right margins alike, the lowest
 * point on the lower margin.
 * @param points xyz triples; those that are not finite are passed over. Without any, a metre around the origin.
 * @param margin pixels that stay free on every side.
 */
export function fitCamera(
  points: ArrayLike<number>,
  picture: { width: number; height: number },
  view: View = DEFAULT_VIEW,
  margin: { left: number; right: number; top: number; bottom: number } = {
    left: 0,
    right: 0,
    top: 0,
    bottom: 0,
  },
): Camera {
  const azimuth = (view.azimuthDegrees * Math.PI) / 180;
  const elevation = (view.elevationDegrees * Math.PI) / 180;
  const sa = sin(azimuth);
  const ca = cos(azimuth);
  const se = sin(elevation);
  const ce = cos(elevation);
  const right: Camera['right'] = [ca, 0, -sa];
  const up: Camera['up'] = [-sa * se, ce, -ca * se];
  const forward: Camera['forward'] = [-sa * ce, -se, -ca * ce];
  const half = (view.fieldOfViewDegrees * Math.PI) / 360;
  const focal = (picture.height / 2 / sin(half)) * cos(half);
  // Slopes of the four planes through the eye that bound the free part of the picture.
  const width = Math.max(1, picture.width - margin.left - margin.right);
  const height = Math.max(1, picture.height - margin.top - margin.bottom);
  const slopeX = width / 2 / focal;
  const slopeY = height / 2 / focal;
  // A point (x, y, z) along right, up, forward is inside when ±(x − eyeX) ≤ slope · (z − eyeZ), so the
  // greatest of ±x − slope · z over all points bounds the eye; two such bounds give its depth and place.
  let toRight = -Infinity;
  let toLeft = -Infinity;
  let toTop = -Infinity;
  let toBottom = -Infinity;
  let nearest = Infinity;
  const take = (px: number, py: number, pz: number) => {
    const x = px * right[0] + py * right[1] + pz * right[2];
    const y = px * up[0] + py * up[1] + pz * up[2];
    const z = px * forward[0] + py * forward[1] + pz * forward[2];
    toRight = Math.max(toRight, x - slopeX * z);
    toLeft = Math.max(toLeft, -x - slopeX * z);
    toTop = Math.max(toTop, y - slopeY * z);
    toBottom = Math.max(toBottom, -y - slopeY * z);
    nearest = Math.min(nearest, z);
  };
  for (let i = 0; i + 2 < points.length; i += 3) {
    const x = points[i]!;
    const y = points[i + 1]!;
    const z = points[i + 2]!;
    if (Number.isFinite(x + y + z)) take(x, y, z);
  }
  if (nearest === Infinity) {
    take(-0.5, 0, 0);
    take(0.5, 1, 0);
  }
  const fitted = Math.min(-(toRight + toLeft) / 2 / slopeX, -(toTop + toBottom) / 2 / slopeY);
  // A single point fits at any distance: keep off it.
  const eyeZ = fitted < nearest ? fitted : nearest - 1;
  const eyeX = (toRight - toLeft) / 2;
  const eyeY = -toBottom - slopeY * eyeZ;
  return {
    eye: [0, 1, 2].map((c) => eyeX * right[c]! + eyeY * up[c]! + eyeZ * forward[c]!) as Camera['eye'],
    right,
    up,
    forward,
    focal,
    centerX: margin.left + width / 2,
    centerY: margin.top + height / 2,
  };
}

/** The same camera moved sideways, to follow a body. Metres. */
export function moveCamera(camera: Camera, x: number, z: number): Camera {
  return { ...camera, eye: [camera.eye[0] + x, camera.eye[1], camera.eye[2] + z] };
}

/**
 * Puts pixel x, pixel y and 1 / depth (per metre) of each point into `out`; 0 as 1 / depth for points that
 * are not in front of the camera.
 */
export function projectPoints(out: Float64Array, camera: Camera, positions: Float32Array): void {
  const { eye, right, up, forward, focal, centerX, centerY } = camera;
  for (let i = 0; i + 2 < positions.length; i += 3) {
    const x = positions[i]! - eye[0];
    const y = positions[i + 1]! - eye[1];
    const z = positions[i + 2]! - eye[2];
    const depth = x * forward[0] + y * forward[1] + z * forward[2];
    const inverse = depth > 1e-9 ? 1 / depth : 0;
    out[i] = centerX + focal * (x * right[0] + y * right[1] + z * right[2]) * inverse;
    out[i + 1] = centerY - focal * (x * up[0] + y * up[1] + z * up[2]) * inverse;
    out[i + 2] = inverse;
  }
}
