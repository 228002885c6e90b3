import { Loader, Stack, Text } from '@mantine/core';
import { Box, Download, FileQuestion, ImageOff } from 'lucide-react';
import {
  type ComponentType,
  type CSSProperties,
  lazy,
  type ReactNode,
  Suspense,
  type SyntheticEvent,
  useCallback,
  useEffect,
  useRef,
  useState,
} from 'react';
import { ActionButton } from '../ActionButton.tsx';
import { type Source, unsigned } from '../../file-url.ts';
import { loadPart } from '../load-part.ts';
import { notifyError } from '../notices.tsx';
import { Picture } from '../Picture.tsx';
import { useLastingUrl } from '../use-lasting-url.ts';
import { words } from '../words.ts';
import classes from './MediaStage.module.css';
import type { ModelProps } from './Model.tsx';
import { saveFile } from './save-file.ts';
import { kindOf, previewOf, stageSource, type ViewedMedia } from './viewed-media.ts';

const Model = lazy<ComponentType<ModelProps>>(() =>
  loadPart(() => import('./Model.tsx')).catch(() => ({ default: NoModel })),
);

/** Follows a video, and sets its moment. */
export interface VideoControl {
  /** The moment to show, in seconds; a new object each time. */
  readonly seek: { readonly seconds: number } | null;
  /** Called with the moment that is shown, in seconds. */
  readonly onTime: (seconds: number) => void;
  /** Called with the moment where it stands, in seconds; null as soon as it plays. */
  readonly onStill: (seconds: number | null) => void;
}

interface MediaStageProps {
  readonly media: ViewedMedia;
  /** Shown for an item without a file, which is being prepared or has failed. */
  readonly absent?: ReactNode;
  /** True if a picture is shown in its actual size, and scrolls, instead of as large as fits. */
  readonly zoomed?: boolean;
  readonly onZoom?: () => void;
  /** Shown over a picture or a video, in its proportions. */
  readonly overlay?: ReactNode;
  readonly video?: VideoControl | undefined;
}

/** Shows a picture, a video with controls, or a 3D model to turn, as large as fits. */
export function MediaStage({ media, absent, ...rest }: MediaStageProps) {
  if (media.url === null) return <div className={classes.stage}>{absent}</div>;
  return <Shown key={unsigned(media.url)} media={media} url={media.url} {...rest} />;
}

interface ShownProps extends Omit<MediaStageProps, 'absent'> {
  readonly url: string;
}

function Shown({ media, url: signed, zoomed = false, onZoom, overlay, video }: ShownProps) {
  const [failed, setFailed] = useState<string | null>(null);
  const [url, lose] = useLastingUrl(signed);
  const fail = useCallback(() => {
    lose();
    setFailed(url);
  }, [lose, url]);
  const kind = kindOf(media);
  if (failed === url) return <NotShown url={url} name={media.name} isBroken />;
  if (kind === 'other') return <NotShown url={url} name={media.name} />;
  if (kind === 'model') return <ShownModel url={url} name={media.name} onError={fail} />;
  if (kind === 'video') return <ShownVideo media={media} url={url} control={video} overlay={overlay} onError={fail} />;
  const source = stageSource(media);
  if (source === null) return <NotShown url={url} name={media.name} />;
  return (
    <ShownPicture
      media={media}
      url={url}
      source={source}
      zoomed={zoomed}
      onZoom={onZoom}
      overlay={overlay}
      onError={fail}
    />
  );
}

interface ShownPictureProps extends ShownProps {
  readonly source: Source;
  readonly onError: () => void;
}

function ShownPicture({ media, source, zoomed, onZoom, overlay, onError }: ShownPictureProps) {
  const preview = previewOf(media);
  const style = { ...fitting(media), ...(zoomed && { width: `${media.width}px`, maxWidth: 'none' }) };
  const box = (
    <span className={classes.box} style={style}>
      {preview !== null && preview !== source.url && <img src={preview} alt="" className={classes.preview} />}
      <Picture
        src={source.url}
        variant={zoomed ? null : source.variant}
        alt={media.name}
        placeholder={media.placeholder}
        fit="contain"
        onError={onError}
      />
      {overlay}
    </span>
  );
  return (
    <div className={classes.stage} data-zoomed={zoomed || undefined} onClick={onZoom && (() => onZoom())}>
      {box}
    </div>
  );
}

interface ShownVideoProps {
  readonly media: ViewedMedia;
  readonly url: string;
  readonly control: VideoControl | undefined;
  readonly overlay: ReactNode;
  readonly onError: () => void;
}

function ShownVideo({ media, url, control, overlay, onError }: ShownVideoProps) {
  const video = useRef<HTMLVideoElement>(null);
  const seek = control?.seek ?? null;
  useEffect(() => {
    if (!seek || !video.current) return;
    video.current.pause();
    video.current.currentTime = seek.seconds;
  }, [seek]);
  const stand = ({ currentTarget: { paused, currentTime } }: SyntheticEvent<HTMLVideoElement>) =>
    control?.onStill(paused ? currentTime : null);
  return (
    <div className={classes.stage}>
      <span className={classes.box} style={fitting(media)}>
        <video
          ref={video}
          onTimeUpdate={(event) => control?.onTime(event.currentTarget.currentTime)}
          onLoadedMetadata={stand}
          onPlay={stand}
          onPause={stand}
          onSeeked={stand}
          className={classes.preview}
          src={url}
          poster={previewOf(media) ?? undefined}
          controls
          loop
          playsInline
          aria-label={media.name}
          onError={onError}
        />
        {overlay}
      </span>
    </div>
  );
}

function ShownModel({ url, name, onError }: { url: string; name: string; onError: () => void }) {
  const [isLoaded, setLoaded] = useState(false);
  const onLoad = useCallback(() => setLoaded(true), []);
  return (
    <div className={classes.stage}>
      {!isLoaded && (
        <Stack align="center" gap={12} p={24} c="dimmed" role="status">
          <Box aria-hidden size={40} strokeWidth={1.25} />
          <Loader size="sm" />
          <Text size="sm">{words.viewer.loadingModel}</Text>
        </Stack>
      )}
      <Suspense>
        <Model src={url} alt={name} className={classes.model} onLoad={onLoad} onError={onError} />
      </Suspense>
    </div>
  );
}

/** Replaces the viewer of 3D models if it could not be loaded. */
function NoModel({ onError }: { readonly onError: () => void }) {
  useEffect(onError, [onError]);
  return null;
}

interface NotShownProps {
  readonly url: string;
  readonly name: string;
  readonly isBroken?: boolean;
}

function NotShown({ url, name, isBroken = false }: NotShownProps) {
  const Icon = isBroken ? ImageOff : FileQuestion;
  return (
    <div className={classes.stage}>
      <Stack align="center" gap={12} p={24} c="dimmed">
        <Icon aria-hidden size={40} strokeWidth={1.25} />
        <Text size="sm" ta="center" maw={320}>
          {isBroken ? words.viewer.broken : words.viewer.unshowable}
        </Text>
        <ActionButton
          icon={Download}
          label={words.viewer.download}
          variant="default"
          onClick={() => void saveFile(url, name).catch(notifyError)}
        />
      </Stack>
    </div>
  );
}

/** As large as the stage allows, in the proportions of the media; small pictures are not enlarged beyond 320 pixels. */
function fitting({ width, height, content_type }: ViewedMedia): CSSProperties {
  if (!width || !height) return { width: '100cqw', height: '100cqh' };
  const own = content_type === 'image/svg+xml' ? '' : `, ${Math.max(width, 320)}px`;
  return { aspectRatio: `${width} / ${height}`, width: `min(100cqw, 100cqh * ${(width / height).toFixed(5)}${own})` };
}
