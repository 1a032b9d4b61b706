import {
  type Clip,
  changeSpeed,
  compiledOf,
  createBindClip,
  createBindNodes,
  findKeyChange,
  finiteClip,
  partNotes,
  type Report,
  type RetargetOptions,
  type RetargetResult,
  retarget,
  type Scene,
  type Setup,
  type Skeleton,
  setUpScenes,
  spreadTwist,
  trimClip,
  UsageError,
  type Warning,
} from '@stuntdouble/core/engine';
import { type GltfDocument, isGltfDocument } from '../document.js';
import { readDocument } from '../read/read.js';
import { rebindDocument } from './rebind-document.js';

/**
 * Gives a glTF character a bind pose in the source's joint axes, so that its mesh is driven by the source's own
 * rotation keys, unchanged, in every player (S4–S8): `await write('hero.glb', await rebind(walk, hero))`. Nothing of
 * either scene is changed; the result's scene is a copy of the target with other rests and other inverse binds. It
 * moves as `retarget` with `corrections: 'none'` would move it. Only travel, growth, joints that lie between two turns
 * of the source and twist joints, which share one, have keys that were computed; the report names them.
 *
 * Where both skeletons are one the keys fit as they are, and the target is left as it is.
 * @throws UsageError where the target is no glTF with a skin, or an option asks for keys that are not the source's.
 */
export async function rebind(
  source: Scene,
  target: Scene,
  options: RetargetOptions = {},
): Promise<RetargetResult> {
  const asked = findKeyChange(options);
  if (asked)
    throw new UsageError(
      `${asked} changes the keys, and a retargeted bind pose plays those of the source as they are; leave out one of the two`,
    );
  // Keys are kept in any case, more of them than the usual way could.
  const isKept = options.keys === 'keep';
  const plainly: RetargetOptions = {
    ...options,
    ...(isKept && { twist: 'none' as const }),
    corrections: 'none',
    keys: 'auto',
  };
  const usual = retarget(source, target, plainly);
  if (!isGltfDocument(target.document))
    throw new UsageError(
      `"${target.name}" is ${target.format.toUpperCase()}; only glTF, GLB and VRM can be given a new bind pose`,
    );
  const { skeleton } = target.characters[usual.character] ?? {};
  if (!skeleton || !hasSkin(target.document, skeleton.fileIndices))
    throw new UsageError(`"${target.name}" has no skin on that skeleton, so there is no bind pose to change`);
  const warnings: Warning[] = [];
  if (usual.report.clips.every(({ way }) => way === 'copy')) {
    warnings.push({
      code: 'option-without-effect',
      message: `both skeletons are one: the keys of "${source.name}" fit "${target.name}" as it is, and its bind pose stays`,
    });
    return { ...usual, report: withTold(usual.report, warnings) };
  }
  const { setup, sourceIndex } = setUpScenes(source, target, plainly);
  const starts = usual.report.clips.map(({ start = 0 }) => start);
  const clips = chosenClips(source.characters[sourceIndex]!.clips, options, starts);
  const plan = createBindNodes(setup, clips);
  const { document, nodeOf } = rebindDocument(target.document, skeleton, plan, warnings);
  const container = target.format === 'gltf' ? 'gltf' : 'glb';
  const scene = await readDocument(document, container, { name: target.name }, []);
  const jointOf = (character: number, node: number) =>
    scene.characters[character]?.skeleton.fileIndices.indexOf(node) ?? -1;
  const anchor = skeleton.fileIndices[setup.map.joints[0]!.target]!;
  const character = scene.characters.findIndex((_, c) => jointOf(c, anchor) >= 0);
  const joints = Int32Array.from(nodeOf, (node) => jointOf(character, node));
  const played = clips.map((clip, n) => {
    const bound = createBindClip(plan, setup, clip, usual.clips[n]!);
    const tracks = bound.clip.tracks.flatMap((track) =>
      joints[track.joint]! < 0 ? [] : [{ ...track, joint: joints[track.joint]! }],
    );
    const lost = bound.dropped + bound.clip.tracks.length - tracks.length;
    if (lost > 0)
      warnings.push({
        code: 'channel-dropped',
        message: `"${clip.name}": ${lost} channel${lost > 1 ? 's' : ''} cannot be told in the axes of the source and ${lost > 1 ? 'were' : 'was'} left out`,
      });
    return { ...bound.clip, tracks };
  });
  if (plan.computed.length > 0) {
    if (isKept)
      throw new UsageError(
        `keys cannot be kept for "${skeleton.names[plan.computed[0]!]}", which lies between two turns of the source`,
      );
    const several = plan.computed.length > 1;
    warnings.push({
      code: 'keys-resampled',
      message: `${plan.computed.length} joint${several ? 's lie' : ' lies'} between two turns of the source, or ${several ? 'hang' : 'hangs'} on one that does, and ${several ? 'have keys of their' : 'has keys of its'} own: ${quoteNames(skeleton, plan.computed)}`,
    });
  }
  const twists = turningTwists(
    isKept ? setUpScenes(source, target, { ...plainly, twist: options.twist ?? 'joints' }).setup : setup,
  );
  if (twists.length > 0)
    warnings.push(
      isKept
        ? {
            code: 'twist-left-out',
            message: `keys are kept, which cannot share the twist of limbs; these joints stay still: ${quoteNames(skeleton, twists)}`,
          }
        : {
            code: 'keys-resampled',
            message: `joints that share the twist of their limb have keys of their own: ${quoteNames(skeleton, twists)}`,
          },
    );
  return {
    ...usual,
    scene,
    character,
    clips: played,
    report: {
      ...withTold(usual.report, warnings),
      clips: usual.report.clips.map((clip, n) => ({
        ...clip,
        frames: played[n]!.tracks.reduce((most, { times }) => Math.max(most, times.length), 0),
        ...(plan.computed.length === 0 && { way: 'keys' as const, reason: '' }),
      })),
    },
  };
}

/** The joints that share the twist of a limb. */
function turningTwists(setup: Setup): number[] {
  return (compiledOf(setup, spreadTwist) ?? []).flatMap(({ joints }) => joints.map(({ joint }) => joint));
}

function quoteNames({ names }: Skeleton, joints: readonly number[]): string {
  return joints.map((joint) => `"${names[joint]}"`).join(', ');
}

/** A report that tells more: choices and losses, each where they belong. */
function withTold(report: Report, told: readonly Warning[]): Report {
  const { notes, warnings } = partNotes(told);
  return { ...report, notes: [...report.notes, ...notes], warnings: [...report.warnings, ...warnings] };
}

/** Whether a mesh is bound to one of some nodes. */
function hasSkin({ json }: GltfDocument, nodes: Int32Array): boolean {
  const own = new Set(nodes);
  return (json.nodes ?? []).some(
    ({ mesh, skin }) =>
      mesh !== undefined && skin !== undefined && json.skins![skin]!.joints.some((node) => own.has(node)),
  );
}

/**
 * The clips that are moved, cut and sped up as asked, in the order of the result.
 * @param starts Where each begins the usual way: after the pose that a capture holds for calibration.
 */
function chosenClips(
  available: readonly Clip[],
  { clips, range, speed }: RetargetOptions,
  starts: readonly number[],
): Clip[] {
  const chosen = clips ? clips.map((name) => available.find((clip) => clip.name === name)!) : available;
  return chosen.map((clip, n) => {
    const { clip: finite } = finiteClip(clip);
    const start = starts[n]!;
    const isPart = range !== undefined || start > 0;
    const part = isPart ? trimClip(finite, start, range?.[1] ?? finite.duration) : finite;
    return changeSpeed(part, speed ?? 1);
  });
}
