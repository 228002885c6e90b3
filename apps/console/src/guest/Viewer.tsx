/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { nextUndecided } from '../screens/boards/review/decisions.ts';
import { download } from '../ui/media/download.ts';
import type { Media } from './api.ts';
import { Comments } from './Comments.tsx';
import { DecisionBar, useDecision } from './DecisionBar.tsx';
import { useGuest } from './guest-context.ts';
import { Icon } from './icons.tsx';
import { isPicture, pictureOf } from './media.ts';
import { Stage } from './Stage.tsx';
import { useModal } from './use-modal.ts';
import { type Change, type Review, useReview } from './use-review.ts';
import { useVersions, VersionSwitch } from './versions.tsx';
import { words } from './words.ts';

interface ViewerProps {
  readonly media: readonly Media[];
  readonly openId: number;
  readonly onOpen: (id: number | null) => void;
  readonly onChange: Change;
}

/** One item over the whole window, with what the guest may do about it. */
export function Viewer({ media, openId, onOpen, onChange }: ViewerProps) {
  const dialog = useModal();
  const index = media.findIndex(({ id }) => id === openId);
  const item = media[index]!;
  const go = (step: number) => {
    const next = media[index + step];
    if (next) onOpen(next.id);
  };
  const undecided = nextUndecided(media, openId);
  usePreloaded(media[index + 1], media[index - 1]);
  return (
    <dialog
      ref={dialog}
      class="viewer"
      aria-label={words.viewer}
      onCancel={(event) => {
        event.preventDefault();
        onOpen(null);
      }}
    >
      <Item
        item={item}
        position={words.position(index + 1, media.length)}
        hasPrevious={index > 0}
        hasNext={index < media.length - 1}
        onGo={go}
        onClose={() => onOpen(null)}
        onNextUndecided={undecided && (() => onOpen(undecided.id))}
        onChange={onChange}
      />
    </dialog>
  );
}

interface ItemProps {
  readonly item: Media;
  readonly position: string;
  readonly hasPrevious: boolean;
  readonly hasNext: boolean;
  readonly onGo: (step: 1 | -1) => void;
  readonly onClose: () => void;
  readonly onNextUndecided: (() => void) | null;
  readonly onChange: Change;
}

function Item(props: ItemProps) {
  const { item, position, hasPrevious, hasNext, onGo, onClose, onNextUndecided, onChange } = props;
  const { may, save: begin } = useGuest();
  const versions = useVersions(item);
  const { earlier, shown } = versions;
  const review = useReview(shown, onChange);
  const made = useDecision(item, review, onNextUndecided);
  const video = useRef<HTMLVideoElement>(null);
  const [isUnfolded, setUnfolded] = useState(false);

  const toComment = () => {
    setUnfolded(true);
    setTimeout(() => document.querySelector<HTMLElement>('#write')?.focus());
  };
  const save = () => begin(({ api }) => (item.url === null ? api.download(item.id) : download(item.url, item.name)));
  useKeys({
    ArrowLeft: () => onGo(-1),
    ArrowRight: () => onGo(1),
    Escape: onClose,
    ...(may('decide') &&
      !earlier && {
        a: () => void made.decide('approved'),
        r: () => void made.decide('changes_requested'),
        n: () => onNextUndecided?.(),
      }),
    ...(may('comment') && { c: toComment }),
    ...(may('download') && { d: save }),
  });
  return (
    <>
      <Bar
        {...{ position, onClose }}
        name={item.name}
        isByAi={shown.digital_source_type !== null}
        onSave={may('download') ? save : null}
      />
      <Stage
        {...{ review, video, hasPrevious, hasNext, onGo, onClose }}
        item={shown}
        name={item.name}
        mayPin={may('comment')}
        onPlaced={toComment}
        onOpenPin={(id) => {
          review.setActive(id);
          setUnfolded(true);
        }}
      />
      <div class="panel" data-unfolded={isUnfolded || undefined}>
        <Drawing review={review} onEnd={toComment}>
          <VersionSwitch {...{ item, versions }} />
          {may('decide') && !earlier && <DecisionBar item={item} made={made} onNextUndecided={onNextUndecided} />}
          {may('comment') && (
            <Comments key={shown.id} item={shown} {...{ review, video, isUnfolded }} onUnfold={setUnfolded} />
          )}
          {(may('decide') || may('comment')) && <p class="keys dimmed">{words.keys}</p>}
        </Drawing>
      </div>
    </>
  );
}

interface DrawingProps {
  readonly review: Review;
  readonly onEnd: () => void;
  readonly children: ComponentChildren;
}

/** The tools of a drawing, in place of all else beside the item. */
function Drawing({ review: { tools, draft, change }, onEnd, children }: DrawingProps) {
  const { drawing, pad } = draft;
  return pad && tools ? <tools.DrawingTools {...{ drawing, pad }} onChange={change} onEnd={onEnd} /> : <>{children}</>;
}

interface BarProps {
  readonly name: string;
  readonly position: string;
  readonly isByAi: boolean;
  readonly onClose: () => void;
  /** Null where nothing may be downloaded. */
  readonly onSave: (() => void) | null;
}

function Bar({ name, position, isByAi, onClose, onSave }: BarProps) {
  return (
    <div class="bar">
      <button type="button" class="round" aria-label={words.close} onClick={onClose}>
        <Icon name="close" size={20} />
      </button>
      <p>
        <bdi>{name}</bdi> <span class="dimmed">{position}</span>
      </p>
      {isByAi && <span class="label">{words.byAi}</span>}
      {onSave && (
        <button type="button" class="round" aria-label={words.download} onClick={onSave}>
          <Icon name="download" size={20} />
        </button>
      )}
    </div>
  );
}

/** The keys of the viewer: not while something is written, and not those of the video under the focus. */
function useKeys(keys: Readonly<Record<string, () => void>>): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const { target, key } = event;
      const element = target as HTMLElement;
      const act = latest.current[key.length === 1 ? key.toLowerCase() : key];
      if (!act || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (element.matches('input:not([type=checkbox]), textarea, video, [role=application]')) return;
      event.preventDefault();
      act();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
}

/** Loads the pictures of the neighbours, so that they are there at once. */
function usePreloaded(...items: readonly (Media | undefined)[]): void {
  const urls = items.map((item) => (item && isPicture(item) ? (item.thumbnails.at(-1)?.url ?? pictureOf(item)) : null));
  const all = urls.filter((url) => url !== null).join(' ');
  useEffect(() => {
    const timer = setTimeout(() => all.split(' ').forEach((url) => url && (new Image().src = url)), 300);
    return () => clearTimeout(timer);
  }, [all]);
}
