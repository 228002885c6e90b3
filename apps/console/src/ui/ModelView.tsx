import '@google/model-viewer';
import { type HTMLAttributes, type Ref, useEffect, useRef, useState } from 'react';
import { words } from '../words.ts';
import classes from './MediaView.module.css';

interface ViewerAttributes extends HTMLAttributes<HTMLElement> {
  readonly ref?: Ref<HTMLElement>;
  readonly class?: string;
  readonly src: string;
  readonly alt: string;
  readonly 'camera-controls'?: boolean;
  readonly 'touch-action'?: string;
  readonly 'interaction-prompt'?: string;
  readonly 'shadow-intensity'?: string;
}

declare module 'react' {
  // eslint-disable-next-line @typescript-eslint/no-namespace -- React declares its elements in one.
  namespace JSX {
    interface IntrinsicElements {
      'model-viewer': ViewerAttributes;
    }
  }
}

/** A 3D model that can be turned by pointer and by arrow keys. Loaded only where there is one: it is large. */
export function ModelView({ src, alt }: { readonly src: string; readonly alt: string }) {
  const viewer = useRef<HTMLElement>(null);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    const fail = () => setFailed(true);
    const element = viewer.current;
    element?.addEventListener('error', fail);
    return () => element?.removeEventListener('error', fail);
  }, [src]);
  if (failed) return <p className={classes.unseen}>{words.ui.media.unseenModel}</p>;
  return (
    <model-viewer
      ref={viewer}
      src={src}
      alt={alt}
      class={classes.model}
      camera-controls
      touch-action="pan-y"
      interaction-prompt="none"
      shadow-intensity="0.6"
    />
  );
}
