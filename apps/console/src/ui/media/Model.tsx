import '@google/model-viewer';
import { type ComponentType, type Ref, useEffect, useRef } from 'react';
import { provideDecoders } from './model-decoders.ts';

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
