/** @jsxImportSource preact */
import type { VNode } from 'preact';
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { addressOf, type Source, tileSource } from '../file-url.ts';
import type { Media } from './api.ts';
import { describe, isNewVersion } from './media.ts';
import { Icon } from './icons.tsx';
import { type HeadingBox, layoutOf, neighbour, shownOf, type TileBox } from './layout.ts';
import type { Section } from './sections.ts';
import { words } from './words.ts';

interface GridProps {
  readonly sections: readonly Section[];
  readonly openId: number | null;
  readonly onOpen: (id: number) => void;
}

/** Tiles of all sections, of which those near the window exist. One of them is reached by Tab, the others by arrow keys. */
export function Grid({ sections, openId, onOpen }: GridProps) {
  const box = useRef<HTMLDivElement>(null);
  const { width, from, to } = useWindow(box);
  const layout = useMemo(() => layoutOf(sections, width), [sections, width]);
  const { tiles, headings } = layout;
  const { stop, setStop, focus } = useStop(box, tiles, openId);
  const shown = shownOf(tiles, from, to);
  const stopTile = tiles[stop];
  if (stopTile && !shown.includes(stopTile)) shown.push(stopTile);
  useJumps(box, headings);

  // A tile that was rendered is not rendered again while the window moves over it.
  // eslint-disable-next-line react-hooks/exhaustive-deps -- what the nodes are made of
  const nodes = useMemo(() => new Map<TileBox, VNode>(), [tiles, stopTile, onOpen]);
  const nodeOf = (tile: TileBox) => {
    const node = nodes.get(tile) ?? (
      <Tile key={tile.media.id} tile={tile} isStop={tile === stopTile} onFocus={setStop} onOpen={onOpen} />
    );
    nodes.set(tile, node);
    return node;
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const next = neighbour(tiles, stop, event.key);
    if (next === null || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    focus(tiles[next]!.media.id);
  };
  return (
    <div
      ref={box}
      class="grid"
      role="group"
      aria-label={words.gallery}
      style={{ height: `${layout.height}px` }}
      onKeyDown={onKeyDown}
    >
      {shownOf(headings, from, to).map(({ section, top }) => (
        <h2 key={`folder ${section.id}`} dir="auto" style={{ top: `${top}px` }}>
          {section.title} <span class="dimmed">{section.media.length}</span>
        </h2>
      ))}
      {shown.map(nodeOf)}
    </div>
  );
}

type Box = { readonly current: HTMLElement | null };

/** The index of the tile that Tab reaches, and a function that focuses a tile by its id. */
function useStop(box: Box, tiles: readonly TileBox[], openId: number | null) {
  const [stopId, setStop] = useState<number | null>(null);
  const isFocusWanted = useRef(false);
  const focus = useCallback((id: number) => {
    isFocusWanted.current = true;
    setStop(id);
  }, []);
  useLayoutEffect(() => {
    if (!isFocusWanted.current) return;
    isFocusWanted.current = false;
    const tile = box.current!.querySelector<HTMLElement>(`[data-id="${stopId}"]`);
    tile?.focus({ preventScroll: true });
    tile?.scrollIntoView({ block: 'nearest' });
  }, [box, stopId, openId]);
  // The focus returns to the item that was seen last.
  const lastOpen = useRef(openId);
  useEffect(() => {
    if (openId === null && lastOpen.current !== null) focus(lastOpen.current);
    lastOpen.current = openId;
  }, [openId, focus]);
  const found = tiles.findIndex(({ media }) => media.id === stopId);
  return { stop: Math.max(0, found), setStop, focus };
}

interface TileProps {
  readonly tile: TileBox;
  readonly isStop: boolean;
  readonly onFocus: (id: number) => void;
  readonly onOpen: (id: number) => void;
}

function Tile({ tile: { media, top, left, width, height }, isStop, onFocus, onOpen }: TileProps) {
  const { id, decision, comments_count: comments } = media;
  const isNew = isNewVersion(media);
  return (
    <button
      type="button"
      class="tile"
      data-id={id}
      tabIndex={isStop ? 0 : -1}
      aria-label={describe(media)}
      style={{ top: `${top}px`, left: `${left}px`, width: `${width}px`, height: `${height}px` }}
      onFocus={() => onFocus(id)}
      onClick={() => onOpen(id)}
    >
      <Preview media={media} width={width} />
      {(decision !== 'none' || comments > 0 || isNew) && (
        <span class="badge">
          {isNew && words.newVersion}
          {decision === 'approved' && <Icon name="check" size={15} />}
          {decision === 'changes_requested' && <Icon name="pencil" size={14} />}
          {comments > 0 && (
            <>
              <Icon name="comment" size={14} />
              {comments}
            </>
          )}
        </span>
      )}
    </button>
  );
}

function Preview({ media, width }: { readonly media: Media; readonly width: number }) {
  const { kind } = media;
  // Never the original, which may be large.
  const source = tileSource(media.thumbnails, width);
  if (source === null)
    return <span class="absent">{media.is_prepared ? <Icon name={iconOf(kind)} /> : words.preparing}</span>;
  return (
    <>
      <img alt="" decoding="async" src={addressOf(source)} onError={fallBack(source)} />
      {kind === 'video' && (
        <span class="play">
          <Icon name="play" />
        </span>
      )}
    </>
  );
}

/** Shows the picture itself where its variant can't be had now. */
const fallBack =
  ({ url, variant }: Source) =>
  ({ currentTarget: image }: { readonly currentTarget: HTMLImageElement }) => {
    if (variant && image.src !== url) image.src = url;
  };

const iconOf = (kind: string) => (kind === 'model' ? 'cube' : kind === 'video' ? 'play' : 'file');

/** The width of the grid, and the part of its height that is in sight or near. */
function useWindow(box: Box) {
  const [seen, setSeen] = useState({ width: document.documentElement.clientWidth - 24, from: 0, to: 2 * innerHeight });
  useLayoutEffect(() => {
    let frame = 0;
    const look = () => {
      frame = 0;
      const { top, width } = box.current!.getBoundingClientRect();
      // In steps, so that most scrolling renders nothing.
      const step = innerHeight / 2;
      const start = Math.floor(-top / step) * step;
      const next = { width, from: start - step, to: start + 2 * innerHeight };
      setSeen((last) => (last.width === next.width && last.from === next.from && last.to === next.to ? last : next));
    };
    const later = () => {
      frame ||= requestAnimationFrame(look);
    };
    look();
    addEventListener('scroll', later, { passive: true });
    const resized = new ResizeObserver(later);
    resized.observe(box.current!);
    return () => {
      cancelAnimationFrame(frame);
      removeEventListener('scroll', later);
      resized.disconnect();
    };
  }, [box]);
  return seen;
}

/** Scrolls to the folder that the address names: headings out of sight do not exist. */
function useJumps(box: Box, headings: readonly HeadingBox[]) {
  useEffect(() => {
    const jump = () => {
      const heading = headings.find(({ section }) => location.hash === `#folder-${section.id}`);
      if (!heading) return;
      scrollTo({ top: box.current!.getBoundingClientRect().top + scrollY + heading.top });
      history.replaceState(history.state, '', location.pathname);
    };
    addEventListener('hashchange', jump);
    return () => removeEventListener('hashchange', jump);
  }, [box, headings]);
}
