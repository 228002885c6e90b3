import '@google/model-viewer';
import { ModelViewerElement } from '@google/model-viewer';
import { type ComponentType, type Ref, useEffect, useRef } from 'react';
import dracoWasm from 'three/examples/jsm/libs/draco/gltf/draco_decoder.wasm?url';
import dracoScript from 'three/examples/jsm/libs/draco/gltf/draco_wasm_wrapper.js?url';
import meshoptScript from './meshopt.js?url';

provideDecoders();

export interface ModelProps {
  readonly src: string;
  readonly alt: string;
  readonly className?: string;
  readonly onLoad: () => void;
  readonly onError: () => void;
}

interface ModelViewerProps extends Pick<ModelProps, 'src' | 'alt'> {
  readonly ref: Ref<HTMLElement>;
  /** React passes it on to elements of other libraries, but not `className`. */
  readonly class?: string;
  readonly 'camera-controls'?: boolean;
  readonly 'touch-action'?: string;
  readonly 'interaction-prompt'?: string;
  readonly 'shadow-intensity'?: string;
  readonly loading?: string;
}

const ModelViewer = 'model-viewer' as unknown as ComponentType<ModelViewerProps>;

/** A 3D model that pointer and arrow keys turn. Import it lazily: its code has 250 kB. */
export default function Model({ src, alt, className, onLoad, onError }: ModelProps) {
  const element = useRef<HTMLElement>(null);
  useEffect(() => {
    const { current } = element;
    current?.addEventListener('load', onLoad);
    current?.addEventListener('error', onError);
    return () => {
      current?.removeEventListener('load', onLoad);
      current?.removeEventListener('error', onError);
    };
  }, [onLoad, onError]);
  return (
    <ModelViewer
      ref={element}
      src={src}
      alt={alt}
      class={className}
      camera-controls
      touch-action="pan-y"
      interaction-prompt="none"
      shadow-intensity="0.6"
      loading="eager"
    />
  );
}

/** The console's decoder files, whose names have a hash, by the names that the library requests. */
const FILES: Readonly<Record<string, string>> = {
  'decoders/draco_decoder.wasm': dracoWasm,
  'decoders/draco_wasm_wrapper.js': dracoScript,
};

/**
 * Lets <model-viewer> use the console's decoders for compressed models, instead of loading them from another origin.
 * Textures in KTX2 are not supported: their transcoder compiles strings, which the Content-Security-Policy forbids.
 */
function provideDecoders(): void {
  const locations = { dracoDecoderLocation: 'decoders/', meshoptDecoderLocation: meshoptScript };
  // <model-viewer> reads the locations there.
  Object.assign(globalThis, { ModelViewerElement: locations });
  ModelViewerElement.mapURLs((url) => FILES[url] ?? url);
}
