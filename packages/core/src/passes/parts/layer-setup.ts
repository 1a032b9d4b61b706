import type { EditedBody } from '../../edits/edited-body.js';
import { layersOfPart } from '../../edits/edits-of-part.js';
import type { SampledTurns } from '../../edits/layers/band-layer.js';
import { checkLayers } from '../../edits/layers/check-layers.js';
import { compileLayers, type LayerData } from '../../edits/layers/compile-layers.js';
import { createLayerStep } from '../../edits/layers/layer-step.js';
import type { Layer } from '../../options/layer.js';
import { forwardJoints, withAncestors } from '../../scene/forward-joints.js';
import { createModelPose } from '../../scene/pose.js';
import type { ClipView, CompileContext, Frame, Run, Step, Writes } from '../pass.js';
import { createFrameKeeper, editedBodyOf, editedPartOf } from './edited-target.js';

/** The layers of one place in the pipeline. */
export type LayerSetup = {
  body: EditedBody;
  layers: readonly Layer[];
  when: 'before' | 'after';
  /** Compiled for all clips, as live use has them. */
  live: LayerData;
};

/** Compiles the layers of one place; null where there are none. */
export function compileLayerPass(context: CompileContext, when: 'before' | 'after'): LayerSetup | null {
  const { layers } = context.options;
  if (layers === undefined) return null;
  const isHere = (layer: Layer) => !layer.muted && (layer.when ?? 'before') === when;
  if (!checkLayers(layers).some(isHere)) return null;
  const body = editedBodyOf(context);
  const live = compileLayers(body, layers, { when });
  for (const warning of live.warnings) context.warn(warning);
  return { body, layers, when, live };
}

/** Frames a second that bands are taken at: those of the planning grid. */
const BAND_RATE = 60;

/** The layers of one clip, in the times of its part; null where there are none. Bands are taken of the whole clip. */
export function planLayers({ body, layers, when }: LayerSetup, view: ClipView): LayerData | null {
  const { clip, part } = view;
  const own = layersOfPart(layers, editedPartOf(clip, part));
  const isBanded = own.some((layer) => layer.band && !layer.muted && (layer.when ?? 'before') === when);
  const motion = isBanded ? sampleTurns(view) : null;
  const data = compileLayers(body, own, { when, clip: clip.name, motion });
  const counts = data.layers.some(({ weight }) => weight.values.some((value) => value !== 0));
  return counts ? data : null;
}

/** The motion under the layers: what the passes before make of the clip. */
function sampleTurns({ clip, play }: ClipView): SampledTurns {
  const times: number[] = [];
  const rotations: Float64Array[] = [];
  play(Math.max(2, Math.floor(clip.duration * BAND_RATE) + 1), ({ target, time }) => {
    times.push(time);
    rotations.push(target.rotations.slice());
  });
  return { rate: BAND_RATE, times, rotations };
}

type LayerRun = Pick<Run<LayerData>, 'plan' | 'found'>;

function dataOf({ live }: LayerSetup, { plan, found }: LayerRun): LayerData | null {
  return plan === null ? live : found;
}

/** The joints that layers turn, and the travelling one where they move it. */
export function layerWrites(setup: LayerSetup, run: LayerRun): Writes {
  const data = dataOf(setup, run);
  if (!data) return {};
  return {
    turnsOn: data.layers.flatMap(({ joints }) => joints.map(({ joint }) => joint)),
    movesOn: data.layers.some(({ hips }) => hips) && data.travels >= 0 ? [data.travels] : [],
  };
}

/** Builds the loop of the layers of one place. */
export function prepareLayers(layers: LayerSetup, run: Run<LayerData>): Step {
  const data = dataOf(layers, run);
  if (!data) return () => {};
  const { setup, place } = run;
  const { skeleton } = setup.target;
  const step = createLayerStep(data);
  const keeper = createFrameKeeper(setup, layerWrites(layers, run).turnsOn ?? []);
  const moves = data.layers.some(({ hips }) => hips) && data.travels >= 0;
  const above = moves ? withAncestors(skeleton, [skeleton.parents[data.travels]!]) : null;
  const model = createModelPose(above ? skeleton.names.length : 0);
  return (frame: Frame) => {
    keeper.note(frame);
    if (above) forwardJoints(model, skeleton, frame.target, above);
    step(frame.target, frame.time, above ? model : null);
    keeper.refresh(frame);
    place?.(frame);
  };
}
