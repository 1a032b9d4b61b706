import {
  BufferGeometry,
  Color,
  DirectionalLight,
  Float32BufferAttribute,
  Fog,
  HemisphereLight,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  PlaneGeometry,
  Scene,
  ShadowMaterial,
} from 'three';
import { VIEW_COLORS } from './colors.js';

/** The surroundings of one view: lights, floor, and its colours. */
export type StageSet = {
  scene: Scene;
  /** Moves lights, floor and fog along with what is looked at, and dresses them for a theme. */
  update(
    theme: 'dark' | 'light',
    at: { x: number; z: number; floor: number },
    size: number,
    distance: number,
    grid: boolean,
    shadow: boolean,
  ): void;
};

/** Metres from the middle that floor lines go, before they are lost in the fog. */
const REACH = 24;

function gridGeometry(): BufferGeometry {
  const places: number[] = [];
  // Short pieces: a line that passes behind the camera as one is lost by some renderers.
  for (let n = -REACH; n <= REACH; n++)
    for (let k = -REACH; k < REACH; k++) places.push(n, 0, k, n, 0, k + 1, k, 0, n, k + 1, 0, n);
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new Float32BufferAttribute(places, 3));
  return geometry;
}

/** Makes the surroundings of a view. */
export function createSet(): StageSet {
  const scene = new Scene();
  const sky = new HemisphereLight(0xffffff, 0x444444, 2.1);
  const sun = new DirectionalLight(0xffffff, 2.3);
  const fill = new DirectionalLight(0xdfe6ff, 0.7);
  sun.castShadow = true;
  sun.shadow.mapSize.set(1024, 1024);
  sun.shadow.bias = -0.0006;
  sun.shadow.normalBias = 0.01;
  sun.shadow.radius = 3;
  const lines = new LineSegments(gridGeometry(), new LineBasicMaterial());
  const floor = new Mesh(new PlaneGeometry(2 * REACH, 2 * REACH).rotateX(-Math.PI / 2), new ShadowMaterial());
  floor.receiveShadow = true;
  scene.add(sky, sun, sun.target, fill, fill.target, lines, floor);
  const background = new Color();
  scene.background = background;
  const fog = new Fog(0, 1, 10);
  scene.fog = fog;
  return {
    scene,
    update(theme, at, size, distance, grid, shadow) {
      const colors = VIEW_COLORS[theme];
      background.set(colors.ground);
      fog.color.set(colors.ground);
      // Before the body nothing is hidden; a few heights behind it the floor is gone.
      fog.near = distance + 0.5 * size;
      fog.far = distance + 7 * size;
      sky.groundColor.set(colors.earth);
      (lines.material as LineBasicMaterial).color.set(colors.line);
      (floor.material as ShadowMaterial).opacity = colors.shadow;
      // Lines are drawn for one body height or less, and go along by whole steps, so that they seem to stand still.
      const step = niceStep(size);
      lines.scale.setScalar(step);
      lines.position.set(Math.round(at.x / step) * step, at.floor, Math.round(at.z / step) * step);
      floor.position.set(at.x, at.floor, at.z);
      lines.visible = grid;
      floor.visible = shadow;
      sun.castShadow = shadow;
      sun.position.set(at.x + 1.1 * size, at.floor + 2.6 * size, at.z + 1.5 * size);
      sun.target.position.set(at.x, at.floor + 0.4 * size, at.z);
      fill.position.set(at.x - 2 * size, at.floor + size, at.z - 1.2 * size);
      fill.target.position.copy(sun.target.position);
      const { camera } = sun.shadow;
      camera.left = camera.bottom = -1.1 * size;
      camera.right = camera.top = 1.1 * size;
      camera.near = 0.1 * size;
      camera.far = 6 * size;
      camera.updateProjectionMatrix();
    },
  };
}

/** A step of floor lines for a body of a height: 1, 0.5 or 0.25 of a power of ten, about half the height. */
function niceStep(size: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1e-6, size)));
  const share = size / power;
  return power * (share >= 4 ? 2 : share >= 1.5 ? 0.5 : 0.25);
}
