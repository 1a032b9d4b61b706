import { ROLES } from '../src/body/roles.js';
import type { RetargetOptions } from '../src/passes/parts/told-options.js';
import type { Clip, Interpolation, MorphTrack, Track } from '../src/scene/clip.js';
import type { Scene } from '../src/scene/scene.js';
import {
  createSkeleton,
  JOINT,
  type JointDescription,
  SKINNED,
  type Skeleton,
} from '../src/scene/skeleton.js';
import { randomDirection, randomRotation, seededRandom } from './random-chains.js';
import { stickFigure } from './stick-figure.js';

type Random = () => number;

const pick = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random() * list.length)]!;

/** A number whose size is spread over powers of ten, of either sign. */
const spread = (random: Random, low: number, high: number) =>
  10 ** (low + (high - low) * random()) * (random() < 0.5 ? -1 : 1);

/** Bodies of any build, sound and unsound: names that mean something and names that do not, mirrors, bones without length. */
export function wildSkeleton(random: Random, most: number): Skeleton {
  const isBody = random() < 0.5;
  const skeleton = isBody ? wildBody(random) : wildTree(random, 1 + Math.floor(random() * most));
  const { rest, names } = skeleton;
  const size = random() < 0.5 ? 1 : Math.abs(spread(random, -6, 6));
  for (let i = 0; i < rest.translations.length; i++) rest.translations[i]! *= size;
  if (random() < 0.2)
    exchange(names, Math.floor(random() * names.length), Math.floor(random() * names.length));
  if (random() < 0.1) for (let i = 0; i < names.length; i++) names[i] = '';
  if (random() < 0.4) skeleton.bind = wildPose(random, skeleton);
  if (random() < 0.3)
    skeleton.hulls = names.map(() =>
      random() < 0.5 ? null : Float32Array.from({ length: 12 }, () => size * 0.1 * (random() - 0.5)),
    );
  if (random() < 0.15) spoil(random, rest);
  if (random() < 0.1) skeleton.container[Math.floor(random() * 16)] = spread(random, -40, 40);
  if (random() < 0.2)
    skeleton.metadataRoles = Object.fromEntries(
      Array.from({ length: 12 }, () => [pick(random, ROLES), Math.floor(random() * names.length)]),
    );
  return skeleton;
}

function exchange<T>(list: T[], i: number, j: number): void {
  [list[i], list[j]] = [list[j]!, list[i]!];
}

function wildBody(random: Random): Skeleton {
  return stickFigure({
    arms: pick(random, ['T', 'A', 'down', 'ahead'] as const),
    axes: pick(random, ['world', 'boneY', 'boneX'] as const),
    names: pick(random, ['mixamo', 'unreal', 'vrm', 'number'] as const),
    upperArm: random() < 0.1 ? 0 : 0.3,
    upperLeg: random() < 0.1 ? 0 : 0.45,
    spine: 1 + Math.floor(4 * random()),
    fingers: random() < 0.3,
    toes: random() < 0.7,
    twist: random() < 0.2,
    up: pick(random, ['+Y', '+Z', '+X'] as const),
    facing: 360 * random(),
    swapSides: random() < 0.1,
    without: random() < 0.3 ? [pick(random, ROLES.slice(1))] : [],
  }).skeleton;
}

function wildTree(random: Random, count: number): Skeleton {
  const kind = Math.floor(5 * random());
  const parentOf = (i: number) => {
    if (kind === 0) return i - 1;
    if (kind === 1) return 0;
    if (kind === 2) return i % 2 === 0 ? Math.max(0, i - 2) : i - 1;
    if (kind === 3) return Math.floor((i - 1) / 3);
    return Math.floor(random() * (i + 1)) - 1;
  };
  const odd = random();
  const joints = Array.from({ length: count }, (_, i): JointDescription => {
    const length = odd < 0.2 && random() < 0.5 ? 0 : random();
    return {
      name: random() < 0.3 ? pick(random, ROLES) : `joint${i % 7}`,
      parent: i === 0 ? -1 : parentOf(i),
      translation: randomDirection(random).map((x) => x * length),
      rotation: random() < 0.5 ? [0, 0, 0, 1] : randomRotation(random),
      scale: random() < 0.95 ? [1, 1, 1] : wildScale(random),
      flags: random() < 0.8 ? JOINT | SKINNED : JOINT,
    };
  });
  return createSkeleton('wild', joints).skeleton;
}

function wildScale(random: Random): number[] {
  const kind = random();
  if (kind < 0.3) return [-1, 1, 1];
  if (kind < 0.5) return [0, 0, 0];
  if (kind < 0.6) return [1, 0, 1];
  return [spread(random, -6, 6), spread(random, -6, 6), spread(random, -6, 6)];
}

function wildPose(random: Random, { rest }: Skeleton): Skeleton['rest'] {
  const pose = {
    translations: rest.translations.slice(),
    rotations: rest.rotations.slice(),
    scales: rest.scales.slice(),
  };
  if (random() < 0.5) spoil(random, pose);
  return pose;
}

const ODD_NUMBERS = [Number.NaN, Number.POSITIVE_INFINITY, 0, 1e37, -1e37, 1e-40, 1e300, -1e300];

/** Puts a few numbers into a pose that have no place there. */
function spoil(random: Random, pose: Skeleton['rest']): void {
  const stores = [pose.translations, pose.rotations, pose.scales];
  for (let n = 1 + Math.floor(5 * random()); n > 0; n--) {
    const store = pick(random, stores);
    const at = Math.floor(random() * store.length);
    if (random() < 0.2) store.fill(pick(random, ODD_NUMBERS));
    else if (n % 4 === 0) store.fill(0, at - (at % 4), at - (at % 4) + 4);
    else store[at] = random() < 0.5 ? pick(random, ODD_NUMBERS) : spread(random, -8, 8);
  }
}

/** A clip with keys of every kind, of which a few may be no turns and no numbers. */
export function wildClip(random: Random, skeleton: Skeleton, name: string): Clip {
  const count = skeleton.names.length;
  const tracks: Track[] = [];
  const broken = random() < 0.2;
  const isDense = random() < 0.5;
  const shared = wildTimes(random);
  for (let joint = 0; joint < count; joint++) {
    if (random() < 0.3) continue;
    const times = isDense ? shared : wildTimes(random);
    const interpolation = pick(random, ['linear', 'linear', 'step', 'cubic'] as const);
    tracks.push(wildTrack(random, joint, 'rotation', interpolation, times, broken));
    if (joint === 0 || random() < 0.1)
      tracks.push(wildTrack(random, joint, 'translation', interpolation, times, broken));
    if (random() < 0.03) tracks.push(wildTrack(random, joint, 'scale', interpolation, times, broken));
  }
  const morphs: MorphTrack[] =
    random() < 0.3
      ? [
          {
            mesh: '',
            morph: 'smile',
            interpolation: 'linear',
            times: shared,
            values: shared.map(() => wildNumber(random, broken)),
          },
        ]
      : [];
  let duration = 0;
  for (const { times } of [...tracks, ...morphs]) duration = Math.max(duration, times[times.length - 1] ?? 0);
  const clip: Clip = { name, duration, tracks, morphs };
  if (random() < 0.2) {
    const { interpolation, times, values } = wildTrack(random, 0, 'rotation', 'linear', shared, broken);
    clip.gaze = { interpolation, times, values };
  }
  return clip;
}

function wildTimes(random: Random): Float32Array {
  const count = 1 + Math.floor(random() * 40);
  const rate = pick(random, [10, 30, 60, 1000]);
  return Float32Array.from({ length: count }, (_, k) => k / rate);
}

function wildNumber(random: Random, broken: boolean): number {
  if (broken && random() < 0.01) return pick(random, ODD_NUMBERS);
  return 2 * random() - 1;
}

function wildTrack(
  random: Random,
  joint: number,
  channel: Track['channel'],
  interpolation: Interpolation,
  times: Float32Array,
  broken: boolean,
): Track {
  const size = channel === 'rotation' ? 4 : 3;
  const parts = interpolation === 'cubic' ? 3 : 1;
  const values = new Float32Array(size * parts * times.length);
  const length = random() < 0.8 ? 1 : Math.abs(spread(random, -6, 6));
  for (let k = 0; k < times.length; k++)
    for (let part = 0; part < parts; part++) {
      const at = size * (parts * k + part);
      const value =
        channel === 'rotation' ? randomRotation(random).map((x) => x * length) : randomDirection(random);
      values.set(value, at);
      for (let c = 0; c < size && broken; c++)
        if (random() < 0.01) values[at + c] = pick(random, ODD_NUMBERS);
    }
  return { joint, channel, interpolation, times, values };
}

/** A scene of one wild body with clips. */
export function wildScene(random: Random, most: number, clips: number): Scene {
  const skeleton = wildSkeleton(random, most);
  return {
    format: 'glb',
    name: 'wild',
    characters: [
      { skeleton, clips: Array.from({ length: clips }, (_, n) => wildClip(random, skeleton, `clip ${n}`)) },
    ],
    morphs: [{ mesh: 'face', names: ['smile'] }],
    document: null,
    warnings: [],
  };
}

/** Options that can be meant, and a map that drives any joint by any. */
export function wildOptions(random: Random, source: Skeleton, target: Skeleton): RetargetOptions {
  const maybe = (part: RetargetOptions, share = 0.2): RetargetOptions => (random() < share ? part : {});
  return {
    ...maybe({ corrections: pick(random, ['none', 'auto'] as const) }, 0.5),
    ...maybe({ keys: pick(random, ['bake', 'auto', 'keep'] as const) }),
    ...maybe({ rootMotion: pick(random, ['extract', 'apart', 'inPlace'] as const) }),
    ...maybe({ imitation: pick(random, ['direction', 'worldDelta', 'keep'] as const) }),
    ...maybe({ mirror: true }, 0.1),
    ...maybe({ loop: true }, 0.1),
    ...maybe({ reduce: true }, 0.1),
    ...maybe({ repairKeys: true }, 0.1),
    ...maybe({ speed: Math.abs(spread(random, -1, 1)) }, 0.1),
    ...maybe({ frameRate: 1 + 60 * random() }, 0.1),
    ...maybe({ scales: 'copied' }),
    ...maybe(
      { translations: pick(random, ['copied', 'boneLengthScaled', 'rootScaled', 'rest'] as const) },
      0.1,
    ),
    ...maybe({ ground: { dynamic: random() < 0.5 } }, 0.1),
    ...maybe({ lookAt: { point: randomDirection(random) } }, 0.1),
    ...maybe({ spacing: { arms: random(), legs: random() } }, 0.1),
    ...maybe({ groundHeight: (x: number, z: number) => 0.1 * Math.sin(x + z) }, 0.1),
    ...maybe({ reach: 'together' }, 0.1),
    ...maybe({ checkHierarchy: true }, 0.1),
    ...maybe({ sourceReference: pick(random, ['rest', 'bind', { frame: 0 }] as const) }, 0.1),
    ...maybe({ targetReference: pick(random, ['rest', 'bind'] as const) }, 0.1),
    ...maybe(
      {
        map: {
          version: 1,
          joints: Array.from({ length: 1 + Math.floor(8 * random()) }, () => ({
            target: pick(random, target.names),
            sources: [pick(random, source.names)],
          })),
        },
      },
      0.2,
    ),
  };
}

/** Two scenes and options, made from one number. */
export function wildCase(
  seed: number,
  most: number,
): { source: Scene; target: Scene; options: RetargetOptions } {
  const random = seededRandom(seed);
  const source = wildScene(random, most, 1 + Math.floor(2 * random()));
  const target = random() < 0.15 ? copyOf(source) : wildScene(random, most, random() < 0.3 ? 1 : 0);
  const options = wildOptions(random, source.characters[0]!.skeleton, target.characters[0]!.skeleton);
  return { source, target, options };
}

function copyOf(scene: Scene): Scene {
  return structuredClone(scene);
}
