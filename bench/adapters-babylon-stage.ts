import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AnimationGroup } from '@babylonjs/core/Animations/animationGroup.js';
import { AnimatorAvatar } from '@babylonjs/core/Animations/animatorAvatar.js';
import type { Skeleton as BabylonSkeleton } from '@babylonjs/core/Bones/skeleton.js';
import { NullEngine } from '@babylonjs/core/Engines/nullEngine.js';
import { ImportMeshAsync } from '@babylonjs/core/Loading/sceneLoader.js';
import { Vector3 } from '@babylonjs/core/Maths/math.vector.js';
import type { AbstractMesh } from '@babylonjs/core/Meshes/abstractMesh.js';
import { TransformNode } from '@babylonjs/core/Meshes/transformNode.js';
import { Logger } from '@babylonjs/core/Misc/logger.js';
import { Scene } from '@babylonjs/core/scene.js';
import '@babylonjs/loaders/glTF/2.0/index.js';

/** The repository, from the source as from what is built of it. */
const ROOT = fileURLToPath(new URL(import.meta.url.includes('/dist/') ? '../..' : '..', import.meta.url));

/** Real characters and motions, which stand beside the repository and are never part of it. */
export const DATA_FOLDER = process.env.STUNTDOUBLE_DATA ?? join(ROOT, '../shared/data/');

/** For `describe.skipIf(!hasData)`; titles of such tests say 'needs ../shared/data'. */
export const hasData = existsSync(DATA_FOLDER);

/** Our own characters and motions. */
export const SAMPLES_FOLDER = join(ROOT, 'samples/files/');

/** An empty scene without a screen; left-handed, as Babylon's are, unless told otherwise. */
export function createStage(rightHanded = false): Scene {
  Logger.LogLevels = Logger.ErrorLogLevel;
  const scene = new Scene(new NullEngine());
  scene.useRightHandedSystem = rightHanded;
  return scene;
}

/** What a file has brought into a scene. */
export type Loaded = {
  root: TransformNode;
  groups: AnimationGroup[];
  skeletons: BabylonSkeleton[];
  meshes: AbstractMesh[];
};

/** Reads a binary glTF or VRM file into a scene with Babylon's own loader, with some clips or all; nothing plays. */
export async function loadFile(scene: Scene, path: string, clips?: readonly string[]): Promise<Loaded> {
  const bytes = withoutPictures(new Uint8Array(readFileSync(path)), clips);
  const result = await ImportMeshAsync(bytes, scene, { pluginExtension: '.glb' });
  for (const group of result.animationGroups) group.stop();
  for (const skeleton of result.skeletons) skeleton.returnToRest();
  return {
    root: result.meshes[0]!,
    groups: result.animationGroups,
    skeletons: result.skeletons,
    meshes: result.meshes,
  };
}

export const loadData = (scene: Scene, file: string, clips?: readonly string[]) =>
  loadFile(scene, DATA_FOLDER + file, clips);
export const loadSample = (scene: Scene, file: string) => loadFile(scene, SAMPLES_FOLDER + file);

/** Pictures need a browser and do not matter here; nor do clips that nothing is made of. */
function withoutPictures(bytes: Uint8Array, clips?: readonly string[]): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = view.getUint32(12, true);
  const json = JSON.parse(new TextDecoder().decode(bytes.subarray(20, 20 + length)));
  for (const part of ['images', 'textures', 'samplers', 'materials', 'extensionsRequired']) delete json[part];
  if (clips) json.animations = json.animations?.filter(({ name }: { name: string }) => clips.includes(name));
  for (const mesh of json.meshes ?? [])
    for (const primitive of mesh.primitives) {
      delete primitive.material;
      delete primitive.extensions?.KHR_materials_variants;
    }
  delete json.extensions?.KHR_materials_variants;
  const text = JSON.stringify(json);
  const head = new TextEncoder().encode(text.padEnd(text.length + 3));
  const size = head.length - (head.length % 4);
  const rest = bytes.subarray(20 + length);
  const out = new Uint8Array(20 + size + rest.length);
  out.set(bytes.subarray(0, 20));
  out.set(head.subarray(0, size), 20);
  out.set(rest, 20 + size);
  const header = new DataView(out.buffer);
  header.setUint32(8, out.length, true);
  header.setUint32(12, size, true);
  return out;
}

/** Joints by role and the way a body faces, by someone's word and not by ours. */
export type Labels = { roles: Record<string, string>; facing: 1 | -1 };

/** The labels of a file of the data folder. */
export function labelsOf(file: string): Labels {
  const all = JSON.parse(readFileSync(`${DATA_FOLDER}roles.json`, 'utf8'));
  const { roles, facing } = all[file];
  const named = Object.entries(roles as Record<string, { name: string }>);
  return {
    roles: Object.fromEntries(named.map(([role, { name }]) => [role, name])),
    facing: facing === '-Z' ? -1 : 1,
  };
}

/** The node of a body that has a name. */
export function nodeOf({ root }: Pick<Loaded, 'root'>, name: string): TransformNode {
  const found = root
    .getDescendants(false)
    .find((node): node is TransformNode => node.name === name && node instanceof TransformNode);
  if (!found) throw new Error(`there is no node "${name}"`);
  return found;
}

/** Shows a group's pose at a part (0 to 1) of its range. */
export function showAt(group: AnimationGroup, part: number): void {
  if (!group.isStarted) group.start(false);
  group.pause();
  group.goToFrame(group.from + part * (group.to - group.from));
}

/** Brings the world matrices of a body up to date. */
export function updateWorlds({ root }: Pick<Loaded, 'root'>): void {
  root.computeWorldMatrix(true);
  for (const node of root.getDescendants(false)) node.computeWorldMatrix(true);
}

const ARMS = ['left', 'right'].flatMap((side) => [
  [`${side}UpperArm`, `${side}LowerArm`],
  [`${side}LowerArm`, `${side}Hand`],
]);
const LEGS = ['left', 'right'].map((side) => [`${side}UpperLeg`, `${side}Foot`]);

/** The way from one joint to another in the world, turned so that the body faces +Z. */
function directionOf(
  body: Pick<Loaded, 'root'>,
  { roles, facing }: Labels,
  from: string,
  to: string,
): Vector3 {
  const a = nodeOf(body, roles[from]!).getAbsolutePosition();
  const b = nodeOf(body, roles[to]!).getAbsolutePosition();
  const forward = Vector3.TransformNormal(new Vector3(0, 0, facing), body.root.getWorldMatrix());
  const yaw = Math.atan2(forward.x, forward.z);
  const { x, y, z } = b.subtract(a);
  const c = Math.cos(yaw);
  const s = Math.sin(yaw);
  return new Vector3(c * x - s * z, y, s * x + c * z).normalize();
}

/** The angles in degrees between bones of both bodies as they stand now in the world. */
function anglesNow(
  pairs: readonly (readonly string[])[],
  { source, sourceLabels, target, targetLabels }: Pair,
): number[] {
  updateWorlds(source);
  updateWorlds(target);
  return pairs.flatMap(([from, to]) => {
    const known = [sourceLabels, targetLabels].every(({ roles }) => roles[from!] && roles[to!]);
    if (!known) return [];
    const a = directionOf(source, sourceLabels, from!, to!);
    const b = directionOf(target, targetLabels, from!, to!);
    return [(180 / Math.PI) * Math.atan2(a.cross(b).length(), a.dot(b))];
  });
}

/** Both sides of a retarget: bodies, labels, groups. */
export type Pair = {
  source: Pick<Loaded, 'root'>;
  sourceLabels: Labels;
  target: Pick<Loaded, 'root'>;
  targetLabels: Labels;
};

/** The angles in degrees, over a motion, between the upper arms and forearms of both bodies in the world. */
export function armErrors(
  pair: Pair,
  group: AnimationGroup,
  result: AnimationGroup,
  samples = 12,
): { mean: number; worst: number } {
  const angles: number[] = [];
  for (let n = 0; n < samples; n++) {
    // Not on keys alone: what lies between them counts too.
    const part = (n + 0.37) / samples;
    showAt(group, part);
    showAt(result, part);
    angles.push(...anglesNow(ARMS, pair));
  }
  return { mean: angles.reduce((sum, angle) => sum + angle, 0) / angles.length, worst: Math.max(...angles) };
}

/** The largest angle in degrees between an upper arm or forearm of both bodies as they stand now. */
export function armErrorNow(pair: Pair): number {
  return Math.max(...anglesNow(ARMS, pair));
}

/** The largest angle in degrees between the lines from hip to ankle of both bodies as they stand now. */
export function legErrorNow(pair: Pair): number {
  return Math.max(...anglesNow(LEGS, pair));
}

/** Brings a body with bones back to its rest. */
export function rest({ skeletons }: Pick<Loaded, 'skeletons'>): void {
  for (const skeleton of skeletons) skeleton.returnToRest();
}

/** The file whose motions are moved: T-pose, Rigify's names and axes, 53 joints. */
export const SOURCE = 'mesh2motion/human-base-animations.DEF.glb';

/** The motions of it that are used. */
const CLIPS = ['Dance_Loop', 'Walk_Loop', 'Roll'];

/** The cases of the table that others are measured by: Babylon's own is further off than `far` degrees at worst. */
export const BABYLON_CASES = [
  { name: 'T→T, other axes', file: 'mesh2motion/human-female.glb', far: 1 },
  { name: 'opposite facing', file: '100avatars/100Avatars_003_Jimmy.vrm', far: 30 },
  { name: 'T→A', file: 'threejs/RobotExpressive.glb', far: 30 },
  { name: '53→19 joints', file: 'khronos/CesiumMan.glb', far: 15 },
] as const;

/** Source and target of a case, in a scene of their own. */
export type BabylonCase = Pair & { source: Loaded; target: Loaded; scene: Scene };

/** Loads all cases into one scene, with one source: a file less to read for each. */
export async function loadCases(): Promise<Map<string, BabylonCase>> {
  const scene = createStage();
  const source = await loadData(scene, SOURCE, CLIPS);
  const cases = new Map<string, BabylonCase>();
  for (const { file } of BABYLON_CASES) {
    const target = await loadData(scene, file);
    const labels = { sourceLabels: labelsOf(SOURCE), targetLabels: labelsOf(file) };
    cases.set(file, { scene, source, target, ...labels });
  }
  return cases;
}

/** Loads a case. */
export async function loadCase(file: string, rightHanded = false): Promise<BabylonCase> {
  const scene = createStage(rightHanded);
  const source = await loadData(scene, SOURCE, CLIPS);
  const target = await loadData(scene, file);
  return { scene, source, target, sourceLabels: labelsOf(SOURCE), targetLabels: labelsOf(file) };
}

/** The motion that a case is measured on. */
export const danceOf = ({ groups }: Loaded) => groups.find(({ name }) => name === 'Dance_Loop')!;

/** What Babylon's own retargeter makes of a group, given every pair of joints that the labels know. */
export function retargetByBabylon(pair: BabylonCase, group: AnimationGroup, feet = false): AnimationGroup {
  const avatar = new AnimatorAvatar('target', pair.target.root, false, false);
  avatar.showWarnings = false;
  const { roles } = pair.targetLabels;
  const mapNodeNames = new Map(
    Object.entries(pair.sourceLabels.roles).flatMap(([role, name]) =>
      roles[role] ? [[name, roles[role]] as const] : [],
    ),
  );
  const scales = feet
    ? {
        rootNodeName: pair.sourceLabels.roles.hips!,
        groundReferenceNodeName: pair.sourceLabels.roles.leftFoot!,
      }
    : {};
  return avatar.retargetAnimationGroup(group, { mapNodeNames, ...scales });
}
