import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { isRefusal } from '../refusal.ts';
import type { GuestApi, Media } from './api.ts';

/** Items of the first request, which the first view waits for: somewhat more than a screen has; and of the others. */
export const FIRST = innerWidth < 600 ? 16 : 30;
const MORE = 200;
/** How often items are read again while pictures are being prepared, and at least between two looks at the page. */
const PREPARING_MS = 4_000;
const AGAIN_MS = 30_000;

export interface Page {
  readonly media: readonly Media[];
  readonly next_cursor: string | null;
}

/** All items of a link, page by page. */
export function useGallery(api: GuestApi, first: Page) {
  const [media, setMedia] = useState(first.media);
  const [isComplete, setComplete] = useState(first.next_cursor === null);
  const [error, setError] = useState<unknown>(null);
  const readAt = useRef(Date.now());
  const isReading = useRef(false);

  const read = useCallback(
    async (known: Page) => {
      if (isReading.current) return;
      isReading.current = true;
      setError(null);
      try {
        let all = known.media;
        let cursor = known.next_cursor;
        let isFirst = all.length === 0;
        while (cursor !== null || isFirst) {
          const page = await api.media(cursor, MORE);
          all = [...all, ...page.media];
          cursor = page.next_cursor;
          isFirst = false;
          // Items that were shown already stay until all are read again.
          setMedia((shown) => (shown.length > all.length && cursor !== null ? shown : all));
        }
        setComplete(true);
        readAt.current = Date.now();
      } catch (failure) {
        setError(failure);
      } finally {
        isReading.current = false;
      }
    },
    [api],
  );
  const again = useCallback(() => read({ media: [], next_cursor: null }), [read]);
  useEffect(() => {
    if (first.next_cursor !== null) void read(first);
  }, [read, first]);

  const isPreparing = media.some(({ is_prepared }) => !is_prepared) && !isRefusal(error);
  useEffect(() => {
    if (!isPreparing) return undefined;
    const timer = setInterval(() => void again(), PREPARING_MS);
    return () => clearInterval(timer);
  }, [isPreparing, again]);
  useEffect(() => {
    const look = () => {
      if (document.visibilityState === 'visible' && Date.now() - readAt.current > AGAIN_MS) void again();
    };
    const events = ['visibilitychange', 'error'];
    // Errors of pictures, whose URLs may have expired, do not bubble.
    for (const event of events) document.addEventListener(event, look, true);
    return () => events.forEach((event) => document.removeEventListener(event, look, true));
  }, [again]);

  const change = useCallback((id: number, part: Partial<Media>) => {
    setMedia((all) => all.map((each) => (each.id === id ? { ...each, ...part } : each)));
  }, []);
  return { media, isComplete, error, again, change };
}

export type Gallery = ReturnType<typeof useGallery>;
