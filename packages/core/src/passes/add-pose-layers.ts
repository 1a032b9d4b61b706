import type { LayerData } from '../edits/layers/compile-layers.js';
import {
  compileLayerPass,
  type LayerSetup,
  layerWrites,
  planLayers,
  prepareLayers,
} from './parts/layer-setup.js';
import { definePass } from './pass.js';

/** Adds layers to the copied pose: everything that comes after respects what they changed. */
export const addPoseLayers = definePass<'addPoseLayers', LayerSetup, LayerData>({
  name: 'addPoseLayers',
  summary: 'adds the curves of layers to the copied pose, before anything is corrected',
  options: ['layers'],
  compile: (context) => compileLayerPass(context, 'before'),
  isAskedFor: true,
  needsFrames: () => 'layers are added frame by frame',
  writes: layerWrites,
  plan: planLayers,
  prepare: prepareLayers,
});
