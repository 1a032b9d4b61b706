import type { LayerData } from '../edits/layers/compile-layers.js';
import {
  compileLayerPass,
  type LayerSetup,
  layerWrites,
  planLayers,
  prepareLayers,
} from './parts/layer-setup.js';
import { definePass } from './pass.js';

/** Adds layers to the finished pose: they have the last word, over feet that hold and constraints too. */
export const addFinalLayers = definePass<'addFinalLayers', LayerSetup, LayerData>({
  name: 'addFinalLayers',
  summary: 'adds the curves of layers that have the last word to the finished pose',
  options: ['layers'],
  compile: (context) => compileLayerPass(context, 'after'),
  isAskedFor: true,
  needsFrames: () => 'layers are added frame by frame',
  writes: layerWrites,
  plan: planLayers,
  prepare: prepareLayers,
});
