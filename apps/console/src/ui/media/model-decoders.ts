import { ModelViewerElement } from '@google/model-viewer';
import dracoWasm from 'three/examples/jsm/libs/draco/gltf/draco_decoder.wasm?url';
import dracoScript from 'three/examples/jsm/libs/draco/gltf/draco_wasm_wrapper.js?url';
import meshoptScript from './meshopt.js?url';

/** The console's decoder files, whose names have a hash, by the names that the library requests. */
const FILES: Readonly<Record<string, string>> = {
  'decoders/draco_decoder.wasm': dracoWasm,
  'decoders/draco_wasm_wrapper.js': dracoScript,
};

/**
 * Lets <model-viewer> use the console's decoders for compressed models, instead of loading them from another origin.
 * Textures in KTX2 are not supported: their transcoder compiles strings, which the Content-Security-Policy forbids.
 */
export function provideDecoders(): void {
  const locations = { dracoDecoderLocation: 'decoders/', meshoptDecoderLocation: meshoptScript };
  // <model-viewer> reads the locations there.
  Object.assign(globalThis, { ModelViewerElement: locations });
  ModelViewerElement.mapURLs((url) => FILES[url] ?? url);
}
