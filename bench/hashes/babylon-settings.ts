import { extname } from 'node:path';
import type { AnimationGroup } from '@babylonjs/core/Animations/animationGroup.js';
import { TransformNode } from '@babylonjs/core/Meshes/transformNode.js';
import { createLiveRetargeter, retargetAnimationGroup } from '@stuntdouble/adapters/babylon';
import { createStage, type Loaded, loadFile, showAt } from '../adapters-babylon-stage.js';
import type { HashSetting } from './core-settings.js';
import { describeReport, type Outcome } from './describe-result.js';
import { needsDecoder } from './needs-decoder.js';
import type { OpenPair } from './open-pair.js';
import { silently } from './silently.js';

type Stage = { source: Loaded; target: Loaded; group: AnimationGroup };

const stages = new WeakMap<OpenPair, Promise<Stage | null>>();

/** Whether Babylon's loader reads a file without others beside it, and without a decoder. */
const isRead = (path: string) => ['.glb', '.vrm'].includes(extname(path)) && !needsDecoder(path);

/** Both files in one scene of Babylon's, loaded once for all settings of a pair; null where its loader has no way. */
function stageOf(open: OpenPair): Promise<Stage | null> {
  const load = async (): Promise<Stage | null> => {
    if (![open.sourcePath, open.targetPath].every(isRead)) return null;
    const scene = createStage();
    const source = await loadFile(scene, open.sourcePath, open.options.clips);
    const target = await loadFile(scene, open.targetPath);
    const [group] = source.groups;
    return group ? { source, target, group } : null;
  };
  const known = stages.get(open) ?? silently(load);
  stages.set(open, known);
  return known;
}

function runGroup({ target, group }: Stage, { options }: OpenPair, corrections?: 'auto'): Outcome {
  const result = retargetAnimationGroup(target.root, group, {
    showWarnings: false,
    stuntdouble: { ...(options.map && { map: options.map }), ...(corrections && { corrections }) },
  });
  const { name, from, to, targetedAnimations, metadata } = result;
  const motion = {
    name,
    from,
    to,
    animations: targetedAnimations.map(({ target: moved, animation }) => ({
      target: moved.name,
      property: animation.targetProperty,
      kind: animation.dataType,
      rate: animation.framePerSecond,
      keys: animation.getKeys().map(({ frame, value, inTangent, outTangent, interpolation }) => ({
        frame,
        value: numbersOf(value),
        inTangent: numbersOf(inTangent),
        outTangent: numbersOf(outTangent),
        interpolation: interpolation ?? null,
      })),
    })),
  };
  const { report, rootMotion: _, warnings } = metadata.stuntdouble;
  result.dispose();
  return { motion, ...describeReport(report), 'report.warnings': warnings };
}

/** A key's number, vector or quaternion as numbers; null where there is none. */
function numbersOf(value: unknown): Float64Array | null {
  if (value === undefined || value === null) return null;
  if (typeof value === 'number') return Float64Array.of(value);
  return Float64Array.from((value as { asArray(): number[] }).asArray());
}

const FRAMES = 30;
const RATE = 30;

/** A second of the target as it follows, every node of it. */
function runLive({ source, target, group }: Stage, { options }: OpenPair): Outcome {
  const live = createLiveRetargeter(target.root, source.root, {
    showWarnings: false,
    stuntdouble: { corrections: 'auto', ...(options.map && { map: options.map }) },
  });
  const seconds = (group.to - group.from) / (group.targetedAnimations[0]?.animation.framePerSecond ?? RATE);
  const frames = Array.from({ length: FRAMES }, (_, k) => {
    showAt(group, Math.min(1, k / RATE / seconds));
    live.update(1 / RATE);
    return describeNodes(target);
  });
  group.stop();
  live.dispose();
  return { motion: frames, 'report.warnings': live.warnings };
}

function describeNodes({ root, meshes }: Loaded): unknown {
  const nodes = root.getDescendants(false).flatMap((node) => {
    if (!(node instanceof TransformNode)) return [];
    const { position, rotationQuaternion, rotation, scaling, name } = node;
    const parts = [position, rotationQuaternion ?? rotation, scaling];
    return [name, Float64Array.from(parts.flatMap((part) => part.asArray()))];
  });
  const morphs = meshes.flatMap(({ morphTargetManager: manager }) =>
    Array.from({ length: manager?.numTargets ?? 0 }, (_, n) => manager!.getTarget(n).influence),
  );
  return [...nodes, Float64Array.from(morphs)];
}

const babylonSetting = (name: string, run: (stage: Stage, open: OpenPair) => Outcome): HashSetting => ({
  name,
  async run(open) {
    const stage = await stageOf(open);
    return stage && silently(() => run(stage, open));
  },
});

/** Through Babylon.js: groups as copied and corrected, and a target that follows. */
export const BABYLON_SETTINGS: readonly HashSetting[] = [
  babylonSetting('babylon', (stage, open) => runGroup(stage, open)),
  babylonSetting('babylon-corrected', (stage, open) => runGroup(stage, open, 'auto')),
  babylonSetting('babylon-live', runLive),
];
