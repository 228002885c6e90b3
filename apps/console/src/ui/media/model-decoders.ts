import { ModelViewerElement } from '@google/model-viewer';
import basisScript from 'three/examples/jsm/libs/basis/basis_transcoder.js?url';
import basisWasm from 'three/examples/jsm/libs/basis/basis_transcoder.wasm?url';
import dracoWasm from 'three/examples/jsm/libs/draco/gltf/draco_decoder.wasm?url';
import dracoScript from 'three/examples/jsm/libs/draco/gltf/draco_wasm_wrapper.js?url';
import meshoptScript from './meshopt.js?url';

/** The files of decoders are asked for by these names, when a model needs them; ours contain a hash. */
const FILES: Readonly<Record<string, string>> = {
  'decoders/basis_transcoder.js': basisScript,
  'decoders/basis_transcoder.wasm': basisWasm,
  'decoders/draco_decoder.wasm': dracoWasm,
  'decoders/draco_wasm_wrapper.js': dracoScript,
};

/** Lets <model-viewer> show compressed models by decoders of the console: by itself, it asks another origin for them. */
export function provideDecoders(): void {
  const locations = {
    dracoDecoderLocation: 'decoders/',
    ktx2TranscoderLocation: 'decoders/',
    meshoptDecoderLocation: meshoptScript,
  };
  // Each new element reads them there.
  Object.assign(globalThis, { ModelViewerElement: locations });
  ModelViewerElement.mapURLs((url) => FILES[url] ?? url);
}
