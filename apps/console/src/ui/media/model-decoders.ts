import { ModelViewerElement } from '@google/model-viewer';
import dracoWasm from 'three/examples/jsm/libs/draco/gltf/draco_decoder.wasm?url';
import dracoScript from 'three/examples/jsm/libs/draco/gltf/draco_wasm_wrapper.js?url';
import meshoptScript from './meshopt.js?url';

/** The files of decoders are asked for by these names, when a model needs them; ours contain a hash. */
const FILES: Readonly<Record<string, string>> = {
  'decoders/draco_decoder.wasm': dracoWasm,
  'decoders/draco_wasm_wrapper.js': dracoScript,
};

/**
 * Lets <model-viewer> show compressed models by decoders of the console: by itself, it asks another origin for them.
 * Textures in KTX2 stay away: their transcoder compiles strings, which the policy of the page forbids.
 */
export function provideDecoders(): void {
  const locations = { dracoDecoderLocation: 'decoders/', meshoptDecoderLocation: meshoptScript };
  // Each new element reads them there.
  Object.assign(globalThis, { ModelViewerElement: locations });
  ModelViewerElement.mapURLs((url) => FILES[url] ?? url);
}
