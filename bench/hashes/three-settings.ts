import { extname } from 'node:path';
import { type AnimatedObject, createLiveRetargeter, retargetClips } from '@stuntdouble/adapters/three';
import { type AnimationClip, AnimationMixer, type Mesh, type Object3D } from 'three';
import { loadBvh, loadFbx, loadGltf } from '../adapters-three-files.js';
import type { HashSetting } from './core-settings.js';
import { describeReport, type Outcome } from './describe-result.js';
import { needsDecoder } from './needs-decoder.js';
import type { OpenPair } from './open-pair.js';
import { silently } from './silently.js';

/** A file as three's own loader has it: what our functions take, what a mixer moves, and its clips. */
type Actor = { object: AnimatedObject; root: Object3D; clips: AnimationClip[] };

/** Null where three's loaders need what is not at hand: a decoder, or files beside the file. */
async function loadActor(path: string): Promise<Actor | null> {
  const extension = extname(path);
  if (extension === '.bvh') {
    const bvh = loadBvh(path);
    return { object: bvh, root: bvh.skeleton.bones[0]!, clips: [bvh.clip] };
  }
  if (extension === '.fbx') {
    const root = loadFbx(path);
    return { object: root, root, clips: root.animations };
  }
  if (extension === '.gltf' || needsDecoder(path)) return null;
  const gltf = await loadGltf(path);
  return { object: gltf, root: gltf.scene, clips: gltf.animations };
}

type Stage = { source: Actor; target: Actor; clip: AnimationClip };

const stages = new WeakMap<OpenPair, Promise<Stage | null>>();

/** Both files in three.js, loaded once for all settings of a pair. */
function stageOf(open: OpenPair): Promise<Stage | null> {
  const load = async (): Promise<Stage | null> => {
    const source = await loadActor(open.sourcePath);
    const clip = source?.clips.find(({ name }) => name === open.clips[0]!.name) ?? source?.clips[0];
    const target = clip ? await loadActor(open.targetPath) : null;
    return source && clip && target ? { source, target, clip } : null;
  };
  const known = stages.get(open) ?? silently(load);
  stages.set(open, known);
  return known;
}

function runClip(
  { source, target, clip }: Stage,
  open: OpenPair,
  options: { corrections?: 'auto' | 'none' },
): Outcome {
  const { clips: _, ...rest } = open.options;
  const { clips, report } = retargetClips(target.object, source.object, [clip], { ...rest, ...options });
  const motion = clips.map(({ name, duration, tracks }) => ({
    name,
    duration,
    tracks: tracks.map((track) => ({
      name: track.name,
      kind: track.ValueTypeName,
      interpolation: track.getInterpolation() ?? null,
      times: track.times,
      values: track.values,
    })),
  }));
  return { motion, ...describeReport(report) };
}

const FRAMES = 30;
const RATE = 30;

/** A second of the target as it follows, every object of it. */
function runLive({ source, target, clip }: Stage, open: OpenPair): Outcome {
  const { clips: _, range, ...rest } = open.options;
  const live = createLiveRetargeter(target.object, source.object, {
    ...rest,
    clips: [clip],
    corrections: 'auto',
  });
  const mixer = new AnimationMixer(source.root);
  mixer.clipAction(clip).play();
  const frames = Array.from({ length: FRAMES }, (_, k) => {
    mixer.setTime((range?.[0] ?? 0) + k / RATE);
    live.update(1 / RATE);
    return describeObjects(target.root);
  });
  mixer.stopAllAction();
  live.dispose();
  return { motion: frames, 'report.warnings': live.warnings };
}

function describeObjects(root: Object3D): unknown {
  const objects: unknown[] = [];
  root.traverse((object) => {
    const { position, quaternion, scale, name } = object;
    const numbers = [...position.toArray(), ...quaternion.toArray(), ...scale.toArray()];
    const { morphTargetInfluences = [] } = object as Partial<Mesh>;
    objects.push(name, Float64Array.from([...numbers, ...morphTargetInfluences]));
  });
  return objects;
}

const threeSetting = (name: string, run: (stage: Stage, open: OpenPair) => Outcome): HashSetting => ({
  name,
  async run(open) {
    const stage = await stageOf(open);
    return stage && silently(() => run(stage, open));
  },
});

/** Through three.js: clips as copied and corrected, and a target that follows. */
export const THREE_SETTINGS: readonly HashSetting[] = [
  threeSetting('three', (stage, open) => runClip(stage, open, {})),
  threeSetting('three-corrected', (stage, open) => runClip(stage, open, { corrections: 'auto' })),
  threeSetting('three-live', runLive),
];
