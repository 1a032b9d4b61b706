/*
 * The Draco decoder as Node finds it. Elsewhere `#draco` is a module that holds the decoder's program, too, made by
 * scripts/bundle-draco.mjs: a page has no folder to look for it in.
 */
import createDecoderModule, { type DracoModule } from 'draco3dgltf/draco_decoder_gltf_nodejs.js';

/** Starts a decoder of its own. */
export const createDracoModule = (): Promise<DracoModule> => createDecoderModule({});
