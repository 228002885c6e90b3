/** @jsxImportSource preact */
import { type RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Strokes } from '../drawing/Strokes.tsx';
import { strokesOver } from '../drawing/strokes.ts';
import { movedBy, type Point, pointAt, threadsOf } from '../screens/boards/review/threads.ts';
import type { Media } from './api.ts';
import { followGestures, type Gestures } from './gestures.ts';
import { useGuest } from './guest-context.ts';
import { Icon } from './icons.tsx';
import { isPicture, pictureOf, sourcesOf } from './media.ts';
import type { Review } from './use-review.ts';
import { words } from './words.ts';

interface StageProps {
  readonly item: Media;
  readonly name: string;
  readonly review: Review;
  readonly mayPin: boolean;
  readonly video: RefObject<HTMLVideoElement | null>;
  /** A pin is set: its comment is written next. */
  readonly onPlaced: () => void;
  readonly onOpenPin: (commentId: number) => void;
  readonly onGo: (step: 1 | -1) => void;
  readonly onClose: () => void;
  readonly hasPrevious: boolean;
  readonly hasNext: boolean;
}

/** The item as large as fits, with its pins. */
export function Stage(props: StageProps) {
  const { item, hasPrevious, hasNext, onGo } = props;
  return (
    <div class="stage">
      {item.is_playable ? (
        <Video key={item.id} {...props} />
      ) : pictureOf(item) !== null ? (
        <Picture key={item.id} {...props} />
      ) : (
        <p class="absent">{item.is_prepared ? words.notShown : words.preparing}</p>
      )}
      {hasPrevious && (
        <button type="button" class="round go previous" aria-label={words.previous} onClick={() => onGo(-1)}>
          <Icon name="left" size={22} />
        </button>
      )}
      {hasNext && (
        <button type="button" class="round go following" aria-label={words.next} onClick={() => onGo(1)}>
          <Icon name="right" size={22} />
        </button>
      )}
    </div>
  );
}

function Video({ item, name, video, review }: StageProps) {
  const { api } = useGuest();
  const { width, height } = item;
  const [size, setSize] = useState(width && height ? { width, height } : null);
  const [still, setStill] = useState<number | null>(null);
  const stand = ({ currentTarget: { paused, currentTime } }: { readonly currentTarget: HTMLVideoElement }) =>
    setStill(paused ? currentTime : null);
  return (
    <div class="frame">
      <div class="picture" style={ratioOf(size)}>
        <video
          ref={video}
          src={api.videoUrl(item)}
          poster={pictureOf(item) ?? undefined}
          controls
          controlsList={item.url === null ? 'nodownload' : undefined}
          playsInline
          preload="metadata"
          aria-label={name}
          onLoadedMetadata={({ currentTarget }) => {
            setSize(size ?? { width: currentTarget.videoWidth, height: currentTarget.videoHeight });
            setStill(0);
          }}
          onPlay={stand}
          onPause={stand}
          onSeeked={stand}
        />
        <Drawings {...{ review, size, still }} />
      </div>
    </div>
  );
}

interface Size {
  readonly width: number;
  readonly height: number;
}

interface DrawingsProps {
  readonly review: Review;
  readonly size: Size | null;
  /** The moment where a video stands; null while it plays. */
  readonly still: number | null;
}

function Drawings({ review, size, still }: DrawingsProps) {
  const { comments, activeId, draft, change, tools } = review;
  const { drawing, pad } = draft;
  if (!size) return null;
  const ratio = size.width / size.height;
  if (pad && tools) return <tools.DrawingArea {...{ drawing, pad, ratio }} onChange={change} />;
  return <Strokes strokes={strokesOver(comments ?? [], activeId, draft, still)} ratio={ratio} />;
}

const ratioOf = (size: Size | null) => ({ '--ratio': String(size ? size.width / size.height : 1) });

function Picture(props: StageProps) {
  const { item, name, review, mayPin, onPlaced, onOpenPin, onGo, onClose } = props;
  const { width, height, kind } = item;
  const stage = useRef<HTMLDivElement>(null);
  const picture = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState(width && height ? { width, height } : null);
  const place = (point: Point) => {
    review.place(point);
    onPlaced();
  };
  const gestures = useRef<Gestures | null>(null);
  gestures.current = {
    onTap: (x, y) => {
      if (mayPin && isPicture(item)) place(pointAt(x, y));
    },
    onSwipe: onGo,
    onSwipeDown: onClose,
  };
  useLayoutEffect(() => followGestures(stage.current!, picture.current!, () => gestures.current!), []);
  return (
    <div ref={stage} class="touch" data-pins={(mayPin && isPicture(item)) || undefined}>
      <div ref={picture} class="picture" style={ratioOf(size)}>
        <img
          alt={name}
          draggable={false}
          src={pictureOf(item)!}
          srcset={sourcesOf(item)}
          sizes="100vw"
          onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
            size ?? setSize({ width: naturalWidth, height: naturalHeight })
          }
        />
        <Pins review={review} onPlace={place} onOpenPin={onOpenPin} />
        <Drawings {...{ review, size }} still={null} />
      </div>
      {kind === 'model' && <p class="note">{words.noPreview.model}</p>}
      {kind === 'video' && <p class="note">{item.is_prepared ? words.noPreview.video : words.preparingVideo}</p>}
    </div>
  );
}

interface PinsProps {
  readonly review: Review;
  readonly onPlace: (point: Point) => void;
  readonly onOpenPin: (commentId: number) => void;
}

function Pins({ review, onPlace, onOpenPin }: PinsProps) {
  const { comments, draft, isPlacing, activeId } = review;
  return (
    <>
      {threadsOf(comments ?? []).open.map(
        ({ first, pin }) =>
          pin !== null && (
            <button
              key={first.id}
              type="button"
              class="pin"
              style={placeOf({ x: first.x!, y: first.y! })}
              data-active={first.id === activeId || undefined}
              aria-label={words.pinOf(pin, first.text.slice(0, 60))}
              onClick={() => onOpenPin(first.id)}
            >
              {pin}
            </button>
          ),
      )}
      {draft.point && !isPlacing && <span class="pin draft" style={placeOf(draft.point)} aria-hidden="true" />}
      {isPlacing && <PlacingArea onPlace={onPlace} onCancel={() => review.setPlacing(false)} />}
    </>
  );
}

/** A pin that is moved by keys. Clicks are the stage's. */
function PlacingArea({
  onPlace,
  onCancel,
}: {
  readonly onPlace: (point: Point) => void;
  readonly onCancel: () => void;
}) {
  const area = useRef<HTMLSpanElement>(null);
  const [point, setPoint] = useState<Point>({ x: 0.5, y: 0.5 });
  useEffect(() => area.current?.focus(), []);
  const onKeyDown = (event: KeyboardEvent) => {
    const next = movedBy(event.key, point);
    if (!next && event.key !== 'Enter' && event.key !== 'Escape') return;
    event.preventDefault();
    if (next) setPoint(next);
    else if (event.key === 'Enter') onPlace(point);
    else onCancel();
  };
  return (
    <span ref={area} class="area" role="application" tabIndex={0} aria-label={words.pinArea} onKeyDown={onKeyDown}>
      <span class="pin draft" style={placeOf(point)} aria-hidden="true" />
    </span>
  );
}

const placeOf = ({ x, y }: Point) => ({ left: `${x * 100}%`, top: `${y * 100}%` });
