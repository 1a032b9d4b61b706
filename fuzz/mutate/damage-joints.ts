import type { Random } from '../random/random.js';
import { hostileName } from '../random/random-names.js';
import { randomRotation } from '../random/random-rotation.js';

/** A joint under construction; parents stand anywhere before their children. */
export type RoughJoint = {
  name: string;
  parent: number;
  translation: number[];
  rotation: number[];
  scale: number[];
};

/** Changes joints in one way that no careful program would, and that files and programs have all the same. */
export function damageJoints(random: Random, joints: RoughJoint[]): void {
  const one = () => random.pick(joints);
  const some = (share: number) => joints.filter(() => random.chance(share));
  /** Any size that a number can have; rarely one whose square is none. */
  const anySize = () => 10 ** ((random.unit() * 2 - 1) * random.pick([6, 6, 6, 37, 160]));
  switch (random.below(20)) {
    case 0:
      for (const joint of some(random.pick([0.05, 0.5, 1]))) joint.translation = [0, 0, 0];
      break;
    case 1: {
      const unit = 10 ** (random.unit() * 12 - 6);
      for (const joint of joints) joint.translation = joint.translation.map((x) => x * unit);
      break;
    }
    case 2: {
      const size = anySize();
      const joint = one();
      joint.translation = joint.translation.map((x) => (x + random.unit() - 0.5) * size);
      break;
    }
    case 3:
      for (const joint of some(0.2)) joint.rotation = randomRotation(random);
      break;
    case 4: {
      const length = random.pick([0, 1e-30, 1e-4, 0.5, 1.001, 2, 1e10, anySize()]);
      for (const joint of random.chance(0.5) ? [one()] : some(0.3))
        joint.rotation = joint.rotation.map((x) => x * length);
      break;
    }
    case 5:
      for (const joint of random.chance(0.5) ? [one()] : some(0.2))
        joint.scale = [0, 1, 2].map(() => random.pick([0, -1, 1, 1, 0.5, 2, 1e-6, 1e6, anySize()]));
      break;
    case 6: {
      const size = random.pick([1e-6, 1e-3, 0.01, 100, 1e6, -1]);
      one().scale = [size, size, size];
      break;
    }
    case 7:
      // In a mirror: the first joint, or any.
      (random.chance(0.5) ? joints[0]! : one()).scale = random.pick([
        [-1, 1, 1],
        [1, -1, 1],
        [1, 1, -1],
        [-1, -1, -1],
      ]);
      break;
    case 8:
      for (const joint of joints) joint.translation[0] = -joint.translation[0]!;
      break;
    case 9: {
      // Left is right: all names, or two.
      const swap = (name: string) =>
        name.replace(/left|right|Left|Right|_l$|_r$|\.L$|\.R$/g, (side) => OTHER_SIDES[side]!);
      for (const joint of random.chance(0.5) ? joints : some(0.2)) joint.name = swap(joint.name);
      break;
    }
    case 10: {
      const [a, b] = [one(), one()];
      [a.name, b.name] = [b.name, a.name];
      break;
    }
    case 11: {
      const { name } = one();
      for (const joint of some(random.pick([0.05, 0.3, 1]))) joint.name = name;
      break;
    }
    case 12:
      for (const joint of some(random.pick([0.05, 0.5]))) joint.name = hostileName(random);
      break;
    case 13: {
      const i = random.below(joints.length);
      joints[i]!.parent = random.below(i + 1) - 1;
      break;
    }
    case 14:
      one().parent = -1;
      break;
    case 15:
      drop(joints, random.below(joints.length));
      break;
    case 16: {
      const count = Math.min(1 + random.below(12), 400 - joints.length);
      let parent = random.below(joints.length);
      const isChain = random.chance(0.5);
      for (let n = 0; n < count; n++) {
        const translation = [0, 1, 2].map(() => (random.unit() - 0.5) * 0.2);
        joints.push({ name: `extra_${n}`, parent, translation, rotation: [0, 0, 0, 1], scale: [1, 1, 1] });
        if (isChain) parent = joints.length - 1;
      }
      break;
    }
    case 17:
      joints[0]!.rotation = random.chance(0.5) ? randomRotation(random) : [-Math.SQRT1_2, 0, 0, Math.SQRT1_2];
      break;
    case 18: {
      // A limb folded back onto itself: every second bone the other way.
      let i = random.below(joints.length);
      for (let n = 0; n < 6; n++) {
        joints[i]!.translation = joints[i]!.translation.map((x) => -x);
        const next = joints.findIndex(({ parent }) => parent === i);
        if (next < 0) break;
        i = next;
      }
      break;
    }
    default: {
      // Flat: everything on a line or in a plane.
      const axis = random.below(3);
      for (const joint of joints) joint.translation[axis] = 0;
    }
  }
}

const OTHER_SIDES: Readonly<Record<string, string>> = {
  left: 'right',
  right: 'left',
  Left: 'Right',
  Right: 'Left',
  _l: '_r',
  _r: '_l',
  '.L': '.R',
  '.R': '.L',
};

/** Takes a joint out; what hangs on it hangs on its parent. The last joint stays. */
function drop(joints: RoughJoint[], at: number): void {
  if (joints.length < 2) return;
  const { parent } = joints[at]!;
  joints.splice(at, 1);
  for (const joint of joints) {
    if (joint.parent === at) joint.parent = parent;
    else if (joint.parent > at) joint.parent--;
  }
}
