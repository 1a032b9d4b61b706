import type { Vec3 } from '../src/base/math/vector.js';
import type { Scene } from '../src/scene/scene.js';
import { createSkeleton, type JointDescription, type Skeleton } from '../src/scene/skeleton.js';
import { sceneOf } from './stick-figure.js';

/** How an animal of our own is built; everything has a default. */
export type Beast = {
  /** From the hips to the shoulders, metres. */
  length?: number;
  /** How high the roots of its legs are, metres. */
  legs?: number;
  tail?: number;
  neck?: number;
  /** Whether it faces −Z. */
  turned?: boolean;
  /** Whether legs begin with a shoulder blade or a hip. */
  girdles?: boolean;
  /** Whether front paws hang on the root, as handles have it. */
  loose?: boolean;
};

/** An animal on four legs that faces +Z (−Z if turned), and its joints by part. */
export function beast({
  length = 1,
  legs = 0.8,
  tail = 4,
  neck = 2,
  turned = false,
  girdles = true,
  loose = false,
}: Beast = {}): {
  skeleton: Skeleton;
  jointOf: Map<string, number>;
} {
  const list: { part: string; parent: string; at: Vec3 }[] = [];
  const z = turned ? -1 : 1;
  const add = (part: string, parent: string, x: number, y: number, ahead: number) => {
    // left = up × ahead
    list.push({ part, parent, at: [z * x, y, z * ahead] });
  };
  const back = legs * 1.2;
  add('root', '', 0, 0, 0);
  add('hips', 'root', 0, back, -length / 2);
  add('spine1', 'hips', 0, back, -length / 4);
  add('spine2', 'spine1', 0, back, length * 0.1);
  add('spine3', 'spine2', 0, back, length * 0.35);
  let last = 'spine3';
  for (let n = 1; n <= neck; n++) {
    add(`neck${n}`, last, 0, back + 0.1 * n, length * 0.5 + 0.12 * n);
    last = `neck${n}`;
  }
  add('head', last, 0, back + 0.1 * neck + 0.12, length * 0.5 + 0.12 * neck + 0.12);
  last = 'hips';
  for (let n = 1; n <= tail; n++) {
    add(`tail${n}`, last, 0, back - 0.02 * n, -length / 2 - 0.15 * n);
    last = `tail${n}`;
  }
  for (const [side, x] of [
    ['Left', 1],
    ['Right', -1],
  ] as const) {
    add(`ear${side}1`, 'head', 0.08 * x, back + 0.1 * neck + 0.25, length * 0.5 + 0.12 * neck + 0.13);
    for (const [end, base, girdle, at] of [
      ['front', 'spine3', 'Shoulder', length * 0.4],
      ['hind', 'hips', 'Hip', -length / 2],
    ] as const) {
      const hock = end === 'hind' ? -0.12 : 0.02;
      if (girdles) add(`${end}${side}${girdle}`, base, 0.07 * x, legs * 1.08, at);
      add(`${end}${side}UpperLeg`, girdles ? `${end}${side}${girdle}` : base, 0.14 * x, legs, at + 0.02);
      add(
        `${end}${side}LowerLeg`,
        `${end}${side}UpperLeg`,
        0.14 * x,
        legs * 0.62,
        at + (end === 'hind' ? 0.08 : -0.06),
      );
      add(
        `${end}${side}Foot`,
        loose && end === 'front' ? 'root' : `${end}${side}LowerLeg`,
        0.14 * x,
        legs * 0.28,
        at + hock,
      );
      add(`${end}${side}Toes`, `${end}${side}Foot`, 0.14 * x, legs * 0.04, at + hock + 0.06);
    }
  }
  const place = new Map(list.map(({ part }, i) => [part, i]));
  const joints = list.map(({ parent, at }, i): JointDescription => {
    const p = place.get(parent) ?? -1;
    const from = p < 0 ? [0, 0, 0] : list[p]!.at;
    return { name: `joint_${i}`, parent: p, translation: at.map((value, c) => value - from[c]!) };
  });
  const { skeleton, order } = createSkeleton('beast', joints, {
    declared: { up: '+Y', facing: null, unit: 1 },
  });
  return { skeleton, jointOf: new Map(list.map(({ part }, i) => [part, order[i]!])) };
}

/** A scene that holds one of them, without a clip. */
export function beastScene(built: Beast = {}): Scene {
  return sceneOf({ skeleton: beast(built).skeleton, clips: [] }, 'beast');
}
