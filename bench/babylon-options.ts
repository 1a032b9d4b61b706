/*
 * Every option of Babylon's `retargetAnimationGroup` beside Babylon.js's own, in one run on our own characters, without
 * corrections: whether both do the same, and by how much ours is better where they do not.
 *
 *   node bench/dist/babylon-options.js > bench/babylon-options.md
 */
import { pathToFileURL } from 'node:url';
import type { Animation } from '@babylonjs/core/Animations/animation.js';
import type { AnimationGroup } from '@babylonjs/core/Animations/animationGroup.js';
import { AnimatorAvatar, type IRetargetOptions } from '@babylonjs/core/Animations/animatorAvatar.js';
import { AbstractEngine } from '@babylonjs/core/Engines/abstractEngine.js';
import { Quaternion, type Vector3 } from '@babylonjs/core/Maths/math.vector.js';
import { TransformNode } from '@babylonjs/core/Meshes/transformNode.js';
import {
  createLiveRetargeter,
  type RetargetGroupOptions,
  retargetAnimationGroup,
} from '@stuntdouble/adapters/babylon';
import {
  createStage,
  type Loaded,
  loadSample,
  nodeOf,
  rest,
  showAt,
  updateWorlds,
} from './adapters-babylon-stage.js';

/** The characters that a walk with Mixamo's names goes onto: its own, Unreal's, a VRM, and a Biped. */
export const CHARACTERS = ['mixamo-guy.glb', 'unreal-mannequin.glb', 'vrm-girl.vrm', 'goblin.glb'] as const;

/** What was found for one option on one character. */
export type OptionRow = {
  option: string;
  character: string;
  /** What is compared; figures of lengths are in % of the character's height. */
  what: string;
  ours: number | string;
  theirs: number | string;
  verdict: 'same' | 'better' | 'worse';
};

/** One character and one walk in a scene. */
type Case = {
  /** Brings both bodies back to how they were loaded. */
  settle: () => void;
  source: Loaded;
  target: Loaded;
  walk: AnimationGroup;
  /** The character's joint for each joint of the walk. */
  names: Map<string, string>;
  /** From the lowest joint to the highest. */
  height: number;
};

const HIPS = 'mixamorig:Hips';
const FOOT = 'mixamorig:LeftFoot';
const FOREARM = 'mixamorig:LeftForeArm';
const PINNED = {
  fixGroundReference: true,
  rootNodeName: HIPS,
  groundReferenceNodeName: FOOT,
  groundMode: 'pin',
} as const;
/** Parts of the walk at which bodies are looked at: on keys, as that is what Babylon.js corrects. */
const INSTANTS = 8;
/** Differences below this are rounding: a thousandth of a percent, or of a degree. */
const ROUNDING = 0.01;

async function load(character: string): Promise<Case> {
  const scene = createStage();
  const source = await loadSample(scene, 'motions/walk.glb');
  const target = await loadSample(scene, `characters/${character}`);
  const { setup } = createLiveRetargeter(target.root, source.root, { showWarnings: false });
  const names = new Map(
    setup.map.joints.flatMap(({ sources, target: joint, share }) =>
      share
        ? []
        : [[setup.source.skeleton.names[sources.at(-1)!]!, setup.target.skeleton.names[joint]!] as const],
    ),
  );
  const original = source.root
    .getDescendants(false)
    .flatMap((node) => (node instanceof TransformNode ? [{ node, matrix: localOf(node) }] : []));
  const settle = () => {
    // A file that holds a motion alone has no bones to return to rest.
    for (const { node, matrix } of original) {
      node.position.copyFrom(matrix.position);
      node.rotationQuaternion = matrix.rotation.clone();
    }
    rest(target);
    updateWorlds(source);
    updateWorlds(target);
  };
  settle();
  const heights = [...names.values()].map((name) => nodeOf(target, name).getAbsolutePosition().y);
  const height = Math.max(...heights) - Math.min(...heights);
  return { source, target, settle, walk: source.groups[0]!, names, height };
}

function localOf({ position, rotationQuaternion, rotation }: TransformNode) {
  return {
    position: position.clone(),
    rotation: rotationQuaternion?.clone() ?? Quaternion.FromEulerVector(rotation),
  };
}

/** A call of both, with the same options and pairs; ours by names alone and without corrections. */
function callBoth(
  { settle, target, walk, names }: Case,
  options: RetargetGroupOptions,
  group = walk,
): { ours: AnimationGroup; theirs: AnimationGroup } {
  settle();
  const ours = retargetAnimationGroup(target.root, group, {
    mapNodeNames: names,
    showWarnings: false,
    ...options,
    stuntdouble: { match: 'names', corrections: 'none', ...options.stuntdouble },
  });
  settle();
  const avatar = new AnimatorAvatar('avatar', target.root, false, false);
  avatar.showWarnings = false;
  const { groundMode: _, stuntdouble: __, ...plain } = options;
  const theirs = avatar.retargetAnimationGroup(group, { mapNodeNames: names, ...plain } as IRetargetOptions);
  settle();
  return { ours, theirs };
}

/** Where a joint is in the world at instants of a result. */
function pathOf(body: Loaded, result: AnimationGroup, joint: string): Vector3[] {
  const keys = result.targetedAnimations[0]?.animation.getKeys() ?? [];
  const path = Array.from({ length: INSTANTS }, (_, n) => {
    const key = keys[Math.floor((n * (keys.length - 1)) / (INSTANTS - 1))];
    showAt(result, key ? (key.frame - result.from) / (result.to - result.from || 1) : 0);
    updateWorlds(body);
    return nodeOf(body, joint).getAbsolutePosition().clone();
  });
  result.stop();
  return path;
}

const most = (values: readonly number[]) => Math.max(...values);

const animationOf = (group: AnimationGroup, name: string, property: string): Animation | undefined =>
  group.targetedAnimations.find(
    ({ target, animation }) => target.name === name && animation.targetProperty === property,
  )?.animation;

/** The names of nodes that a group moves. */
const movedBy = (group: AnimationGroup) => new Set(group.targetedAnimations.map(({ target }) => target.name));

/** How far travel is from scaled travel of the source along the ground, in % of the height. */
function travelError(one: Case, result: AnimationGroup, scale: number): number {
  const [from, to] = [pathOf(one.source, one.walk, HIPS), pathOf(one.target, result, one.names.get(HIPS)!)];
  one.settle();
  const lengths = [from, to].map((path) =>
    Math.hypot(path.at(-1)!.x - path[0]!.x, path.at(-1)!.z - path[0]!.z),
  );
  return (100 * Math.abs(lengths[1]! - scale * lengths[0]!)) / one.height;
}

/** How far the hips are from where they stand and the source's scaled travel from there, in % of the height. */
function rootError(one: Case, result: AnimationGroup): number {
  const scale = ratioOf(one, FOOT);
  const standing = [
    nodeOf(one.source, HIPS).getAbsolutePosition().clone(),
    nodeOf(one.target, one.names.get(HIPS)!).getAbsolutePosition().clone(),
  ] as const;
  const from = pathOf(one.source, one.walk, HIPS);
  const to = pathOf(one.target, result, one.names.get(HIPS)!);
  const errors = to.map((place, n) => {
    const wanted = standing[1].add(from[n]!.subtract(standing[0]).scale(scale));
    return place.subtract(wanted).length();
  });
  return (100 * most(errors)) / one.height;
}

/** The target's distance from hips to a joint over the source's, upwards, at rest. */
function ratioOf({ source, target, settle, names }: Case, ground: string): number {
  settle();
  const along = (body: Loaded, a: string, b: string) =>
    Math.abs(nodeOf(body, a).getAbsolutePosition().y - nodeOf(body, b).getAbsolutePosition().y);
  return along(target, names.get(HIPS)!, names.get(ground)!) / along(source, HIPS, ground);
}

/** A copy of the walk in which one key of a forearm is half a turn off. */
function withFault(walk: AnimationGroup): { group: AnimationGroup; at: number } {
  const group = walk.clone('fault', undefined, true, true);
  const keys = animationOf(group, FOREARM, 'rotationQuaternion')!.getKeys();
  const at = Math.floor(keys.length / 2);
  const half = Quaternion.RotationAxis(keys[at]!.value.toEulerAngles().normalizeToNew(), Math.PI);
  keys[at]!.value = half.multiply(keys[at]!.value);
  return { group, at };
}

const degreesBetween = (a: Quaternion, b: Quaternion) =>
  (360 / Math.PI) * Math.acos(Math.min(1, Math.abs(Quaternion.Dot(a.normalizeToNew(), b.normalizeToNew()))));

type Found = Omit<OptionRow, 'option' | 'character' | 'verdict'>;

/** What each option comes to, smaller figures being better; words are compared as they are. */
const OPTIONS: Readonly<Record<string, (one: Case) => Found>> = {
  animationGroupName(one) {
    const { ours, theirs } = callBoth(one, { animationGroupName: 'walk on avatar' });
    return { what: 'the name of the group', ours: ours.name, theirs: theirs.name };
  },
  mapNodeNames(one) {
    const { ours, theirs } = callBoth(one, { fixRootPosition: false });
    const [mine, other] = [movedBy(ours), movedBy(theirs)];
    const lost = (of: Set<string>, by: Set<string>) => [...by].filter((name) => !of.has(name)).length;
    return { what: 'mapped joints without animation', ours: lost(mine, other), theirs: lost(other, mine) };
  },
  retargetAnimationKeys(one) {
    const options = {
      retargetAnimationKeys: false,
      rootNodeName: HIPS,
      groundReferenceNodeName: FOOT,
    } as const;
    const { ours, theirs } = callBoth(one, options);
    const isKept = (result: AnimationGroup) =>
      result.targetedAnimations.every(({ target, animation }) => {
        if (target.name === one.names.get(HIPS) && animation.targetProperty === 'position') return true;
        const [joint] = [...one.names].find(([, name]) => name === target.name)!;
        const was = animationOf(one.walk, joint, animation.targetProperty)!.getKeys();
        return animation.getKeys().every(({ value }, k) => value.equals(was[k]!.value));
      });
    const off = (result: AnimationGroup) => (isKept(result) ? rootError(one, result) : 100);
    return { what: 'fixed root off its place, keys kept, % of height', ours: off(ours), theirs: off(theirs) };
  },
  fixRootPosition(one) {
    const { ours, theirs } = callBoth(one, { groundReferenceNodeName: FOOT });
    const scale = ratioOf(one, FOOT);
    return {
      what: 'travel off from scaled travel, % of height',
      ours: travelError(one, ours, scale),
      theirs: travelError(one, theirs, scale),
    };
  },
  rootNodeName(one) {
    const { ours, theirs } = callBoth(one, { rootNodeName: HIPS, groundReferenceNodeName: FOOT });
    const scale = ratioOf(one, FOOT);
    return {
      what: 'travel off from scaled travel, % of height',
      ours: travelError(one, ours, scale),
      theirs: travelError(one, theirs, scale),
    };
  },
  groundReferenceNodeName(one) {
    const ground = 'mixamorig:RightToeBase';
    const { ours, theirs } = callBoth(one, { groundReferenceNodeName: ground });
    const scale = ratioOf(one, ground);
    return {
      what: 'travel off from scaled travel, % of height',
      ours: travelError(one, ours, scale),
      theirs: travelError(one, theirs, scale),
    };
  },
  groundReferenceVerticalAxis(one) {
    const options = { groundReferenceNodeName: FOOT, groundReferenceVerticalAxis: 'Y' } as const;
    const { ours, theirs } = callBoth(one, options);
    const scale = ratioOf(one, FOOT);
    return {
      what: 'travel off from scaled travel, % of height',
      ours: travelError(one, ours, scale),
      theirs: travelError(one, theirs, scale),
    };
  },
  fixGroundReference(one) {
    const { ours, theirs } = callBoth(one, PINNED);
    const wanted = pathOf(one.source, one.walk, FOOT).map(({ y }) => y);
    const off = (result: AnimationGroup) =>
      (100 *
        most(pathOf(one.target, result, one.names.get(FOOT)!).map(({ y }, n) => Math.abs(y - wanted[n]!)))) /
      one.height;
    return { what: 'pinned foot off its height, % of height', ours: off(ours), theirs: off(theirs) };
  },
  fixGroundReferenceDynamicRefNode(one) {
    const { ours, theirs } = callBoth(one, {
      ...PINNED,
      fixGroundReferenceDynamicRefNode: true,
    });
    const pairs = [...one.names];
    const sources = pairs.map(([name]) => pathOf(one.source, one.walk, name));
    const off = (result: AnimationGroup) => {
      const targets = pairs.map(([, name]) => pathOf(one.target, result, name));
      const errors = Array.from({ length: INSTANTS }, (_, n) => {
        const lowest = targets.reduce((best, path, k) => (path[n]!.y < targets[best]![n]!.y ? k : best), 0);
        return Math.abs(targets[lowest]![n]!.y - sources[lowest]![n]!.y);
      });
      return (100 * most(errors)) / one.height;
    };
    return { what: 'lowest joint off its height, % of height', ours: off(ours), theirs: off(theirs) };
  },
  fixAnimations(one) {
    const { group, at } = withFault(one.walk);
    const { ours, theirs } = callBoth(one, { fixAnimations: true }, group);
    const off = (result: AnimationGroup) => {
      const keys = animationOf(result, one.names.get(FOREARM)!, 'rotationQuaternion')!.getKeys();
      const frame = animationOf(group, FOREARM, 'rotationQuaternion')!.getKeys()[at]!.frame;
      const k = keys.findIndex((key) => Math.abs(key.frame - frame) < 1e-3);
      return degreesBetween(keys[k]!.value, keys[k - 1]!.value);
    };
    return { what: 'a faulty key off from the one before, degrees', ours: off(ours), theirs: off(theirs) };
  },
  checkHierarchy(one) {
    const { ours, theirs } = callBoth(one, { checkHierarchy: true, fixRootPosition: false });
    const all = movedBy(callBoth(one, { fixRootPosition: false }).theirs);
    const lost = (result: AnimationGroup) => [...all].filter((name) => !movedBy(result).has(name)).length;
    return { what: `joints left out, of ${all.size}`, ours: lost(ours), theirs: lost(theirs) };
  },
};

/** All options on all characters. */
export async function compareOptions(characters: readonly string[] = CHARACTERS): Promise<OptionRow[]> {
  const rows: OptionRow[] = [];
  for (const character of characters)
    for (const [option, find] of Object.entries(OPTIONS)) {
      const found = find(await load(character));
      const { ours, theirs } = found;
      const difference =
        typeof ours === 'number' && typeof theirs === 'number' ? theirs - ours : ours === theirs ? 0 : -1;
      const verdict = Math.abs(difference) < ROUNDING ? 'same' : difference > 0 ? 'better' : 'worse';
      rows.push({ option, character, ...found, verdict });
    }
  return rows.sort((a, b) => order(a.option) - order(b.option));
}

const order = (option: string) => Object.keys(OPTIONS).indexOf(option);

/** The table as a page. */
export function optionsPage(rows: readonly OptionRow[]): string {
  const figure = (value: number | string) => (typeof value === 'number' ? String(+value.toFixed(3)) : value);
  return [
    '# Babylon.js’s options, beside Babylon.js’s own',
    '',
    `A walk with Mixamo’s names on ${CHARACTERS.length} of our [samples](../samples/README.md), beside Babylon.js ${AbstractEngine.Version}: each option by itself, the same pairs of names for both (\`match: 'names'\`), \`corrections: 'none'\`, \`groundMode: 'pin'\` where the ground is fixed, looked at on ${INSTANTS} keys: \`node bench/dist/babylon-options.js > bench/babylon-options.md\`. Smaller figures are better; below ${ROUNDING} they are the same.`,
    '',
    '| option | character | what is compared | ours | Babylon.js | |',
    '|---|---|---|---|---|---|',
    ...rows.map(
      ({ option, character, what, ours, theirs, verdict }) =>
        `| ${option} | ${character} | ${what} | ${figure(ours)} | ${figure(theirs)} | ${verdict} |`,
    ),
    '',
  ].join('\n');
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href)
  console.log(optionsPage(await compareOptions()).trimEnd());
