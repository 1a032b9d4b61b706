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
    at: { x: number; z: number; floor: number; heading: number },
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

/**
 * Where light comes from, in radians from where the motion looks and over the floor: the sun from the side, so that
 * bodies are round, a little from the other one, and some from behind that draws their edge.
 */
const LIGHTS = [
  { around: 1.05, up: 0.95, color: 0xfff6ea, strength: 2.5 },
  { around: -0.7, up: 0.3, color: 0xdfe6ff, strength: 0.8 },
  { around: -2.6, up: 0.7, color: 0xe6ebff, strength: 1.3 },
] as const;

/** Makes the surroundings of a view. */
export function createSet(): StageSet {
  const scene = new Scene();
  const sky = new HemisphereLight(0xffffff, 0x444444, 1.3);
  const [sun, fill, rim] = LIGHTS.map(({ color, strength }) => new DirectionalLight(color, strength)) as [
    DirectionalLight,
    DirectionalLight,
    DirectionalLight,
  ];
  sun.castShadow = true;
  sun.shadow.mapSize.set(1024, 1024);
  sun.shadow.bias = -0.0006;
  sun.shadow.normalBias = 0.01;
  sun.shadow.radius = 3;
  const lines = new LineSegments(gridGeometry(), new LineBasicMaterial({ toneMapped: false }));
  const floor = new Mesh(new PlaneGeometry(2 * REACH, 2 * REACH).rotateX(-Math.PI / 2), new ShadowMaterial());
  floor.receiveShadow = true;
  scene.add(sky, sun, fill, rim, sun.target, lines, floor);
  // They all look at one place.
  fill.target = rim.target = sun.target;
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
      sun.target.position.set(at.x, at.floor + 0.4 * size, at.z);
      for (const [n, light] of [sun, fill, rim].entries()) {
        const { around, up } = LIGHTS[n]!;
        const away = 3 * size * Math.cos(up);
        light.position.copy(sun.target.position).add({
          x: away * Math.sin(around + at.heading),
          y: 3 * size * Math.sin(up),
          z: away * Math.cos(around + at.heading),
        });
      }
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
