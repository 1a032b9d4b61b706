import { OrthographicCamera, PerspectiveCamera, Vector3 } from 'three';
import { expect, it } from 'vitest';
import { FIRST_CAMERA, nameCamera, orbit, pan, placeCamera, standardView } from './camera.js';

const framed = { x: 3, y: 0.9, z: -2, height: 1.8, width: 0.8, depth: 0, heading: 0 };
const place = (state = FIRST_CAMERA, aspect = 1.2, heading = 0) => {
  const perspective = new PerspectiveCamera();
  const orthographic = new OrthographicCamera();
  placeCamera(perspective, orthographic, state, { ...framed, heading }, aspect);
  return { perspective, orthographic };
};

it('K46: the whole body is in the picture, from every side and with both cameras', () => {
  for (const key of ['1', '3', '4', '6', '9'])
    for (const aspect of [0.4, 1, 2.5])
      for (const camera of Object.values(place(standardView(FIRST_CAMERA, key), aspect)))
        for (const [x, y] of [
          [0, -0.9],
          [0, 0.9],
          [0.4, 0],
          [-0.4, 0],
        ] as const) {
          const seen = new Vector3(framed.x + x, framed.y + y, framed.z).project(camera);
          expect(Math.max(Math.abs(seen.x), Math.abs(seen.y))).toBeLessThan(1);
        }
});

it('K46: 1 looks the body in the face, 3 at its left, 7 from above; 5 takes perspective away', () => {
  const way = (key: string) =>
    place(standardView(FIRST_CAMERA, key))
      .perspective.position.sub(new Vector3(3, 0.9, -2))
      .normalize();
  expect(way('1').z).toBeCloseTo(1);
  expect(way('3').x).toBeCloseTo(1);
  expect(way('7').y).toBeCloseTo(1);
  expect(standardView(FIRST_CAMERA, '5').ortho).toBe(true);
  expect(nameCamera(standardView(FIRST_CAMERA, '1'))).toBe('Front');
  expect(nameCamera(FIRST_CAMERA)).toBe('Perspective');
});

it('panning moves the picture as the hand does, whatever the camera and wherever the motion looks', () => {
  for (const key of ['1', '3', '7', '9'])
    for (const heading of [0, Math.PI / 2, Math.PI]) {
      const state = { ...standardView(FIRST_CAMERA, key), pan: [0, 0, 0] as [number, number, number] };
      const moved = place(pan(state, 0.1, 0), 1.2, heading).perspective;
      const seen = new Vector3(framed.x, framed.y, framed.z).project(moved);
      expect(seen.x).toBeLessThan(-0.01);
      expect(seen.y).toBeCloseTo(0, 3);
    }
});

it('the front of a motion that looks to the left is its face', () => {
  const { perspective } = place(standardView(FIRST_CAMERA, '1'), 1, Math.PI / 2);
  const way = perspective.position.sub(new Vector3(3, 0.9, -2)).normalize();
  expect(way.x).toBeCloseTo(1);
});

it('orbiting stays above the pole', () => {
  expect(orbit(FIRST_CAMERA, 0, 1e5).pitch).toBeLessThan(Math.PI / 2);
});
