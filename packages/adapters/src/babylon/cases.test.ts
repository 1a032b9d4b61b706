import { Animation } from '@babylonjs/core/Animations/animation.js';
import type { AnimationGroup } from '@babylonjs/core/Animations/animationGroup.js';
import { Quaternion, Vector3 } from '@babylonjs/core/Maths/math.vector.js';
import { Mesh } from '@babylonjs/core/Meshes/mesh.js';
import { TransformNode } from '@babylonjs/core/Meshes/transformNode.js';
import { MorphTarget } from '@babylonjs/core/Morph/morphTarget.js';
import { MorphTargetManager } from '@babylonjs/core/Morph/morphTargetManager.js';
import { beforeAll, expect, it } from 'vitest';
import {
  armErrorNow,
  armErrors,
  BABYLON_CASES,
  type BabylonCase,
  danceOf,
  type Loaded,
  legErrorNow,
  loadCase,
  loadCases,
  rest,
  retargetByBabylon,
  showAt,
} from '../../../../bench/adapters-babylon-stage.js';
import { describeData } from '../../../core/test/real-data.js';
import {
  createLiveRetargeter,
  retargetAnimationGroup,
  retargetAnimationGroups,
} from '../../test/plainly-babylon.js';
import { flatKeysOf } from './fast/flat-animation.js';
import type { GroupReport } from './index.js';

const CASES = BABYLON_CASES.map(({ name, file, far }) => [name, file, far] as const);

/** So many instants show a motion: none of them on a key. */
const INSTANTS = 6;

describeData('directions in the world, needs ../shared/data', () => {
  let cases = new Map<string, BabylonCase>();
  beforeAll(async () => {
    cases = await loadCases();
  });

  /** A case with both bodies at rest; what was made before is gone. */
  function caseOf(file: string): BabylonCase {
    const pair = cases.get(file)!;
    const own = new Set(pair.source.groups);
    for (const { target } of cases.values()) for (const group of target.groups) own.add(group);
    for (const group of [...pair.scene.animationGroups]) {
      group.stop();
      if (!own.has(group)) group.dispose();
    }
    rest(pair.source);
    rest(pair.target);
    return pair;
  }

  it.each(CASES)('%s: arms to 0.1 degrees, in one run with Babylon’s own', (_, file, far) => {
    const pair = caseOf(file);
    const group = danceOf(pair.source);
    const ours = retargetAnimationGroup(pair.target.root, group);
    expect(armErrors(pair, group, ours, INSTANTS).worst).toBeLessThan(0.1);
    group.stop();
    ours.stop();
    rest(pair.source);
    rest(pair.target);
    const theirs = retargetByBabylon(pair, group);
    expect(armErrors(pair, group, theirs, INSTANTS).worst).toBeGreaterThan(far);
  });

  it.each(CASES)('%s: arms to 0.1 degrees with cubic keys and a morph target', (_, file) => {
    const pair = caseOf(file);
    const group = danceOf(pair.source).clone('curved', undefined, true, true);
    makeCubic(group);
    const faces = ['source', 'target'].map((side) => {
      const mesh = new Mesh('face', pair.scene);
      mesh.morphTargetManager = new MorphTargetManager(pair.scene);
      mesh.morphTargetManager.addTarget(new MorphTarget('smile', 0, pair.scene));
      mesh.parent = side === 'target' ? pair.target.root : pair.source.root;
      return mesh;
    });
    const smiles = faces.map((mesh) => mesh.morphTargetManager!.getTarget(0));
    const smile = new Animation('smile', 'influence', 60, Animation.ANIMATIONTYPE_FLOAT);
    smile.setKeys([
      { frame: group.from, value: 0 },
      { frame: group.to, value: 1 },
    ]);
    group.addTargetedAnimation(smile, smiles[0]!);
    const ours = retargetAnimationGroup(pair.target.root, group, { stuntdouble: { keys: 'refine' } });
    expect(armErrors(pair, group, ours, INSTANTS).worst).toBeLessThan(0.1);
    // The last instant shown.
    expect(smiles[1]!.influence).toBeCloseTo((INSTANTS - 1 + 0.37) / INSTANTS, 3);
    const { way } = (ours.metadata.stuntdouble as GroupReport).report!.clips[0]!;
    const isCubic = ours.targetedAnimations.some(({ animation }) =>
      animation.getKeys().some(({ outTangent }) => outTangent !== undefined),
    );
    // What takes over one turn keeps its curve, also beside joints that are baked.
    if (way === 'keys') expect(isCubic).toBe(true);
    if (file.includes('human-female')) expect(way).toBe('keys');
    for (const mesh of faces) mesh.dispose();
  });

  it.each(CASES)('%s: leg lines of the references to 0.1 degrees', (_, file) => {
    const pair = caseOf(file);
    // One key at rest: the result stands in the aligned reference.
    const group = pair.source.groups[0]!.clone('rest', undefined, true, true);
    const bones = pair.source.skeletons[0]!.bones;
    for (const { animation, target } of group.targetedAnimations) {
      const bone = bones.find((one) => one.getTransformNode() === target);
      if (!bone) continue;
      const scaling = new Vector3();
      const rotation = new Quaternion();
      const position = new Vector3();
      bone.getRestMatrix().decompose(scaling, rotation, position);
      const values = { scaling, rotationQuaternion: rotation, position };
      const value = values[animation.targetProperty as keyof typeof values];
      animation.setKeys([{ frame: 0, value }]);
    }
    const result = retargetAnimationGroup(pair.target.root, group);
    showAt(group, 0);
    showAt(result, 0);
    expect(legErrorNow(pair)).toBeLessThan(0.1);
    expect(armErrorNow(pair)).toBeLessThan(0.1);
  });

  it('R3, BP5: files of glTF below other nodes, in a left-handed scene, keep their keys', () => {
    const pair = caseOf('mesh2motion/human-female.glb');
    const group = danceOf(pair.source).clone('curved', undefined, true, true);
    makeCubic(group);
    const plain = retargetAnimationGroup(pair.target.root, group);
    const holders = [pair.source.root, pair.target.root].map((root) => {
      const holder = new TransformNode('holder', pair.scene);
      holder.position.x = 3;
      holder.rotation.y = 1;
      root.parent = holder;
      return holder;
    });
    const nested = retargetAnimationGroup(holders[1]!, group);
    expect((nested.metadata.stuntdouble as GroupReport).report!.clips[0]!.way).toBe('keys');
    const keys = keysOf(plain);
    keysOf(nested).forEach((track, n) => {
      track.forEach((value: number[], k: number) => {
        value.forEach((x, c) => {
          expect(Math.abs(x - keys[n]![k]![c]!)).toBeLessThan(1e-5);
        });
      });
    });
    for (const holder of holders) {
      for (const child of holder.getChildren()) child.parent = null;
      holder.dispose();
    }
  });

  it('several groups at once give what each gives alone', () => {
    const pair = caseOf('mesh2motion/human-female.glb');
    const groups = ['Dance_Loop', 'Walk_Loop', 'Roll'].map(
      (wanted) => pair.source.groups.find(({ name }) => name === wanted)!,
    );
    const together = retargetAnimationGroups(pair.target.root, groups);
    expect(together.map(({ name }) => name)).toEqual(groups.map(({ name }) => name));
    together.forEach((group, n) => {
      const { report } = group.metadata.stuntdouble as GroupReport;
      expect(report!.clips.map(({ name }) => name)).toEqual([groups[n]!.name]);
      const alone = keysOf(retargetAnimationGroup(pair.target.root, groups[n]!));
      keysOf(group).forEach((track, m) => {
        track.forEach((value: number[], k: number) => {
          value.forEach((x, c) => {
            expect(Math.abs(x - alone[m]![k]![c]!)).toBeLessThan(1e-5);
          });
        });
      });
    });
  });

  it.each(CASES)(
    '%s: the result plays without its keys being made, and plays the same with them',
    (_, file) => {
      const pair = caseOf(file);
      const result = retargetAnimationGroup(pair.target.root, danceOf(pair.source));
      // Each with keys that are objects, as Babylon.js makes them.
      const plain = result.clone('plain', undefined, true, true);
      for (const targeted of plain.targetedAnimations) {
        const { animation } = targeted;
        const keys = animation.getKeys().map((each) => ({ ...each }));
        targeted.animation = new Animation(
          animation.name,
          animation.targetProperty,
          animation.framePerSecond,
          animation.dataType,
          animation.loopMode,
        );
        targeted.animation.setKeys(keys);
      }
      const poses = [result, plain].map((group) => {
        const seen: number[] = [];
        for (let n = 0; n <= 2 * INSTANTS; n++) {
          showAt(group, n / (2 * INSTANTS));
          for (const { target } of group.targetedAnimations)
            seen.push(
              ...target.position.asArray(),
              ...target.rotationQuaternion.asArray(),
              ...target.scaling.asArray(),
            );
        }
        group.stop();
        return seen;
      });
      const worst = poses[0]!.reduce((most, value, n) => Math.max(most, Math.abs(value - poses[1]![n]!)), 0);
      expect(worst).toBeLessThan(1e-6);
      const long = result.targetedAnimations.filter(({ animation }) => animation.getKeys().length > 8);
      expect(long.length).toBeGreaterThan(8);
      expect(long.filter(({ animation }) => flatKeysOf(animation) === null)).toEqual([]);
    },
  );

  it('the floor is where the lowest skin of the feet is', () => {
    const pair = caseOf('mesh2motion/human-female.glb');
    const { setup } = createLiveRetargeter(pair.target.root, pair.source.root);
    expect(setup.target.floor.reason).toContain('skin');
    // She stands on y = 0, with soles a centimetre thick at most.
    expect(Math.abs(setup.target.floor.height)).toBeLessThan(0.01);
  });

  it.each([false, true])(
    'R4: an avatar at x = 5, turned and scaled, right-handed %s',
    async (rightHanded) => {
      const pair = rightHanded
        ? await loadCase('threejs/RobotExpressive.glb', true)
        : caseOf('threejs/RobotExpressive.glb');
      const { root } = pair.target;
      const before = { position: root.position.clone(), turn: root.rotationQuaternion?.clone() ?? null };
      const plain = retargetAnimationGroup(root, danceOf(pair.source));
      root.position.set(5, 2, -1);
      const turn = Quaternion.RotationYawPitchRoll(Math.PI / 2, 0, 0);
      root.rotationQuaternion = turn.multiply(root.rotationQuaternion ?? Quaternion.Identity());
      root.scaling.scaleInPlace(2);
      const placed = retargetAnimationGroup(root, danceOf(pair.source));
      expect(armErrors(pair, danceOf(pair.source), placed, INSTANTS).worst).toBeLessThan(0.1);
      placed.targetedAnimations.forEach(({ animation }, n) => {
        const [a, b] = [animation.getKeys(), plain.targetedAnimations[n]!.animation.getKeys()];
        const size = Math.max(...b[0]!.value.asArray().map(Math.abs));
        a.forEach(({ value }, k) => {
          const same = b[k]!.value.asArray();
          value.asArray().forEach((x: number, c: number) => {
            expect(Math.abs(x - same[c])).toBeLessThan(1e-5 * Math.max(1, size));
          });
        });
      });
      root.position.copyFrom(before.position);
      root.rotationQuaternion = before.turn;
      root.scaling.scaleInPlace(0.5);
    },
  );

  it('B18, R5: nothing depends on where source and avatar are in their play', () => {
    const pair = caseOf('mesh2motion/human-female.glb');
    const group = danceOf(pair.source);
    const atRest = retargetAnimationGroup(pair.target.root, group);
    const other = pair.source.groups.find(({ name }) => name === 'Roll')!;
    showAt(other, 0.4);
    showAt(retargetAnimationGroup(pair.target.root, other), 0.6);
    const midPlay = retargetAnimationGroup(pair.target.root, group);
    expect(keysOf(midPlay)).toEqual(keysOf(atRest));
  });

  it('a live avatar follows to 0.1 degrees, and gets back its transforms', () => {
    const pair = caseOf('threejs/RobotExpressive.glb');
    const before = transformsOf(pair.target);
    const live = createLiveRetargeter(pair.target.root, pair.source.root);
    for (const part of [0.1, 0.8, 0.35]) {
      showAt(danceOf(pair.source), part);
      live.update(1 / 60);
      expect(armErrorNow(pair)).toBeLessThan(0.1);
    }
    expect(transformsOf(pair.target)).not.toEqual(before);
    live.dispose();
    live.update(1 / 60);
    expect(transformsOf(pair.target)).toEqual(before);
  });

  it('live and baked give the same poses', () => {
    const pair = caseOf('mesh2motion/human-female.glb');
    const group = danceOf(pair.source);
    const baked = retargetAnimationGroup(pair.target.root, group);
    const live = createLiveRetargeter(pair.target.root, pair.source.root);
    showAt(group, 0.5);
    live.update(1 / 60);
    const posed = rotationsOf(pair.target);
    live.dispose();
    showAt(baked, 0.5);
    rotationsOf(pair.target).forEach((rotation, n) => {
      // A hundredth of a degree.
      const between = rotation.multiply(Quaternion.Inverse(posed[n]!));
      expect(Math.hypot(between.x, between.y, between.z)).toBeLessThan(1e-4);
    });
  });
});

/** Gives keys the slopes of a curve through them, which no straight line follows. */
function makeCubic(group: AnimationGroup): void {
  for (const { animation } of group.targetedAnimations) {
    const keys = animation.getKeys();
    if (keys.length < 3) continue;
    const values = keys.map(({ value }) => value);
    keys.forEach((key, k) => {
      const [a, b] = [Math.max(0, k - 1), Math.min(keys.length - 1, k + 1)];
      const slope = values[b]!.subtract(values[a]!).scale(1 / (keys[b]!.frame - keys[a]!.frame));
      key.inTangent = slope;
      key.outTangent = slope.clone();
    });
  }
}

const keysOf = (group: AnimationGroup) =>
  group.targetedAnimations.map(({ animation }) => animation.getKeys().map(({ value }) => value.asArray()));

const transformsOf = ({ root }: Loaded) =>
  root
    .getDescendants(false)
    .flatMap((node) =>
      node instanceof TransformNode
        ? [[node.position.asArray(), node.rotationQuaternion?.asArray() ?? null, node.scaling.asArray()]]
        : [],
    );

const rotationsOf = ({ skeletons }: Loaded) =>
  skeletons[0]!.bones.map((bone) => bone.getTransformNode()!.rotationQuaternion!.normalizeToNew());
