import { Loader } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { words } from '../words.ts';
import { mediaKind, type StoredMedia, thumbnailOf } from './media.ts';
import classes from './MediaView.module.css';

const ModelView = lazy(async () => ({ default: (await import('./ModelView.tsx')).ModelView }));

interface MediaViewProps {
  readonly media: StoredMedia;
  readonly alt: string;
}

/** Stored media of any kind, as large as the box it is given: pictures, drawings, videos, 3D models. */
export function MediaView({ media, alt }: MediaViewProps) {
  switch (mediaKind(media.content_type)) {
    case 'picture':
      return <LargePicture key={media.url} media={media} alt={alt} />;
    case 'video':
      return (
        // Generated videos have no speech to caption.
        <video
          key={media.url}
          className={classes.media}
          src={media.url}
          poster={thumbnailOf(media, 800) ?? undefined}
          aria-label={alt}
          controls
          loop
          playsInline
        />
      );
    case 'model':
      return (
        <Suspense fallback={<Loader className={classes.loader} />}>
          <ModelView key={media.url} src={media.url} alt={alt} />
        </Suspense>
      );
    case 'other':
      return <p className={classes.unseen}>{words.ui.media.unseen}</p>;
  }
}

/** Its thumbnail until it is there: that is in the browser's cache already. */
function LargePicture({ media, alt }: MediaViewProps) {
  const [state, setState] = useState<'loading' | 'loaded' | 'failed'>('loading');
  const small = thumbnailOf(media, 200);
  if (state === 'failed') return <p className={classes.unseen}>{words.ui.media.gone}</p>;
  return (
    <>
      {state === 'loading' && small !== null && <img className={classes.media} src={small} alt="" aria-hidden />}
      <img
        className={classes.media}
        src={media.url}
        alt={alt}
        width={media.width ?? undefined}
        height={media.height ?? undefined}
        hidden={state === 'loading' && small !== null}
        onLoad={() => setState('loaded')}
        onError={() => setState('failed')}
      />
    </>
  );
}
